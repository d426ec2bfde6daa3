/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/measure.h: how large a layout is and how much wire is in it. */
#ifndef HEDDLE_SYNTH_WIRES_MEASURE_H
#define HEDDLE_SYNTH_WIRES_MEASURE_H

#include "synth/wires/def.h"
#include "synth/wires/design.h"

/* Writes the figures as lines KEY=value. Returns 0, or -1: `err` has been told which net does not reach its pins. */
int measure_write(const struct design *, const struct def *, FILE *to, FILE *err);

#endif
