/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/camp_test.c: curves and growth (thesis 3.3). The curve is held against sums over the histogram, growth against
 * all sequences of a few accesses to an LRU stack and against the recurrence as it stands in the text. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/analytic/camp.h"
#include "tests/cmodel/analytic/numbers.h"

#define ROOM 20000

/* hist[0 .. num - 1] and the rest; about half are 0. */
static double draw(double *hist, unsigned num)
{
    double further = between(.02, 1), sum = further;
    for (unsigned k = 0; k < num; k++)
        sum += hist[k] = between(0, 1) < .5 ? between(0, 1) : 0;
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
        const unsigned num = 1 + (unsigned)between(0, 20);
        const double further = draw(hist, num);
        assert_int_equal(camp_curve(hist, num, further, CAMP_FLAT, &c), CAMP_OK);
        assert_int_equal(camp_check_curve(&c), CAMP_OK);
        within(camp_mpa(&c, 0), 1, 0);
        within(camp_mpa(&c, -1), 1, 0);
        for (unsigned s = 0; s < num; s++) {
            const double here = said_mpa(hist, num, further, s),
                         next = said_mpa(hist, num, further, s + 1);
            within(camp_mpa(&c, s), here, 1e-12);
            within(camp_mpa(&c, s + .25), .75 * here + .25 * next, 1e-12);
        }
        within(camp_mpa(&c, num), further, 1e-12);
        within(camp_mpa(&c, num + 7.5), further, 1e-12);
        c.beyond = CAMP_SLOPE;
        within(camp_mpa(&c, num), further, 1e-12);
        within(camp_mpa(&c, num + 1.5), fmax(0, further - 1.5 * hist[num - 1]), 1e-12);
    }
}

/* Growth ------------------------------------------------------------------------------------------*/

/* A random histogram, its curve, and the share beyond it. */
static double draw_curve(double *hist, unsigned num, struct camp_curve *c)
{
    const double further = draw(hist, num);
    assert_int_equal(camp_curve(hist, num, further, CAMP_FLAT, c), CAMP_OK);
    return further;
}

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
        const double further = draw_curve(hist, 4, &c);
        assert_int_equal(camp_grow(&c, 16, CAMP_KEEP, at, ROOM, &g), CAMP_OK);
        for (unsigned n = 0; n <= 7; n++)
            within(at[n], all_sequences(hist, 4, further, stack, 0, n), 1e-12);
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
        const unsigned ways = 1 + (unsigned)between(0, 20);
        const double further = draw_curve(hist, 20, &c);
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
            within(at[n], mean, 1e-10);
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
        draw_curve(hist, 16, &c);
        assert_int_equal(camp_grow(&c, 16, CAMP_KEEP, at, ROOM, &g), CAMP_OK);
        within(camp_accesses(&g, 0), 0, 0);
        within(camp_accesses(&g, .5), .5, 1e-12);
        for (size_t n = 0; n + 1 < g.num; n++) {
            assert_true(at[n + 1] > at[n]);
            within(camp_accesses(&g, at[n]), (double)n, 1e-9);
            within(camp_accesses(&g, .25 * at[n] + .75 * at[n + 1]), (double)n + .75, 1e-9);
        }
        assert_true(isinf(camp_accesses(&g, g.top + 1e-6)));
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
    TRY(ways[2], 1 + 1e-12, CAMP_NOT_MONOTONIC);
    TRY(ways[0], .5, CAMP_NOT_MONOTONIC);
    assert_int_equal(camp_grow(&good, 0, CAMP_KEEP, at, 8, &g), CAMP_BAD_SIZE);
    assert_int_equal(camp_grow(&good, CAMP_WAYS + 1, CAMP_KEEP, at, 8, &g), CAMP_BAD_SIZE);
    assert_int_equal(camp_grow(&good, 4, CAMP_KEEP, at, 1, &g), CAMP_BAD_SIZE);
    assert_int_equal(camp_histogram(&good, CAMP_SPREAD, 0, hist, &further), CAMP_BAD_SIZE);
    struct camp_program p = {.curve = good, .api = 1, .alpha = -2, .beta = 1};
    assert_int_equal(camp_check(&p), CAMP_BAD_PROGRAM);
    p.alpha = 1e101;
    assert_int_equal(camp_check(&p), CAMP_BAD_PROGRAM);
    p.alpha = 1;
    p.beta = 1e-101;
    assert_int_equal(camp_check(&p), CAMP_BAD_PROGRAM);
    p.beta = 0;
    assert_int_equal(camp_check(&p), CAMP_BAD_PROGRAM);
    p.beta = NAN;
    assert_int_equal(camp_check(&p), CAMP_NOT_FINITE);
    p.beta = 1;
    p.api = 1e-101;
    assert_int_equal(camp_check(&p), CAMP_BAD_PROGRAM);
    p.api = 0;
    assert_int_equal(camp_check(&p), CAMP_BAD_PROGRAM);
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
    within(g.top, 3, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curve),
        cmocka_unit_test(growth_is_that_of_all_sequences),
        cmocka_unit_test(growth_is_the_recurrence),
        cmocka_unit_test(kept_or_absorbed),
        cmocka_unit_test(inverse),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(tables_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
