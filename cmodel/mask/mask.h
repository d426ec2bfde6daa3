/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/mask/mask.h: C reference of the vital and pollute bits of one scheduler
 * (rtl/mask/README.md): the n oldest live warps, and the p oldest of them (Poise III, VI-C). */
#ifndef HEDDLE_CMODEL_MASK_MASK_H
#define HEDDLE_CMODEL_MASK_MASK_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT mask
#define CONTRACT_DEF  "cmodel/mask/mask.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

/* The unit has no register: there is nothing to reset, and a clock edge moves nothing. */
void mask_reset(struct mask_state *);
void mask_tick(struct mask_state *, const struct mask_in *, const struct mask_out *);

/* The bits of this cycle, from the inputs of this cycle alone. */
void mask_comb(const struct mask_state *, const struct mask_in *, struct mask_out *);

#ifdef __cplusplus
}
#endif

#endif
