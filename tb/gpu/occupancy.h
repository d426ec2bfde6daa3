/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/occupancy.h: how many blocks of a kernel fit an SM, and what limits them. */
#ifndef HEDDLE_TB_GPU_OCCUPANCY_H
#define HEDDLE_TB_GPU_OCCUPANCY_H

#include <stddef.h>
#include <stdint.h>

#include "tb/config.h"
#include "tb/gpu/gpu.h"

enum resource {
#define RESOURCE(name, meaning) RESOURCE_##name,
#include "tb/gpu/occupancy.def"
#undef RESOURCE
    NUM_RESOURCES
};

struct occupancy {
    const struct ptx_kernel *kernel; /* what runs: the launch's, or a version with fewer registers;
                                        gone when the launch's is */
    struct ptx_spills spills;        /* of it */
    uint32_t instructions;           /* of its code */
    uint32_t loops, loop_depth;      /* how many it has, how many lie in each other at most */
    uint32_t loop_loads;             /* loads of global, local and generic memory within loops */
    uint32_t registers;              /* of a thread */
    uint32_t warps;                  /* of a block */
    uint32_t shared_bytes; /* of a block: static, and dynamic from the next multiple of 16 */
    uint32_t blocks;       /* resident on an SM: the least of `limit` */
    uint64_t needed[NUM_RESOURCES], available[NUM_RESOURCES];
    uint32_t
        limit[NUM_RESOURCES]; /* blocks that each resource allows; UINT32_MAX: none is needed */
};

const char *resource_name(enum resource);

/* Most warps of the kernel that a scheduler holds at a time. */
uint32_t occupancy_scheduler(const struct occupancy *);

/* Checks the launch and fills *out. A thread has at most sm.thread_registers, and so few that one
 * block fits; where the kernel has more live at once, a version of it runs that keeps the others in
 * local memory. Returns 0, or -1 with the reason in `message`: the launch is
 * impossible, or not even one block fits. */
int occupancy_of(const struct config *, const struct gpu_launch *, struct occupancy *out,
                 char *message, size_t size);

#endif
