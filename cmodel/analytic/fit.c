/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/analytic/fit.c: see fit.h. */
#include "cmodel/analytic/fit.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SWEEPS 60 /* of Jacobi's rotations; 16 columns need fewer than ten */

/* What is being solved: a[r * n + c], columns scaled to length 1, and the right side. */
struct problem {
    double *a, *b;
    unsigned rows, n;
    double scale[FIT_COLUMNS];    /* lengths that the columns had */
    double diagonal[FIT_COLUMNS]; /* of R */
};

static int in_range(double v)
{
    return fabs(v) <= FIT_LARGEST; /* false of NaN */
}

static enum fit_error check(const double *x, const double *y, unsigned rows, unsigned n,
                            unsigned *row)
{
    if (!n || n > FIT_COLUMNS)
        return FIT_SIZE;
    if (rows < n)
        return FIT_FEW_ROWS;
    for (unsigned r = 0; r < rows; r++) {
        *row = r;
        if (!in_range(y[r]))
            return FIT_RANGE;
        for (unsigned c = 0; c < n; c++)
            if (!in_range(x[(size_t)r * n + c]))
                return FIT_RANGE;
    }
    *row = 0;
    return FIT_OK;
}

/* Below `from`. Divided by the largest first, so that small numbers do not vanish when squared. */
static double length(const struct problem *p, unsigned from, unsigned c)
{
    double largest = 0, sum = 0;
    for (unsigned r = from; r < p->rows; r++)
        largest = fmax(largest, fabs(p->a[(size_t)r * p->n + c]));
    if (!(largest > 0))
        return 0;
    for (unsigned r = from; r < p->rows; r++) {
        const double v = p->a[(size_t)r * p->n + c] / largest;
        sum += v * v;
    }
    return largest * sqrt(sum);
}

/* A column of which nothing is left when scaled, or nothing from the start, is named. */
static enum fit_error scale(struct problem *p, unsigned *column)
{
    for (unsigned c = 0; c < p->n; c++) {
        p->scale[c] = length(p, 0, c);
        if (p->scale[c] < 1 / FIT_LARGEST) {
            *column = c;
            return FIT_RANK;
        }
        for (unsigned r = 0; r < p->rows; r++)
            p->a[(size_t)r * p->n + c] /= p->scale[c];
    }
    return FIT_OK;
}

/* Adds to `v` (every `stride`-th number is one of it) the multiple of column c that reflects it. */
static void reflect(const struct problem *p, unsigned c, double *v, unsigned stride, double square)
{
    double along = 0;
    for (unsigned r = c; r < p->rows; r++)
        along += p->a[(size_t)r * p->n + c] * v[(size_t)r * stride];
    for (unsigned r = c; r < p->rows; r++)
        v[(size_t)r * stride] -= 2 * along / square * p->a[(size_t)r * p->n + c];
}

/* R above the diagonal of `a`, its diagonal apart; below and on the diagonal of `a` what reflects. */
static void factor(struct problem *p)
{
    for (unsigned c = 0; c < p->n; c++) {
        const double left = length(p, c, c);
        double *head = &p->a[(size_t)c * p->n + c];
        p->diagonal[c] = *head > 0 ? -left : left; /* the sign that cancels nothing */
        *head -= p->diagonal[c];
        const double reflector = length(p, c, c), square = reflector * reflector;
        if (!(square > 0)) /* nothing is left of it: the condition number will say so */
            continue;
        for (unsigned k = c + 1; k < p->n; k++)
            reflect(p, c, p->a + k, p->n, square);
        reflect(p, c, p->b, 1, square);
    }
}

/* Rotates columns i and j of u into right angles. Were they so already? */
static int rotate(double u[FIT_COLUMNS][FIT_COLUMNS], unsigned n, unsigned i, unsigned j)
{
    double ii = 0, jj = 0, ij = 0;
    for (unsigned r = 0; r < n; r++) {
        ii += u[r][i] * u[r][i];
        jj += u[r][j] * u[r][j];
        ij += u[r][i] * u[r][j];
    }
    /* A column below the rounding of the largest, which is about 1, may not settle, and need not. */
    if (fabs(ij) <= 4 * DBL_EPSILON * sqrt(ii * jj) || fabs(ij) <= DBL_EPSILON * DBL_EPSILON)
        return 1;
    const double zeta = (jj - ii) / (2 * ij),
                 t = (zeta > 0 ? 1 : -1) / (fabs(zeta) + sqrt(1 + zeta * zeta)),
                 cosine = 1 / sqrt(1 + t * t), sine = cosine * t;
    for (unsigned r = 0; r < n; r++) {
        const double a = u[r][i], b = u[r][j];
        u[r][i] = cosine * a - sine * b;
        u[r][j] = sine * a + cosine * b;
    }
    return 0;
}

/* Singular values of R are the lengths of its columns once all are at right angles. */
static enum fit_error condition(const struct problem *p, double *number)
{
    double u[FIT_COLUMNS][FIT_COLUMNS] = {{0}};
    for (unsigned r = 0; r < p->n; r++)
        for (unsigned c = r; c < p->n; c++)
            u[r][c] = r == c ? p->diagonal[c] : p->a[(size_t)r * p->n + c];
    int settled = 0;
    for (unsigned sweep = 0; sweep < SWEEPS && !settled; sweep++) {
        settled = 1;
        for (unsigned i = 0; i < p->n; i++)
            for (unsigned j = i + 1; j < p->n; j++)
                settled &= rotate(u, p->n, i, j);
    }
    double largest = 0, least = INFINITY;
    for (unsigned c = 0; c < p->n; c++) {
        double sum = 0;
        for (unsigned r = 0; r < p->n; r++)
            sum += u[r][c] * u[r][c];
        largest = fmax(largest, sqrt(sum));
        least = fmin(least, sqrt(sum));
    }
    *number = largest / least; /* infinite where the least is 0 */
    return settled ? FIT_OK : FIT_UNSETTLED;
}

/* The column that lies nearest to those before it. */
static unsigned nearest(const struct problem *p)
{
    unsigned found = 0;
    for (unsigned c = 1; c < p->n; c++)
        if (fabs(p->diagonal[c]) < fabs(p->diagonal[found]))
            found = c;
    return found;
}

static void substitute(const struct problem *p, double *coefficient)
{
    for (unsigned c = p->n; c-- > 0;) {
        double left = p->b[c];
        for (unsigned k = c + 1; k < p->n; k++)
            left -= p->a[(size_t)c * p->n + k] * coefficient[k];
        coefficient[c] = left / p->diagonal[c];
    }
    for (unsigned c = 0; c < p->n; c++)
        coefficient[c] /= p->scale[c];
}

static void judge(const double *x, const double *y, unsigned rows, unsigned n, struct fit *out)
{
    double mean = 0, squares = 0, about = 0, relative = 0;
    unsigned counted = 0;
    for (unsigned r = 0; r < rows; r++)
        mean += y[r] / rows;
    for (unsigned r = 0; r < rows; r++) {
        double residual = y[r];
        for (unsigned c = 0; c < n; c++)
            residual -= out->coefficient[c] * x[(size_t)r * n + c];
        squares += residual * residual;
        about += (y[r] - mean) * (y[r] - mean);
        if (y[r] != 0) {
            relative += fabs(residual / y[r]);
            out->max_relative = fmax(out->max_relative, fabs(residual / y[r]));
            counted++;
        }
    }
    /* The mean itself is rounded: what varies by no more than that does not vary. */
    const double rounding = rows * DBL_EPSILON * fabs(mean);
    out->r2 = about > rows * rounding * rounding ? 1 - squares / about : 0;
    out->mean_relative = counted ? relative / counted : 0;
}

enum fit_error fit(const double *x, const double *y, unsigned rows, unsigned columns, double *work,
                   struct fit *out)
{
    struct problem p = {.a = work, .rows = rows, .n = columns};
    *out = (struct fit){0};
    enum fit_error error = check(x, y, rows, columns, &out->row);
    if (error)
        return error;
    p.b = work + (size_t)rows * columns;
    memcpy(p.a, x, (size_t)rows * columns * sizeof *x);
    memcpy(p.b, y, rows * sizeof *y);
    error = scale(&p, &out->column);
    if (error)
        return error;
    factor(&p);
    error = condition(&p, &out->condition);
    if (!error && !(out->condition <= FIT_CONDITION))
        error = FIT_RANK;
    if (error) {
        *out = (struct fit){.column = nearest(&p)};
        return error;
    }
    substitute(&p, out->coefficient);
    judge(x, y, rows, columns, out);
    return FIT_OK;
}

const char *fit_reason(enum fit_error error)
{
    switch (error) {
    case FIT_OK: return "no error";
    case FIT_SIZE: return "there is no column, or there are too many";
    case FIT_FEW_ROWS: return "there are fewer rows than columns";
    case FIT_RANGE: return "a row has a number that is not finite or too large";
    case FIT_RANK: return "a column is zero, or a sum of multiples of those before it";
    case FIT_UNSETTLED: return "the condition number was not found";
    }
    return "unknown error";
}
