/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/daws_table/daws_table.h: C reference of the load classification table of one SM under Profiled
 * DAWS (rtl/daws_table/README.md): DAWS 5.1 and 5.1.1.
 *
 * The outputs show the table as it was before the cycle: each repetition id of a loop with a
 * diverged load counts as many lines as lanes are active, each other one counts 2; each counts 1 if a
 * single lane is active, and 0 if none is; 255 stands for more.
 *
 * What happens in one cycle:
 *   1. start makes all as after a reset; then nothing else counts.
 *   2. A write gives a loop its counts, in place of those that it had; one to loop 0 is none. */
#ifndef HEDDLE_CMODEL_DAWS_TABLE_DAWS_TABLE_H
#define HEDDLE_CMODEL_DAWS_TABLE_DAWS_TABLE_H

#include "cmodel/contract.h"

#define CONTRACT_UNIT daws_table
#define CONTRACT_DEF  "cmodel/daws_table/daws_table.def"
#include "cmodel/contract_structs.h"
#undef CONTRACT_UNIT
#undef CONTRACT_DEF

#ifdef __cplusplus
extern "C" {
#endif

/* Reset: no loop has locality. */
void daws_table_reset(struct daws_table_state *);

/* The footprints that are asked for, from the state and the inputs of this cycle. */
void daws_table_comb(const struct daws_table_state *, const struct daws_table_in *,
                     struct daws_table_out *);

/* The clock edge: moves the state by the inputs of this cycle. */
void daws_table_tick(struct daws_table_state *, const struct daws_table_in *,
                     const struct daws_table_out *);

#ifdef __cplusplus
}
#endif

#endif
