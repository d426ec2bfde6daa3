/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/layout.h: what graywolf has answered as a DEF file, for the router: cells on the sites of their rows, gaps filled, ports on
 * the edge, nets without wires. */
#ifndef HEDDLE_SYNTH_WIRES_LAYOUT_H
#define HEDDLE_SYNTH_WIRES_LAYOUT_H

#include "synth/wires/place.h"

/* Writes the file. `white`: what the places were asked with. Returns 0, or -1: `err` has been told. */
int layout_write(struct design *, const struct places *, const uint32_t *white, FILE *to,
                 FILE *err);

#endif
