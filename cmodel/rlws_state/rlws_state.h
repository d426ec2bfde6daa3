/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/rlws_state/rlws_state.h: C reference of what RLWS's learner sees of one SM (rtl/rlws_state/README.md): RLWS IV-B, table II.
 *
 * The attributes of a cycle are of its levels and of the registers; what happens in the cycle shows in the next one. They are counts, and
 * never above 1022. The value of a variable is the number of its edges that are not above its attribute.
 *
 * What happens in one cycle:
 *   1. start: in_flight and waiting go on as in any cycle; all else is as after a reset, and nothing else of the cycle counts.
 *   2. A memory instruction that is issued is in flight until it has completed. The last one of a cycle, by scheduler, says which block
 *      is the recent one. A load that misses is noted.
 *   3. Each ratio counts what is to be divided. If a count would not fit its bits, both of its ratio are halved.
 *   4. The divider takes the next ratio by number that is stale, with its counts of the cycles before, and finds one bit of its quotient in
 *      each of the RLWS_COUNT_BITS + 7 following cycles; in the last one the quotient is kept. Nothing per nothing is 0 percent; a number
 *      per nothing is 1022. A quotient is that of counts that are RLWS_STATE_LATE cycles old at most. */
#ifndef HEDDLE_CMODEL_RLWS_STATE_RLWS_STATE_H
#define HEDDLE_CMODEL_RLWS_STATE_RLWS_STATE_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT rlws_state
#define CONTRACT_DEF  "cmodel/rlws_state/rlws_state.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

enum {
    RLWS_STATE_VARIABLES = 8,
    RLWS_STATE_EDGES = 7, /* of a variable */
    RLWS_STATE_RATIOS = 4,
    RLWS_STATE_MOST = 1022,                         /* that an attribute can be */
    RLWS_STATE_LATE = 5 * (RLWS_COUNT_BITS + 8) - 1 /* what is divided, three others, and itself */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Reset: no kernel has begun, nothing is in flight. */
void rlws_state_reset(struct rlws_state_state *);

/* The values of all variables, from the registers and the levels of this cycle. */
void rlws_state_comb(const struct rlws_state_state *, const struct rlws_state_in *,
                     struct rlws_state_out *);

/* The clock edge: moves the state by the events of this cycle. */
void rlws_state_tick(struct rlws_state_state *, const struct rlws_state_in *,
                     const struct rlws_state_out *);

#ifdef __cplusplus
}
#endif

#endif
