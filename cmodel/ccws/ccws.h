/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/ccws/ccws.h: C reference of the lost-locality scores of one SM (rtl/ccws/README.md):
 * cache-conscious wavefront scheduling as DAWS describes it (3.3, 5, table 3).
 *
 * The score of a warp is the base, or if it is pending and its time `until` is ahead of the clock,
 * the base and the cycles until then: it falls by one in each cycle without being touched.
 *
 * What happens in one cycle:
 *   1. start is a reset; then nothing else counts.
 *   2. hit and issued are counted. If a count would not fit its bits, both are halved.
 *   3. The divider: a hit waits until the divider is free; a newer one takes its place. The divider
 *      takes hits * living warps * K_THROTTLE * base and the instructions of the cycles before, and
 *      finds one bit of the quotient in each cycle. The result is the warp's new score, not below
 *      the base and not above its bits. It is stored when no pass runs.
 *   4. A pass begins, unless one runs or a score is stored: when scores have changed, when warps
 *      have begun or ended, or at `wake`. It notes the clock and who lives, and forgets the pending
 *      warps that are dead or back at the base. If none is left all may load, and nothing runs.
 *      Else it visits CCWS_LOOKS warps in each cycle, from the highest score of its first cycle, of
 *      equals the lowest number, and subtracts each score from the room, which is the cutoff at
 *      first. The first one always is let through; the first of the others that does not fit, and
 *      all behind it, are not. That is known at once, and stands in `allow`.
 *   5. One cycle after its last visit the pass ends: if all fit, all may load. It says when the next
 *      one is wanted: when the first score is back at the base, or when the sum may first fit the
 *      cutoff. If that time is over it begins in the next cycle.
 *   6. fresh takes the score of a slot back to the base, drops its hits that wait or are worked on,
 *      and gives up the pass that runs. */
#ifndef HEDDLE_CMODEL_CCWS_CCWS_H
#define HEDDLE_CMODEL_CCWS_CCWS_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT ccws
#define CONTRACT_DEF  "cmodel/ccws/ccws.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

/* Reset: no hits, no instructions, all scores at the base, all may load. */
void ccws_reset(struct ccws_state *);

/* Who may load, and whether the unit works, from the state and the inputs of this cycle. */
void ccws_comb(const struct ccws_state *, const struct ccws_in *, struct ccws_out *);

/* The clock edge: moves the state by the inputs of this cycle. */
void ccws_tick(struct ccws_state *, const struct ccws_in *, const struct ccws_out *);

#ifdef __cplusplus
}
#endif

#endif
