/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/draw.h: a picture of a layout: cells by their kind, wires by their layer. */
#ifndef HEDDLE_SYNTH_WIRES_DRAW_H
#define HEDDLE_SYNTH_WIRES_DRAW_H

#include "synth/wires/def.h"
#include "synth/wires/design.h"

/* A .png or .svg. Returns 0, or -1 with the reason on stderr. */
int draw_layout(const struct design *, const struct def *, const char *path);

#endif
