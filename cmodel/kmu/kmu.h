/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/kmu/kmu.h: C reference of the kernel management unit, one per GPU (rtl/kmu/README.md). It
 * hands out the blocks of two kernels that share the SMs (thesis 8.3.1). What happens in a cycle:
 *
 * 1. Blocks that end leave their SMs.
 * 2. A kernel in SEARCH that is not given up has blocks to hand out. Per SM it may hold its quota,
 *    and as many as an SM holds while the other kernel has no block to hand out: the other's quota
 *    is then lent. It is given back as blocks end.
 * 3. A kernel can go to an SM that it may use, that has room, and where it holds fewer blocks.
 * 4. Of two kernels that can go somewhere the one places whose turn it is, of one that one. The SM
 *    is the next one that it can go to, in cyclic order after the SM that received its last block.
 * 5. At the clock edge the turn passes to the kernel that was not placed; kernels start, are given
 *    up, and are over when nothing is left to place and the last block has ended. */
#ifndef HEDDLE_CMODEL_KMU_KMU_H
#define HEDDLE_CMODEL_KMU_KMU_H

#include "cmodel/contract.h"

#define FSM_PREFIX KMU
#define FSM_DEF    "fsm/kmu.def"
#include "fsm/enum.h"

#define CONTRACT_UNIT kmu
#define CONTRACT_DEF  "cmodel/kmu/kmu.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#define KMU_KERNELS 2

#ifdef __cplusplus
extern "C" {
#endif

/* Reset: no kernel, no block anywhere, kernel 0's turn. */
void kmu_reset(struct kmu_state *);

/* What is placed this cycle, from the state and the inputs of this cycle. */
void kmu_comb(const struct kmu_state *, const struct kmu_in *, struct kmu_out *);

/* The clock edge: moves the state by the inputs and the outputs (kmu_comb) of this cycle. */
void kmu_tick(struct kmu_state *, const struct kmu_in *, const struct kmu_out *);

#ifdef __cplusplus
}
#endif

#endif
