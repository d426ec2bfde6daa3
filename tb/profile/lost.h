/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/lost.h: locality that the warps of an SM lose, and whether it went while they were withheld
 * (DAWS 7.1, figure 11). CCWS and DAWS have victim tags; here every policy has them, as a guest that
 * steers nothing: the tags are the C reference of rtl/vta. */
#ifndef HEDDLE_TB_PROFILE_LOST_H
#define HEDDLE_TB_PROFILE_LOST_H

#include <stdint.h>

#include "tb/config.h"
#include "tb/events.h"

struct lost_counts {
#define COUNTER(name, meaning) uint64_t name;
#include "tb/profile/lost.def"
};

struct lost;

/* NULL: no memory. */
struct lost *lost_new(const struct config *);
void lost_free(struct lost *);

/* What is to hear the events of the SM. */
struct listener *lost_listener(struct lost *);

/* Adds what was counted of the kernel of this number below NUM_KERNELS since the last call to `sums`. Returns 0, or -1:
 * there was no memory to follow all of it. */
int lost_take(struct lost *, unsigned number, struct lost_counts *sums);

void lost_counts_add(struct lost_counts *to, const struct lost_counts *from);

#endif
