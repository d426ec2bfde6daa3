/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/taws/taws.h: C reference of what TAWS keeps of one SM (rtl/taws/README.md): thesis 7.2, 7.3.
 *
 * Thread blocks are ranked by how many of their warps wait at a barrier or have ended: more go
 * before fewer. Of two with as many the one that started earlier goes before the other. For each
 * scheduler and block the warp is remembered that issued last, which goes before the block's other
 * warps while it can issue. What is done with both is up to taws_act, one per scheduler. */
#ifndef HEDDLE_CMODEL_TAWS_TAWS_H
#define HEDDLE_CMODEL_TAWS_TAWS_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT taws
#define CONTRACT_DEF  "cmodel/taws/taws.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

/* Contexts are as old as their numbers say, the lowest first; no block has a stalled warp; nothing
 * is remembered. */
void taws_reset(struct taws_state *);

/* Is `ahead` as it will be after this cycle's edge? */
void taws_comb(const struct taws_state *, const struct taws_in *, struct taws_out *);

/* The clock edge, in this order:
 *
 * 1. a block that starts becomes the youngest (a context that there is not changes nothing)
 * 2. blocks are ranked by this cycle's stalled warps and the new order of starts
 * 3. a scheduler that has issued remembers the warp for the warp's block; with `global` it forgets
 *    what it remembered for all other blocks (a warp or block that there is not: nothing is
 *    remembered, and with `global` all is forgotten)
 * 4. a fresh warp is not the one that issued before from its slot: wherever the scheduler remembers
 *    that slot's number, it forgets it, also what it has just been told */
void taws_tick(struct taws_state *, const struct taws_in *, const struct taws_out *);

#ifdef __cplusplus
}
#endif

#endif
