/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/misuse_test.c: every wrong call gets the error that the OpenCL 1.2 standard names
 * for it. Tables of a call and its error; handles that are NULL, of another kind, or released. */
#include "tests/tb/ocl/misuse.h"

static void CL_CALLBACK unused_notify(const char *text, const void *info, size_t size, void *data)
{
    (void)text, (void)info, (void)size, (void)data;
}

static void platforms_devices_contexts(void **state)
{
    const struct ocl *ocl = *state;
    const cl_platform_id platform = ocl->platform;
    cl_device_id device, none = NULL, other = OTHER(cl_device_id);
    cl_uint count;
    cl_int status;
    char small[1];
    const cl_context_properties good[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    const cl_context_properties unknown[] = {0x7777, 1, 0};
    const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform,
                                           CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    const struct misuse cases[] = {
        CASE(CL_INVALID_VALUE, clGetPlatformInfo(platform, 0x999, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clGetPlatformInfo(platform, CL_PLATFORM_NAME, 1, small, NULL)),
        CASE(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &device, NULL)),
        CASE(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, NULL, NULL)),
        CASE(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 0, 1, &device, NULL)),
        CASE(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 1 << 9, 1, &device, NULL)),
        CASE(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL)),
        CASE(CL_DEVICE_NOT_FOUND,
             clGetDeviceIDs(platform, CL_DEVICE_TYPE_ACCELERATOR, 0, NULL, &count)),
        CASE(CL_INVALID_DEVICE, clGetDeviceInfo(NULL, CL_DEVICE_NAME, 0, NULL, NULL)),
        CASE(CL_INVALID_DEVICE, clGetDeviceInfo(other, CL_DEVICE_NAME, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clGetDeviceInfo(ocl->device, 0x999, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clGetDeviceInfo(ocl->device, CL_DEVICE_NAME, 1, small, NULL)),
        CASE(CL_INVALID_VALUE, clGetDeviceInfo(ocl->device, CL_DEVICE_TYPE, 1, small, NULL)),
        MAKE(CL_INVALID_VALUE, clCreateContext(good, 0, &ocl->device, NULL, NULL, &status)),
        MAKE(CL_INVALID_VALUE, clCreateContext(good, 1, NULL, NULL, NULL, &status)),
        MAKE(CL_INVALID_VALUE, clCreateContext(good, 1, &ocl->device, NULL, small, &status)),
        MAKE(CL_INVALID_DEVICE, clCreateContext(good, 1, &other, unused_notify, NULL, &status)),
        MAKE(CL_INVALID_DEVICE, clCreateContext(good, 1, &none, NULL, NULL, &status)),
        MAKE(CL_INVALID_PROPERTY, clCreateContext(unknown, 1, &ocl->device, NULL, NULL, &status)),
        MAKE(CL_INVALID_PROPERTY, clCreateContext(twice, 1, &ocl->device, NULL, NULL, &status)),
        MAKE(CL_DEVICE_NOT_FOUND,
             clCreateContextFromType(good, CL_DEVICE_TYPE_CPU, NULL, NULL, &status)),
        MAKE(CL_INVALID_DEVICE_TYPE, clCreateContextFromType(good, 0, NULL, NULL, &status)),
        CASE(CL_INVALID_CONTEXT, clRetainContext(NO_CONTEXT)),
        CASE(CL_INVALID_CONTEXT, clReleaseContext(NO_CONTEXT)),
        CASE(CL_INVALID_CONTEXT, clReleaseContext(NULL)),
        CASE(CL_INVALID_CONTEXT, clGetContextInfo(NO_CONTEXT, CL_CONTEXT_DEVICES, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clGetContextInfo(ocl->context, 0x999, 0, NULL, NULL)),
        MAKE(CL_INVALID_CONTEXT, clCreateCommandQueue(NO_CONTEXT, ocl->device, 0, &status)),
        MAKE(CL_INVALID_DEVICE, clCreateCommandQueue(ocl->context, other, 0, &status)),
        MAKE(CL_INVALID_DEVICE, clCreateCommandQueue(ocl->context, NULL, 0, &status)),
        MAKE(CL_INVALID_VALUE, clCreateCommandQueue(ocl->context, ocl->device, 64, &status)),
        CASE(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue(OTHER(cl_command_queue))),
        CASE(CL_INVALID_COMMAND_QUEUE, clFlush(OTHER(cl_command_queue))),
        CASE(CL_INVALID_COMMAND_QUEUE, clFinish(OTHER(cl_command_queue))),
        CASE(CL_INVALID_COMMAND_QUEUE, clFinish(NULL)),
        CASE(CL_INVALID_VALUE, clGetCommandQueueInfo(ocl->queue, 0x999, 0, NULL, NULL)),
        CASE(CL_INVALID_PLATFORM, clUnloadPlatformCompiler(OTHER(cl_platform_id))),
    };
    CHECK(cases);
}

static void programs_and_kernels(void **state)
{
    static const char source[] =
        "__kernel void k(__global int *o, __local int *l, int v, float4 f) { o[0] = v + l[0]; }\n";
    const struct ocl *ocl = *state;
    const cl_context context = ocl->context;
    const cl_device_id device = ocl->device;
    const char *text = source, *none = NULL;
    const unsigned char *junk = (const unsigned char *)"\177ELF not PTX";
    const size_t length = 12, zero = 0;
    cl_mem mem = ocl_buffer(ocl, 64, NULL), stray = OTHER(cl_mem);
    cl_int status, binary_status, v = 0;
    cl_device_id other = OTHER(cl_device_id);
    cl_program built = ocl_program(ocl, source, ""),
               unbuilt = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    cl_kernel k = clCreateKernel(built, "k", &status), few[1];
    char small[1];
    const struct misuse cases[] = {
        MAKE(CL_INVALID_CONTEXT, clCreateProgramWithSource(NO_CONTEXT, 1, &text, NULL, &status)),
        MAKE(CL_INVALID_VALUE, clCreateProgramWithSource(context, 0, &text, NULL, &status)),
        MAKE(CL_INVALID_VALUE, clCreateProgramWithSource(context, 1, NULL, NULL, &status)),
        MAKE(CL_INVALID_VALUE, clCreateProgramWithSource(context, 1, &none, NULL, &status)),
        MAKE(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 0, &device, &length, &junk,
                                                         &binary_status, &status)),
        MAKE(CL_INVALID_VALUE,
             clCreateProgramWithBinary(context, 1, &device, &zero, &junk, &binary_status, &status)),
        MAKE(CL_INVALID_VALUE,
             clCreateProgramWithBinary(context, 1, &device, NULL, &junk, &binary_status, &status)),
        MAKE(CL_INVALID_DEVICE, clCreateProgramWithBinary(context, 1, &other, &length, &junk,
                                                          &binary_status, &status)),
        MAKE(CL_INVALID_BINARY, clCreateProgramWithBinary(context, 1, &device, &length, &junk,
                                                          &binary_status, &status)),
        CASE(CL_INVALID_BINARY, binary_status),
        CASE(CL_INVALID_PROGRAM, clBuildProgram(OTHER(cl_program), 0, NULL, "", NULL, NULL)),
        CASE(CL_INVALID_VALUE, clBuildProgram(unbuilt, 1, NULL, "", NULL, NULL)),
        CASE(CL_INVALID_VALUE, clBuildProgram(unbuilt, 0, &device, "", NULL, NULL)),
        CASE(CL_INVALID_VALUE, clBuildProgram(unbuilt, 0, NULL, "", NULL, small)),
        CASE(CL_INVALID_DEVICE, clBuildProgram(unbuilt, 1, &other, "", NULL, NULL)),
        CASE(CL_INVALID_OPERATION, clBuildProgram(built, 0, NULL, "", NULL, NULL)),
        CASE(CL_INVALID_PROGRAM, clRetainProgram(OTHER(cl_program))),
        CASE(CL_INVALID_PROGRAM_EXECUTABLE,
             clGetProgramInfo(unbuilt, CL_PROGRAM_NUM_KERNELS, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clGetProgramInfo(built, 0x999, 0, NULL, NULL)),
        CASE(CL_INVALID_DEVICE,
             clGetProgramBuildInfo(built, NULL, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clGetProgramBuildInfo(built, device, 0x999, 0, NULL, NULL)),
        MAKE(CL_INVALID_PROGRAM, clCreateKernel(OTHER(cl_program), "k", &status)),
        MAKE(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(unbuilt, "k", &status)),
        MAKE(CL_INVALID_KERNEL_NAME, clCreateKernel(built, "absent", &status)),
        MAKE(CL_INVALID_VALUE, clCreateKernel(built, NULL, &status)),
        CASE(CL_INVALID_VALUE, clCreateKernelsInProgram(built, 0, few, NULL)),
        CASE(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernelsInProgram(unbuilt, 1, few, NULL)),
        CASE(CL_INVALID_KERNEL, clSetKernelArg(OTHER(cl_kernel), 0, sizeof mem, &mem)),
        CASE(CL_INVALID_ARG_INDEX, clSetKernelArg(k, 4, sizeof v, &v)),
        CASE(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 0, sizeof v, &mem)),
        CASE(CL_INVALID_MEM_OBJECT, clSetKernelArg(k, 0, sizeof stray, &stray)),
        CASE(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 1, 64, &v)),
        CASE(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 1, 0, NULL)),
        CASE(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 2, sizeof v, NULL)),
        CASE(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 2, 8, &mem)),
        CASE(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 3, 4, &v)),
        CASE(CL_INVALID_VALUE, clGetKernelInfo(k, 0x999, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clGetKernelInfo(k, CL_KERNEL_FUNCTION_NAME, 1, small, NULL)),
        CASE(CL_INVALID_DEVICE,
             clGetKernelWorkGroupInfo(k, other, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clGetKernelWorkGroupInfo(k, device, CL_KERNEL_GLOBAL_WORK_SIZE, 0, NULL, NULL)),
        CASE(CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
             clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, 0, NULL, NULL)),
        CASE(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(k, 9, CL_KERNEL_ARG_NAME, 0, NULL, NULL)),
    };
    CHECK(cases);
    assert_success(clReleaseKernel(k));
    assert_success(clReleaseProgram(built));
    assert_success(clReleaseProgram(unbuilt));
    assert_success(clReleaseMemObject(mem));
}

static void launches(void **state)
{
    static const char source[] = "__kernel void k(__global int *o, int v) { o[0] = v; }\n"
                                 "__kernel void n(__global int *o, int v) { o[0] = v; }\n";
    const struct ocl *ocl = *state;
    const cl_command_queue q = ocl->queue;
    cl_int status, v = 1;
    const size_t good[3] = {64, 64, 64}, zero[3] = {64, 0, 64}, one = 1, huge = (size_t)1 << 33,
                 three = 3, wide = 2048, offset = (size_t)-4, cube[3] = {16, 16, 8};
    cl_context context = clCreateContext(NULL, 1, &ocl->device, NULL, NULL, &status);
    cl_command_queue elsewhere = clCreateCommandQueue(context, ocl->device, 0, &status);
    cl_event foreign = clCreateUserEvent(context, &status), stray = OTHER(cl_event), event;
    cl_program program = ocl_program(ocl, source, "");
    cl_kernel k = clCreateKernel(program, "k", &status), n = clCreateKernel(program, "n", &status);
    cl_kernel other = OTHER(cl_kernel);
    cl_mem mem = ocl_buffer(ocl, 64, NULL);
    assert_arg(k, 0, mem);
    assert_arg(k, 1, v);
    assert_arg(n, 0, mem);
#define RUN(queue, kernel, ...) clEnqueueNDRangeKernel(queue, kernel, __VA_ARGS__)
    const struct misuse cases[] = {
        CASE(CL_INVALID_COMMAND_QUEUE,
             RUN(OTHER(cl_command_queue), k, 1, NULL, good, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_KERNEL, RUN(q, other, 1, NULL, good, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_KERNEL, RUN(q, NULL, 1, NULL, good, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_CONTEXT, RUN(elsewhere, k, 1, NULL, good, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_KERNEL_ARGS, RUN(q, n, 1, NULL, good, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_WORK_DIMENSION, RUN(q, k, 0, NULL, good, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_WORK_DIMENSION, RUN(q, k, 4, NULL, good, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_GLOBAL_WORK_SIZE, RUN(q, k, 1, NULL, NULL, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_GLOBAL_WORK_SIZE, RUN(q, k, 2, NULL, zero, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_GLOBAL_WORK_SIZE, RUN(q, k, 1, NULL, &huge, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_GLOBAL_OFFSET, RUN(q, k, 1, &offset, good, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_WORK_GROUP_SIZE, RUN(q, k, 1, NULL, good, &three, 0, NULL, NULL)),
        CASE(CL_INVALID_WORK_GROUP_SIZE, RUN(q, k, 2, NULL, good, zero, 0, NULL, NULL)),
        CASE(CL_INVALID_WORK_GROUP_SIZE, RUN(q, k, 3, NULL, good, cube, 0, NULL, NULL)),
        CASE(CL_INVALID_WORK_ITEM_SIZE, RUN(q, k, 1, NULL, &wide, &wide, 0, NULL, NULL)),
        CASE(CL_INVALID_EVENT_WAIT_LIST, RUN(q, k, 1, NULL, &one, NULL, 1, NULL, NULL)),
        CASE(CL_INVALID_EVENT_WAIT_LIST, RUN(q, k, 1, NULL, &one, NULL, 0, &foreign, NULL)),
        CASE(CL_INVALID_EVENT_WAIT_LIST, RUN(q, k, 1, NULL, &one, NULL, 1, &stray, NULL)),
        CASE(CL_INVALID_CONTEXT, RUN(q, k, 1, NULL, &one, NULL, 1, &foreign, NULL)),
        CASE(CL_INVALID_KERNEL_ARGS, clEnqueueTask(q, n, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueMarker(q, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueWaitForEvents(q, 0, &foreign)),
        CASE(CL_INVALID_EVENT, clEnqueueWaitForEvents(q, 1, &stray)),
        CASE(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(q, 1, &stray, &event)),
        CASE(CL_INVALID_EVENT_WAIT_LIST, clEnqueueBarrierWithWaitList(q, 1, NULL, &event)),
        CASE(CL_INVALID_VALUE, clWaitForEvents(0, &foreign)),
        CASE(CL_INVALID_VALUE, clSetEventCallback(foreign, CL_COMPLETE, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clSetUserEventStatus(foreign, CL_RUNNING)),
        CASE(CL_SUCCESS, clSetUserEventStatus(foreign, CL_COMPLETE)),
        CASE(CL_INVALID_OPERATION, clSetUserEventStatus(foreign, CL_COMPLETE)),
        CASE(CL_INVALID_EVENT, clSetUserEventStatus(stray, CL_COMPLETE)),
        CASE(CL_INVALID_EVENT, clGetEventInfo(stray, CL_EVENT_CONTEXT, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clGetEventInfo(foreign, 0x999, 0, NULL, NULL)),
        CASE(CL_PROFILING_INFO_NOT_AVAILABLE,
             clGetEventProfilingInfo(foreign, CL_PROFILING_COMMAND_END, 0, NULL, NULL)),
        MAKE(CL_INVALID_CONTEXT, clCreateUserEvent(NO_CONTEXT, &status)),
    };
    CHECK(cases);
    assert_success(clEnqueueMarker(q, &event));
    assert_int_equal(clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_EVENT);
    assert_success(clReleaseEvent(event));
    assert_success(clReleaseMemObject(mem)); /* an argument that is gone at the enqueue */
    assert_int_equal(RUN(q, k, 1, NULL, &one, NULL, 0, NULL, NULL), CL_INVALID_KERNEL_ARGS);
    assert_success(clReleaseKernel(k));
    assert_success(clReleaseKernel(n));
    assert_success(clReleaseProgram(program));
    assert_success(clReleaseEvent(foreign));
    assert_success(clReleaseCommandQueue(elsewhere));
    assert_success(clReleaseContext(context));
}

/* What is released is not valid any more, also where the driver still holds it. */
static void released_objects_are_gone(void **state)
{
    const struct ocl *ocl = *state;
    cl_int error;
    const cl_buffer_region region = {0, 64};
    cl_mem mem = ocl_buffer(ocl, 64, NULL), whole = ocl_buffer(ocl, 64, NULL);
    cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    cl_event event = clCreateUserEvent(ocl->context, &error);
    cl_context context = clCreateContext(NULL, 1, &ocl->device, NULL, NULL, &error);
    assert_success(clReleaseMemObject(mem));
    assert_int_equal(clReleaseMemObject(mem), CL_INVALID_MEM_OBJECT);
    assert_int_equal(clRetainMemObject(mem), CL_INVALID_MEM_OBJECT);
    assert_success(clReleaseMemObject(whole));
    assert_int_equal(clReleaseMemObject(whole), CL_INVALID_MEM_OBJECT);
    assert_success(clReleaseMemObject(part));
    assert_success(clReleaseEvent(event));
    assert_int_equal(clReleaseEvent(event), CL_INVALID_EVENT);
    assert_success(clRetainContext(context));
    assert_success(clReleaseContext(context));
    assert_success(clReleaseContext(context));
    assert_int_equal(clReleaseContext(context), CL_INVALID_CONTEXT);
}

/* Images and the like: the standard's error for a device without them. */
static void what_is_absent_says_so(void **state)
{
    const struct ocl *ocl = *state;
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    const cl_device_partition_property split[] = {CL_DEVICE_PARTITION_EQUALLY, 2, 0};
    cl_int status;
    cl_uint count = 9;
    cl_program program;
    const struct misuse cases[] = {
        MAKE(CL_INVALID_OPERATION, clCreateImage(ocl->context, 0, &format, &desc, NULL, &status)),
        MAKE(CL_INVALID_OPERATION,
             clCreateImage2D(ocl->context, 0, &format, 4, 4, 0, NULL, &status)),
        MAKE(CL_INVALID_OPERATION,
             clCreateSampler(ocl->context, 0, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &status)),
        MAKE(CL_LINKER_NOT_AVAILABLE,
             clLinkProgram(ocl->context, 0, NULL, "", 1, &program, NULL, NULL, &status)),
        CASE(CL_INVALID_VALUE, clCreateSubDevices(ocl->device, split, 0, NULL, &count)),
        CASE(CL_INVALID_OPERATION,
             clEnqueueNativeKernel(ocl->queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL)),
        CASE(CL_SUCCESS,
             clGetSupportedImageFormats(ocl->context, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count)),
        CASE(0, (cl_int)count),
    };
    program = ocl_program(ocl, "__kernel void k() {}", "");
    CHECK(cases);
    assert_success(clReleaseProgram(program));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(platforms_devices_contexts),
        cmocka_unit_test(programs_and_kernels),
        cmocka_unit_test(launches),
        cmocka_unit_test(released_objects_are_gone),
        cmocka_unit_test(what_is_absent_says_so),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
