/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/foreign_test.c: a PTX file of another compiler's style, from the file system through
 * the OpenCL loader. */
#include "tests/tb/ocl/ocl_support.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT  1000
#define PADDED 1024

static cl_program from_file(const struct ocl *ocl, const char *path)
{
    static unsigned char text[16384];
    const unsigned char *binary = text;
    cl_int status, error;
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    size_t size = fread(text, 1, sizeof text, f);
    fclose(f);
    assert_true(size > 0 && size < sizeof text);
    cl_program program =
        clCreateProgramWithBinary(ocl->context, 1, &ocl->device, &size, &binary, &status, &error);
    assert_success(error);
    assert_success(status);
    if (clBuildProgram(program, 0, NULL, "", NULL, NULL) != CL_SUCCESS)
        fail_msg("%s", ocl_log(ocl, program));
    return program;
}

static void guards_on_any_instruction(void **state)
{
    const struct ocl *ocl = *state;
    cl_uint in[PADDED], out[PADDED];
    cl_int error, count = COUNT;
    for (cl_uint i = 0; i < PADDED; i++)
        in[i] = i * 2654435761u >> 25; /* 0 to 127 */
    cl_program program = from_file(ocl, "tests/tb/ocl/guards.ptx");
    cl_kernel kernel = clCreateKernel(program, "_Z6guardsPKjPji", &error);
    assert_success(error);
    cl_mem from = ocl_buffer(ocl, sizeof in, in), to = ocl_buffer(ocl, sizeof out, NULL);
    assert_arg(kernel, 0, from);
    assert_arg(kernel, 1, to);
    assert_arg(kernel, 2, count);
    ocl_run(ocl, kernel, PADDED, 64);
    ocl_read(ocl, to, sizeof out, out);
    for (cl_uint i = 0; i < PADDED; i++) {
        cl_uint expected = (i % 2 ? 3 * in[i] + 1 : in[i] / 2) + (in[i] > 50 ? 7 : 0);
        assert_int_equal(out[i], i < COUNT ? expected : 0xa5a5a5a5u);
    }
    assert_success(clReleaseMemObject(from));
    assert_success(clReleaseMemObject(to));
    assert_success(clReleaseKernel(kernel));
    assert_success(clReleaseProgram(program));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(guards_on_any_instruction)};
    return cmocka_run_group_tests_name("tb/ocl/foreign", tests, ocl_setup, ocl_teardown);
}
