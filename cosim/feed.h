/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/feed.h: the inputs of a unit that runs without the machine, random ones or those of a waveform, and how a command line asks for
 * them. */
#ifndef HEDDLE_COSIM_FEED_H
#define HEDDLE_COSIM_FEED_H

#include <argp.h>

#include "cosim/inst.h"
#include "cosim/recorded.h"
#include "cosim/stimulus.h"

/* Sets `in` for the next cycle: of the waveform, where there is one. */
void feed_inputs(const struct unit *, struct recorded *, stimulus_fn *, struct stimulus *,
                 void *in);

/* Whether the outputs of a cycle depart from those of the waveform that the inputs are of; then the unit is accused of it. */
int feed_departs(struct unit_inst *, struct recorded *, uint64_t cycle, const void *out);

/* An option's value, a whole number above 0; another one is a usage error. */
uint64_t feed_number(const char *text, struct argp_state *);

#endif
