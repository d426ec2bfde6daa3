/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/registers.h: what units are to be shown of a scheduler, worked out warp by warp from the
 * registers of the SM's stages: the state of each slot, PCs, instruction buffers, pending
 * registers, pipelines. It reads no mask that a stage keeps for others, no view, no event. */
#ifndef HEDDLE_TB_OBSERVE_REGISTERS_H
#define HEDDLE_TB_OBSERVE_REGISTERS_H

#include <stdint.h>

#include "tb/sm/sm_state.h"

struct registers {
    uint64_t running;         /* state RUN */
    uint64_t load;            /* next instruction reads global, local or generic memory */
    uint64_t blocked_by_load; /* it needs a register that such a one has yet to write */
    uint64_t ready[4];        /* can issue now: to SP, SFU, MEM for global memory, MEM for others */
    const uint8_t
        *context;    /* by slot: thread-block context of its warp, or of the last one that it had */
    unsigned begins; /* slot whose warp starts in this cycle, or NUM_WARPS */
    const uint64_t *born; /* by slot: who is younger has the larger one */
    /* Running warps of whose block another one, of any scheduler, was at a barrier, or had ended, as the cycle began. */
    uint64_t sibling_waits, sibling_done;
    const uint8_t (*began)[NUM_WARPS]; /* states of all slots of the SM then */
    int starts;                        /* a kernel has been launched since the last turn */
    /* For an observer that looks for itself: where they were read, and in which cycle. */
    const struct sm *sm;
    const struct scheduler *scheduler;
    uint64_t cycle;
};

/* As they are in the turn of a scheduler, which it has not used yet. Fills all but `born`, `began` and `starts`. */
void registers_read(struct registers *, const struct sm *, const struct scheduler *,
                    uint64_t cycle);

/* Has a kernel's next memory instruction a place to wait in? */
int has_room(const struct sm *, const struct sm_kernel *);

/* Is one of the registers that the instruction of this warp of the SM reads or writes pending: PENDING, or PENDING_LOAD? */
int touches(const struct sm_kernel *, unsigned warp, const struct uop *, unsigned how);

/* What changes when a warp issues, begins or stops; equal before and after: nothing of it has. */
struct signature {
    uint32_t pc, flushes;
    uint8_t state, in_buffer;
    uint32_t active; /* lanes; moves with the PC */
};
struct signature signature_of(const struct scheduler *, unsigned slot);

#endif
