/* SPDX-License-Identifier: Apache-2.0 */
/* devlib/error.cl: the error functions, within OpenCL's 16 ulp. Near 0 the series
 *     erf x = 2/sqrt(pi) e^(-x^2) (x + 2/3 x^3 + 4/15 x^5 + ...),
 * all of whose terms have one sign; further out the continued fraction
 *     erfc x = e^(-x^2)/sqrt(pi) / (x + 1/2 / (x + 2/2 / (x + 3/2 / (x + ...)))). */

#define ROOT_PI 1.77245385090551602730

/* EPSILON ends the series; REACH / x^2 steps, and some, make the fraction. */
#define ERROR_FUNCTIONS(T, EPSILON, REACH)                                                         \
    BUILTIN T erf_series(T x)                                                                      \
    {                                                                                              \
        T term = x, sum = x;                                                                       \
        for (T n = 3; fabs(term) > (T)EPSILON * fabs(sum); n += 2) {                               \
            term *= (T)2 * x * x / n;                                                              \
            sum += term;                                                                           \
        }                                                                                          \
        return (T)(2 / ROOT_PI) * exp(-x * x) * sum;                                               \
    }                                                                                              \
    BUILTIN T erfc_fraction(T x)                                                                   \
    {                                                                                              \
        if (x > (T)28)                                                                             \
            return 0;                                                                              \
        const T square = x * x;                                                                    \
        T t = x;                                                                                   \
        for (T k = floor((T)REACH / square) + (T)20; k > 0; k -= 1)                                \
            t = x + (T)0.5 * k / t;                                                                \
        return exp_tail(-square, -fma(x, x, -square), 0) / ((T)ROOT_PI * t);                       \
    }                                                                                              \
    BUILTIN T erf(T x)                                                                             \
    {                                                                                              \
        const T a = fabs(x);                                                                       \
        return a < (T)1 ? erf_series(x) : copysign((T)1 - erfc_fraction(a), x);                    \
    }                                                                                              \
    BUILTIN T erfc(T x) { return x < (T)0.75 ? (T)1 - erf(x) : erfc_fraction(x); }                 \
    MAP1(erf, T, T)                                                                                \
    MAP1(erfc, T, T)
ERROR_FUNCTIONS(float, 1e-8, 40)
ERROR_FUNCTIONS(double, 1e-17, 200)
