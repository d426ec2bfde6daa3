/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/model.h: the models of `heddle model`, each with the pictures that it draws. */
#ifndef HEDDLE_TB_CLI_MODEL_MODEL_H
#define HEDDLE_TB_CLI_MODEL_MODEL_H

#include <math.h>

#include "tb/cli/model/kernel.h"

/* Each gets argv from its own name on: argv[0] is "heddle model mix". Returns the exit status. */
int model_mix(int argc, char **argv);
int model_camp(int argc, char **argv);
int model_power(int argc, char **argv);
int model_pdvfs(int argc, char **argv);

static inline double per_cent_more(double a, double b)
{
    return 100 * (a / b - 1);
}

/* No sign where all digits that are printed, down to `least`, are 0. */
static inline double unsigned_zero(double value, double least)
{
    return fabs(value) < least / 2 ? 0 : value;
}

/* A division of an SM between two kernels, and what the model says of it. */
struct mixed {
    unsigned blocks[MIX_KERNELS];
    struct mix_point at;
    double ratio, lanes; /* (9.18), (9.1); 0: there is no equilibrium */
    /* On the machine, if it was measured there: IPC of both, and (9.18) of them; else ratio_measured is 0. */
    double measured[MIX_KERNELS], ratio_measured;
};

/* Draws IPC over warps, and the machine's point; or throughput over the blocks of the first kernel, a curve for each number of blocks of
 * the second, and points for what was measured. Returns 0, or -1 with the reason on stderr. */
int mix_picture_alone(const char *path, const struct model_kernel *, const struct mix_options *);
int mix_picture_pair(const char *path, const struct model_kernel[MIX_KERNELS],
                     const struct mixed *divisions, size_t count);

/* mix_csv.c: writes a row for each division, with what was measured beside it; `even` is 1 for the division that EVEN chooses (thesis 8.6,
 * 9.8.4). Returns 0, or -1 with the reason on stderr. */
int mix_csv(const char *path, const struct model_kernel[MIX_KERNELS], const struct mixed *divisions,
            size_t count);

/* mix_measured.c: reads the statistics of both kernels at once (heddle replay FILE FILE): IPC of an SM and, from the settings of the run, how
 * many blocks of each it held. Returns 0, or -1 with the reason on stderr. */
int mix_read_measured(const char *path, const struct model_kernel[MIX_KERNELS],
                      unsigned blocks[MIX_KERNELS], double ipc[MIX_KERNELS]);

#endif
