/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/devlib_common_test.c: the common and the geometric functions of the device library,
 * in float and double, scalars and vectors, against long double; lengths also where sums of squares
 * overflow and underflow. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/tb/ocl/ocl_support.h"

enum { COUNT = 512, MAX_RESULTS = 24 };

static long double clamped(long double x, long double low, long double high)
{
    return fminl(fmaxl(x, low), high);
}

static double uniform(double most)
{
    return most * (2.0 * rand() / RAND_MAX - 1);
}

/* Runs k(out, a, b, c) of each type, and hands operands and results over as doubles. */
static void each_type(const struct ocl *ocl, const char *source, int results,
                      double (*operand)(int i, int is_double),
                      void (*check)(const double *a, const double *b, const double *c,
                                    const double *out, int is_double))
{
    static double in[3][COUNT], out[COUNT * MAX_RESULTS];
    static float in_f[3][COUNT], out_f[COUNT * MAX_RESULTS];
    for (int is_double = 0; is_double < 2; is_double++) {
        char options[128];
        cl_int error;
        const char *type = is_double ? "double" : "float";
        const size_t size = is_double ? sizeof(double) : sizeof(float);
        snprintf(options, sizeof options, "-DT=%s -DT2=%s2 -DT3=%s3 -DT4=%s4", type, type, type,
                 type);
        cl_program program = ocl_program(ocl, source, options);
        cl_kernel kernel = clCreateKernel(program, "k", &error);
        assert_success(error);
        cl_mem memories[4] = {ocl_buffer(ocl, COUNT * (size_t)results * size, NULL)};
        for (int n = 0; n < 3; n++) {
            for (int i = 0; i < COUNT; i++) {
                in_f[n][i] = (float)operand(i, is_double);
                in[n][i] = is_double ? operand(i, is_double) : in_f[n][i];
            }
            memories[n + 1] = ocl_buffer(ocl, COUNT * size, is_double ? (void *)in[n] : in_f[n]);
        }
        for (cl_uint n = 0; n < 4; n++)
            assert_arg(kernel, n, memories[n]);
        ocl_run(ocl, kernel, COUNT / 4, 0);
        ocl_read(ocl, memories[0], COUNT * (size_t)results * size,
                 is_double ? (void *)out : (void *)out_f);
        for (int i = 0; !is_double && i < COUNT * results; i++)
            out[i] = out_f[i];
        for (int i = 0; i < COUNT; i += 4)
            check(in[0] + i, in[1] + i, in[2] + i, out + (size_t)i * (size_t)results, is_double);
        for (int n = 0; n < 4; n++)
            assert_success(clReleaseMemObject(memories[n]));
        assert_success(clReleaseKernel(kernel));
        assert_success(clReleaseProgram(program));
    }
}

/* Within `ulps` of the result, or of numbers of the size of `scale`. */
static void expect(const char *what, double seen, long double expected, long double scale,
                   double ulps, int is_double)
{
    const long double unit = is_double ? DBL_EPSILON : FLT_EPSILON;
    const long double size = fmaxl(fabsl(expected), fabsl(scale));
    if (expected != expected ? seen == seen
                             : seen != expected && !(fabsl(seen - expected) <= ulps * unit * size))
        fail_msg("%s in %s: %.17g, expected %.17Lg", what, is_double ? "double" : "float", seen,
                 expected);
}

static double moderate(int i, int is_double)
{
    (void)is_double;
    return i % 7 == 0 ? i % 3 - 1 : uniform(4);
}

static void check_common(const double *a, const double *b, const double *c, const double *out,
                         int is_double)
{
    static const char *const names[] = {"clamp",   "degrees", "max",  "min",        "mix",
                                        "radians", "step",    "sign", "smoothstep", "mad"};
    for (int e = 0; e < 4; e++) {
        const long double x = a[e], y = b[e], z = fabs(c[e]);
        const long double low = y, high = y + z + 1, t = clamped((x - low) / (high - low), 0, 1);
        const long double expected[] = {
            clamped(x, low, high), x * 180 / M_PIl, fmaxl(x, y),   fminl(x, y),
            x + (y - x) * z,       x * M_PIl / 180, x < y ? 0 : 1, x > 0 ? 1 : x < 0 ? -1 : x,
            t * t * (3 - 2 * t),   x * y + z};
        for (int f = 0; f < 10; f++)
            for (int form = 0; form < 2; form++) /* vectors, and some operands scalars */
                if (form == 0 || e == 0)
                    expect(names[f], out[(form * 10 + f) * 4 + e], expected[f], 16, 2, is_double);
    }
}

static void common_functions(void **state)
{
    static const char source[] =
        "__kernel void k(__global T *o, __global T *a, __global T *b, __global T *c) {\n"
        "    size_t i = get_global_id(0); T4 x = vload4(i, a), y = vload4(i, b);\n"
        "    T4 z = fabs(vload4(i, c)), high = y + z + (T)1; o += i * 96;\n"
        "    vstore4(clamp(x, y, high), 0, o); vstore4(degrees(x), 1, o);\n"
        "    vstore4(max(x, y), 2, o); vstore4(min(x, y), 3, o); vstore4(mix(x, y, z), 4, o);\n"
        "    vstore4(radians(x), 5, o); vstore4(step(y, x), 6, o); vstore4(sign(x), 7, o);\n"
        "    vstore4(smoothstep(y, high, x), 8, o); vstore4(mad(x, y, z), 9, o);\n"
        "    vstore4(clamp(x, y.x, high.x), 10, o); vstore4(degrees(x.x), 11, o);\n"
        "    vstore4(max(x, y.x), 12, o); vstore4(min(x, y.x), 13, o);\n"
        "    vstore4(mix(x, y, z.x), 14, o); vstore4(radians(x.x), 15, o);\n"
        "    vstore4(step(y.x, x), 16, o); vstore4(sign(x.x), 17, o);\n"
        "    vstore4(smoothstep(y.x, high.x, x), 18, o); vstore4(mad(x.x, y.x, z.x), 19, o); }\n";
    srand(6);
    each_type(*state, source, MAX_RESULTS, moderate, check_common);
}

/* Of every magnitude, with zeros. */
static double extreme(int i, int is_double)
{
    static int exponent;
    if (i % 4 == 0)
        exponent = is_double ? rand() % 2090 - 1070 : rand() % 270 - 145;
    return i % 37 == 0 ? 0 : ldexp(uniform(1), exponent + rand() % 3);
}

static void check_geometric(const double *a, const double *b, const double *c, const double *out,
                            int is_double)
{
    (void)c;
    long double squares = 0, dot = 0, sizes = 0, far = 0;
    for (int e = 0; e < 4; e++) {
        const long double difference = is_double ? a[e] - b[e] : (float)(a[e] - b[e]);
        squares += (long double)a[e] * a[e];
        dot += (long double)a[e] * b[e];
        sizes += fabsl((long double)a[e] * b[e]);
        far += difference * difference;
        const long double partial = sqrtl(squares);
        const long double least = is_double ? DBL_MIN : FLT_MIN; /* denormal results */
        const long double most = is_double ? DBL_MAX : FLT_MAX;
        expect("length", out[e], partial > most ? INFINITY : partial, least, 4, is_double);
        expect("distance", out[4 + e], sqrtl(far) > most ? INFINITY : sqrtl(far), least, 4,
               is_double);
        if (fabsl(dot) < most && sizes < most)
            expect("dot", out[8 + e], dot, fmaxl(sizes, least), 4, is_double);
    }
    for (int e = 0; e < 4 && squares > 0; e++)
        expect("normalize", out[12 + e], a[e] / sqrtl(squares), 0x1p-10L, 8, is_double);
}

static void geometric_functions(void **state)
{
    static const char source[] =
        "__kernel void k(__global T *o, __global T *a, __global T *b, __global T *c) {\n"
        "    size_t i = get_global_id(0); T4 x = vload4(i, a), y = vload4(i, b); o += i * 16;\n"
        "    o[0] = length(x.x); o[1] = length(x.xy); o[2] = length(x.xyz); o[3] = length(x);\n"
        "    o[4] = distance(x.x, y.x); o[5] = distance(x.xy, y.xy);\n"
        "    o[6] = distance(x.xyz, y.xyz); o[7] = distance(x, y);\n"
        "    o[8] = dot(x.x, y.x); o[9] = dot(x.xy, y.xy); o[10] = dot(x.xyz, y.xyz);\n"
        "    o[11] = dot(x, y); vstore4(normalize(x), 3, o); }\n";
    srand(7);
    each_type(*state, source, 4, extreme, check_geometric);
}

static void check_special(const double *a, const double *b, const double *c, const double *out,
                          int is_double)
{
    static const double expected[16] = {
        INFINITY, 0,   NAN, 1, 0, 0, -0.70710678118654752, 0.70710678118654752, -1, 0,
        5,        0.6, 0.8, 0, 0, 0};
    (void)a, (void)b, (void)c;
    for (int i = 0; i < 14; i++)
        expect("a special vector", out[i], expected[i], 1, i > 9 ? 8192 : 2, is_double);
}

/* Infinite elements, zeros, NaN, and the fast_ functions. */
static void special_vectors(void **state)
{
    static const char source[] =
        "#define FAST_float(x, y) x\n#define FAST_double(x, y) y\n"
        "#define FAST__(T) FAST_##T\n#define FAST_(T) FAST__(T)\n"
        "__kernel void k(__global T *o, __global T *a, __global T *b, __global T *c) {\n"
        "    o += get_global_id(0) * 16; T inf = INFINITY;\n"
        "    o[0] = length((T4)(1, -inf, 3, 4)); o[1] = length((T4)(0)); \n"
        "    o[2] = normalize((T2)(NAN, 1)).y; T3 n = normalize((T3)(inf, 2, 0));\n"
        "    o[3] = n.x; o[4] = n.y; o[5] = normalize((T3)(0)).y;\n"
        "    T2 m = normalize((T2)(-inf, inf)); o[6] = m.x; o[7] = m.y;\n"
        "    o[8] = normalize((T)-3); o[9] = normalize((T)0);\n"
        "    o[10] = FAST_(T)(fast_distance((float2)(4, 5), (float2)(1, 1)), 5);\n"
        "    o[11] = FAST_(T)(fast_normalize((float2)(3, 4)).x, (T)0.6);\n"
        "    o[12] = FAST_(T)(fast_normalize((float3)(3, 4, 0)).y, (T)0.8);\n"
        "    o[13] = FAST_(T)(fast_length((float4)(0)), 0); }\n";
    each_type(*state, source, 4, moderate, check_special);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(common_functions),
        cmocka_unit_test(geometric_functions),
        cmocka_unit_test(special_vectors),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
