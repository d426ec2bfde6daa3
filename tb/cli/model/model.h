/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/model.h: the models of `heddle model`, each with the pictures that it draws. */
#ifndef HEDDLE_TB_CLI_MODEL_MODEL_H
#define HEDDLE_TB_CLI_MODEL_MODEL_H

#include "tb/cli/model/kernel.h"

/* Each gets argv from its own name on: argv[0] is "heddle model mix". Returns the exit status. */
int model_mix(int argc, char **argv);

/* A division of an SM between two kernels, and what the model says of it. */
struct mixed {
    unsigned blocks[MIX_KERNELS];
    struct mix_point at;
    double ratio, lanes; /* (9.18), (9.1) */
    int none;            /* there is no equilibrium: the rest is not set */
};

/* Draws IPC over warps, and the machine's point; or throughput over the blocks of the first kernel, a curve for each number of blocks of
 * the second. `measured`: IPC of both on the machine in the first division, or NULL. Returns 0, or -1 with the reason on stderr. */
int mix_picture_alone(const char *path, const struct model_kernel *, const struct mix_options *);
int mix_picture_pair(const char *path, const struct model_kernel[MIX_KERNELS],
                     const struct mixed *divisions, size_t count, const double *measured);

#endif
