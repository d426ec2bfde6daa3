/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/roots.h: where a function of one number is 0, for the models of the thesis that are solved by root finding. */
#ifndef HEDDLE_CMODEL_ANALYTIC_ROOTS_H
#define HEDDLE_CMODEL_ANALYTIC_ROOTS_H

typedef double roots_of(const void *context, double x);

/* The roots in [low, high], in rising order; returns how many, at most `most`. The function is asked at both ends and at steps - 1 equal
 * steps between them, and each change of sign is bisected, 100 times at most. Two roots in the same step are missed. A stretch of zeros
 * counts as one root, where the first step into it falls. A jump across 0 counts as a root, too: whoever has jumps looks at the value.
 * Infinite values are welcome; a NaN is no change of sign. */
unsigned roots_scan(roots_of *f, const void *context, double low, double high, unsigned steps,
                    double *roots, unsigned most);

#endif
