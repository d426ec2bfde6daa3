/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/activity.h: how many lanes of an SM's warps are active when they issue (DAWS 7.1, figure 9). */
#ifndef HEDDLE_TB_PROFILE_ACTIVITY_H
#define HEDDLE_TB_PROFILE_ACTIVITY_H

#include <stdint.h>

#include "tb/events.h"
#include "tb/units/view.h"

enum {
#define COUNTER(name, meaning) ACTIVITY_##name,
#include "tb/profile/activity.def"
    NUM_ACTIVITY_COUNTS
};

struct activity_counts {
    uint64_t instructions[NUM_ACTIVITY_COUNTS];
};

struct activity {
    struct listener listener;     /* what is to hear the events of the SM */
    uint8_t kernel_of[NUM_SLOTS]; /* whose warp has the slot */
    struct activity_counts counts[NUM_KERNELS];
};

void activity_open(struct activity *);

/* Adds what was counted of the kernel of this number since the last call to `sums`. */
void activity_take(struct activity *, unsigned number, struct activity_counts *sums);

void activity_counts_add(struct activity_counts *to, const struct activity_counts *from);

#endif
