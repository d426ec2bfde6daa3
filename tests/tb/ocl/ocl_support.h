/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/ocl_support.h: the driver as a program sees it: through the system's loader. */
#ifndef HEDDLE_TESTS_TB_OCL_SUPPORT_H
#define HEDDLE_TESTS_TB_OCL_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

/* The platform, its device, a context and a profiling queue. */
struct ocl {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
};

/* Points the loader at the library of this build. To be called before any OpenCL call. */
void ocl_use_build(void);

/* cmocka setup and teardown of a group: *state is the struct ocl. */
int ocl_setup(void **state);
int ocl_teardown(void **state);

#define assert_success(call) assert_int_equal((call), CL_SUCCESS)

/* A program of this source; an object compiled from it; what becomes of one object, or of two, when they are linked; and the same
 * program, from its binary. What fails fails the test with its log. */
cl_program ocl_source(const struct ocl *, const char *text);
cl_program ocl_object(const struct ocl *, const char *text, const char *options);
cl_program ocl_linked(const struct ocl *, const char *options, cl_program, cl_program);
cl_program ocl_again(const struct ocl *, cl_program);

/* A program built from source; a failing build fails the test with its log. */
cl_program ocl_program(const struct ocl *, const char *source, const char *options);

/* Makes and builds a program; returns clBuildProgram's error. */
cl_int ocl_build(const struct ocl *, const char *source, const char *options, cl_program *);

/* Runs the program's kernel k(__global int *out), of one work-item, and returns out[0]. */
cl_int ocl_result(const struct ocl *, cl_program);

/* The build log, in a static buffer. */
const char *ocl_log(const struct ocl *, cl_program);

/* A kernel of a program built from source; the program lives as long as the kernel. */
cl_kernel ocl_kernel(const struct ocl *, const char *source, const char *name);

/* A buffer that holds `size` bytes of `data`, or 0xa5 bytes where data is NULL. */
cl_mem ocl_buffer(const struct ocl *, size_t size, const void *data);
void ocl_read(const struct ocl *, cl_mem, size_t size, void *data);

/* Sets an argument to the value of a variable. */
#define assert_arg(kernel, index, variable)                                                        \
    assert_success(clSetKernelArg((kernel), (index), sizeof(variable), &(variable)))

/* Runs a kernel in one dimension and waits. local 0: the driver chooses. */
void ocl_run(const struct ocl *, cl_kernel, size_t global, size_t local);

#endif
