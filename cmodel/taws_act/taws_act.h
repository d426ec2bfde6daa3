/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/taws_act/taws_act.h: C reference of the unit that chooses the thread block under TAWS, one
 * per scheduler (rtl/taws_act/README.md): thesis 7.2, 7.3.1.
 *
 * A warp can issue if it is ready and nothing is withheld from it. The best block is the one, among
 * those with a warp that can issue, that goes before all others of them. It is the warp that the
 * block issued last, if that one can issue, that goes on; else all its warps that can issue may,
 * and wia chooses among them: the oldest, or the one that has waited longest.
 *
 * With greedy `global` a warp that is remembered and can issue goes on, whatever its block (taws
 * then remembers one at most; of several the lowest context counts). A context that there is not
 * has no warps: one that claims to be of it does not issue. A remembered warp counts for a block
 * only if it is of that block. Where `ahead` is no order and no block goes before all others,
 * nobody may issue. */
#ifndef HEDDLE_CMODEL_TAWS_ACT_TAWS_ACT_H
#define HEDDLE_CMODEL_TAWS_ACT_TAWS_ACT_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT taws_act
#define CONTRACT_DEF  "cmodel/taws_act/taws_act.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

/* The unit has no register: there is nothing to reset, and a clock edge moves nothing. */
void taws_act_reset(struct taws_act_state *);
void taws_act_tick(struct taws_act_state *, const struct taws_act_in *,
                   const struct taws_act_out *);

/* The warps that may issue in this cycle, from its inputs alone. */
void taws_act_comb(const struct taws_act_state *, const struct taws_act_in *,
                   struct taws_act_out *);

#ifdef __cplusplus
}
#endif

#endif
