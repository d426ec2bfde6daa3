/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/misuse_launch_test.c: launches that cannot be, and wrong calls about events. What
 * all commands have in common is in misuse_enqueue_test.c. */
#include <string.h>

#include "tests/tb/ocl/misuse.h"

#define RUN(kernel, dimensions, offset, global, local)                                             \
    clEnqueueNDRangeKernel(q, kernel, dimensions, offset, global, local, 0, NULL, NULL)

static void sizes_of_launches(void **state)
{
    static const char source[] = "__kernel void k(__global int *o) { o[0] = 1; }\n"
                                 "__kernel void unset(__global int *o, int v) { o[0] = v; }\n"
                                 "__attribute__((reqd_work_group_size(8, 4, 2))) __kernel void "
                                 "r(__global int *o) { *o = 1; }\n";
    const struct ocl *ocl = *state;
    const cl_command_queue q = ocl->queue;
    cl_int status;
    const size_t good[3] = {64, 64, 64}, zero_at_1[3] = {64, 0, 64}, zero = 0,
                 huge = (size_t)1 << 33, most = UINT32_MAX, three = 3, wide = 2048,
                 far = (size_t)-4, edge = UINT32_MAX - 63, cube[3] = {16, 16, 8},
                 tall[3] = {1, 1, 2048}, required[3] = {8, 4, 2}, turned[3] = {2, 4, 8},
                 eight[3] = {8, 8, 8};
    cl_program program = ocl_program(ocl, source, "");
    cl_kernel k = clCreateKernel(program, "k", &status), r = clCreateKernel(program, "r", &status),
              unset = clCreateKernel(program, "unset", &status), released;
    cl_mem mem = ocl_buffer(ocl, 64, NULL);
    assert_arg(k, 0, mem);
    assert_arg(r, 0, mem);
    assert_arg(unset, 0, mem);
    released = clCreateKernel(program, "k", &status);
    assert_success(clReleaseKernel(released));
    const struct misuse cases[] = {
        CASE(CL_INVALID_KERNEL, RUN(OTHER(cl_kernel), 1, NULL, good, NULL)),
        CASE(CL_INVALID_KERNEL, RUN(NULL, 1, NULL, good, NULL)),
        CASE(CL_INVALID_KERNEL, RUN(released, 1, NULL, good, NULL)),
        CASE(CL_INVALID_KERNEL_ARGS, RUN(unset, 1, NULL, good, NULL)),
        CASE(CL_INVALID_WORK_DIMENSION, RUN(k, 0, NULL, good, NULL)),
        CASE(CL_INVALID_WORK_DIMENSION, RUN(k, 4, NULL, good, NULL)),
        CASE(CL_INVALID_GLOBAL_WORK_SIZE, RUN(k, 1, NULL, NULL, NULL)),
        CASE(CL_INVALID_GLOBAL_WORK_SIZE, RUN(k, 1, NULL, &zero, NULL)),
        CASE(CL_INVALID_GLOBAL_WORK_SIZE, RUN(k, 2, NULL, zero_at_1, NULL)),
        CASE(CL_INVALID_GLOBAL_WORK_SIZE, RUN(k, 1, NULL, &huge, NULL)),
        CASE(CL_INVALID_GLOBAL_OFFSET, RUN(k, 1, &far, good, NULL)),
        CASE(CL_INVALID_GLOBAL_OFFSET, RUN(k, 1, &edge, good, NULL)),
        CASE(CL_INVALID_GLOBAL_OFFSET, RUN(k, 1, &three, &most, NULL)),
        CASE(CL_INVALID_WORK_GROUP_SIZE, RUN(k, 1, NULL, good, &three)),
        CASE(CL_INVALID_WORK_GROUP_SIZE, RUN(k, 1, NULL, good, &zero)),
        CASE(CL_INVALID_WORK_GROUP_SIZE, RUN(k, 2, NULL, good, zero_at_1)),
        CASE(CL_INVALID_WORK_GROUP_SIZE, RUN(k, 3, NULL, good, cube)),
        CASE(CL_INVALID_WORK_ITEM_SIZE, RUN(k, 1, NULL, &wide, &wide)),
        CASE(CL_INVALID_WORK_ITEM_SIZE, RUN(k, 3, NULL, tall, tall)),
        CASE(CL_INVALID_WORK_GROUP_SIZE, RUN(r, 3, NULL, tall, NULL)),
        CASE(CL_INVALID_WORK_GROUP_SIZE, RUN(r, 3, NULL, good, turned)),
        CASE(CL_INVALID_WORK_GROUP_SIZE, RUN(r, 3, NULL, good, eight)),
        CASE(CL_INVALID_WORK_GROUP_SIZE, RUN(r, 2, NULL, good, required)),
        CASE(CL_INVALID_WORK_GROUP_SIZE, clEnqueueTask(q, r, 0, NULL, NULL)),
        CASE(CL_SUCCESS, RUN(r, 3, NULL, eight, required)),
        CASE(CL_INVALID_KERNEL, clEnqueueTask(q, OTHER(cl_kernel), 0, NULL, NULL)),
        CASE(CL_INVALID_KERNEL_ARGS, clEnqueueTask(q, unset, 0, NULL, NULL)),
    };
    CHECK(cases);
    assert_success(clReleaseMemObject(mem)); /* an argument that is gone at the enqueue */
    assert_int_equal(RUN(k, 1, NULL, good, NULL), CL_INVALID_KERNEL_ARGS);
    assert_success(clReleaseKernel(k));
    assert_success(clReleaseKernel(r));
    assert_success(clReleaseKernel(unset));
    assert_success(clReleaseProgram(program));
}

static void CL_CALLBACK unused_function(void *args)
{
    (void)args;
}

static void native_kernels(void **state)
{
    const struct ocl *ocl = *state;
    const cl_command_queue q = ocl->queue, other = OTHER(cl_command_queue);
    void(CL_CALLBACK *const f)(void *) = unused_function;
    char args[16];
    const void *place = args;
    cl_mem mem = ocl_buffer(ocl, 64, NULL), stray = OTHER(cl_mem);
    const cl_event none = NULL;
    const struct misuse cases[] = {
        CASE(CL_INVALID_COMMAND_QUEUE,
             clEnqueueNativeKernel(other, f, NULL, 0, 0, NULL, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueNativeKernel(q, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueNativeKernel(q, f, NULL, 4, 0, NULL, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueNativeKernel(q, f, args, 0, 0, NULL, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueNativeKernel(q, f, NULL, 0, 1, &mem, &place, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueNativeKernel(q, f, args, 16, 1, NULL, &place, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueNativeKernel(q, f, args, 16, 1, &mem, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueNativeKernel(q, f, args, 16, 0, &mem, &place, 0, NULL, NULL)),
        CASE(CL_INVALID_MEM_OBJECT,
             clEnqueueNativeKernel(q, f, args, 16, 1, &stray, &place, 0, NULL, NULL)),
        CASE(CL_INVALID_EVENT_WAIT_LIST,
             clEnqueueNativeKernel(q, f, args, 16, 1, &mem, &place, 1, &none, NULL)),
        CASE(CL_INVALID_OPERATION,
             clEnqueueNativeKernel(q, f, args, 16, 1, &mem, &place, 0, NULL, NULL)),
    };
    CHECK(cases);
    assert_success(clReleaseMemObject(mem));
}

static void CL_CALLBACK unused_callback(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status, (void)data;
}

static void events(void **state)
{
    const struct ocl *ocl = *state;
    const cl_command_queue q = ocl->queue, other = OTHER(cl_command_queue);
    cl_int status;
    cl_context context = clCreateContext(NULL, 1, &ocl->device, NULL, NULL, &status);
    cl_command_queue unprofiled = clCreateCommandQueue(ocl->context, ocl->device, 0, &status);
    cl_event user = clCreateUserEvent(ocl->context, &status),
             foreign = clCreateUserEvent(context, &status), stray = OTHER(cl_event), none = NULL,
             marker, waiting, quiet;
    assert_success(clEnqueueMarkerWithWaitList(q, 0, NULL, &marker));
    assert_success(clEnqueueMarkerWithWaitList(unprofiled, 0, NULL, &quiet));
    assert_success(clEnqueueMarkerWithWaitList(q, 1, &user, &waiting));
    const cl_event two[] = {marker, foreign}, bad[] = {marker, stray};
#define END CL_PROFILING_COMMAND_END
    const struct misuse cases[] = {
        MAKE(CL_INVALID_CONTEXT, clCreateUserEvent(NO_CONTEXT, &status)),
        MAKE(CL_INVALID_CONTEXT, clCreateUserEvent(NULL, &status)),
        CASE(CL_INVALID_VALUE, clWaitForEvents(0, &marker)),
        CASE(CL_INVALID_VALUE, clWaitForEvents(1, NULL)),
        CASE(CL_INVALID_EVENT, clWaitForEvents(2, bad)),
        CASE(CL_INVALID_CONTEXT, clWaitForEvents(2, two)),
        CASE(CL_INVALID_EVENT, clSetEventCallback(stray, CL_COMPLETE, unused_callback, NULL)),
        CASE(CL_INVALID_EVENT, clSetEventCallback(NULL, CL_COMPLETE, unused_callback, NULL)),
        CASE(CL_INVALID_VALUE, clSetEventCallback(user, CL_COMPLETE, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clSetEventCallback(user, CL_QUEUED, unused_callback, NULL)),
        CASE(CL_INVALID_VALUE, clSetEventCallback(user, -1, unused_callback, NULL)),
        CASE(CL_PROFILING_INFO_NOT_AVAILABLE, clGetEventProfilingInfo(user, END, 0, NULL, NULL)),
        CASE(CL_PROFILING_INFO_NOT_AVAILABLE, clGetEventProfilingInfo(quiet, END, 0, NULL, NULL)),
        CASE(CL_PROFILING_INFO_NOT_AVAILABLE, clGetEventProfilingInfo(waiting, END, 0, NULL, NULL)),
        CASE(CL_INVALID_EVENT, clSetUserEventStatus(stray, CL_COMPLETE)),
        CASE(CL_INVALID_EVENT, clSetUserEventStatus(NULL, CL_COMPLETE)),
        CASE(CL_INVALID_EVENT, clSetUserEventStatus(marker, CL_COMPLETE)),
        CASE(CL_INVALID_VALUE, clSetUserEventStatus(user, CL_RUNNING)),
        CASE(CL_INVALID_VALUE, clSetUserEventStatus(user, CL_QUEUED)),
        CASE(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE)),
        CASE(CL_INVALID_OPERATION, clSetUserEventStatus(user, CL_COMPLETE)),
        CASE(CL_INVALID_OPERATION, clSetUserEventStatus(user, -1)),
        CASE(CL_SUCCESS, clSetUserEventStatus(foreign, -5)),
        CASE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &foreign)),
        /* the commands of OpenCL 1.1 */
        CASE(CL_INVALID_COMMAND_QUEUE, clEnqueueMarker(other, &marker)),
        CASE(CL_INVALID_VALUE, clEnqueueMarker(q, NULL)),
        CASE(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrier(other)),
        CASE(CL_INVALID_COMMAND_QUEUE, clEnqueueWaitForEvents(other, 1, &marker)),
        CASE(CL_INVALID_VALUE, clEnqueueWaitForEvents(q, 0, &marker)),
        CASE(CL_INVALID_VALUE, clEnqueueWaitForEvents(q, 1, NULL)),
        CASE(CL_INVALID_EVENT, clEnqueueWaitForEvents(q, 1, &stray)),
        CASE(CL_INVALID_EVENT, clEnqueueWaitForEvents(q, 1, &none)),
        CASE(CL_INVALID_CONTEXT, clEnqueueWaitForEvents(q, 1, &foreign)),
    };
    CHECK(cases);
    const cl_event all[] = {user, foreign, marker, quiet, waiting};
    for (int i = 0; i < 5; i++)
        assert_success(clReleaseEvent(all[i]));
    assert_success(clReleaseCommandQueue(unprofiled));
    assert_success(clReleaseContext(context));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_of_launches),
        cmocka_unit_test(native_kernels),
        cmocka_unit_test(events),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
