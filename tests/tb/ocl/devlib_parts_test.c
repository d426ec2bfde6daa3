/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/devlib_parts_test.c: functions of the device library that the tables of other tests
 * do not fit: second results, vectors as wholes, loosely defined errors. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/tb/ocl/ocl_support.h"

enum { COUNT = 24 };

static const double numbers[COUNT] = {0.0,
                                      -0.0,
                                      1,
                                      -1,
                                      0.5,
                                      -0.75,
                                      3,
                                      -3.5,
                                      1e10,
                                      -1e-10,
                                      0x1p-149,
                                      0x1.8p-140,
                                      -0x1p-126,
                                      FLT_MAX,
                                      -FLT_MAX,
                                      123.456,
                                      -0x1.fffffep-1,
                                      0x1.fffffep23,
                                      7.25,
                                      -1000.125,
                                      6,
                                      INFINITY,
                                      -INFINITY,
                                      NAN};

/* Runs k(out, a) with `a` as float or double; out takes `results` a number. */
static void run_parts(const struct ocl *ocl, const char *source, int is_double, size_t results,
                      double *out)
{
    static float af[COUNT], of[COUNT * 16];
    cl_int error;
    const size_t size = is_double ? sizeof(double) : sizeof(float);
    for (int i = 0; i < COUNT; i++)
        af[i] = (float)numbers[i];
    cl_program program =
        ocl_program(ocl, source, is_double ? "-DT=double -DT4=double4" : "-DT=float -DT4=float4");
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    assert_success(error);
    cl_mem o = ocl_buffer(ocl, COUNT * results * size, NULL);
    cl_mem a = ocl_buffer(ocl, COUNT * size, is_double ? (const void *)numbers : af);
    assert_arg(kernel, 0, o);
    assert_arg(kernel, 1, a);
    ocl_run(ocl, kernel, COUNT, 0);
    ocl_read(ocl, o, COUNT * results * size, is_double ? (void *)out : of);
    for (size_t i = 0; !is_double && i < COUNT * results; i++)
        out[i] = of[i];
    assert_success(clReleaseMemObject(o));
    assert_success(clReleaseMemObject(a));
    assert_success(clReleaseKernel(kernel));
    assert_success(clReleaseProgram(program));
}

/* Second results go to any address space. */
static void second_results_go_anywhere(void **state)
{
    static const char source[] =
        "#define ALL(f, x, R, l) { R r; o[4 * i] = f(x, &r); o[4 * i + 1] = r;\\\n"
        "    same &= f(x, &(l)) == f(x, &r) && l == r && f(x, (__global R *)g + i) == f(x, &r) "
        "&&\\\n"
        "        ((__global R *)g)[i] == r; i++; }\n"
        "#define REMQUO(x, p) remquo(x, (T)2.5f, p)\n"
        "__kernel void k(__global T *o, __global T *a) {\n"
        "    __global T *g = o + 48; int i = 0, same = 1; T x = (T)-7.25f;\n"
        "    __local T t; __local int n;\n"
        "    if (get_global_id(0)) return;\n"
        "    ALL(fract, x, T, t) ALL(modf, x, T, t) ALL(sincos, x, T, t) ALL(frexp, x, int, n)\n"
        "    ALL(REMQUO, x, int, n) ALL(lgamma_r, x, int, n) o[23] = same; }\n";
    static const double expected[][2] = {{0.75, -8},    {-0.25, -7}, {-0.823080879, 0.567924173},
                                         {-0.90625, 3}, {0.25, -3},  {-7.54188344, 1}};
    static double out[COUNT * 4];
    for (int is_double = 0; is_double < 2; is_double++) {
        run_parts(*state, source, is_double, 4, out);
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 2; k++)
                if (fabs(out[4 * i + k] - expected[i][k]) > 1e-5)
                    fail_msg("result %d.%d: %g, expected %g", i, k, out[4 * i + k], expected[i][k]);
        assert_true(out[23] == 1);
    }
}

static void vectors_as_wholes(void **state)
{
    static const char source[] =
        "__kernel void k(__global T *o, __global T *a) {\n"
        "    if (get_global_id(0)) return;\n"
        "    T4 u = (T4)(1, 2, 3, 4), v = (T4)(5, -6, 7, 8), w = (T4)(3, 4, 0, 0);\n"
        "    o[0] = dot(u, v); o[1] = length(w); o[2] = distance(u, u + w);\n"
        "    T4 c = cross(u, v); o[3] = c.x; o[4] = c.y; o[5] = c.z; o[6] = c.w;\n"
        "    o[7] = normalize(w).y; o[8] = dot(u.xy, v.xy); o[9] = dot(u.x, v.x);\n"
        "    T4 m = mix(u, v, (T)0.5); o[10] = m.y; o[11] = clamp(v, (T)0, (T)6).w;\n"
        "    o[12] = step((T)2, u).y; o[13] = smoothstep((T)0, (T)4, u).z;\n"
        "    o[14] = any(u > v); o[15] = all(u > v); o[16] = any(u > (T)10);\n"
        "    T4 s = select(u, v, u > v); o[17] = s.x; o[18] = s.y;\n"
        "    o[19] = isnan(u / (T)0 - u / (T)0).x; o[20] = isnan((T)NAN);\n"
        "    o[21] = bitselect(v.x, -v.x, (T)-0.0); o[22] = degrees((T)M_PI);\n"
        "    o[23] = isless(u, v).y; }\n";
    static const double expected[COUNT] = {46, 5,       5, 32, 8, -16, 0,  0.8, -7, 5,  -2,  6,
                                           1,  0.84375, 1, 0,  0, 1,   -6, -1,  1,  -5, 180, 0};
    static double out[COUNT];
    for (int is_double = 0; is_double < 2; is_double++) {
        run_parts(*state, source, is_double, 1, out);
        for (int i = 0; i < COUNT; i++)
            if (fabs(out[i] - expected[i]) > 1e-6)
                fail_msg("result %d: %g, expected %g", i, out[i], expected[i]);
    }
}

/* Vectors with second results, and shuffles. */
static void vectors_element_by_element(void **state)
{
    static const char source[] =
        "__kernel void k(__global T *o, __global T *a) {\n"
        "    if (get_global_id(0)) return;\n"
        "    T4 x = (T4)(1.5f, -2.25f, 7, 1024), w, f = modf(x, &w); int4 e;\n"
        "    vstore4(f, 0, o); vstore4(w, 1, o); vstore4(frexp(x, &e), 2, o);\n"
        "    o[12] = e.x; o[13] = e.w; T4 r = remquo(x, (T4)(2), &e); o[14] = r.y; o[15] = e.z;\n"
        "    vstore4(shuffle(x, MASK(3, 2, 5, 0)), 4, o);\n"
        "    vstore4(shuffle2(x, f, MASK(4, 0, 3, 5)), 5, o); }\n";
    static const double expected[COUNT] = {0.5,  -0.25,   0,     0,   1,   -2,  7,     1024,
                                           0.75, -0.5625, 0.875, 0.5, 1,   11,  -0.25, 4,
                                           1024, 7,       -2.25, 1.5, 0.5, 1.5, 1024,  -0.25};
    static double out[COUNT];
    for (int is_double = 0; is_double < 2; is_double++) {
        char text[1024];
        snprintf(text, sizeof text, "#define MASK (%s)\n%s", is_double ? "ulong4" : "uint4",
                 source);
        run_parts(*state, text, is_double, 1, out);
        for (int i = 0; i < COUNT; i++)
            if (out[i] != expected[i])
                fail_msg("result %d: %g, expected %g", i, out[i], expected[i]);
    }
}

/* native_ functions: what the special function unit gives. */
static void native_functions_are_close(void **state)
{
    static const char source[] =
        "__kernel void k(__global float *o, __global float *a) {\n"
        "    size_t i = get_global_id(0); __global float *p = o + 16 * i;\n"
        "    float x = 0.5f + i * 0.125f;\n"
        "    p[0] = native_sin(x); p[1] = native_cos(x); p[2] = native_tan(x * 0.25f);\n"
        "    p[3] = native_exp(x); p[4] = native_exp2(x); p[5] = native_exp10(x * 0.25f);\n"
        "    p[6] = native_log(x); p[7] = native_log2(x); p[8] = native_log10(x);\n"
        "    p[9] = native_sqrt(x); p[10] = native_rsqrt(x); p[11] = native_recip(x);\n"
        "    p[12] = native_divide(3.0f, x); p[13] = native_powr(x, 1.5f);\n"
        "    p[14] = native_sin((float4)(0, 1, 2, x)).w; p[15] = native_powr((float3)(x), "
        "(float3)(2)).z; }\n";
    static double out[COUNT * 16];
    run_parts(*state, source, 0, 16, out);
    for (int i = 0; i < COUNT; i++) {
        const double x = 0.5 + i * 0.125;
        const double expected[16] = {
            sin(x),   cos(x),  tan(x / 4),  exp(x), exp2(x), pow(10, x / 4), log(x), log2(x),
            log10(x), sqrt(x), 1 / sqrt(x), 1 / x,  3 / x,   pow(x, 1.5),    sin(x), x * x};
        for (int k = 0; k < 16; k++)
            if (fabs(out[16 * i + k] - expected[k]) > 4e-6 * fmax(1, fabs(expected[k])))
                fail_msg("native function %d of %g: %g, expected %g", k, x, out[16 * i + k],
                         expected[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(second_results_go_anywhere),
        cmocka_unit_test(vectors_as_wholes),
        cmocka_unit_test(vectors_element_by_element),
        cmocka_unit_test(native_functions_are_close),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
