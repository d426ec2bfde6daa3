/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/train/target_test.c: scores, targets, scaling, selection and features, worked out by
 * hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/cli/train/train.h"

static const struct thresholds table_iv = {.speedup = 1.015, .cycles = 10000};

/* A pair, and the speed-up there over 120,000 cycles. */
struct gain {
    int64_t n, p;
    double speedup;
};

static void add(struct kernels *all, int warps, const struct gain *gains, int count)
{
    all->items = realloc(all->items, (size_t)(all->count + 1) * sizeof *all->items);
    struct kernel *k = &all->items[all->count++];
    *k = (struct kernel){.workload = strdup("w"), .label = strdup("w"), .name = strdup("k")};
    k->places = calloc((size_t)count, sizeof *k->places);
    for (k->count = 0; k->count < count; k->count++)
        k->places[k->count] = (struct place){.n = gains[k->count].n,
                                             .p = gains[k->count].p,
                                             .swept_n = gains[k->count].n,
                                             .swept_p = gains[k->count].p,
                                             .cycles = 120000 / gains[k->count].speedup,
                                             .launches = 1,
                                             .accesses = 100,
                                             .hits = 10,
                                             .warps = warps};
}
#define ADD(all, warps, gains) add(all, warps, gains, sizeof(gains) / sizeof((gains)[0]))

static double score_at(const struct kernel *k, int64_t n, int64_t p)
{
    for (int i = 0; i < k->count; i++)
        if (k->places[i].n == n && k->places[i].p == p)
            return k->places[i].score;
    fail_msg("no (%d, %d)", (int)n, (int)p);
    return 0;
}

/* All six pairs. (3, 2) is best, but its neighbour (3, 1) is a cliff: (1, 1) has the better score. */
static void scores_avoid_cliffs(void **unused)
{
    static const struct gain gains[] = {{1, 1, 1.4}, {2, 1, 1.4}, {2, 2, 1.4},
                                        {3, 1, 0.5}, {3, 2, 1.5}, {3, 3, 1}};
    struct kernels all = {0};
    (void)unused;
    ADD(&all, 3, gains);
    assert_int_equal(kernels_choose(&all, &table_iv), 0);
    const struct kernel *k = &all.items[0];
    assert_float_equal(score_at(k, 3, 2), (1.5 + 0.5 * (0.5 + 1 + 1.4) + 0.25 * 1.4) / 2.75, 1e-9);
    assert_float_equal(score_at(k, 1, 1), (1.4 + 0.5 * 1.4 + 0.25 * 1.4) / 1.75, 1e-9);
    assert_float_equal(score_at(k, 2, 1), (1.4 + 0.5 * (1.4 + 0.5 + 1.4) + 0.25 * 1.5) / 2.75,
                       1e-9);
    assert_true(k->target->n == 1 && k->target->p == 1);
    assert_float_equal(k->best, 1.5, 1e-9);
    assert_int_equal(k->outputs[0], 8); /* 1 of 3 is 8 of 24 */
    assert_int_equal(k->outputs[1], 8);
    kernels_free(&all);
}

/* Where the sweep has no neighbour at an offset of 1, a pair stands for itself; of equal scores the
 * larger pair is taken. */
static void thin_grids(void **unused)
{
    static const struct gain gains[] = {
        {1, 1, 1}, {4, 1, 1.5}, {4, 4, 1.5}, {8, 8, 1}, {8, 4, 0.5}};
    struct kernels all = {0};
    (void)unused;
    ADD(&all, 8, gains);
    assert_int_equal(kernels_choose(&all, &table_iv), 0);
    for (int i = 0; i < 5; i++)
        assert_float_equal(all.items[0].places[i].score, all.items[0].places[i].speedup, 1e-12);
    assert_true(all.items[0].target->n == 4 && all.items[0].target->p == 4);
    kernels_free(&all);
}

/* A kernel of two warps: N and p above 2 limit nothing, and the pair that limits least counts. */
static void pairs_beyond_the_warps(void **unused)
{
    static const struct gain gains[] = {{1, 1, 1.3}, {2, 1, 7},  {2, 2, 9}, {4, 1, 1.2},
                                        {4, 2, 5},   {4, 3, 11}, {4, 4, 1}};
    struct kernels all = {0};
    (void)unused;
    ADD(&all, 2, gains);
    assert_int_equal(kernels_choose(&all, &table_iv), 0);
    const struct kernel *k = &all.items[0];
    assert_int_equal(k->count, 3);
    assert_float_equal(k->whole->speedup, 1, 1e-12);
    assert_float_equal(k->best, 1.3, 1e-12);
    assert_float_equal(score_at(k, 2, 1), (1.2 + 0.5 * (1 + 1.3)) / 2, 1e-12);
    assert_int_equal(k->warps, 2);
    assert_int_equal(k->outputs[0], 12); /* (1, 1): (1.3 + 0.5 1.2 + 0.25) / 1.75 = 1.229 */
    kernels_free(&all);
}

/* 5 and 1 of 16 warps are 7.5 and 1.5 of 24: rounded. The grid does not fill the SM: N up to 6 is all
 * that the sweep has, and limits nothing; W is that of the kernel. */
static void scaling(void **unused)
{
    static const struct gain gains[] = {{1, 1, 1}, {5, 1, 1.5}, {6, 6, 1}};
    struct kernels all = {0};
    (void)unused;
    ADD(&all, 16, gains);
    assert_int_equal(kernels_choose(&all, &table_iv), 0);
    assert_int_equal(all.items[0].outputs[0], 8);
    assert_int_equal(all.items[0].outputs[1], 2);
    kernels_free(&all);
}

/* Table IV, each limit from both sides. */
static void selection(void **unused)
{
    static const struct gain good[] = {{1, 1, 1.0151}, {2, 2, 1}},
                             poor[] = {{1, 1, 1.0149}, {2, 2, 1}},
                             no_lone[] = {{2, 1, 2}, {2, 2, 1}},
                             no_whole[] = {{1, 1, 2}, {2, 1, 1}};
    struct kernels all = {0};
    (void)unused;
    ADD(&all, 2, poor);
    ADD(&all, 2, good);
    ADD(&all, 2, no_lone);
    ADD(&all, 2, no_whole);
    ADD(&all, 2, good);
    all.items[4].places[1].launches = 13; /* of 120,000 cycles */
    ADD(&all, 2, good);
    all.items[5].places[1].launches = 12;
    ADD(&all, 2, good);
    all.items[6].places[0].hits = 0; /* all hits were at (2, 2) */
    assert_int_equal(kernels_choose(&all, &table_iv), 0);
    static const enum reason expected[] = {REASON_NONE,    REASON_NONE,     REASON_NO_GAIN,
                                           REASON_NO_LONE, REASON_NO_WHOLE, REASON_SHORT,
                                           REASON_NO_HITS};
    assert_int_equal(all.used, 2);
    for (int i = 0; i < all.count; i++)
        assert_int_equal(all.items[i].reason, expected[i]);
    kernels_free(&all);
}

static void a_pair_twice(void **unused)
{
    static const struct gain gains[] = {{1, 1, 1.3}, {2, 2, 1}, {1, 1, 1.3}};
    struct kernels all = {0};
    (void)unused;
    ADD(&all, 2, gains);
    assert_int_equal(kernels_choose(&all, &table_iv), -1);
    kernels_free(&all);
}

static void features(void **unused)
{
    struct place whole = {.instructions = 4000,
                          .loads = 500,
                          .accesses = 1000,
                          .hits = 300,
                          .own_hits = 200,
                          .waited = 50000},
                 lone = {.accesses = 800, .hits = 400, .own_hits = 320, .waited = 16000};
    static const double expected[] = {0.3, 0.5, 0.2, 0.4, 0.04, 0.32, 0.09, 1};
    double x[NUM_FEATURES];
    (void)unused;
    features_of(&whole, &lone, x);
    for (int i = 0; i < NUM_FEATURES; i++)
        assert_float_equal(x[i], expected[i], 1e-12);
    whole.loads = 4; /* 1000 instructions a load: more than the register holds */
    whole.waited = 1e7;
    features_of(&whole, &lone, x);
    assert_float_equal(x[5], 65535 / 256.0 * 0.04, 1e-9);
    assert_float_equal(x[6], (65535 / 16.0 - 20) * (65535 / 16.0 - 20) / 1e4, 1e-6);
    whole = lone = (struct place){0};
    features_of(&whole, &lone, x);
    for (int i = 0; i < NUM_FEATURES; i++)
        assert_true(x[i] == (i == 7));
}

/* e^2 = 7.39 of 24 warps is 2.46 of 8; e^10 is beyond all; p is at most N. */
static void predictions(void **unused)
{
    static const struct gain gains[] = {{1, 1, 1.1}, {2, 1, 1.2}, {2, 2, 1.3}, {8, 8, 1}};
    double weights[2][NUM_FEATURES] = {0};
    struct kernels all = {0};
    (void)unused;
    ADD(&all, 8, gains);
    assert_int_equal(kernels_choose(&all, &table_iv), 0);
    weights[0][7] = 2;
    kernels_predict(&all, weights);
    assert_int_equal(all.items[0].predicted[0], 2);
    assert_int_equal(all.items[0].predicted[1], 1); /* 1 of 24 is 0.33 of 8: at least 1 */
    assert_float_equal(all.items[0].at->speedup, 1.2, 1e-12);
    assert_true(all.items[0].target->n == 2 && all.items[0].target->p == 2);
    assert_float_equal(kernels_error(&all, 0), 0, 1e-12);
    assert_float_equal(kernels_error(&all, 1), 0.5, 1e-12);
    weights[1][7] = 10;
    kernels_predict(&all, weights);
    assert_int_equal(all.items[0].predicted[1], 2);
    weights[0][7] = 1e9;
    kernels_predict(&all, weights);
    assert_true(all.items[0].predicted[0] == 8 && all.items[0].predicted[1] == 8);
    weights[0][7] = 1.9; /* 6.69 of 24: 2.23; 1.4 of x1 = 0.1 more: 2.56 */
    weights[0][0] = 1.4;
    kernels_predict(&all, weights);
    assert_int_equal(all.items[0].predicted[0], 3);
    assert_null(all.items[0].at);
    kernels_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_avoid_cliffs),
        cmocka_unit_test(thin_grids),
        cmocka_unit_test(pairs_beyond_the_warps),
        cmocka_unit_test(scaling),
        cmocka_unit_test(selection),
        cmocka_unit_test(a_pair_twice),
        cmocka_unit_test(features),
        cmocka_unit_test(predictions),
    };
    return cmocka_run_group_tests_name("tb/cli/train/target", tests, NULL, NULL);
}
