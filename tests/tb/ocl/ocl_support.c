/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/ocl_support.c: see ocl_support.h. */
#include "tests/tb/ocl/ocl_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ocl_use_build(void)
{
    const char *build = getenv("HEDDLE_BUILD");
    char path[4096];
    assert_non_null(build);
    assert_true(snprintf(path, sizeof path, "%s/libheddle.so", build) < (int)sizeof path);
    setenv("OCL_ICD_VENDORS", path, 1);
}

int ocl_setup(void **state)
{
    static struct ocl ocl;
    cl_uint count;
    cl_int error;
    ocl_use_build();
    assert_success(clGetPlatformIDs(1, &ocl.platform, &count));
    assert_int_equal(count, 1);
    assert_success(clGetDeviceIDs(ocl.platform, CL_DEVICE_TYPE_ALL, 1, &ocl.device, &count));
    assert_int_equal(count, 1);
    ocl.context = clCreateContext(NULL, 1, &ocl.device, NULL, NULL, &error);
    assert_success(error);
    ocl.queue = clCreateCommandQueue(ocl.context, ocl.device, CL_QUEUE_PROFILING_ENABLE, &error);
    assert_success(error);
    *state = &ocl;
    return 0;
}

int ocl_teardown(void **state)
{
    struct ocl *ocl = *state;
    assert_success(clReleaseCommandQueue(ocl->queue));
    assert_success(clReleaseContext(ocl->context));
    return 0;
}

const char *ocl_log(const struct ocl *ocl, cl_program program)
{
    static char log[65536];
    assert_success(
        clGetProgramBuildInfo(program, ocl->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    return log;
}

cl_program ocl_source(const struct ocl *ocl, const char *text)
{
    cl_int error;
    cl_program program = clCreateProgramWithSource(ocl->context, 1, &text, NULL, &error);
    assert_success(error);
    return program;
}

cl_program ocl_object(const struct ocl *ocl, const char *text, const char *options)
{
    cl_program program = ocl_source(ocl, text);
    if (clCompileProgram(program, 0, NULL, options, 0, NULL, NULL, NULL, NULL) != CL_SUCCESS)
        fail_msg("%s", ocl_log(ocl, program));
    return program;
}

cl_program ocl_linked(const struct ocl *ocl, const char *options, cl_program a, cl_program b)
{
    const cl_program programs[] = {a, b};
    cl_int error;
    cl_program program =
        clLinkProgram(ocl->context, 0, NULL, options, b ? 2 : 1, programs, NULL, NULL, &error);
    if (error != CL_SUCCESS)
        fail_msg("%s", program ? ocl_log(ocl, program) : "no program");
    return program;
}

cl_program ocl_again(const struct ocl *ocl, cl_program program)
{
    size_t length;
    cl_int error;
    assert_success(
        clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof length, &length, NULL));
    unsigned char *bytes = malloc(length);
    assert_non_null(bytes);
    assert_success(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    cl_program copy = clCreateProgramWithBinary(ocl->context, 1, &ocl->device, &length,
                                                (const unsigned char **)&bytes, NULL, &error);
    assert_success(error);
    free(bytes);
    return copy;
}

cl_program ocl_program(const struct ocl *ocl, const char *source, const char *options)
{
    cl_program program = ocl_source(ocl, source);
    if (clBuildProgram(program, 1, &ocl->device, options, NULL, NULL) != CL_SUCCESS)
        fail_msg("%s", ocl_log(ocl, program));
    return program;
}

cl_kernel ocl_kernel(const struct ocl *ocl, const char *source, const char *name)
{
    cl_int error;
    cl_program program = ocl_program(ocl, source, "");
    cl_kernel kernel = clCreateKernel(program, name, &error);
    assert_success(error);
    assert_success(clReleaseProgram(program));
    return kernel;
}

cl_mem ocl_buffer(const struct ocl *ocl, size_t size, const void *data)
{
    const cl_uchar poison = 0xa5;
    cl_int error;
    cl_mem memory =
        clCreateBuffer(ocl->context, CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0), size,
                       (void *)data, &error);
    assert_success(error);
    if (!data)
        assert_success(clEnqueueFillBuffer(ocl->queue, memory, &poison, 1, 0, size, 0, NULL, NULL));
    return memory;
}

void ocl_read(const struct ocl *ocl, cl_mem memory, size_t size, void *data)
{
    assert_success(clEnqueueReadBuffer(ocl->queue, memory, CL_TRUE, 0, size, data, 0, NULL, NULL));
}

void ocl_run(const struct ocl *ocl, cl_kernel kernel, size_t global, size_t local)
{
    assert_success(clEnqueueNDRangeKernel(ocl->queue, kernel, 1, NULL, &global,
                                          local ? &local : NULL, 0, NULL, NULL));
    assert_success(clFinish(ocl->queue));
}

cl_int ocl_result(const struct ocl *ocl, cl_program program)
{
    cl_int error, value = -1;
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    assert_success(error);
    cl_mem out = ocl_buffer(ocl, sizeof value, NULL);
    assert_arg(kernel, 0, out);
    ocl_run(ocl, kernel, 1, 1);
    ocl_read(ocl, out, sizeof value, &value);
    assert_success(clReleaseMemObject(out));
    assert_success(clReleaseKernel(kernel));
    return value;
}

cl_int ocl_build(const struct ocl *ocl, const char *source, const char *options,
                 cl_program *program)
{
    cl_int error;
    *program = clCreateProgramWithSource(ocl->context, 1, &source, NULL, &error);
    assert_success(error);
    return clBuildProgram(*program, 0, NULL, options, NULL, NULL);
}
