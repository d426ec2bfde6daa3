/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/units.h: the units of one SM, observed: as those of a scheduler (scheduler.h), but asked
 * at the end of a cycle. What they are to be shown comes from what the SM's observer has seen happen in
 * it; what they are to steer must steer the schedulers from the next one on. */
#ifndef HEDDLE_TB_OBSERVE_UNITS_H
#define HEDDLE_TB_OBSERVE_UNITS_H

#include "tb/observe/events.h"
#include "tb/observe/gpu.h"
#include "tb/observe/shadow.h"

struct units_observer {
    const struct config *config;
    const struct sm *sm;
    struct verdict *verdict;
    struct shadow *shadows;
    unsigned count;
    uint64_t next;                  /* the first cycle that it has not seen */
    int starts;                     /* a kernel has been launched */
    const struct gpu_observed *gpu; /* whose units steer, too; NULL: there are none */
    size_t at;                      /* gpu_steered */
    const struct place *places;     /* of the kernel */
    uint64_t action[NUM_SCHEDULERS];
};

/* `plan` is SCOPE_SM's. Returns 0, or -1: no memory, or a unit that nobody observes, which is
 * written to the verdict. units_observer_free is due in either case. */
int units_observe(struct units_observer *, const struct config *, const struct plan *,
                  const struct sm *, const struct gpu_observed *, struct verdict *);
void units_observer_free(struct units_observer *);

/* A kernel starts in this cycle. */
void units_start(struct units_observer *, uint64_t cycle);

/* The cycles before this one, in which the SM was not stepped; and one that has been, in which these
 * events happened; `final`: an access has accessed its last line. Each returns 0, or 1: something is wrong, and the verdict says what. */
int units_rested(struct units_observer *, uint64_t cycle);
int units_stepped(struct units_observer *, uint64_t cycle, const struct events_observer *,
                  int final);

#endif
