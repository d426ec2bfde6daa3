/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/spill/spill.h: a kernel within a limit on the registers of a thread.
 *
 * Whole registers are spilled: the value lies in the thread's local memory, is stored behind each
 * instruction that writes it and loaded before each one that reads it, into a register that lives
 * for that instruction alone. A guarded instruction that writes it also loads it, for the lanes
 * that the guard leaves out.
 *
 * Pressure is counted at points, two of each instruction: 2 i, when instruction i reads, and
 * 2 i + 1, when it has written. */
#ifndef HEDDLE_TB_PTX_SPILL_SPILL_H
#define HEDDLE_TB_PTX_SPILL_SPILL_H

#include "tb/ptx/flow/flow.h"

/* A register of the kernel. */
struct spill_value {
    int spilled;
    uint32_t address;          /* in local memory, if it is spilled */
    uint64_t cost;             /* of what moving it adds, the more the deeper in loops */
    uint32_t first, num_words; /* where it occupies a register: bits of the points from 64 first */
    uint64_t *words;
};

struct spill {
    struct ptx_context *context;
    const struct ptx_kernel *kernel;
    struct liveness live;
    uint32_t limit, num_points;
    struct spill_value *values; /* by number */
    uint32_t *pressure;         /* by point: 32-bit registers of a thread */
    uint32_t *points;           /* of the last register that was listed */
    uint64_t *over;             /* a bit for each point: pressure is above the limit */
    uint32_t local_bytes;       /* of a thread, with the spilled values */
};

/* limit.c: the versions that ptx_limit makes of a kernel: none yet; and frees them. */
void spill_open(struct ptx_context *, struct ptx_kernel *);
void spill_free(const struct ptx_kernel *);

/* Whether an instruction reads a register, or keeps its old value in some lanes. */
int spill_needs(const struct uop *, uint32_t number);

/* choose.c: spills registers until the limit is kept. Fails where an instruction alone needs more.
 */
void spill_choose(struct spill *, struct ptx_context *, const struct ptx_kernel *, uint32_t limit);

/* slots.c: gives spilled values their places in local memory; values that never live at the same
 * time share one. */
void spill_place(struct spill *);

/* rewrite.c: the kernel with its loads and stores. */
void spill_rewrite(struct spill *, struct ptx_kernel *out);

/* pack.c: gives the registers of a kernel without routines and alloca, whose instructions and list of registers are its
 * own, places that those that never live at once share. */
void pack_registers(struct ptx_context *, struct ptx_kernel *);

#endif
