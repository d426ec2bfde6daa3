/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/roots_test.c: roots of functions that are known: between steps, on them, at the ends, stretches, jumps, and none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "cmodel/analytic/roots.h"
#include "tests/cmodel/analytic/numbers.h"

#define MOST 8

struct product {
    unsigned num;
    double root[MOST];
};

/* Rises through 0 at the first root, falls at the next. */
static double product(const void *context, double x)
{
    const struct product *p = context;
    double y = -1;
    for (unsigned i = 0; i < p->num; i++)
        y *= p->root[i] - x;
    return y;
}

static void between_steps(void **unused)
{
    (void)unused;
    for (unsigned round = 0; round < 200; round++) {
        struct product p = {.num = round % (MOST + 1)};
        double roots[MOST];
        for (unsigned i = 0; i < p.num; i++)
            p.root[i] = 3 + i + between(.05, .95); /* one in each step of 1 */
        assert_int_equal(roots_scan(product, &p, 3, 12, 9, roots, MOST), p.num);
        for (unsigned i = 0; i < p.num; i++)
            near(roots[i], p.root[i], 1e-15);
        /* The first ones only. */
        for (unsigned most = 0; most < p.num; most++) {
            roots[most] = -1;
            assert_int_equal(roots_scan(product, &p, 3, 12, 9, roots, most), most);
            assert_true(roots[most] == -1);
        }
        /* Two in the same step are missed, an odd number is not. */
        assert_int_equal(roots_scan(product, &p, 3, 12, 1, roots, MOST), p.num % 2);
    }
}

static double only_at_half(const void *context, double x)
{
    (void)context;
    return x == .5 ? 0 : -1;
}

static void on_steps(void **unused)
{
    (void)unused;
    const struct product p = {.num = 3, .root = {0, 2, 4}}, touched = {.num = 2, .root = {1, 1}};
    double roots[MOST];
    assert_int_equal(roots_scan(product, &p, 0, 4, 4, roots, MOST), 3);
    for (unsigned i = 0; i < 3; i++)
        assert_true(roots[i] == 2. * i);
    assert_int_equal(roots_scan(product, &touched, 0, 4, 4, roots, MOST), 1);
    assert_true(roots[0] == 1);
    /* The far end is met exactly, whatever rounding makes of the steps. */
    assert_true(.1 + (.5 - .1) * 3 / 3 != .5);
    assert_int_equal(roots_scan(only_at_half, NULL, .1, .5, 3, roots, MOST), 1);
    assert_true(roots[0] == .5);
}

/* -1 below 1, 0 from 1 to 2, then 1; jumps to infinity at 3 and is below 0 from 4 on. */
static double stretch(const void *context, double x)
{
    (void)context;
    return x < 1 ? -1 : x <= 2 ? 0 : x < 3 ? 1 : x < 4 ? INFINITY : -2;
}

static double nowhere(const void *context, double x)
{
    (void)context;
    return x < 1 ? -1 : x < 2 ? NAN : 1;
}

static void stretches_and_jumps(void **unused)
{
    (void)unused;
    double roots[MOST];
    assert_int_equal(roots_scan(stretch, NULL, 0, 5, 20, roots, MOST), 2);
    near(roots[0], 1, 1e-15);
    near(roots[1], 4, 1e-15);
    assert_int_equal(roots_scan(stretch, NULL, 1.5, 2.5, 10, roots, MOST), 1);
    assert_true(roots[0] == 1.5);
    assert_int_equal(roots_scan(nowhere, NULL, 0, 3, 12, roots, MOST), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(between_steps),
        cmocka_unit_test(on_steps),
        cmocka_unit_test(stretches_and_jumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
