/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/train/gsl_test.c: the regression against GSL, which knows nothing of it: the likelihood
 * written with gamma functions, and maximised as a function of all its parameters by a general method. GSL
 * stands under the GPL: this test is the only program that is linked with it. */
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_sf_gamma.h>

#include "tests/tb/cli/train/draw.h"

#define ROWS    120
#define COLUMNS 5

static double x[ROWS * COLUMNS];
static unsigned y[ROWS];

/* Of the weights and the logarithm of the dispersion: less the logarithm of the likelihood. */
static double less_likelihood(const gsl_vector *at, void *unused)
{
    const double k = exp(-gsl_vector_get(at, COLUMNS));
    double all = 0;
    (void)unused;
    for (int i = 0; i < ROWS; i++) {
        double sum = 0;
        for (int c = 0; c < COLUMNS; c++)
            sum += gsl_vector_get(at, c) * x[c * ROWS + i];
        const double mean = exp(sum);
        all += gsl_sf_lngamma(y[i] + k) - gsl_sf_lngamma(k) - gsl_sf_lngamma(y[i] + 1.0) +
               k * log(k / (k + mean)) + y[i] * log(mean / (k + mean));
    }
    return -all;
}

/* By the simplex of Nelder and Mead, begun anew where it has ended, as long as that helps. */
static void minimise(gsl_vector *at, double *value)
{
    gsl_multimin_function f = {.f = less_likelihood, .n = COLUMNS + 1};
    gsl_multimin_fminimizer *m =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, f.n);
    gsl_vector *steps = gsl_vector_alloc(f.n);
    for (int again = 0; again < 20; again++) {
        gsl_vector_set_all(steps, again ? 0.05 : 0.5);
        assert_int_equal(gsl_multimin_fminimizer_set(m, &f, at, steps), 0);
        for (int i = 0; i < 5000 && gsl_multimin_fminimizer_size(m) > 1e-9; i++)
            assert_int_equal(gsl_multimin_fminimizer_iterate(m), 0);
        gsl_vector_memcpy(at, gsl_multimin_fminimizer_x(m));
    }
    *value = gsl_multimin_fminimizer_minimum(m);
    gsl_vector_free(steps);
    gsl_multimin_fminimizer_free(m);
}

static void the_same_maximum(void **unused)
{
    static const double weights[COLUMNS] = {1, 0.8, -1.2, 0.5, 1.5};
    const struct negbin_data d = {.x = x, .y = y, .rows = ROWS, .columns = COLUMNS};
    struct negbin_fit ours;
    double least;
    int column;
    (void)unused;
    draw(x, y, ROWS, COLUMNS, weights, 0.4);
    assert_int_equal(negbin_fit(&d, &ours, &column), NEGBIN_OK);
    gsl_vector *at = gsl_vector_calloc(COLUMNS + 1);
    minimise(at, &least);
    print_message("likelihood %.9f, GSL %.9f\n", ours.likelihood, -least);
    for (int c = 0; c < COLUMNS; c++) {
        print_message("weight %d: %.8f, GSL %.8f\n", c + 1, ours.weights[c],
                      gsl_vector_get(at, (size_t)c));
        assert_float_equal(ours.weights[c], gsl_vector_get(at, (size_t)c), 1e-4);
    }
    assert_float_equal(ours.dispersion, exp(gsl_vector_get(at, COLUMNS)), 1e-4);
    assert_float_equal(ours.likelihood, -least, 1e-6);
    gsl_vector_free(at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_maximum)};
    return cmocka_run_group_tests_name("tb/cli/train/gsl", tests, NULL, NULL);
}
