/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/sm/exec_float_test.c: tests tb/sm/exec_float.c. Expected results to nearest even come
 * from C's own operators; in the other directions from the sign of the exact error, computed in
 * 113-bit arithmetic, never from the rounding mode of the machine. Approximations are held to
 * bounds and to their special values. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/tb/sm/exec_support.h"

typedef __float128 exact;

static int sign(exact x)
{
    return (x > 0) - (x < 0);
}

static exact magnitude(exact x)
{
    return x < 0 ? -x : x;
}

/* Sign of x + y - r. The larger operand lies near r, so their difference is exact. */
static int sum_error(exact x, exact y, exact r)
{
    return magnitude(x) > magnitude(y) ? sign((x - r) + y) : sign((y - r) + x);
}

/* `error` is the sign of (exact value - nearest). Moves the nearest value to the neighbour that
 * mode z (toward zero), m (down) or p (up) asks for. `step` is nextafter or nextafterf, in double.
 */
static double directed(double nearest, int error, char mode, double (*step)(double, double))
{
    if (isnan(nearest) || error == 0)
        return nearest;
    if (mode == 'p' && error > 0)
        return step(nearest, INFINITY);
    if (mode == 'm' && error < 0)
        return step(nearest, -INFINITY);
    int positive = nearest ? nearest > 0 : error > 0;
    if (mode == 'z' && error < 0 && positive)
        return step(nearest, -INFINITY);
    if (mode == 'z' && error > 0 && !positive)
        return step(nearest, INFINITY);
    return nearest;
}

static double step_single(double x, double to)
{
    return nextafterf((float)x, (float)to);
}

/* The error means something for finite operands only; an exact zero sum of opposite operands is -0
 * when rounding down. */
static double add_in(double a, double b, double nearest, char mode, double (*step)(double, double))
{
    if (!isfinite(a) || !isfinite(b))
        return nearest;
    if (mode == 'm' && a == -b && (a != 0 || signbit(a) != signbit(b)))
        return -0.0;
    return directed(nearest, sum_error(a, b, nearest), mode, step);
}

static double mul_in(double a, double b, double nearest, char mode, double (*step)(double, double))
{
    if (!isfinite(a) || !isfinite(b) || a == 0 || b == 0)
        return nearest;
    return directed(nearest, sign((exact)a * b - nearest), mode, step);
}

static double div_in(double a, double b, double nearest, char mode, double (*step)(double, double))
{
    if (!isfinite(a) || !isfinite(b) || a == 0 || b == 0)
        return nearest;
    int error = isinf(nearest) ? -sign(nearest) : sign((exact)a - (exact)nearest * b) * sign(b);
    return directed(nearest, error, mode, step);
}

static double sqrt_in(double a, double nearest, char mode, double (*step)(double, double))
{
    return isfinite(nearest)
               ? directed(nearest, sign((exact)a - (exact)nearest * nearest), mode, step)
               : nearest;
}

static double fma_in(double a, double b, double c, double nearest, char mode,
                     double (*step)(double, double))
{
    if (!isfinite(a) || !isfinite(b) || !isfinite(c))
        return nearest;
    exact product = (exact)a * b;
    int product_negative = signbit(a) != signbit(b);
    if (mode == 'm' && product == -(exact)c && (c != 0 || product_negative != (signbit(c) != 0)))
        return -0.0;
    return directed(nearest, sum_error(product, c, nearest), mode, step);
}

static uint64_t single(double x)
{
    return isnan(x) ? 0x7fffffff : bits_of_float((float)x);
}

static uint64_t full(double x)
{
    return isnan(x) ? 0x7ff8000000000000 : bits_of_double(x);
}

static float flush(float x)
{
    return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

static float saturate(float x)
{
    return isnan(x) || x <= 0 ? 0 : x > 1 ? 1 : x;
}

static double least(double x, double y)
{
    if (isnan(x) || isnan(y))
        return isnan(x) ? y : x;
    return x < y || (x == y && signbit(x)) ? x : y;
}

static double most(double x, double y)
{
    return -least(-x, -y);
}

#define FA float_of(a)
#define FB float_of(b)
#define FC float_of(c)
#define DA double_of(a)
#define DB double_of(b)
#define DC double_of(c)

/* A rounding mode of the two-operand operations, sqrt, rcp and fma. */
#define DIRECTED(X, mode, letter)                                                                  \
    ROW2(X, add_f32_##mode, "add." #mode ".f32", f, F32,                                           \
         single(add_in(FA, FB, FA + FB, letter, step_single)))                                     \
    ROW2(X, sub_f32_##mode, "sub." #mode ".f32", f, F32,                                           \
         single(add_in(FA, -FB, FA - FB, letter, step_single)))                                    \
    ROW2(X, mul_f32_##mode, "mul." #mode ".f32", f, F32,                                           \
         single(mul_in(FA, FB, FA *FB, letter, step_single)))                                      \
    ROW2(X, div_f32_##mode, "div." #mode ".f32", f, F32,                                           \
         single(div_in(FA, FB, FA / FB, letter, step_single)))                                     \
    ROW3(X, fma_f32_##mode, "fma." #mode ".f32", f, F32,                                           \
         single(fma_in(FA, FB, FC, fmaf(FA, FB, FC), letter, step_single)))                        \
    ROW1(X, sqrt_f32_##mode, "sqrt." #mode ".f32", f, F32,                                         \
         single(sqrt_in(FA, sqrtf(FA), letter, step_single)))                                      \
    ROW1(X, rcp_f32_##mode, "rcp." #mode ".f32", f, F32,                                           \
         single(div_in(1, FA, 1 / FA, letter, step_single)))                                       \
    ROW2(X, add_f64_##mode, "add." #mode ".f64", g, F64,                                           \
         full(add_in(DA, DB, DA + DB, letter, nextafter)))                                         \
    ROW2(X, sub_f64_##mode, "sub." #mode ".f64", g, F64,                                           \
         full(add_in(DA, -DB, DA - DB, letter, nextafter)))                                        \
    ROW2(X, mul_f64_##mode, "mul." #mode ".f64", g, F64,                                           \
         full(mul_in(DA, DB, DA *DB, letter, nextafter)))                                          \
    ROW2(X, div_f64_##mode, "div." #mode ".f64", g, F64,                                           \
         full(div_in(DA, DB, DA / DB, letter, nextafter)))                                         \
    ROW3(X, fma_f64_##mode, "fma." #mode ".f64", g, F64,                                           \
         full(fma_in(DA, DB, DC, fma(DA, DB, DC), letter, nextafter)))                             \
    ROW1(X, sqrt_f64_##mode, "sqrt." #mode ".f64", g, F64,                                         \
         full(sqrt_in(DA, sqrt(DA), letter, nextafter)))                                           \
    ROW1(X, rcp_f64_##mode, "rcp." #mode ".f64", g, F64,                                           \
         full(div_in(1, DA, 1 / DA, letter, nextafter)))

#define NEAREST(X)     DIRECTED(X, rn, 'n')
#define TOWARD_ZERO(X) DIRECTED(X, rz, 'z')
#define DOWN(X)        DIRECTED(X, rm, 'm')
#define UP(X)          DIRECTED(X, rp, 'p')

#define PLAIN(X)                                                                                   \
    ROW2(X, add_f32, "add.f32", f, F32, single(FA + FB))                                           \
    ROW2(X, sub_f32, "sub.f32", f, F32, single(FA - FB))                                           \
    ROW2(X, mul_f32, "mul.f32", f, F32, single(FA *FB))                                            \
    ROW2(X, add_f64, "add.f64", g, F64, full(DA + DB))                                             \
    ROW3(X, mad_f32, "mad.rn.f32", f, F32, single(fmaf(FA, FB, FC)))                               \
    ROW1(X, neg_f32, "neg.f32", f, F32, single(-FA))                                               \
    ROW1(X, neg_f64, "neg.f64", g, F64, full(-DA))                                                 \
    ROW1(X, abs_f32, "abs.f32", f, F32, single(FA < 0 ? -FA : FA == 0 ? 0 : FA))                   \
    ROW1(X, abs_f64, "abs.f64", g, F64, full(DA < 0 ? -DA : DA == 0 ? 0 : DA))                     \
    ROW2(X, min_f32, "min.f32", f, F32, single(least(FA, FB)))                                     \
    ROW2(X, max_f32, "max.f32", f, F32, single(most(FA, FB)))                                      \
    ROW2(X, min_f64, "min.f64", g, F64, full(least(DA, DB)))                                       \
    ROW2(X, max_f64, "max.f64", g, F64, full(most(DA, DB)))                                        \
    X(constant, "add.f32 %f0, %f1, 0f3DCCCCCD", f, F32, ONE, ONE, ONE, single(FA + 0.1f))

#define MODIFIED(X)                                                                                \
    ROW2(X, add_ftz, "add.ftz.f32", f, F32, single(flush(flush(FA) + flush(FB))))                  \
    ROW2(X, sub_ftz, "sub.ftz.f32", f, F32, single(flush(flush(FA) - flush(FB))))                  \
    ROW2(X, mul_ftz, "mul.rn.ftz.f32", f, F32, single(flush(flush(FA) * flush(FB))))               \
    ROW3(X, fma_ftz, "fma.rn.ftz.f32", f, F32,                                                     \
         single(flush(fmaf(flush(FA), flush(FB), flush(FC)))))                                     \
    ROW2(X, add_sat, "add.sat.f32", f, F32, single(saturate(FA + FB)))                             \
    ROW2(X, mul_sat_rz, "mul.rz.sat.f32", f, F32,                                                  \
         single(saturate((float)mul_in(FA, FB, FA *FB, 'z', step_single))))                        \
    ROW3(X, fma_ftz_sat, "fma.rn.ftz.sat.f32", f, F32,                                             \
         single(saturate(flush(fmaf(flush(FA), flush(FB), flush(FC))))))                           \
    ROW2(X, div_ftz, "div.rn.ftz.f32", f, F32, single(flush(flush(FA) / flush(FB))))               \
    ROW1(X, sqrt_ftz, "sqrt.rn.ftz.f32", f, F32, single(sqrtf(flush(FA))))                         \
    ROW1(X, neg_ftz, "neg.ftz.f32", f, F32, single(-flush(FA)))                                    \
    ROW1(X, abs_ftz, "abs.ftz.f32", f, F32, single(fabsf(flush(FA))))                              \
    ROW2(X, min_ftz, "min.ftz.f32", f, F32, single(least(flush(FA), flush(FB))))                   \
    ROW2(X, max_ftz, "max.ftz.f32", f, F32, single(most(flush(FA), flush(FB))))

/* Exact where the operation has an exact answer; PTX bounds the rest (ex2 2^-22.5, lg2 2^-22.6
 * ...), which the nearest float of the long double result satisfies. */
#define APPROXIMATE(X)                                                                             \
    ROW1(X, rcp_approx, "rcp.approx.f32", f, F32, single(1 / FA))                                  \
    ROW1(X, rcp_approx_ftz, "rcp.approx.ftz.f32", f, F32, single(flush(1 / flush(FA))))            \
    ROW1(X, rcp_approx_f64, "rcp.approx.ftz.f64", g, F64, full(1 / DA))                            \
    ROW1(X, sqrt_approx, "sqrt.approx.f32", f, F32, single(sqrtf(FA)))                             \
    ROW2(X, div_approx, "div.approx.f32", f, F32, single(FA / FB))                                 \
    ROW2(X, div_full, "div.full.f32", f, F32, single(FA / FB))                                     \
    ROW1(X, rsqrt_approx, "rsqrt.approx.f32", f, F32, single((float)(1 / sqrtl(FA))))              \
    ROW1(X, rsqrt_approx_ftz, "rsqrt.approx.ftz.f32", f, F32,                                      \
         single((float)(1 / sqrtl(flush(FA)))))                                                    \
    ROW1(X, rsqrt_approx_f64, "rsqrt.approx.f64", g, F64, full(1 / sqrt(DA)))                      \
    ROW1(X, ex2_approx, "ex2.approx.f32", f, F32, single((float)exp2l(FA)))                        \
    ROW1(X, ex2_approx_ftz, "ex2.approx.ftz.f32", f, F32, single(flush((float)exp2l(flush(FA)))))  \
    ROW1(X, lg2_approx, "lg2.approx.f32", f, F32, single((float)log2l(FA)))                        \
    ROW1(X, sin_approx, "sin.approx.f32", f, F32, single((float)sinl(FA)))                         \
    ROW1(X, cos_approx, "cos.approx.f32", f, F32, single((float)cosl(FA)))

CHECK_TABLE(PLAIN)
CHECK_TABLE(NEAREST)
CHECK_TABLE(TOWARD_ZERO)
CHECK_TABLE(DOWN)
CHECK_TABLE(UP)
CHECK_TABLE(MODIFIED)
CHECK_TABLE(APPROXIMATE)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(PLAIN_test),       cmocka_unit_test(NEAREST_test),
        cmocka_unit_test(TOWARD_ZERO_test), cmocka_unit_test(DOWN_test),
        cmocka_unit_test(UP_test),          cmocka_unit_test(MODIFIED_test),
        cmocka_unit_test(APPROXIMATE_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
