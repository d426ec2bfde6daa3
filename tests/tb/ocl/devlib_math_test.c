/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/devlib_math_test.c: mathematical functions of the device library, in float and
 * double, against the C library's long double within the error that OpenCL 1.2 allows
 * (section 7.4), for random arguments of the whole range and the special ones. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tb/ocl/ocl_support.h"

enum { COUNT = 8192, SPECIALS = 22 };

typedef long double unary(long double);
typedef long double binary(long double, long double);

static long double rsqrt_reference(long double x)
{
    return 1 / sqrtl(x);
}

static long double sinpi_reference(long double x)
{
    return rintl(x) == x && isfinite(x) ? copysignl(0, x) : sinl(M_PIl * fmodl(x, 2));
}

static long double cospi_reference(long double x)
{
    const long double r = fabsl(fmodl(x, 2));
    return r == 0.5L || r == 1.5L ? 0 : cosl(M_PIl * r);
}

static long double tanpi_reference(long double x)
{
    if (2 * x == rintl(2 * x) && isfinite(x) && fmodl(x, 1) != 0) /* n + 1/2 */
        return fmodl(floorl(x), 2) == 0 ? INFINITY : -INFINITY;
    return sinpi_reference(x) / cospi_reference(x);
}

static long double asinpi_reference(long double x)
{
    return asinl(x) / M_PIl;
}

static long double acospi_reference(long double x)
{
    return acosl(x) / M_PIl;
}

static long double atanpi_reference(long double x)
{
    return atanl(x) / M_PIl;
}

static long double atan2pi_reference(long double y, long double x)
{
    return atan2l(y, x) / M_PIl;
}

static long double exp10_reference(long double x)
{
    return powl(10, x);
}

static long double sign_reference(long double x)
{
    return x != x ? 0 : x > 0 ? 1 : x < 0 ? -1 : x;
}

static long double powr_reference(long double x, long double y)
{
    const int undefined =
        !(x >= 0) || y != y || (x == 0 && y == 0) || (isinf(x) && y == 0) || (x == 1 && isinf(y));
    return undefined ? NAN : powl(fabsl(x), y);
}

static long double fmin_reference(long double x, long double y)
{
    return x != x ? y : y != y ? x : x < y ? x : y;
}

static long double fmax_reference(long double x, long double y)
{
    return x != x ? y : y != y ? x : x > y ? x : y;
}

/* Arguments: of all magnitudes, or those about which the function turns. */
enum domain { ALL, UNIT, MODERATE };

static const struct function {
    const char *name;
    unary *one;
    binary *two;
    enum domain domain;
    double ulps[2]; /* float, double */
} functions[] = {
    {"sqrt", sqrtl, NULL, ALL, {0.5, 0.5}},
    {"rsqrt", rsqrt_reference, NULL, ALL, {2, 2}},
    {"cbrt", cbrtl, NULL, ALL, {2, 2}},
    {"exp", expl, NULL, MODERATE, {3, 3}},
    {"exp2", exp2l, NULL, MODERATE, {3, 3}},
    {"exp10", exp10_reference, NULL, MODERATE, {3, 3}},
    {"expm1", expm1l, NULL, MODERATE, {3, 3}},
    {"log", logl, NULL, ALL, {3, 3}},
    {"log", logl, NULL, UNIT, {3, 3}},
    {"log2", log2l, NULL, ALL, {3, 3}},
    {"log2", log2l, NULL, UNIT, {3, 3}},
    {"log10", log10l, NULL, ALL, {3, 3}},
    {"log10", log10l, NULL, UNIT, {3, 3}},
    {"log1p", log1pl, NULL, ALL, {2, 2}},
    {"log1p", log1pl, NULL, UNIT, {2, 2}},
    {"sin", sinl, NULL, ALL, {4, 4}},
    {"sin", sinl, NULL, MODERATE, {4, 4}},
    {"cos", cosl, NULL, ALL, {4, 4}},
    {"cos", cosl, NULL, MODERATE, {4, 4}},
    {"tan", tanl, NULL, ALL, {5, 5}},
    {"tan", tanl, NULL, MODERATE, {5, 5}},
    {"sinpi", sinpi_reference, NULL, MODERATE, {4, 4}},
    {"cospi", cospi_reference, NULL, MODERATE, {4, 4}},
    {"tanpi", tanpi_reference, NULL, UNIT, {6, 6}},
    {"asin", asinl, NULL, UNIT, {4, 4}},
    {"acos", acosl, NULL, UNIT, {4, 4}},
    {"atan", atanl, NULL, ALL, {5, 5}},
    {"asinpi", asinpi_reference, NULL, UNIT, {5, 5}},
    {"acospi", acospi_reference, NULL, UNIT, {5, 5}},
    {"atanpi", atanpi_reference, NULL, ALL, {5, 5}},
    {"sinh", sinhl, NULL, MODERATE, {4, 4}},
    {"cosh", coshl, NULL, MODERATE, {4, 4}},
    {"tanh", tanhl, NULL, MODERATE, {5, 5}},
    {"tanh", tanhl, NULL, UNIT, {5, 5}},
    {"asinh", asinhl, NULL, ALL, {4, 4}},
    {"acosh", acoshl, NULL, ALL, {4, 4}},
    {"atanh", atanhl, NULL, UNIT, {5, 5}},
    {"erf", erfl, NULL, UNIT, {16, 16}},
    {"erf", erfl, NULL, MODERATE, {16, 16}},
    {"erfc", erfcl, NULL, UNIT, {16, 16}},
    {"erfc", erfcl, NULL, MODERATE, {16, 16}},
    {"fabs", fabsl, NULL, ALL, {0, 0}},
    {"floor", floorl, NULL, MODERATE, {0, 0}},
    {"ceil", ceill, NULL, MODERATE, {0, 0}},
    {"trunc", truncl, NULL, MODERATE, {0, 0}},
    {"rint", rintl, NULL, MODERATE, {0, 0}},
    {"round", roundl, NULL, MODERATE, {0, 0}},
    {"logb", logbl, NULL, ALL, {0, 0}},
    {"sign", sign_reference, NULL, ALL, {0, 0}},
    {"pow", NULL, powl, ALL, {16, 16}},
    {"pow", NULL, powl, MODERATE, {16, 16}},
    {"powr", NULL, powr_reference, MODERATE, {16, 16}},
    {"hypot", NULL, hypotl, ALL, {4, 4}},
    {"atan2", NULL, atan2l, ALL, {6, 6}},
    {"atan2", NULL, atan2l, UNIT, {6, 6}},
    {"atan2pi", NULL, atan2pi_reference, UNIT, {6, 6}},
    {"fmod", NULL, fmodl, MODERATE, {0, 0}},
    {"fmod", NULL, fmodl, ALL, {0, 0}},
    {"remainder", NULL, remainderl, MODERATE, {0, 0}},
    {"fmin", NULL, fmin_reference, ALL, {0, 0}},
    {"fmax", NULL, fmax_reference, ALL, {0, 0}},
    {"fdim", NULL, fdiml, ALL, {0.5, 0.5}},
    {"copysign", NULL, copysignl, ALL, {0, 0}},
};
#define FUNCTIONS (sizeof functions / sizeof functions[0])

/* One kernel a type and name. */
static cl_program program_of_all(const struct ocl *ocl)
{
    static const char *const types[] = {"float", "double"};
    char *source = NULL;
    size_t bytes;
    FILE *out = open_memstream(&source, &bytes);
    assert_non_null(out);
    for (size_t i = 0; i < FUNCTIONS; i++)
        for (int t = 0; t < 2; t++)
            if (i == 0 || strcmp(functions[i].name, functions[i - 1].name) != 0)
                fprintf(out,
                        "__kernel void %s_%s(__global %s *o, __global %s *a, __global %s *b) {\n"
                        "    size_t i = get_global_id(0); o[i] = %s(a[i]%s); }\n",
                        functions[i].name, types[t], types[t], types[t], types[t],
                        functions[i].name, functions[i].two ? ", b[i]" : "");
    assert_int_equal(fclose(out), 0);
    cl_program program = ocl_program(ocl, source, "");
    free(source);
    return program;
}

static double uniform(void)
{
    return ((double)rand() + rand() / (RAND_MAX + 1.0)) / (RAND_MAX + 1.0);
}

static double argument(enum domain domain, int is_double, int i)
{
    static const double specials[SPECIALS] = {0.0,
                                              -0.0,
                                              1,
                                              -1,
                                              2,
                                              -2,
                                              0.5,
                                              -0.5,
                                              INFINITY,
                                              -INFINITY,
                                              NAN,
                                              3,
                                              -3,
                                              0x1p-149,
                                              -0x1p-130,
                                              0x1p-126,
                                              FLT_MAX,
                                              -FLT_MAX,
                                              1e5,
                                              -1e8,
                                              0x1.921fb6p+0,
                                              0x1.6ac5b262ca1ffp+849};
    const double sign = rand() % 2 ? 1 : -1;
    if (i < SPECIALS)
        return specials[i];
    if (domain == UNIT)
        return sign * uniform() * (rand() % 4 ? 1 : 1.5);
    if (domain == MODERATE)
        return sign * uniform() * (rand() % 2 ? 8 : is_double ? 750 : 110);
    return sign *
           ldexp(1 + uniform(), rand() % (is_double ? 2098 : 277) - (is_double ? 1074 : 149));
}

/* Distance in units of the last place of the reference. The first number past the range stands for
 * infinity and all beyond. */
static long double distance(long double got, long double expected, int is_double)
{
    const int digits = is_double ? DBL_MANT_DIG : FLT_MANT_DIG;
    const int least = is_double ? DBL_MIN_EXP : FLT_MIN_EXP;
    const int most = is_double ? DBL_MAX_EXP : FLT_MAX_EXP;
    const long double past = ldexpl(1, most);
    if (got != got || expected != expected)
        return (got != got) == (expected != expected) ? 0 : INFINITY;
    if (fabsl(got) > past)
        got = copysignl(past, got);
    if (fabsl(expected) > past)
        expected = copysignl(past, expected);
    int exponent = expected == 0 ? least : ilogbl(expected) + 1;
    exponent = exponent < least ? least : exponent > most ? most : exponent;
    return fabsl(got - expected) / ldexpl(1, exponent - digits);
}

static void check_function(const struct ocl *ocl, cl_program program, const struct function *f,
                           int is_double)
{
    static double a[COUNT], b[COUNT], o[COUNT];
    static float af[COUNT], bf[COUNT], of[COUNT];
    const size_t bytes = COUNT * (is_double ? sizeof(double) : sizeof(float));
    char name[64];
    cl_int error;
    for (int i = 0; i < COUNT; i++) {
        a[i] = argument(f->domain, is_double, i < SPECIALS * SPECIALS ? i % SPECIALS : i);
        b[i] = argument(f->domain, is_double, i < SPECIALS * SPECIALS ? i / SPECIALS : i);
        af[i] = (float)a[i];
        bf[i] = (float)b[i];
    }
    snprintf(name, sizeof name, "%s_%s", f->name, is_double ? "double" : "float");
    cl_kernel kernel = clCreateKernel(program, name, &error);
    assert_success(error);
    cl_mem out = ocl_buffer(ocl, bytes, NULL);
    cl_mem in_a = ocl_buffer(ocl, bytes, is_double ? (void *)a : af);
    cl_mem in_b = ocl_buffer(ocl, bytes, is_double ? (void *)b : bf);
    assert_arg(kernel, 0, out);
    assert_arg(kernel, 1, in_a);
    assert_arg(kernel, 2, in_b);
    ocl_run(ocl, kernel, COUNT, 64);
    ocl_read(ocl, out, bytes, is_double ? (void *)o : of);
    long double worst = 0;
    int where = 0;
    for (int i = 0; i < COUNT; i++) {
        const long double x = is_double ? a[i] : af[i], y = is_double ? b[i] : bf[i];
        const long double expected = f->one ? f->one(x) : f->two(x, y);
        const long double error = distance(is_double ? o[i] : of[i], expected, is_double);
        if (error > worst) {
            worst = error;
            where = i;
        }
    }
    if (worst > f->ulps[is_double])
        print_error("%s(%.9a, %.9a) = %.17g: %.3Lg ulp, allowed %g\n", name,
                    is_double ? a[where] : af[where], is_double ? b[where] : bf[where],
                    is_double ? o[where] : of[where], worst, f->ulps[is_double]);
    else if (getenv("HEDDLE_VERBOSE"))
        print_message("%-16s %.3Lg of %g ulp\n", name, worst, f->ulps[is_double]);
    assert_success(clReleaseMemObject(out));
    assert_success(clReleaseMemObject(in_a));
    assert_success(clReleaseMemObject(in_b));
    assert_success(clReleaseKernel(kernel));
    assert_true(worst <= f->ulps[is_double]);
}

static void errors_are_within_the_standard(void **state)
{
    cl_program program = program_of_all(*state);
    srand(1);
    for (size_t i = 0; i < FUNCTIONS; i++)
        for (int is_double = 0; is_double < 2; is_double++)
            check_function(*state, program, &functions[i], is_double);
    assert_success(clReleaseProgram(program));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_within_the_standard),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
