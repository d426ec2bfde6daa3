/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/gamma.cl: the gamma function, within OpenCL's 16 ulp, and its logarithm, all in double.
 *
 * From 8 on Stirling's series:
 *     log Gamma(z) = (z - 1/2) log z - z + log(2 pi)/2 + 1/12 z^-1 - 1/360 z^-3 + ...
 * Below, Gamma(z) = Gamma(z + n) / (z (z + 1) ... (z + n - 1)); and for negative numbers
 * Gamma(x) Gamma(-x) = -pi / (x sin pi x). The logarithm has a zero at 1 and at 2: there
 *     log Gamma(2 + t) = (1 - gamma) t + sum over k of (zeta(k) - 1) (-t)^k / k. */

#define ROOT_2_PI      0x1.40d931ff62706p+1
#define LOG_ROOT_2_PI  0x1.d67f1c864beb5p-1
#define ONE_LESS_GAMMA 0x1.b0ee6072093cep-2

/* B(2k) / (2k (2k - 1)) */
static __constant double stirling_terms[] = {
    1.0 / 12,        -1.0 / 360, 1.0 / 1260,       -1.0 / 1680,      1.0 / 1188,
    -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400, 43867.0 / 244188, -174611.0 / 125400,
};

/* (zeta(k) - 1) (-1)^k / k, from k = 2 */
static __constant double zeta_terms[] = {
    0x1.4a34cc4a60fa6p-2,  -0x1.13e001a557607p-4,  0x1.51322ac7d8483p-6,  -0x1.e404fc218f5f2p-8,
    0x1.7add6eadb6c3p-9,   -0x1.38ac5c2bf8e08p-10, 0x1.0b36af86396e9p-11, -0x1.d3fd4c76d2fc8p-13,
    0x1.a127b0f17d65ap-14, -0x1.78de5bd7c81efp-15, 0x1.580dcee66eb02p-16, -0x1.3cbc963ce2243p-17,
    0x1.2597a39f34aacp-18, -0x1.11b2eb7679541p-19, 0x1.0064cdeb22f0fp-20, -0x1.e2600d93cfd2fp-22,
    0x1.c76bbb3f07a4dp-23, -0x1.af5a6cbbf8a97p-24, 0x1.99b93c2070b0fp-25, -0x1.862c734df3eacp-26,
    0x1.7469daccfadcdp-27, -0x1.6434a8447aeadp-28, 0x1.555a877ffd2c3p-29, -0x1.47b1679258d0ep-30,
    0x1.3b15d2b2fc10cp-31, -0x1.2f69a9fabe3ep-32,
};

/* log Gamma(z + lost) - log(2 pi)/2 for z >= 8, in two parts; lost is what z has lost. */
BUILTIN double stirling(double z, double lost, double *rest)
{
    double low;
    const double high = log_parts(z, &low), a = z - 0.5, product = a * high;
    const double sum = product - z, inverse = 1.0 / z, square = inverse * inverse;
    double series = 0;
    _Pragma("unroll") for (int k = 9; k >= 0; k--) series = fma(series, square, stirling_terms[k]);
    *rest = (product - sum - z) + (fma(a, high, -product) + a * low) +
            fma(series, inverse, lost * high);
    return sum;
}

/* a + b, and what it has lost. */
BUILTIN double sum_parts(double a, double b, double *lost)
{
    const double sum = a + b, b_part = sum - a;
    *lost = (a - (sum - b_part)) + (b - b_part);
    return sum;
}

/* Gamma(z), or 1 / Gamma(z), times a factor, for z > 0. Half of the exponent twice keeps what is
 * near the limits of the numbers. */
BUILTIN double gamma_positive(double z, int inverted, double factor)
{
    double product = 1, product_rest = 0, w = z, lost = 0, rest;
    for (double i = 1; w < 8.0; i += 1.0) {
        const double next = product * w;
        product_rest = fma(product_rest, w, fma(product, w, -next) + product * lost);
        product = next;
        w = sum_parts(z, i, &lost);
    }
    const double sign = inverted ? -0.5 : 0.5, sum = stirling(w, lost, &rest);
    const double root = exp_tail(sign * sum, sign * rest, 0);
    const double scale = ROOT_2_PI / (product + product_rest);
    return (inverted ? factor / scale : factor * scale) * root * root;
}

BUILTIN double tgamma(double x)
{
    if (fabs(x) < 0x1p-60)
        return 1.0 / x;
    if (x != x || x > 172.0)
        return x * INF_double;
    if (x > 0)
        return gamma_positive(x, 0, 1.0);
    return rint(x) == x ? NAN_double : gamma_positive(-x, 1, -PI / (x * sinpi(x)));
}

/* log Gamma(2 + t) for |t| <= 1/2. */
BUILTIN double log_gamma_near_2(double t)
{
    double sum = 0;
    _Pragma("unroll") for (int k = 25; k >= 0; k--) sum = fma(sum, t, zeta_terms[k]);
    return t * fma(sum, t, ONE_LESS_GAMMA);
}

BUILTIN double log_gamma_positive(double x)
{
    if (x >= 0x1p100)
        return x * (log(x) - 1.0);
    if (x >= 8.0) {
        double rest;
        const double sum = stirling(x, 0.0, &rest);
        return sum + (rest + LOG_ROOT_2_PI);
    }
    if (x >= 0.5 && x <= 2.5)
        return x < 1.5 ? log_gamma_near_2(x - 1.0) - log1p(x - 1.0) : log_gamma_near_2(x - 2.0);
    return x < 0x1p-60 ? -log(x) : log(gamma_positive(x, 0, 1.0));
}

BUILTIN double lgamma(double x)
{
    const double a = fabs(x);
    if (a == INF_double || (x <= 0 && rint(x) == x))
        return INF_double;
    const double y = log_gamma_positive(a);
    return x < -0x1p-60 ? log(PI / (a * fabs(sinpi(a)))) - y : y;
}

/* The sign of Gamma(x) changes at each negative integer; 0 where there is none. */
BUILTIN int gamma_sign(double x)
{
    const double whole = floor(x);
    if (x == 0)
        return signbit(x) ? -1 : 1;
    if (x > 0 || x != x)
        return 1;
    return x == whole ? 0 : fmod(whole, 2.0) != 0 ? -1 : 1;
}

BUILTIN float tgamma(float x) { return (float)tgamma((double)x); }
BUILTIN float lgamma(float x) { return (float)lgamma((double)x); }

#define LGAMMA_R(T, space)                                                                         \
    BUILTIN T lgamma_r(T x, space int *sign)                                                       \
    {                                                                                              \
        *sign = gamma_sign((double)x);                                                             \
        return lgamma(x);                                                                          \
    }                                                                                              \
    MAP_POINTER(lgamma_r, T, int, space)
#define GAMMA(T)                                                                                   \
    MAP1(tgamma, T, T)                                                                             \
    MAP1(lgamma, T, T)                                                                             \
    LGAMMA_R(T, __private)                                                                         \
    LGAMMA_R(T, __global)                                                                          \
    LGAMMA_R(T, __local)
FLOAT_TYPES(GAMMA)
