/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/numbers.h: the random numbers of these tests, the same in every run; and what is equal but for rounding. For a test, which has
 * cmocka's headers. */
#ifndef HEDDLE_TESTS_CMODEL_ANALYTIC_NUMBERS_H
#define HEDDLE_TESTS_CMODEL_ANALYTIC_NUMBERS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static inline uint64_t random_word(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static inline uint64_t random_below(uint64_t limit)
{
    return random_word() % limit;
}

/* In [0, 1). */
static inline double uniform(void)
{
    return (double)(random_word() >> 11) / 9007199254740992.0;
}

static inline double between(double low, double high)
{
    return low + (high - low) * uniform();
}

static inline void near(double a, double b, double relative)
{
    if (!(fabs(a - b) <= relative * fmax(fabs(a), fabs(b))))
        fail_msg("%.17g is not %.17g within %g", a, b, relative);
}

/* As near(), but numbers below 1 may differ by `error` itself. */
static inline void within(double a, double b, double error)
{
    if (!(fabs(a - b) <= error * fmax(1, fabs(b))))
        fail_msg("%.17g is not %.17g within %g", a, b, error);
}

#endif
