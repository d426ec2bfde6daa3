/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/vta/vta.h: C reference of the victim tags of one SM (rtl/vta/README.md): per warp, the
 * tags of lines that it had brought into L1D and that have left. A miss of the same warp on such a
 * line is locality that the warp has lost (DAWS 3.3, 5.2.1, table 3).
 *
 * A warp has VTA_SETS sets of VTA_WAYS entries; the low bits of a line's number are its set. What
 * happens in one cycle, in this order:
 *   1. start clears all entries; then nothing else counts, and nothing hits.
 *   2. miss looks for its line in the set of its warp, in the state of before. Each entry that holds
 *      it hits and is freed, for the line comes back into L1D.
 *   3. evict inserts its line into the set of its owner: into the first entry that is free by now,
 *      else in place of the one that was inserted first. A line of a fresh slot is not inserted: its
 *      warp is gone.
 *   4. fresh clears the entries of each slot that gets a new warp.
 * A warp number that is no warp's does nothing. */
#ifndef HEDDLE_CMODEL_VTA_VTA_H
#define HEDDLE_CMODEL_VTA_VTA_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT vta
#define CONTRACT_DEF  "cmodel/vta/vta.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

/* Reset: no entry is valid. The memories keep what they hold. */
void vta_reset(struct vta_state *);

/* Does the miss of this cycle hit? */
void vta_comb(const struct vta_state *, const struct vta_in *, struct vta_out *);

/* The clock edge: moves the state by the inputs and the output (vta_comb) of this cycle. */
void vta_tick(struct vta_state *, const struct vta_in *, const struct vta_out *);

#ifdef __cplusplus
}
#endif

#endif
