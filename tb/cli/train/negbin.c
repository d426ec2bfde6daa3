/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/train/negbin.c: see negbin.h. Weights and dispersion in turn, each at its maximum while the other
 * stands still, so that the height, the logarithm of the likelihood less what a ridge takes off, only rises.
 *
 * - Weights: for a given dispersion the logarithm of the likelihood is concave in them, strictly so
 *   where the columns are independent, and falls without bound in every direction where no count is
 *   0. Newton's method with halved steps finds the only maximum from anywhere. It works in an
 *   orthonormal basis of the columns, whose scales differ by powers of ten.
 * - Dispersion: if the likelihood falls from 0 on, 0; else its slope is bisected between points where
 *   it rises and falls.
 *
 * Weights and dispersion are orthogonal parameters (the expected second derivative across them is
 * zero), so that few turns are needed. Counts are whole: ratios of gamma functions are products,
 * which stay exact for dispersions near 0. */
#include "tb/cli/train/negbin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ROUNDS     1000
#define MOST_STEPS      200
#define MOST_DISPERSION 0x1p40
#define SURE            1e-12 /* expected gain of a step that needs no check, and is the last */

struct fit {
    const struct negbin_data *data;
    double *basis;                          /* as data->x, orthonormal */
    double factors[BASIS_MOST][BASIS_MOST]; /* see basis.h */
    double weights[NEGBIN_MOST];            /* of the basis */
    double ridge[NEGBIN_MOST]
                [NEGBIN_MOST]; /* what the ridge takes off is half of weights ridge weights */
    double *sums, *trial;      /* weights times features, of each row */
    double dispersion;
};

/* log(1 + a m) / a. */
static double log_by(double a, double m)
{
    return a > 0 ? log1p(a * m) / a : m;
}

/* The derivative of -log_by() by a: (log(1 + t) - t / (1 + t)) m^2 / t^2, where t = a m; from its
 * series where that cancels. */
static double log_by_slope(double a, double m)
{
    const double t = a * m;
    if (t > 1e-2)
        return (log1p(t) - t / (1 + t)) / (a * a);
    double sum = 0, power = 1;
    for (int k = 0; k < 10; k++, power *= -t)
        sum += power * (k + 1) / (k + 2);
    return m * m * sum;
}

static double likelihood(const struct negbin_data *d, const double *sums, double a)
{
    double all = 0;
    for (int i = 0; i < d->rows; i++) {
        const double y = d->y[i], mean = exp(sums[i]);
        for (unsigned j = 1; j < d->y[i]; j++)
            all += log1p(a * j);
        all += y * sums[i] - lgamma(y + 1) - y * log1p(a * mean) - log_by(a, mean);
    }
    return all;
}

static void add_up(const struct fit *f, const double *columns, const double *weights, double *sums)
{
    const int rows = f->data->rows;
    memset(sums, 0, (size_t)rows * sizeof *sums);
    for (int c = 0; c < f->data->columns; c++)
        for (int i = 0; i < rows; i++)
            sums[i] += weights[c] * columns[c * rows + i];
}

double negbin_likelihood(const struct negbin_data *d, const double *weights, double dispersion)
{
    const struct fit f = {.data = d};
    double *sums = malloc((size_t)d->rows * sizeof *sums);
    if (!sums)
        return NAN;
    add_up(&f, d->x, weights, sums);
    const double all = likelihood(d, sums, dispersion);
    free(sums);
    return all;
}

static double ridge_part(const struct fit *f, const double *weights)
{
    double part = 0;
    for (int r = 0; r < f->data->columns; r++)
        for (int c = 0; c < f->data->columns; c++)
            part += weights[r] * f->ridge[r][c] * weights[c] / 2;
    return part;
}

/* What is to be maximised. */
static double height(const struct fit *f, const double *weights, const double *sums)
{
    return likelihood(f->data, sums, f->dispersion) - ridge_part(f, weights);
}

/* The slope of that along each column of the basis, and its curvature, downwards. */
static void derive(const struct fit *f, double slope[NEGBIN_MOST],
                   double curve[NEGBIN_MOST][NEGBIN_MOST])
{
    const int rows = f->data->rows, columns = f->data->columns;
    const double a = f->dispersion;
    for (int c = 0; c < columns; c++) {
        slope[c] = 0;
        for (int other = 0; other < columns; other++) {
            slope[c] -= f->ridge[c][other] * f->weights[other];
            curve[c][other] = f->ridge[c][other];
        }
    }
    for (int i = 0; i < rows; i++) {
        const double y = f->data->y[i], mean = exp(f->sums[i]), part = 1 + a * mean;
        for (int c = 0; c < columns; c++) {
            const double x = f->basis[c * rows + i];
            slope[c] += x * (y - mean) / part;
            for (int other = 0; other <= c; other++)
                curve[c][other] +=
                    x * f->basis[other * rows + i] * mean * (1 + a * y) / (part * part);
        }
    }
}

/* Solves curve * step = slope by Cholesky; curve is overwritten. Returns 0, or -1: it is not
 * positive definite. */
static int solve(double curve[NEGBIN_MOST][NEGBIN_MOST], const double *slope, double *step,
                 int columns)
{
    for (int r = 0; r < columns; r++)
        for (int c = 0; c <= r; c++) {
            for (int i = 0; i < c; i++)
                curve[r][c] -= curve[r][i] * curve[c][i];
            if (r == c && !(curve[r][r] > 0))
                return -1;
            curve[r][c] = r == c ? sqrt(curve[r][r]) : curve[r][c] / curve[c][c];
        }
    for (int r = 0; r < columns; r++) {
        step[r] = slope[r];
        for (int i = 0; i < r; i++)
            step[r] -= curve[r][i] * step[i];
        step[r] /= curve[r][r];
    }
    for (int r = columns; r-- > 0;) {
        for (int i = r + 1; i < columns; i++)
            step[r] -= curve[i][r] * step[i];
        step[r] /= curve[r][r];
    }
    return 0;
}

/* Goes along a step, or so small a part of it that the height rises by enough. Returns 0, or -1:
 * it does not. */
static int go(struct fit *f, const double *step, double gain)
{
    const double before = height(f, f->weights, f->sums);
    for (double part = 1; part > 1e-12; part /= 2) {
        double weights[NEGBIN_MOST];
        for (int c = 0; c < f->data->columns; c++)
            weights[c] = f->weights[c] + part * step[c];
        add_up(f, f->basis, weights, f->trial);
        if (gain > SURE && !(height(f, weights, f->trial) >= before + 1e-4 * part * gain))
            continue;
        memcpy(f->weights, weights, sizeof weights);
        memcpy(f->sums, f->trial, (size_t)f->data->rows * sizeof *f->sums);
        return 0;
    }
    return -1;
}

static int find_weights(struct fit *f)
{
    for (int i = 0; i < MOST_STEPS; i++) {
        double slope[NEGBIN_MOST], step[NEGBIN_MOST], curve[NEGBIN_MOST][NEGBIN_MOST], gain = 0;
        derive(f, slope, curve);
        if (solve(curve, slope, step, f->data->columns))
            return -1;
        for (int c = 0; c < f->data->columns; c++)
            gain += slope[c] * step[c];
        if (go(f, step, gain))
            return -1;
        if (gain <= SURE)
            return 0;
    }
    return -1;
}

/* The slope of the likelihood along the dispersion. */
static double dispersion_slope(const struct fit *f, double a)
{
    double slope = 0;
    for (int i = 0; i < f->data->rows; i++) {
        const double mean = exp(f->sums[i]), y = f->data->y[i];
        for (unsigned j = 1; j < f->data->y[i]; j++)
            slope += j / (1 + a * j);
        slope += log_by_slope(a, mean) - y * mean / (1 + a * mean);
    }
    return slope;
}

static int find_dispersion(struct fit *f)
{
    double low = 0, high = 1;
    f->dispersion = 0;
    if (dispersion_slope(f, 0) <= 0)
        return 0;
    while (dispersion_slope(f, high) > 0) {
        low = high;
        high *= 2;
        if (high > MOST_DISPERSION)
            return -1;
    }
    for (int i = 0; i < MOST_STEPS; i++) {
        const double middle = (low + high) / 2;
        *(dispersion_slope(f, middle) > 0 ? &low : &high) = middle;
    }
    f->dispersion = (low + high) / 2;
    return 0;
}

/* All means alike: that of the counts. */
static void begin(struct fit *f)
{
    const int rows = f->data->rows;
    double mean = 0;
    for (int i = 0; i < rows; i++)
        mean += f->data->y[i];
    mean = log(mean / rows);
    for (int c = 0; c < f->data->columns; c++) {
        f->weights[c] = 0;
        for (int i = 0; i < rows; i++)
            f->weights[c] += mean * f->basis[c * rows + i];
    }
    add_up(f, f->basis, f->weights, f->sums);
}

/* Weights of the basis as those of the columns. */
static void to_columns(const struct fit *f, const double *weights, double *out)
{
    for (int c = f->data->columns; c-- > 0;) {
        out[c] = weights[c];
        for (int i = c + 1; i < f->data->columns; i++)
            out[c] -= f->factors[c][i] * out[i];
        out[c] /= f->factors[c][c];
    }
}

static double variance(const double *x, int count)
{
    double mean = 0, sum = 0;
    for (int i = 0; i < count; i++)
        mean += x[i] / count;
    for (int i = 0; i < count; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum / count;
}

/* The ridge as a function of the weights of the basis. */
static void raise_ridge(struct fit *f)
{
    const int rows = f->data->rows, columns = f->data->columns;
    double of_columns[NEGBIN_MOST][NEGBIN_MOST];
    for (int c = 0; c < columns; c++) {
        double one[NEGBIN_MOST] = {0};
        one[c] = 1;
        to_columns(f, one, of_columns[c]);
    }
    for (int r = 0; r < columns; r++)
        for (int c = 0; c < columns; c++) {
            f->ridge[r][c] = 0;
            for (int i = 0; i < columns && f->data->ridge > 0; i++)
                f->ridge[r][c] += f->data->ridge * variance(&f->data->x[i * rows], rows) *
                                  of_columns[r][i] * of_columns[c][i];
        }
}

static void hand_over(const struct fit *f, struct negbin_fit *out)
{
    to_columns(f, f->weights, out->weights);
    out->dispersion = f->dispersion;
    out->likelihood = likelihood(f->data, f->sums, f->dispersion);
}

static enum negbin_result climb(struct fit *f, struct negbin_fit *out)
{
    raise_ridge(f);
    begin(f);
    for (out->rounds = 1; out->rounds <= MOST_ROUNDS; out->rounds++) {
        const double before = f->dispersion;
        if (find_weights(f) || find_dispersion(f))
            return NEGBIN_NO_END;
        if (fabs(f->dispersion - before) <= 1e-12 * (1 + before))
            break;
    }
    if (out->rounds > MOST_ROUNDS || find_weights(f))
        return NEGBIN_NO_END;
    hand_over(f, out);
    return NEGBIN_OK;
}

enum negbin_result negbin_fit(const struct negbin_data *d, struct negbin_fit *out, int *column)
{
    struct fit f = {.data = d};
    const size_t rows = (size_t)d->rows, cells = rows * (size_t)d->columns;
    enum negbin_result result = NEGBIN_NO_END;
    *out = (struct negbin_fit){0};
    if (d->rows <= d->columns)
        return NEGBIN_FEW_ROWS;
    f.basis = malloc(cells * sizeof *f.basis);
    f.sums = malloc(rows * sizeof *f.sums);
    f.trial = malloc(rows * sizeof *f.trial);
    if (f.basis && f.sums && f.trial) {
        memcpy(f.basis, d->x, cells * sizeof *f.basis);
        *column = basis_of(f.basis, d->rows, d->columns, f.factors);
        result = *column >= 0 ? NEGBIN_DEPENDENT : climb(&f, out);
    }
    free(f.basis);
    free(f.sums);
    free(f.trial);
    return result;
}
