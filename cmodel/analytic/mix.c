/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/mix.c: equilibria of one kernel and of two (thesis 9.3.3, 9.4.2); see mix.h. */
#include "cmodel/analytic/mix.h"

#include <math.h>

#define SCAN      512  /* intervals that are looked at for a change of sign */
#define HALVINGS  100  /* of one, at most */
#define TOLERANCE 1e-9 /* by which a point may miss a limit that is an equation, relative */

/* A function of one number, of which the roots are wanted. */
struct function {
    double (*value)(const struct function *, double);
    const struct mix_profile *const *profile;
    const double *warps;
    const struct mix_options *options;
    unsigned pipe; /* that is busy all the time, of `balance` */
};

static double bisect(const struct function *f, double low, double high, int rises)
{
    for (unsigned i = 0; i < HALVINGS; i++) {
        const double middle = low + (high - low) / 2;
        if ((f->value(f, middle) < 0) == rises)
            low = middle;
        else
            high = middle;
    }
    return low + (high - low) / 2;
}

/* Roots in [low, high], in rising order: both ends are looked at, too. */
static unsigned scan(const struct function *f, double low, double high, unsigned steps,
                     double roots[MIX_EQUILIBRIA])
{
    unsigned num = 0;
    double x = low, y = f->value(f, low);
    if (y == 0)
        roots[num++] = low;
    for (unsigned i = 1; i <= steps && num < MIX_EQUILIBRIA; i++) {
        const double next = i == steps ? high : low + (high - low) * i / steps,
                     value = f->value(f, next);
        if (value == 0)
            roots[num++] = next;
        else if (y != 0 && (y < 0) != (value < 0))
            roots[num++] = bisect(f, x, next, y < 0);
        x = next;
        y = value;
    }
    return num;
}

/* In the chosen forms Nd grows with the rate (mix.md), so that there is one root and no need to look for others. */
static int is_monotonic(const struct mix_options *o)
{
    return o->mean == MIX_MEAN_JOINT && o->sum == MIX_SUM_WHOLE;
}

static double surplus(const struct function *f, double ipc)
{
    return mix_active(f->profile[0], ipc, f->warps[0], f->options) - ipc;
}

/* IPC = Na(IPC) of one kernel, largest root first. */
static unsigned parallel_roots(const struct mix_profile *profile, double warps,
                               const struct mix_options *options, double roots[MIX_EQUILIBRIA])
{
    const struct function f = {
        .value = surplus, .profile = &profile, .warps = &warps, .options = options};
    const unsigned num = scan(&f, 0, warps, is_monotonic(options) ? 1 : SCAN, roots);
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
    if (!isfinite(warps) || !isfinite(options->dispatch) || options->dispatch < 0)
        return MIX_NOT_FINITE;
    return warps <= 0 || warps > 1e4 ? MIX_BAD_WARPS : MIX_OK;
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

enum mix_error mix_alone(const struct mix_profile *profile, double warps,
                         const struct mix_options *options, struct mix_solution *solution)
{
    const enum mix_error error = check(profile, warps, options);
    if (error)
        return error;
    double roots[MIX_EQUILIBRIA];
    *solution = (struct mix_solution){.num = parallel_roots(profile, warps, options, roots)};
    for (unsigned i = 0; i < solution->num; i++) {
        struct mix_point *point = &solution->at[i];
        point->ipc[0] = roots[i];
        for (unsigned p = 0; p < NUM_MIX_PIPES; p++)
            if (point->ipc[0] * load(profile, p) >= 1) {
                point->ipc[0] = 1 / load(profile, p);
                point->bound = 1u << p;
            }
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

/* (9.7) without its quotients: IPC[1,p] * waiting for p of kernel 2, minus the same the other way around. Negative where kernel 1 gets less
 * than its share. */
static double balance(const struct function *f, double first)
{
    const double ipc[MIX_KERNELS] = {first, second_of(f->profile, f->pipe, first)};
    double issued[MIX_KERNELS], ready[MIX_KERNELS];
    for (unsigned k = 0; k < MIX_KERNELS; k++) {
        const double share = f->profile[k]->pipe[f->pipe].share;
        issued[k] = ipc[k] * share;
        ready[k] =
            mix_active(f->profile[k], ipc[k], f->warps[k], f->options) - ipc[k] * (1 - share);
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
    const struct function f = {.value = balance,
                               .profile = pair->profile,
                               .warps = pair->warps,
                               .options = pair->options,
                               .pipe = pipe};
    double roots[MIX_EQUILIBRIA];
    const unsigned num = scan(&f, low, high, SCAN, roots);
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
        pair.num_roots[k] = parallel_roots(profile[k], warps[k], options, pair.roots[k]);
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
