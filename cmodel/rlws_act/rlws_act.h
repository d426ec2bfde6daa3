/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/rlws_act/rlws_act.h: C reference of the unit that takes the actions of RLWS, one per
 * scheduler (rtl/rlws_act/README.md): RLWS IV-A, IV-F, table I.
 *
 * An action that issues to a class is possible if a warp can issue to it: it is ready, and nothing
 * is withheld from it. To issue nothing is possible, but not twice in a row while another action
 * is. Of the possible actions the preferred one is taken, or one that is drawn (cmodel/rlws_pick.h).
 * Which warp of the class issues is decided by wia. */
#ifndef HEDDLE_CMODEL_RLWS_ACT_RLWS_ACT_H
#define HEDDLE_CMODEL_RLWS_ACT_RLWS_ACT_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT rlws_act
#define CONTRACT_DEF  "cmodel/rlws_act/rlws_act.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

/* The unit has no register: there is nothing to reset, and a clock edge moves nothing. */
void rlws_act_reset(struct rlws_act_state *);
void rlws_act_tick(struct rlws_act_state *, const struct rlws_act_in *,
                   const struct rlws_act_out *);

/* The action of this cycle, from the inputs of this cycle alone. */
void rlws_act_comb(const struct rlws_act_state *, const struct rlws_act_in *,
                   struct rlws_act_out *);

#ifdef __cplusplus
}
#endif

#endif
