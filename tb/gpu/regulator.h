/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/regulator.h: changes the SMs' clock, as the units of scope CLOCK choose (tb/units/socket.h).
 *
 * These run in the fixed clock. In a window of the machine they go before the SMs, and learn of what the SMs did in the one before. What they
 * choose holds from the end of the window on: that is, as it is for the SMs, no more than a window late. */
#ifndef HEDDLE_TB_GPU_REGULATOR_H
#define HEDDLE_TB_GPU_REGULATOR_H

#include "tb/sm/sm.h"
#include "tb/units/rack.h"

/* What looks on (tb/observe): the units were asked, and steered. Returns 0, or 1: something is wrong. */
struct regulator_observer {
    void *context;
    int (*asked)(void *context, uint64_t cycle);
};

struct regulator {
    struct rack rack; /* without units nothing is to be called */
    struct clock_view view;
    struct clock_view counted; /* what SMs and L2 have counted by the end of the last window */
    struct clock_controls steered;
    uint64_t cycle; /* of the fixed clock: the first one that it has not had */
    const struct regulator_observer *observer; /* or NULL */
    int wrong;                                 /* it has found something */
};

/* `plans` has NUM_SCOPES members. Returns 0, or -1: no memory. */
int regulator_open(struct regulator *, const struct config *, const struct plan *plans,
                   enum unit_backend);
void regulator_close(struct regulator *);

/* Goes through all cycles of the fixed clock before `until`. Returns 0, or -1: a unit has failed (rack.wrong), or the observer
 * has found something (wrong). */
int regulator_run(struct regulator *, uint64_t until);

/* A window has ended: takes note of what SMs and L2 did in it. */
void regulator_listen(struct regulator *, struct sm *const *sms, const struct memory *);

/* The SMs, which were at rest, count from 0 again. */
void regulator_begin(struct regulator *, const struct memory *);

/* The next cycle of the fixed clock in which something may move; NEVER: none. */
uint64_t regulator_next(const struct regulator *);

#endif
