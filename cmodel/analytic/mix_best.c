/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/mix_best.c: what an equilibrium is worth (thesis 9.1, 9.18), and the partition worth most; see mix.h. */
#include <math.h>

#include "cmodel/analytic/mix.h"

/* Values that differ by less, relative, are equal: a full pipe is worth the same in many partitions. */
#define SAME 1e-9

const double mix_lanes[NUM_MIX_PIPES] = {[MIX_SP] = 32, [MIX_SFU] = 4, [MIX_MEM] = 16};

double mix_utilisation(const struct mix_profile *const profile[MIX_KERNELS],
                       const double ipc[MIX_KERNELS], enum mix_pipe pipe)
{
    double busy = 0;
    for (unsigned k = 0; k < MIX_KERNELS; k++)
        busy += ipc[k] * profile[k]->pipe[pipe].share * profile[k]->pipe[pipe].interval;
    return busy;
}

double mix_system_utilisation(const struct mix_profile *const profile[MIX_KERNELS],
                              const double ipc[MIX_KERNELS], const double lanes[NUM_MIX_PIPES])
{
    double sum = 0;
    for (unsigned p = 0; p < NUM_MIX_PIPES; p++)
        sum += mix_utilisation(profile, ipc, (enum mix_pipe)p) * lanes[p];
    return sum;
}

double mix_ratio(const double ipc[MIX_KERNELS], const double solo[MIX_KERNELS])
{
    return ipc[0] / solo[0] + ipc[1] / solo[1];
}

/* The equilibrium of one partition, and its value. */
static enum mix_error judge(const struct mix_profile *const profile[MIX_KERNELS],
                            const unsigned blocks[MIX_KERNELS], const double *solo,
                            const struct mix_options *options, struct mix_best *found)
{
    double warps[MIX_KERNELS];
    struct mix_solution solution;
    for (unsigned k = 0; k < MIX_KERNELS; k++)
        warps[k] = blocks[k] * profile[k]->warps_per_block;
    const enum mix_error error = mix_pair(profile, warps, options, &solution);
    if (error)
        return error;
    found->at = solution.at[0];
    found->value = solo ? mix_ratio(found->at.ipc, solo)
                        : mix_system_utilisation(profile, found->at.ipc, mix_lanes);
    return MIX_OK;
}

enum mix_error mix_best(const struct mix_profile *const profile[MIX_KERNELS],
                        const unsigned (*blocks)[MIX_KERNELS], size_t num, enum mix_goal goal,
                        const double *solo, const struct mix_options *options,
                        struct mix_best *best)
{
    int found = 0;
    *best = (struct mix_best){0};
    if (!num)
        return MIX_NO_PARTITION;
    for (unsigned k = 0; goal == MIX_RATIO && k < MIX_KERNELS; k++)
        if (!solo || !isfinite(solo[k]) || solo[k] <= 0)
            return MIX_BAD_SOLO;
    for (size_t i = 0; i < num; i++) {
        struct mix_best here = {.which = i};
        const enum mix_error error =
            judge(profile, blocks[i], goal == MIX_RATIO ? solo : NULL, options, &here);
        if (error == MIX_NO_EQUILIBRIUM)
            continue;
        if (error) {
            best->which = i;
            return error;
        }
        if (!found || here.value > best->value * (1 + SAME))
            *best = here;
        found = 1;
    }
    return found ? MIX_OK : MIX_NO_EQUILIBRIUM;
}
