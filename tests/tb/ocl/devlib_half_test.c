/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/devlib_half_test.c: loads and stores of 16-bit floats: every one of the 65,536 is
 * loaded; floats and doubles of all magnitudes, halfway cases among them, are stored in every
 * rounding, as scalars and as vectors, against the C library's rounding to multiples of the last
 * place. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/tb/ocl/ocl_support.h"

enum { ALL = 65536, STORES = 4096, NUM_ROUNDINGS = 5 };

static const struct rounding {
    const char *suffix;
    int mode;
} roundings[NUM_ROUNDINGS] = {
    {"", FE_TONEAREST},  {"_rte", FE_TONEAREST}, {"_rtz", FE_TOWARDZERO},
    {"_rtp", FE_UPWARD}, {"_rtn", FE_DOWNWARD},
};

/* 1 sign bit, 5 of exponent, 10 of significand. */
static double value_of(cl_ushort bits)
{
    const int exponent = bits >> 10 & 31, significand = bits & 1023;
    const double size = exponent == 31  ? (significand ? NAN : INFINITY)
                        : exponent == 0 ? ldexp(significand, -24)
                                        : ldexp(1024 + significand, exponent - 25);
    return bits & 0x8000 ? -size : size;
}

static cl_ushort nearest(double x, int mode)
{
    const cl_ushort sign = signbit(x) ? 0x8000 : 0;
    const double a = fabs(x);
    if (x != x)
        return 0x7fff;
    if (isinf(x))
        return sign | 0x7c00;
    int place = a == 0 ? -24 : ilogb(a) - 10;
    place = place < -24 ? -24 : place;
    fesetround(mode);
    const double units = (double)rintl(ldexpl(x, -place)); /* x87: rounds as told */
    fesetround(FE_TONEAREST);
    const double rounded = fabs(ldexp(units, place));
    if (rounded > 65504) {
        const int away = mode == FE_TONEAREST || mode == (sign ? FE_DOWNWARD : FE_UPWARD);
        return sign | (away ? 0x7c00 : 0x7bff);
    }
    const int exponent = rounded < 0x1p-14 ? 0 : ilogb(rounded) + 15;
    const int significand = (int)ldexp(rounded, exponent ? 25 - exponent : 24) & 1023;
    return (cl_ushort)(sign | exponent << 10 | significand);
}

static int same(cl_ushort seen, cl_ushort expected)
{
    const int seen_nan = (seen & 0x7fff) > 0x7c00, expected_nan = (expected & 0x7fff) > 0x7c00;
    return seen_nan || expected_nan ? seen_nan && expected_nan : seen == expected;
}

/* All 65,536, by 1, 2, 3, 4, 8 and 16, packed and aligned. */
static void every_half_is_loaded(void **state)
{
    static const struct {
        const char *call;
        size_t loads, stride, elements;
    } forms[] = {
        {"vload_half(i, p)", ALL, 1, 1},           {"vload_half2(i, p)", ALL / 2, 2, 2},
        {"vload_half3(i, p)", ALL / 3, 3, 3},      {"vload_half4(i, p)", ALL / 4, 4, 4},
        {"vload_half8(i, p)", ALL / 8, 8, 8},      {"vload_half16(i, p)", ALL / 16, 16, 16},
        {"vloada_half3(i, p)", ALL / 4, 4, 3},     {"vloada_half4(i, p)", ALL / 4, 4, 4},
        {"vloada_half16(i, p)", ALL / 16, 16, 16},
    };
    static cl_ushort in[ALL];
    static float out[ALL];
    for (int i = 0; i < ALL; i++)
        in[i] = (cl_ushort)i;
    cl_mem halves = ocl_buffer(*state, sizeof in, in),
           floats = ocl_buffer(*state, sizeof out, NULL);
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        char source[256], store[32];
        snprintf(store, sizeof store, forms[f].elements > 1 ? "vstore%zu(x, i, o)" : "o[i] = x",
                 forms[f].elements);
        snprintf(source, sizeof source,
                 "__kernel void k(__global float *o, __global half *p) {\n"
                 "    size_t i = get_global_id(0); __typeof__(%s) x = %s; %s; }\n",
                 forms[f].call, forms[f].call, store);
        cl_kernel kernel = ocl_kernel(*state, source, "k");
        assert_arg(kernel, 0, floats);
        assert_arg(kernel, 1, halves);
        ocl_run(*state, kernel, forms[f].loads, 0);
        ocl_read(*state, floats, sizeof out, out);
        for (size_t i = 0; i < forms[f].loads * forms[f].elements; i++) {
            const size_t bits = i / forms[f].elements * forms[f].stride + i % forms[f].elements;
            const double expected = value_of((cl_ushort)bits);
            if (out[i] != expected && !(out[i] != out[i] && expected != expected))
                fail_msg("%s of 0x%zx: %a, expected %a", forms[f].call, bits, out[i], expected);
        }
        assert_success(clReleaseKernel(kernel));
    }
    assert_success(clReleaseMemObject(halves));
    assert_success(clReleaseMemObject(floats));
}

/* About every second a number of 12 bits: halfway between two halves, or just beside it. */
static double number(int i, int is_double)
{
    static const double specials[] = {0.0,     -0.0,      INFINITY,  -INFINITY, NAN,
                                      65504,   65519.996, 65520,     -65520,    1e30,
                                      0x1p-25, -0x1p-25,  0x1p-1070, 0x1.8p-25, 0x1.ffcp-15};
    if (i < (int)(sizeof specials / sizeof specials[0]))
        return specials[i];
    const double significand = 2048 + rand() % 2048, sign = rand() % 2 ? 1 : -1;
    const double beside = rand() % 2 ? 0 : ldexp(rand() % 3 - 1, is_double ? -40 : -11);
    return sign * ldexp(significand + beside, rand() % 48 - 41);
}

/* Scalars at 0, by 3 behind them, by 4 with vstorea_half4 last. */
static void every_rounding_is_right(void **state)
{
    static const char kernel_text[] =
        "__kernel void k(__global half *o, __global T *a) {\n"
        "    size_t i = get_global_id(0); __local ushort s[4]; ushort t[2];\n"
        "    __local half *l = (__local half *)s; half *h = (half *)t;\n"
        "    STORE(vstore_half)(a[i], i, o);\n"
        "    if (i < N / 3) STORE(vstore_half3)(vload3(i, a), i, o + N);\n"
        "    if (i < N / 4) STORE(vstorea_half4)(vload4(i, a), i, o + 2 * N);\n"
        "    if (i < N / 4) STORE(vstorea_half3)(vload3(i, a), i, o + 3 * N);\n"
        "    if (i == 0) { STORE(vstore_half)(a[9], 3, l); STORE(vstore_half)(a[9], 1, h);\n"
        "        vstore_half(vload_half(3, l) == vload_half(1, h) ? 1.0f : 0.0f, 0, o + 4 * N); } "
        "}\n";
    static float floats[STORES];
    static double doubles[STORES];
    static cl_ushort out[4 * STORES + 1];
    srand(5);
    for (int is_double = 0; is_double < 2; is_double++) {
        for (int i = 0; i < STORES; i++)
            floats[i] = (float)(doubles[i] = number(i, is_double));
        const size_t bytes = is_double ? sizeof doubles : sizeof floats;
        cl_mem in = ocl_buffer(*state, bytes, is_double ? (void *)doubles : floats);
        for (int r = 0; r < NUM_ROUNDINGS; r++) {
            char source[2048];
            cl_int error;
            snprintf(source, sizeof source,
                     "#define T %s\n#define N %d\n#define STORE(f) f%s%s\n%s",
                     is_double ? "double" : "float", STORES, *roundings[r].suffix ? "##" : "",
                     roundings[r].suffix, kernel_text);
            cl_program program = ocl_program(*state, source, "");
            cl_kernel kernel = clCreateKernel(program, "k", &error);
            assert_success(error);
            cl_mem halves = ocl_buffer(*state, sizeof out, NULL);
            assert_arg(kernel, 0, halves);
            assert_arg(kernel, 1, in);
            ocl_run(*state, kernel, STORES, 0);
            ocl_read(*state, halves, sizeof out, out);
            for (int i = 0; i < STORES; i++) {
                const double x = is_double ? doubles[i] : floats[i];
                const double y = is_double ? doubles[i / 4 * 3 + i % 4] : floats[i / 4 * 3 + i % 4];
                const cl_ushort expected = nearest(x, roundings[r].mode);
                if (!same(out[i], expected) ||
                    (i < STORES / 3 * 3 && !same(out[STORES + i], expected)) ||
                    !same(out[2 * STORES + i], expected))
                    fail_msg("vstore_half%s(%a): 0x%x, by 3: 0x%x, by 4: 0x%x, expected 0x%x",
                             roundings[r].suffix, x, out[i], out[STORES + i], out[2 * STORES + i],
                             expected);
                if (!same(out[3 * STORES + i], i % 4 == 3 ? 0xa5a5 : nearest(y, roundings[r].mode)))
                    fail_msg("vstorea_half3%s: element %d", roundings[r].suffix, i);
            }
            assert_int_equal(out[4 * STORES], 0x3c00);
            assert_success(clReleaseMemObject(halves));
            assert_success(clReleaseKernel(kernel));
            assert_success(clReleaseProgram(program));
        }
        assert_success(clReleaseMemObject(in));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_half_is_loaded),
        cmocka_unit_test(every_rounding_is_right),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
