/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/evictor/evictor.h: C reference of the evictor of one SM: it counts per warp the lines that
 * leave L1D and withholds loads from the warp that loses most, unless no other warp runs.
 *
 * What happens in one cycle, in this order:
 *   1. start forgets everything; then nothing else counts.
 *   2. fresh forgets the count of each slot that gets a new warp, and the held warp if it is one of
 *      them.
 *   3. evict counts for its owner. A line of a fresh slot does not count: its warp is gone. Nor
 *   does
 *      one of an owner that is no warp.
 *   4. The owner becomes the held warp if its count has reached the threshold and none is held, or
 *      its count is above the held one's. The held warp stays so below a threshold that has risen.
 * allow_load shows the held warp of before. */
#ifndef HEDDLE_CMODEL_EVICTOR_EVICTOR_H
#define HEDDLE_CMODEL_EVICTOR_EVICTOR_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT evictor
#define CONTRACT_DEF  "cmodel/evictor/evictor.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

/* Reset: nothing counted, nothing held. The memory keeps what it holds. */
void evictor_reset(struct evictor_state *);

/* Which warps may issue loads, from the state and the inputs of this cycle. */
void evictor_comb(const struct evictor_state *, const struct evictor_in *, struct evictor_out *);

/* The clock edge: moves the state by the inputs of this cycle. */
void evictor_tick(struct evictor_state *, const struct evictor_in *, const struct evictor_out *);

#ifdef __cplusplus
}
#endif

#endif
