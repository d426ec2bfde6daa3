/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/dispatcher.h: hands a kernel's blocks to the SMs: at most one a cycle, in order of their
 * linear number (x runs fastest), to the next SM in round-robin order that has room. */
#ifndef HEDDLE_TB_GPU_DISPATCHER_H
#define HEDDLE_TB_GPU_DISPATCHER_H

#include <stdint.h>

#include "tb/sm/sm.h"

struct dispatcher {
    struct sm *const *sms;
    unsigned num_sms, last_sm;
    uint32_t blocks_per_sm;
    uint32_t grid[3];
    uint64_t next, blocks; /* block to be placed; blocks of the grid */
};

/* The first block goes to SM 0. The grid's product must fit 64 bits. */
void dispatcher_start(struct dispatcher *, struct sm *const *sms, unsigned num_sms,
                      const uint32_t grid[3], uint32_t blocks_per_sm);

/* Whether there is a block and an SM with room for it. */
int dispatcher_ready(const struct dispatcher *);

/* Places one block if an SM has room. Returns the SM's number, or -1: none has, or no block is
 * left. */
int dispatcher_step(struct dispatcher *, uint64_t cycle);

static inline int dispatcher_empty(const struct dispatcher *d)
{
    return d->next == d->blocks;
}

#endif
