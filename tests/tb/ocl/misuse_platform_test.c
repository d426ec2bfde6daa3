/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/misuse_platform_test.c: wrong calls about platforms, devices, contexts and queues.
 */
#include "tests/tb/ocl/misuse.h"

static void CL_CALLBACK unused_notify(const char *text, const void *info, size_t size, void *data)
{
    (void)text, (void)info, (void)size, (void)data;
}

static void platforms_and_devices(void **state)
{
    const struct ocl *ocl = *state;
    const cl_platform_id platform = ocl->platform;
    cl_platform_id platforms[1], wrong = (cl_platform_id)ocl->context;
    cl_device_id device, other = OTHER(cl_device_id);
    cl_uint count;
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 2, 0};
    const struct misuse cases[] = {
        CASE(CL_INVALID_VALUE, clGetPlatformIDs(0, platforms, NULL)),
        CASE(CL_INVALID_VALUE, clGetPlatformIDs(1, NULL, NULL)),
        CASE(CL_INVALID_PLATFORM, clGetDeviceIDs(wrong, CL_DEVICE_TYPE_ALL, 1, &device, NULL)),
        CASE(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &device, NULL)),
        CASE(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, NULL, NULL)),
        CASE(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 0, 1, &device, NULL)),
        CASE(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 1 << 9, 1, &device, NULL)),
        CASE(CL_INVALID_DEVICE_TYPE,
             clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU | 1 << 9, 1, &device, NULL)),
        CASE(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL)),
        CASE(CL_DEVICE_NOT_FOUND,
             clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 1, &device, NULL)),
        CASE(CL_DEVICE_NOT_FOUND,
             clGetDeviceIDs(platform, CL_DEVICE_TYPE_ACCELERATOR, 0, NULL, &count)),
        CASE(CL_INVALID_DEVICE, clRetainDevice(other)),
        CASE(CL_INVALID_DEVICE, clReleaseDevice(other)),
        CASE(CL_SUCCESS, clRetainDevice(ocl->device)),
        CASE(CL_SUCCESS, clReleaseDevice(ocl->device)),
        CASE(CL_SUCCESS, clReleaseDevice(ocl->device)), /* a root device is not counted */
        CASE(CL_INVALID_DEVICE, clCreateSubDevices(other, equally, 0, NULL, &count)),
        CASE(CL_INVALID_VALUE, clCreateSubDevices(ocl->device, equally, 0, NULL, &count)),
        CASE(CL_INVALID_PLATFORM, clUnloadPlatformCompiler(wrong)),
    };
    CHECK(cases);
    assert_null(clGetExtensionFunctionAddressForPlatform(platform, "clNoSuchFunction"));
    assert_null(clGetExtensionFunctionAddressForPlatform(platform, ""));
}

static void contexts(void **state)
{
    const struct ocl *ocl = *state;
    cl_device_id none = NULL, other = OTHER(cl_device_id);
    const cl_device_id half_right[] = {ocl->device, other};
    const cl_context_properties platform = (cl_context_properties)ocl->platform;
    const cl_context_properties good[] = {CL_CONTEXT_PLATFORM, platform, 0};
    const cl_context_properties unknown[] = {0x7777, 1, 0};
    const cl_context_properties stray[] = {CL_CONTEXT_PLATFORM, 1, 0};
    const cl_context_properties no_platform[] = {CL_CONTEXT_PLATFORM, 0, 0};
    const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, platform, CL_CONTEXT_PLATFORM,
                                           platform, 0};
    const cl_context_properties sync[] = {CL_CONTEXT_INTEROP_USER_SYNC, 2, 0};
    cl_int status;
    char data[1];
    const struct misuse cases[] = {
        MAKE(CL_INVALID_VALUE, clCreateContext(good, 0, &ocl->device, NULL, NULL, &status)),
        MAKE(CL_INVALID_VALUE, clCreateContext(good, 1, NULL, NULL, NULL, &status)),
        MAKE(CL_INVALID_VALUE, clCreateContext(good, 1, &ocl->device, NULL, data, &status)),
        MAKE(CL_INVALID_DEVICE, clCreateContext(good, 1, &other, unused_notify, NULL, &status)),
        MAKE(CL_INVALID_DEVICE, clCreateContext(good, 1, &none, NULL, NULL, &status)),
        MAKE(CL_INVALID_DEVICE, clCreateContext(good, 2, half_right, NULL, NULL, &status)),
        MAKE(CL_INVALID_PROPERTY, clCreateContext(unknown, 1, &ocl->device, NULL, NULL, &status)),
        MAKE(CL_INVALID_PROPERTY, clCreateContext(twice, 1, &ocl->device, NULL, NULL, &status)),
        MAKE(CL_INVALID_PROPERTY, clCreateContext(sync, 1, &ocl->device, NULL, NULL, &status)),
        MAKE(CL_INVALID_PLATFORM, clCreateContext(stray, 1, &ocl->device, NULL, NULL, &status)),
        MAKE(CL_INVALID_PLATFORM,
             clCreateContext(no_platform, 1, &ocl->device, NULL, NULL, &status)),
        MAKE(CL_DEVICE_NOT_FOUND,
             clCreateContextFromType(good, CL_DEVICE_TYPE_CPU, NULL, NULL, &status)),
        MAKE(CL_INVALID_DEVICE_TYPE, clCreateContextFromType(good, 0, NULL, NULL, &status)),
        MAKE(CL_INVALID_VALUE,
             clCreateContextFromType(good, CL_DEVICE_TYPE_GPU, NULL, data, &status)),
        MAKE(CL_INVALID_PROPERTY,
             clCreateContextFromType(twice, CL_DEVICE_TYPE_GPU, NULL, NULL, &status)),
    };
    CHECK(cases);
}

static void queues(void **state)
{
    const struct ocl *ocl = *state;
    const cl_context context = ocl->context;
    const cl_device_id device = ocl->device;
    cl_int status;
    cl_command_queue_properties old;
    const struct misuse cases[] = {
        MAKE(CL_INVALID_CONTEXT, clCreateCommandQueue(NO_CONTEXT, device, 0, &status)),
        MAKE(CL_INVALID_CONTEXT, clCreateCommandQueue(NULL, device, 0, &status)),
        MAKE(CL_INVALID_DEVICE, clCreateCommandQueue(context, OTHER(cl_device_id), 0, &status)),
        MAKE(CL_INVALID_DEVICE, clCreateCommandQueue(context, NULL, 0, &status)),
        MAKE(CL_INVALID_VALUE, clCreateCommandQueue(context, device, 64, &status)),
        CASE(CL_INVALID_COMMAND_QUEUE, clFlush(NULL)),
        CASE(CL_INVALID_COMMAND_QUEUE, clFlush(OTHER(cl_command_queue))),
        CASE(CL_INVALID_COMMAND_QUEUE, clFinish(NULL)),
        CASE(CL_INVALID_COMMAND_QUEUE, clFinish(OTHER(cl_command_queue))),
        CASE(CL_INVALID_COMMAND_QUEUE,
             clSetCommandQueueProperty(OTHER(cl_command_queue), 0, CL_TRUE, &old)),
        CASE(CL_INVALID_VALUE, clSetCommandQueueProperty(ocl->queue, 64, CL_TRUE, &old)),
    };
    CHECK(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(platforms_and_devices),
        cmocka_unit_test(contexts),
        cmocka_unit_test(queues),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
