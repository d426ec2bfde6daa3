/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/train/negbin.h: negative binomial regression with a logarithmic link (Poise V-D), NB2: the mean
 * of a count is m = e^(weights times features), its variance m + dispersion m^2. */
#ifndef HEDDLE_TB_CLI_TRAIN_NEGBIN_H
#define HEDDLE_TB_CLI_TRAIN_NEGBIN_H

#include "tb/cli/train/basis.h"

#define NEGBIN_MOST BASIS_MOST /* columns */

struct negbin_data {
    const double *x;   /* columns of `rows` numbers, one after the other */
    const unsigned *y; /* counts from 1: with 0 there may be no maximum */
    int rows, columns;
    double
        ridge; /* 0: the maximum of the likelihood; else of its logarithm less ridge / 2 times the sum
                     of squares of weights, each in standard deviations of its column */
};

struct negbin_fit {
    double weights[NEGBIN_MOST];
    double dispersion; /* 0: the counts vary no more than Poisson's, whose regression it is then */
    double likelihood; /* its logarithm, without a ridge's part */
    int rounds;        /* of weights, then dispersion */
};

enum negbin_result {
    NEGBIN_OK,
    NEGBIN_FEW_ROWS,  /* not more than columns */
    NEGBIN_DEPENDENT, /* *column is a sum of multiples of those before it */
    NEGBIN_NO_END     /* no maximum was found */
};

/* Maximum likelihood, or with a ridge nearly that. The same data give the same bits. */
enum negbin_result negbin_fit(const struct negbin_data *, struct negbin_fit *, int *column);

/* The logarithm of the likelihood of any weights and dispersion. */
double negbin_likelihood(const struct negbin_data *, const double *weights, double dispersion);

#endif
