/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/collect.h: what a kernel that has ended did, from the SMs and the memory into the statistics. */
#ifndef HEDDLE_TB_GPU_COLLECT_H
#define HEDDLE_TB_GPU_COLLECT_H

#include "tb/gpu/run.h"

/* All SMs are empty, and count no more. */
void collect_end(struct gpu *, uint64_t cycle);

/* The SMs' clock changes in `cycle`: what they have done until then was at the one before, and at its voltage. */
void collect_clock(struct gpu *, uint64_t cycle);

/* Takes a kernel that has ended out of the machine and adds up what it did. If it has shared the machine, what that did stands
 * apart, once all is at rest. */
void collect_kernel(struct run *, struct stats_sums *own, struct stats_sums *together,
                    struct exec_tolerated *);

/* Says what was wrong and has passed, if anything was: once per kernel. */
void collect_say_tolerated(const struct run *, const struct exec_tolerated *);

/* Puts the kernel into the statistics, or what the machine did for kernels that ran beside each other. Returns 0, or -1: no
 * memory. */
int collect_count(struct run *, enum gpu_status, const struct stats_sums *own);
int collect_count_period(struct gpu *, const struct stats_sums *);

#endif
