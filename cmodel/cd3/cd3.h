/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/cd3/cd3.h: C reference of the unit that measures how far from each other the dependent
 * instructions of a warp stand (rtl/cd3/README.md): critical data dependency distances, CD3, of
 * thesis 9.4.1, while the warp runs.
 *
 * Each register has the number of the instruction that wrote it last, until one needs it: reads it,
 * or writes it again. Of those that an instruction needs one leaves the pipes last: the youngest
 * memory instruction, else the youngest. Its distance is counted, by its pipe. The others have none,
 * as those have that nobody needs. */
#ifndef HEDDLE_CMODEL_CD3_CD3_H
#define HEDDLE_CMODEL_CD3_CD3_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT cd3
#define CONTRACT_DEF  "cmodel/cd3/cd3.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

#define CD3_REGISTERS (1u << CD3_REGISTER_BITS)
#define CD3_PIPES     3                         /* SP, SFU, MEM */
#define CD3_BINS      (1u << CD3_DISTANCE_BITS) /* counts of a pipe */

/* Nothing is counted, and no register has a writer. */
void cd3_reset(struct cd3_state *);

/* What the instruction of this cycle waits for, if it needs any. */
void cd3_comb(const struct cd3_state *, const struct cd3_in *, struct cd3_out *);

/* The clock edge, in this order:
 *
 * 1. if a kernel starts, all counts are `first`, and no register has a writer
 * 2. if an instruction issues:
 *    a. it counts as one of its pipe; if it waits, so does the distance of the one it waits for
 *    b. the registers that it reads or writes have no writer
 *    c. the register whose number is the lowest bits of the instruction's is far, if its writer is
 *       2^(CD3_NUMBER_BITS - 1) instructions away, or more: each register has its turn before the
 *       number of its writer comes again
 *    d. it is the writer of the register that it writes, which is not far
 *    e. the next one has the next number
 * 3. if another warp is watched, no register has a writer */
void cd3_tick(struct cd3_state *, const struct cd3_in *, const struct cd3_out *);

#ifdef __cplusplus
}
#endif

#endif
