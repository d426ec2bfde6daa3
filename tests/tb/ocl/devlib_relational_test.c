/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/devlib_relational_test.c: comparisons and tests of floating-point numbers, where
 * true is 1 for a scalar and -1 in a vector; and copies between the address spaces. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tb/ocl/ocl_support.h"

enum { SPECIALS = 12, PAIRS = SPECIALS * SPECIALS, TESTS = 14 };

/* Name, arguments in OpenCL C, and the expectation in C. */
#define RELATIONS(X)                                                                               \
    X(isequal, "a, b", a == b)                                                                     \
    X(isnotequal, "a, b", a != b)                                                                  \
    X(isgreater, "a, b", a > b)                                                                    \
    X(isgreaterequal, "a, b", a >= b)                                                              \
    X(isless, "a, b", a < b)                                                                       \
    X(islessequal, "a, b", a <= b)                                                                 \
    X(islessgreater, "a, b", a<b || a> b)                                                          \
    X(isordered, "a, b", a == a && b == b)                                                         \
    X(isunordered, "a, b", a != a || b != b)                                                       \
    X(isfinite, "a", isfinite(a))                                                                  \
    X(isinf, "a", isinf(a))                                                                        \
    X(isnan, "a", a != a)                                                                          \
    X(isnormal, "a", is_double ? isnormal(a) : isnormal((float)a))                                 \
    X(signbit, "a", signbit(a))

static const char *const calls[TESTS][2] = {
#define X(name, arguments, value) {#name, arguments},
    RELATIONS(X)
#undef X
};

static void expect_relations(double a, double b, int is_double, int expected[TESTS])
{
    int n = 0;
#define X(name, arguments, value) expected[n++] = (value) != 0;
    RELATIONS(X)
#undef X
}

/* Kernels of scalars and of vectors: n results for each of the pairs. */
static char *relations_source(void)
{
    char *source = NULL;
    size_t bytes;
    FILE *out = open_memstream(&source, &bytes);
    assert_non_null(out);
    for (int vector = 0; vector < 2; vector++) {
        fprintf(out, "__kernel void %s(__global long *o, __global double *p) {\n",
                vector ? "vectors" : "scalars");
        fprintf(out, "size_t i = get_global_id(0); T x = p[2 * i], y = p[2 * i + 1];\n");
        fprintf(out, vector ? "T3 a = (T3)(1, x, 1), b = (T3)(1, y, 1);\n" : "T a = x, b = y;\n");
        for (int t = 0; t < TESTS; t++)
            fprintf(out, "o[%d * i + %d] = %s(%s)%s;\n", TESTS, t, calls[t][0], calls[t][1],
                    vector ? ".y" : "");
        fprintf(out, "}\n");
    }
    assert_int_equal(fclose(out), 0);
    return source;
}

static void relations_are_those_of_c(void **state)
{
    static const double specials[SPECIALS] = {
        0.0, -0.0, 1, -1, 2.5, -2.5, INFINITY, -INFINITY, NAN, 0x1p-140, 0x1p-126, -0x1p-127};
    static cl_long seen[PAIRS][TESTS];
    const struct ocl *ocl = *state;
    double pairs[PAIRS][2];
    char *source = relations_source();
    for (int i = 0; i < PAIRS; i++) {
        pairs[i][0] = specials[i % SPECIALS];
        pairs[i][1] = specials[i / SPECIALS];
    }
    cl_mem out = ocl_buffer(ocl, sizeof seen, NULL), in = ocl_buffer(ocl, sizeof pairs, pairs);
    for (int n = 0; n < 4; n++) {
        const int is_double = n / 2, vector = n % 2;
        cl_int error;
        cl_program program = ocl_program(
            ocl, source, is_double ? "-DT=double -DT3=double3" : "-DT=float -DT3=float3");
        cl_kernel kernel = clCreateKernel(program, vector ? "vectors" : "scalars", &error);
        assert_arg(kernel, 0, out);
        assert_arg(kernel, 1, in);
        ocl_run(ocl, kernel, PAIRS, 0);
        ocl_read(ocl, out, sizeof seen, seen);
        for (int i = 0; i < PAIRS; i++) {
            int expected[TESTS];
            expect_relations(pairs[i][0], pairs[i][1], is_double, expected);
            for (int t = 0; t < TESTS; t++)
                if (seen[i][t] != (vector ? -expected[t] : expected[t]))
                    fail_msg("%s(%a, %a) of %s %s is %ld", calls[t][0], pairs[i][0], pairs[i][1],
                             is_double ? "double" : "float", vector ? "vectors" : "scalars",
                             (long)seen[i][t]);
        }
        assert_success(clReleaseKernel(kernel));
        assert_success(clReleaseProgram(program));
    }
    assert_success(clReleaseMemObject(out));
    assert_success(clReleaseMemObject(in));
    free(source);
}

/* Group g copies its 40 elements in, by a stride of 2, and out, turned round. */
static void copies_are_complete_after_the_wait(void **state)
{
    static const char source[] =
        "__kernel void k(__global short2 *o, __global short2 *a, __local short2 *l) {\n"
        "    size_t g = get_group_id(0), j = get_local_id(0);\n"
        "    event_t e = async_work_group_strided_copy(l, a + 80 * g, 40, 2, 0);\n"
        "    wait_group_events(1, &e);\n"
        "    if (j < 20) { short2 t = l[j]; l[j] = l[39 - j]; l[39 - j] = t; }\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    e = async_work_group_copy(o + 40 * g, l, 40, 0);\n"
        "    wait_group_events(1, &e); }\n";
    const struct ocl *ocl = *state;
    cl_short2 a[240], seen[120];
    for (int i = 0; i < 240; i++)
        a[i] = (cl_short2){{(cl_short)i, (cl_short)(-3 * i)}};
    cl_kernel kernel = ocl_kernel(ocl, source, "k");
    cl_mem out = ocl_buffer(ocl, sizeof seen, NULL), in = ocl_buffer(ocl, sizeof a, a);
    assert_arg(kernel, 0, out);
    assert_arg(kernel, 1, in);
    assert_success(clSetKernelArg(kernel, 2, 40 * sizeof(cl_short2), NULL));
    ocl_run(ocl, kernel, 3 * 33, 33);
    ocl_read(ocl, out, sizeof seen, seen);
    for (int i = 0; i < 120; i++)
        assert_memory_equal(&seen[i], &a[80 * (i / 40) + 2 * (39 - i % 40)], sizeof seen[i]);
    assert_success(clReleaseMemObject(out));
    assert_success(clReleaseMemObject(in));
    assert_success(clReleaseKernel(kernel));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relations_are_those_of_c),
        cmocka_unit_test(copies_are_complete_after_the_wait),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
