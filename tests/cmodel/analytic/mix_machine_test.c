/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/mix_machine_test.c: how near the model comes to a machine that has its assumptions and nothing else: warps whose
 * instructions have pipes and distances drawn from the profile, constant latencies, pipes that are busy for an interval, and loose round
 * robin over all warps. What a warp may issue, it issues in the same cycle if its pipe is free. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/analytic/mix.h"

#define WARPS  48
#define CYCLES 60000

static uint64_t state = 88172645463325252u;

static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.;
}

struct warp {
    unsigned kernel, pipe;
    uint64_t number;
    double ready[128]; /* when instruction `number` modulo 128 has what it waits for */
};

static unsigned drawn_pipe(const struct mix_profile *p)
{
    const double r = uniform();
    return r < p->pipe[0].share ? 0 : r < p->pipe[0].share + p->pipe[1].share ? 1 : 2;
}

static unsigned drawn_distance(const struct mix_pipe_profile *p)
{
    double r = uniform();
    for (unsigned i = 0; i < MIX_BEYOND; i++)
        if ((r -= p->hist[i]) < 0)
            return i;
    return 0;
}

/* Issues the warp's instruction at `now`, and draws the next one. */
static void issue(struct warp *w, const struct mix_profile *p, double now)
{
    const struct mix_pipe_profile *pipe = &p->pipe[w->pipe];
    const unsigned distance = drawn_distance(pipe);
    if (distance) {
        double *ready = &w->ready[(w->number + distance) % 128];
        *ready = fmax(*ready, now + 1 + pipe->latency);
    }
    w->ready[w->number % 128] = 0;
    w->number++;
    w->pipe = drawn_pipe(p);
}

/* Measured rates of both kernels; `held` is the mean number of warps that wait for data. */
static void run(const struct mix_profile *const profile[2], const unsigned warps[2], double ipc[2],
                double *held)
{
    static struct warp w[WARPS];
    double free[NUM_MIX_PIPES] = {0};
    const unsigned all = warps[0] + warps[1];
    unsigned turn = 0;
    memset(w, 0, sizeof w);
    for (unsigned i = 0; i < all; i++) {
        w[i].kernel = i >= warps[0];
        w[i].pipe = drawn_pipe(profile[w[i].kernel]);
    }
    ipc[0] = ipc[1] = *held = 0;
    for (double now = 0; now < CYCLES; now++) {
        unsigned next = turn;
        for (unsigned i = 0; i < all; i++) {
            struct warp *at = &w[(turn + i) % all];
            const struct mix_profile *p = profile[at->kernel];
            if (at->ready[at->number % 128] > now) {
                *held += 1. / CYCLES;
                continue;
            }
            if (free[at->pipe] >=
                now + 1) /* it takes several in a cycle if its interval is below 1 */
                continue;
            free[at->pipe] = fmax(free[at->pipe], now) + p->pipe[at->pipe].interval;
            issue(at, p, now);
            ipc[at->kernel] += 1. / CYCLES;
            next = (turn + i + 1) % all;
        }
        turn = next;
    }
}

static void set(struct mix_pipe_profile *p, double share, double interval, double latency,
                const double shares[6])
{
    *p = (struct mix_pipe_profile){.share = share, .interval = interval, .latency = latency};
    const unsigned at[6] = {0, 1, 2, 3, 5, 10};
    for (unsigned i = 0; i < 6; i++)
        p->hist[at[i]] = shares[i];
}

/* Three kernels: one that computes, one that loads, one between. */
static struct mix_profile kernel(unsigned which, double interval)
{
    struct mix_profile p = {.warps_per_block = 1};
    const double near[6] = {.1, .5, .2, .1, .1, 0}, far[6] = {.3, .1, .1, .1, .2, .2},
                 mixed[6] = {.2, .3, .1, .2, .1, .1};
    const double *const sp[3] = {far, mixed, near}, *const mem[3] = {mixed, near, near};
    const double loads[3] = {.1, .5, .3}, latency[3] = {200, 300, 200};
    set(&p.pipe[MIX_SP], 1 - loads[which], interval, 20, sp[which]);
    set(&p.pipe[MIX_MEM], loads[which], 2 * interval, latency[which], mem[which]);
    return p;
}

/* The mean error over kernels and numbers of warps, pipes never full, in the form of `o`. */
static double error_alone(const struct mix_options *o, double *most)
{
    double sum = 0;
    unsigned num = 0;
    state = 88172645463325252u;
    *most = 0;
    for (unsigned which = 0; which < 3; which++)
        for (unsigned warps = 6; warps <= 48; warps *= 2, num++) {
            const struct mix_profile p = kernel(which, 1e-3);
            const struct mix_profile *const both[2] = {&p, &p};
            double ipc[2], held;
            struct mix_solution s;
            run(both, (const unsigned[]){warps, 0}, ipc, &held);
            /* (9.8), (9.4): whoever is not held issues. */
            assert_true(fabs(warps - held - ipc[0]) < .01 * warps);
            assert_int_equal(mix_alone(&p, warps, o, &s), MIX_OK);
            const double error = s.at[s.num - 1].ipc[0] / ipc[0] - 1;
            sum += fabs(error);
            *most = fmax(*most, fabs(error));
        }
    return sum / num;
}

static void one_kernel(void **unused)
{
    (void)unused;
    const struct mix_options forms[4] = {
        {0}, {.rate = MIX_RATE_ALL}, {.mean = MIX_MEAN_PRINTED}, MIX_PRINTED};
    const char *const names[4] = {"chosen", "chosen, rate of all pipes", "product of means",
                                  "as printed"};
    double mean[4], most[4];
    for (unsigned i = 0; i < 4; i++) {
        mean[i] = error_alone(&forms[i], &most[i]);
        print_message("alone, %s: error %.1f %% on average, %.1f %% at most\n", names[i],
                      100 * mean[i], 100 * most[i]);
    }
    /* CD3 counts instructions of all pipes, and so should the rate: what is left then is that a warp issues in bursts, not as a Poisson
     * process. The rate of one pipe finds fewer waits than there are. */
    assert_true(mean[1] < .05 && most[1] < .1);
    assert_true(mean[0] < .25 && most[0] < .5 && mean[0] > 4 * mean[1]);
    assert_true(mean[3] > 3 * mean[0]);
}

/* The mean error of 18 pairs, 36 rates. */
static double error_of_pairs(const struct mix_options *o, double *most, unsigned *bound)
{
    double sum = 0;
    state = 88172645463325252u;
    *most = *bound = 0;
    for (unsigned i = 0; i < 27; i++) {
        const unsigned a = i / 9, b = i / 3 % 3, part = 12 * (i % 3 + 1);
        if (b < a)
            continue;
        const struct mix_profile first = kernel(a, 1), second = kernel(b, 1);
        const struct mix_profile *const profile[2] = {&first, &second};
        double ipc[2], held;
        struct mix_solution s;
        run(profile, (const unsigned[]){part, 48 - part}, ipc, &held);
        assert_int_equal(mix_pair(profile, (const double[]){part, 48 - part}, o, &s), MIX_OK);
        assert_int_equal(s.num, 1);
        *bound += s.at[0].bound != 0;
        for (unsigned k = 0; k < 2; k++) {
            const double error = fabs(s.at[0].ipc[k] / ipc[k] - 1);
            sum += error / 36;
            *most = fmax(*most, error);
        }
    }
    return sum;
}

static void two_kernels(void **unused)
{
    (void)unused;
    const struct mix_options forms[2] = {{0}, {.rate = MIX_RATE_ALL}};
    const char *const names[2] = {"chosen", "chosen, rate of all pipes"};
    double mean[2], most[2];
    for (unsigned i = 0; i < 2; i++) {
        unsigned bound;
        mean[i] = error_of_pairs(&forms[i], &most[i], &bound);
        print_message(
            "pairs, %s: error %.1f %% on average, %.1f %% at most; %u of 18 fill a pipe\n",
            names[i], 100 * mean[i], 100 * most[i], bound);
    }
    assert_true(mean[0] < .25 && mean[1] < .1 && mean[1] < mean[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_kernel),
        cmocka_unit_test(two_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
