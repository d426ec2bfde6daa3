/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/pcal/pcal.h: C reference of PCAL's search, one per GPU (rtl/pcal/README.md): Poise III-C and VII-C, PCAL-SWL.
 *
 * What happens in one cycle, in this order:
 *   1. start begins a kernel: all SMs are at (N_swl, N_swl), and p is varied; nothing else of the cycle counts.
 *   2. Else the state machine goes on (fsm/pcal.def). WARM, SAMPLE and WAIT last as many cycles as the settings say, DEAL and a READ
 *      of N one cycle for each SM, a READ of p one for each SM that has it and counts, DECIDE one.
 *
 * Values of p are dealt from `first` on, SM after SM; after N comes 1. In a sample each p that SMs of whole turns have is tried on as
 * many of them as any other. Where there are fewer SMs than values, the next sample goes on with the value behind the last. */
#ifndef HEDDLE_CMODEL_PCAL_PCAL_H
#define HEDDLE_CMODEL_PCAL_PCAL_H

#include "cmodel/contract.h"

#define FSM_PREFIX PCAL
#define FSM_DEF    "fsm/pcal.def"
#include "fsm/enum.h"

#define CONTRACT_UNIT pcal
#define CONTRACT_DEF  "cmodel/pcal/pcal.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

/* Reset: no kernel, all warps issue and pollute. */
void pcal_reset(struct pcal_state *);

/* What steers the SMs, from the state; whether nothing moves but by a start. */
void pcal_comb(const struct pcal_state *, const struct pcal_in *, struct pcal_out *);

/* The clock edge: moves the state by the inputs of this cycle. */
void pcal_tick(struct pcal_state *, const struct pcal_in *, const struct pcal_out *);

#ifdef __cplusplus
}
#endif

#endif
