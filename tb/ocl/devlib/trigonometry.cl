/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/trigonometry.cl: sine, cosine, tangent, for all arguments, within OpenCL's 4 and 5 ulp.
 *
 * x = q pi/2 + r, |r| <= pi/4. Usual arguments: q is x 2/pi, rounded, and r is x - q pi/2 with pi/2
 * in three parts (Cody and Waite); each step is exact or rounds a small number, thanks to fma.
 * Large ones: the bits of x 2/pi that matter are computed in integers (Payne and Hanek). Then the
 * Taylor series of r. */

/* 2/pi, behind the point, and 64 zeros before it. */
static __constant ulong two_over_pi[] = {
    0x0000000000000000, 0xA2F9836E4E441529, 0xFC2757D1F534DDC0, 0xDB6295993C439041,
    0xFE5163ABDEBBC561, 0xB7246E3A424DD2E0, 0x06492EEA09D1921C, 0xFE1DEB1CB129A73E,
    0xE88235F52EBB4484, 0xE99C7026B45F7E41, 0x3991D639835339F4, 0x9C845F8BBDF9283B,
    0x1FF897FFDE05980F, 0xEF2F118B5A0A6D1F, 0x6D367ECF27CB09B7, 0x4F463F669E5FEA2D,
    0x7527BAC7EBE5F17B, 0x3D0739F78A5292EA, 0x6BFB5FB11F8D5D08, 0x56033046FC7B6BAB,
};

/* 64 bits of 2/pi from bit `first` on; bit 0 is the first behind the point. */
BUILTIN ulong two_over_pi_bits(int first)
{
    const int word = (first + 64) >> 6, shift = first & 63;
    return shift ? two_over_pi[word] << shift | two_over_pi[word + 1] >> (64 - shift)
                 : two_over_pi[word];
}

/* x = m 2^e with an integer m. Bits of 2/pi whose product with x is a multiple of 4 cannot matter:
 * begin with bit e - 2, and take 192. The product's lowest 192 bits are x 2/pi modulo 4, two of
 * them before the point. */
BUILTIN double reduce_large(double x, int *quadrant)
{
    const ulong m = SIGNIFICAND_OF(double, x);
    const int first = EXPONENT_OF(double, x) - 2;
    const ulong w0 = two_over_pi_bits(first), w1 = two_over_pi_bits(first + 64),
                w2 = two_over_pi_bits(first + 128);
    const ulong low = m * w1 + mul_hi(m, w2);
    ulong high = m * w0 + mul_hi(m, w1) + (low < m * w1);
    /* To the nearest: the rest is then a signed fraction of a quadrant. */
    int q = (int)((high + 0x2000000000000000) >> 62);
    high = high << 2 | low >> 62;
    const ulong next = low << 2;
    const int negative = (long)high < 0;
    const ulong magnitude = negative ? ~high : high, rest = negative ? ~next : next;
    const int zeros = (int)clz(magnitude);
    const ulong top = zeros == 64 ? rest
                      : zeros     ? magnitude << zeros | rest >> (64 - zeros)
                                  : magnitude;
    const double fraction = ldexp((double)top, -64 - zeros);
    const double r = (negative ? -fraction : fraction) * (PI / 2);
    *quadrant = x < 0 ? -q : q;
    return x < 0 ? -r : r;
}

/* LIMIT: up to here q times the first part of pi/2 is exact. */
#define REDUCE(T, LIMIT, PART_1, PART_2, PART_3)                                                   \
    BUILTIN T reduce(T x, int *quadrant)                                                           \
    {                                                                                              \
        if (!(fabs(x) < (T)LIMIT)) {                                                               \
            if (fabs(x) < INF_##T)                                                                 \
                return (T)reduce_large((double)x, quadrant);                                       \
            *quadrant = 0;                                                                         \
            return NAN_##T;                                                                        \
        }                                                                                          \
        const T q = rint(x * (T)(2 / PI));                                                         \
        *quadrant = (int)q;                                                                        \
        return fma(q, -PART_3, fma(q, -PART_2, fma(q, -PART_1, x)));                               \
    }
REDUCE(float, 1e5, 0x1.921fb6p+0f, -0x1.777a5cp-25f, -0x1.ee59dap-50f)
REDUCE(double, 1e8, 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110)

/* TERMS of each series. */
#define TRIGONOMETRY(T, TERMS)                                                                     \
    /* 1 - z/(2 3) (1 - z/(4 5) (...)) and 1 - z/(1 2) (1 - z/(3 4) (...)): sin r = r odd(r^2),    \
     * cos r = even(r^2). */                                                                       \
    BUILTIN T odd_series(T z)                                                                      \
    {                                                                                              \
        T sum = 1;                                                                                 \
        _Pragma("unroll") for (int i = TERMS; i > 0; i--) sum =                                    \
            fma(sum * (T)(-1.0 / (2 * i * (2 * i + 1))), z, (T)1);                                 \
        return sum;                                                                                \
    }                                                                                              \
    BUILTIN T even_series(T z)                                                                     \
    {                                                                                              \
        T sum = 1;                                                                                 \
        _Pragma("unroll") for (int i = TERMS + 1; i > 0; i--) sum =                                \
            fma(sum * (T)(-1.0 / (2 * i * (2 * i - 1))), z, (T)1);                                 \
        return sum;                                                                                \
    }                                                                                              \
    BUILTIN T sin_in(T r, int quadrant)                                                            \
    {                                                                                              \
        const T z = r * r, y = quadrant & 1 ? even_series(z) : r * odd_series(z);                  \
        return quadrant & 2 ? -y : y;                                                              \
    }                                                                                              \
    BUILTIN T sin(T x)                                                                             \
    {                                                                                              \
        int quadrant;                                                                              \
        const T r = reduce(x, &quadrant);                                                          \
        return x == 0 ? x : sin_in(r, quadrant);                                                   \
    }                                                                                              \
    BUILTIN T cos(T x)                                                                             \
    {                                                                                              \
        int quadrant;                                                                              \
        const T r = reduce(x, &quadrant);                                                          \
        return sin_in(r, quadrant + 1);                                                            \
    }                                                                                              \
    BUILTIN T tan_in(T r, int quadrant)                                                            \
    {                                                                                              \
        const T z = r * r, s = r * odd_series(z), c = even_series(z);                              \
        return quadrant & 1 ? -c / s : s / c;                                                      \
    }                                                                                              \
    BUILTIN T tan(T x)                                                                             \
    {                                                                                              \
        int quadrant;                                                                              \
        const T r = reduce(x, &quadrant);                                                          \
        return x == 0 ? x : tan_in(r, quadrant);                                                   \
    }                                                                                              \
    /* Of pi x: the reduction is exact. */                                                         \
    BUILTIN T reduce_pi(T x, int *quadrant)                                                        \
    {                                                                                              \
        const T turn = x - (T)2 * rint(x * (T)0.5), q = rint((T)2 * turn);                         \
        *quadrant = (int)q;                                                                        \
        return (turn - (T)0.5 * q) * (T)PI;                                                        \
    }                                                                                              \
    BUILTIN T sinpi(T x)                                                                           \
    {                                                                                              \
        int quadrant;                                                                              \
        const T r = reduce_pi(x, &quadrant);                                                       \
        return rint(x) == x && fabs(x) < INF_##T ? copysign((T)0, x) : sin_in(r, quadrant);        \
    }                                                                                              \
    BUILTIN T cospi(T x)                                                                           \
    {                                                                                              \
        int quadrant;                                                                              \
        const T r = reduce_pi(x, &quadrant);                                                       \
        return sin_in(r, quadrant + 1) + (T)0; /* not -0 */                                        \
    }                                                                                              \
    BUILTIN T tanpi(T x)                                                                           \
    {                                                                                              \
        int quadrant;                                                                              \
        const T r = reduce_pi(x, &quadrant);                                                       \
        /* Exactly on an axis: the sign of zero and infinity goes by the quadrant. */              \
        if (r == 0)                                                                                \
            return quadrant & 1 ? copysign(INF_##T, (T)quadrant)                                   \
                                : copysign((T)0, quadrant & 2 ? -x : x);                           \
        return tan_in(r, quadrant);                                                                \
    }                                                                                              \
    MAP1(sin, T, T)                                                                                \
    MAP1(cos, T, T)                                                                                \
    MAP1(tan, T, T)                                                                                \
    MAP1(sinpi, T, T)                                                                              \
    MAP1(cospi, T, T)                                                                              \
    MAP1(tanpi, T, T)                                                                              \
    SINCOS(__private, T)                                                                           \
    SINCOS(__global, T)                                                                            \
    SINCOS(__local, T)                                                                             \
    MAP_POINTER(sincos, T, T, __private)                                                           \
    MAP_POINTER(sincos, T, T, __global)                                                            \
    MAP_POINTER(sincos, T, T, __local)
#define SINCOS(space, T)                                                                           \
    BUILTIN T sincos(T x, space T *cosine)                                                         \
    {                                                                                              \
        int quadrant;                                                                              \
        const T r = reduce(x, &quadrant);                                                          \
        *cosine = sin_in(r, quadrant + 1);                                                         \
        return x == 0 ? x : sin_in(r, quadrant);                                                   \
    }
TRIGONOMETRY(float, 4)
TRIGONOMETRY(double, 8)
