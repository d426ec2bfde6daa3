/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/event_test.c: the order of commands, events, callbacks, profiling. A user event is
 * the gate that holds commands back. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "tests/tb/ocl/ocl_support.h"

static cl_int status_of(cl_event event)
{
    cl_int status;
    assert_success(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

static cl_event user_event(const struct ocl *ocl)
{
    cl_int error;
    cl_event event = clCreateUserEvent(ocl->context, &error);
    assert_success(error);
    assert_int_equal(status_of(event), CL_SUBMITTED);
    return event;
}

static void write_int(cl_command_queue queue, cl_mem memory, size_t index, const cl_int *value,
                      cl_uint count, const cl_event *waits, cl_event *event)
{
    assert_success(clEnqueueWriteBuffer(queue, memory, CL_FALSE, index * sizeof *value,
                                        sizeof *value, value, count, waits, event));
}

/* An in-order queue holds back everything behind a command that waits. */
static void an_in_order_queue_waits_as_one(void **state)
{
    const struct ocl *ocl = *state;
    const cl_int one = 1, two = 2;
    cl_int value = 0;
    cl_mem memory = ocl_buffer(ocl, sizeof value, &value);
    cl_event gate = user_event(ocl), first, second, marker;
    write_int(ocl->queue, memory, 0, &one, 1, &gate, &first);
    write_int(ocl->queue, memory, 0, &two, 0, NULL, &second);
    assert_success(clEnqueueMarkerWithWaitList(ocl->queue, 0, NULL, &marker));
    assert_success(clFlush(ocl->queue));
    assert_int_equal(status_of(first), CL_SUBMITTED);
    assert_int_equal(status_of(second), CL_SUBMITTED);
    assert_int_equal(status_of(marker), CL_SUBMITTED);
    assert_success(clSetUserEventStatus(gate, CL_COMPLETE));
    assert_int_equal(status_of(first), CL_COMPLETE);
    assert_int_equal(status_of(marker), CL_COMPLETE);
    ocl_read(ocl, memory, sizeof value, &value);
    assert_int_equal(value, 2);
    assert_success(clReleaseEvent(gate));
    assert_success(clReleaseEvent(first));
    assert_success(clReleaseEvent(second));
    assert_success(clReleaseEvent(marker));
    assert_success(clReleaseMemObject(memory));
}

/* An out-of-order queue lets others pass, but not past a barrier; a marker waits for all. */
static void an_out_of_order_queue_lets_pass(void **state)
{
    const struct ocl *ocl = *state;
    const cl_int values[3] = {1, 2, 3};
    cl_int error, seen[3] = {0};
    cl_command_queue queue = clCreateCommandQueue(ocl->context, ocl->device,
                                                  CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    assert_success(error);
    cl_mem memory = ocl_buffer(ocl, sizeof seen, seen);
    cl_event gate = user_event(ocl), events[5];
    write_int(queue, memory, 0, &values[0], 1, &gate, &events[0]);
    write_int(queue, memory, 1, &values[1], 0, NULL, &events[1]);
    assert_success(clEnqueueMarkerWithWaitList(queue, 0, NULL, &events[2]));
    assert_success(clEnqueueMarkerWithWaitList(queue, 1, &events[1], &events[3]));
    assert_success(clEnqueueBarrier(queue));
    write_int(queue, memory, 2, &values[2], 0, NULL, &events[4]);
    const cl_int before[5] = {CL_SUBMITTED, CL_COMPLETE, CL_SUBMITTED, CL_COMPLETE, CL_SUBMITTED};
    for (int i = 0; i < 5; i++)
        assert_int_equal(status_of(events[i]), before[i]);
    assert_success(clSetUserEventStatus(gate, CL_COMPLETE));
    assert_success(clFinish(queue));
    for (int i = 0; i < 5; i++) {
        assert_int_equal(status_of(events[i]), CL_COMPLETE);
        assert_success(clReleaseEvent(events[i]));
    }
    ocl_read(ocl, memory, sizeof seen, seen);
    assert_memory_equal(seen, values, sizeof values);
    assert_success(clReleaseEvent(gate));
    assert_success(clReleaseMemObject(memory));
    assert_success(clReleaseCommandQueue(queue));
}

/* Across queues: one waits for the other's command. */
static void queues_wait_for_each_other(void **state)
{
    const struct ocl *ocl = *state;
    const cl_int one = 1, two = 2;
    cl_int error, value = 0;
    cl_command_queue other = clCreateCommandQueue(ocl->context, ocl->device, 0, &error);
    cl_mem memory = ocl_buffer(ocl, sizeof value, &value);
    cl_event gate = user_event(ocl), first, second;
    write_int(other, memory, 0, &one, 1, &gate, &first);
    write_int(ocl->queue, memory, 0, &two, 1, &first, &second);
    assert_success(clReleaseCommandQueue(other)); /* its command is still to come */
    assert_int_equal(status_of(second), CL_SUBMITTED);
    assert_success(clSetUserEventStatus(gate, CL_COMPLETE));
    assert_success(clWaitForEvents(1, &second));
    ocl_read(ocl, memory, sizeof value, &value);
    assert_int_equal(value, 2);
    assert_success(clReleaseEvent(gate));
    assert_success(clReleaseEvent(first));
    assert_success(clReleaseEvent(second));
    assert_success(clReleaseMemObject(memory));
}

/* A failed event ends what waits for it, and what waits for that, and nothing else. */
static void failure_spreads_along_waits(void **state)
{
    const struct ocl *ocl = *state;
    const cl_int one = 1, two = 2;
    cl_int value = 0;
    cl_mem memory = ocl_buffer(ocl, sizeof value, &value);
    cl_event gate = user_event(ocl), first, second, third;
    write_int(ocl->queue, memory, 0, &one, 1, &gate, &first);
    write_int(ocl->queue, memory, 0, &one, 1, &first, &second);
    write_int(ocl->queue, memory, 0, &two, 0, NULL, &third);
    assert_success(clSetUserEventStatus(gate, -42));
    assert_int_equal(status_of(gate), -42);
    assert_int_equal(status_of(first), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(status_of(second), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(status_of(third), CL_COMPLETE);
    assert_int_equal(clWaitForEvents(1, &gate), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(
        clEnqueueReadBuffer(ocl->queue, memory, CL_TRUE, 0, sizeof value, &value, 1, &first, NULL),
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(value, 0);
    ocl_read(ocl, memory, sizeof value, &value);
    assert_int_equal(value, 2);
    assert_success(clReleaseEvent(gate));
    assert_success(clReleaseEvent(first));
    assert_success(clReleaseEvent(second));
    assert_success(clReleaseEvent(third));
    assert_success(clReleaseMemObject(memory));
}

struct calls {
    cl_int status[4];
    cl_event event[4];
    int count;
    cl_event to_complete; /* set to complete by the callback itself */
};

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *data)
{
    struct calls *calls = data;
    calls->event[calls->count] = event;
    calls->status[calls->count++] = status;
    if (calls->to_complete)
        assert_success(clSetUserEventStatus(calls->to_complete, CL_COMPLETE));
}

static void callbacks_come_once_in_order(void **state)
{
    const struct ocl *ocl = *state;
    const cl_int one = 1;
    struct calls calls = {0}, failed = {0}, late = {0};
    cl_mem memory = ocl_buffer(ocl, sizeof one, NULL);
    cl_event gate = user_event(ocl), first, bad = user_event(ocl);
    write_int(ocl->queue, memory, 0, &one, 1, &gate, &first);
    assert_success(clSetEventCallback(first, CL_RUNNING, on_event, &calls));
    assert_success(clSetEventCallback(first, CL_COMPLETE, on_event, &calls));
    assert_int_equal(calls.count, 0);
    assert_success(clSetUserEventStatus(gate, CL_COMPLETE));
    assert_int_equal(calls.count, 2);
    assert_int_equal(calls.status[0], CL_RUNNING);
    assert_int_equal(calls.status[1], CL_COMPLETE);
    assert_ptr_equal(calls.event[1], first);
    assert_success(clSetEventCallback(first, CL_COMPLETE, on_event, &late));
    assert_int_equal(late.count, 1);
    assert_success(clSetEventCallback(bad, CL_COMPLETE, on_event, &failed));
    assert_success(clSetUserEventStatus(bad, -7));
    assert_int_equal(failed.count, 1);
    assert_int_equal(failed.status[0], -7);
    assert_success(clReleaseEvent(gate));
    assert_success(clReleaseEvent(first));
    assert_success(clReleaseEvent(bad));
    assert_success(clReleaseMemObject(memory));
}

/* A callback may call OpenCL, here to open the next gate. */
static void a_callback_may_call_opencl(void **state)
{
    const struct ocl *ocl = *state;
    const cl_int one = 1;
    cl_int value = 0;
    cl_mem memory = ocl_buffer(ocl, sizeof one, &value);
    cl_event first = user_event(ocl), second = user_event(ocl), done;
    struct calls calls = {.to_complete = second};
    assert_success(clSetEventCallback(first, CL_COMPLETE, on_event, &calls));
    write_int(ocl->queue, memory, 0, &one, 1, &second, &done);
    assert_success(clSetUserEventStatus(first, CL_COMPLETE));
    assert_int_equal(status_of(done), CL_COMPLETE);
    ocl_read(ocl, memory, sizeof value, &value);
    assert_int_equal(value, 1);
    assert_success(clReleaseEvent(first));
    assert_success(clReleaseEvent(second));
    assert_success(clReleaseEvent(done));
    assert_success(clReleaseMemObject(memory));
}

static void *open_gate(void *gate)
{
    usleep(50000);
    assert_success(clSetUserEventStatus(gate, CL_COMPLETE));
    return NULL;
}

/* Blocking calls return when another thread opens the gate. */
static void another_thread_ends_a_wait(void **state)
{
    const struct ocl *ocl = *state;
    const cl_int one = 1;
    cl_int value = 0;
    cl_mem memory = ocl_buffer(ocl, sizeof one, &value);
    for (int way = 0; way < 3; way++) {
        pthread_t thread;
        cl_event gate = user_event(ocl), done;
        write_int(ocl->queue, memory, 0, &one, 1, &gate, &done);
        assert_int_equal(pthread_create(&thread, NULL, open_gate, gate), 0);
        if (way == 0)
            assert_success(clFinish(ocl->queue));
        else if (way == 1)
            assert_success(clWaitForEvents(1, &done));
        else
            ocl_read(ocl, memory, sizeof value, &value);
        assert_int_equal(status_of(done), CL_COMPLETE);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_success(clReleaseEvent(gate));
        assert_success(clReleaseEvent(done));
    }
    assert_int_equal(value, 1);
    assert_success(clReleaseMemObject(memory));
}

static cl_ulong profile(cl_event event, cl_profiling_info name)
{
    cl_ulong time;
    assert_success(clGetEventProfilingInfo(event, name, sizeof time, &time, NULL));
    return time;
}

/* Times are simulated: they run on from kernel to kernel, and twice the same work takes the time of
 * twice the work, about. */
static void profiling_tells_simulated_time(void **state)
{
    static const char source[] = "__kernel void k(__global int *o, int n) { int s = 1;\n"
                                 "    for (int i = 0; i < n; i++) s = s * 3 + o[0];\n"
                                 "    o[1 + get_global_id(0)] = s; }\n";
    const struct ocl *ocl = *state;
    const size_t global = 32;
    cl_kernel kernel = ocl_kernel(ocl, source, "k");
    cl_mem memory = ocl_buffer(ocl, 33 * sizeof(cl_int), NULL);
    cl_ulong end = 0, took[2];
    assert_arg(kernel, 0, memory);
    for (int i = 0; i < 2; i++) {
        const cl_int n = 100 << i;
        cl_event event;
        assert_arg(kernel, 1, n);
        assert_success(
            clEnqueueNDRangeKernel(ocl->queue, kernel, 1, NULL, &global, &global, 0, NULL, &event));
        const cl_ulong queued = profile(event, CL_PROFILING_COMMAND_QUEUED),
                       submit = profile(event, CL_PROFILING_COMMAND_SUBMIT),
                       start = profile(event, CL_PROFILING_COMMAND_START);
        assert_true(end <= queued && queued <= submit && submit <= start);
        end = profile(event, CL_PROFILING_COMMAND_END);
        assert_true(end > start);
        took[i] = end - start;
        assert_success(clReleaseEvent(event));
    }
    assert_in_range(took[1], took[0] * 3 / 2, took[0] * 5 / 2);
    assert_success(clReleaseMemObject(memory));
    assert_success(clReleaseKernel(kernel));
}

/* No times of what has none: a queue without profiling, a user event, a command that waits. */
static void profiling_may_be_missing(void **state)
{
    const struct ocl *ocl = *state;
    const cl_int one = 1;
    cl_int error;
    cl_ulong time;
    cl_command_queue plain = clCreateCommandQueue(ocl->context, ocl->device, 0, &error);
    cl_mem memory = ocl_buffer(ocl, sizeof one, NULL);
    cl_event gate = user_event(ocl), waiting, done;
    write_int(plain, memory, 0, &one, 0, NULL, &done);
    write_int(ocl->queue, memory, 0, &one, 1, &gate, &waiting);
    const cl_event events[3] = {gate, waiting, done};
    for (int i = 0; i < 3; i++)
        assert_int_equal(
            clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_END, sizeof time, &time, NULL),
            CL_PROFILING_INFO_NOT_AVAILABLE);
    assert_success(clSetUserEventStatus(gate, CL_COMPLETE));
    profile(waiting, CL_PROFILING_COMMAND_END);
    for (int i = 0; i < 3; i++)
        assert_success(clReleaseEvent(events[i]));
    assert_success(clReleaseMemObject(memory));
    assert_success(clReleaseCommandQueue(plain));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_in_order_queue_waits_as_one),
        cmocka_unit_test(an_out_of_order_queue_lets_pass),
        cmocka_unit_test(queues_wait_for_each_other),
        cmocka_unit_test(failure_spreads_along_waits),
        cmocka_unit_test(callbacks_come_once_in_order),
        cmocka_unit_test(a_callback_may_call_opencl),
        cmocka_unit_test(another_thread_ends_a_wait),
        cmocka_unit_test(profiling_tells_simulated_time),
        cmocka_unit_test(profiling_may_be_missing),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
