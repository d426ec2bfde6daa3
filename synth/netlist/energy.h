/* SPDX-License-Identifier: Apache-2.0 */
/* synth/netlist/energy.h: what the edges of a netlist cost, from its Liberty file.
 *
 *   switching   C V^2 / 2 for each edge of a net; C: the pins on it, and the load of an output. No wires
 *   internal    the library's internal_power of the cell, at the slew of the input that moved and the load. Where several
 *               inputs moved, the mean over them: which was the last is not known without delays
 *   clock       two edges of the clock in every cycle: its pins, and what they take inside the flip-flops
 *   leakage     of all cells
 *
 * The clock is ideal: no tree, slew 0. Inputs come from the smallest buffer of the library. */
#ifndef HEDDLE_SYNTH_ENERGY_H
#define HEDDLE_SYNTH_ENERGY_H

#include "synth/liberty/arcs.h"
#include "synth/netlist/simulator.h"

struct energy {
    struct simulator *simulator;
    const struct cell_arcs **arcs; /* of each cell of the netlist */
    double *load;                  /* of each net, F */
    double *slew[NUM_EDGES];       /* of each net, s */
    double *internal, *switching;  /* of each cell, J, since the beginning; without the clock's */
    double inputs;                 /* of the nets that come from outside, J */
    double clock;                  /* J */
    double leakage;                /* W */
    uint64_t cycles, moved;        /* edges of nets in them */
    /* the rest is its own */
    uint32_t *driver; /* of each net: its cell */
    struct load {     /* an input with an energy of its own */
        uint32_t cell, pin;
    } * loads;
    uint32_t *first_load;           /* of each net, among the loads */
    double clock_fixed;             /* of every cycle */
    uint32_t *clocked, num_clocked; /* flip-flops where the clock's share depends on the state */
};

/* NULL: `err` has been told. */
struct energy *energy_open(struct simulator *, FILE *err);
void energy_close(struct energy *);

/* Forgets all cycles. */
void energy_start(struct energy *);

/* Takes what the simulator has compared (`moved`) as one cycle. */
void energy_cycle(struct energy *);

/* Sums over the cells of a kind; CELL_OTHER: over all. */
double energy_sum(const struct energy *, const double *of_cells, enum cell_kind);

#endif
