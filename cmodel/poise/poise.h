/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/poise/poise.h: C reference of Poise's inference engine of one SM (rtl/poise/README.md):
 * Poise VI, the prediction stage and the local search, with the features of V-B and table II.
 *
 * What happens in one cycle, in this order:
 *   1. start begins a kernel: W is taken, no miss is waiting, and an epoch begins; nothing else of
 *      the cycle counts.
 *   2. Misses begin and end to wait, in every state.
 *   3. The last cycle of the epoch ends whatever is under way, and another epoch begins: warm-up at
 *      (W, W). Where a pair is given, it begins as PREDICT ends: with the search around that pair.
 *   4. Else the state machine goes on (fsm/poise.def). The last cycle of a sample counts. A warm-up
 *      or sample that would go beyond the epoch ends with it, and is not used.
 *
 * Multiplications and divisions share one shift register, high and low, and take 34 cycles each. A
 * product shifts right, a quotient left. */
#ifndef HEDDLE_CMODEL_POISE_POISE_H
#define HEDDLE_CMODEL_POISE_POISE_H

#include "cmodel/contract.h"

#define FSM_PREFIX POISE
#define FSM_DEF    "fsm/poise.def"
#include "fsm/enum.h"

#define CONTRACT_UNIT poise
#define CONTRACT_DEF  "cmodel/poise/poise.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

/* Reset: no kernel, all warps issue and pollute. */
void poise_reset(struct poise_state *);

/* Whether nothing moves but by what happens in this cycle. */
void poise_comb(const struct poise_state *, const struct poise_in *, struct poise_out *);

/* The clock edge: moves the state by the inputs of this cycle. */
void poise_tick(struct poise_state *, const struct poise_in *, const struct poise_out *);

#ifdef __cplusplus
}
#endif

#endif
