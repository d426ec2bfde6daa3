/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/math_reference.h: what mathematical functions of OpenCL C should give, from the C
 * library's long double, and how far off they may be (OpenCL 1.2, sections 7.4 and 7.5.1). */
#ifndef HEDDLE_TESTS_TB_OCL_MATH_REFERENCE_H
#define HEDDLE_TESTS_TB_OCL_MATH_REFERENCE_H

#include <stddef.h>

/* Arguments of one call: numbers of the type. */
struct math_arguments {
    long double x, y, z;
    int n;
    int is_double;
};

/* Where arguments are taken from. A function has several; each gets its share. */
enum math_domain {
    ALL = 1 << 0,       /* all magnitudes alike, from the least denormal to the largest number */
    UNIT = 1 << 1,      /* evenly in [-1.5, 1.5] */
    MODERATE = 1 << 2,  /* evenly in [-8, 8], or as far as exponentials go */
    AROUND_1 = 1 << 3,  /* 1 + d and -1 + d, d of all magnitudes below 1 */
    QUADRANTS = 1 << 4, /* beside multiples of pi/2 */
    HALVES = 1 << 5,    /* beside multiples of 1/2, up to where all numbers are integers */
    GAMMA = 1 << 6,     /* evenly where the gamma function is finite and not 0, or near integers */
    POWERS = 1 << 7,    /* x^y and x^n end within the range */
    QUOTIENTS = 1 << 8, /* x/y small, an integer, or nearly an n + 1/2 */
    NUM_MATH_DOMAINS = 9
};

struct math_function {
    const char *call; /* OpenCL C, of x, y, z and n; w and e are variables; REAL(i) is i as T */
    long double (*expected)(const struct math_arguments *);
    unsigned domains;
    double bound; /* ulps; 0: the result rounded to nearest */
    int floats_only;
    int any_zero; /* the sign of a zero is not said */
    double scale; /* ulps are those of this number, where the result is smaller */
};

extern const struct math_function math_functions[];
extern const size_t num_math_functions;

/* Makes the arguments of the i-th of `count` calls of a function. */
void math_arguments(const struct math_function *, int is_double, size_t i, size_t count,
                    struct math_arguments *);

/* How far `got` is from what is expected, in units of the last place of what is expected. The first
 * number past the range stands for infinity and all beyond. */
double math_error(const struct math_function *, const struct math_arguments *, long double got);

#endif
