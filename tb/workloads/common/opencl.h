/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/opencl.h: the workloads' use of OpenCL 1.2: one device, one queue, one
 * program; every error ends the program with the call's and the error's name (and the build log);
 * every launch is timed by event profiling. */
#ifndef HEDDLE_TB_WORKLOADS_COMMON_OPENCL_H
#define HEDDLE_TB_WORKLOADS_COMMON_OPENCL_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <stddef.h>
#include <stdint.h>

struct opencl {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    unsigned launches;  /* since the last opencl_report */
    int timed;          /* event profiling works */
    cl_ulong kernel_ns; /* time of those launches */
};

/* Checks a call's status. */
#define CL(status) opencl_check((status), #status, __FILE__, __LINE__)
void opencl_check(cl_int status, const char *call, const char *file, int line);

/* "CL_INVALID_VALUE", or "an error unknown to OpenCL 1.2". */
const char *opencl_error_name(cl_int status);

/* Picks a device, says which on stdout, and builds `source` for it. device_type: "gpu", "cpu",
 * "accelerator", "any", or NULL: the first GPU of all platforms, and where there is none the first
 * device of any type. */
void opencl_open(struct opencl *cl, const char *device_type, const char *source);

/* The same for a program of `count` texts, which are compiled as one. */
void opencl_open_sources(struct opencl *cl, const char *device_type, const char *const *sources,
                         unsigned count);
void opencl_close(struct opencl *cl);

cl_kernel opencl_kernel(struct opencl *cl, const char *name);

/* A buffer of `size` bytes, filled from `data` unless that is NULL. OpenCL has no empty buffers:
 * size 0 makes a word. */
cl_mem opencl_buffer(struct opencl *cl, cl_mem_flags flags, size_t size, const void *data);

/* Fills a buffer with 0xff bytes, NaN as floats and -1 as integers, so that what a kernel fails to
 * write is seen. */
void opencl_poison(struct opencl *cl, cl_mem buffer, size_t size);

void opencl_write(struct opencl *cl, cl_mem buffer, size_t size, const void *data);
void opencl_read(struct opencl *cl, cl_mem buffer, size_t size, void *data);

#define COUNT_OF(array) ((cl_uint)(sizeof(array) / sizeof *(array)))

/* Sets a kernel's argument to a variable. */
#define OPENCL_ARGUMENT(kernel, index, variable)                                                   \
    CL(clSetKernelArg((kernel), (index), sizeof(variable), &(variable)))

/* Makes `buffers` the kernel's first arguments. */
void opencl_arguments(cl_kernel kernel, const cl_mem *buffers, cl_uint count);

/* Releases them. */
void opencl_release(const cl_mem *buffers, cl_uint count);

/* Runs a kernel over work[d] work-items in dimension d, rounded up to whole groups of group[d], and
 * waits for it. */
void opencl_launch(struct opencl *cl, cl_kernel kernel, cl_uint dimensions, const size_t *work,
                   const size_t *group);

/* Launches a kernel `steps` times, from buffers[0] to buffers[1], then back, and so on: they are
 * its first two arguments. Returns the buffer written last. */
cl_mem opencl_alternate(struct opencl *cl, cl_kernel kernel, const cl_mem buffers[2], int64_t steps,
                        cl_uint dimensions, const size_t *work, const size_t *group);

/* Prints the launches since the last report and their time. */
void opencl_report(struct opencl *cl, unsigned long run, unsigned long runs);

#endif
