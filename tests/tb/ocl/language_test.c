/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/language_test.c: what OpenCL C says of the device and of a kernel: macros that are there before a program
 * begins, attributes of kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tb/ocl/ocl_support.h"

/* Section 6.10. */
static void macros_are_predefined(void **state)
{
    static const struct {
        const char *expression, *options;
        cl_int value;
    } cases[] = {
        {"__OPENCL_VERSION__", "", 120},
        {"__OPENCL_C_VERSION__", "-cl-std=CL1.1", 110},
        {"__OPENCL_C_VERSION__", "", 120},
        {"CL_VERSION_1_0", "", 100},
        {"CL_VERSION_1_1", "", 110},
        {"CL_VERSION_1_2", "", 120},
        {"__ENDIAN_LITTLE__", "", 1},
        {"__IMAGE_SUPPORT__", "", 1},
        {"__FAST_RELAXED_MATH__", "-cl-fast-relaxed-math", 1},
        {"cl_khr_fp64", "", 1},
    };
    const struct ocl *ocl = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char source[256];
        snprintf(source, sizeof source,
                 "#ifndef %s\n#error missing\n#endif\n"
                 "__kernel void k(__global int *o) { o[0] = %s; }\n",
                 cases[i].expression, cases[i].expression);
        cl_program program = ocl_program(ocl, source, cases[i].options);
        assert_int_equal(ocl_result(ocl, program), cases[i].value);
        assert_success(clReleaseProgram(program));
    }
}

/* A kernel's attributes, also of a program that is made again of its binary. */
static void expect_attributes(cl_program program, const char *name, const char *expected)
{
    char text[256];
    size_t bytes;
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    assert_success(error);
    assert_success(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof text, text, &bytes));
    assert_string_equal(text, expected);
    assert_int_equal(bytes, strlen(expected) + 1);
    assert_success(clReleaseKernel(kernel));
}

static void attributes_are_told(void **state)
{
    static const struct {
        const char *written, *told;
    } cases[] = {
        {"", ""},
        {"__attribute__((vec_type_hint(float4)))", "vec_type_hint(float4)"},
        {"__attribute__((vec_type_hint(uchar16)))", "vec_type_hint(uchar16)"},
        {"__attribute__((vec_type_hint(char)))", "vec_type_hint(char)"},
        {"__attribute__((vec_type_hint(short8)))", "vec_type_hint(short8)"},
        {"__attribute__((vec_type_hint(ushort3)))", "vec_type_hint(ushort3)"},
        {"__attribute__((vec_type_hint(uint2)))", "vec_type_hint(uint2)"},
        {"__attribute__((vec_type_hint(int)))", "vec_type_hint(int)"},
        {"__attribute__((vec_type_hint(ulong)))", "vec_type_hint(ulong)"},
        {"__attribute__((vec_type_hint(long2)))", "vec_type_hint(long2)"},
        {"__attribute__((vec_type_hint(double)))", "vec_type_hint(double)"},
        {"__attribute__((vec_type_hint(quad)))", "vec_type_hint(uint4)"},
        {"__attribute__(( work_group_size_hint(8, 1, 1) ))", "work_group_size_hint(8,1,1)"},
        {"__attribute__((reqd_work_group_size(1,2,4)))", "reqd_work_group_size(1,2,4)"},
        {"__attribute__((reqd_work_group_size(16,2,1), vec_type_hint(int4)))\n"
         "__attribute__((work_group_size_hint(16,2,1)))",
         "vec_type_hint(int4) work_group_size_hint(16,2,1) reqd_work_group_size(16,2,1)"},
    };
    const struct ocl *ocl = *state;
    char *source = NULL, name[32];
    size_t bytes;
    FILE *out = open_memstream(&source, &bytes);
    assert_non_null(out);
    fputs("typedef uint4 quad;\n", out);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        fprintf(out, "__kernel %s void k%zu(__global int *o) { o[0] = %zu; }\n", cases[i].written,
                i, i);
    assert_int_equal(fclose(out), 0);
    cl_program program = ocl_program(ocl, source, ""), copy = ocl_again(ocl, program);
    assert_success(clBuildProgram(copy, 0, NULL, "", NULL, NULL));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(name, sizeof name, "k%zu", i);
        expect_attributes(program, name, cases[i].told);
        expect_attributes(copy, name, cases[i].told);
    }
    assert_success(clReleaseProgram(copy));
    assert_success(clReleaseProgram(program));
    free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(macros_are_predefined),
        cmocka_unit_test(attributes_are_told),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
