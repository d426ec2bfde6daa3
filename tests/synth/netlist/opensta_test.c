/* SPDX-License-Identifier: Apache-2.0 */
/* tests/synth/netlist/opensta_test.c: the power of a circuit whose activity OpenSTA can know (shift.v) is within 1 % of what OpenSTA says.
 *
 * OpenSTA 2.0.17 adds the energies of the rising and of the falling edge and multiplies the sum by the edges, where it should be their
 * mean: what it says of outputs and of clock pins is twice too large. It weights other inputs by one half: these are right. And it looks
 * up the energy of every output's edge at the slew of the same edge of the input, which is wrong for what inverts: the circuit has
 * buffers only. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "synth/netlist/energy.h"

#define LIBRARY "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"

enum { CELLS = 10, CYCLES = 4000, SETTLED = 100 };
#define PERIOD 10e-9

/* W, of each cell of shift.v. */
struct power {
    double clock, inside, net, leakage;
};

static void ours(struct netlist *n, struct power *of, double *load)
{
    static struct library l;
    assert_int_equal(library_read(&l, LIBRARY, stderr), 0);
    assert_int_equal(netlist_read(n, "tests/synth/netlist/shift.v", &l, stderr), 0);
    assert_int_equal(n->num_cells, CELLS);
    *load = library_load(&l);
    struct simulator *s = simulator_open(n, stderr);
    assert_non_null(s);
    struct energy *e = energy_open(s, stderr);
    assert_non_null(e);
    for (int k = 0; k < SETTLED + CYCLES; k++) {
        simulator_set(s, netlist_signal(n, "in")->net[0], k / 2 % 2);
        simulator_settle(s);
        simulator_compare(s);
        energy_cycle(e);
        if (k < SETTLED)
            energy_start(e);
        simulator_edge(s);
    }
    assert_int_equal(e->cycles, CYCLES);
    const double time = CYCLES * PERIOD, pins = e->load[s->clock] * l.voltage * l.voltage * CYCLES;
    for (int c = 0; c < CELLS; c++) {
        of[c].inside = e->internal[c] / time;
        of[c].net = e->switching[c] / time;
        of[c].leakage = e->arcs[c]->leakage;
        if (n->cells[c].type->kind == CELL_FLIP_FLOP)
            of[c].clock =
                (e->clock - pins) / time / s->num_flip_flops; /* they are all of one kind */
    }
    energy_close(e);
    simulator_close(s);
}

static int cell_of(const struct netlist *n, const char *name)
{
    for (int c = 0; c < CELLS; c++)
        if (!strcmp(n->cells[c].name, name))
            return c;
    fail_msg("OpenSTA knows a cell '%s'", name);
    return 0;
}

/* What a line says. `cell` is the one that the rows are of. */
static void take_line(const char *line, const struct netlist *n, int *cell, struct power *of)
{
    char name[64], pin[64], from[64], to[64];
    double watts, switching, leakage, total;
    if (sscanf(line, "power: internal %63[^/]/%63s", name, pin) == 2)
        *cell = cell_of(n, name);
    else if (sscanf(line, "power:  %63s -> %63s", from, to) == 2 && strstr(line, " no pg_pin")) {
        sscanf(strstr(line, " no pg_pin") - 8, "%lf", &watts);
        if (!strcmp(from, "CLK") && !strcmp(to, "CLK"))
            of[*cell].clock += watts / 2;
        else
            of[*cell].inside += strcmp(from, to) != 0 ? watts / 2 : watts;
    } else if (sscanf(line, "%lf %lf %lf %lf %63s", &watts, &switching, &leakage, &total, name) ==
               5) {
        of[cell_of(n, name)].net = switching;
        of[cell_of(n, name)].leakage = leakage;
    }
}

static void theirs(const struct netlist *n, struct power *of, double load)
{
    char command[200], line[200];
    int cell = 0;
    snprintf(command, sizeof command,
             "LIBRARY=" LIBRARY
             " LOAD_FF=%.9g sta -no_splash -exit tests/synth/netlist/opensta.tcl 2>&1",
             load * 1e15);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f))
        take_line(line, n, &cell, of);
    assert_int_equal(pclose(f), 0);
}

static void within_one_percent(double here, double there, const char *what, const char *cell)
{
    if (!(fabs(here - there) <= 0.01 * there) || (there == 0 && here != 0))
        fail_msg("%s of %s: %.6g W, by OpenSTA %.6g", what, cell, here, there);
}

static void power_of_a_shift_register(void **state)
{
    (void)state;
    struct netlist n;
    struct power here[CELLS] = {0}, there[CELLS] = {0};
    double load, sum = 0;
    ours(&n, here, &load);
    theirs(&n, there, load);
    for (int c = 0; c < CELLS; c++) {
        const char *name = n.cells[c].name;
        within_one_percent(here[c].clock, there[c].clock, "power of the clock", name);
        within_one_percent(here[c].inside, there[c].inside, "internal power", name);
        within_one_percent(here[c].net, there[c].net, "power of the net", name);
        within_one_percent(here[c].leakage, there[c].leakage, "leakage", name);
        sum += there[c].clock + there[c].inside + there[c].net;
    }
    assert_true(sum > 60e-6 && sum < 600e-6); /* there was something to be compared */
    struct library *l = n.library;
    netlist_free(&n);
    library_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(power_of_a_shift_register)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
