/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/daws_classify/daws_classify.h: C reference of the load classification of one SM
 * (rtl/daws_classify/README.md): DAWS 5.2, sampling warps, static load classification table,
 * divergence counters, intra-loop repetition detector, and the footprints that follow from them.
 *
 * The outputs show the tables as they were before the cycle: per loop, while its locality counter
 * is positive, each repetition id with a diverged load counts as many lines as lanes are active,
 * each other one counts 2; each counts 1 if a single lane is active, and 0 if none is.
 *
 * What happens in one cycle, in this order:
 *   1. start makes all as after a reset; then nothing else counts.
 *   2. An access counts if its warp samples its loop, the loop's locality counter is positive, and
 *      the load has an entry for this loop or none yet. Then
 *        - a load without an entry gets one: converged, a repetition id of its own;
 *        - if more than two lanes load, its divergence counter goes up if there are more than two
 *          accesses, else down;
 *        - the repetition detector is asked for line and warp. If it names another load of the same
 *          loop, all loads with the repetition id of the one that asks get that of the one found.
 *          Then the entry, or else the first invalid way of the set, or else the way that was used
 *          least recently, gets line, warp and the load that asks.
 *   3. The feedback of a warp that samples the load's loop moves the loop's locality counter: up
 *      with feedback_local, down without.
 *   4. A warp stops sampling a loop when its slot is fresh, or when it issues and what it executes
 *      next is outside the loop.
 *   5. The issue of a loop's first instruction with more than two active lanes makes the warp the
 *      sampler of the loop if there is none, unless it leaves the loop at once; of several
 *      schedulers the lowest comes first.
 *   6. The detector forgets the warp that begins to sample a loop, or issues the last instruction of
 *      a loop that it sampled before this cycle.
 * An issue with warp >= NUM_WARPS is none. */
#ifndef HEDDLE_CMODEL_DAWS_CLASSIFY_DAWS_CLASSIFY_H
#define HEDDLE_CMODEL_DAWS_CLASSIFY_DAWS_CLASSIFY_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT daws_classify
#define CONTRACT_DEF  "cmodel/daws_classify/daws_classify.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

/* Reset: nothing sampled, nothing classified. The memories keep what they hold. */
void daws_classify_reset(struct daws_classify_state *);

/* The footprints that are asked for, from the state and the inputs of this cycle. */
void daws_classify_comb(const struct daws_classify_state *, const struct daws_classify_in *,
                        struct daws_classify_out *);

/* The clock edge: moves the state by the inputs of this cycle. */
void daws_classify_tick(struct daws_classify_state *, const struct daws_classify_in *,
                        const struct daws_classify_out *);

#ifdef __cplusplus
}
#endif

#endif
