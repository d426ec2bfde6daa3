/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/dependence.h: how far from each other the instructions of a warp stand that wait for one another, and how long memory lets
 * them wait: what the model of kernel mixing asks of a kernel (cmodel/analytic/mix.md; thesis 9.4.1). One warp of each kernel on an SM is
 * followed, and when it has ended the next one that begins. */
#ifndef HEDDLE_TB_PROFILE_DEPENDENCE_H
#define HEDDLE_TB_PROFILE_DEPENDENCE_H

#include <stdint.h>

#include "cmodel/analytic/mix_cd3.h"
#include "tb/config.h"
#include "tb/events.h"
#include "tb/ptx/ptx.h"
#include "tb/units/view.h"

/* Of the warps that were followed. */
struct dependence_counts {
    uint64_t warps;
    struct mix_counts distances;
    uint64_t waits,
        waited; /* memory instructions that write a register, and the cycles between issue and completion, summed */
    uint64_t memory,
        busy; /* memory instructions, and the cycles for which they keep the load/store unit: of L1D its lines */
};

/* The warp of a kernel that is followed. */
struct followed {
    const struct ptx_kernel *kernel; /* NULL: none runs */
    uint64_t warp;                   /* or UINT64_MAX: the next one that begins */
    struct mix_online online;
    struct mix_writer *table; /* by register */
    uint64_t *issued; /* by instruction: when one that writes a register was issued last, or 0 */
    struct dependence_counts counts;
};

struct dependence {
    struct listener listener; /* what is to hear the events of the SM */
    uint64_t mem_interval, line_interval;
    uint8_t kernel_of[NUM_SLOTS]; /* whose warp has the slot */
    struct followed of[NUM_KERNELS];
};

void dependence_open(struct dependence *, const struct config *);
void dependence_close(struct dependence *);

/* A kernel begins, as the one of this number; it must stay until dependence_take. Returns 0, or -1: no memory. */
int dependence_begin(struct dependence *, unsigned number, const struct ptx_kernel *);

/* It has ended or failed: adds what was counted to `sums`. */
void dependence_take(struct dependence *, unsigned number, struct dependence_counts *sums);

#endif
