/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/dispatch/dispatch.h: C reference of the thread-block dispatcher, one per GPU
 * (rtl/dispatch/README.md). Policies: lrr and bcs as PAVER describes them (2.1, 6.1, 6.3). */
#ifndef HEDDLE_CMODEL_DISPATCH_DISPATCH_H
#define HEDDLE_CMODEL_DISPATCH_DISPATCH_H

#include "cmodel/contract.h"

#define FSM_PREFIX DISPATCH
#define FSM_DEF    "fsm/dispatch.def"
#include "fsm/enum.h"

#define CONTRACT_UNIT dispatch
#define CONTRACT_DEF  "cmodel/dispatch/dispatch.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

/* One bit per SM is one word or several: the bit of an SM, and whether any is set. */
static inline int dispatch_bit(const void *bits, unsigned sm)
{
    return (int)(((const uint64_t *)bits)[sm / 64] >> sm % 64 & 1);
}

static inline int dispatch_any(const void *bits)
{
    uint64_t any = 0;
    for (unsigned w = 0; w < (NUM_SMS + 63) / 64; w++)
        any |= ((const uint64_t *)bits)[w];
    return any != 0;
}

/* Reset: no kernel, no block anywhere. */
void dispatch_reset(struct dispatch_state *);

/* What is placed this cycle, from the state and the inputs of this cycle. */
void dispatch_comb(const struct dispatch_state *, const struct dispatch_in *,
                   struct dispatch_out *);

/* The clock edge: moves the state by the inputs and the outputs (dispatch_comb) of this cycle. */
void dispatch_tick(struct dispatch_state *, const struct dispatch_in *,
                   const struct dispatch_out *);

#ifdef __cplusplus
}
#endif

#endif
