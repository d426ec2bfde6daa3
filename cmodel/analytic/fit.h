/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/fit.h: linear least squares of a few columns, for the models of the thesis that are fitted to measurements.
 *
 * Householder's QR of columns scaled to length 1. Normal equations would square the condition number: columns that agree to eight
 * digits, as a nearly constant rate and the column of ones do, would leave nothing of the answer. The condition number is taken
 * exactly, from the singular values of R (one-sided Jacobi), and a matrix above FIT_CONDITION is refused. */
#ifndef HEDDLE_CMODEL_ANALYTIC_FIT_H
#define HEDDLE_CMODEL_ANALYTIC_FIT_H

#include <stddef.h>

#define FIT_COLUMNS   16   /* at most */
#define FIT_CONDITION 1e10 /* of the scaled columns: beyond it six digits at best are left */

/* Numbers of doubles that fit() needs as room. */
#define FIT_WORK(rows, columns) ((size_t)(rows) * ((columns) + 1))

enum fit_error {
    FIT_OK,
    FIT_SIZE,     /* no column, or more than FIT_COLUMNS */
    FIT_FEW_ROWS, /* fewer rows than columns */
    FIT_RANGE,    /* `row` has a number that is not finite, or above FIT_LARGEST */
    FIT_RANK, /* `column` is zero, at most 1 / FIT_LARGEST long, or nearly a sum of multiples of those before it */
    FIT_UNSETTLED /* Jacobi's rotations have not settled; not seen so far */
};
#define FIT_LARGEST 1e100

/* Is it an amount: not negative, and no larger than a fit takes? Not NaN. */
static inline int fit_amount(double v)
{
    return v >= 0 && v <= FIT_LARGEST;
}

struct fit {
    double coefficient[FIT_COLUMNS]; /* in the units of y over those of the column */
    double condition;                /* largest over least singular value of the scaled columns */
    double r2; /* 1 - squares of residuals / squares about the mean of y; 0 where y does not vary */
    double mean_relative; /* mean of |residual / y| over the rows whose y is not 0 */
    double max_relative;
    unsigned row, column; /* what an error is about */
};

/* The coefficients that minimise the sum over rows of (y - sum of coefficient * x)^2. `x` has `rows` rows of `columns` numbers, one
 * row after the other; a constant term is a column of ones. `work` has FIT_WORK(rows, columns) doubles. On an error `row` and
 * `column` of `out` say where, and the rest is 0. */
enum fit_error fit(const double *x, const double *y, unsigned rows, unsigned columns, double *work,
                   struct fit *out);

/* What a person reads: a clause without the row or the column. */
const char *fit_reason(enum fit_error);

#endif
