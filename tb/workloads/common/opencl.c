/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/opencl.c: device selection, error checks, buffers and timed launches. */
#include "tb/workloads/common/opencl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/fail.h"

#define MOST_DIMENSIONS 3

const char *opencl_error_name(cl_int status)
{
    switch (status) {
#define ERROR(code)                                                                                \
    case code:                                                                                     \
        return #code;
#include "tb/workloads/common/opencl_errors.def"
#undef ERROR
    case -1001: /* of the loader (cl_khr_icd), not in cl.h */ return "CL_PLATFORM_NOT_FOUND_KHR";
    default: return "an error unknown to OpenCL 1.2";
    }
}

void opencl_check(cl_int status, const char *call, const char *file, int line)
{
    if (status == CL_SUCCESS)
        return;
    fail_with(EXIT_DEVICE, "%.*s failed: %s (%d) at %s:%d", (int)strcspn(call, "("), call,
              opencl_error_name(status), status, file, line);
}

static cl_device_type parse_type(const char *name)
{
    static const struct {
        const char *name;
        cl_device_type type;
    } types[] = {{"gpu", CL_DEVICE_TYPE_GPU},
                 {"cpu", CL_DEVICE_TYPE_CPU},
                 {"accelerator", CL_DEVICE_TYPE_ACCELERATOR},
                 {"any", CL_DEVICE_TYPE_ALL}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(name, types[i].name) == 0)
            return types[i].type;
    fail_with(EXIT_USAGE, "--device-type=%s: expected gpu, cpu, accelerator or any", name);
}

/* The first device of the type, platform by platform, or NULL. */
static cl_device_id find_device(const cl_platform_id *platforms, cl_uint num_platforms,
                                cl_device_type type)
{
    for (cl_uint i = 0; i < num_platforms; i++) {
        cl_device_id device;
        cl_int status = clGetDeviceIDs(platforms[i], type, 1, &device, NULL);
        if (status == CL_SUCCESS)
            return device;
        if (status != CL_DEVICE_NOT_FOUND)
            CL(status);
    }
    return NULL;
}

static cl_device_id pick_device(const char *device_type)
{
    cl_uint num_platforms = 0;
    cl_device_type type = device_type != NULL ? parse_type(device_type) : CL_DEVICE_TYPE_GPU;
    CL(clGetPlatformIDs(0, NULL, &num_platforms));
    cl_platform_id *platforms = allocate(num_platforms, sizeof *platforms);
    CL(clGetPlatformIDs(num_platforms, platforms, NULL));
    cl_device_id device = find_device(platforms, num_platforms, type);
    if (device == NULL && device_type == NULL)
        device = find_device(platforms, num_platforms, CL_DEVICE_TYPE_ALL);
    free(platforms);
    if (device == NULL)
        fail_with(EXIT_DEVICE, "no OpenCL device of type %s on %u platforms",
                  device_type != NULL ? device_type : "any", num_platforms);
    return device;
}

static void print_device(cl_device_id device)
{
    char name[256], version[256];
    CL(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL));
    CL(clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL));
    printf("device: %s, %s\n", name, version);
}

static void build(struct opencl *cl, const char *const *sources, cl_uint count)
{
    cl_int status;
    size_t size = 0;
    cl->program =
        clCreateProgramWithSource(cl->context, count, (const char **)sources, NULL, &status);
    opencl_check(status, "clCreateProgramWithSource", __FILE__, __LINE__);
    status = clBuildProgram(cl->program, 1, &cl->device, "", NULL, NULL);
    if (status == CL_SUCCESS)
        return;
    CL(clGetProgramBuildInfo(cl->program, cl->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size));
    char *log = allocate(size + 1, 1);
    CL(clGetProgramBuildInfo(cl->program, cl->device, CL_PROGRAM_BUILD_LOG, size, log, NULL));
    fail_with(EXIT_DEVICE, "clBuildProgram failed: %s\n%s", opencl_error_name(status), log);
}

void opencl_open_sources(struct opencl *cl, const char *device_type, const char *const *sources,
                         unsigned count)
{
    cl_int status;
    cl_command_queue_properties properties = 0;
    *cl = (struct opencl){.device = pick_device(device_type)};
    print_device(cl->device);
    CL(clGetDeviceInfo(cl->device, CL_DEVICE_QUEUE_PROPERTIES, sizeof properties, &properties,
                       NULL));
    properties &= CL_QUEUE_PROFILING_ENABLE;
    cl->timed = properties != 0;
    cl->context = clCreateContext(NULL, 1, &cl->device, NULL, NULL, &status);
    opencl_check(status, "clCreateContext", __FILE__, __LINE__);
    cl->queue = clCreateCommandQueue(cl->context, cl->device, properties, &status);
    opencl_check(status, "clCreateCommandQueue", __FILE__, __LINE__);
    build(cl, sources, count);
}

void opencl_open(struct opencl *cl, const char *device_type, const char *source)
{
    opencl_open_sources(cl, device_type, &source, 1);
}

void opencl_close(struct opencl *cl)
{
    CL(clReleaseProgram(cl->program));
    CL(clReleaseCommandQueue(cl->queue));
    CL(clReleaseContext(cl->context));
}

cl_kernel opencl_kernel(struct opencl *cl, const char *name)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(cl->program, name, &status);
    opencl_check(status, "clCreateKernel", __FILE__, __LINE__);
    return kernel;
}

cl_mem opencl_buffer(struct opencl *cl, cl_mem_flags flags, size_t size, const void *data)
{
    cl_int status;
    if (size == 0) {
        size = sizeof(cl_uint);
        data = NULL;
    }
    cl_mem buffer = clCreateBuffer(cl->context, flags | (data != NULL ? CL_MEM_COPY_HOST_PTR : 0),
                                   size, (void *)data, &status);
    opencl_check(status, "clCreateBuffer", __FILE__, __LINE__);
    return buffer;
}

void opencl_poison(struct opencl *cl, cl_mem buffer, size_t size)
{
    const cl_uchar byte = 0xff;
    CL(clEnqueueFillBuffer(cl->queue, buffer, &byte, sizeof byte, 0, size, 0, NULL, NULL));
}

void opencl_write(struct opencl *cl, cl_mem buffer, size_t size, const void *data)
{
    CL(clEnqueueWriteBuffer(cl->queue, buffer, CL_TRUE, 0, size, data, 0, NULL, NULL));
}

void opencl_read(struct opencl *cl, cl_mem buffer, size_t size, void *data)
{
    CL(clEnqueueReadBuffer(cl->queue, buffer, CL_TRUE, 0, size, data, 0, NULL, NULL));
}

void opencl_arguments(cl_kernel kernel, const cl_mem *buffers, cl_uint count)
{
    for (cl_uint i = 0; i < count; i++)
        OPENCL_ARGUMENT(kernel, i, buffers[i]);
}

void opencl_release(const cl_mem *buffers, cl_uint count)
{
    for (cl_uint i = 0; i < count; i++)
        CL(clReleaseMemObject(buffers[i]));
}

static void add_time(struct opencl *cl, cl_event event)
{
    cl_ulong start, end;
    cl_int status =
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    if (status == CL_PROFILING_INFO_NOT_AVAILABLE) {
        cl->timed = 0;
        return;
    }
    opencl_check(status, "clGetEventProfilingInfo", __FILE__, __LINE__);
    CL(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    cl->kernel_ns += end - start;
}

void opencl_launch(struct opencl *cl, cl_kernel kernel, cl_uint dimensions, const size_t *work,
                   const size_t *group)
{
    cl_event event;
    size_t padded[MOST_DIMENSIONS];
    for (cl_uint d = 0; d < dimensions; d++)
        padded[d] = (work[d] + group[d] - 1) / group[d] * group[d];
    CL(clEnqueueNDRangeKernel(cl->queue, kernel, dimensions, NULL, padded, group, 0, NULL, &event));
    CL(clWaitForEvents(1, &event));
    cl->launches++;
    if (cl->timed)
        add_time(cl, event);
    CL(clReleaseEvent(event));
}

cl_mem opencl_alternate(struct opencl *cl, cl_kernel kernel, const cl_mem buffers[2], int64_t steps,
                        cl_uint dimensions, const size_t *work, const size_t *group)
{
    for (int64_t i = 0; i < steps; i++) {
        OPENCL_ARGUMENT(kernel, 0, buffers[i % 2]);
        OPENCL_ARGUMENT(kernel, 1, buffers[(i + 1) % 2]);
        opencl_launch(cl, kernel, dimensions, work, group);
    }
    return buffers[steps % 2];
}

void opencl_report(struct opencl *cl, unsigned long run, unsigned long runs)
{
    printf("run %lu of %lu: %u launches", run, runs, cl->launches);
    if (cl->timed)
        printf(", kernel time %" PRIu64 " ns", (uint64_t)cl->kernel_ns);
    else
        printf(", no event profiling");
    putchar('\n');
    cl->launches = 0;
    cl->kernel_ns = 0;
}
