/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/pmiq/pmiq.h: C reference of the prioritized memory issue queue, one per SM (rtl/pmiq/README.md): thesis 8.5.2. Memory
 * instructions of two kernels wait in a queue each. What happens in a cycle:
 *
 * 1. If the SM begins anew the queues are empty, kernel 0 has the priority, and nothing is owed.
 * 2. A kernel waits if the load/store unit has begun an instruction of it, or else if its queue holds one. That instruction is its
 *    head.
 * 3. A kernel stalls if its head has failed in the load/store unit; or if it waits, the other's head has failed, and both need the
 *    same memory. Under `cause` a head whose next line L1D has is not refused so.
 * 4. If the load/store unit takes an access, one kernel that waits and does not stall is granted it: the one with the priority, else
 *    the other. But where both can go, the kernel with the smaller share pays if it owes at least its share: the other is granted.
 *    If the granted kernel has begun no instruction, the head of its queue leaves and begins.
 * 5. At the clock edge an instruction that issues joins its kernel's queue, unless that was full. If the load/store unit takes an
 *    access and any kernel waits, the priority passes to the other kernel where its owner stalls, or the other does not; but it stays
 *    with the one that is paid. Where both could go, the kernel with the smaller share owes that much less if it has paid, and the
 *    difference of the shares more if it was granted. */
#ifndef HEDDLE_CMODEL_PMIQ_PMIQ_H
#define HEDDLE_CMODEL_PMIQ_PMIQ_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT pmiq
#define CONTRACT_DEF  "cmodel/pmiq/pmiq.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#define PMIQ_KERNELS 2

#ifdef __cplusplus
extern "C" {
#endif

/* Reset: both queues are empty, kernel 0 has the priority, nothing is owed. */
void pmiq_reset(struct pmiq_state *);

/* Who is granted the load/store unit, from the state and the inputs of this cycle. */
void pmiq_comb(const struct pmiq_state *, const struct pmiq_in *, struct pmiq_out *);

/* The clock edge: moves the state by the inputs and the outputs (pmiq_comb) of this cycle. */
void pmiq_tick(struct pmiq_state *, const struct pmiq_in *, const struct pmiq_out *);

#ifdef __cplusplus
}
#endif

#endif
