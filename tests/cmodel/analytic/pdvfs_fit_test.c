/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/pdvfs_fit_test.c: the models of P-DVFS (thesis 5.3.1, 5.3.2), restated: the printed sums in long double, the power term by
 * term. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cmodel/analytic/pdvfs_models.h"

/* (5.4) to (5.6), the printed sums in long double; noise, so that they have something to average. */
static void coefficients_are_those_of_the_printed_sums(void **unused)
{
    (void)unused;
    for (unsigned round = 0; round < 500; round++) {
        const unsigned n = 2 + (unsigned)(uniform() * (PDVFS_POINTS - 1));
        const struct pdvfs_speed v = random_speed();
        struct pdvfs_point p[PDVFS_POINTS];
        long double sx = 0, sy = 0, sxx = 0, sxy = 0;
        for (unsigned i = 0; i < n; i++) {
            p[i].mpi = 0.01 * uniform();
            p[i].hz = levels.hz[(unsigned)(uniform() * 4)];
            p[i].cpi =
                (v.c1 * p[i].mpi + v.c2 / p[i].hz) * p[i].hz * (1 + 0.02 * (uniform() - 0.5));
            const long double x = p[i].mpi * p[i].hz, y = p[i].cpi;
            sx += x;
            sy += y;
            sxx += x * x;
            sxy += x * y;
        }
        const long double c1 = (n * sxy - sx * sy) / (n * sxx - sx * sx), c2 = (sy - c1 * sx) / n;
        struct pdvfs_speed found;
        struct fit quality;
        enum fit_error why;
        const enum pdvfs_error error = pdvfs_fit_speed(p, n, &found, &quality, &why);
        assert_int_equal(error, c1 < 0 || c2 <= 0 ? PDVFS_SPEED : PDVFS_OK);
        near(found.c1, (double)c1, 1e-9);
        near(found.c2, (double)c2, 1e-9);
    }
    assert_true(pdvfs_spi(&(struct pdvfs_speed){1e-7, 0.6}, 0.005, 2e9) ==
                1e-7 * 0.005 + 0.6 / 2e9);
}

static void points_that_say_nothing_are_an_error(void **unused)
{
    (void)unused;
    struct pdvfs_point p[PDVFS_POINTS + 1];
    struct pdvfs_speed v;
    struct fit quality;
    enum fit_error why = FIT_OK;
    for (unsigned i = 0; i <= PDVFS_POINTS; i++)
        p[i] = (struct pdvfs_point){0.005, 2.4e9, 1.5};
    assert_int_equal(pdvfs_fit_speed(p, 20, &v, &quality, &why), PDVFS_FIT);
    assert_int_equal(why, FIT_RANK);
    assert_int_equal(quality.column, 1);
    assert_int_equal(pdvfs_fit_speed(p, 1, &v, &quality, &why), PDVFS_SIZE);
    assert_int_equal(pdvfs_fit_speed(p, PDVFS_POINTS + 1, &v, &quality, &why), PDVFS_SIZE);
    p[3].mpi = 0.006;
    p[3].cpi = 1.4; /* more misses, less time: c1 below 0 */
    assert_int_equal(pdvfs_fit_speed(p, 20, &v, &quality, &why), PDVFS_SPEED);
    assert_true(v.c1 < 0);
    p[3].cpi = 99; /* so much more that nothing is left for c2 */
    assert_int_equal(pdvfs_fit_speed(p, 20, &v, &quality, &why), PDVFS_SPEED);
    assert_true(v.c2 < 0);
    const double bad[] = {NAN, INFINITY, -1};
    for (unsigned b = 0; b < 3; b++)
        for (unsigned member = 0; member < 3; member++) {
            p[3] = (struct pdvfs_point){0.006, 2.4e9, 1.6};
            *(member == 0 ? &p[3].mpi : member == 1 ? &p[3].hz : &p[3].cpi) = bad[b];
            assert_int_equal(pdvfs_fit_speed(p, 20, &v, &quality, &why), PDVFS_RANGE);
        }
}

/* (5.7), and a table in place of f^1.5; what a characterisation finds again. */
static void power_is_that_of_rates_and_frequency(void **unused)
{
    (void)unused;
    enum { SAMPLES = 80 };
    double rates[SAMPLES][NUM_PDVFS_EVENTS], measured[SAMPLES], work[PDVFS_POWER_WORK(SAMPLES)];
    unsigned level[SAMPLES];
    for (unsigned voltage = 0; voltage < 2; voltage++) {
        struct pdvfs_power p = mcf, found = {.voltage = (enum pdvfs_voltage)voltage};
        const double terms[4] = {1.1, 2.0, 3.7, 4.9};
        p.voltage = found.voltage;
        memcpy(p.term, terms, sizeof terms);
        memcpy(found.term, terms, sizeof terms);
        for (unsigned s = 0; s < SAMPLES; s++) {
            level[s] = s % 4;
            for (unsigned e = 0; e < NUM_PDVFS_EVENTS; e++)
                rates[s][e] = uniform() * (e == PDVFS_L1D ? 1e9 : 1e7);
            assert_int_equal(pdvfs_watts(&p, &levels, s % 4, rates[s], &measured[s]), PDVFS_OK);
            const double f = levels.hz[s % 4] / 1e9,
                         right = 4.778 + 2.2864e-9 * rates[s][0] + 6.517e-8 * rates[s][1] -
                                 3.596e-7 * rates[s][2] + 6.342e-9 * rates[s][3] -
                                 3.136e-9 * rates[s][4] +
                                 4.308 * (voltage ? terms[s % 4] : f * sqrt(f));
            near(measured[s], right, 1e-12);
        }
        struct fit quality;
        enum fit_error why;
        assert_int_equal(pdvfs_fit_power((const double(*)[NUM_PDVFS_EVENTS])rates, level, measured,
                                         SAMPLES, &levels, work, &found, &quality, &why),
                         PDVFS_OK);
        for (unsigned c = 0; c < 7; c++)
            near(found.b[c], mcf.b[c], 1e-8);
        for (unsigned s = 0; s < SAMPLES; s++)
            level[s] = 2; /* one frequency only: b6 cannot be told from b0 */
        assert_int_equal(pdvfs_fit_power((const double(*)[NUM_PDVFS_EVENTS])rates, level, measured,
                                         SAMPLES, &levels, work, &found, &quality, &why),
                         PDVFS_FIT);
        assert_int_equal(quality.column, 6);
        level[3] = 4;
        assert_int_equal(pdvfs_fit_power((const double(*)[NUM_PDVFS_EVENTS])rates, level, measured,
                                         SAMPLES, &levels, work, &found, &quality, &why),
                         PDVFS_SIZE);
    }
}

/* Of samples that tell all seven apart the same; else what comes first, b0 and b6, keeps its coefficient, and (5.7) still has what was measured. */
static void what_samples_do_not_tell_is_left_out(void **unused)
{
    (void)unused;
    enum { SAMPLES = 40 };
    double rates[SAMPLES][NUM_PDVFS_EVENTS], measured[SAMPLES], work[PDVFS_POWER_WORK(SAMPLES)];
    unsigned level[SAMPLES];
    struct pdvfs_samples all = {SAMPLES, &levels, (const double(*)[NUM_PDVFS_EVENTS])rates, level,
                                measured};
    struct fit quality;
    enum fit_error why;
    for (unsigned alike = 0; alike < 4; alike++) {
        struct pdvfs_power found = {.voltage = PDVFS_VOLTAGE_F15};
        for (unsigned s = 0; s < SAMPLES; s++) {
            level[s] = s % 4;
            for (unsigned e = 0; e < NUM_PDVFS_EVENTS; e++)
                rates[s][e] = (1 + uniform()) * (e == PDVFS_L1D ? 1e9 : 1e7);
            if (alike >= 1)
                rates[s][PDVFS_L2] = rates[s][PDVFS_L1D] / 7;
            if (alike >= 2)
                rates[s][PDVFS_BRANCH] = 0;
            assert_int_equal(pdvfs_watts(&mcf, &levels, s % 4, rates[s], &measured[s]), PDVFS_OK);
        }
        all.num = alike == 3 ? 4 : SAMPLES; /* b0, b6, and two events */
        assert_int_equal(pdvfs_fit_power_told(&all, work, &found, &quality, &why), PDVFS_OK);
        for (unsigned s = 0; s < all.num; s++) {
            double watts;
            assert_int_equal(pdvfs_watts(&found, &levels, level[s], rates[s], &watts), PDVFS_OK);
            near(watts, measured[s], 1e-8);
        }
        if (alike < 3) {
            near(found.b[0], mcf.b[0], 1e-7);
            near(found.b[6], mcf.b[6], 1e-7);
            near(found.b[1 + PDVFS_FP], mcf.b[1 + PDVFS_FP], 1e-6);
            near(found.b[1], mcf.b[1] + (alike ? mcf.b[2] / 7 : 0), 1e-6);
        }
        near(quality.r2, 1, 1e-6); /* of the fit that is taken, not of one that was refused */
        assert_true((found.b[2] == 0) == (alike >= 1) && (found.b[5] == 0) == (alike >= 2));
        assert_true((found.b[1 + PDVFS_FP] == 0) == (alike == 3));
    }
    all.num = 1;
    struct pdvfs_power found = {.voltage = PDVFS_VOLTAGE_F15};
    assert_int_equal(pdvfs_fit_power_told(&all, work, &found, &quality, &why), PDVFS_OK);
    near(found.b[0], measured[0], 1e-12); /* one number is all that one sample tells */
    all.num = 0;
    assert_int_equal(pdvfs_fit_power_told(&all, work, &found, &quality, &why), PDVFS_SIZE);
    all.num = SAMPLES;
    rates[7][2] = NAN;
    assert_int_equal(pdvfs_fit_power_told(&all, work, &found, &quality, &why), PDVFS_RANGE);
}

/* More points than the ring of the loop has. */
static void any_number_of_points(void **unused)
{
    (void)unused;
    enum { POINTS = 3 * PDVFS_POINTS };
    struct pdvfs_point p[POINTS];
    double work[PDVFS_SPEED_WORK(POINTS)];
    struct pdvfs_speed found;
    struct fit quality;
    enum fit_error why;
    for (unsigned i = 0; i < POINTS; i++) {
        p[i] = (struct pdvfs_point){.mpi = 0.01 * uniform(), .hz = levels.hz[i % 4]};
        p[i].cpi = 7e-8 * p[i].mpi * p[i].hz + 0.9;
    }
    assert_int_equal(pdvfs_fit_speed_of(p, POINTS, work, &found, &quality, &why), PDVFS_OK);
    near(found.c1, 7e-8, 1e-9);
    near(found.c2, 0.9, 1e-9);
    p[POINTS - 1].cpi += 1; /* the last one counts */
    assert_int_equal(pdvfs_fit_speed_of(p, POINTS, work, &found, &quality, &why), PDVFS_OK);
    assert_true(fabs(found.c2 - 0.9) > 1e-4 || fabs(found.c1 - 7e-8) > 1e-12);
    assert_int_equal(pdvfs_fit_speed_of(p, 1, work, &found, &quality, &why), PDVFS_SIZE);
}

/* As (5.8) is printed, ten million floating-point instructions a second take six megawatts. */
static void the_printed_coefficient_of_mcf_has_lost_its_exponent(void **unused)
{
    (void)unused;
    const double rates[NUM_PDVFS_EVENTS] = {4e8, 2e7, 7e6, 1e7, 2e8};
    struct pdvfs_power printed = mcf;
    double w;
    printed.b[1 + PDVFS_FP] = 0.6342;
    assert_int_equal(pdvfs_watts(&printed, &levels, 3, rates, &w), PDVFS_OK);
    assert_true(w > 6.3e6 && w < 6.4e6);
    assert_int_equal(pdvfs_watts(&mcf, &levels, 3, rates, &w), PDVFS_OK);
    assert_true(w > 15 && w < 30); /* a processor */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coefficients_are_those_of_the_printed_sums),
        cmocka_unit_test(points_that_say_nothing_are_an_error),
        cmocka_unit_test(power_is_that_of_rates_and_frequency),
        cmocka_unit_test(what_samples_do_not_tell_is_left_out),
        cmocka_unit_test(any_number_of_points),
        cmocka_unit_test(the_printed_coefficient_of_mcf_has_lost_its_exponent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
