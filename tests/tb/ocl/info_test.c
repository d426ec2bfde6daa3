/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/info_test.c: what the driver tells of its objects. Numbers of the device are
 * compared with the configuration; every query of OpenCL 1.2 is asked for its size first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw.h"
#include "tb/config.h"
#include "tests/tb/ocl/ocl_support.h"

static void read_config(struct config *c)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.ini", getenv("HEDDLE_BUILD"), CONFIG_NAME);
    assert_int_equal(config_read(c, path, stderr), 0);
}

static void device_numbers_come_from_the_configuration(void **state)
{
    const struct ocl *ocl = *state;
    struct config c;
    read_config(&c);
    const struct {
        cl_device_info name;
        size_t bytes;
        cl_ulong expected;
    } cases[] = {
        {CL_DEVICE_TYPE, 8, CL_DEVICE_TYPE_GPU}, /* programs compare it */
        {CL_DEVICE_MAX_COMPUTE_UNITS, 4, NUM_SMS},
        {CL_DEVICE_MAX_CLOCK_FREQUENCY, 4, (cl_ulong)c.gpu_clock_mhz},
        {CL_DEVICE_LOCAL_MEM_SIZE, 8, (cl_ulong)c.sm_shared_bytes},
        {CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 4, (cl_ulong)c.l1d_line},
        {CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 8, (cl_ulong)(c.l1d_sets * c.l1d_ways * c.l1d_line)},
        {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 4, 3},
        {CL_DEVICE_ADDRESS_BITS, 4, 64},
        {CL_DEVICE_GLOBAL_MEM_SIZE, 8, (cl_ulong)4 << 30},
        {CL_DEVICE_LOCAL_MEM_TYPE, 4, CL_LOCAL},
        {CL_DEVICE_IMAGE_SUPPORT, 4, CL_TRUE},
        {CL_DEVICE_ENDIAN_LITTLE, 4, CL_TRUE},
        {CL_DEVICE_AVAILABLE, 4, CL_TRUE},
        {CL_DEVICE_COMPILER_AVAILABLE, 4, CL_TRUE},
        {CL_DEVICE_LINKER_AVAILABLE, 4, CL_TRUE},
        {CL_DEVICE_EXECUTION_CAPABILITIES, 8, CL_EXEC_KERNEL},
        {CL_DEVICE_PLATFORM, 8, (cl_ulong)(uintptr_t)ocl->platform},
        {CL_DEVICE_PARENT_DEVICE, 8, 0},
        {CL_DEVICE_REFERENCE_COUNT, 4, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cl_ulong value = 0;
        size_t bytes;
        assert_success(clGetDeviceInfo(ocl->device, cases[i].name, sizeof value, &value, &bytes));
        assert_int_equal(bytes, cases[i].bytes);
        assert_int_equal(value, cases[i].expected);
    }
    size_t group, sizes[3];
    assert_success(
        clGetDeviceInfo(ocl->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, NULL));
    assert_in_range(group, 1, c.sm_max_threads);
    assert_success(
        clGetDeviceInfo(ocl->device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL));
    for (int i = 0; i < 3; i++)
        assert_int_equal(sizes[i], group);
}

/* All enums of OpenCL 1.2 are contiguous, but for one that belongs to an extension. */
static void every_device_query_is_answered(void **state)
{
    const struct ocl *ocl = *state;
    for (cl_device_info name = CL_DEVICE_TYPE; name <= CL_DEVICE_PRINTF_BUFFER_SIZE; name++) {
        char value[4096];
        size_t bytes = 0, again = 0;
        if (name == 0x1033) /* CL_DEVICE_HALF_FP_CONFIG */
            continue;
        if (clGetDeviceInfo(ocl->device, name, 0, NULL, &bytes) != CL_SUCCESS)
            fail_msg("device info 0x%x is not answered", name);
        assert_in_range(bytes, 1, sizeof value);
        assert_success(clGetDeviceInfo(ocl->device, name, bytes, value, &again));
        assert_int_equal(bytes, again);
        assert_int_equal(clGetDeviceInfo(ocl->device, name, bytes - 1, value, NULL),
                         CL_INVALID_VALUE);
    }
}

/* Whatever mask has the device's type in it finds it. */
static void the_device_is_found_by_its_types(void **state)
{
    const struct ocl *ocl = *state;
    const cl_device_type found[] = {CL_DEVICE_TYPE_DEFAULT,
                                    CL_DEVICE_TYPE_GPU,
                                    CL_DEVICE_TYPE_ALL,
                                    CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT,
                                    CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU,
                                    CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_ACCELERATOR,
                                    CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_CUSTOM};
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
        cl_device_id device = NULL;
        cl_uint count = 0;
        assert_success(clGetDeviceIDs(ocl->platform, found[i], 1, &device, &count));
        assert_int_equal(count, 1);
        assert_ptr_equal(device, ocl->device);
    }
    assert_int_equal(clGetDeviceIDs(ocl->platform, CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_ACCELERATOR,
                                    0, NULL, &(cl_uint){0}),
                     CL_DEVICE_NOT_FOUND);
}

static void names_and_versions(void **state)
{
    const struct ocl *ocl = *state;
    char text[1024], name[1024];
    assert_success(clGetPlatformInfo(ocl->platform, CL_PLATFORM_VERSION, 1024, text, NULL));
    assert_int_equal(strncmp(text, "OpenCL 1.2 ", 11), 0);
    assert_success(clGetDeviceInfo(ocl->device, CL_DEVICE_VERSION, 1024, text, NULL));
    assert_int_equal(strncmp(text, "OpenCL 1.2 ", 11), 0);
    assert_success(clGetDeviceInfo(ocl->device, CL_DEVICE_OPENCL_C_VERSION, 1024, text, NULL));
    assert_int_equal(strncmp(text, "OpenCL C 1.2 ", 13), 0);
    assert_success(clGetDeviceInfo(ocl->device, CL_DEVICE_NAME, 1024, text, NULL));
    snprintf(name, sizeof name, "Heddle %s", CONFIG_NAME);
    assert_string_equal(text, name);
    assert_success(clGetDeviceInfo(ocl->device, CL_DEVICE_EXTENSIONS, 1024, text, NULL));
    static const char *const mandatory[] = {
        "cl_khr_global_int32_base_atomics", "cl_khr_global_int32_extended_atomics",
        "cl_khr_local_int32_base_atomics", "cl_khr_local_int32_extended_atomics",
        "cl_khr_byte_addressable_store"};
    for (int i = 0; i < 5; i++)
        assert_non_null(strstr(text, mandatory[i]));
}

static void objects_know_what_they_belong_to(void **state)
{
    const struct ocl *ocl = *state;
    const cl_context_properties list[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)ocl->platform,
                                          0};
    cl_context_properties got[3];
    cl_int error;
    cl_uint count;
    size_t bytes;
    void *handle;
    cl_command_queue_properties properties;
    char text[256];
    cl_context context = clCreateContextFromType(list, CL_DEVICE_TYPE_DEFAULT, NULL, NULL, &error);
    assert_success(error);
    assert_success(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof got, got, &bytes));
    assert_int_equal(bytes, sizeof got);
    assert_memory_equal(got, list, sizeof got);
    assert_success(clGetContextInfo(ocl->context, CL_CONTEXT_PROPERTIES, 0, NULL, &bytes));
    assert_int_equal(bytes, 0);
    assert_success(clGetContextInfo(context, CL_CONTEXT_DEVICES, 8, &handle, NULL));
    assert_ptr_equal(handle, ocl->device);
    cl_command_queue queue =
        clCreateCommandQueue(context, ocl->device, CL_QUEUE_PROFILING_ENABLE, &error);
    assert_success(clReleaseContext(context)); /* the queue keeps it */
    assert_success(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, 8, &handle, NULL));
    assert_ptr_equal(handle, context);
    assert_success(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, 8, &handle, NULL));
    assert_ptr_equal(handle, ocl->device);
    assert_success(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, 8, &properties, NULL));
    assert_int_equal(properties, CL_QUEUE_PROFILING_ENABLE);
    assert_success(clRetainCommandQueue(queue));
    assert_success(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, 4, &count, NULL));
    assert_int_equal(count, 2);
    assert_success(clReleaseCommandQueue(queue));
    assert_success(clReleaseCommandQueue(queue));

    cl_program program = ocl_program(
        ocl, "__kernel void a(int x, __global int *y) {} __kernel void b() {}", "-DX=1");
    cl_kernel kernels[2];
    assert_success(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 256, text, NULL));
    assert_string_equal(text, "a;b");
    assert_success(
        clGetProgramBuildInfo(program, ocl->device, CL_PROGRAM_BUILD_OPTIONS, 256, text, NULL));
    assert_string_equal(text, "-DX=1");
    assert_success(clCreateKernelsInProgram(program, 2, kernels, &count));
    assert_int_equal(count, 2);
    assert_success(clReleaseProgram(program)); /* the kernels keep it */
    assert_success(clGetKernelInfo(kernels[0], CL_KERNEL_NUM_ARGS, 4, &count, NULL));
    assert_int_equal(count, 2);
    assert_success(clGetKernelInfo(kernels[1], CL_KERNEL_FUNCTION_NAME, 256, text, NULL));
    assert_string_equal(text, "b");
    assert_success(clGetKernelInfo(kernels[1], CL_KERNEL_PROGRAM, 8, &handle, NULL));
    assert_ptr_equal(handle, program);
    assert_success(clGetKernelInfo(kernels[1], CL_KERNEL_CONTEXT, 8, &handle, NULL));
    assert_ptr_equal(handle, ocl->context);
    for (int i = 0; i < 2; i++)
        assert_success(clReleaseKernel(kernels[i]));
    assert_int_equal(clReleaseProgram(program), CL_INVALID_PROGRAM);
}

static void memory_and_events_know_themselves(void **state)
{
    const struct ocl *ocl = *state;
    const cl_buffer_region region = {256, 100};
    cl_int error;
    cl_uint number;
    cl_mem_flags flags;
    cl_event event;
    void *handle;
    size_t size;
    cl_mem whole = clCreateBuffer(ocl->context, CL_MEM_READ_ONLY, 1024, NULL, &error);
    cl_mem part = clCreateSubBuffer(whole, CL_MEM_HOST_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION,
                                    &region, &error);
    assert_success(clGetMemObjectInfo(part, CL_MEM_TYPE, 4, &number, NULL));
    assert_int_equal(number, CL_MEM_OBJECT_BUFFER);
    assert_success(clGetMemObjectInfo(part, CL_MEM_FLAGS, 8, &flags, NULL));
    assert_int_equal(flags, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY);
    assert_success(clGetMemObjectInfo(part, CL_MEM_SIZE, 8, &size, NULL));
    assert_int_equal(size, 100);
    assert_success(clGetMemObjectInfo(part, CL_MEM_OFFSET, 8, &size, NULL));
    assert_int_equal(size, 256);
    assert_success(clGetMemObjectInfo(part, CL_MEM_ASSOCIATED_MEMOBJECT, 8, &handle, NULL));
    assert_ptr_equal(handle, whole);
    assert_success(clEnqueueBarrierWithWaitList(ocl->queue, 0, NULL, &event));
    assert_success(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, 4, &number, NULL));
    assert_int_equal(number, CL_COMMAND_BARRIER);
    assert_success(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, 8, &handle, NULL));
    assert_ptr_equal(handle, ocl->queue);
    assert_success(clGetEventInfo(event, CL_EVENT_CONTEXT, 8, &handle, NULL));
    assert_ptr_equal(handle, ocl->context);
    assert_success(clReleaseEvent(event));
    assert_success(clReleaseMemObject(part));
    assert_success(clReleaseMemObject(whole));
}

/* What lives at once is more than any machine has registers for; `head` stands before the kernel. */
static cl_kernel kernel_of_200_values(const struct ocl *ocl, const char *head)
{
    char source[1024];
    snprintf(source, sizeof source,
             "%s __kernel void k(__global int *o) { int v[200]; int id = get_global_id(0);\n"
             "#pragma unroll\n"
             "    for (int i = 0; i < 200; i++) v[i] = o[i];\n"
             "    barrier(CLK_GLOBAL_MEM_FENCE);\n    int sum = 0;\n"
             "#pragma unroll\n"
             "    for (int i = 0; i < 200; i++) sum = sum * 3 + (v[199 - i] ^ id);\n"
             "    o[200 + id] = sum; }\n",
             head);
    return ocl_kernel(ocl, source, "k");
}

/* It computes what it should in a group of this size. */
static void runs_in(const struct ocl *ocl, cl_kernel kernel, size_t group)
{
    static int values[200 + 8192];
    assert_in_range(group, 1, 8192);
    for (int i = 0; i < 200; i++)
        values[i] = i * i + 7;
    cl_mem memory = ocl_buffer(ocl, sizeof values, values);
    assert_arg(kernel, 0, memory);
    ocl_run(ocl, kernel, group, group);
    ocl_read(ocl, memory, sizeof values, values);
    for (int id = 0; id < (int)group; id++) {
        unsigned sum = 0;
        for (int i = 0; i < 200; i++)
            sum = sum * 3 + (unsigned)(values[199 - i] ^ id);
        assert_int_equal(values[200 + id], (int)sum);
    }
    assert_success(clReleaseMemObject(memory));
}

static size_t group_of(const struct ocl *ocl, cl_kernel kernel)
{
    size_t group;
    assert_success(
        clGetKernelWorkGroupInfo(kernel, ocl->device, CL_KERNEL_WORK_GROUP_SIZE, 8, &group, NULL));
    return group;
}

/* The work group that a kernel can have follows from the registers of a thread, unless it says what
 * it wants. Larger ones run, too: their threads have fewer registers. */
static void the_kernel_says_how_large_its_group_may_be(void **state)
{
    const struct ocl *ocl = *state;
    size_t device, multiple;
    char required[64];
    struct config c;
    read_config(&c);
    cl_kernel kernel = kernel_of_200_values(ocl, "");
    assert_success(clGetDeviceInfo(ocl->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, 8, &device, NULL));
    assert_success(clGetKernelWorkGroupInfo(
        kernel, ocl->device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 8, &multiple, NULL));
    assert_int_equal(multiple, 32);
    const size_t group = group_of(ocl, kernel);
    /* registers are given out in pairs for each thread */
    const size_t fit = (size_t)(c.sm_registers / ((c.sm_thread_registers + 1) / 2 * 2)) / 32 * 32;
    assert_in_range(group, 32, device);
    if (c.sm_thread_registers < 200)
        assert_int_equal(group, fit < device ? fit : device);
    else
        assert_in_range(group, 32, device - 32);
    runs_in(ocl, kernel, group);
    runs_in(ocl, kernel, device);
    assert_success(clReleaseKernel(kernel));

    snprintf(required, sizeof required, "__attribute__((reqd_work_group_size(%zu, 1, 1)))", device);
    kernel = kernel_of_200_values(ocl, required);
    assert_int_equal(group_of(ocl, kernel), device);
    runs_in(ocl, kernel, device);
    assert_success(clReleaseKernel(kernel));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(device_numbers_come_from_the_configuration),
        cmocka_unit_test(every_device_query_is_answered),
        cmocka_unit_test(the_device_is_found_by_its_types),
        cmocka_unit_test(names_and_versions),
        cmocka_unit_test(objects_know_what_they_belong_to),
        cmocka_unit_test(memory_and_events_know_themselves),
        cmocka_unit_test(the_kernel_says_how_large_its_group_may_be),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
