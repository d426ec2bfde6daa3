/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/gpu.h: the units of the GPU, observed: as those of a scheduler (scheduler.h), in every cycle, before the SMs. What steers
 * the SMs, from when on, is kept, so that their observers can look up what should in a cycle. (What becomes of blocks that are placed:
 * dispatcher.h.) */
#ifndef HEDDLE_TB_OBSERVE_GPU_H
#define HEDDLE_TB_OBSERVE_GPU_H

#include "tb/gpu/dispatcher.h"
#include "tb/observe/shadow.h"

/* A block that goes to an SM. */
struct chosen {
    int valid;
    uint64_t kernel, sm, block;
};

/* What steers the SMs from a cycle on. */
struct steered {
    uint64_t cycle;
    struct gpu_controls controls;
    uint64_t
        rose; /* the cycle in which `count` became 1 for the last time, and 1; 0: it has not yet */
};

struct gpu_observed {
    const struct config *config;
    struct verdict *verdict;
    const struct sm *sm; /* any: the kernel's shape */
    struct shadow shadows[MAX_PLUGS];
    unsigned count;
    int steers; /* one of them steers SMs */
    struct gpu_controls
        *late[MAX_PLUGS]; /* ring of what it steered, this cycle's and `delay` before it */
    uint64_t next;        /* the first cycle that it has not seen */
    struct kernel_seen kernels[NUM_KERNELS];
    const struct block_groups *groups; /* of the kernel, or NULL */
    struct chosen chosen; /* the block that should be placed in the last cycle that it has seen */
    uint64_t counted[NUM_SMS]; /* as known at the end of the last window */
    struct steered *steered;   /* since a kernel has started alone, in order */
    size_t num_steered, places;
    int no_memory;
    uint64_t
        last_block; /* the cycle in which the last block of all kernels was handed out; UINT64_MAX: it is still to come */
    struct gpu_memory memory; /* as the SMs are to know it, and from which cycle on */
    uint64_t memory_since;
};

/* `plan` is SCOPE_GPU's. Returns 0, or -1: no memory, or a unit that nobody observes, which is written to the verdict;
 * gpu_observed_close is due in either case. */
int gpu_observed_open(struct gpu_observed *, const struct config *, const struct plan *plan,
                      const struct dispatcher *, const struct sm *, struct verdict *);
void gpu_observed_close(struct gpu_observed *);

/* The kernel of this number starts in this cycle, of so many blocks, in these groups, or NULL; and ends. */
void gpu_observed_starts(struct gpu_observed *, unsigned kernel, const struct occupancy *,
                         uint64_t blocks, const struct block_groups *, uint64_t cycle);
void gpu_observed_ends(struct gpu_observed *, unsigned kernel);

/* Does any run? */
int gpu_observed_busy(const struct gpu_observed *);

/* So many blocks of the kernel on an SM have ended in the window that is over. */
void gpu_observed_ended(struct gpu_observed *, unsigned kernel, unsigned sm, uint64_t blocks);

/* The cycles before this one, in which the units were not asked; and one in which they were. Each returns 0, or 1: something is
 * wrong, and the verdict says what. */
int gpu_observed_rested(struct gpu_observed *, uint64_t cycle);
int gpu_observed_asked(struct gpu_observed *, uint64_t cycle);

/* The kernel was given up, which is not observed. */
void gpu_observed_stopped(struct gpu_observed *);

/* What should steer in a cycle. `*at` is 0 when a kernel starts, and afterwards where the search goes on: cycles must not go back. */
const struct steered *gpu_steered(const struct gpu_observed *, size_t *at, uint64_t cycle);

#endif
