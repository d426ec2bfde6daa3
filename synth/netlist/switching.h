/* SPDX-License-Identifier: Apache-2.0 */
/* synth/netlist/switching.h: how often each net has moved, and how long it was 1; as SAIF, which tools of power read. */
#ifndef HEDDLE_SYNTH_SWITCHING_H
#define HEDDLE_SYNTH_SWITCHING_H

#include "synth/netlist/simulator.h"

struct switching {
    const struct simulator *simulator;
    uint64_t cycles;
    uint64_t *edges, *high, *since; /* of each net: edges; cycles that it was 1, up to `since` */
    uint8_t *value;                 /* of each net, in the cycle that was counted last */
};

/* Counts from nets as they are now. Returns 0, or -1: no memory. switching_close is due either way. */
int switching_open(struct switching *, const struct simulator *);
void switching_close(struct switching *);

/* Forgets all cycles and counts from nets as they are now. */
void switching_start(struct switching *);

/* Takes what the simulator has compared (`moved`) as one cycle. */
void switching_cycle(struct switching *);

/* Cycles in which a net was 1. */
uint64_t switching_high(const struct switching *, uint32_t net);

/* Every net by each of its names, a cycle being `period` ps. */
void switching_print(const struct switching *, uint64_t period, FILE *);

#endif
