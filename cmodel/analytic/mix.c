/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/mix.c: equilibria of one kernel and of two (thesis 9.3.3, 9.4.2); see mix.h. */
#include "cmodel/analytic/mix.h"

#include <math.h>

#include "cmodel/analytic/roots.h"

#define SCAN      512  /* intervals that are looked at for a change of sign */
#define TOLERANCE 1e-9 /* by which a point may miss a limit that is an equation, relative */

/* A kernel with so many warps. */
struct alone {
    const struct mix_profile *profile;
    double warps;
    const struct mix_options *options;
};

/* In the chosen forms Nd grows with the rate (mix.md), so that there is one root and no need to look for others. */
static int is_monotonic(const struct mix_options *o)
{
    return o->mean == MIX_MEAN_JOINT && o->sum == MIX_SUM_WHOLE;
}

/* Active warps that do not issue. */
static double surplus(const void *context, double ipc)
{
    const struct alone *k = context;
    return mix_active(k->profile, ipc, k->warps, k->options) - ipc;
}

/* IPC = Na(IPC) of one kernel, largest root first. */
static unsigned parallel_roots(const struct alone *kernel, double roots[MIX_EQUILIBRIA])
{
    const unsigned num =
        roots_scan(surplus, kernel, 0, kernel->warps, is_monotonic(kernel->options) ? 1 : SCAN,
                   roots, MIX_EQUILIBRIA);
    for (unsigned i = 0; i < num / 2; i++) {
        const double first = roots[i];
        roots[i] = roots[num - 1 - i];
        roots[num - 1 - i] = first;
    }
    return num;
}

/* Cycles that an instruction of the kernel keeps the pipe busy, on average. */
static double load(const struct mix_profile *profile, unsigned pipe)
{
    return profile->pipe[pipe].share > 0 ? profile->pipe[pipe].share * profile->pipe[pipe].interval
                                         : 0;
}

static enum mix_error check(const struct mix_profile *profile, double warps,
                            const struct mix_options *options)
{
    const enum mix_error error = mix_check(profile);
    if (error)
        return error;
    if (!isfinite(warps) || !isfinite(options->dispatch))
        return MIX_NOT_FINITE;
    if (options->dispatch < 0)
        return MIX_BAD_DISPATCH;
    return warps <= 0 || warps > MIX_WARPS ? MIX_BAD_WARPS : MIX_OK;
}

/* Chosen: beyond the dispatch width both kernels are slowed down alike. */
static void cap(const struct mix_options *options, struct mix_point *point)
{
    const double all = point->ipc[0] + point->ipc[1];
    if (options->dispatch <= 0 || all <= options->dispatch)
        return;
    point->capped = 1;
    for (unsigned k = 0; k < MIX_KERNELS; k++)
        point->ipc[k] *= options->dispatch / all;
}

/* The rate at which the first pipes are full, and which these are; infinite if none ever is. */
static double limit(const struct mix_profile *profile, unsigned *pipes)
{
    double most = 0;
    *pipes = 0;
    for (unsigned p = 0; p < NUM_MIX_PIPES; p++) {
        const double here = load(profile, p);
        if (here > most)
            *pipes = 0;
        most = fmax(most, here);
        if (here > 0 && here == most)
            *pipes |= 1u << p;
    }
    return 1 / most;
}

enum mix_error mix_alone(const struct mix_profile *profile, double warps,
                         const struct mix_options *options, struct mix_solution *solution)
{
    *solution = (struct mix_solution){0};
    const enum mix_error error = check(profile, warps, options);
    if (error)
        return error;
    const struct alone kernel = {profile, warps, options};
    double roots[MIX_EQUILIBRIA];
    unsigned pipes;
    const unsigned num = parallel_roots(&kernel, roots);
    const double full = limit(profile, &pipes), margin = TOLERANCE * warps;
    const int fills = full <= warps + margin && surplus(&kernel, full) >= -margin;
    if (fills)
        solution->at[solution->num++] = (struct mix_point){.ipc = {full}, .bound = pipes};
    for (unsigned i = 0; i < num && solution->num < MIX_EQUILIBRIA; i++)
        if (roots[i] <= (fills ? full - margin : full))
            solution->at[solution->num++] = (struct mix_point){.ipc = {roots[i]}};
    for (unsigned i = 0; i < solution->num; i++) {
        struct mix_point *point = &solution->at[i];
        point->active[0] = mix_active(profile, point->ipc[0], warps, options);
        cap(options, point);
    }
    return solution->num ? MIX_OK : MIX_NO_EQUILIBRIUM;
}

/* Two kernels -------------------------------------------------------------------------------------*/

struct pair {
    const struct mix_profile *const *profile;
    const double *warps;
    const struct mix_options *options;
    double roots[MIX_KERNELS][MIX_EQUILIBRIA]; /* of each kernel, if no pipe were ever full */
    unsigned num_roots[MIX_KERNELS];
    struct mix_solution *solution;
};

static double busy(const struct pair *pair, const double ipc[MIX_KERNELS], unsigned pipe)
{
    return ipc[0] * load(pair->profile[0], pipe) + ipc[1] * load(pair->profile[1], pipe);
}

/* Keeps a point at which no pipe does more than it can and no kernel issues more than it has active (9.3), unless it is known. */
static void keep(struct pair *pair, const double ipc[MIX_KERNELS], unsigned bound)
{
    struct mix_solution *s = pair->solution;
    struct mix_point point = {.ipc = {ipc[0], ipc[1]}, .bound = bound};
    for (unsigned p = 0; p < NUM_MIX_PIPES; p++)
        if (busy(pair, ipc, p) > 1 + TOLERANCE)
            return;
    for (unsigned k = 0; k < MIX_KERNELS; k++) {
        point.active[k] = mix_active(pair->profile[k], ipc[k], pair->warps[k], pair->options);
        if (!(ipc[k] >= 0) || point.active[k] < ipc[k] - TOLERANCE * pair->warps[k])
            return;
    }
    for (unsigned i = 0; i < s->num; i++)
        if (fabs(s->at[i].ipc[0] - ipc[0]) <= TOLERANCE * pair->warps[0] &&
            fabs(s->at[i].ipc[1] - ipc[1]) <= TOLERANCE * pair->warps[1])
            return;
    if (s->num < MIX_EQUILIBRIA)
        s->at[s->num++] = point;
}

/* (9.4), (9.5) */
static void parallelism_constrained(struct pair *pair)
{
    for (unsigned i = 0; i < pair->num_roots[0]; i++)
        for (unsigned j = 0; j < pair->num_roots[1]; j++)
            keep(pair, (const double[]){pair->roots[0][i], pair->roots[1][j]}, 0);
}

/* The second kernel's rate when the first one's is `first` and the pipe is busy all the time (9.6). */
static double second_of(const struct mix_profile *const *profile, unsigned pipe, double first)
{
    return (1 - first * load(profile[0], pipe)) / load(profile[1], pipe);
}

/* A pipe that is busy all the time. */
struct full_pipe {
    const struct pair *pair;
    unsigned pipe;
};

/* (9.7) without its quotients: IPC[1,p] * waiting for p of kernel 2, minus the same the other way around. Negative where kernel 1 gets less
 * than its share. */
static double balance(const void *context, double first)
{
    const struct full_pipe *full = context;
    const struct pair *pair = full->pair;
    const double ipc[MIX_KERNELS] = {first, second_of(pair->profile, full->pipe, first)};
    double issued[MIX_KERNELS], ready[MIX_KERNELS];
    for (unsigned k = 0; k < MIX_KERNELS; k++) {
        const double share = pair->profile[k]->pipe[full->pipe].share;
        issued[k] = ipc[k] * share;
        ready[k] = mix_active(pair->profile[k], ipc[k], pair->warps[k], pair->options) -
                   ipc[k] * (1 - share);
    }
    return issued[0] * ready[1] - issued[1] * ready[0];
}

/* Only one kernel uses the pipe: it fills it, and the other one is as if alone. */
static void one_fills(struct pair *pair, unsigned pipe, unsigned user)
{
    double ipc[MIX_KERNELS];
    ipc[user] = 1 / load(pair->profile[user], pipe);
    for (unsigned i = 0; i < pair->num_roots[!user]; i++) {
        ipc[!user] = pair->roots[!user][i];
        keep(pair, ipc, 1u << pipe);
    }
}

/* (9.6), (9.7). No kernel is faster than it would be if no pipe were full, which bounds the first one's rate on both sides; in the chosen
 * forms there is exactly one root between these bounds (mix.md). */
static void pipeline_constrained(struct pair *pair, unsigned pipe)
{
    const double load0 = load(pair->profile[0], pipe), load1 = load(pair->profile[1], pipe);
    if (load0 <= 0 && load1 <= 0)
        return;
    if (load0 <= 0 || load1 <= 0) {
        one_fills(pair, pipe, load0 <= 0);
        return;
    }
    const double low = fmax(0, (1 - pair->roots[1][0] * load1) / load0),
                 high = fmin(pair->roots[0][0], 1 / load0);
    if (low > high)
        return;
    const struct full_pipe full = {pair, pipe};
    double roots[MIX_EQUILIBRIA];
    const unsigned num = roots_scan(balance, &full, low, high, SCAN, roots, MIX_EQUILIBRIA);
    for (unsigned i = 0; i < num; i++)
        keep(pair, (const double[]){roots[i], second_of(pair->profile, pipe, roots[i])},
             1u << pipe);
}

/* Chosen, where no single pipe explains it: two are busy all the time, which are two equations (9.6). */
static void both_full(struct pair *pair, unsigned p, unsigned q)
{
    const double a = load(pair->profile[0], p), b = load(pair->profile[1], p),
                 c = load(pair->profile[0], q), d = load(pair->profile[1], q),
                 determinant = a * d - b * c;
    if (determinant != 0)
        keep(pair, (const double[]){(d - b) / determinant, (a - c) / determinant},
             1u << p | 1u << q);
}

/* Pipes by the left side of (9.5), largest first. */
static void order_pipes(const struct pair *pair, unsigned pipes[NUM_MIX_PIPES])
{
    const double fastest[MIX_KERNELS] = {pair->roots[0][0], pair->roots[1][0]};
    for (unsigned i = 0; i < NUM_MIX_PIPES; i++) {
        unsigned at = i;
        for (; at && busy(pair, fastest, i) > busy(pair, fastest, pipes[at - 1]); at--)
            pipes[at] = pipes[at - 1];
        pipes[at] = i;
    }
}

enum mix_error mix_pair(const struct mix_profile *const profile[MIX_KERNELS],
                        const double warps[MIX_KERNELS], const struct mix_options *options,
                        struct mix_solution *solution)
{
    struct pair pair = {
        .profile = profile, .warps = warps, .options = options, .solution = solution};
    *solution = (struct mix_solution){0};
    for (unsigned k = 0; k < MIX_KERNELS; k++) {
        const enum mix_error error = check(profile[k], warps[k], options);
        if (error)
            return error;
        const struct alone kernel = {profile[k], warps[k], options};
        pair.num_roots[k] = parallel_roots(&kernel, pair.roots[k]);
        if (!pair.num_roots[k])
            return MIX_NO_EQUILIBRIUM;
    }
    unsigned pipes[NUM_MIX_PIPES];
    order_pipes(&pair, pipes);
    parallelism_constrained(&pair);
    for (unsigned i = 0; i < NUM_MIX_PIPES; i++)
        pipeline_constrained(&pair, pipes[i]);
    for (unsigned i = 0; i < NUM_MIX_PIPES && !solution->num; i++)
        for (unsigned j = i + 1; j < NUM_MIX_PIPES; j++)
            both_full(&pair, pipes[i], pipes[j]);
    for (unsigned i = 0; i < solution->num; i++)
        cap(options, &solution->at[i]);
    return solution->num ? MIX_OK : MIX_NO_EQUILIBRIUM;
}
