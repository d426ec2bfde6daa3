/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/netlist_fuzz.c: any bytes as a netlist of hand.lib. What is accepted must run, with energies that are numbers, what is refused
 * must be told in one line that names file and line. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "synth/netlist/energy.h"
#include "synth/netlist/switching.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/input.h"

enum { CYCLES = 8 };

static void run(struct simulator *s, struct energy *e)
{
    const struct netlist *n = s->netlist;
    struct switching a;
    assert_int_equal(switching_open(&a, s), 0);
    for (int k = 0; k < CYCLES; k++) {
        for (uint32_t i = 0; i < n->num_signals; i++)
            if (n->signals[i].direction == PIN_IN && n->signals[i].net[0] != s->clock)
                simulator_set(s, n->signals[i].net[0], k >> i % 3 & 1);
        simulator_settle(s);
        simulator_compare(s);
        switching_cycle(&a);
        energy_cycle(e);
        simulator_edge(s);
    }
    assert_true(s->value[NET_0] == 0 && s->value[NET_1] == 1);
    assert_true(isfinite(energy_sum(e, e->internal, CELL_OTHER) + e->clock + e->inputs));
    for (uint32_t net = 0; net < n->num_nets; net++)
        assert_true(a.edges[net] <= CYCLES && switching_high(&a, net) <= CYCLES);
    switching_close(&a);
}

int netlist_fuzz(const uint8_t *data, size_t size)
{
    static struct library hand;
    char path[64], *said;
    size_t length;
    if (!hand.name && library_read(&hand, "tests/synth/netlist/hand.lib", stderr))
        abort();
    const int file = input_open(data, size, path);
    FILE *err = open_memstream(&said, &length);
    struct netlist n;
    const int failed = netlist_read(&n, path, &hand, err);
    struct simulator *s = failed ? NULL : simulator_open(&n, err);
    struct energy *e = s ? energy_open(s, err) : NULL;
    fclose(err);
    assert_true(e ? !length : input_told(said, length, path));
    free(said);
    close(file);
    if (e)
        run(s, e);
    energy_close(e);
    simulator_close(s);
    netlist_free(&n);
    return 0;
}
