/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/partition.h: how many blocks of each of two kernels an SM is to hold (thesis 8.6). */
#ifndef HEDDLE_CMODEL_ANALYTIC_PARTITION_H
#define HEDDLE_CMODEL_ANALYTIC_PARTITION_H

#include <stdint.h>

#define PARTITION_KERNELS   2
#define PARTITION_RESOURCES 8 /* at most */
#define PARTITION_SLACK     6 /* warps below the most that EVEN still takes */

/* What a block of a kernel needs. */
struct partition_kernel {
    uint64_t warps;
    uint64_t needed[PARTITION_RESOURCES];
};

enum partition_rule {
    PARTITION_EVEN, /* at most PARTITION_SLACK warps fewer than the most that fit; of these the least difference between both kernels' warps */
    PARTITION_MAX,  /* the most warps that fit */
    NUM_PARTITION_RULES
};

/* Sets `blocks` of each kernel, at least 1, such that all fit an SM that has `available[num]` of the resources, num at most
 * PARTITION_RESOURCES. The thesis leaves ties open; chosen: under MAX the pair with the least difference of warps, then under both the
 * one with more warps, then the one with more blocks of the first kernel. Returns 0, or -1: one block of each does not fit, and
 * `blocks` is left alone. */
int partition(enum partition_rule, const struct partition_kernel kernels[PARTITION_KERNELS],
              const uint64_t *available, unsigned num, uint64_t blocks[PARTITION_KERNELS]);

#endif
