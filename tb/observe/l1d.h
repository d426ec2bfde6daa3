/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/l1d.h: L1D of one SM, observed: what left it and whose it was, what came, what an access
 * found, by its tags and MSHRs before and after. */
#ifndef HEDDLE_TB_OBSERVE_L1D_H
#define HEDDLE_TB_OBSERVE_L1D_H

#include "tb/mem/l1_state.h"
#include "tb/observe/events.h"

struct l1d_way {
    uint64_t line, order;
    unsigned owner;
};

struct l1d_observer {
    const struct l1 *l1;
    struct l1d_way *ways;    /* as they were when it looked last */
    uint32_t *waiters;       /* of each MSHR */
    uint32_t untracked;      /* loads without an MSHR */
    uint32_t next_untracked; /* where the next one would go */
    uint64_t misses;         /* of loads, since the observer was made */
};

/* Returns 0, or -1: no memory. */
int l1d_observe(struct l1d_observer *, const struct l1 *);
void l1d_observer_free(struct l1d_observer *);

/* A kernel starts. */
void l1d_starts(struct l1d_observer *);

/* Replies have arrived since it looked last. */
void l1d_arrived(struct l1d_observer *, struct events_observer *);

/* A new warp has this number: nothing of L1D may be its own. Returns 0, or 1: something is. */
int l1d_begins(struct l1d_observer *, struct verdict *, uint64_t cycle, unsigned warp);

/* At most one access has happened since, by an instruction of this warp: a load of it may reserve a
 * line if it pollutes. Returns 0, or 1: something is wrong. */
int l1d_accessed(struct l1d_observer *, struct events_observer *, struct verdict *, uint64_t cycle,
                 unsigned warp, uint32_t pc, int pollute);

#endif
