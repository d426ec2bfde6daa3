/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/mix_hazard.c: how many warps data hazards hold (thesis 9.3.4, 9.4), and what a profile must be; see mix.h. */
#include <math.h>

#include "cmodel/analytic/mix.h"

#define SUMS_TO_ONE 1e-6 /* how near shares must come */

static const char *const reasons[NUM_MIX_ERRORS] = {
    [MIX_OK] = "no error",
    [MIX_NOT_FINITE] = "a number is not finite",
    [MIX_BAD_SHARES] = "the shares of the pipes are negative or do not add up to 1",
    [MIX_BAD_HISTOGRAM] = "a histogram of distances is negative or does not add up to 1",
    [MIX_BAD_PIPE] = "a pipe that is used has an interval or a latency outside (0, 1e6]",
    [MIX_BAD_CONTROL] = "the share of warps that control hazards hold is not in [0, 1)",
    [MIX_BAD_WARPS] = "the number of warps is not in (0, 1e4]",
    [MIX_BAD_DISPATCH] = "the dispatch width is negative",
    [MIX_BAD_INSTRUCTION] =
        "an instruction has a pipe, a register or a number of operands that cannot be",
    [MIX_BAD_SOLO] = "an IPC of a kernel alone is not positive",
    [MIX_NO_PARTITION] = "there is no partition to choose from",
    [MIX_NO_EQUILIBRIUM] = "no equilibrium was found",
};

const char *mix_reason(enum mix_error error)
{
    return (unsigned)error < NUM_MIX_ERRORS ? reasons[error] : "no such error";
}

static enum mix_error check_pipe(const struct mix_pipe_profile *p)
{
    double sum = 0;
    if (!isfinite(p->share) || !isfinite(p->interval) || !isfinite(p->latency))
        return MIX_NOT_FINITE;
    if (p->share < 0)
        return MIX_BAD_SHARES;
    if (p->share == 0)
        return MIX_OK;
    if (p->interval <= 0 || p->interval > MIX_CYCLES || p->latency <= 0 || p->latency > MIX_CYCLES)
        return MIX_BAD_PIPE;
    for (unsigned i = 0; i <= MIX_BEYOND; i++) {
        if (!isfinite(p->hist[i]))
            return MIX_NOT_FINITE;
        if (p->hist[i] < 0)
            return MIX_BAD_HISTOGRAM;
        sum += p->hist[i];
    }
    return fabs(sum - 1) > SUMS_TO_ONE ? MIX_BAD_HISTOGRAM : MIX_OK;
}

enum mix_error mix_check(const struct mix_profile *profile)
{
    double sum = 0;
    for (unsigned p = 0; p < NUM_MIX_PIPES; p++) {
        const enum mix_error error = check_pipe(&profile->pipe[p]);
        if (error)
            return error;
        sum += profile->pipe[p].share;
    }
    if (fabs(sum - 1) > SUMS_TO_ONE)
        return MIX_BAD_SHARES;
    if (!isfinite(profile->control) || !isfinite(profile->warps_per_block))
        return MIX_NOT_FINITE;
    if (profile->control < 0 || profile->control >= 1)
        return MIX_BAD_CONTROL;
    return profile->warps_per_block <= 0 || profile->warps_per_block > MIX_WARPS ? MIX_BAD_WARPS
                                                                                 : MIX_OK;
}

/* Sums of the histogram from 1 to x: of its shares, and of these times (i - 1). No sum changes above MIX_DISTANCES. */
struct sums {
    double share[MIX_DISTANCES + 1], apart[MIX_DISTANCES + 1];
};

static void sum_up(const struct mix_pipe_profile *p, struct sums *s)
{
    s->share[0] = s->apart[0] = 0;
    for (unsigned i = 1; i <= MIX_DISTANCES; i++) {
        s->share[i] = s->share[i - 1] + p->hist[i];
        s->apart[i] = s->apart[i - 1] + p->hist[i] * (i - 1);
    }
}

static unsigned last_bin(double x)
{
    return x < MIX_DISTANCES ? (unsigned)x : MIX_DISTANCES;
}

/* Pd(x) * W(x) without a division by Pd(x): (9.16) times (9.11). */
static double joint(const struct sums *s, double latency, double x)
{
    return latency * (s->share[last_bin(x)] - s->apart[last_bin(x)] / (x + 1));
}

static double time_of(const struct sums *s, double latency, double x)
{
    const double probability = s->share[last_bin(x)];
    return probability > 0 ? joint(s, latency, x) / probability : 0;
}

double mix_wait_probability(const struct mix_pipe_profile *p, unsigned x)
{
    struct sums s;
    sum_up(p, &s);
    return s.share[last_bin(x)];
}

double mix_wait_time(const struct mix_pipe_profile *p, unsigned x)
{
    struct sums s;
    sum_up(p, &s);
    return time_of(&s, p->latency, x);
}

double mix_lambda(const struct mix_pipe_profile *p, double ipc, double warps)
{
    return ipc * p->latency / warps;
}

/* Means as they are summed up, with weights that are not divided by their sum yet. */
struct adding {
    const struct sums *sums;
    const struct mix_options *options;
    double latency, warps, mass;
    struct mix_means of;
};

static void add(struct adding *a, double count, double weight)
{
    const double x = a->options->count == MIX_COUNT_SHIFTED ? 1 + count : count;
    a->mass += weight;
    if (a->options->sum == MIX_SUM_PRINTED && x > a->warps)
        return;
    a->of.probability += weight * a->sums->share[last_bin(x)];
    a->of.time += weight * time_of(a->sums, a->latency, x);
    a->of.wait += weight * joint(a->sums, a->latency, x);
}

/* Weights of a Poisson distribution from its mode to both sides, by the ratio of neighbours: nothing underflows however large lambda is.
 * Each ratio on the way is below 1 and falls, so both loops end. */
struct mix_means mix_means(const struct mix_pipe_profile *p, double lambda, double warps,
                           const struct mix_options *options)
{
    const double mode = floor(lambda), least = 1e-17;
    struct sums sums;
    if (!(lambda >= 0 && lambda <= MIX_LAMBDA))
        return (struct mix_means){NAN, NAN, NAN};
    sum_up(p, &sums);
    struct adding a = {.sums = &sums, .options = options, .latency = p->latency, .warps = warps};
    double weight = 1;
    for (double i = mode; weight > least; i++) {
        add(&a, i, weight);
        weight *= lambda / (i + 1);
    }
    weight = mode > 0 ? mode / lambda : 0;
    for (double i = mode - 1; i >= 0 && weight > least; i--) {
        add(&a, i, weight);
        weight *= i / lambda;
    }
    a.of.probability /= a.mass;
    a.of.time /= a.mass;
    a.of.wait /= a.mass;
    if (options->mean == MIX_MEAN_PRINTED)
        a.of.wait = a.of.probability * a.of.time;
    return a.of;
}

double mix_waiting(const struct mix_profile *profile, enum mix_pipe pipe, double ipc, double warps,
                   const struct mix_options *options)
{
    const struct mix_pipe_profile *p = &profile->pipe[pipe];
    const double rate = ipc * p->share;
    if (rate <= 0)
        return 0;
    const double counted = options->rate == MIX_RATE_ALL ? ipc : rate;
    return rate * mix_means(p, mix_lambda(p, counted, warps), warps, options).wait;
}

double mix_active(const struct mix_profile *profile, double ipc, double warps,
                  const struct mix_options *options)
{
    double active = warps * (1 - profile->control);
    for (unsigned p = 0; p < NUM_MIX_PIPES; p++)
        active -= mix_waiting(profile, (enum mix_pipe)p, ipc, warps, options);
    return active;
}
