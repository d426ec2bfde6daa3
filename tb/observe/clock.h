/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/clock.h: the unit that sets the SMs' clock, observed: as those of the GPU (gpu.h), in every cycle of the fixed clock; and
 * whether the SMs run at the clock that it says. */
#ifndef HEDDLE_TB_OBSERVE_CLOCK_H
#define HEDDLE_TB_OBSERVE_CLOCK_H

#include "tb/gpu/regulator.h"
#include "tb/observe/shadow.h"
#include "tb/observe/sm.h"

struct clock_observed {
    const struct config *config;
    struct regulator *regulator;
    const struct memory *memory;
    const struct sm_observed *sms;
    struct shadow shadow; /* of the one unit, if there is one */
    int open;
    struct regulator_observer observer; /* the regulator's */
    struct verdict verdict;
    uint64_t next; /* the first cycle of the fixed clock that it has not seen */
    uint64_t instructions, l1d_misses, l2_misses; /* as known at the end of the last window */
    /* Both clocks at the end of the last window, and what an accumulator of sixths holds there. */
    uint64_t cycle, fixed, sixths, accumulator;
};

/* `plan` is SCOPE_CLOCK's. Returns 0, or -1: no memory, or a unit that nobody observes, or more than one, which the verdict
 * says. clock_observed_close is due in either case. */
int clock_observed_open(struct clock_observed *, const struct config *, const struct plan *plan,
                        struct regulator *, const struct memory *, const struct sm_observed *);
void clock_observed_close(struct clock_observed *);

/* A window has ended with the cycle before `until`. Returns 0, or 1: something is wrong. */
int clock_observed_window(struct clock_observed *, uint64_t until);

#endif
