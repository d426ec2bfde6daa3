/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/power_test.c: the power model of thesis 4, restated: (4.1) written out, what is fitted
 * found again. Tables 4.1 to 4.3 are added up. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/analytic/power.h"
#include "tests/cmodel/analytic/numbers.h"

/* A core of 9 W when idle; L2 misses lower its power. */
static const struct power_model core = {
    .events = 5, .idle = 9, .c = {2.3e-9, 6.5e-8, -3.6e-7, 1.1e-9, 3.1e-9}};

/* The rates of thesis 4.3.1: idle, then a phase per event, at 8 rates each; then mixtures, as of programs. */
#define TRAINED (1 + 5 * 8 + 40)
static void train(double rates[TRAINED][5])
{
    const double highest[5] = {1.5e9, 6e7, 8e6, 5e8, 9e8};
    memset(rates, 0, TRAINED * sizeof *rates);
    for (unsigned s = 1; s < TRAINED; s++)
        for (unsigned e = 0; e < 5; e++) {
            if (s > 40)
                rates[s][e] = highest[e] * uniform();
            else if ((s - 1) / 8 == e)
                rates[s][e] = highest[e] * (8 - (s - 1) % 8) / 8;
        }
}

static double by_hand(const double *r)
{
    return 9 + 2.3e-9 * r[0] + 6.5e-8 * r[1] - 3.6e-7 * r[2] + 1.1e-9 * r[3] + 3.1e-9 * r[4];
}

/* (4.1): what made the samples is found again, with noise within what noise does. */
static void a_fit_finds_the_coefficients(void **unused)
{
    (void)unused;
    for (unsigned cores = 1; cores <= 4; cores++) {
        double rates[TRAINED][5], watts[TRAINED], work[POWER_WORK(TRAINED, 5)], noise = 0;
        train(rates);
        for (unsigned s = 0; s < TRAINED; s++)
            watts[s] = cores * by_hand(rates[s]);
        struct power_fit f;
        assert_int_equal(power_fit(&rates[0][0], watts, TRAINED, 5, cores, work, &f), POWER_OK);
        near(f.model.idle, 9, 1e-10);
        for (unsigned e = 0; e < 5; e++)
            near(f.model.c[e], core.c[e], 1e-10);
        assert_true(f.model.c[POWER_L2_MISS] < 0); /* which is allowed */
        assert_true(f.quality.r2 > 1 - 1e-12 && f.quality.mean_relative < 1e-12);
        assert_int_equal(f.model.events, 5);
        assert_int_equal(f.model.naming, POWER_NAMING_FORMULA);
        for (unsigned s = 0; s < TRAINED; s++) {
            const double factor = 1 + 0.1 * (uniform() - 0.5);
            noise += fabs(factor - 1) / TRAINED;
            watts[s] *= factor;
        }
        assert_int_equal(power_fit(&rates[0][0], watts, TRAINED, 5, cores, work, &f), POWER_OK);
        /* Of 2.5 % of noise the fit leaves about as much: six coefficients absorb little of 81 samples. */
        assert_true(f.quality.mean_relative < 1.1 * noise && f.quality.mean_relative > noise / 2);
        near(f.model.idle, 9, 0.03);
    }
}

/* Of any number of events, also 1 and the most. */
static void any_number_of_events_is_fitted(void **unused)
{
    (void)unused;
    for (unsigned events = 1; events <= POWER_EVENTS; events++) {
        enum { SAMPLES = 60 };
        double rates[SAMPLES * POWER_EVENTS], watts[SAMPLES], c[POWER_EVENTS],
            work[POWER_WORK(SAMPLES, POWER_EVENTS)];
        for (unsigned e = 0; e < events; e++)
            c[e] = uniform() * pow(10, -3 - (int)e % 5);
        for (unsigned s = 0; s < SAMPLES; s++) {
            watts[s] = 4;
            for (unsigned e = 0; e < events; e++) {
                rates[s * events + e] = uniform() * pow(10, 3 + (int)e % 5);
                watts[s] += c[e] * rates[s * events + e];
            }
        }
        struct power_fit f;
        assert_int_equal(power_fit(rates, watts, SAMPLES, events, 1, work, &f), POWER_OK);
        double found;
        for (unsigned s = 0; s < SAMPLES; s++) {
            assert_int_equal(power_core(&f.model, rates + s * events, &found), POWER_OK);
            near(found, watts[s], 1e-10);
        }
    }
}

/* Names in (4.1) and the text in front of it exchange branches and floating point. */
static void the_naming_decides_between_branches_and_floating_point(void **unused)
{
    (void)unused;
    const double rates[5] = {1e9, 3e7, 2e6, 4e8, 1e8};
    struct power_model m = core;
    double watts;
    assert_int_equal(power_core(&m, rates, &watts), POWER_OK);
    near(watts, 9 + 2.3 + 1.95 - 0.72 + 0.44 + 0.31, 1e-14);
    m.naming = POWER_NAMING_TEXT;
    assert_int_equal(power_core(&m, rates, &watts), POWER_OK);
    near(watts, 9 + 2.3 + 1.95 - 0.72 + 0.11 + 1.24, 1e-14);
}

/* 4.4: P1 + P2 is (4.1) of the rates that SPI and the miss ratio give; P2 the part of the misses. */
static void a_process_has_the_power_of_its_rates(void **unused)
{
    (void)unused;
    for (unsigned round = 0; round < 1000; round++) {
        const struct power_profile p = {.l1rpi = uniform(),
                                        .l2rpi = 0.05 * uniform(),
                                        .brpi = 0.3 * uniform(),
                                        .fppi = 0.5 * uniform()};
        const double spi = 4e-10 + 3e-9 * uniform(), l2mpr = 0.5 * uniform();
        for (unsigned naming = 0; naming < 2; naming++) {
            struct power_model m = core;
            m.naming = (enum power_naming)naming;
            const double rates[5] = {p.l1rpi / spi, p.l2rpi / spi, l2mpr * p.l2rpi / spi,
                                     (naming ? p.fppi : p.brpi) / spi,
                                     (naming ? p.brpi : p.fppi) / spi};
            struct power_parts parts;
            const enum power_error error = power_process(&m, &p, spi, l2mpr, &parts);
            if (by_hand(rates) <= 0) {
                assert_int_equal(error, POWER_OUTSIDE);
                continue;
            }
            assert_int_equal(error, POWER_OK);
            near(parts.p1 + parts.p2, by_hand(rates), 1e-12);
            near(parts.p2, -3.6e-7 * rates[2], 1e-12);
        }
    }
}

/* 4.3.2: more misses per reference, and the longer SPI that they cause, lower the power, for the coefficient is negative. */
static void contention_lowers_the_power_of_a_process(void **unused)
{
    (void)unused;
    const struct power_profile p = {.l1rpi = 0.4, .l2rpi = 0.02, .brpi = 0.2, .fppi = 0.1};
    double before = INFINITY;
    for (double l2mpr = 0; l2mpr <= 1; l2mpr += 0.1) {
        struct power_parts parts;
        assert_int_equal(power_process(&core, &p, 5e-10 + 1.6e-9 * l2mpr, l2mpr, &parts), POWER_OK);
        assert_true(parts.p1 + parts.p2 < before && parts.p2 <= 0);
        before = parts.p1 + parts.p2;
    }
}

static void those_that_take_turns_are_averaged(void **unused)
{
    (void)unused;
    const double watts[] = {10, 14, 21};
    double mean;
    assert_int_equal(power_time_shared(watts, 3, &mean), POWER_OK);
    near(mean, 15, 1e-15);
    assert_int_equal(power_time_shared(watts, 1, &mean), POWER_OK);
    near(mean, 10, 1e-15);
    assert_int_equal(power_time_shared(watts, 0, &mean), POWER_SIZE);
}

static void bad_input_is_an_error(void **unused)
{
    (void)unused;
    const double bad[] = {NAN, INFINITY, -1, 1e101}, good[5] = {1e9, 3e7, 2e6, 4e8, 1e8};
    const struct power_profile profile = {.l1rpi = 0.4, .l2rpi = 0.02, .brpi = 0.2, .fppi = 0.1};
    double watts = 77, rates[5];
    struct power_parts parts;
    for (unsigned b = 0; b < 4; b++) {
        for (unsigned e = 0; e < 5; e++) {
            memcpy(rates, good, sizeof rates);
            rates[e] = bad[b];
            assert_int_equal(power_core(&core, rates, &watts), POWER_RANGE);
            struct power_model m = core;
            m.c[e] = bad[b];
            if (bad[b] != -1)
                assert_int_equal(power_core(&m, good, &watts), POWER_RANGE);
        }
        struct power_model m = core;
        m.idle = bad[b];
        assert_int_equal(power_core(&m, good, &watts), POWER_RANGE);
        struct power_profile p = profile;
        p.brpi = bad[b];
        assert_int_equal(power_process(&core, &p, 1e-9, 0.1, &parts), POWER_RANGE);
        assert_int_equal(power_process(&core, &profile, bad[b], 0.1, &parts), POWER_RANGE);
        assert_int_equal(power_process(&core, &profile, 1e-9, bad[b], &parts), POWER_RANGE);
        assert_int_equal(power_time_shared(bad + b, 1, &watts), POWER_RANGE);
    }
    assert_int_equal(power_process(&core, &profile, 0, 0.1, &parts), POWER_RANGE);
    assert_int_equal(power_process(&core, &profile, 1e-9, 1.001, &parts), POWER_RANGE);
    memcpy(rates, good, sizeof rates);
    rates[POWER_L2_MISS] = 1e9; /* -360 W: no such core */
    assert_int_equal(power_core(&core, rates, &watts), POWER_OUTSIDE);
    assert_int_equal(power_process(&core, &(struct power_profile){.l2rpi = 1}, 1e-9, 1, &parts),
                     POWER_OUTSIDE);
    struct power_model m = core;
    m.events = 4;
    assert_int_equal(power_process(&m, &profile, 1e-9, 0.1, &parts), POWER_SIZE);
    m.naming = POWER_NAMING_TEXT;
    assert_int_equal(power_core(&m, good, &watts), POWER_SIZE);
    m.events = POWER_EVENTS + 1;
    assert_int_equal(power_core(&m, good, &watts), POWER_SIZE);
    assert_true(watts == 77);
}

/* Tables 4.1 to 4.3: assignments and the mean error of the mean power; what the text says of all of a table. */
static void the_tables_of_the_thesis_add_up(void **unused)
{
    (void)unused;
    static const struct {
        unsigned rows, assignments[5], all;
        double error[5], mean;
    } tables[] = {
        {2, {36, 24}, 60, {3.63, 2.47}, 3.17},
        {3, {24, 3, 10}, 37, {3.26, 4.47, 2.54}, 3.16},
        {5, {32, 10, 16, 16, 9}, 83, {2.84, 1.92, 2.68, 2.53, 0.49}, 2.38},
    };
    for (unsigned t = 0; t < 3; t++) {
        double sum = 0;
        unsigned all = 0;
        for (unsigned r = 0; r < tables[t].rows; r++) {
            sum += tables[t].assignments[r] * tables[t].error[r];
            all += tables[t].assignments[r];
        }
        assert_int_equal(all, tables[t].all);
        assert_true(fabs(sum / all - tables[t].mean) <= 0.005);
    }
    /* 12 V, of which 90 % come through the regulator (4.5.1). */
    near(0.9 * 12, 10.8, 1e-15);
}

static void bad_fits_are_errors(void **unused)
{
    (void)unused;
    double work[POWER_WORK(6, 2)], rates[12] = {0}, measured[6] = {9, 10, 11, 12, 13, 14};
    struct power_fit f;
    for (unsigned s = 0; s < 6; s++) {
        rates[2 * s] = s;
        rates[2 * s + 1] = 5; /* what never varies cannot be told from idle power */
    }
    assert_int_equal(power_fit(rates, measured, 6, 2, 1, work, &f), POWER_FIT);
    assert_int_equal(f.why, FIT_RANK);
    assert_int_equal(f.quality.column, 1 + 1);
    assert_int_equal(power_fit(rates, measured, 2, 2, 1, work, &f), POWER_FIT);
    assert_int_equal(f.why, FIT_FEW_ROWS);
    assert_int_equal(power_fit(rates, measured, 6, 2, 0, work, &f), POWER_SIZE);
    assert_int_equal(power_fit(rates, measured, 0, 2, 1, work, &f), POWER_SIZE);
    assert_int_equal(power_fit(rates, measured, 6, 0, 1, work, &f), POWER_SIZE);
    assert_int_equal(power_fit(rates, measured, 6, POWER_EVENTS + 1, 1, work, &f), POWER_SIZE);
    rates[3] = -5;
    assert_int_equal(power_fit(rates, measured, 6, 2, 1, work, &f), POWER_RANGE);
    rates[3] = 5;
    measured[5] = NAN;
    assert_int_equal(power_fit(rates, measured, 6, 2, 1, work, &f), POWER_RANGE);
    for (int e = POWER_OK; e <= POWER_PREDICTION; e++)
        for (int other = POWER_OK; other < e; other++)
            assert_string_not_equal(power_reason((enum power_error)e),
                                    power_reason((enum power_error)other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fit_finds_the_coefficients),
        cmocka_unit_test(any_number_of_events_is_fitted),
        cmocka_unit_test(the_naming_decides_between_branches_and_floating_point),
        cmocka_unit_test(a_process_has_the_power_of_its_rates),
        cmocka_unit_test(contention_lowers_the_power_of_a_process),
        cmocka_unit_test(those_that_take_turns_are_averaged),
        cmocka_unit_test(bad_input_is_an_error),
        cmocka_unit_test(bad_fits_are_errors),
        cmocka_unit_test(the_tables_of_the_thesis_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
