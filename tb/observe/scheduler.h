/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/scheduler.h: the units of one scheduler, observed. Beside each stands its shadow: the C
 * reference with state of its own, which is stepped in every cycle, with inputs worked out from the
 * machine's registers (registers.h, observer.h). Where the machine asks its unit, the inputs must be
 * the same; what the shadow's outputs say must happen, and nothing else; registers must agree at all
 * times, and so no cycle in which something moves may be left out. */
#ifndef HEDDLE_TB_OBSERVE_SCHEDULER_H
#define HEDDLE_TB_OBSERVE_SCHEDULER_H

#include "tb/observe/shadow.h"

struct scheduler_observer {
    const struct config *config;
    const struct sm *sm;
    const struct scheduler *scheduler;
    struct verdict *verdict;
    struct shadow *shadows;
    unsigned count;
    uint64_t next; /* the first cycle in which it has not had its turn */
    uint64_t born[NUM_WARPS], births;
    uint64_t aged; /* turns in which the oldest ready warp was not the first by number */
    /* Of the turn that has begun: */
    struct registers registers;
    struct controls controls; /* that should steer it */
    struct signature before[NUM_WARPS];
    uint64_t wants_memory; /* slots whose next instruction is one of the load/store unit */
    uint32_t queued;       /* instructions in the load/store unit before it */
    /* And of the one that has ended: */
    uint64_t issued; /* the slots that issued */
    uint64_t issues; /* instructions that all have issued, since the observer was made */
    int to_memory;   /* an instruction of theirs went to the load/store unit */
};

/* `plan` is SCOPE_SCHEDULER's. Returns 0, or -1: no memory, or a unit that nobody observes, which is
 * written to the verdict. */
int scheduler_observe(struct scheduler_observer *, const struct config *, const struct plan *plan,
                      const struct sm *, const struct scheduler *, struct verdict *);
void scheduler_observer_free(struct scheduler_observer *);

/* A kernel starts in this cycle. */
void scheduler_starts(struct scheduler_observer *, uint64_t cycle);

/* The cycles before this one, in which the SM was not stepped. As the other two it returns 0, or 1:
 * something is wrong, and the verdict says what. */
int scheduler_rested(struct scheduler_observer *, uint64_t cycle);

/* Its turn begins, and ends. */
int scheduler_turn(struct scheduler_observer *, uint64_t cycle);
int scheduler_turned(struct scheduler_observer *, uint64_t cycle);

#endif
