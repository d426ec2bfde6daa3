/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/rounding.cl: rounding to integers, remainders, and the parts of a floating-point number.
 */

/* Of a type: its bits as an integer, width of the significand without its first bit, exponent bias.
 */
#define I_float     int
#define I_double    long
#define BITS_float  23
#define BITS_double 52
#define BIAS_float  127
#define BIAS_double 1023

#define F_floor_float  __builtin_floorf
#define F_floor_double __builtin_floor
#define F_ceil_float   __builtin_ceilf
#define F_ceil_double  __builtin_ceil
#define F_trunc_float  __builtin_truncf
#define F_trunc_double __builtin_trunc
#define F_rint_float   __builtin_rintf
#define F_rint_double  __builtin_rint

#define ROUNDING(T, I)                                                                             \
    BUILTIN T copysign(T a, T b)                                                                   \
    {                                                                                              \
        const I sign = (I)1 << (sizeof(T) * 8 - 1);                                                \
        return as(T, (as(I, a) & ~sign) | (as(I, b) & sign));                                      \
    }                                                                                              \
    BUILTIN T floor(T a) { return F_floor_##T(a); }                                                \
    BUILTIN T ceil(T a) { return F_ceil_##T(a); }                                                  \
    BUILTIN T trunc(T a) { return F_trunc_##T(a); }                                                \
    BUILTIN T rint(T a) { return F_rint_##T(a); }                                                  \
    BUILTIN T round(T a)                                                                           \
    {                                                                                              \
        const T whole = trunc(a);                                                                  \
        return copysign(fabs(a - whole) >= (T)0.5 ? whole + copysign((T)1, a) : whole, a);         \
    }                                                                                              \
    MAP2(copysign, T, T, T)                                                                        \
    MAP1(floor, T, T)                                                                              \
    MAP1(ceil, T, T)                                                                               \
    MAP1(trunc, T, T)                                                                              \
    MAP1(rint, T, T)                                                                               \
    MAP1(round, T, T)
ROUNDING(float, int)
ROUNDING(double, long)

/* 2 to the power k, for exponents of normal numbers. */
#define POWER_OF_2(T) as(T, ((I_##T)(k) + BIAS_##T) << BITS_##T)

/* scale: a * 2^k in two steps, for a near 1: neither factor leaves the normal numbers, only the
 * second step rounds. ldexp: any a and k. A first factor keeps what a last one may round,
 * SIGNIFICANT bits above the least normal number. */
#define SCALE(T, MOST, SIGNIFICANT)                                                                \
    BUILTIN T power_of_2_##T(int k) { return POWER_OF_2(T); }                                      \
    BUILTIN T scale(T a, int k)                                                                    \
    {                                                                                              \
        const int half_k = k >> 1;                                                                 \
        return a * power_of_2_##T(half_k) * power_of_2_##T(k - half_k);                            \
    }                                                                                              \
    BUILTIN T ldexp(T a, int k)                                                                    \
    {                                                                                              \
        const int down = -(MOST - 1 - SIGNIFICANT);                                                \
        for (int i = 0; i < 2; i++) {                                                              \
            const int part = k > MOST ? MOST : k < 1 - MOST ? down : 0;                            \
            a *= power_of_2_##T(part);                                                             \
            k -= part;                                                                             \
        }                                                                                          \
        return a * power_of_2_##T(min(max(k, 1 - MOST), MOST));                                    \
    }                                                                                              \
    MAP2(ldexp, T, T, int)                                                                         \
    SIZES(LDEXP_SCALAR, T)
#define LDEXP_SCALAR(n, T)                                                                         \
    BUILTIN T##n ldexp(T##n a, int k) { return ldexp(a, (int##n)k); }
SCALE(float, 127, 24)
SCALE(double, 1023, 53)

/* The number as significand * 2^exponent, both integers; the sign is left out. */
#define EXPONENT_OF(T, a) (max((int)(as(I_##T, fabs(a)) >> BITS_##T), 1) - BIAS_##T - BITS_##T)
#define SIGNIFICAND_OF(T, a)                                                                       \
    ((as(I_##T, a) & (((I_##T)1 << BITS_##T) - 1)) |                                               \
     (fabs(a) < power_of_2_##T(1 - BIAS_##T) ? 0 : (I_##T)1 << BITS_##T))

/* Remainder of |a| / |b| by long division, CHUNK bits of quotient at a time; *quotient gets its low
 * bits. */
#define REMAINDER(T, CHUNK, NOT_A_NUMBER, INFINITE)                                                \
    BUILTIN ulong divide_long_##T(T a, T b, int *exponent, uint *quotient)                         \
    {                                                                                              \
        const ulong divisor = SIGNIFICAND_OF(T, b);                                                \
        ulong rest = SIGNIFICAND_OF(T, a);                                                         \
        int steps = EXPONENT_OF(T, a) - EXPONENT_OF(T, b);                                         \
        *exponent = EXPONENT_OF(T, b);                                                             \
        *quotient = (uint)(rest / divisor);                                                        \
        rest %= divisor;                                                                           \
        while (steps > 0) {                                                                        \
            const int part = min(steps, CHUNK);                                                    \
            rest <<= part;                                                                         \
            *quotient = (*quotient << min(part, 31)) + (uint)(rest / divisor);                     \
            rest %= divisor;                                                                       \
            steps -= part;                                                                         \
        }                                                                                          \
        return rest;                                                                               \
    }                                                                                              \
    BUILTIN int divides_badly(T a, T b) { return !(b != 0) || b != b || !(fabs(a) < INFINITE); }   \
    BUILTIN T fmod(T a, T b)                                                                       \
    {                                                                                              \
        int exponent;                                                                              \
        uint quotient;                                                                             \
        if (divides_badly(a, b))                                                                   \
            return NOT_A_NUMBER;                                                                   \
        if (fabs(a) < fabs(b))                                                                     \
            return a;                                                                              \
        const ulong rest = divide_long_##T(a, b, &exponent, &quotient);                            \
        return copysign(ldexp((T)rest, exponent), a);                                              \
    }                                                                                              \
    /* The quotient is rounded to the nearest, ties to even. */                                    \
    BUILTIN T remainder_quotient(T a, T b, int *result)                                            \
    {                                                                                              \
        int exponent;                                                                              \
        uint quotient = 0;                                                                         \
        T rest = fabs(a);                                                                          \
        *result = 0;                                                                               \
        if (divides_badly(a, b))                                                                   \
            return NOT_A_NUMBER;                                                                   \
        if (rest >= fabs(b))                                                                       \
            rest = ldexp((T)divide_long_##T(a, b, &exponent, &quotient), exponent);                \
        const T other = fabs(b) - rest;                                                            \
        if (rest > other || (rest == other && (quotient & 1))) {                                   \
            rest = -other;                                                                         \
            quotient++;                                                                            \
        }                                                                                          \
        const int low = (int)(quotient & 127);                                                     \
        *result = (as(I_##T, a) ^ as(I_##T, b)) < 0 ? -low : low;                                  \
        return as(I_##T, a) < 0 ? -rest : rest;                                                    \
    }                                                                                              \
    BUILTIN T remainder(T a, T b)                                                                  \
    {                                                                                              \
        int quotient;                                                                              \
        return remainder_quotient(a, b, &quotient);                                                \
    }                                                                                              \
    MAP2(fmod, T, T, T)                                                                            \
    MAP2(remainder, T, T, T)
REMAINDER(float, 31, __builtin_nanf(""), __builtin_inff())
REMAINDER(double, 11, __builtin_nan(""), __builtin_inf())

/* Parts of a number. */
#define PARTS(T, NOT_A_NUMBER, INFINITE, SMALLEST)                                                 \
    BUILTIN int ilogb(T a)                                                                         \
    {                                                                                              \
        const I_##T bits = as(I_##T, fabs(a));                                                     \
        if (bits == 0)                                                                             \
            return -0x7fffffff - 1; /* FP_ILOGB0 */                                                \
        if (!(fabs(a) < INFINITE))                                                                 \
            return 0x7fffffff; /* FP_ILOGBNAN */                                                   \
        return (bits >> BITS_##T ? (int)(bits >> BITS_##T)                                         \
                                 : BITS_##T + 1 - (BITS_##T - top_bit(bits)) - BITS_##T) -         \
               BIAS_##T;                                                                           \
    }                                                                                              \
    BUILTIN T logb(T a)                                                                            \
    {                                                                                              \
        return a == 0 ? -INFINITE : !(fabs(a) < INFINITE) ? a * a : (T)ilogb(a);                   \
    }                                                                                              \
    BUILTIN T nextafter(T a, T b)                                                                  \
    {                                                                                              \
        if (a != a || b != b)                                                                      \
            return a + b;                                                                          \
        if (a == b)                                                                                \
            return b;                                                                              \
        if (a == 0)                                                                                \
            return copysign(SMALLEST, b);                                                          \
        return as(T, as(I_##T, a) + ((a < b) == (a > 0) ? 1 : -1));                                \
    }                                                                                              \
    MAP1(ilogb, int, T)                                                                            \
    MAP1(logb, T, T)                                                                               \
    MAP2(nextafter, T, T, T)
/* Number of the highest one. */
BUILTIN int top_bit(int bits) { return 31 - clz(bits); }
BUILTIN int top_bit(long bits) { return 63 - (int)clz(bits); }
PARTS(float, __builtin_nanf(""), __builtin_inff(), 0x1p-149f)
PARTS(double, __builtin_nan(""), __builtin_inf(), 0x1p-1074)

BUILTIN float nan(uint code) { return as(float, code | 0x7fc00000); }
BUILTIN double nan(ulong code) { return as(double, code | 0x7ff8000000000000); }
MAP1(nan, float, uint)
MAP1(nan, double, ulong)

/* Functions with a second result behind a pointer, in each address space. */
#define PARTS_POINTER(space, T, LARGEST_FRACTION, INFINITE)                                        \
    BUILTIN T fract(T a, space T *whole)                                                           \
    {                                                                                              \
        *whole = floor(a);                                                                         \
        return a != a || a == 0     ? a                                                            \
               : fabs(a) < INFINITE ? fmin(a - *whole, LARGEST_FRACTION)                           \
                                    : copysign((T)0, a);                                           \
    }                                                                                              \
    BUILTIN T modf(T a, space T *whole)                                                            \
    {                                                                                              \
        *whole = trunc(a);                                                                         \
        return copysign(fabs(a) < INFINITE ? a - *whole : a != a ? a : (T)0, a);                   \
    }                                                                                              \
    BUILTIN T frexp(T a, space int *exponent)                                                      \
    {                                                                                              \
        const int special = a == 0 || !(fabs(a) < INFINITE);                                       \
        *exponent = special ? 0 : ilogb(a) + 1;                                                    \
        return special ? a : ldexp(a, -*exponent);                                                 \
    }                                                                                              \
    BUILTIN T remquo(T a, T b, space int *quotient)                                                \
    {                                                                                              \
        int value;                                                                                 \
        const T rest = remainder_quotient(a, b, &value);                                           \
        *quotient = value;                                                                         \
        return rest;                                                                               \
    }
#define PARTS_POINTERS(space)                                                                      \
    PARTS_POINTER(space, float, 0x1.fffffep-1f, __builtin_inff())                                  \
    PARTS_POINTER(space, double, 0x1.fffffffffffffp-1, __builtin_inf())
PARTS_POINTERS(__private)
PARTS_POINTERS(__global)
PARTS_POINTERS(__local)

#define REMQUO_VECTOR(n, T, space)                                                                 \
    BUILTIN T##n remquo(T##n a, T##n b, space int##n *quotient)                                    \
    {                                                                                              \
        T##n rest;                                                                                 \
        int##n value;                                                                              \
        _Pragma("unroll") for (int e = 0; e < n; e++)                                              \
        {                                                                                          \
            int one;                                                                               \
            rest[e] = remquo(a[e], b[e], &one);                                                    \
            value[e] = one;                                                                        \
        }                                                                                          \
        *quotient = value;                                                                         \
        return rest;                                                                               \
    }
#define PARTS_VECTORS(T, space)                                                                    \
    MAP_POINTER(fract, T, T, space)                                                                \
    MAP_POINTER(modf, T, T, space)                                                                 \
    MAP_POINTER(frexp, T, int, space)                                                              \
    SIZES(REMQUO_VECTOR, T, space)
#define PARTS_VECTORS_IN(T)                                                                        \
    PARTS_VECTORS(T, __private) PARTS_VECTORS(T, __global) PARTS_VECTORS(T, __local)
FLOAT_TYPES(PARTS_VECTORS_IN)
