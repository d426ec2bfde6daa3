/* SPDX-License-Identifier: Apache-2.0 */
/* synth/wires/spef.h: the resistors and capacitors of all nets as SPEF, which timing analysers read. */
#ifndef HEDDLE_SYNTH_WIRES_SPEF_H
#define HEDDLE_SYNTH_WIRES_SPEF_H

#include "synth/wires/def.h"
#include "synth/wires/design.h"

/* Returns 0, or -1: `err` has been told which net does not reach its pins. */
int spef_write(const struct design *, const struct def *, FILE *to, FILE *err);

#endif
