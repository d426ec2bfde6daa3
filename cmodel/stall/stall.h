/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/stall/stall.h: C reference of the unit that counts where the warps' cycles go
 * (rtl/stall/README.md): thesis 6.3, 6.3.1; method of Lee and Wu (CAWS, PACT 2014).
 *
 * In each cycle each resident warp is in one class, the first of those below that applies. A count for
 * each class adds up its warps: cycles per instruction, once they are divided by what was issued. */
#ifndef HEDDLE_CMODEL_STALL_STALL_H
#define HEDDLE_CMODEL_STALL_STALL_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT stall
#define CONTRACT_DEF  "cmodel/stall/stall.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

enum stall_class {
    STALL_issued,
    STALL_ibuf,         /* no instruction is in its buffer, although its PC is known */
    STALL_barrier,      /* it waits at a barrier */
    STALL_done,         /* it has ended, its block has not */
    STALL_control,      /* no instruction is in its buffer, and its PC is not known */
    STALL_struct_sp,    /* SP takes no instruction */
    STALL_struct_sfu,   /* SFU */
    STALL_struct_mem,   /* MEM */
    STALL_data_mem,     /* it waits for a register that comes from global or local memory */
    STALL_data_exe,     /* it waits for another register */
    STALL_not_selected, /* it could issue */
    NUM_STALL_CLASSES
};

/* Nothing is counted. */
void stall_reset(struct stall_state *);

/* Puts each resident warp into its class, and says whose counts wrap. */
void stall_comb(const struct stall_state *, const struct stall_in *, struct stall_out *);

/* The clock edge, in this order:
 *
 * 1. if a kernel starts, all counts are 0
 * 2. to each count is added how many warps are in its class in this cycle, also in the one in which a
 *    kernel starts */
void stall_tick(struct stall_state *, const struct stall_in *, const struct stall_out *);

#ifdef __cplusplus
}
#endif

#endif
