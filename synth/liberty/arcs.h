/* SPDX-License-Identifier: Apache-2.0 */
/* synth/liberty/arcs.h: what a Liberty file says of a cell that switches: how fast its outputs change, and what
 * energy it takes. Tables are in the library's own units; that of energy is the unit of the load times V squared. */
#ifndef HEDDLE_SYNTH_ARCS_H
#define HEDDLE_SYNTH_ARCS_H

#include "synth/liberty/table.h"

enum edge { EDGE_FALL, EDGE_RISE, NUM_EDGES };

/* Which edge of its input an output's edge comes from. */
enum sense { SENSE_POSITIVE, SENSE_NEGATIVE, SENSE_ANY };

/* A timing group of an output: the slew of its edges. */
struct timing_arc {
    unsigned from, to; /* pins */
    enum sense sense;
    int clocked;                  /* an edge of the clock starts it */
    struct table slew[NUM_EDGES]; /* no values: never has this edge */
};

/* An internal_power group: the energy inside the cell when `pin` has an edge that `from` has caused. */
struct power_arc {
    unsigned pin, from;          /* equal: of an input alone, whatever the outputs do */
    const struct function *when; /* of the cell's pins, then of its states; NULL: always */
    struct table energy[NUM_EDGES];
};

struct cell_arcs {
    struct timing_arc *timing;
    struct power_arc *power;
    unsigned num_timing, num_power;
    double leakage; /* W; where it depends on the state, the mean of all */
};

/* Returns 0, or -1: `err` has been told. Memory is the library's. */
int arcs_read(struct library *, const struct library_cell *, struct cell_arcs *, FILE *err);

#endif
