/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/wia/wia.h: C reference of the warp issue arbiter of one scheduler (rtl/wia/README.md).
 * Policies: lrr (RLWS III; thesis 7.2), gto (DAWS 7.1), oldest, youngest (RLWS table IX), tl (RLWS
 * III), gtls (thesis 7.2). */
#ifndef HEDDLE_CMODEL_WIA_WIA_H
#define HEDDLE_CMODEL_WIA_WIA_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT wia
#define CONTRACT_DEF  "cmodel/wia/wia.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

/* Reset: nothing granted yet, the first group has the turn, age in order of index. */
void wia_reset(struct wia_state *);

/* The grant of this cycle, from the state and the inputs of this cycle. */
void wia_comb(const struct wia_state *, const struct wia_in *, struct wia_out *);

/* The clock edge: moves the state by the inputs and the outputs (wia_comb) of this cycle. Who issues
 * under gtls becomes the youngest; the order hears of it with the next grant or allocation, before
 * that changes anything. Nobody notices: while it can issue, greed has it. If another policy is
 * chosen by then the order never hears of it. */
void wia_tick(struct wia_state *, const struct wia_in *, const struct wia_out *);

#ifdef __cplusplus
}
#endif

#endif
