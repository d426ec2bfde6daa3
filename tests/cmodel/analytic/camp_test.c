/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/camp_test.c: profiles and growth (thesis 3.3, 3.4). The curve is held against sums over the histogram, growth against
 * all sequences of a few accesses to an LRU stack and against the recurrence as it stands in the text, fits against lines that are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/analytic/camp.h"

#define ROOM 20000

static double uniform(double low, double high)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return low + (high - low) * (double)(state >> 11) / 9007199254740992.;
}

static void near_to(double is, double should, double error)
{
    if (!(fabs(is - should) <= error * fmax(1, fabs(should))))
        fail_msg("is %.12g, should be %.12g", is, should);
}

/* hist[0 .. num - 1] and the rest; about half are 0. */
static double draw(double *hist, unsigned num)
{
    double further = uniform(.02, 1), sum = further;
    for (unsigned k = 0; k < num; k++)
        sum += hist[k] = uniform(0, 1) < .5 ? uniform(0, 1) : 0;
    for (unsigned k = 0; k < num; k++)
        hist[k] /= sum;
    return further / sum;
}

/* (3.2) at a whole number: the accesses that are further away. */
static double said_mpa(const double *hist, unsigned num, double further, unsigned ways)
{
    for (unsigned k = ways; k < num; k++)
        further += hist[k];
    return further;
}

static void curve(void **unused)
{
    (void)unused;
    for (unsigned round = 0; round < 200; round++) {
        double hist[20];
        struct camp_curve c;
        const unsigned num = 1 + (unsigned)uniform(0, 20);
        const double further = draw(hist, num);
        assert_int_equal(camp_curve(hist, num, further, CAMP_FLAT, &c), CAMP_OK);
        assert_int_equal(camp_check_curve(&c), CAMP_OK);
        near_to(camp_mpa(&c, 0), 1, 0);
        near_to(camp_mpa(&c, -1), 1, 0);
        for (unsigned s = 0; s < num; s++) {
            const double here = said_mpa(hist, num, further, s),
                         next = said_mpa(hist, num, further, s + 1);
            near_to(camp_mpa(&c, s), here, 1e-12);
            near_to(camp_mpa(&c, s + .25), .75 * here + .25 * next, 1e-12);
        }
        near_to(camp_mpa(&c, num), further, 1e-12);
        near_to(camp_mpa(&c, num + 7.5), further, 1e-12);
        c.beyond = CAMP_SLOPE;
        near_to(camp_mpa(&c, num), further, 1e-12);
        near_to(camp_mpa(&c, num + 1.5), fmax(0, further - 1.5 * hist[num - 1]), 1e-12);
    }
}

/* (3.3), (3.4) with art of table 3.2: 580 ns where all misses, 134 ns where none does. */
static void table_3_2(void **unused)
{
    (void)unused;
    struct camp_program art = {.api = .0225, .alpha = 446e-9, .beta = 1.34e-7};
    const double hist[2] = {.5, .5};
    assert_int_equal(camp_curve(hist, 2, 0, CAMP_FLAT, &art.curve), CAMP_OK);
    near_to(camp_spi(&art, 0) * 1e9, 580, 1e-9);
    near_to(camp_spi(&art, 1) * 1e9, 357, 1e-9);
    near_to(camp_spi(&art, 2) * 1e9, 134, 1e-9);
    near_to(camp_aps(&art, 1), .0225 / 357e-9, 1e-9);
    near_to(camp_mps(&art, 1), .5 * .0225 / 357e-9, 1e-9);
    /* alpha of swim is negative, and SPI still positive for every miss rate: a program like any other. */
    struct camp_program swim = art;
    swim.alpha = -99.6e-9;
    swim.beta = 1.97e-7;
    assert_int_equal(camp_check(&swim), CAMP_OK);
}

/* Growth ------------------------------------------------------------------------------------------*/

/* The mean number of lines after `left` more accesses, over all distances that they may have: the lines that are there are the top `lines` of
 * the stack, and one at a distance beyond these is new. Followed line by line, without (3.5). */
static double all_sequences(const double *hist, unsigned num, double further, unsigned *stack,
                            unsigned lines, unsigned left)
{
    double mean = 0;
    if (!left)
        return lines;
    for (unsigned k = 1; k <= num + 1; k++) {
        unsigned next[16];
        const unsigned known = k <= lines && k <= num, from = known ? k - 1 : lines;
        next[0] = known ? stack[k - 1] : lines; /* names are 0, 1, 2 ... as they come */
        memcpy(next + 1, stack, from * sizeof *next);
        memcpy(next + 1 + from, stack + from + known, (lines - from - known) * sizeof *next);
        const double share = k > num ? further : hist[k - 1];
        if (share > 0)
            mean += share * all_sequences(hist, num, further, next, lines + !known, left - 1);
    }
    return mean;
}

static void growth_is_that_of_all_sequences(void **unused)
{
    (void)unused;
    static double at[ROOM];
    for (unsigned round = 0; round < 12; round++) {
        double hist[4];
        unsigned stack[16];
        struct camp_curve c;
        struct camp_growth g;
        const double further = draw(hist, 4);
        assert_int_equal(camp_curve(hist, 4, further, CAMP_FLAT, &c), CAMP_OK);
        assert_int_equal(camp_grow(&c, 16, CAMP_KEEP, at, ROOM, &g), CAMP_OK);
        for (unsigned n = 0; n <= 7; n++)
            near_to(at[n], all_sequences(hist, 4, further, stack, 0, n), 1e-12);
    }
}

/* (3.5) to (3.7) as they stand there: p[s][n] in a table, and G its mean. As printed, s is not bounded but by n. */
static void growth_is_the_recurrence(void **unused)
{
    (void)unused;
    static double at[ROOM], p[202][202];
    for (unsigned round = 0; round < 30; round++) {
        double hist[20];
        struct camp_curve c;
        struct camp_growth g;
        const enum camp_past past = round % 2 ? CAMP_ABSORB : CAMP_KEEP;
        const unsigned ways = 1 + (unsigned)uniform(0, 20);
        const double further = draw(hist, 20);
        assert_int_equal(camp_curve(hist, 20, further, CAMP_FLAT, &c), CAMP_OK);
        c.beyond = round % 3 ? CAMP_FLAT : CAMP_SLOPE;
        assert_int_equal(camp_grow(&c, ways, past, at, 200, &g), CAMP_OK);
        assert_true(g.num <= 200);
        memset(p, 0, sizeof p);
        p[1][1] = 1;
        for (unsigned n = 1; n < g.num; n++) {
            double mean = 0;
            for (unsigned s = 1; s <= n; s++) {
                double miss = s < 20     ? said_mpa(hist, 20, further, s)
                              : c.beyond ? fmax(0, further - hist[19] * (s - 20.))
                                         : further;
                if (past == CAMP_ABSORB && s >= ways)
                    miss = 0;
                mean += s * p[s][n];
                p[s][n + 1] += p[s][n] * (1 - miss);
                p[s + 1][n + 1] += p[s][n] * miss;
            }
            near_to(at[n], mean, 1e-10);
        }
        /* It ends for one of three reasons. */
        assert_true(g.top == at[g.num - 1]);
        assert_true(g.num == 200 || g.saturated || g.top >= ways);
        assert_true(g.num < 3 || at[g.num - 2] < ways);
        if (past == CAMP_ABSORB)
            assert_true(g.top <= ways + 1e-9);
    }
}

/* What the two ways of treating the mass above the cache differ in: kept, the set is full after so many accesses; absorbed, never quite. */
static void kept_or_absorbed(void **unused)
{
    (void)unused;
    static double at[ROOM];
    const double hist[8] = {.1, .1, .1, .1, .1, .1, .1, .1};
    struct camp_curve c;
    struct camp_growth kept, absorbed;
    assert_int_equal(camp_curve(hist, 8, .2, CAMP_FLAT, &c), CAMP_OK);
    assert_int_equal(camp_grow(&c, 8, CAMP_KEEP, at, ROOM, &kept), CAMP_OK);
    assert_true(kept.top >= 8 && !kept.saturated && kept.num < 30);
    assert_int_equal(camp_grow(&c, 8, CAMP_ABSORB, at, ROOM, &absorbed), CAMP_OK);
    assert_true(absorbed.saturated && absorbed.top < 8 && absorbed.top > 8 - 1e-9);
    assert_true(isinf(camp_accesses(&absorbed, 8)));
}

static void inverse(void **unused)
{
    (void)unused;
    static double at[ROOM];
    for (unsigned round = 0; round < 30; round++) {
        double hist[16];
        struct camp_curve c;
        struct camp_growth g;
        const double further = draw(hist, 16);
        assert_int_equal(camp_curve(hist, 16, further, CAMP_FLAT, &c), CAMP_OK);
        assert_int_equal(camp_grow(&c, 16, CAMP_KEEP, at, ROOM, &g), CAMP_OK);
        near_to(camp_accesses(&g, 0), 0, 0);
        near_to(camp_accesses(&g, .5), .5, 1e-12);
        for (size_t n = 0; n + 1 < g.num; n++) {
            assert_true(at[n + 1] > at[n]);
            near_to(camp_accesses(&g, at[n]), (double)n, 1e-9);
            near_to(camp_accesses(&g, .25 * at[n] + .75 * at[n + 1]), (double)n + .75, 1e-9);
        }
        assert_true(isinf(camp_accesses(&g, g.top + 1e-6)));
    }
}

/* Profiles from runs ------------------------------------------------------------------------------*/

static void profile_of_runs(void **unused)
{
    (void)unused;
    /* Points on a curve and on a line, in any order; API differs from run to run. */
    struct camp_run runs[4] = {{.stress_ways = 5, .api = .02, .mpa = .8},
                               {.stress_ways = 1, .api = .04, .mpa = .2},
                               {.stress_ways = 6, .api = .01, .mpa = .9},
                               {.stress_ways = 2.5, .api = .03, .mpa = .5}};
    struct camp_program p;
    double r2, hist[8], further;
    for (unsigned i = 0; i < 4; i++)
        runs[i].spi = 3 * runs[i].mpa + .5;
    assert_int_equal(camp_profile(runs, 4, 8, 0, &p, &r2), CAMP_OK);
    near_to(p.api, .025, 1e-12); /* (3.14) */
    near_to(p.alpha, 3, 1e-12);  /* (3.15) */
    near_to(p.beta, .5, 1e-12);  /* (3.16) */
    near_to(r2, 1, 1e-12);
    for (unsigned i = 0; i < 4; i++) /* (3.12) */
        near_to(camp_mpa(&p.curve, 8 - runs[i].stress_ways), runs[i].mpa, 1e-12);
    near_to(camp_mpa(&p.curve, 1), .95, 1e-12);            /* straight to 1 at 0 */
    near_to(camp_mpa(&p.curve, 7.5), .2 - .5 * .2, 1e-12); /* .3 in 1.5 ways, and on like this */
    near_to(camp_mpa(&p.curve, 9), 0, 0);
    /* (3.13): .1 of the accesses lie between 2 and 3 ways, .3 between 3 and 5.5, .3 between 5.5 and 7. */
    assert_int_equal(camp_histogram(&p.curve, CAMP_SPREAD, 8, hist, &further), CAMP_OK);
    near_to(hist[2], .1, 1e-12);
    near_to(hist[3], .3 / 2.5, 1e-12);
    near_to(hist[5], .3 / 2.5 / 2 + .3 / 1.5 / 2, 1e-12);
    near_to(hist[7], .2, 1e-12);
    near_to(further, 0, 1e-12);
    /* As printed all of it is where the run with more ways was: 2, 3, 5.5 (6), 7. */
    assert_int_equal(camp_histogram(&p.curve, CAMP_AT_END, 8, hist, &further), CAMP_OK);
    const double printed[8] = {0, .1, .1, 0, 0, .3, .3, 0};
    for (unsigned k = 0; k < 8; k++)
        near_to(hist[k], printed[k], 1e-12);
    near_to(further, .2, 1e-12);
    near_to(camp_stress_ways(6, .25), 4.5, 1e-12);
    /* Noise is levelled, up to what is allowed. */
    runs[1].mpa = .52;
    runs[1].spi = 3 * .52 + .5;
    assert_int_equal(camp_profile(runs, 4, 8, .01, &p, &r2), CAMP_NOT_MONOTONIC);
    assert_int_equal(camp_profile(runs, 4, 8, .03, &p, &r2), CAMP_OK);
    near_to(camp_mpa(&p.curve, 7), .5, 1e-12);
}

/* (3.15), (3.16) as they stand there, with noise; R2 is one minus what is left of the variance. */
static void line_through_noise(void **unused)
{
    (void)unused;
    for (unsigned round = 0; round < 50; round++) {
        struct camp_run runs[12];
        struct camp_program p;
        double r2, x = 0, y = 0, xx = 0, xy = 0, left = 0, all = 0;
        for (unsigned i = 0; i < 12; i++) {
            runs[i] = (struct camp_run){.stress_ways = i, .api = .01, .mpa = .1 + .07 * i};
            runs[i].spi = 2 + runs[i].mpa + uniform(-.5, .5);
            x += runs[i].mpa;
            y += runs[i].spi;
            xx += runs[i].mpa * runs[i].mpa;
            xy += runs[i].mpa * runs[i].spi;
        }
        assert_int_equal(camp_profile(runs, 12, 12, 0, &p, &r2), CAMP_OK);
        near_to(p.alpha, (12 * xy - x * y) / (12 * xx - x * x), 1e-9);
        near_to(p.beta, (y - p.alpha * x) / 12, 1e-9);
        for (unsigned i = 0; i < 12; i++) {
            left += pow(runs[i].spi - p.alpha * runs[i].mpa - p.beta, 2);
            all += pow(runs[i].spi - y / 12, 2);
        }
        near_to(r2, 1 - left / all, 1e-9);
        assert_true(r2 < .999);
    }
}

static void bad_input(void **unused)
{
    (void)unused;
    double hist[3] = {.5, .2, .2}, at[8], further;
    struct camp_curve c, good;
    struct camp_growth g;
    assert_int_equal(camp_curve(hist, 3, .1, CAMP_FLAT, &good), CAMP_OK);
    assert_int_equal(camp_curve(hist, 3, .2, CAMP_FLAT, &c), CAMP_BAD_HISTOGRAM);
    assert_int_equal(camp_curve(hist, 3, NAN, CAMP_FLAT, &c), CAMP_NOT_FINITE);
    assert_int_equal(camp_curve(hist, 0, .1, CAMP_FLAT, &c), CAMP_BAD_SIZE);
    assert_int_equal(camp_curve(hist, CAMP_DISTANCES + 1, .1, CAMP_FLAT, &c), CAMP_BAD_SIZE);
    hist[0] = 1.2;
    hist[1] = -.5;
    assert_int_equal(camp_curve(hist, 3, .1, CAMP_FLAT, &c), CAMP_BAD_HISTOGRAM);
    hist[1] = .2;
    hist[0] = .8;
    assert_int_equal(camp_curve(hist, 3, -.2, CAMP_FLAT, &c), CAMP_BAD_HISTOGRAM);
#define TRY(member, value, error)                                                                  \
    c = good;                                                                                      \
    c.member = value;                                                                              \
    assert_int_equal(camp_check_curve(&c), error);                                                 \
    assert_int_equal(camp_grow(&c, 4, CAMP_KEEP, at, 8, &g), error);                               \
    assert_int_equal(camp_histogram(&c, CAMP_SPREAD, 3, hist, &further), error)
    TRY(num, 1, CAMP_BAD_SIZE);
    TRY(num, CAMP_POINTS + 1, CAMP_BAD_SIZE);
    TRY(mpa[2], NAN, CAMP_NOT_FINITE);
    TRY(ways[2], INFINITY, CAMP_NOT_FINITE);
    TRY(mpa[2], .6, CAMP_NOT_MONOTONIC);
    TRY(mpa[3], -.1, CAMP_NOT_MONOTONIC);
    TRY(mpa[0], .9, CAMP_NOT_MONOTONIC);
    TRY(ways[2], 1, CAMP_NOT_MONOTONIC);
    TRY(ways[0], .5, CAMP_NOT_MONOTONIC);
    assert_int_equal(camp_grow(&good, 0, CAMP_KEEP, at, 8, &g), CAMP_BAD_SIZE);
    assert_int_equal(camp_grow(&good, CAMP_WAYS + 1, CAMP_KEEP, at, 8, &g), CAMP_BAD_SIZE);
    assert_int_equal(camp_grow(&good, 4, CAMP_KEEP, at, 1, &g), CAMP_BAD_SIZE);
    assert_int_equal(camp_histogram(&good, CAMP_SPREAD, 0, hist, &further), CAMP_BAD_SIZE);
    struct camp_program p = {.curve = good, .api = 1, .alpha = -2, .beta = 1};
    assert_int_equal(camp_check(&p), CAMP_BAD_PROGRAM);
    p.alpha = 1;
    p.beta = 0;
    assert_int_equal(camp_check(&p), CAMP_BAD_PROGRAM);
    p.beta = NAN;
    assert_int_equal(camp_check(&p), CAMP_NOT_FINITE);
    p.beta = 1;
    p.api = 0;
    assert_int_equal(camp_check(&p), CAMP_BAD_PROGRAM);
    struct camp_run runs[3] = {{1, 1, .5, 2}, {2, 1, .5, 3}, {3, 1, .5, 4}};
    assert_int_equal(camp_profile(runs, 3, 4, 0, &p, NULL), CAMP_SINGULAR);
    assert_int_equal(camp_profile(runs, 1, 4, 0, &p, NULL), CAMP_BAD_SIZE);
    runs[0].mpa = .6; /* fewer ways for the stressmark, and more misses of the program */
    assert_int_equal(camp_profile(runs, 3, 4, 0, &p, NULL), CAMP_NOT_MONOTONIC);
    runs[0].mpa = NAN;
    assert_int_equal(camp_profile(runs, 3, 4, 0, &p, NULL), CAMP_NOT_FINITE);
    for (unsigned i = 0; i < NUM_CAMP_ERRORS; i++)
        assert_true(strlen(camp_reason((enum camp_error)i)) > 5);
    assert_string_equal(camp_reason((enum camp_error)99), "no such error");
}

/* A table that ends early is no error while others fill the cache; a program that needs little is saturated. */
static void tables_end(void **unused)
{
    (void)unused;
    double at[400];
    const double hist[3] = {.5, .3, .2};
    struct camp_curve c;
    struct camp_growth g;
    assert_int_equal(camp_curve(hist, 3, 0, CAMP_FLAT, &c), CAMP_OK);
    assert_int_equal(camp_grow(&c, 8, CAMP_KEEP, at, 5, &g), CAMP_OK);
    assert_true(!g.saturated && g.num == 5);
    assert_int_equal(camp_grow(&c, 8, CAMP_KEEP, at, 400, &g), CAMP_OK);
    assert_true(g.saturated);
    near_to(g.top, 3, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curve),
        cmocka_unit_test(table_3_2),
        cmocka_unit_test(growth_is_that_of_all_sequences),
        cmocka_unit_test(growth_is_the_recurrence),
        cmocka_unit_test(kept_or_absorbed),
        cmocka_unit_test(inverse),
        cmocka_unit_test(profile_of_runs),
        cmocka_unit_test(line_through_noise),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(tables_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
