/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/run.h: a kernel that runs, for launch.c, which begins and ends it, and clock.c, which lets time pass. */
#ifndef HEDDLE_TB_GPU_RUN_H
#define HEDDLE_TB_GPU_RUN_H

#include "tb/gpu/machine.h"
#include "tb/sm/landmarks.h"
#include "tb/sm/operands.h"

struct run {
    struct gpu *gpu;
    unsigned number; /* below NUM_KERNELS: the place in gpu.runs */
    const char *kernel;
    struct gpu_launch launch;
    struct gpu_result *result;
    struct exec_launch exec;
    struct occupancy occupancy;
    struct landmark *landmarks;           /* NULL: no unit needs them */
    struct operand_view *operands;        /* NULL: no unit looks at them */
    const struct loop_classes *classes;   /* NULL: no profile is given */
    const struct told_pairs *told;        /* of each SM; NULL: no statistics are given */
    const struct grouped_launch *grouped; /* NULL: its blocks are in no groups */
    struct logs logs;                     /* of its units */
    int shares;                           /* another one has run beside it */
    uint64_t start;
    uint64_t end;         /* first cycle in which nothing of it is left */
    uint64_t fixed_start; /* of the fixed clock (tb/clocks.h) */
    uint32_t grid[3];     /* blocks that are timed: all, or the first ones, in whole rows */
    uint64_t blocks;      /* of that grid */
};

/* Why a run has failed: into its result. Returns the status. */
__attribute__((format(printf, 3, 4))) enum gpu_status run_fail(struct run *, enum gpu_status,
                                                               const char *format, ...);

/* Does no kernel but this one run? */
int run_alone(const struct run *);

/* Lets time pass until one of the kernels that run has ended, GPU_OK, or the machine has stopped: then the status says why, and the
 * message stands in the result of the one that is to blame. *run is that one. */
enum gpu_status clock_run(struct gpu *, struct run **run);

#endif
