/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op/exact.h: arithmetic on real numbers, in integers: what float instructions must
 * give, found without any floating-point operation. A number is known exactly or, where it has too
 * many digits, down to less than the last of more bits than any format keeps; so one rounding at
 * the end is right in every format and direction. */
#ifndef HEDDLE_TESTS_TB_EXEC_OP_EXACT_H
#define HEDDLE_TESTS_TB_EXEC_OP_EXACT_H

#include <stdint.h>

typedef unsigned __int128 uint128;
typedef __int128 int128;

/* The size of a NUMBER is m * 2^e, or, with `rest`, more than that and less than (m + 1) * 2^e. */
struct exact {
    enum exact_kind { NUMBER, INFINITE, NOT_A_NUMBER } kind;
    int negative;
    uint128 m;
    int e;
    int rest;
};

/* The value of a float of 16, 32 or 64 bits, and of an integer. */
struct exact exact_of_float(unsigned bits, uint64_t x);
struct exact exact_of_integer(int128 x);

/* `round`: n nearest (even), z towards zero, m down, p up. It decides the sign of x - x. */
struct exact exact_add(struct exact, struct exact, char round);
struct exact exact_mul(struct exact, struct exact);
struct exact exact_div(struct exact, struct exact);
struct exact exact_sqrt(struct exact);
struct exact exact_negate(struct exact);

/* The integer next to x in the direction of `round`; of x's sign where it is zero. */
struct exact exact_to_integral(struct exact x, char round);

/* An integral number, held to the range of 65 bits and a sign. */
int128 exact_to_integer(struct exact);

/* The float next to x. NaN: all fraction bits set, no sign (16 and 32 bits), or the fraction's
 * highest (64 bits). */
uint64_t exact_to_float(struct exact x, unsigned bits, char round);

/* Bits of a float: a zero of its sign where it is subnormal; and held to [0, 1], NaN being 0. */
uint64_t float_flush(unsigned bits, uint64_t x);
uint64_t float_saturate(unsigned bits, uint64_t x);
int float_is_nan(unsigned bits, uint64_t x);

#endif
