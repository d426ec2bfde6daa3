/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/recorded.h: the inputs of a unit as a waveform has them: what the machine showed it in a kernel, for a
 * run without the machine. */
#ifndef HEDDLE_COSIM_RECORDED_H
#define HEDDLE_COSIM_RECORDED_H

#include <stdint.h>
#include <stdio.h>

#include "cosim/contract.h"

struct recorded;

/* Opens "FILE.fst[:PLACE]", PLACE such as sm0.scheduler1; without it the first place that shows the unit. The
 * waveform must begin with the unit as a reset leaves it. NULL with the reason on `err`. */
struct recorded *recorded_open(const char *spec, const struct unit *, FILE *err);
void recorded_close(struct recorded *);

/* How many cycles it has; and the place. */
uint64_t recorded_cycles(const struct recorded *);
const char *recorded_place(const struct recorded *);

/* Sets `in` to what it was in the next cycle; what does not change stays as it is there. */
void recorded_next(struct recorded *, void *in);

/* The name of an output that is not what it was in this cycle, or NULL. */
const char *recorded_differs(const struct recorded *, const void *out);

/* The next cycle is the first again. */
void recorded_rewind(struct recorded *);

#endif
