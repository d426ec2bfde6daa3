/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/power.cl: x^y = e^(y log x). An error of the logarithm is multiplied by y, so float
 * computes in double, and double with a logarithm in two parts. Within OpenCL's 16 ulp. */

#define TWO_THIRDS      0x1.5555555555555p-1
#define TWO_THIRDS_REST 0x1.5555555555555p-55

/* x^(y + rest) for finite x > 0 and finite y; rest is what y has lost, for double. */
BUILTIN float power(float x, double y, double rest)
{
    int n;
    const double f = split((double)x, &n), s = f / (2.0 + f);
    /* Beyond the clamp it is 0 or infinite in float. */
    const double l =
        clamp(y * fma((double)n, LN2, fma(s, log_series(s * s, 6), 2.0 * s)), -200.0, 200.0);
    const double k = rint(l * LOG2_E);
    const double r = scale(exp_series(fma(k, -LN2, l), 8), (int)k);
    return (float)r;
}
/* log x for finite x > 0, in two parts, to more than 64 bits: n ln2 + 2 s + s^3 (2/3 + 2/5 s^2 +
 * ...) as in exponential.cl, where s, its powers and 2/3 have a rest each. */
BUILTIN double log_parts(double x, double *low)
{
    int n;
    const double f = split(x, &n), d = 2.0 + f, s = f / d;
    const double s_rest = (fma(-s, d, f) - s * (f - (d - 2.0))) / d;
    const double square = s * s, square_rest = fma(s, s, -square) + 2.0 * s * s_rest;
    const double cube = s * square,
                 cube_rest = fma(s, square, -cube) + (s * square_rest + s_rest * square);
    double series = 0;
    _Pragma("unroll") for (int i = 10; i > 1; i--) series = square * (series + 2.0 / (2 * i + 1));
    const double factor = TWO_THIRDS + series,
                 factor_rest = TWO_THIRDS - factor + series + TWO_THIRDS_REST;
    const double term = cube * factor,
                 term_rest = fma(cube, factor, -term) + (cube * factor_rest + cube_rest * factor);
    const double part = n * LN2_HIGH_double, first = part + 2.0 * s, sum = first + term;
    const double rest = (2.0 * s - (first - part)) + (term - (sum - first)) +
                        (term_rest + 2.0 * s_rest + n * LN2_LOW_double);
    const double high = sum + rest;
    *low = rest - (high - sum);
    return high;
}
BUILTIN double power(double x, double y, double rest)
{
    double low;
    const double high = log_parts(x, &low), product = y * high;
    if (!(fabs(product) < 800.0))
        return product > 0 ? INF_double : 0.0;
    return exp_tail(product, fma(y, high, -product) + (y * low + rest * high), 0);
}

/* x^y for x >= 0, both perhaps 0 or infinite. */
#define POWERS(T)                                                                                  \
    BUILTIN T power_limits(T x, double y, double rest)                                             \
    {                                                                                              \
        if (x == (T)1 || y == 0)                                                                   \
            return 1;                                                                              \
        if (x == 0 || x == INF_##T)                                                                \
            return (x == 0) == (y > 0) ? (T)0 : INF_##T;                                           \
        if (fabs(y) == INF_double)                                                                 \
            return (x > (T)1) == (y > 0) ? INF_##T : (T)0;                                         \
        return power(x, y, rest);                                                                  \
    }                                                                                              \
    BUILTIN T pow(T x, T y)                                                                        \
    {                                                                                              \
        if (y == 0 || x == (T)1)                                                                   \
            return 1;                                                                              \
        if (x != x || y != y)                                                                      \
            return x + y;                                                                          \
        const int whole = rint(y) == y;                                                            \
        const int odd = whole && fabs(y) < (T)0x1p53 && ((long)y & 1);                             \
        if (x < 0 && !whole && x > -INF_##T)                                                       \
            return NAN_##T;                                                                        \
        const T result = power_limits(fabs(x), y, 0);                                              \
        return odd && signbit(x) ? -result : result;                                               \
    }                                                                                              \
    BUILTIN T powr(T x, T y)                                                                       \
    {                                                                                              \
        if (!(x >= 0) || y != y || (y == 0 && (x == 0 || x == INF_##T)) ||                         \
            (x == (T)1 && fabs(y) == INF_##T))                                                     \
            return NAN_##T;                                                                        \
        return power_limits(x, y, 0);                                                              \
    }                                                                                              \
    BUILTIN T pown(T x, int n)                                                                     \
    {                                                                                              \
        if (x != x)                                                                                \
            return n ? x : (T)1;                                                                   \
        const T result = power_limits(fabs(x), n, 0);                                              \
        return (n & 1) && signbit(x) ? -result : result;                                           \
    }                                                                                              \
    BUILTIN T rootn(T x, int n)                                                                    \
    {                                                                                              \
        if (n == 0 || x != x || (x < 0 && !(n & 1)))                                               \
            return NAN_##T;                                                                        \
        const double y = 1.0 / n;                                                                  \
        const T result = power_limits(fabs(x), y, fma(-y, (double)n, 1.0) / n);                    \
        return (n & 1) && signbit(x) ? -result : result;                                           \
    }                                                                                              \
    BUILTIN T cbrt(T x) { return rootn(x, 3); }                                                    \
    MAP2(pow, T, T, T)                                                                             \
    MAP2(powr, T, T, T)                                                                            \
    MAP2(pown, T, T, int)                                                                          \
    MAP2(rootn, T, T, int)                                                                         \
    MAP1(cbrt, T, T)
FLOAT_TYPES(POWERS)
