/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/exponential.cl: exponentials and logarithms, within OpenCL's 3 ulp.
 *
 * exp: x = n ln2 + r, |r| <= ln2/2; e^r times 2^n. In float e^r comes from the special function
 * unit's ex2, in double from its Taylor series. log: x = 2^n m, m about 1; with f = m - 1 and s = f
 * / (2 + f), log(1 + f) = 2 artanh(s) = f - f^2/2 + s (f^2/2 + R(s^2)), where R(z) = 2/3 z + 2/5
 * z^2 + 2/7 z^3 ... Constants in two parts carry more bits than one number has. */

#define INF_float  __builtin_inff()
#define INF_double __builtin_inf()
#define NAN_float  __builtin_nanf("")
#define NAN_double __builtin_nan("")

/* High parts short enough that their product with an exponent is exact. */
#define LN2_HIGH_float   0x1.62e4p-1f
#define LN2_LOW_float    0x1.7f7d1cp-20f
#define LN2_HIGH_double  0x1.62e42feep-1
#define LN2_LOW_double   0x1.a39ef35793c76p-33
#define LOG2_E           0x1.71547652b82fep+0
#define LOG2_10          0x1.a934f0979a371p+1
#define LOG10_E          0x1.bcb7b1526e50ep-2
#define LOG10_2          0x1.34413509f79ffp-2
#define LN2              0x1.62e42fefa39efp-1
#define LN10_HIGH_float  0x1.26bb1cp+1f
#define LN10_LOW_float   -0x1.12aabap-25f
#define LN10_HIGH_double 0x1.26bb1bbb55516p+1
#define LN10_LOW_double  -0x1.f48ad494ea3e9p-53

/* e^r = 1 + r (1 + r/2 (1 + r/3 (...))), to r^degree. */
#define EXP_SERIES(T)                                                                              \
    BUILTIN T exp_series(T r, int degree)                                                          \
    {                                                                                              \
        T sum = 1;                                                                                 \
        _Pragma("unroll") for (int i = 13; i > 0; i--) if (i <= degree) sum =                      \
            fma(sum * (T)(1.0 / i), r, (T)1);                                                      \
        return sum;                                                                                \
    }
FLOAT_TYPES(EXP_SERIES)

/* e^r for |r| <= ln2/2. */
BUILTIN float exp_reduced(float r) { return __nvvm_ex2_approx_f(r * (float)LOG2_E); }
BUILTIN double exp_reduced(double r) { return exp_series(r, 13); }

/* Beyond LEAST and MOST the result is 0 and infinite. exp_tail: e^(x + tail) 2^k, for a small tail.
 */
#define EXPONENTIALS(T, LEAST, MOST)                                                               \
    BUILTIN T exp_tail(T x, T tail, int k)                                                         \
    {                                                                                              \
        const T n = rint(x * (T)LOG2_E);                                                           \
        const T r = fma(n, -LN2_LOW_##T, fma(n, -LN2_HIGH_##T, x)) + tail;                         \
        const T y = scale(exp_reduced(r), (int)n + k);                                             \
        return x > (T)MOST ? INF_##T : x < (T)LEAST ? (T)0 : y;                                    \
    }                                                                                              \
    BUILTIN T exp(T x) { return exp_tail(x, (T)0, 0); }                                            \
    /* 10^x: the product with ln10 in two parts. */                                                \
    BUILTIN T exp10(T x)                                                                           \
    {                                                                                              \
        const T y = x * LN10_HIGH_##T;                                                             \
        const T z = exp_tail(y, fma(x, LN10_HIGH_##T, -y) + x * LN10_LOW_##T, 0);                  \
        return fabs(x) < INF_##T ? z : exp(x);                                                     \
    }                                                                                              \
    /* e^x - 1: near 0 the series without its 1. */                                                \
    BUILTIN T expm1(T x)                                                                           \
    {                                                                                              \
        if (fabs(x) > (T)0.5)                                                                      \
            return exp(x) - (T)1;                                                                  \
        T sum = 1;                                                                                 \
        _Pragma("unroll") for (int i = 15; i > 1; i--) sum = fma(sum * (T)(1.0 / i), x, (T)1);     \
        return x * sum;                                                                            \
    }                                                                                              \
    BUILTIN T sinh(T x)                                                                            \
    {                                                                                              \
        const T a = fabs(x), h = exp_tail(a, (T)0, -1), t = expm1(a > (T)1 ? (T)1 : a);            \
        return copysign(a > (T)1 ? h - (T)0.25 / h : (T)0.5 * (t + t / (t + (T)1)), x);            \
    }                                                                                              \
    BUILTIN T cosh(T x)                                                                            \
    {                                                                                              \
        const T h = exp_tail(fabs(x), (T)0, -1);                                                   \
        return h + (T)0.25 / h;                                                                    \
    }                                                                                              \
    BUILTIN T tanh(T x)                                                                            \
    {                                                                                              \
        const T t = expm1((T)2 * fabs(x));                                                         \
        return x != x ? x : copysign(fabs(x) > (T)22 ? (T)1 : t / (t + (T)2), x);                  \
    }                                                                                              \
    MAP1(exp, T, T)                                                                                \
    MAP1(exp2, T, T)                                                                               \
    MAP1(exp10, T, T)                                                                              \
    MAP1(expm1, T, T)                                                                              \
    MAP1(sinh, T, T)                                                                               \
    MAP1(cosh, T, T)                                                                               \
    MAP1(tanh, T, T)

BUILTIN float exp2(float x) { return __nvvm_ex2_approx_f(x); }
BUILTIN double exp2(double x)
{
    const double n = rint(x);
    const double y = scale(exp_series((x - n) * LN2, 13), (int)n);
    return x > 1025.0 ? INF_double : x < -1076.0 ? 0.0 : y;
}
EXPONENTIALS(float, -105, 90)
EXPONENTIALS(double, -746, 711)

/* R(z), to z^terms. */
#define LOG_SERIES(T)                                                                              \
    BUILTIN T log_series(T z, int terms)                                                           \
    {                                                                                              \
        T sum = 0;                                                                                 \
        _Pragma("unroll") for (int i = 10; i > 0; i--) if (i <= terms) sum =                       \
            z * (sum + (T)(2.0 / (2 * i + 1)));                                                    \
        return sum;                                                                                \
    }
FLOAT_TYPES(LOG_SERIES)

/* HALF_ROOT: the bits of the square root of 1/2, where significands are split; TERMS: of the
 * series. */
#define LOGARITHMS(T, HALF_ROOT, TERMS)                                                            \
    /* Positive finite x = 2^n m; returns m - 1. */                                                \
    BUILTIN T split(T x, int *n)                                                                   \
    {                                                                                              \
        const int tiny = x < power_of_2_##T(1 - BIAS_##T);                                         \
        const I_##T bits = as(I_##T, tiny ? x * power_of_2_##T(BITS_##T) : x);                     \
        const int k = (int)((bits - HALF_ROOT) >> BITS_##T);                                       \
        *n = tiny ? k - BITS_##T : k;                                                              \
        return as(T, bits - ((I_##T)k << BITS_##T)) - (T)1;                                        \
    }                                                                                              \
    /* log(1 + f), f from split. */                                                                \
    BUILTIN T log_reduced(T f)                                                                     \
    {                                                                                              \
        const T s = f / ((T)2 + f), half_square = (T)0.5 * f * f;                                  \
        return f - (half_square - s * (half_square + log_series(s * s, TERMS)));                   \
    }                                                                                              \
    /* y is the logarithm of x, if x is one that has one. */                                       \
    BUILTIN T log_special(T x, T y)                                                                \
    {                                                                                              \
        return x == 0 ? -INF_##T : !(x > 0) ? NAN_##T : x == INF_##T ? x : y;                      \
    }                                                                                              \
    BUILTIN T log(T x)                                                                             \
    {                                                                                              \
        int n;                                                                                     \
        const T l = log_reduced(split(x, &n));                                                     \
        return log_special(x, fma((T)n, LN2_HIGH_##T, fma((T)n, LN2_LOW_##T, l)));                 \
    }                                                                                              \
    BUILTIN T log2(T x)                                                                            \
    {                                                                                              \
        int n;                                                                                     \
        const T l = log_reduced(split(x, &n));                                                     \
        return log_special(x, fma(l, (T)LOG2_E, (T)n));                                            \
    }                                                                                              \
    BUILTIN T log10(T x)                                                                           \
    {                                                                                              \
        int n;                                                                                     \
        const T l = log_reduced(split(x, &n));                                                     \
        return log_special(x, fma((T)n, (T)LOG10_2, l * (T)LOG10_E));                              \
    }                                                                                              \
    /* log(1 + x): what 1 + x = u has lost is added as a step of the logarithm, lost / u. */       \
    BUILTIN T log1p(T x)                                                                           \
    {                                                                                              \
        int n;                                                                                     \
        const T u = (T)1 + x, l = log_reduced(split(u, &n));                                       \
        const T lost = fabs(x) > (T)1 ? (T)1 - (u - x) : x - (u - (T)1);                           \
        const T y = fma((T)n, LN2_HIGH_##T, fma((T)n, LN2_LOW_##T, l) + lost / u);                 \
        return x == 0 ? x : log_special(u, y);                                                     \
    }                                                                                              \
    BUILTIN T asinh(T x)                                                                           \
    {                                                                                              \
        const T a = fabs(x), large = log(a) + (T)LN2,                                              \
                small = log1p(a + a * a / ((T)1 + sqrt(a * a + (T)1)));                            \
        return copysign(a > (T)1e9 ? large : small, x);                                            \
    }                                                                                              \
    BUILTIN T acosh(T x)                                                                           \
    {                                                                                              \
        const T t = x - (T)1;                                                                      \
        return x < (T)1     ? NAN_##T                                                              \
               : x > (T)1e9 ? log(x) + (T)LN2                                                      \
                            : log1p(t + sqrt((T)2 * t + t * t));                                   \
    }                                                                                              \
    BUILTIN T atanh(T x)                                                                           \
    {                                                                                              \
        const T a = fabs(x);                                                                       \
        return copysign((T)0.5 * log1p((T)2 * a / ((T)1 - a)), x);                                 \
    }                                                                                              \
    MAP1(log, T, T)                                                                                \
    MAP1(log2, T, T)                                                                               \
    MAP1(log10, T, T)                                                                              \
    MAP1(log1p, T, T)                                                                              \
    MAP1(asinh, T, T)                                                                              \
    MAP1(acosh, T, T)                                                                              \
    MAP1(atanh, T, T)
LOGARITHMS(float, 0x3f3504f3, 4)
LOGARITHMS(double, 0x3fe6a09e667f3bcd, 10)
