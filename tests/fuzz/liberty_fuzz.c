/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/liberty_fuzz.c: any bytes as a library of cells. What is accepted must have cells with names and functions that
 * can be computed, what is refused must be told in one line that names file and line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "synth/liberty/arcs.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/input.h"

/* Arcs may be refused where they are wrong, but only with a message. */
static void check_arcs(struct library *l, const struct library_cell *c)
{
    char *said;
    size_t length;
    struct cell_arcs arcs;
    FILE *err = open_memstream(&said, &length);
    const int failed = arcs_read(l, c, &arcs, err);
    fclose(err);
    assert_true(!failed == !length);
    free(said);
    for (unsigned i = 0; i < arcs.num_timing && !failed; i++)
        for (unsigned e = 0; e < NUM_EDGES; e++)
            if (arcs.timing[i].slew[e].values)
                (void)table_value(&arcs.timing[i].slew[e], 1e-9, 1e-12);
    for (unsigned i = 0; i < arcs.num_power && !failed; i++)
        assert_true(arcs.power[i].pin < c->num_pins && arcs.power[i].from < c->num_pins);
}

static void check_library(struct library *l)
{
    const uint64_t zeros[CELL_PINS + CELL_STATES] = {0};
    const struct library_cell *const chosen[] = {library_nand2(l), library_buffer(l),
                                                 library_flip_flop(l)};
    unsigned cells = 0;
    for (const struct library_cell *c = l->cells; c; c = c->next, cells++) {
        check_arcs(l, c);
        assert_true(c->name && c->area >= 0 && c->num_inputs + c->num_outputs <= c->num_pins);
        for (unsigned i = 0; i < c->num_pins; i++)
            if (c->pins[i].function)
                (void)function_value(c->pins[i].function, zeros);
    }
    assert_int_equal(cells, l->num_cells);
    assert_true(l->capacitance > 0 && l->time > 0 && l->leakage > 0);
    for (unsigned i = 0; i < 3; i++)
        assert_true(!chosen[i] || (!chosen[i]->unused && chosen[i]->area > 0));
}

int liberty_fuzz(const uint8_t *data, size_t size)
{
    char path[64], *said;
    size_t length;
    const int file = input_open(data, size, path);
    FILE *err = open_memstream(&said, &length);
    struct library l;
    const int failed = library_read(&l, path, err);
    fclose(err);
    assert_true(!failed == !length);
    assert_true(!length || input_told(said, length, path));
    free(said);
    close(file);
    if (!failed)
        check_library(&l);
    library_free(&l);
    return 0;
}
