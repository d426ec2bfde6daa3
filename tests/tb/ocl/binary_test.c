/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/binary_test.c: programs from binaries, which are PTX: the driver's own and others'.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tb/ocl/ocl_support.h"

static unsigned char *binary_of(cl_program program, size_t *bytes)
{
    assert_success(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *bytes, bytes, NULL));
    unsigned char *binary = malloc(*bytes + 1);
    assert_non_null(binary);
    binary[*bytes] = 0;
    assert_success(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    return binary;
}

static cl_program from_binary(const struct ocl *ocl, const void *binary, size_t bytes)
{
    const unsigned char *pointer = binary;
    cl_int status, error;
    cl_program program =
        clCreateProgramWithBinary(ocl->context, 1, &ocl->device, &bytes, &pointer, &status, &error);
    assert_success(error);
    assert_success(status);
    return program;
}

static cl_program_binary_type type_of(const struct ocl *ocl, cl_program program)
{
    cl_program_binary_type type;
    assert_success(clGetProgramBuildInfo(program, ocl->device, CL_PROGRAM_BINARY_TYPE, sizeof type,
                                         &type, NULL));
    return type;
}

/* The binary is PTX and makes the same program, with its required work group sizes. It is an executable before it is
 * built, and stays one. */
static void a_binary_makes_the_program_again(void **state)
{
    static const char source[] =
        "__constant int table[] = {4, 5, 6};\n"
        "__kernel void k(__global int *o) { o[0] = table[get_local_id(0)] * 11; }\n"
        "__kernel __attribute__((reqd_work_group_size(8, 4, 2))) void r(__global int *o) {}\n"
        "__kernel __attribute__((reqd_work_group_size(3, 1, 1))) void rr() {}\n";
    const struct ocl *ocl = *state;
    cl_program program;
    size_t bytes = 1, size[3];
    cl_int error;
    char attributes[64];
    assert_success(ocl_build(ocl, source, "", &program));
    unsigned char *binary = binary_of(program, &bytes);
    assert_non_null(strstr((char *)binary, ".version"));
    cl_program again = from_binary(ocl, binary, bytes);
    assert_success(clReleaseProgram(program));
    assert_null(clCreateKernel(again, "k", &error));
    assert_int_equal(error, CL_INVALID_PROGRAM_EXECUTABLE);
    assert_int_equal(type_of(ocl, again), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    assert_success(clBuildProgram(again, 0, NULL, "", NULL, NULL));
    assert_int_equal(type_of(ocl, again), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    assert_int_equal(ocl_result(ocl, again), 44);
    cl_kernel r = clCreateKernel(again, "r", &error);
    assert_success(clGetKernelWorkGroupInfo(r, NULL, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof size,
                                            size, NULL));
    assert_true(size[0] == 8 && size[1] == 4 && size[2] == 2);
    assert_success(clGetKernelInfo(r, CL_KERNEL_ATTRIBUTES, sizeof attributes, attributes, NULL));
    assert_string_equal(attributes, "reqd_work_group_size(8,4,2)");
    assert_success(clReleaseKernel(r));
    assert_success(clReleaseProgram(again));
    free(binary);
}

static void a_damaged_binary_is_refused_with_its_line(void **state)
{
    const struct ocl *ocl = *state;
    cl_program program;
    size_t bytes;
    assert_success(ocl_build(ocl, "__kernel void k(__global int *o) { o[0] = 1; }", "", &program));
    unsigned char *binary = binary_of(program, &bytes);
    char *store = strstr((char *)binary, "st.global");
    assert_non_null(store);
    memcpy(store, "zz", 2);
    cl_program bad = from_binary(ocl, binary, bytes);
    assert_int_equal(clBuildProgram(bad, 0, NULL, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    int line = 1;
    for (const char *c = (char *)binary; c < store; c++)
        line += *c == '\n';
    char expected[64];
    snprintf(expected, sizeof expected, ".ptx:%d: ", line);
    if (!strstr(ocl_log(ocl, bad), expected))
        fail_msg("expected %s in: %s", expected, ocl_log(ocl, bad));
    assert_success(clReleaseProgram(bad));
    assert_success(clReleaseProgram(program));
    free(binary);
}

/* CUDA's PTX tells no pointers from numbers, and has dynamic shared memory without a parameter. */
static void ptx_of_cuda_runs(void **state)
{
    static const char ptx[] =
        ".version 6.0\n.target sm_70\n.address_size 64\n"
        ".extern .shared .align 16 .b8 room[];\n"
        ".visible .entry k(.param .u64 k_0, .param .u64 k_1) {\n"
        ".reg .b32 %r<4>; .reg .b64 %rd<8>;\n"
        "ld.param.u64 %rd1, [k_0]; ld.param.u64 %rd2, [k_1];\n"
        "cvta.to.global.u64 %rd3, %rd1;\n"
        "mov.u32 %r1, %tid.x; mul.wide.u32 %rd4, %r1, 4; mov.u64 %rd5, room;\n"
        "add.s64 %rd6, %rd5, %rd4; cvt.u32.u64 %r2, %rd2; add.s32 %r2, %r2, %r1;\n"
        "st.shared.u32 [%rd6], %r2; bar.sync 0;\n"
        "xor.b32 %r1, %r1, 31; mul.wide.u32 %rd4, %r1, 4; add.s64 %rd6, %rd5, %rd4;\n"
        "ld.shared.u32 %r3, [%rd6]; xor.b32 %r1, %r1, 31; mul.wide.u32 %rd4, %r1, 4;\n"
        "add.s64 %rd7, %rd3, %rd4; st.global.u32 [%rd7], %r3; ret;\n}\n";
    const struct ocl *ocl = *state;
    const cl_ulong addend = 5000;
    cl_int error, seen[32];
    cl_uint count;
    cl_program program = from_binary(ocl, ptx, sizeof ptx); /* with its 0, as nvcc's ends */
    if (clBuildProgram(program, 0, NULL, "", NULL, NULL) != CL_SUCCESS)
        fail_msg("%s", ocl_log(ocl, program));
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    cl_mem out = ocl_buffer(ocl, sizeof seen, NULL);
    assert_success(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
    assert_int_equal(count, 3);
    assert_arg(kernel, 0, out);
    assert_arg(kernel, 1, addend);
    assert_success(clSetKernelArg(kernel, 2, 32 * sizeof(cl_int), NULL));
    ocl_run(ocl, kernel, 32, 32);
    ocl_read(ocl, out, sizeof seen, seen);
    for (int i = 0; i < 32; i++)
        assert_int_equal(seen[i], 5000 + 31 - i);
    assert_success(clReleaseMemObject(out));
    assert_success(clReleaseKernel(kernel));
    assert_success(clReleaseProgram(program));
}

/* A kernel that the machine cannot run is left out, and the others run. */
static void a_kernel_that_cannot_run_is_left_out(void **state)
{
    static const char ptx[] = ".version 6.0\n.target sm_70\n.address_size 64\n"
                              ".entry bad() {\nfrob; }\n"
                              ".entry k(.param .u64 .ptr .global o) { .reg .b64 %d;\n"
                              "ld.param.u64 %d, [o]; st.global.u32 [%d], 11; }\n";
    const struct ocl *ocl = *state;
    cl_program program = from_binary(ocl, ptx, strlen(ptx));
    cl_kernel kernels[2];
    cl_uint count = 0;
    cl_int error;
    assert_success(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    assert_non_null(strstr(ocl_log(ocl, program), "kernel 'bad' is left out: "));
    assert_non_null(strstr(ocl_log(ocl, program), ":5: opcode 'frob' is not supported"));
    assert_null(clCreateKernel(program, "bad", &error));
    assert_int_equal(error, CL_INVALID_KERNEL_DEFINITION);
    assert_success(clCreateKernelsInProgram(program, 0, NULL, &count));
    assert_int_equal(count, 1);
    assert_int_equal(clCreateKernelsInProgram(program, 0, kernels, NULL), CL_INVALID_VALUE);
    assert_success(clCreateKernelsInProgram(program, 1, kernels, NULL));
    assert_success(clReleaseKernel(kernels[0]));
    assert_int_equal(ocl_result(ocl, program), 11);
    assert_success(clReleaseProgram(program));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_binary_makes_the_program_again),
        cmocka_unit_test(a_damaged_binary_is_refused_with_its_line),
        cmocka_unit_test(ptx_of_cuda_runs),
        cmocka_unit_test(a_kernel_that_cannot_run_is_left_out),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
