/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/dispatcher.h: the dispatcher of the GPU, observed: its units (gpu.h), and whether the SMs receive the blocks that these
 * choose; blocks that end are counted by the SMs' observers. */
#ifndef HEDDLE_TB_OBSERVE_DISPATCHER_H
#define HEDDLE_TB_OBSERVE_DISPATCHER_H

#include "tb/gpu/dispatcher.h"
#include "tb/observe/gpu.h"
#include "tb/observe/sm.h"

struct dispatcher_observed {
    struct dispatcher *dispatcher;
    const struct sm_observed *sms;
    struct gpu_observed gpu;
    struct dispatcher_observer observer; /* the dispatcher's */
    struct verdict verdict;
    uint64_t reported[NUM_KERNELS][NUM_SMS]; /* sms[i].ended, when the last window was over */
    uint64_t handed_out[NUM_KERNELS];        /* blocks of the kernel */
    struct l2_served l2;                     /* before a kernel started alone */
};

/* `plan` is SCOPE_GPU's, `sm` any. Returns 0, or -1: no memory, or a unit that nobody observes, which the
 * verdict names. */
int dispatcher_observed_open(struct dispatcher_observed *, const struct config *,
                             const struct plan *plan, struct dispatcher *, const struct sm *sm,
                             const struct sm_observed *sms);
void dispatcher_observed_close(struct dispatcher_observed *);

/* As gpu_observed_starts. */
void dispatcher_observed_starts(struct dispatcher_observed *, unsigned kernel,
                                const struct occupancy *, uint64_t blocks,
                                const struct block_groups *, uint64_t cycle);

/* A window is over, and the unit is to hear of the blocks that have ended in it. */
void dispatcher_observed_window(struct dispatcher_observed *);

/* The kernel was given up, which is not observed. */
void dispatcher_observed_stopped(struct dispatcher_observed *);

#endif
