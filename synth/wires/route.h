/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/route.h: the wires and vias of a net in a DEF file. */
#ifndef HEDDLE_SYNTH_WIRES_ROUTE_H
#define HEDDLE_SYNTH_WIRES_ROUTE_H

#include "synth/wires/def.h"

/* Takes what stands behind `+ ROUTED`, up to the next `+` or `;`. Where the net is a `special` one its wires tell their widths
 * and end where they say; others have the width of the layer and go on for half of it. Returns 0, or -1. */
int route_take(struct words *, const struct lef *, struct def_net *, int special);

#endif
