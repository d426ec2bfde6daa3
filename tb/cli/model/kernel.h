/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/kernel.h: a kernel that ran alone, as the model of kernel mixing wants it (cmodel/analytic/mix.h): from the statistics and
 * the profile of the same run. */
#ifndef HEDDLE_TB_CLI_MODEL_KERNEL_H
#define HEDDLE_TB_CLI_MODEL_KERNEL_H

#include "cmodel/analytic/mix.h"

/* What an SM has of each, and a block needs: members of occupancy.resources. */
#define MODEL_RESOURCES(RESOURCE)                                                                  \
    RESOURCE(blocks)                                                                               \
    RESOURCE(threads)                                                                              \
    RESOURCE(warp_slots)                                                                           \
    RESOURCE(registers)                                                                            \
    RESOURCE(shared_bytes)
enum model_resource {
#define RESOURCE(name) MODEL_##name,
    MODEL_RESOURCES(RESOURCE)
#undef RESOURCE
        NUM_MODEL_RESOURCES
};

#define MODEL_BLOCKS 64 /* of a kernel on an SM, at most: sm.max_blocks in tb/config.def */

struct model_kernel {
    char name[80];
    struct mix_profile profile;
    double warps, ipc; /* of an SM, alone: mean number of resident warps, and IPC */
    double sms, schedulers;
    unsigned blocks; /* most that an SM holds */
    double needs[NUM_MODEL_RESOURCES], has[NUM_MODEL_RESOURCES];
};

/* `files` is STATS.json,PROFILE.json or, where they have several kernels, STATS.json,PROFILE.json,KERNEL. Launches of one name are
 * summed. Returns 0, or -1 with the reason on stderr. */
int model_kernel_read(struct model_kernel *, const char *files);

/* Does an SM hold so many blocks of each kernel? `count` kernels; of the same machine. */
int model_fits(const struct model_kernel *kernels, const unsigned *blocks, unsigned count);

#endif
