/* SPDX-License-Identifier: Apache-2.0 */
/* synth/netlist/activity.h: how often each net has moved, and how long it was 1; as SAIF, which tools of power read. */
#ifndef HEDDLE_SYNTH_ACTIVITY_H
#define HEDDLE_SYNTH_ACTIVITY_H

#include "synth/netlist/simulator.h"

struct activity {
    const struct simulator *simulator;
    uint64_t cycles;
    uint64_t *edges, *high, *since; /* of each net: edges; cycles that it was 1, up to `since` */
    uint8_t *value;                 /* of each net, in the cycle that was counted last */
};

/* Counts from nets as they are now. Returns 0, or -1: no memory. activity_close is due either way. */
int activity_open(struct activity *, const struct simulator *);
void activity_close(struct activity *);

/* Forgets all cycles and counts from nets as they are now. */
void activity_start(struct activity *);

/* Takes what the simulator has compared (`moved`) as one cycle. */
void activity_cycle(struct activity *);

/* Cycles in which a net was 1. */
uint64_t activity_high(const struct activity *, uint32_t net);

/* Every net by each of its names, a cycle being `period` ps. */
void activity_print(const struct activity *, uint64_t period, FILE *);

#endif
