/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/paver_steal/paver_steal.h: C reference of PAVER's task stealer, one per GPU (rtl/paver_steal/README.md). Source: PAVER 5.2,
 * algorithm 2. */
#ifndef HEDDLE_CMODEL_PAVER_STEAL_PAVER_STEAL_H
#define HEDDLE_CMODEL_PAVER_STEAL_PAVER_STEAL_H

#include "cmodel/contract.h"

#define FSM_PREFIX PAVER_STEAL
#define FSM_DEF    "fsm/paver_steal.def"
#include "fsm/enum.h"

#define CONTRACT_UNIT paver_steal
#define CONTRACT_DEF  "cmodel/paver_steal/paver_steal.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

/* Reset: nothing is being stolen. */
void paver_steal_reset(struct paver_steal_state *);

/* Whether anything moves, from the state and the inputs of this cycle. */
void paver_steal_comb(const struct paver_steal_state *, const struct paver_steal_in *,
                      struct paver_steal_out *);

/* The clock edge: moves the state by the inputs and the outputs (paver_steal_comb) of this cycle. */
void paver_steal_tick(struct paver_steal_state *, const struct paver_steal_in *,
                      const struct paver_steal_out *);

#ifdef __cplusplus
}
#endif

#endif
