/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/traffic.h: the memory instructions of one SM, observed: how many are under way, by where they are, and how long loads take, by
 * when they are seen to come and to go. */
#ifndef HEDDLE_TB_OBSERVE_TRAFFIC_H
#define HEDDLE_TB_OBSERVE_TRAFFIC_H

#include "tb/observe/events.h"
#include "tb/sm/sm_state.h"

struct traffic_observer {
    const struct lsu *lsu; /* NULL: nobody wants to know */
    uint64_t in_flight;
    uint64_t replies,
        cycles; /* loads and atomics that have come back in this kernel, and how long they took, all together */
    uint64_t *
        since; /* of each place of a load: the cycle in which it has gone to L1D; UNSEEN: it has none */
    uint8_t *is_free;
};

/* Returns 0, or -1: no memory. */
int traffic_observe(struct traffic_observer *, const struct sm *);
void traffic_observer_free(struct traffic_observer *);

/* A kernel begins. */
void traffic_starts(struct traffic_observer *);

/* A load or atomic at a head of the load/store unit has gone to L1D in this cycle, or to the cache of constants: then how long it
 * takes does not count. `load`: its place. */
void traffic_opened(struct traffic_observer *, uint32_t load, int is_constant, uint64_t cycle);

/* A cycle ends, in which so many memory instructions have issued: those that have completed happened. */
void traffic_stepped(struct traffic_observer *, struct events_observer *, unsigned issued,
                     uint64_t cycle);

#endif
