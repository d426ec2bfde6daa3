/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/mix_pair_test.c: equilibria of two kernels (thesis 9.3.3), found a second time by another unknown: the part of its
 * ready warps that a full pipe takes from each kernel, which (9.7) says is the same for both. Then what they are worth. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/analytic/mix.h"
#include "tests/cmodel/analytic/numbers.h"

static const struct mix_options chosen = {0};

static void fill(struct mix_pipe_profile *p, double share, double interval, double latency)
{
    double sum = 0;
    *p = (struct mix_pipe_profile){.share = share, .interval = interval, .latency = latency};
    for (unsigned i = 0; i < 10; i++)
        sum += p->hist[i] = between(0, 1);
    for (unsigned i = 0; i < 10; i++)
        p->hist[i] /= sum;
}

/* One in four uses no SFU, one in eight one pipe only. */
static struct mix_profile draw(void)
{
    struct mix_profile profile = {.control = between(0, .3), .warps_per_block = 2};
    double share[3] = {between(.1, 1), between(0, 1) < .25 ? 0 : between(0, .4), between(0, .6)};
    if (between(0, 1) < .125)
        share[1] = share[2] = 0;
    const double sum = share[0] + share[1] + share[2];
    const unsigned turn = (unsigned)between(0, 3);
    for (unsigned p = 0; p < 3; p++)
        fill(&profile.pipe[(p + turn) % 3], share[p] / sum, between(.3, 6), between(4, 120));
    return profile;
}

static double ready(const struct mix_profile *profile, unsigned p, double ipc, double warps)
{
    return mix_active(profile, ipc, warps, &chosen) - ipc * (1 - profile->pipe[p].share);
}

/* The rate at which a kernel issues the part `part` of its warps that are ready for pipe p; part 1: all, at once (9.4). */
static double rate_at(const struct mix_profile *profile, unsigned p, double warps, double part)
{
    double low = 0, high = warps;
    for (unsigned i = 0; i < 60; i++) {
        const double ipc = (low + high) / 2;
        if (ipc * profile->pipe[p].share < part * ready(profile, p, ipc, warps))
            low = ipc;
        else
            high = ipc;
    }
    return low;
}

struct expected {
    unsigned num, bound[4];
    double ipc[4][2];
};

static double load(const struct mix_profile *const profile[2], const double ipc[2], unsigned p)
{
    double sum = 0;
    for (unsigned k = 0; k < 2; k++)
        sum += ipc[k] * profile[k]->pipe[p].share * profile[k]->pipe[p].interval;
    return sum;
}

static void expect(struct expected *e, const struct mix_profile *const profile[2],
                   const double ipc[2], unsigned bound)
{
    for (unsigned p = 0; p < 3; p++)
        if (load(profile, ipc, p) > 1 + 1e-7)
            return;
    e->bound[e->num] = bound;
    memcpy(e->ipc[e->num++], ipc, sizeof e->ipc[0]);
}

static void restate(struct expected *e, const struct mix_profile *const profile[2],
                    const double warps[2])
{
    double ipc[2];
    e->num = 0;
    for (unsigned k = 0; k < 2; k++)
        ipc[k] = rate_at(profile[k], 0, warps[k], 1);
    if (load(profile, ipc, 0) < 1 && load(profile, ipc, 1) < 1 && load(profile, ipc, 2) < 1)
        expect(e, profile, ipc, 0); /* (9.5) */
    for (unsigned p = 0; p < 3; p++) {
        const double free[2] = {ipc[0], ipc[1]};
        double low = 0, high = 1, now[2];
        if (load(profile, free, p) < 1)
            continue;
        for (unsigned i = 0; i < 50; i++) {
            const double part = (low + high) / 2;
            for (unsigned k = 0; k < 2; k++)
                now[k] = profile[k]->pipe[p].share > 0 ? rate_at(profile[k], p, warps[k], part)
                                                       : free[k];
            *(load(profile, now, p) < 1 ? &low : &high) = part;
        }
        expect(e, profile, now, 1u << p);
    }
}

/* (9.2) to (9.7) hold of what was found, and it is all that the restatement finds. */
static void all_equilibria(void **unused)
{
    (void)unused;
    unsigned seen[8] = {0}, several = 0;
    for (unsigned round = 0; round < 200; round++) {
        const struct mix_profile a = draw(), b = draw();
        const struct mix_profile *const profile[2] = {&a, &b};
        const double warps[2] = {floor(between(1, 24)), floor(between(1, 24))};
        struct mix_solution s;
        struct expected e;
        restate(&e, profile, warps);
        assert_int_equal(mix_pair(profile, warps, &chosen, &s), MIX_OK);
        if (e.num)
            assert_int_equal(s.num, e.num);
        for (unsigned i = 0; i < s.num; i++) {
            const struct mix_point *at = &s.at[i];
            for (unsigned p = 0; p < 3; p++) {
                assert_true(load(profile, at->ipc, p) <= 1 + 1e-8);
                if (at->bound & 1u << p)
                    within(load(profile, at->ipc, p), 1, 1e-8);
            }
            for (unsigned k = 0; k < 2; k++) {
                within(at->active[k], mix_active(profile[k], at->ipc[k], warps[k], &chosen), 1e-9);
                assert_true(at->ipc[k] <= at->active[k] + 1e-7);
            }
            unsigned matches = 0;
            for (unsigned j = 0; j < e.num; j++)
                matches += at->bound == e.bound[j] && fabs(at->ipc[0] - e.ipc[j][0]) < 1e-5 &&
                           fabs(at->ipc[1] - e.ipc[j][1]) < 1e-5;
            if (e.num)
                assert_int_equal(matches, 1);
            else /* no single pipe explains it: two are full */
                assert_int_equal(__builtin_popcount(at->bound), 2);
            seen[at->bound]++;
        }
        several += s.num > 1;
    }
    for (unsigned bound = 0; bound < 7; bound++)
        if (bound != 3 && bound != 5 && bound != 6)
            assert_true(seen[bound] > 4);
    assert_true(seen[3] + seen[5] + seen[6] > 0);
    print_message("two full pipes: %u of 200, several equilibria: %u\n",
                  seen[3] + seen[5] + seen[6], several);
}

/* A kernel of SP and MEM whose instructions have one distance each, 0: nobody waits. */
static struct mix_profile plain(double sp, const double interval[2], const double latency[2],
                                const unsigned distance[2])
{
    struct mix_profile p = {.warps_per_block = 1};
    for (unsigned i = 0; i < 2; i++) {
        struct mix_pipe_profile *pipe = &p.pipe[i ? MIX_MEM : MIX_SP];
        *pipe = (struct mix_pipe_profile){
            .share = i ? 1 - sp : sp, .interval = interval[i], .latency = latency[i]};
        pipe->hist[distance[i]] = 1;
    }
    return p;
}

/* Two pairs that have an equilibrium with SP full and one with MEM full: first that of the pipe with the largest left side of (9.5). */
static void two_equilibria_in_order(void **unused)
{
    (void)unused;
    const struct mix_profile loads = plain(.3, (double[]){7, 1}, (double[]){20, 300},
                                           (unsigned[]){2, 2}),
                             waits = plain(.7, (double[]){1, 3}, (double[]){20, 180},
                                           (unsigned[]){2, 0}),
                             fills = plain(.2, (double[]){8, 1}, (double[]){20, 120},
                                           (unsigned[]){2, 0}),
                             other = plain(.7, (double[]){1, 6}, (double[]){20, 40},
                                           (unsigned[]){2, 1});
    const struct mix_profile *const pairs[2][2] = {{&loads, &waits}, {&fills, &other}};
    const double warps[2][2] = {{22, 24}, {20, 20}};
    unsigned seen = 0;
    for (unsigned i = 0; i < 2; i++) {
        double ipc[2];
        struct mix_solution s;
        for (unsigned k = 0; k < 2; k++)
            ipc[k] = rate_at(pairs[i][k], 0, warps[i][k], 1);
        const unsigned first =
            load(pairs[i], ipc, MIX_SP) > load(pairs[i], ipc, MIX_MEM) ? MIX_SP : MIX_MEM;
        assert_int_equal(mix_pair(pairs[i], warps[i], &chosen, &s), MIX_OK);
        assert_int_equal(s.num, 2);
        assert_int_equal(s.at[0].bound, 1u << first);
        assert_int_equal(s.at[0].bound | s.at[1].bound, 1u << MIX_SP | 1u << MIX_MEM);
        seen |= 1u << first;
    }
    assert_int_equal(seen, 1u << MIX_SP | 1u << MIX_MEM);
}

/* The forms as printed may have several, and not where a kernel would issue more than it has active. */
static void printed_forms(void **unused)
{
    (void)unused;
    const struct mix_options printed = MIX_PRINTED;
    unsigned several = 0;
    for (unsigned round = 0; round < 100; round++) {
        struct mix_profile a = draw(), b = draw();
        for (unsigned p = 0; p < 3; p++) { /* pipes that are fast enough for every warp to issue */
            a.pipe[p].interval *= round % 2 ? 1 : .05;
            b.pipe[p].interval *= round % 2 ? 1 : .05;
        }
        const struct mix_profile *const profile[2] = {&a, &b};
        const double warps[2] = {floor(between(2, 9)), floor(between(2, 9))};
        struct mix_solution s;
        const enum mix_error error = mix_pair(profile, warps, &printed, &s);
        assert_int_equal(error, s.num ? MIX_OK : MIX_NO_EQUILIBRIUM);
        for (unsigned i = 0; i < s.num; i++) {
            for (unsigned k = 0; k < 2; k++)
                assert_true(s.at[i].ipc[k] >= 0 &&
                            s.at[i].ipc[k] <=
                                mix_active(profile[k], s.at[i].ipc[k], warps[k], &printed) + 1e-7);
            for (unsigned p = 0; p < 3; p++)
                assert_true(load(profile, s.at[i].ipc, p) <= 1 + 1e-8);
        }
        several += s.num > 1;
    }
    assert_true(several > 2);
    print_message("as printed, several equilibria: %u of 100\n", several);
}

/* By hand: instructions that nobody waits for. Then Na = N (1 - Pc), whatever the rate, and (9.7) is a line. */
static void by_hand(void **unused)
{
    (void)unused;
    struct mix_profile a = {.warps_per_block = 1}, b = a;
    a.pipe[MIX_SP] = (struct mix_pipe_profile){.share = 1, .interval = 1, .latency = 9};
    a.pipe[MIX_SP].hist[0] = 1;
    b = a;
    struct mix_solution s;
    const struct mix_profile *const profile[2] = {&a, &b};
    assert_int_equal(mix_pair(profile, (const double[]){3, 1}, &chosen, &s), MIX_OK);
    assert_int_equal(s.num, 1);
    assert_int_equal(s.at[0].bound, 1u << MIX_SP);
    within(s.at[0].ipc[0], .75, 1e-9); /* 3 : 1, as their warps */
    within(s.at[0].ipc[1], .25, 1e-9);
    /* Pipes of their own, full: 1 each, and two pipes bind. Dispatch of 1 per cycle halves both. */
    b.pipe[MIX_MEM] = b.pipe[MIX_SP];
    b.pipe[MIX_SP].share = 0;
    assert_int_equal(mix_pair(profile, (const double[]){3, 2}, &chosen, &s), MIX_OK);
    assert_int_equal(s.num, 1);
    assert_int_equal(s.at[0].bound, 1u << MIX_SP | 1u << MIX_MEM);
    within(s.at[0].ipc[0], 1, 1e-9);
    within(s.at[0].ipc[1], 1, 1e-9);
    const struct mix_options narrow = {.dispatch = 1};
    assert_int_equal(mix_pair(profile, (const double[]){3, 2}, &narrow, &s), MIX_OK);
    assert_int_equal(s.at[0].capped, 1);
    within(s.at[0].ipc[0], .5, 1e-9);
    within(s.at[0].ipc[1], .5, 1e-9);
    /* The first is alone in SP and fills it, the second has too few warps to fill MEM. */
    assert_int_equal(mix_pair(profile, (const double[]){3, .5}, &chosen, &s), MIX_OK);
    assert_int_equal(s.at[0].bound, 1u << MIX_SP);
    within(s.at[0].ipc[0], 1, 1e-9);
    within(s.at[0].ipc[1], .5, 1e-9);
    /* (9.1): one lane of SP per unit of utilisation, 2 of MEM. */
    within(mix_utilisation(profile, s.at[0].ipc, MIX_MEM), .5, 1e-12);
    within(mix_system_utilisation(profile, s.at[0].ipc, (const double[]){1, 7, 2}), 2, 1e-12);
    within(mix_system_utilisation(profile, s.at[0].ipc, mix_lanes), 32 + 8, 1e-9);
    within(mix_lanes[MIX_SP] + mix_lanes[MIX_SFU] + mix_lanes[MIX_MEM], 52, 0);
}

/* The text calls the rates piecewise linear in Na. Cleared of quotients (9.7) has a product of both rates, times P[2,p] - P[1,p]. With Na
 * fixed at 4, 5 and 6 for kernel 1, linear rates would be evenly spaced. */
static void not_linear(void **unused)
{
    (void)unused;
    struct mix_profile a = {.warps_per_block = 1}, b;
    for (unsigned p = 0; p < 3; p += 2) {
        a.pipe[p] = (struct mix_pipe_profile){.share = .5, .interval = 1, .latency = 9};
        a.pipe[p].hist[0] = 1;
    }
    b = a;
    a.pipe[MIX_SP].share = .9;
    a.pipe[MIX_MEM].share = .1;
    const struct mix_profile *const profile[2] = {&a, &b};
    double first[3];
    for (unsigned i = 0; i < 3; i++) { /* kernel 1 has 4, 5 and 6 active warps */
        struct mix_solution s;
        assert_int_equal(mix_pair(profile, (const double[]){4 + i, 4}, &chosen, &s), MIX_OK);
        assert_int_equal(s.at[0].bound, 1u << MIX_SP);
        first[i] = s.at[0].ipc[0];
        const double x = first[i], y = s.at[0].ipc[1];
        within(.9 * x * (4 - .5 * y), .5 * y * (4 + i - .1 * x), 1e-8);
    }
    assert_true(fabs(first[0] - 2 * first[1] + first[2]) > 1e-3);
}

/* (9.18) and the search, against a walk over the list. */
static void best_partition(void **unused)
{
    (void)unused;
    const unsigned blocks[6][2] = {{1, 5}, {2, 4}, {3, 3}, {4, 2}, {5, 1}, {2, 5}};
    unsigned differ = 0, moved = 0;
    for (unsigned round = 0; round < 60; round++) {
        const struct mix_profile a = draw(), b = draw();
        const struct mix_profile *const profile[2] = {&a, &b};
        double solo[2];
        struct mix_solution s;
        for (unsigned k = 0; k < 2; k++) {
            assert_int_equal(mix_alone(profile[k], 12, &chosen, &s), MIX_OK);
            solo[k] = s.at[0].ipc[0];
        }
        double most[2] = {-1, -1};
        size_t which[2] = {0};
        for (unsigned i = 0; i < 6; i++) {
            const double warps[2] = {2. * blocks[i][0], 2. * blocks[i][1]};
            assert_int_equal(mix_pair(profile, warps, &chosen, &s), MIX_OK);
            const double *ipc = s.at[0].ipc;
            const double worth[2] = {32 * load(profile, ipc, 0) + 4 * load(profile, ipc, 1) +
                                         16 * load(profile, ipc, 2),
                                     ipc[0] / solo[0] + ipc[1] / solo[1]};
            for (unsigned g = 0; g < 2; g++)
                if (worth[g] > most[g] * (most[g] < 0 ? 1 : 1 + 1e-9)) {
                    most[g] = worth[g];
                    which[g] = i;
                }
        }
        for (unsigned g = 0; g < 2; g++) {
            struct mix_best best;
            assert_int_equal(mix_best(profile, blocks, 6, (enum mix_goal)g, solo, &chosen, &best),
                             MIX_OK);
            within(best.value, most[g], 1e-8);
            assert_int_equal(best.which, which[g]);
            moved += which[g] != 0;
        }
        differ += which[0] != which[1];
    }
    assert_true(differ && moved);
    const double ipc[2] = {.6, 1}, solo[2] = {.8, 2};
    within(mix_ratio(ipc, solo), .75 + .5, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_equilibria), cmocka_unit_test(two_equilibria_in_order),
        cmocka_unit_test(printed_forms),  cmocka_unit_test(by_hand),
        cmocka_unit_test(not_linear),     cmocka_unit_test(best_partition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
