/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/pieces.h: all metal of a layout as pieces, each with its owner: a net, the supply, or an obstruction inside a cell. Which
 * net a pin belongs to is the netlist's word, to which net a wire belongs the layout's. */
#ifndef HEDDLE_SYNTH_WIRES_PIECES_H
#define HEDDLE_SYNTH_WIRES_PIECES_H

#include "synth/wires/def.h"
#include "synth/wires/design.h"

/* Owners beside the nets, which have their own numbers. */
#define OWNER_POWER       (UINT32_MAX - 1)
#define OWNER_GROUND      (UINT32_MAX - 2)
#define OWNER_OBSTRUCTION (UINT32_MAX - 3)
#define OWNER_FLOATING    (UINT32_MAX - 4) /* a pin that is not connected */

struct piece {
    struct box box;
    uint32_t layer, owner;
    uint32_t cell;  /* of the layout, or NO_CELL */
    uint32_t group; /* another piece of the same group; itself: it stands for the group */
    unsigned line;
};

struct metal {
    const struct design *design;
    const struct def *layout;
    FILE *err;
    struct piece *pieces;
    uint32_t num_pieces, room;
    uint32_t num_pins;  /* pieces of cells and ports, which come first */
    uint32_t num_close; /* pairs that are closer than their layer's spacing */
};

/* Lists all pieces; the shapes of a pin, and those of a via, are groups. Returns 0, or -1: `err` has been told. The caller frees
 * `pieces` either way. */
int pieces_list(struct metal *);

#endif
