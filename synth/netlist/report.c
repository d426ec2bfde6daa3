/* SPDX-License-Identifier: Apache-2.0 */
/* synth/netlist/report.c: see report.h. */
#include "synth/netlist/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define HOTTEST 8 /* cells to be named */

/* Where the energy goes, in J per cycle. */
struct part {
    const char *key, *title;
    double energy;
};

enum {
    LOGIC_NETS,
    LOGIC_CELLS,
    REGISTER_NETS,
    REGISTER_CELLS,
    CLOCK,
    INPUTS,
    LEAKAGE,
    NUM_PARTS,
};

static double take_parts(const struct report *r, struct part *parts)
{
    const struct energy *e = r->measured->energy;
    const double cycles = (double)e->cycles;
    const struct part all[NUM_PARTS] = {
        [LOGIC_NETS] = {"logic_nets", "logic: nets",
                        energy_sum(e, e->switching, CELL_LOGIC) / cycles},
        [LOGIC_CELLS] = {"logic_cells", "logic: inside its cells",
                         energy_sum(e, e->internal, CELL_LOGIC) / cycles},
        [REGISTER_NETS] = {"register_nets", "registers: nets",
                           energy_sum(e, e->switching, CELL_FLIP_FLOP) / cycles},
        [REGISTER_CELLS] = {"register_cells", "registers: inside the flip-flops",
                            energy_sum(e, e->internal, CELL_FLIP_FLOP) / cycles},
        [CLOCK] = {"clock", "clock, without a tree", e->clock / cycles},
        [INPUTS] = {"inputs", "nets from outside", e->inputs / cycles},
        [LEAKAGE] = {"leakage", "leakage", e->leakage * r->period},
    };
    double sum = 0;
    for (int p = 0; p < NUM_PARTS; p++) {
        parts[p] = all[p];
        sum += parts[p].energy;
    }
    return sum;
}

static double of_cell(const struct energy *e, uint32_t c)
{
    return e->internal[c] + e->switching[c];
}

/* The net that a cell drives, or what it is called itself. */
static const char *cell_name(const struct netlist *n, uint32_t cell)
{
    const struct netlist_cell *c = &n->cells[cell];
    for (unsigned p = 0; p < c->type->num_pins; p++)
        if (c->type->pins[p].direction == PIN_OUT)
            return n->net_name[c->net[p]];
    return c->name;
}

/* The cells that took most, the greatest first; of equal ones the first in the netlist. */
static void print_hottest(const struct report *r, double total, FILE *out)
{
    const struct energy *e = r->measured->energy;
    double below = INFINITY;
    uint32_t last = 0;
    fputs("\nthe hottest cells, by the nets that they drive\n", out);
    for (int k = 0; k < HOTTEST; k++) {
        uint32_t best = NET_NONE;
        for (uint32_t c = 0; c < r->netlist->num_cells; c++) {
            const double energy = of_cell(e, c);
            if ((energy < below || (energy == below && c > last)) &&
                (best == NET_NONE || energy > of_cell(e, best)))
                best = c;
        }
        if (best == NET_NONE || of_cell(e, best) <= 0)
            return;
        below = of_cell(e, last = best);
        fprintf(out, "  %-32s %-10s %10.6g pJ %6.2f %%\n", cell_name(r->netlist, best),
                r->netlist->cells[best].type->name, below / (double)e->cycles * 1e12,
                100 * below / (double)e->cycles / total);
    }
}

/* J per cycle that the clock takes in cycles in which nothing is decided: what a gate in front of it could save at most. */
static double idle_clock(const struct report *r)
{
    const struct energy *e = r->measured->energy;
    const double cycles = (double)e->cycles;
    return e->clock / cycles * (1 - (double)r->decisions / cycles);
}

static double per_decision(const struct report *r, double per_cycle)
{
    return per_cycle * (double)r->measured->energy->cycles / (double)r->decisions;
}

void report_print(const struct report *r, FILE *out)
{
    const struct energy *e = r->measured->energy;
    struct part parts[NUM_PARTS];
    const double total = take_parts(r, parts), cycles = (double)e->cycles;
    fprintf(out, "%s, %s, %s at %g V: %" PRIu64 " cycles of %s\n\n", r->unit, r->config,
            r->netlist->library->name, r->netlist->library->voltage, e->cycles, r->inputs);
    for (int p = 0; p < NUM_PARTS; p++)
        fprintf(out, "%-34s %12.6g pJ per cycle %6.2f %%\n", parts[p].title, parts[p].energy * 1e12,
                100 * parts[p].energy / total);
    fprintf(out, "%-34s %12.6g pJ per cycle\n", "all", total * 1e12);
    if (e->clock > 0)
        fprintf(out, "%-34s %12.6g pJ per cycle\n", "all, the clock gated while idle",
                (total - idle_clock(r)) * 1e12);
    if (r->decisions)
        fprintf(out, "%-34s %12.6g pJ; it decides in %" PRIu64 " cycles (%.2f %%)\n",
                "all, per decision", per_decision(r, total) * 1e12, r->decisions,
                100 * (double)r->decisions / cycles);
    else
        fputs("it decides in no cycle\n", out);
    fprintf(out,
            "%.1f of %" PRIu32
            " nets have an edge in a cycle (%.2f %%); leakage %.4g uW; cycle %g ns\n",
            (double)e->moved / cycles, r->netlist->num_nets - FIRST_NET,
            100 * (double)e->moved / cycles / (r->netlist->num_nets - FIRST_NET), e->leakage * 1e6,
            r->period * 1e9);
    print_hottest(r, total, out);
}

void report_print_values(const struct report *r, FILE *out)
{
    const struct energy *e = r->measured->energy;
    struct part parts[NUM_PARTS];
    const double total = take_parts(r, parts), cycles = (double)e->cycles;
    fprintf(out,
            "unit=%s\nconfig=%s\nlibrary=%s\ninputs=%s\ncycles=%" PRIu64 "\ndecisions=%" PRIu64
            "\n",
            r->unit, r->config, r->netlist->library->name, r->inputs, e->cycles, r->decisions);
    fprintf(out, "period_ns=%g\nleakage_w=%g\nnets=%" PRIu32 "\nedges_per_cycle=%.6g\n",
            r->period * 1e9, e->leakage, r->netlist->num_nets - FIRST_NET,
            (double)e->moved / cycles);
    for (int p = 0; p < NUM_PARTS; p++)
        fprintf(out, "%s_pj=%.9g\n", parts[p].key, parts[p].energy * 1e12);
    fprintf(out, "pj_per_cycle=%.9g\ngated_pj_per_cycle=%.9g\n", total * 1e12,
            (total - idle_clock(r)) * 1e12);
    if (r->decisions)
        fprintf(out, "pj_per_decision=%.9g\n", per_decision(r, total) * 1e12);
}

void report_print_saif(const struct report *r, FILE *out)
{
    switching_print(&r->measured->switching, (uint64_t)llround(r->period * 1e12), out);
}
