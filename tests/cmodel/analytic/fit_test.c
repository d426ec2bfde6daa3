/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/fit_test.c: least squares, restated as normal equations in long double, and by what must hold of the answer:
 * every small change of a coefficient makes the sum of squares larger. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/analytic/fit.h"
#include "tests/cmodel/analytic/numbers.h"

#define ROWS 64 /* at most */

struct sheet {
    unsigned rows, columns;
    double x[ROWS * FIT_COLUMNS], y[ROWS], work[FIT_WORK(ROWS, FIT_COLUMNS)];
};

static enum fit_error solve(struct sheet *s, struct fit *out)
{
    return fit(s->x, s->y, s->rows, s->columns, s->work, out);
}

/* X'X c = X'y, eliminated with the largest pivot. */
static void normal_equations(const struct sheet *s, double *answer)
{
    long double m[FIT_COLUMNS][FIT_COLUMNS + 1] = {{0}};
    const unsigned n = s->columns;
    for (unsigned r = 0; r < s->rows; r++)
        for (unsigned i = 0; i < n; i++) {
            for (unsigned j = 0; j < n; j++)
                m[i][j] += (long double)s->x[r * n + i] * s->x[r * n + j];
            m[i][n] += (long double)s->x[r * n + i] * s->y[r];
        }
    for (unsigned i = 0; i < n; i++) {
        unsigned pivot = i;
        for (unsigned k = i; k < n; k++)
            if (fabsl(m[k][i]) > fabsl(m[pivot][i]))
                pivot = k;
        for (unsigned j = 0; j <= n; j++) {
            const long double held = m[i][j];
            m[i][j] = m[pivot][j];
            m[pivot][j] = held;
        }
        for (unsigned k = 0; k < n; k++)
            if (k != i) {
                const long double factor = m[k][i] / m[i][i];
                for (unsigned j = i; j <= n; j++)
                    m[k][j] -= factor * m[i][j];
            }
    }
    for (unsigned i = 0; i < n; i++)
        answer[i] = (double)(m[i][n] / m[i][i]);
}

/* Columns in units as far apart as events per second and a constant. */
static void random_sheet(struct sheet *s)
{
    s->columns = 1 + (unsigned)(uniform() * 7);
    s->rows = s->columns + (unsigned)(uniform() * (ROWS - s->columns));
    for (unsigned c = 0; c < s->columns; c++) {
        const double unit = pow(10, floor(uniform() * 19) - 9);
        for (unsigned r = 0; r < s->rows; r++)
            s->x[r * s->columns + c] = c ? unit * uniform() : 1;
    }
    for (unsigned r = 0; r < s->rows; r++)
        s->y[r] = 10 * uniform() - 2;
}

static void agrees_with_the_normal_equations(void **unused)
{
    (void)unused;
    unsigned compared = 0;
    for (unsigned round = 0; round < 2000; round++) {
        struct sheet s;
        struct fit f;
        double other[FIT_COLUMNS];
        random_sheet(&s);
        assert_int_equal(solve(&s, &f), FIT_OK);
        if (f.condition > 1e4) /* its square is what normal equations lose */
            continue;
        compared++;
        normal_equations(&s, other);
        for (unsigned c = 0; c < s.columns; c++) {
            double size =
                0; /* a coefficient that nearly is 0 is known as well as those around it */
            for (unsigned k = 0; k < s.columns; k++)
                size = fmax(size, fabs(other[k] * s.x[k]));
            assert_true(fabs(f.coefficient[c] - other[c]) * fabs(s.x[c]) <= 1e-8 * size);
        }
    }
    assert_true(compared > 1500);
}

/* What fit says of its own answer, counted once more: with n unknowns met exactly R2 is 1, with the mean alone 0. */
static void says_how_well_it_fits(void **unused)
{
    (void)unused;
    for (unsigned round = 0; round < 500; round++) {
        struct sheet s;
        struct fit f;
        random_sheet(&s);
        assert_int_equal(solve(&s, &f), FIT_OK);
        long double sum = 0, square = 0, left = 0, relative = 0, worst = 0;
        for (unsigned r = 0; r < s.rows; r++) {
            long double e = s.y[r];
            for (unsigned c = 0; c < s.columns; c++)
                e -= (long double)f.coefficient[c] * s.x[r * s.columns + c];
            left += e * e;
            sum += s.y[r];
            square += (long double)s.y[r] * s.y[r];
            relative += fabsl(e) / fabsl((long double)s.y[r]) / s.rows;
            if (fabsl(e / s.y[r]) > worst)
                worst = fabsl(e / s.y[r]);
        }
        const long double varies = square - sum * sum / s.rows;
        if (s.rows > 1)
            assert_true(fabs(f.r2 - (double)(1 - left / varies)) < 1e-8);
        assert_true(fabs(f.mean_relative - (double)relative) < 1e-8 * (1 + (double)relative));
        assert_true(fabs(f.max_relative - (double)worst) < 1e-8 * (1 + (double)worst));
    }
    struct sheet flat = {.rows = 3, .columns = 1, .x = {1, 1, 1}, .y = {0.1, 0.1, 0.1}};
    struct fit f;
    assert_int_equal(solve(&flat, &f), FIT_OK);
    assert_true(f.r2 == 0);
    flat.y[0] = flat.y[1] = flat.y[2] = 0; /* no error is relative to 0 */
    assert_int_equal(solve(&flat, &f), FIT_OK);
    assert_true(f.mean_relative == 0 && f.r2 == 0);
    struct sheet some = {.rows = 4, .columns = 1, .x = {1, 1, 1, 1}, .y = {0, 0, 2, 2}};
    assert_int_equal(solve(&some, &f), FIT_OK);
    near(f.mean_relative, 0.5, 1e-14); /* 1 is half of 2, twice */
    near(f.max_relative, 0.5, 1e-14);
}

/* Two columns at angle t have singular values sqrt(1 + cos t) and sqrt(1 - cos t). */
static void the_condition_number_is_exact(void **unused)
{
    (void)unused;
    for (double t = 1.5; t > 1e-9; t *= 0.5) {
        struct sheet s = {
            .rows = 3, .columns = 2, .x = {3, 5e6 * cos(t), 0, 5e6 * sin(t)}, .y = {1, 2, 3}};
        struct fit f;
        assert_int_equal(solve(&s, &f), FIT_OK);
        near(f.condition, 1 / tan(t / 2), 1e-6);
    }
    /* Columns at right angles, however different their units. */
    struct sheet s = {
        .rows = 4, .columns = 3, .x = {1e9, 0, 0, 0, 1e-9, 0, 0, 0, 7}, .y = {3e9, 4e-9, 35, 1}};
    struct fit f;
    assert_int_equal(solve(&s, &f), FIT_OK);
    near(f.condition, 1, 1e-12);
    near(f.coefficient[0], 3, 1e-12);
    near(f.coefficient[1], 4, 1e-12);
    near(f.coefficient[2], 5, 1e-12);
}

/* A column that nearly is an axis: the wrong sign of the reflection would subtract what it consists of. */
static void a_column_along_an_axis_is_kept(void **unused)
{
    (void)unused;
    const double x[] = {1, 0.3, 3e-8, 0.5, -2e-8, 0.7, 1e-8, -0.2};
    struct sheet s = {.rows = 4, .columns = 2};
    memcpy(s.x, x, sizeof x);
    for (unsigned r = 0; r < 4; r++)
        s.y[r] = 2 * x[2 * r] + 3 * x[2 * r + 1];
    struct fit f;
    assert_int_equal(solve(&s, &f), FIT_OK);
    near(f.coefficient[0], 2, 1e-14);
    near(f.coefficient[1], 3, 1e-14);
}

/* A line whose x hardly varies, as in the first phase of mcf (thesis 5.4.3): sums as printed (5.5) against fit. */
static void keeps_what_the_printed_sums_lose(void **unused)
{
    (void)unused;
    const double slope = 7e-8, constant = 0.9;
    printf("relative error of c1: x varies by   (5.5) in double   fit\n");
    for (int digits = 2; digits <= 8; digits++) {
        struct sheet s = {.rows = 20, .columns = 2};
        double sx = 0, sy = 0, sxx = 0, sxy = 0;
        for (unsigned r = 0; r < 20; r++) {
            const double x = 1.2e7 * (1 + pow(10, -digits) * uniform()), y = slope * x + constant;
            s.x[2 * r] = x;
            s.x[2 * r + 1] = 1;
            s.y[r] = y;
            sx += x;
            sy += y;
            sxx += x * x;
            sxy += x * y;
        }
        struct fit f;
        assert_int_equal(solve(&s, &f), FIT_OK);
        const double printed = (20 * sxy - sx * sy) / (20 * sxx - sx * sx),
                     off = fabs(f.coefficient[0] / slope - 1),
                     printed_off = fabs(printed / slope - 1);
        printf("                             1e-%d   %-17.2g   %.2g\n", digits, printed_off, off);
        assert_true(off < 1e-14 * pow(10, digits)); /* rounding of x and y over how far x varies */
        if (digits >= 7)
            assert_true(printed_off > 100 * off);
    }
}

static void a_dependent_column_is_named(void **unused)
{
    (void)unused;
    for (unsigned dependent = 1; dependent < 5; dependent++) {
        struct sheet s = {.rows = 30, .columns = 5};
        for (unsigned r = 0; r < 30; r++) {
            double *row = s.x + 5 * r;
            for (unsigned c = 0; c < 5; c++)
                row[c] = uniform() * pow(10, 3 * c);
            row[dependent] = 3 * row[0] - (dependent > 1 ? 0.1 * row[1] : 0);
            s.y[r] = uniform();
        }
        struct fit f;
        assert_int_equal(solve(&s, &f), FIT_RANK);
        assert_int_equal(f.column, dependent);
        assert_true(f.coefficient[0] == 0 && f.r2 == 0);
    }
    struct sheet zero = {.rows = 3, .columns = 2, .x = {1, 0, 2, 0, 4, 0}, .y = {1, 2, 3}};
    struct fit f;
    assert_int_equal(solve(&zero, &f), FIT_RANK);
    assert_int_equal(f.column, 1);
    struct sheet tiny = {.rows = 2, .columns = 1, .x = {4e-324, 1e-320}, .y = {1e100, 1}};
    assert_int_equal(solve(&tiny, &f), FIT_RANK);
    assert_int_equal(f.column, 0);
}

static void what_cannot_be_fitted_is_an_error(void **unused)
{
    (void)unused;
    struct sheet s = {.rows = 3, .columns = 2, .x = {1, 1, 1, 2, 1, 3}, .y = {1, 2, 3}};
    struct fit f;
    assert_int_equal(solve(&s, &f), FIT_OK);
    const double bad[] = {NAN, INFINITY, -INFINITY, 1.1e100, -1e300};
    for (unsigned b = 0; b < 5; b++)
        for (unsigned r = 0; r < 3; r++) {
            struct sheet t = s;
            t.x[2 * r + 1] = bad[b];
            assert_int_equal(solve(&t, &f), FIT_RANGE);
            assert_int_equal(f.row, r);
            t = s;
            t.y[r] = bad[b];
            assert_int_equal(solve(&t, &f), FIT_RANGE);
            assert_int_equal(f.row, r);
        }
    s.rows = 1;
    assert_int_equal(solve(&s, &f), FIT_FEW_ROWS);
    s.columns = 0;
    assert_int_equal(solve(&s, &f), FIT_SIZE);
    s.columns = FIT_COLUMNS + 1;
    assert_int_equal(solve(&s, &f), FIT_SIZE);
    for (int e = FIT_OK; e <= FIT_UNSETTLED; e++)
        for (int other = FIT_OK; other < e; other++)
            assert_string_not_equal(fit_reason((enum fit_error)e),
                                    fit_reason((enum fit_error)other));
    assert_string_equal(fit_reason((enum fit_error)99), "unknown error");
}

/* As large and as many as may be: nothing overflows. */
static void the_largest_numbers_are_taken(void **unused)
{
    (void)unused;
    struct sheet s = {.rows = ROWS, .columns = FIT_COLUMNS};
    for (unsigned r = 0; r < ROWS; r++) {
        for (unsigned c = 0; c < FIT_COLUMNS; c++)
            s.x[r * FIT_COLUMNS + c] = (c % 2 ? 1e100 : 1e-98) * (uniform() - 0.5);
        s.y[r] = 1e100 * uniform();
    }
    struct fit f;
    assert_int_equal(solve(&s, &f), FIT_OK);
    for (unsigned c = 0; c < FIT_COLUMNS; c++)
        assert_true(isfinite(f.coefficient[c]));
    assert_true(isfinite(f.r2) && isfinite(f.mean_relative));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_normal_equations),
        cmocka_unit_test(says_how_well_it_fits),
        cmocka_unit_test(the_condition_number_is_exact),
        cmocka_unit_test(a_column_along_an_axis_is_kept),
        cmocka_unit_test(keeps_what_the_printed_sums_lose),
        cmocka_unit_test(a_dependent_column_is_named),
        cmocka_unit_test(what_cannot_be_fitted_is_an_error),
        cmocka_unit_test(the_largest_numbers_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
