/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/power.cl: x^y = e^(y log x). An error of the logarithm is multiplied by y, so float computes in double, and
 * double with a logarithm in two parts. Within OpenCL's 16 ulp. */

/* x^y for finite x > 0 and finite y. */
BUILTIN float power(float x, double y)
{
    int n;
    const double f = split((double)x, &n), s = f / (2.0 + f);
    const double l = y * fma((double)n, LN2, fma(s, log_series(s * s, 6), 2.0 * s));
    const double k = rint(l * LOG2_E);
    const double r = scale(exp_series(fma(k, -LN2, l), 8), (int)clamp(k, -400.0, 400.0));
    return (float)r;
}
BUILTIN double power(double x, double y)
{
    int n;
    const double f = split(x, &n), d = 2.0 + f, s = f / d;
    const double s_rest = (fma(-s, d, f) - s * (f - (d - 2.0))) / d;
    const double part = n * LN2_HIGH_double, high = part + 2.0 * s;
    const double low = 2.0 * s - (high - part) + (fma(s, log_series(s * s, 10), 2.0 * s_rest) + n * LN2_LOW_double);
    const double product = y * high;
    if (!(fabs(product) < 800.0))
        return product > 0 ? INF_double : 0.0;
    return exp_tail(product, fma(y, high, -product) + y * low, 0);
}

/* x^y for x >= 0, both perhaps 0 or infinite. */
#define POWERS(T)                                                                                                      \
    BUILTIN T power_limits(T x, double y)                                                                              \
    {                                                                                                                  \
        if (x == (T)1 || y == 0)                                                                                       \
            return 1;                                                                                                  \
        if (x == 0 || x == INF_##T)                                                                                    \
            return (x == 0) == (y > 0) ? (T)0 : INF_##T;                                                               \
        if (fabs(y) == INF_double)                                                                                     \
            return (x > (T)1) == (y > 0) ? INF_##T : (T)0;                                                             \
        return power(x, y);                                                                                            \
    }                                                                                                                  \
    BUILTIN T pow(T x, T y)                                                                                            \
    {                                                                                                                  \
        if (y == 0 || x == (T)1)                                                                                       \
            return 1;                                                                                                  \
        if (x != x || y != y)                                                                                          \
            return x + y;                                                                                              \
        const int whole = rint(y) == y;                                                                                \
        const int odd = whole && fabs(y) < (T)0x1p53 && ((long)y & 1);                                                 \
        if (x < 0 && !whole && x > -INF_##T)                                                                           \
            return NAN_##T;                                                                                            \
        const T result = power_limits(fabs(x), y);                                                                     \
        return odd && signbit(x) ? -result : result;                                                                   \
    }                                                                                                                  \
    BUILTIN T powr(T x, T y)                                                                                           \
    {                                                                                                                  \
        if (!(x >= 0) || y != y || (y == 0 && (x == 0 || x == INF_##T)) || (x == (T)1 && fabs(y) == INF_##T))          \
            return NAN_##T;                                                                                            \
        return power_limits(x, y);                                                                                     \
    }                                                                                                                  \
    BUILTIN T pown(T x, int n)                                                                                         \
    {                                                                                                                  \
        if (x != x)                                                                                                    \
            return n ? x : (T)1;                                                                                       \
        const T result = power_limits(fabs(x), n);                                                                     \
        return (n & 1) && signbit(x) ? -result : result;                                                               \
    }                                                                                                                  \
    /* One step of Newton's method makes good what 1 / n has lost. */                                                  \
    BUILTIN T root(T a, int n)                                                                                         \
    {                                                                                                                  \
        const T r = power_limits(a, 1.0 / n);                                                                          \
        if (r == 0 || r == INF_##T || a == INF_##T)                                                                    \
            return r;                                                                                                  \
        return fma(r, (a - power_limits(r, n)) / ((T)n * a), r);                                                       \
    }                                                                                                                  \
    BUILTIN T rootn(T x, int n)                                                                                        \
    {                                                                                                                  \
        if (n == 0 || x != x || (x < 0 && !(n & 1)))                                                                   \
            return NAN_##T;                                                                                            \
        const T result = root(fabs(x), n);                                                                             \
        return (n & 1) && signbit(x) ? -result : result;                                                               \
    }                                                                                                                  \
    BUILTIN T cbrt(T x) { return rootn(x, 3); }                                                                        \
    MAP2(pow, T, T, T)                                                                                                 \
    MAP2(powr, T, T, T)                                                                                                \
    MAP2(pown, T, T, int)                                                                                              \
    MAP2(rootn, T, T, int)                                                                                             \
    MAP1(cbrt, T, T)
FLOAT_TYPES(POWERS)
