/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/dvfs/dvfs.h: C reference of the frequency controller of P-DVFS, one per GPU (rtl/dvfs/README.md): the loop of figure 5.1 of the
 * thesis, but for what software computes (cmodel/analytic/pdvfs_loop.h).
 *
 * What happens in one cycle, in this order:
 *   1. While it runs, instructions and misses that are told of are added to those of the period. Counts stay at all ones.
 *   2. The state machine goes on (fsm/dvfs.def). In RUN and CONTROL the period ends when its cycle has come, by a control point if no
 *      cycle is left to that, else by a scaling point; the next one begins. One with instructions has its slot searched: the
 *      bits of the quotient, then one edge a cycle, then LOOKUP. A point that comes meanwhile, or in SETTLE, is taken afterwards.
 *   3. LOOKUP adds the period to its slot. After a scaling point it sets the level that the table has for the slot; where that is another
 *      one SETTLE follows. A control point leaves the level alone and asks software for a table.
 *   4. What software writes is there from the next cycle on. A commit answers what was asked before, not what is asked in its cycle.
 *
 * A slot is the number of edges that misses per instruction reach: misses * 2^fraction >= edge * instructions. The quotient, rounded
 * down, compares with whole numbers as the fraction does. */
#ifndef HEDDLE_CMODEL_DVFS_DVFS_H
#define HEDDLE_CMODEL_DVFS_DVFS_H

#include "cmodel/contract.h"

#define FSM_PREFIX DVFS
#define FSM_DEF    "fsm/dvfs.def"
#include "fsm/enum.h"

#define CONTRACT_UNIT dvfs
#define CONTRACT_DEF  "cmodel/dvfs/dvfs.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

/* Reset: it does not run. The highest level, also in both tables; edges that hardly anything reaches. */
void dvfs_reset(struct dvfs_state *);

/* Whether the level changes, whether a period is counted; whether a register may move. */
void dvfs_comb(const struct dvfs_state *, const struct dvfs_in *, struct dvfs_out *);

/* The clock edge: moves the state by the inputs and the outputs (dvfs_comb) of this cycle. */
void dvfs_tick(struct dvfs_state *, const struct dvfs_in *, const struct dvfs_out *);

#ifdef __cplusplus
}
#endif

#endif
