/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/paver_sm/paver_sm.h: C reference of PAVER's thread-block queues (rtl/paver_sm/README.md). Source: PAVER 5.1, 5.3.
 *
 * In one cycle: a start goes before all else, then a stop. Otherwise a block is placed, blocks are given away, memory replies and is
 * asked, all by the registers as they are when the cycle begins: a block that is placed in it is not given away, nor is one whose
 * number only comes in it. */
#ifndef HEDDLE_CMODEL_PAVER_SM_PAVER_SM_H
#define HEDDLE_CMODEL_PAVER_SM_PAVER_SM_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT paver_sm
#define CONTRACT_DEF  "cmodel/paver_sm/paver_sm.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

/* Reset: no kernel in groups. */
void paver_sm_reset(struct paver_sm_state *);

/* What memory is asked for, what may be placed and what is given away, from the state and the inputs of this cycle. */
void paver_sm_comb(const struct paver_sm_state *, const struct paver_sm_in *,
                   struct paver_sm_out *);

/* The clock edge: moves the state by the inputs and the outputs (paver_sm_comb) of this cycle. */
void paver_sm_tick(struct paver_sm_state *, const struct paver_sm_in *,
                   const struct paver_sm_out *);

#ifdef __cplusplus
}
#endif

#endif
