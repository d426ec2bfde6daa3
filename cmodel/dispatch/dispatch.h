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
