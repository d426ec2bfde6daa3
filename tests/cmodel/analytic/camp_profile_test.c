/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/camp_profile_test.c: profiles from runs beside a stressmark (thesis 3.4), held against curves and lines that are known,
 * and the sums of (3.15) and (3.16) as they stand in the text. */
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

static void profile_of_runs(void **unused)
{
    (void)unused;
    /* Points on a curve and on a line, in any order; API differs from run to run. */
    struct camp_run runs[4] = {{.stress_ways = 5, .api = .02, .mpa = .8},
                               {.stress_ways = 1, .api = .04, .mpa = .2},
                               {.stress_ways = 6, .api = .01, .mpa = .9},
                               {.stress_ways = 2.5, .api = .03, .mpa = .5}};
    struct camp_program p;
    struct fit line;
    enum fit_error why;
    double hist[8], further;
    for (unsigned i = 0; i < 4; i++)
        runs[i].spi = 3 * runs[i].mpa + .5;
    assert_int_equal(camp_profile(runs, 4, 8, 0, &p, &line, &why), CAMP_OK);
    within(p.api, .025, 1e-12); /* (3.14) */
    within(p.alpha, 3, 1e-12);  /* (3.15) */
    within(p.beta, .5, 1e-12);  /* (3.16) */
    within(line.r2, 1, 1e-12);
    for (unsigned i = 0; i < 4; i++) /* (3.12) */
        within(camp_mpa(&p.curve, 8 - runs[i].stress_ways), runs[i].mpa, 1e-12);
    within(camp_mpa(&p.curve, 1), .95, 1e-12);            /* straight to 1 at 0 */
    within(camp_mpa(&p.curve, 7.5), .2 - .5 * .2, 1e-12); /* .3 in 1.5 ways, and on like this */
    within(camp_mpa(&p.curve, 9), 0, 0);
    /* (3.13): .1 of the accesses lie between 2 and 3 ways, .3 between 3 and 5.5, .3 between 5.5 and 7. */
    assert_int_equal(camp_histogram(&p.curve, CAMP_SPREAD, 8, hist, &further), CAMP_OK);
    within(hist[2], .1, 1e-12);
    within(hist[3], .3 / 2.5, 1e-12);
    within(hist[5], .3 / 2.5 / 2 + .3 / 1.5 / 2, 1e-12);
    within(hist[7], .2, 1e-12);
    within(further, 0, 1e-12);
    /* As printed all of it is where the run with more ways was: 2, 3, 5.5 (6), 7. */
    assert_int_equal(camp_histogram(&p.curve, CAMP_AT_END, 8, hist, &further), CAMP_OK);
    const double printed[8] = {0, .1, .1, 0, 0, .3, .3, 0};
    for (unsigned k = 0; k < 8; k++)
        within(hist[k], printed[k], 1e-12);
    within(further, .2, 1e-12);
    within(camp_stress_ways(6, .25), 4.5, 1e-12);
    /* Noise is levelled, up to what is allowed. */
    runs[1].mpa = .52;
    runs[1].spi = 3 * .52 + .5;
    assert_int_equal(camp_profile(runs, 4, 8, .01, &p, &line, &why), CAMP_NOT_MONOTONIC);
    assert_int_equal(camp_profile(runs, 4, 8, .03, &p, &line, &why), CAMP_OK);
    within(camp_mpa(&p.curve, 7), .5, 1e-12);
}

/* (3.15), (3.16) as they stand there, with noise; R2 is one minus what is left of the variance. */
static void line_through_noise(void **unused)
{
    (void)unused;
    for (unsigned round = 0; round < 50; round++) {
        struct camp_run runs[12];
        struct camp_program p;
        struct fit line;
        enum fit_error why;
        double x = 0, y = 0, xx = 0, xy = 0, left = 0, all = 0;
        for (unsigned i = 0; i < 12; i++) {
            runs[i] = (struct camp_run){.stress_ways = i, .api = .01, .mpa = .1 + .07 * i};
            runs[i].spi = 2 + runs[i].mpa + between(-.5, .5);
            x += runs[i].mpa;
            y += runs[i].spi;
            xx += runs[i].mpa * runs[i].mpa;
            xy += runs[i].mpa * runs[i].spi;
        }
        assert_int_equal(camp_profile(runs, 12, 12, 0, &p, &line, &why), CAMP_OK);
        within(p.alpha, (12 * xy - x * y) / (12 * xx - x * x), 1e-9);
        within(p.beta, (y - p.alpha * x) / 12, 1e-9);
        for (unsigned i = 0; i < 12; i++) {
            left += pow(runs[i].spi - p.alpha * runs[i].mpa - p.beta, 2);
            all += pow(runs[i].spi - y / 12, 2);
        }
        within(line.r2, 1 - left / all, 1e-9);
        assert_true(line.r2 < .999);
    }
}

static enum camp_error tried(struct camp_run *runs, unsigned num, double ways, double noise,
                             struct camp_program *p, enum fit_error *why)
{
    struct fit line;
    return camp_profile(runs, num, ways, noise, p, &line, why);
}

static void bad_runs(void **unused)
{
    (void)unused;
    const struct camp_run good[3] = {{1, 1, .4, 2}, {2, 1, .5, 2.4}, {3, 1, .6, 2.8}};
    struct camp_run runs[3];
    struct camp_program p;
    enum fit_error why = FIT_SIZE;
    memcpy(runs, good, sizeof runs);
    assert_int_equal(tried(runs, 3, 4, 0, &p, &why), CAMP_OK);
    assert_int_equal(why, FIT_OK);
    assert_int_equal(tried(runs, 1, 4, 0, &p, &why), CAMP_BAD_SIZE);
    assert_int_equal(tried(runs, CAMP_DISTANCES + 1, 4, 0, &p, &why), CAMP_BAD_SIZE);
    const double bad[4] = {NAN, INFINITY, -1, 1e101};
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(tried(runs, 3, bad[i], 0, &p, &why), CAMP_BAD_RUN);
        assert_int_equal(tried(runs, 3, 4, bad[i], &p, &why), CAMP_BAD_RUN);
        for (unsigned j = 0; j < 4; j++) {
            memcpy(runs, good, sizeof runs);
            *(j == 0   ? &runs[2].stress_ways
              : j == 1 ? &runs[2].api
              : j == 2 ? &runs[2].mpa
                       : &runs[2].spi) = bad[i];
            assert_int_equal(tried(runs, 3, 4, 0, &p, &why), CAMP_BAD_RUN);
        }
    }
    memcpy(runs, good, sizeof runs);
    runs[0].mpa = .7; /* fewer ways for the stressmark, and more misses of the program */
    assert_int_equal(tried(runs, 3, 4, 0, &p, &why), CAMP_NOT_MONOTONIC);
    memcpy(runs, good, sizeof runs);
    assert_int_equal(tried(runs, 3, 3, 0, &p, &why), CAMP_NOT_MONOTONIC); /* none is left */
    runs[2].mpa = 1.5;
    assert_int_equal(tried(runs, 3, 4, 0, &p, &why), CAMP_NOT_MONOTONIC);
    memcpy(runs, good, sizeof runs);
    for (unsigned i = 0; i < 3; i++)
        runs[i].api = 0;
    assert_int_equal(tried(runs, 3, 4, 0, &p, &why), CAMP_BAD_PROGRAM);
}

/* A program that streams misses the same in every run. Its line has no slope that could be told, but SPI is known. */
static void a_stream_has_no_alpha(void **unused)
{
    (void)unused;
    struct camp_run runs[3] = {{1, .1, 1, 2}, {2, .1, 1, 3}, {3, .1, 1, 4}};
    struct camp_program p;
    enum fit_error why;
    assert_int_equal(tried(runs, 3, 4, 0, &p, &why), CAMP_FIT);
    assert_int_equal(why, FIT_RANK);
    assert_int_equal(camp_check(&p), CAMP_OK);
    within(camp_mpa(&p.curve, 7), 1, 0);
    within(p.alpha, 0, 0);
    within(camp_spi(&p, 3), 3, 1e-12);
    within(p.api, .1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profile_of_runs),
        cmocka_unit_test(line_through_noise),
        cmocka_unit_test(bad_runs),
        cmocka_unit_test(a_stream_has_no_alpha),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
