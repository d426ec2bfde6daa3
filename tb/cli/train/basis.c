/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/train/basis.c: see basis.h. Modified Gram-Schmidt, each column twice, which leaves columns
 * orthogonal to rounding also where they nearly depend on each other. */
#include "tb/cli/train/basis.h"

#include <math.h>

#define DEPENDENT 1e-8 /* of a column's length is left outside of those before it */

static double product(const double *a, const double *b, int rows)
{
    double sum = 0;
    for (int i = 0; i < rows; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Removes from a column what it has of those before it. */
static void clear(double *columns, int rows, int column, double factors[BASIS_MOST][BASIS_MOST])
{
    double *q = &columns[column * rows];
    for (int i = 0; i < column; i++) {
        const double *other = &columns[i * rows], share = product(other, q, rows);
        for (int r = 0; r < rows; r++)
            q[r] -= share * other[r];
        factors[i][column] += share;
    }
}

int basis_of(double *columns, int rows, int count, double factors[BASIS_MOST][BASIS_MOST])
{
    for (int c = 0; c < count; c++) {
        double *q = &columns[c * rows];
        const double before = sqrt(product(q, q, rows));
        for (int i = 0; i < count; i++)
            factors[i][c] = 0;
        clear(columns, rows, c, factors);
        clear(columns, rows, c, factors);
        const double after = sqrt(product(q, q, rows));
        if (!(after > DEPENDENT * before))
            return c;
        for (int r = 0; r < rows; r++)
            q[r] /= after;
        factors[c][c] = after;
    }
    return -1;
}
