/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/train/negbin_test.c: the regression by its properties: weights that counts were drawn with
 * are found again, no slope is left at the solution, and what cannot be fitted is refused. */
#include <float.h>
#include <math.h>

#include "tests/tb/cli/train/draw.h"

#define COLUMNS 8

/* The slope of the likelihood, by differences. */
static double slope(const struct negbin_data *d, const struct negbin_fit *f, int column, double h)
{
    double up[NEGBIN_MOST], down[NEGBIN_MOST];
    memcpy(up, f->weights, sizeof up);
    memcpy(down, f->weights, sizeof down);
    double up_dispersion = f->dispersion, down_dispersion = f->dispersion;
    *(column < d->columns ? &up[column] : &up_dispersion) += h;
    *(column < d->columns ? &down[column] : &down_dispersion) -= h;
    return (negbin_likelihood(d, up, up_dispersion) - negbin_likelihood(d, down, down_dispersion)) /
           (2 * h);
}

/* 20,000 counts, features from 0 to 1: a weight's standard error is at most
 * sqrt((1 / m + a) / (n / 12)) = 0.025 for means m from 1 and a dispersion a of 0.2, and five of them are
 * allowed; of the dispersion 0.01 is allowed. */
static void weights_are_recovered(void **unused)
{
    static const double weights[COLUMNS] = {1.5, 0.5, -0.3, 0.8, -0.6, 0.25, -0.4, 0.7};
    static double x[20000 * COLUMNS];
    static unsigned y[20000];
    const struct negbin_data d = {.x = x, .y = y, .rows = 20000, .columns = COLUMNS};
    struct negbin_fit f;
    int column;
    (void)unused;
    draw(x, y, 20000, COLUMNS, weights, 0.2);
    assert_int_equal(negbin_fit(&d, &f, &column), NEGBIN_OK);
    for (int c = 0; c < COLUMNS; c++)
        assert_float_equal(f.weights[c], weights[c], 0.125);
    assert_float_equal(f.dispersion, 0.2, 0.01);
    assert_true(f.likelihood >= negbin_likelihood(&d, weights, 0.2));
}

/* Columns whose sizes are as far apart as those of x5 and x7. */
static void no_slope_is_left(void **unused)
{
    static const double weights[4] = {1, 0.5, 3e-4, 50};
    static const double sizes[4] = {1, 1, 1000, 0.01};
    static double x[200 * 4];
    static unsigned y[200];
    const struct negbin_data d = {.x = x, .y = y, .rows = 200, .columns = 4};
    struct negbin_fit f;
    int column;
    (void)unused;
    draw(x, y, 200, 4, weights, 0);
    for (int c = 0; c < 4; c++)
        for (int i = 0; i < 200; i++)
            x[c * 200 + i] *= sizes[c];
    draw_counts(x, y, 200, 4, weights, 0.5);
    assert_int_equal(negbin_fit(&d, &f, &column), NEGBIN_OK);
    assert_true(f.dispersion > 0.1);
    for (int c = 0; c <= 4; c++) {
        const double size = c < 4 ? sizes[c] : 1, h = 1e-4 / size;
        assert_true(fabs(slope(&d, &f, c, h)) < 1e-4 * size);
        struct negbin_fit beside = f; /* and there is one beside it */
        *(c < 4 ? &beside.weights[c] : &beside.dispersion) += 0.01 / size;
        assert_true(fabs(slope(&d, &beside, c, h)) > 1e-2 * size);
    }
}

/* Counts that vary less than Poisson's: the dispersion is 0, and the likelihood falls from there. */
static void poisson_is_the_limit(void **unused)
{
    static const unsigned y[] = {3, 4, 3, 4, 3, 4, 7, 8, 7, 8};
    static double x[20];
    const struct negbin_data d = {.x = x, .y = y, .rows = 10, .columns = 2};
    struct negbin_fit f;
    int column;
    (void)unused;
    for (int i = 0; i < 10; i++) {
        x[i] = 1;
        x[10 + i] = i >= 6;
    }
    assert_int_equal(negbin_fit(&d, &f, &column), NEGBIN_OK);
    assert_true(f.dispersion == 0);
    assert_float_equal(f.weights[0], log(3.5), 1e-12); /* means of both groups */
    assert_float_equal(f.weights[1], log(7.5 / 3.5), 1e-12);
    assert_true(negbin_likelihood(&d, f.weights, 1e-3) < f.likelihood);
    double all = 0; /* the Poisson likelihood */
    for (int i = 0; i < 10; i++) {
        const double m = i < 6 ? 3.5 : 7.5;
        all += y[i] * log(m) - m - lgamma(y[i] + 1.0);
    }
    assert_float_equal(f.likelihood, all, 1e-12);
}

/* One group: the mean is that of the counts, and the dispersion has no slope. */
static void one_mean(void **unused)
{
    static const unsigned y[] = {1, 1, 2, 24, 3, 1, 12, 1};
    static const double x[] = {1, 1, 1, 1, 1, 1, 1, 1};
    const struct negbin_data d = {.x = x, .y = y, .rows = 8, .columns = 1};
    struct negbin_fit f;
    int column;
    (void)unused;
    assert_int_equal(negbin_fit(&d, &f, &column), NEGBIN_OK);
    assert_float_equal(exp(f.weights[0]), 45 / 8.0, 1e-10);
    assert_true(f.dispersion > 0.5 && fabs(slope(&d, &f, 1, 1e-5)) < 1e-6);
}

/* With a ridge, no slope is left of the likelihood less the ridge's part; weights shrink with it, down to the
 * mean alone, and an unimportant ridge changes nothing. */
static void ridges(void **unused)
{
    static const double weights[3] = {1, 0.8, -1.5};
    static double x[60 * 3];
    static unsigned y[60];
    struct negbin_data d = {.x = x, .y = y, .rows = 60, .columns = 3};
    struct negbin_fit plain, f;
    double mean = 0, variances[3] = {0};
    int column;
    (void)unused;
    draw(x, y, 60, 3, weights, 0.2);
    for (int i = 0; i < 60; i++)
        mean += y[i] / 60.0;
    for (int c = 1; c < 3; c++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < 60; i++) {
            sum += x[c * 60 + i];
            squares += x[c * 60 + i] * x[c * 60 + i];
        }
        variances[c] = squares / 60 - sum / 60 * sum / 60;
    }
    assert_int_equal(negbin_fit(&d, &plain, &column), NEGBIN_OK);
    d.ridge = 20;
    assert_int_equal(negbin_fit(&d, &f, &column), NEGBIN_OK);
    for (int c = 0; c < 3; c++) {
        assert_float_equal(slope(&d, &f, c, 1e-5), d.ridge * variances[c] * f.weights[c], 1e-5);
        assert_true(c == 0 || fabs(f.weights[c]) < fabs(plain.weights[c]));
    }
    assert_true(f.likelihood < plain.likelihood);
    d.ridge = 1e12;
    assert_int_equal(negbin_fit(&d, &f, &column), NEGBIN_OK);
    assert_float_equal(f.weights[0], log(mean), 1e-6);
    assert_float_equal(f.weights[1], 0, 1e-6);
    d.ridge = 1e-12;
    assert_int_equal(negbin_fit(&d, &f, &column), NEGBIN_OK);
    for (int c = 0; c < 3; c++)
        assert_float_equal(f.weights[c], plain.weights[c], 1e-9);
}

static void refused(void **unused)
{
    static const double weights[3] = {1, 0.5, 0.5};
    static double x[40 * 3];
    static unsigned y[40];
    struct negbin_data d = {.x = x, .y = y, .rows = 3, .columns = 3};
    struct negbin_fit f;
    int column = 0;
    (void)unused;
    draw(x, y, 40, 3, weights, 0.1);
    assert_int_equal(negbin_fit(&d, &f, &column), NEGBIN_FEW_ROWS);
    d.rows = 40;
    for (int i = 0; i < 40; i++)
        x[80 + i] = 3 * x[40 + i] - 2 * x[i];
    assert_int_equal(negbin_fit(&d, &f, &column), NEGBIN_DEPENDENT);
    assert_int_equal(column, 2);
    x[80] += 1e-3; /* nearly is not */
    assert_int_equal(negbin_fit(&d, &f, &column), NEGBIN_OK);
    memset(&x[40], 0, 40 * sizeof *x);
    assert_int_equal(negbin_fit(&d, &f, &column), NEGBIN_DEPENDENT);
    assert_int_equal(column, 1);
}

static void the_same_bits(void **unused)
{
    static const double weights[3] = {1, 0.5, -0.5};
    static double x[50 * 3];
    static unsigned y[50];
    const struct negbin_data d = {.x = x, .y = y, .rows = 50, .columns = 3};
    struct negbin_fit a, b;
    int column;
    (void)unused;
    draw(x, y, 50, 3, weights, 0.3);
    assert_int_equal(negbin_fit(&d, &a, &column), NEGBIN_OK);
    assert_int_equal(negbin_fit(&d, &b, &column), NEGBIN_OK);
    assert_memory_equal(&a, &b, sizeof a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_recovered),
        cmocka_unit_test(no_slope_is_left),
        cmocka_unit_test(poisson_is_the_limit),
        cmocka_unit_test(one_mean),
        cmocka_unit_test(ridges),
        cmocka_unit_test(refused),
        cmocka_unit_test(the_same_bits),
    };
    return cmocka_run_group_tests_name("tb/cli/train/negbin", tests, NULL, NULL);
}
