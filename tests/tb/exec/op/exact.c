/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op/exact.c: see the header. Numbers that enter have at most 64 significant bits,
 * products 106; that leaves room for the digits that decide a rounding. */
#include "tests/tb/exec/op/exact.h"

#include <stddef.h>

/* IEEE 754 binary16, binary32, binary64. */
struct format {
    unsigned bits;
    int fraction, bias;
};

static struct format format_of(unsigned bits)
{
    static const struct format formats[] = {{16, 10, 15}, {32, 23, 127}, {64, 52, 1023}};
    return formats[bits == 16 ? 0 : bits == 32 ? 1 : 2];
}

static uint64_t exponent_ones(struct format f)
{
    return (uint64_t)(2 * f.bias + 1);
}

/* Number of the highest bit set, from 1; 0: none is. */
static int length(uint128 m)
{
    int n = 0;
    for (; m; m >>= 1)
        n++;
    return n;
}

static struct exact number(int negative, uint128 m, int e, int rest)
{
    return (struct exact){NUMBER, negative, m, e, rest};
}

static struct exact special(enum exact_kind kind, int negative)
{
    return (struct exact){.kind = kind, .negative = negative};
}

static int is_zero(struct exact x)
{
    return x.kind == NUMBER && x.m == 0 && !x.rest;
}

/* Moves the highest bit to bit 125, so that sums have room. */
static struct exact normalized(struct exact x)
{
    int shift = x.m ? 126 - length(x.m) : 0;
    return number(x.negative, x.m << shift, x.e - shift, x.rest);
}

struct exact exact_of_float(unsigned bits, uint64_t x)
{
    struct format f = format_of(bits);
    uint64_t fraction = x & (((uint64_t)1 << f.fraction) - 1);
    uint64_t exponent = x >> f.fraction & exponent_ones(f);
    int negative = x >> (bits - 1) & 1;
    if (exponent == exponent_ones(f))
        return special(fraction ? NOT_A_NUMBER : INFINITE, negative);
    if (exponent == 0)
        return number(negative, fraction, 1 - f.bias - f.fraction, 0);
    return number(negative, fraction + ((uint64_t)1 << f.fraction),
                  (int)exponent - f.bias - f.fraction, 0);
}

struct exact exact_of_integer(int128 x)
{
    return number(x < 0, (uint128)(x < 0 ? -x : x), 0, 0);
}

struct exact exact_negate(struct exact x)
{
    x.negative = !x.negative;
    return x;
}

/* Divides m by 2^shift. */
static struct exact shifted(struct exact x, int shift)
{
    uint128 kept = shift > 127 ? 0 : x.m >> shift;
    int lost = shift > 127 ? x.m != 0 : kept << shift != x.m;
    return number(x.negative, kept, x.e + shift, x.rest || lost);
}

struct exact exact_add(struct exact x, struct exact y, char round)
{
    if (x.kind != NUMBER || y.kind != NUMBER) {
        int clash = x.kind == INFINITE && y.kind == INFINITE && x.negative != y.negative;
        if (clash || x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER)
            return special(NOT_A_NUMBER, 0);
        return x.kind == INFINITE ? x : y;
    }
    if (is_zero(x) && is_zero(y))
        return number(x.negative == y.negative ? x.negative : round == 'm', 0, 0, 0);
    if (is_zero(x) || is_zero(y))
        return is_zero(x) ? y : x;
    x = normalized(x);
    y = normalized(y);
    if (x.e < y.e || (x.e == y.e && x.m < y.m)) {
        struct exact other = x;
        x = y;
        y = other;
    }
    y = shifted(y, x.e - y.e);
    if (x.negative == y.negative)
        return number(x.negative, x.m + y.m, x.e, y.rest);
    if (x.m == y.m && !y.rest)
        return number(round == 'm', 0, 0, 0);
    return number(x.negative, x.m - y.m - (unsigned)y.rest, x.e, y.rest);
}

struct exact exact_mul(struct exact x, struct exact y)
{
    int negative = x.negative != y.negative;
    if (x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER || (x.kind == INFINITE && is_zero(y)) ||
        (is_zero(x) && y.kind == INFINITE))
        return special(NOT_A_NUMBER, 0);
    if (x.kind == INFINITE || y.kind == INFINITE)
        return special(INFINITE, negative);
    return number(negative, x.m * y.m, x.e + y.e, 0);
}

struct exact exact_div(struct exact x, struct exact y)
{
    int negative = x.negative != y.negative;
    if (x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER ||
        (x.kind == INFINITE && y.kind == INFINITE) || (is_zero(x) && is_zero(y)))
        return special(NOT_A_NUMBER, 0);
    if (x.kind == INFINITE || is_zero(y))
        return special(INFINITE, negative);
    if (y.kind == INFINITE || is_zero(x))
        return number(negative, 0, 0, 0);
    x = normalized(x);
    return number(negative, x.m / y.m, x.e - y.e, x.m % y.m != 0);
}

struct exact exact_sqrt(struct exact x)
{
    if (x.kind == NOT_A_NUMBER || (x.negative && !is_zero(x)))
        return special(NOT_A_NUMBER, 0);
    if (x.kind == INFINITE || is_zero(x))
        return x;
    x = normalized(x);
    if (x.e % 2 != 0)
        x = number(0, x.m << 1, x.e - 1, 0);
    uint128 root = 0;
    for (int bit = 63; bit >= 0; bit--) {
        uint128 more = root | (uint128)1 << bit;
        if (more * more <= x.m)
            root = more;
    }
    return number(0, root, x.e / 2, root * root != x.m);
}

/* Whether the size goes up to the next multiple of 2^shift of which `kept` are whole. */
static int goes_up(struct exact x, int shift, uint128 kept, char round)
{
    struct exact half = shifted(x, shift - 1);
    int upper = half.m & 1, lower = half.rest;
    if (round == 'n')
        return upper && (lower || (kept & 1));
    return (upper || lower) && (round == 'p' ? !x.negative : round == 'm' && x.negative);
}

struct exact exact_to_integral(struct exact x, char round)
{
    if (x.kind != NUMBER || x.e >= 0)
        return x;
    struct exact whole = shifted(x, -x.e);
    return number(x.negative, whole.m + (unsigned)goes_up(x, -x.e, whole.m, round), 0, 0);
}

int128 exact_to_integer(struct exact x)
{
    const int128 most = (int128)1 << 65;
    int128 size = x.kind == INFINITE || (x.m && length(x.m) + x.e > 65) ? most
                  : x.e >= 0                                            ? (int128)(x.m << x.e)
                                                                        : (int128)(x.m >> -x.e);
    return x.negative ? -size : size;
}

uint64_t exact_to_float(struct exact x, unsigned bits, char round)
{
    struct format f = format_of(bits);
    const uint64_t sign = (uint64_t)x.negative << (bits - 1);
    const uint64_t infinity = exponent_ones(f) << f.fraction;
    if (x.kind == NOT_A_NUMBER)
        return bits == 64 ? infinity + ((uint64_t)1 << 51) : ((uint64_t)1 << (bits - 1)) - 1;
    if (x.kind == INFINITE)
        return sign | infinity;
    if (is_zero(x))
        return sign;
    /* The last digit that is kept: of the normal number, or of the subnormal ones. */
    int least = 1 - f.bias - f.fraction, last = length(x.m) - 1 + x.e - f.fraction;
    int normal = last >= least;
    if (!normal)
        last = least;
    uint128 kept = x.m << (x.e > last ? x.e - last : 0);
    if (last > x.e) {
        kept = shifted(x, last - x.e).m;
        kept += (unsigned)goes_up(x, last - x.e, kept, round);
    }
    uint64_t result = (uint64_t)kept;
    if (normal)
        result += (uint64_t)(last - least) << f.fraction; /* a carry into the exponent is right */
    if (last - least >= (int)exponent_ones(f) || result >= infinity)
        result = round == 'n' || round == (x.negative ? 'm' : 'p') ? infinity : infinity - 1;
    return sign | result;
}

uint64_t float_flush(unsigned bits, uint64_t x)
{
    struct format f = format_of(bits);
    return x >> f.fraction & exponent_ones(f) ? x : x & (uint64_t)1 << (bits - 1);
}

int float_is_nan(unsigned bits, uint64_t x)
{
    return exact_of_float(bits, x).kind == NOT_A_NUMBER;
}

uint64_t float_saturate(unsigned bits, uint64_t x)
{
    struct format f = format_of(bits);
    const uint64_t one = (uint64_t)f.bias << f.fraction;
    return float_is_nan(bits, x) || x >> (bits - 1) & 1 ? 0 : x > one ? one : x;
}
