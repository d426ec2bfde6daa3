/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/l2_profile.h: why a bank of L2 misses, and how far down in its set what it serves lies. A line is first
 * touched by a miss, so what was seen before and is not there now was replaced. */
#ifndef HEDDLE_TB_PROFILE_L2_PROFILE_H
#define HEDDLE_TB_PROFILE_L2_PROFILE_H

#include "tb/mem/memory.h"
#include "tb/profile/address_map.h"
#include "tb/profile/stacks.h"

struct l2_counts {
#define COUNTER(name, meaning) uint64_t name;
#include "tb/profile/l2_profile.def"
};

struct l2_profile {
    struct address_map seen; /* lines, also of earlier kernels: L2 keeps them */
    struct l2_counts counts;
    struct stacks stacks;
    int no_memory;
};

/* What is to hear of what the bank serves. */
struct l2_listener l2_profile_listener(struct l2_profile *);

/* Adds what was counted since the last call to `sums`. Returns 0, or -1: there was no memory to
 * follow all of it. */
int l2_profile_take(struct l2_profile *, struct l2_counts *sums);

void l2_counts_add(struct l2_counts *to, const struct l2_counts *from);

#endif
