/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/check.h: whether a layout is the netlist: what placer and router have written, against what they were given. It shares
 * nothing with them, and does not believe what the layout says of itself: which pins belong to a net is the netlist's word.
 *
 * 1. Each cell of the netlist is placed once, and no other cell but fillers.
 * 2. Each cell is on the sites of a row, and no two overlap.
 * 3. Each port of the netlist is placed, and the layout's list of a net's ends is the netlist's.
 * 4. Metal of a net touches no metal of another one, nor of the supply, nor what a cell has in its way, on any layer.
 * 5. The pins of a net are connected, and each piece of its metal is connected to one of them. */
#ifndef HEDDLE_SYNTH_WIRES_CHECK_H
#define HEDDLE_SYNTH_WIRES_CHECK_H

#include "synth/wires/def.h"
#include "synth/wires/design.h"

/* Returns 0, or -1: `err` has been told the first fault, with its net and where it is. `close`: how many pairs of pieces of metal that do not
 * belong together are closer than the spacing of their layer, one of them at least a wire or a via. */
int check_layout(const struct design *, const struct def *, uint32_t *close, FILE *err);

/* Its parts: 1 to 3, then 4 and 5. */
int check_places(const struct design *, const struct def *, FILE *err);
int check_metal(const struct design *, const struct def *, uint32_t *close, FILE *err);

/* Says `path:line: error: ...` of a layout; line 0: of the file. Returns -1. */
__attribute__((format(printf, 4, 5))) int check_fault(const struct def *, FILE *err, unsigned line,
                                                      const char *format, ...);

#endif
