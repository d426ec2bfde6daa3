/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/place.h: what graywolf is asked, and what it answers.
 *
 * It is asked with two files: NAME.par has the layers and how it is to work, NAME.cel the cells, their pins and the ports. In them cell
 * 12 of the netlist is c12, net 7 is n7 and port 3 is p3, so that no name of the netlist can mean something else there. Its answer is
 * NAME.pl1: a line for each cell and port, `c12 left bottom right top orientation row`.
 *
 * White space: each cell is as much wider than it is as the density asks for, in whole sites. */
#ifndef HEDDLE_SYNTH_WIRES_PLACE_H
#define HEDDLE_SYNTH_WIRES_PLACE_H

#include "synth/wires/design.h"

#define MOST_ROWS 100000

enum side { SIDE_LEFT = 1, SIDE_RIGHT, SIDE_BOTTOM, SIDE_TOP };

struct place {
    int32_t left, right; /* graywolf's; of a port, the middle is where it is */
    int32_t bottom, top;
    int mirrored; /* left is right */
    uint32_t row; /* from 1; of a port: enum side */
};

struct places {
    struct place *cells, *ports; /* by the design's numbers */
    uint32_t num_rows;
};

/* How many units of the design are one of graywolf's, which knows hundredths of 1 um. */
int32_t place_grain(const struct design *);

/* Sites of white space on the right of each cell, for a density above 0 and up to 1. NULL: no memory, `err` has been told. Memory is
 * the design's. */
const uint32_t *place_white(struct design *, double density, FILE *err);

void place_write_parameters(const struct design *, FILE *to);
void place_write_cells(const struct design *, const uint32_t *white, FILE *to);

/* Returns 0, or -1: `err` has been told what is wrong with the answer. Memory is the design's. */
int place_read(struct design *, const char *path, struct places *, FILE *err);

#endif
