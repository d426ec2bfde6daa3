/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/active/active.h: C reference of the active and pending warps of one scheduler
 * (rtl/active/README.md): two-level scheduling with promotion and demotion.
 *
 * In one cycle: each active warp that waits long leaves, for the end of the queue; of several the
 * one with the lower number goes first. Then, if any warp in the queue does not wait: while fewer
 * than `limit` warps are active, the head of the queue becomes active, whether it waits or not. Both
 * show in `allow` in the next cycle. */
#ifndef HEDDLE_CMODEL_ACTIVE_ACTIVE_H
#define HEDDLE_CMODEL_ACTIVE_ACTIVE_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT active
#define CONTRACT_DEF  "cmodel/active/active.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

/* Reset: all warps are in the queue, by number. */
void active_reset(struct active_state *);

/* Who is active in this cycle, and who will not be, or will be, in the next one. */
void active_comb(const struct active_state *, const struct active_in *, struct active_out *);

/* The clock edge: moves the state by the outputs (active_comb) of this cycle. */
void active_tick(struct active_state *, const struct active_in *, const struct active_out *);

#ifdef __cplusplus
}
#endif

#endif
