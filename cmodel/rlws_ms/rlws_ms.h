/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/rlws_ms/rlws_ms.h: C reference of the unit that takes the meta-actions of RLWS_MS, one per
 * scheduler (rtl/rlws_ms/README.md): RLWS V-D, IV-F, table IX.
 *
 * A meta-action is a policy of wia, and warps from which it chooses. gto, youngest and lrr are always
 * possible. The two that look for warps with siblings are if such a warp can issue, and if no warp
 * can: then all five are alike. Of the possible actions the preferred one is taken, or one that is
 * drawn (cmodel/rlws_pick.h). */
#ifndef HEDDLE_CMODEL_RLWS_MS_RLWS_MS_H
#define HEDDLE_CMODEL_RLWS_MS_RLWS_MS_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT rlws_ms
#define CONTRACT_DEF  "cmodel/rlws_ms/rlws_ms.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

/* The unit has no register: there is nothing to reset, and a clock edge moves nothing. */
void rlws_ms_reset(struct rlws_ms_state *);
void rlws_ms_tick(struct rlws_ms_state *, const struct rlws_ms_in *, const struct rlws_ms_out *);

/* The action of this cycle, from the inputs of this cycle alone. */
void rlws_ms_comb(const struct rlws_ms_state *, const struct rlws_ms_in *, struct rlws_ms_out *);

#ifdef __cplusplus
}
#endif

#endif
