/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/icmt/icmt.h: C reference of the issue arbiter of one scheduler that two kernels share
 * (rtl/icmt/README.md): two-level GTO (thesis 8.6.1), up to one instruction of each class (8.5.1). */
#ifndef HEDDLE_CMODEL_ICMT_ICMT_H
#define HEDDLE_CMODEL_ICMT_ICMT_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT icmt
#define CONTRACT_DEF  "cmodel/icmt/icmt.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

enum icmt_class { ICMT_SP, ICMT_SFU, ICMT_MEM, ICMT_CLASSES };
#define ICMT_KERNELS 2

#ifdef __cplusplus
extern "C" {
#endif

/* Reset: no kernel has a greedy warp, kernel 0 has priority, SP goes first, age in order of index. */
void icmt_reset(struct icmt_state *);

/* The grants of this cycle, from the state and the inputs of this cycle:
 *
 * 1. Two-level GTO chooses among some warps: if the kernel with priority has one of them, among its
 *    own; its greedy warp if that is one of them, else the oldest. The other kernel's likewise.
 * 2. The leader is what it chooses among all warps that can issue. The first class that it can issue
 *    to is the leader's.
 * 3. `issue` is 1: the leader is granted. 3: in each class its choice is. 2: besides the leader, the
 *    choice of one other class: the first that has one, from `first` on, cyclically. 0: nobody. */
void icmt_comb(const struct icmt_state *, const struct icmt_in *, struct icmt_out *);

/* The clock edge: moves the state by the inputs and the outputs (icmt_comb) of this cycle.
 *
 * 1. A kernel with grants keeps its greedy warp if that is one of them; else the leader becomes it or,
 *    if that is the other kernel's, the first grant by class.
 * 2. Priority swaps if anything is granted.
 * 3. `issue` is 2, and a class that could issue was passed over: it goes first.
 * 4. A warp that is allocated becomes the youngest. If it has the number of a greedy warp of this or
 *    of an earlier cycle, that kernel has none any more. */
void icmt_tick(struct icmt_state *, const struct icmt_in *, const struct icmt_out *);

#ifdef __cplusplus
}
#endif

#endif
