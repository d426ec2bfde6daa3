/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/dispatcher.h: hands a kernel's blocks to the SMs: the unit dispatch in the machine.
 *
 * It learns of blocks that end in a window of the machine in the next one: one block of each SM in
 * a cycle. In a window it goes before the SMs, since nothing they do in it is known to it. Cycles
 * in which the unit is still (IDLE_STABLE) are left out.
 *
 * Whatever the unit does is checked by what the machine knows itself: every block is issued exactly
 * once, to an SM that has room for it, and nothing is missing when the unit says that the kernel is
 * over. A unit that fails is reported as after a lockstep difference. */
#ifndef HEDDLE_TB_GPU_DISPATCHER_H
#define HEDDLE_TB_GPU_DISPATCHER_H

#include <stdint.h>

#include "cmodel/dispatch/dispatch.h"
#include "cosim/unit.h"
#include "tb/gpu/issued.h"
#include "tb/sm/sm.h"

struct dispatcher {
    struct unit_inst *unit;
    struct dispatch_in in;
    struct dispatch_out out;
    struct sm *const *sms;
    uint64_t cycle;          /* the first one that it has not had */
    uint64_t held[NUM_SMS];  /* blocks placed whose end the unit has not been told */
    uint64_t told[NUM_SMS];  /* blocks whose end it has */
    uint64_t ended[NUM_SMS]; /* blocks whose end it is to be told in the next cycles */
    uint64_t num_ended;      /* of all SMs */
    int still;               /* nothing has moved since, and nothing will unless a block ends */
    int done;                /* the unit has said that the kernel is over */
    uint32_t grid[3], room;  /* blocks; of them on an SM at once */
    struct issued issued;
};

/* `policy` is a value of the unit's input of that name. Returns 0, or -1: no memory. */
int dispatcher_open(struct dispatcher *, const struct unit *, enum unit_backend, uint64_t policy,
                    struct sm *const *sms);
void dispatcher_close(struct dispatcher *);

/* A kernel starts in `cycle`; its first block is placed in the next one. The grid's product must be
 * below 2^BLOCK_BITS, `room` not above SM_BLOCKS. */
void dispatcher_start(struct dispatcher *, const uint32_t grid[3], uint32_t room, uint64_t cycle);

/* Goes through all cycles before `until`. Returns 0, or -1: the unit has failed, in the last cycle
 * that it had. */
int dispatcher_run(struct dispatcher *, uint64_t until);

/* A window of the machine has ended: takes note of the blocks that ended in it. */
void dispatcher_listen(struct dispatcher *);

/* Whether something may move in its next cycle. */
int dispatcher_busy(const struct dispatcher *);

/* The kernel has failed: gives it up, and all its blocks, from `cycle` on. Returns the first cycle
 * in which the unit is free again. */
uint64_t dispatcher_stop(struct dispatcher *, uint64_t cycle);

#endif
