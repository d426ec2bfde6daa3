/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/tree.h: the metal of a net as resistors and capacitors.
 *
 * A wire between two places where something joins it is a resistor, and a capacitor to ground, half of which is at each end. Where
 * pieces of metal touch, and inside the pins of cells, there is no resistance; a via has what the LEF file says, which may be
 * nothing. Of several ways from pin to pin the shortest ones stay: what closes a loop keeps its capacitance alone. */
#ifndef HEDDLE_SYNTH_WIRES_TREE_H
#define HEDDLE_SYNTH_WIRES_TREE_H

#include "synth/wires/def.h"
#include "synth/wires/design.h"

struct tree_edge {
    uint32_t a, b;     /* nodes */
    double resistance; /* ohm, above 0 */
};

struct tree {
    double *capacitance; /* F to ground at each node */
    uint32_t *end_node;  /* where each end of the net is */
    struct tree_edge *edges;
    double *length; /* um on each layer */
    double total_capacitance, total_resistance;
    uint32_t num_nodes, num_edges, num_vias, num_loops;
};

/* `net`: a wired one. Returns 0, or -1: an end is not reached, or no memory, and `err` has been told. tree_free is due either way. */
int tree_build(struct tree *, const struct design *, const struct def *, uint32_t net, FILE *err);
void tree_free(struct tree *);

#endif
