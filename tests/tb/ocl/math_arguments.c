/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/math_arguments.c: arguments for mathematical functions: first all special values and
 * pairs of them, then random ones of the function's domains; and the distance of a result. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "tests/tb/ocl/math_reference.h"

static const double specials[] = {
    0.0,
    -0.0,
    1,
    -1,
    2,
    -2,
    0.5,
    -0.5,
    INFINITY,
    -INFINITY,
    NAN,
    3,
    -3,
    0x1p-149,
    -0x1p-149,
    -0x1p-130,
    0x1p-126,
    -0x1.fffffcp-127,
    FLT_MAX,
    -FLT_MAX,
    1e5,
    -1e8,
    0x1.921fb6p+0,
    0x1.6ac5b262ca1ffp+849,
    0x1p-1074,
    -0x1p-1022,
    DBL_MAX,
    -DBL_MAX,
    0x1.fffffep-1,
    0x1.fffffffffffffp-1,
    1.5,
    -2.5,
    0x1p23,
    0x1.fffffep+22,
    -0x1p24,
    0x1p52,
    0x1p53,
    -170.5,
};
static const int special_ints[] = {0,  1,       -1,      2,           -2,  3,
                                   -3, INT_MAX, INT_MIN, INT_MIN + 1, 150, -1080};
enum {
    SPECIALS = sizeof specials / sizeof specials[0],
    SPECIAL_INTS = sizeof special_ints / sizeof special_ints[0],
};

static double uniform(double from, double to)
{
    const double fraction = ((double)rand() + rand() / (RAND_MAX + 1.0)) / (RAND_MAX + 1.0);
    return from + fraction * (to - from);
}

static double either_sign(double x)
{
    return rand() % 2 ? x : -x;
}

/* Of all magnitudes below 2^most. */
static double any(int is_double, int most)
{
    const int least = is_double ? -1074 : -149;
    return either_sign(ldexp(1 + uniform(0, 1), least + rand() % (most - least)));
}

/* A few units of the last place of the type beside x. */
static double beside(double x, int is_double)
{
    const double unit = is_double ? DBL_EPSILON : FLT_EPSILON;
    return rand() % 3 ? x * (1 + unit * (rand() % 7 - 3)) : x;
}

static void draw(enum math_domain domain, struct math_arguments *a)
{
    const int is_double = a->is_double, most = is_double ? 1024 : 128;
    const double exponents = is_double ? 750 : 110;
    a->y = any(is_double, most);
    a->z = any(is_double, most);
    a->n = rand() % 2 ? rand() % 41 - 20 : (int)either_sign(rand() % (is_double ? 2200 : 310));
    switch (domain) {
    case ALL: a->x = any(is_double, most); break;
    case UNIT:
        a->x = uniform(-1.5, 1.5);
        a->y = uniform(-1.5, 1.5);
        a->z = uniform(-1.5, 1.5);
        break;
    case MODERATE: {
        const double end = rand() % 2 ? 8 : exponents;
        a->x = uniform(-end, end);
        break;
    }
    case AROUND_1: a->x = either_sign(1) + any(is_double, 0) * 0.5; break;
    case QUADRANTS:
        a->x = beside((double)(M_PI_2l * (long double)rint(any(is_double, 40))), is_double);
        break;
    case HALVES: a->x = beside(rint(any(is_double, is_double ? 54 : 25)) / 2, is_double); break;
    case GAMMA:
        a->x = uniform(is_double ? -185 : -42, is_double ? 172 : 36);
        if (rand() % 3 == 0)
            a->x = beside(rint((double)a->x), is_double) + any(is_double, -4);
        break;
    case POWERS:
        a->x = rand() % 3 == 0 ? any(is_double, most)
               : rand() % 2    ? either_sign(1 + any(is_double, 0) * 0.5)
                               : either_sign(uniform(0.25, 4));
        a->y = uniform(-exponents, exponents) / log(fabs((double)a->x));
        if (rand() % 4 == 0)
            a->y = rint((double)a->y);
        else if (rand() % 2)
            a->x = fabsl(a->x);
        a->n = fabsl(a->y) < INT_MAX ? (int)a->y : (int)either_sign(rand());
        break;
    case QUOTIENTS: {
        const double quotient = rint(any(is_double, 20));
        a->y = any(is_double, most - 20);
        a->x = a->y * (quotient + (rand() % 3 - 1) * 0.5);
        a->x = beside((double)a->x, is_double);
        a->z = -a->x * a->y;
        break;
    }
    default: break;
    }
}

static void to_type(long double *x, int is_double)
{
    *x = is_double ? (long double)(double)*x : (long double)(float)*x;
}

void math_arguments(const struct math_function *f, int is_double, size_t i, size_t count,
                    struct math_arguments *a)
{
    a->is_double = is_double;
    if (i < (size_t)SPECIALS * SPECIALS && i < count / 2) {
        a->x = specials[i % SPECIALS];
        a->y = specials[i / SPECIALS];
        a->z = specials[rand() % SPECIALS];
        a->n = special_ints[i / SPECIALS % SPECIAL_INTS];
    } else {
        unsigned domain = 1u << i % NUM_MATH_DOMAINS;
        while (!(f->domains & domain))
            domain = domain >> 1 ? domain >> 1 : 1u << (NUM_MATH_DOMAINS - 1);
        draw((enum math_domain)domain, a);
    }
    to_type(&a->x, is_double);
    to_type(&a->y, is_double);
    to_type(&a->z, is_double);
}

double math_error(const struct math_function *f, const struct math_arguments *a, long double got)
{
    const int digits = a->is_double ? DBL_MANT_DIG : FLT_MANT_DIG;
    const int least = a->is_double ? DBL_MIN_EXP : FLT_MIN_EXP;
    const int most = a->is_double ? DBL_MAX_EXP : FLT_MAX_EXP;
    const long double past = ldexpl(1, most);
    long double expected = f->expected(a);
    if (f->bound == 0)
        to_type(&expected, a->is_double);
    if (got != got || expected != expected)
        return (got != got) == (expected != expected) ? 0 : INFINITY;
    if (got == 0 && expected == 0)
        return f->any_zero || signbit(got) == signbit(expected) ? 0 : INFINITY;
    if (fabsl(got) > past)
        got = copysignl(past, got);
    if (fabsl(expected) > past)
        expected = copysignl(past, expected);
    const long double size = fmaxl(fabsl(expected), f->scale);
    int exponent = size == 0 ? least : ilogbl(size) + 1;
    exponent = exponent < least ? least : exponent > most ? most : exponent;
    return (double)(fabsl(got - expected) / ldexpl(1, exponent - digits));
}
