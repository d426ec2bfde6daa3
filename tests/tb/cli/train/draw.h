/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/train/draw.h: counts with a negative binomial distribution whose weights are known. */
#ifndef HEDDLE_TESTS_TB_CLI_TRAIN_DRAW_H
#define HEDDLE_TESTS_TB_CLI_TRAIN_DRAW_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tb/cli/train/negbin.h"
#include "tests/tb/mem/random.h"

/* From 0 to 1, neither of them. */
static inline double uniform(void)
{
    return (below(1 << 30) + 0.5) / (1 << 30);
}

/* The first count whose distribution function is beyond a uniform number; the probability of j + 1 is
 * that of j times (j a + 1) m / ((j + 1) (1 + a m)). */
static inline unsigned draw_count(double mean, double a)
{
    const double at = uniform();
    double probability = exp(a > 0 ? -log1p(a * mean) / a : -mean), sum = probability;
    unsigned j = 0;
    for (; sum < at && j < 100000; j++) {
        probability *= (j * a + 1) * mean / ((j + 1) * (1 + a * mean));
        sum += probability;
    }
    return j;
}

static inline void draw_counts(const double *x, unsigned *y, int rows, int columns,
                               const double *weights, double dispersion)
{
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int c = 0; c < columns; c++)
            sum += weights[c] * x[c * rows + i];
        y[i] = draw_count(exp(sum), dispersion);
    }
}

/* A column of ones, others of uniform numbers, and counts. */
static inline void draw(double *x, unsigned *y, int rows, int columns, const double *weights,
                        double dispersion)
{
    for (int i = 0; i < rows * columns; i++)
        x[i] = i < rows ? 1 : uniform();
    draw_counts(x, y, rows, columns, weights, dispersion);
}

#endif
