/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/math_reference.c: see math_reference.h. Edge cases are those of C99's annex F, which
 * the C library follows, and those that section 7.5.1 adds, which are written out here. */
#include "tests/tb/ocl/math_reference.h"

#include <float.h>
#include <limits.h>
#include <math.h>

#define REFERENCE(name, value)                                                                     \
    static long double name##_reference(const struct math_arguments *a)                            \
    {                                                                                              \
        const long double x = a->x, y = a->y, z = a->z;                                            \
        const int n = a->n, is_double = a->is_double;                                              \
        (void)x, (void)y, (void)z, (void)n, (void)is_double;                                       \
        return value;                                                                              \
    }
/* Functions that the C library has under the same name. */
#define SAME1(name) REFERENCE(name, name##l(x))
#define SAME2(name) REFERENCE(name, name##l(x, y))

/* sin and cos of pi x: x is reduced to a quarter turn before it is multiplied. */
static long double sine_of_turns(long double x, int quarters)
{
    if (!isfinite(x))
        return NAN;
    const long double nearest = rintl(2 * x), r = M_PIl * (x - nearest / 2);
    const int quadrant = (int)(fmodl(nearest, 4) + 4 + quarters) & 3;
    const long double size = quadrant & 1 ? cosl(r) : sinl(r);
    return quadrant & 2 ? -size : size;
}

static long double sinpi_of(long double x)
{
    return rintl(x) == x && isfinite(x) ? copysignl(0, x) : sine_of_turns(x, 0);
}

static long double cospi_of(long double x)
{
    return isfinite(x) && fabsl(fmodl(x, 1)) == 0.5L ? 0 : sine_of_turns(x, 1);
}

static long double tanpi_of(long double x)
{
    const int odd = isfinite(x) && fmodl(floorl(x), 2) != 0;
    if (isfinite(x) && rintl(x) == x)
        return copysignl(0, odd ? -x : x);
    if (isfinite(x) && fabsl(fmodl(x, 1)) == 0.5L)
        return odd ? -INFINITY : INFINITY;
    return sine_of_turns(x, 0) / sine_of_turns(x, 1);
}

static long double powr_of(long double x, long double y)
{
    const int undefined =
        !(x >= 0) || y != y || (x == 0 && y == 0) || (isinf(x) && y == 0) || (x == 1 && isinf(y));
    return undefined ? NAN : powl(fabsl(x), y);
}

static long double rootn_of(long double x, int n)
{
    if (n == 0 || x != x || (x < 0 && n % 2 == 0))
        return NAN;
    const long double size = powl(fabsl(x), 1.0L / n);
    return n % 2 && signbit(x) ? -size : size;
}

static long double fract_of(long double x, int is_double)
{
    const long double most = is_double ? 1 - DBL_EPSILON / 2 : 1 - FLT_EPSILON / 2;
    const long double exact = x - floorl(x);
    const long double rest = is_double ? (double)exact : (float)exact;
    return x != x || x == 0 ? x : isinf(x) ? copysignl(0, x) : rest < most ? rest : most;
}

/* The sign and at least the low 7 bits of the quotient. */
static long double remquo_of(long double x, long double y)
{
    if (!isfinite(x) || !isfinite(y) || y == 0)
        return 0;
    /* The quotient modulo 128: x modulo 128 y, which is exact, less the remainder. */
    const long double rest = remainderl(x, y), quotient = rintl((fmodl(x, 128 * y) - rest) / y);
    return fmodl(quotient, 128);
}

static long double frexp_part(long double x)
{
    int exponent;
    return isfinite(x) ? frexpl(x, &exponent) : x;
}

static long double frexp_exponent(long double x)
{
    int exponent = 0;
    if (isfinite(x))
        frexpl(x, &exponent);
    return exponent;
}

static long double lgamma_sign(long double x)
{
    if (x == 0)
        return signbit(x) ? -1 : 1;
    if (x > 0 || x != x)
        return 1;
    return rintl(x) == x ? 0 : fmodl(floorl(x), 2) != 0 ? -1 : 1;
}

static long double modf_part(long double x)
{
    long double whole;
    return modfl(x, &whole);
}

static long double nextafter_of(long double x, long double y, int is_double)
{
    return is_double ? (long double)nextafter((double)x, (double)y)
                     : (long double)nextafterf((float)x, (float)y);
}

static long double fma_of(long double x, long double y, long double z, int is_double)
{
    return is_double ? (long double)fma((double)x, (double)y, (double)z)
                     : (long double)fmaf((float)x, (float)y, (float)z);
}

static long double ldexp_of(long double x, int n, int is_double)
{
    return is_double ? (long double)ldexp((double)x, n) : (long double)ldexpf((float)x, n);
}

static long double larger_magnitude(long double x, long double y)
{
    return fabsl(x) > fabsl(y) ? x : fabsl(y) > fabsl(x) ? y : fmaxl(x, y);
}

static long double smaller_magnitude(long double x, long double y)
{
    return fabsl(x) < fabsl(y) ? x : fabsl(y) < fabsl(x) ? y : fminl(x, y);
}

SAME1(acos)
SAME1(acosh)
SAME1(asin)
SAME1(asinh)
SAME1(atan)
SAME1(atanh)
SAME1(cbrt)
SAME1(ceil)
SAME1(cos)
SAME1(cosh)
SAME1(erf)
SAME1(erfc)
SAME1(exp)
SAME1(exp2)
SAME1(expm1)
SAME1(fabs)
SAME1(floor)
SAME1(lgamma)
SAME1(log)
SAME1(log10)
SAME1(log1p)
SAME1(log2)
SAME1(logb)
SAME1(rint)
SAME1(round)
SAME1(sin)
SAME1(sinh)
SAME1(tan)
SAME1(tanh)
SAME1(tgamma)
SAME1(trunc)
SAME2(atan2)
SAME2(copysign)
SAME2(fdim)
SAME2(fmax)
SAME2(fmin)
SAME2(fmod)
SAME2(hypot)
SAME2(pow)
SAME2(remainder)
REFERENCE(acospi, acosl(x) / M_PIl)
REFERENCE(asinpi, asinl(x) / M_PIl)
REFERENCE(atanpi, atanl(x) / M_PIl)
REFERENCE(atan2pi, atan2l(x, y) / M_PIl)
REFERENCE(cospi, cospi_of(x))
REFERENCE(sinpi, sinpi_of(x))
REFERENCE(tanpi, tanpi_of(x))
REFERENCE(exp10, powl(10, x))
REFERENCE(sqrt, is_double ? sqrt((double)x) : sqrtl(x))
REFERENCE(rsqrt, 1 / sqrtl(x))
REFERENCE(fma, fma_of(x, y, z, is_double))
REFERENCE(fract, fract_of(x, is_double))
REFERENCE(frexp, frexp_part(x))
REFERENCE(frexp_exponent, frexp_exponent(x))
REFERENCE(ilogb, x == 0 ? INT_MIN : !isfinite(x) ? INT_MAX : ilogbl(x))
REFERENCE(ldexp, ldexp_of(x, n, is_double))
REFERENCE(lgamma_sign, lgamma_sign(x))
REFERENCE(maxmag, larger_magnitude(x, y))
REFERENCE(minmag, smaller_magnitude(x, y))
REFERENCE(modf, modf_part(x))
REFERENCE(nextafter, nextafter_of(x, y, is_double))
REFERENCE(pown, powl(x, n))
REFERENCE(powr, powr_of(x, y))
REFERENCE(remquo_quotient, remquo_of(x, y))
REFERENCE(rootn, rootn_of(x, n))
REFERENCE(divide, is_double ? (double)x / (double)y : x / y)
REFERENCE(recip, 1 / x)
REFERENCE(lgamma_of_size, lgammal(fabsl(x)))

/* Everything of section 6.12.2. What is exact, or correctly rounded, has the bound 0. */
#define F(text, reference, from, most, ...)                                                        \
    {                                                                                              \
        .call = text, .expected = reference, .domains = from, .bound = most, __VA_ARGS__           \
    }
const struct math_function math_functions[] = {
    F("acos(x)", acos_reference, ALL | UNIT | AROUND_1, 4),
    F("acosh(x)", acosh_reference, ALL | MODERATE | AROUND_1, 4),
    F("acospi(x)", acospi_reference, ALL | UNIT | AROUND_1, 5),
    F("asin(x)", asin_reference, ALL | UNIT | AROUND_1, 4),
    F("asinh(x)", asinh_reference, ALL | UNIT | MODERATE, 4),
    F("asinpi(x)", asinpi_reference, ALL | UNIT | AROUND_1, 5),
    F("atan(x)", atan_reference, ALL | UNIT | AROUND_1, 5),
    F("atan2(x, y)", atan2_reference, ALL | UNIT | QUOTIENTS, 6),
    F("atanh(x)", atanh_reference, ALL | UNIT | AROUND_1, 5),
    F("atanpi(x)", atanpi_reference, ALL | UNIT | AROUND_1, 5),
    F("atan2pi(x, y)", atan2pi_reference, ALL | UNIT | QUOTIENTS, 6),
    F("cbrt(x)", cbrt_reference, ALL | UNIT, 2),
    F("ceil(x)", ceil_reference, ALL | MODERATE | HALVES, 0),
    F("copysign(x, y)", copysign_reference, ALL, 0),
    F("cos(x)", cos_reference, ALL | MODERATE | QUADRANTS, 4),
    F("cosh(x)", cosh_reference, ALL | UNIT | MODERATE, 4),
    F("cospi(x)", cospi_reference, ALL | MODERATE | HALVES, 4),
    F("erf(x)", erf_reference, ALL | UNIT | MODERATE, 16),
    F("erfc(x)", erfc_reference, ALL | UNIT | MODERATE, 16),
    F("exp(x)", exp_reference, ALL | UNIT | MODERATE, 3),
    F("exp2(x)", exp2_reference, ALL | UNIT | MODERATE, 3),
    F("exp10(x)", exp10_reference, ALL | UNIT | MODERATE, 3),
    F("expm1(x)", expm1_reference, ALL | UNIT | MODERATE, 3),
    F("fabs(x)", fabs_reference, ALL, 0),
    F("fdim(x, y)", fdim_reference, ALL | UNIT | QUOTIENTS, 0),
    F("floor(x)", floor_reference, ALL | MODERATE | HALVES, 0),
    F("fma(x, y, z)", fma_reference, ALL | UNIT | QUOTIENTS, 0),
    F("fmax(x, y)", fmax_reference, ALL | UNIT, 0, .any_zero = 1),
    F("fmin(x, y)", fmin_reference, ALL | UNIT, 0, .any_zero = 1),
    F("fmod(x, y)", fmod_reference, ALL | UNIT | QUOTIENTS, 0),
    F("fract(x, &w)", fract_reference, ALL | MODERATE | HALVES, 0),
    F("(fract(x, &w), w)", floor_reference, ALL | MODERATE | HALVES, 0),
    F("frexp(x, &e)", frexp_reference, ALL, 0),
    F("(frexp(x, &e), REAL(e))", frexp_exponent_reference, ALL, 0),
    F("hypot(x, y)", hypot_reference, ALL | UNIT | QUOTIENTS, 4),
    F("REAL(ilogb(x))", ilogb_reference, ALL, 0),
    F("ldexp(x, n)", ldexp_reference, ALL | UNIT, 0),
    F("lgamma(fabs(x))", lgamma_of_size_reference, ALL | UNIT | AROUND_1 | GAMMA, 16),
    F("lgamma(x)", lgamma_reference, UNIT | GAMMA, 16, .scale = 1),
    F("lgamma_r(x, &e)", lgamma_reference, UNIT | GAMMA, 16, .scale = 1),
    F("(lgamma_r(x, &e), REAL(e))", lgamma_sign_reference, ALL | UNIT | GAMMA, 0),
    F("log(x)", log_reference, ALL | UNIT | AROUND_1, 3),
    F("log2(x)", log2_reference, ALL | UNIT | AROUND_1, 3),
    F("log10(x)", log10_reference, ALL | UNIT | AROUND_1, 3),
    F("log1p(x)", log1p_reference, ALL | UNIT | MODERATE | AROUND_1, 2),
    F("logb(x)", logb_reference, ALL, 0),
    F("maxmag(x, y)", maxmag_reference, ALL | UNIT, 0, .any_zero = 1),
    F("minmag(x, y)", minmag_reference, ALL | UNIT, 0, .any_zero = 1),
    F("modf(x, &w)", modf_reference, ALL | MODERATE | HALVES, 0),
    F("(modf(x, &w), w)", trunc_reference, ALL | MODERATE | HALVES, 0),
    F("nextafter(x, y)", nextafter_reference, ALL | UNIT, 0),
    F("pow(x, y)", pow_reference, ALL | UNIT | POWERS, 16),
    F("pown(x, n)", pown_reference, ALL | UNIT | POWERS, 16),
    F("powr(x, y)", powr_reference, ALL | UNIT | POWERS, 16),
    F("remainder(x, y)", remainder_reference, ALL | UNIT | QUOTIENTS, 0),
    F("remquo(x, y, &e)", remainder_reference, ALL | UNIT | QUOTIENTS, 0),
    F("(remquo(x, y, &e), REAL(e))", remquo_quotient_reference, ALL | UNIT | QUOTIENTS, 0,
      .any_zero = 1),
    F("rint(x)", rint_reference, ALL | MODERATE | HALVES, 0),
    F("rootn(x, n)", rootn_reference, ALL | UNIT | POWERS, 16),
    F("round(x)", round_reference, ALL | MODERATE | HALVES, 0),
    F("rsqrt(x)", rsqrt_reference, ALL | UNIT, 2),
    F("sin(x)", sin_reference, ALL | MODERATE | QUADRANTS, 4),
    F("sincos(x, &w)", sin_reference, ALL | MODERATE | QUADRANTS, 4),
    F("(sincos(x, &w), w)", cos_reference, ALL | MODERATE | QUADRANTS, 4),
    F("sinh(x)", sinh_reference, ALL | UNIT | MODERATE, 4),
    F("sinpi(x)", sinpi_reference, ALL | MODERATE | HALVES, 4),
    F("sqrt(x)", sqrt_reference, ALL | UNIT, 0),
    F("tan(x)", tan_reference, ALL | MODERATE | QUADRANTS, 5),
    F("tanh(x)", tanh_reference, ALL | UNIT | MODERATE, 5),
    F("tanpi(x)", tanpi_reference, ALL | MODERATE | HALVES, 6),
    F("tgamma(x)", tgamma_reference, ALL | UNIT | GAMMA | AROUND_1, 16),
    F("trunc(x)", trunc_reference, ALL | MODERATE | HALVES, 0),
    F("x / y", divide_reference, ALL | UNIT, 0),
    F("half_cos(x)", cos_reference, MODERATE, 8192, .floats_only = 1),
    F("half_divide(x, y)", divide_reference, ALL | UNIT, 8192, .floats_only = 1),
    F("half_exp(x)", exp_reference, ALL | MODERATE, 8192, .floats_only = 1),
    F("half_exp2(x)", exp2_reference, ALL | MODERATE, 8192, .floats_only = 1),
    F("half_exp10(x)", exp10_reference, ALL | MODERATE, 8192, .floats_only = 1),
    F("half_log(x)", log_reference, ALL | AROUND_1, 8192, .floats_only = 1),
    F("half_log2(x)", log2_reference, ALL | AROUND_1, 8192, .floats_only = 1),
    F("half_log10(x)", log10_reference, ALL | AROUND_1, 8192, .floats_only = 1),
    F("half_powr(x, y)", powr_reference, ALL | POWERS, 8192, .floats_only = 1),
    F("half_recip(x)", recip_reference, ALL, 8192, .floats_only = 1),
    F("half_rsqrt(x)", rsqrt_reference, ALL, 8192, .floats_only = 1),
    F("half_sin(x)", sin_reference, MODERATE, 8192, .floats_only = 1),
    F("half_sqrt(x)", sqrt_reference, ALL, 8192, .floats_only = 1),
    F("half_tan(x)", tan_reference, MODERATE, 8192, .floats_only = 1),
};
#undef F
const size_t num_math_functions = sizeof math_functions / sizeof math_functions[0];
