/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/standing.h: where the warps of a machine that has stopped are, and what they wait for. To be asked between windows. */
#ifndef HEDDLE_TB_GPU_STANDING_H
#define HEDDLE_TB_GPU_STANDING_H

#include <stdio.h>

struct sm;

/* A line per warp that has not ended, SM after SM. */
void standing_list(struct sm *const *sms, FILE *out);

/* Behind a text a line for all warps that are at one instruction and wait for the same, the most warps first, with one of them; at most `lines`,
 * and how many warps are left out. */
void standing_summary(struct sm *const *sms, unsigned lines, FILE *out);

#endif
