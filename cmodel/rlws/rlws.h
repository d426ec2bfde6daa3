/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/rlws/rlws.h: C reference of the learner of RLWS, one per SM (rtl/rlws/README.md): RLWS IV-A to IV-G, SARSA with a linear function of
 * features that are powers of two.
 *
 *   Q(s, a) = sum over variables i of theta[i][a] * 2^-s[i]
 *   change = alpha * (r + gamma * Q(s', a') - Q(s, a));  theta[i][a] += change * 2^-s[i]
 *
 * What happens in one cycle, in this order:
 *   1. start begins a kernel: weights (unless they are kept), rates and random numbers begin anew, no action is known, and ties decide;
 *      nothing else of the cycle counts.
 *   2. Each scheduler that has acted, the first by number first. In the first cycle of an interval (phase 0) it has decided: the weights of the action
 *      before move, where that is known; the action of this cycle becomes the last one, with the state that it was taken in. In the others what
 *      the cycle has brought adds to what the last action has. In the last cycle of an interval the state of its end becomes that of the next action;
 *      which action is preferred in it to which follows from Q: the one with the higher Q, of equal ones the lower by number. Whether the next action is
 *      drawn instead says the shift register, which goes on by 24 bits. Each Q of the cycle is of the weights as they were before it.
 *   3. If any has acted the interval goes on, and the rates decay, or are put back when no blocks wait.
 *
 * Products, and the shifts by which weights move, are rounded; the terms of Q are rounded down. Sums that weights and Q cannot hold become the nearest
 * that they can. */
#ifndef HEDDLE_CMODEL_RLWS_RLWS_H
#define HEDDLE_CMODEL_RLWS_RLWS_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT rlws
#define CONTRACT_DEF  "cmodel/rlws/rlws.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

enum { RLWS_VARIABLES = 8, RLWS_ACTIONS = 5, RLWS_PAIRS = 10, RLWS_DRAWS = 24 };

#ifdef __cplusplus
extern "C" {
#endif

/* Reset: weights are 0, no kernel has begun. */
void rlws_reset(struct rlws_state *);

/* By how much the weights of each scheduler's last action move. */
void rlws_comb(const struct rlws_state *, const struct rlws_in *, struct rlws_out *);

/* The clock edge: moves the state by the inputs of this cycle. */
void rlws_tick(struct rlws_state *, const struct rlws_in *, const struct rlws_out *);

#ifdef __cplusplus
}
#endif

#endif
