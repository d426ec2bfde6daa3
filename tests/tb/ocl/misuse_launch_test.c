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
