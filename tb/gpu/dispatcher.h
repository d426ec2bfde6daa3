/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/dispatcher.h: hands a kernel's blocks to the SMs, as the units of the GPU choose.
 *
 * They learn of what happens in a window of the machine in the next one. What they steer in SMs,
 * these do in the same cycle. In a window they go before the SMs, since nothing the SMs do in it is
 * known to them. Cycles in which no unit moves are left out.
 *
 * Whatever the units do is checked by what the machine knows itself: every block is issued exactly
 * once, to an SM that has room for it, and nothing is missing when they say that the kernel is over.
 * A unit that fails is reported as after a lockstep difference. */
#ifndef HEDDLE_TB_GPU_DISPATCHER_H
#define HEDDLE_TB_GPU_DISPATCHER_H

#include <stdint.h>

#include "tb/gpu/issued.h"
#include "tb/gpu/list.h"
#include "tb/gpu/occupancy.h"
#include "tb/sm/sm.h"
#include "tb/units/rack.h"

/* What looks on while it works (tb/observe). Both return 0, or 1: something is wrong. */
struct dispatcher_observer {
    void *context;
    int (*asked)(void *context, uint64_t cycle); /* the units were asked, and steered */
    int (*ran)(void *context, uint64_t until);   /* all cycles before this one are over */
};

/* The blocks of a kernel. */
struct handed {
    const struct occupancy *occupancy;        /* of the kernel; NULL: none runs */
    uint64_t placed[NUM_SMS], ended[NUM_SMS]; /* those placed; those whose end was heard */
    uint64_t num_ended;                       /* of all SMs */
    uint64_t last; /* the cycle in which the last one was handed out, or NEVER */
    int done;      /* a unit has said that the kernel is over */
    uint32_t grid[3];
    struct issued issued;
};

struct dispatcher {
    struct rack rack;
    struct gpu_view view;
    struct sm *const *sms;
    uint64_t cycle; /* the first one that it has not had */
    struct handed kernels[NUM_KERNELS];
    struct list list;                           /* of blocks in groups */
    const struct dispatcher_observer *observer; /* or NULL */
    int wrong;                                  /* it has found something */
    struct gpu_controls steered;                /* what the SMs have been told last */
};

/* `plans` has NUM_SCOPES members; `sms` may still be empty. Returns 0, or -1: no memory. */
int dispatcher_open(struct dispatcher *, const struct config *, const struct plan *plans,
                    enum unit_backend, struct sm *const *sms);
void dispatcher_close(struct dispatcher *);

/* The events of the SMs that dispatcher_listen must be given. */
uint32_t dispatcher_hears(const struct dispatcher *);

/* The kernel of this number, below NUM_KERNELS, starts in `cycle`, the first one that the dispatcher has not had where another runs;
 * its first block is placed in the next one at the earliest. The grid's product must be below 2^BLOCK_BITS, occupancy->blocks not above
 * SM_BLOCKS; that, and `groups` of its blocks, or NULL, must stay. */
void dispatcher_start(struct dispatcher *, unsigned kernel, const uint32_t grid[3],
                      const struct occupancy *, const struct block_groups *groups, uint64_t cycle);

/* Goes through all cycles before `until`. Returns 0, or -1: a unit has failed (rack.wrong), or the
 * observer has found something (wrong), in the last cycle that it had. */
int dispatcher_run(struct dispatcher *, uint64_t until);

/* A window of the machine has ended: takes note of the events in it. Returns 0, or -1: no memory was
 * left for some. */
int dispatcher_listen(struct dispatcher *);

/* The next cycle in which something may move; NEVER: none. */
uint64_t dispatcher_next(const struct dispatcher *);

/* Have all blocks of the kernel been issued, and have ended? And do the units say so? */
int dispatcher_ended(const struct dispatcher *, unsigned kernel);
int dispatcher_done(const struct dispatcher *, unsigned kernel);

/* The cycles from the one on in which the last block of the kernel was handed out, up to this one; 0: it still is to be. */
uint64_t dispatcher_tail(const struct dispatcher *, unsigned kernel, uint64_t until);

/* The kernel has ended. */
void dispatcher_end(struct dispatcher *, unsigned kernel);

/* A kernel has failed: gives all kernels up, and all their blocks, from `cycle` on. Returns the first
 * cycle in which the units are free again. */
uint64_t dispatcher_stop(struct dispatcher *, uint64_t cycle);

#endif
