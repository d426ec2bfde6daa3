/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/daws_predict/daws_predict.h: C reference of the footprint prediction of one SM
 * (rtl/daws_predict/README.md): DAWS 5.1, the prediction table, prefix sum and throttling.
 *
 * What happens in one cycle, in this order:
 *   1. start makes all as after a reset; then nothing else counts.
 *   2. A pass that is under way looks at the next DAWS_LOOKS warps by age, as they were before this
 *      cycle. At its end all allow bits change at once.
 *   3. An issue counts unless its slot is fresh, does not run, or is none (warp >= NUM_WARPS):
 *        - loop_begin of a loop outside the warp's nest, outer to last, begins a new nest with this
 *          footprint; inside it, a footprint that is not 0 replaces the one before.
 *        - A warp whose next instruction (`loop`) is outside its nest leaves it. From then on it is
 *          predicted to be in the closest loop, which it has before it.
 *   4. A warp that does not run loses its nest and its footprint.
 *   5. fresh does the same to its slot and makes it the youngest: of each scheduler the lowest fresh
 *      slot, lower ones first.
 *   6. A pass begins in the next cycle if a slot is fresh, whatever is under way; or if a footprint
 *      changed, when the pass under way has ended. */
#ifndef HEDDLE_CMODEL_DAWS_PREDICT_DAWS_PREDICT_H
#define HEDDLE_CMODEL_DAWS_PREDICT_DAWS_PREDICT_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT daws_predict
#define CONTRACT_DEF  "cmodel/daws_predict/daws_predict.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

/* Reset: no footprints, age in order of slot, all may issue loads. */
void daws_predict_reset(struct daws_predict_state *);

/* Which warps may issue loads, from the state and the inputs of this cycle. */
void daws_predict_comb(const struct daws_predict_state *, const struct daws_predict_in *,
                       struct daws_predict_out *);

/* The clock edge: moves the state by the inputs of this cycle. */
void daws_predict_tick(struct daws_predict_state *, const struct daws_predict_in *,
                       const struct daws_predict_out *);

#ifdef __cplusplus
}
#endif

#endif
