/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/overlap_test.c: kernels of several queues beside each other, where the machine takes two at once. Which do is told by the
 * order of the program's calls; when, by the events' times. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/tb/ocl/ocl_support.h"

enum { WORK_ITEMS = 32 };

/* One warp that goes around for long; the result says that it did. */
static const char slow[] = "__kernel void k(__global int *o, int times) {"
                           "  int i = get_global_id(0), x = i;"
                           "  for (int t = 0; t < times; t++) x = x * 3 + o[i];"
                           "  o[i] = x; }";

struct job {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem memory;
    cl_int times;
    cl_event event;
};

static struct job job(const struct ocl *ocl, cl_command_queue_properties properties, cl_int times)
{
    cl_int error, zeros[WORK_ITEMS] = {0};
    struct job j = {.kernel = ocl_kernel(ocl, slow, "k"), .times = times};
    j.queue = clCreateCommandQueue(ocl->context, ocl->device,
                                   properties | CL_QUEUE_PROFILING_ENABLE, &error);
    assert_success(error);
    j.memory = ocl_buffer(ocl, sizeof zeros, zeros);
    assert_arg(j.kernel, 0, j.memory);
    assert_arg(j.kernel, 1, j.times);
    return j;
}

static void enqueue(struct job *j, cl_command_queue queue, cl_uint count, const cl_event *waits)
{
    const size_t items = WORK_ITEMS;
    assert_success(
        clEnqueueNDRangeKernel(queue, j->kernel, 1, NULL, &items, &items, count, waits, &j->event));
}

static void start(struct job *j)
{
    enqueue(j, j->queue, 0, NULL);
}

static cl_ulong time_of(const struct job *j, cl_profiling_info what)
{
    cl_ulong time;
    assert_success(clGetEventProfilingInfo(j->event, what, sizeof time, &time, NULL));
    return time;
}

static cl_ulong begin_of(const struct job *j)
{
    return time_of(j, CL_PROFILING_COMMAND_START);
}

static cl_ulong end_of(const struct job *j)
{
    return time_of(j, CL_PROFILING_COMMAND_END);
}

static cl_int status_of(const struct job *j)
{
    cl_int status;
    assert_success(
        clGetEventInfo(j->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

/* Its memory is what the host computes; nothing of it is left. */
static void finish(const struct ocl *ocl, struct job *j)
{
    cl_int out[WORK_ITEMS];
    ocl_read(ocl, j->memory, sizeof out, out);
    for (cl_int i = 0; i < WORK_ITEMS; i++) {
        cl_uint x = (cl_uint)i;
        for (cl_int t = 0; t < j->times; t++)
            x *= 3;
        assert_int_equal(out[i], (cl_int)x);
    }
    assert_success(clReleaseEvent(j->event));
    assert_success(clReleaseMemObject(j->memory));
    assert_success(clReleaseKernel(j->kernel));
    assert_success(clReleaseCommandQueue(j->queue));
}

static void kernels_of_two_queues_overlap(void **state)
{
    const struct ocl *ocl = *state;
    struct job a = job(ocl, 0, 100), b = job(ocl, 0, 100);
    start(&a);
    start(&b);
    assert_success(clFinish(b.queue));
    assert_success(clFinish(a.queue));
    assert_int_equal(begin_of(&a), begin_of(&b));
    const cl_ulong together = (end_of(&a) > end_of(&b) ? end_of(&a) : end_of(&b)) - begin_of(&a);
    const cl_ulong sum = end_of(&a) - begin_of(&a) + (end_of(&b) - begin_of(&b));
    assert_true(together * 3 < sum * 2);
    finish(ocl, &a);
    finish(ocl, &b);
}

/* One queue that is in order has one kernel after the other. */
static void kernels_of_one_queue_follow_each_other(void **state)
{
    const struct ocl *ocl = *state;
    struct job a = job(ocl, 0, 20), b = job(ocl, 0, 20);
    start(&a);
    enqueue(&b, a.queue, 0, NULL);
    assert_success(clFinish(a.queue));
    assert_true(begin_of(&b) >= end_of(&a));
    finish(ocl, &a);
    finish(ocl, &b);
}

static void kernels_of_an_out_of_order_queue_overlap(void **state)
{
    const struct ocl *ocl = *state;
    struct job a = job(ocl, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 40), b = job(ocl, 0, 40);
    struct job c = job(ocl, 0, 40);
    start(&a);
    enqueue(&b, a.queue, 0, NULL);
    assert_success(clEnqueueBarrier(a.queue));
    enqueue(&c, a.queue, 0, NULL);
    assert_success(clFinish(a.queue));
    assert_int_equal(begin_of(&a), begin_of(&b));
    assert_true(begin_of(&c) >= end_of(&a) && begin_of(&c) >= end_of(&b));
    finish(ocl, &a);
    finish(ocl, &b);
    finish(ocl, &c);
}

/* Blocking calls on one queue let kernels of the other one go on, no further than needed. */
static void a_kernel_waits_for_an_event_of_another_queue(void **state)
{
    const struct ocl *ocl = *state;
    struct job a = job(ocl, 0, 20), b = job(ocl, 0, 20), c = job(ocl, 0, 400);
    start(&a);
    enqueue(&b, b.queue, 1, &a.event);
    start(&c);
    assert_success(clWaitForEvents(1, &b.event));
    assert_true(begin_of(&b) >= end_of(&a));
    assert_int_equal(clGetEventProfilingInfo(c.event, CL_PROFILING_COMMAND_END, sizeof(cl_ulong),
                                             &(cl_ulong){0}, NULL),
                     CL_PROFILING_INFO_NOT_AVAILABLE);
    assert_success(clFinish(c.queue));
    assert_int_equal(begin_of(&c), begin_of(&a));
    assert_true(end_of(&c) > end_of(&b));
    finish(ocl, &a);
    finish(ocl, &b);
    finish(ocl, &c);
}

/* The machine takes two; of those that wait for room the one that was enqueued first comes next. */
static void a_third_kernel_waits_for_room(void **state)
{
    const struct ocl *ocl = *state;
    struct job jobs[5];
    for (int i = 0; i < 5; i++)
        jobs[i] = job(ocl, 0, 40);
    const int order[5] = {3, 4, 2, 0, 1};
    for (int i = 0; i < 5; i++)
        start(&jobs[order[i]]);
    for (int i = 0; i < 5; i++)
        assert_success(clFinish(jobs[i].queue));
    assert_int_equal(begin_of(&jobs[3]), begin_of(&jobs[4]));
    for (int i = 2; i < 5; i++) { /* one comes in when the first of two before it has ended */
        assert_true(begin_of(&jobs[order[i]]) > begin_of(&jobs[order[0]]));
        assert_true(begin_of(&jobs[order[i]]) >= begin_of(&jobs[order[i - 1]]));
    }
    for (int i = 0; i < 5; i++)
        finish(ocl, &jobs[i]);
}

/* A program that polls gets there, too. */
static void looking_lets_time_pass(void **state)
{
    const struct ocl *ocl = *state;
    struct job a = job(ocl, 0, 20), b = job(ocl, 0, 40);
    start(&a);
    start(&b);
    int looks = 1;
    for (; status_of(&b) != CL_COMPLETE; looks++)
        assert_true(looks < 10);
    assert_int_equal(looks, 2);
    assert_int_equal(status_of(&a), CL_COMPLETE);
    assert_true(end_of(&a) < end_of(&b));
    finish(ocl, &a);
    finish(ocl, &b);
}

static void CL_CALLBACK count(cl_event event, cl_int status, void *data)
{
    (void)event;
    (void)status;
    ++*(int *)data;
}

/* A callback comes without another call, once its queue is flushed: after both were enqueued, so they overlap. */
static void a_flushed_callback_comes(void **state)
{
    const struct ocl *ocl = *state;
    struct job a = job(ocl, 0, 40), b = job(ocl, 0, 40);
    int calls = 0;
    start(&a);
    assert_success(clSetEventCallback(a.event, CL_COMPLETE, count, &calls));
    start(&b);
    assert_int_equal(calls, 0);
    assert_success(clFlush(a.queue));
    assert_int_equal(calls, 1);
    assert_success(clFlush(b.queue));
    assert_success(clSetEventCallback(b.event, CL_COMPLETE, count, &calls));
    assert_int_equal(calls, 2);
    assert_int_equal(begin_of(&a), begin_of(&b));
    finish(ocl, &a);
    finish(ocl, &b);
}

/* The end of a queue ends what is in it. */
static void a_released_queue_is_through(void **state)
{
    const struct ocl *ocl = *state;
    struct job a = job(ocl, 0, 20);
    start(&a);
    assert_success(clRetainCommandQueue(a.queue));
    assert_success(clReleaseCommandQueue(a.queue));
    assert_int_equal(clGetEventProfilingInfo(a.event, CL_PROFILING_COMMAND_END, sizeof(cl_ulong),
                                             &(cl_ulong){0}, NULL),
                     CL_PROFILING_INFO_NOT_AVAILABLE);
    assert_success(clReleaseCommandQueue(a.queue));
    end_of(&a);
    assert_success(clRetainEvent(a.event)); /* alive: the event has it */
    assert_success(clReleaseEvent(a.event));
    assert_success(clReleaseEvent(a.event));
    assert_success(clReleaseMemObject(a.memory));
    assert_success(clReleaseKernel(a.kernel));
}

static void *wait_for(void *event)
{
    return (void *)(intptr_t)clWaitForEvents(1, (cl_event *)event);
}

/* Begins the job's kernel. Has it ended already? If not, it is waited for. */
static int ends_at_once(struct job *j)
{
    cl_ulong time;
    start(j);
    const int ended = clGetEventProfilingInfo(j->event, CL_PROFILING_COMMAND_END, sizeof time,
                                              &time, NULL) == CL_SUCCESS;
    assert_success(clFinish(j->queue));
    assert_success(clReleaseEvent(j->event));
    return ended;
}

/* While a thread waits, kernels run to their ends in the call that begins them: in each one, not just if the thread comes first. When it
 * has begun to wait cannot be seen but by that. */
static void another_thread_may_wait(void **state)
{
    const struct ocl *ocl = *state;
    enum { MOST = 10000, SURE = 200 };
    cl_int error;
    pthread_t thread;
    void *result;
    int tries = 0;
    cl_event gate = clCreateUserEvent(ocl->context, &error);
    assert_success(error);
    struct job a = job(ocl, 0, 0);
    assert_false(ends_at_once(&a));
    assert_int_equal(pthread_create(&thread, NULL, wait_for, &gate), 0);
    for (; !ends_at_once(&a); tries++) {
        assert_true(tries < MOST);
        usleep(1000);
    }
    for (int i = 0; i < SURE; i++)
        assert_true(ends_at_once(&a));
    assert_success(clSetUserEventStatus(gate, CL_COMPLETE));
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_int_equal((cl_int)(intptr_t)result, CL_SUCCESS);
    assert_success(clReleaseEvent(gate));
    start(&a);
    assert_success(clFinish(a.queue));
    finish(ocl, &a);
}

/* Kernels that print into one buffer keep apart; those of other programs need not. */
static void kernels_that_print_keep_apart(void **state)
{
    const struct ocl *ocl = *state;
    static const char prints[] = "__kernel void k(__global int *o, int times) {"
                                 "  if (times > 1000) printf(\"%d\", times); o[0] = times; }";
    struct job a = job(ocl, 0, 20), b = job(ocl, 0, 20), c = job(ocl, 0, 20);
    cl_kernel kernel = ocl_kernel(ocl, prints, "k"), own[2] = {a.kernel, b.kernel};
    assert_arg(kernel, 0, a.memory);
    assert_arg(kernel, 1, a.times);
    a.kernel = b.kernel = kernel;
    start(&a);
    start(&b);
    start(&c);
    assert_success(clFinish(a.queue));
    assert_success(clFinish(b.queue));
    assert_success(clFinish(c.queue));
    assert_true(begin_of(&b) >= end_of(&a));
    assert_int_equal(begin_of(&c), begin_of(&a));
    finish(ocl, &c);
    for (int i = 0; i < 2; i++) {
        struct job *j = i ? &b : &a;
        assert_success(clReleaseEvent(j->event));
        assert_success(clReleaseMemObject(j->memory));
        assert_success(clReleaseKernel(own[i]));
        assert_success(clReleaseCommandQueue(j->queue));
    }
    assert_success(clReleaseKernel(kernel));
}

/* A transfer beside a kernel takes its time, and none of the kernel's. */
static void a_transfer_takes_none_of_a_kernels_time(void **state)
{
    static cl_uchar bytes[1 << 20];
    const struct ocl *ocl = *state;
    struct job a = job(ocl, 0, 100);
    cl_mem other = ocl_buffer(ocl, sizeof bytes, NULL);
    cl_ulong took[3], ends[2] = {0, 0};
    cl_event write;
    for (int i = 0; i < 3; i++) { /* the second and the third find everything in L2 */
        start(&a);
        if (i == 2)
            assert_success(clEnqueueWriteBuffer(ocl->queue, other, CL_TRUE, 0, sizeof bytes, bytes,
                                                0, NULL, &write));
        assert_success(clFinish(a.queue));
        took[i] = end_of(&a) - begin_of(&a);
        if (i == 2)
            assert_success(clGetEventProfilingInfo(write, CL_PROFILING_COMMAND_END, sizeof ends[0],
                                                   &ends[0], NULL));
        ends[1] = end_of(&a);
        assert_success(clReleaseEvent(a.event));
    }
    /* Both ends are cut to whole nanoseconds, and a cycle may be shorter. */
    assert_in_range(took[2], took[1] - 1, took[1] + 1);
    start(&a);
    assert_success(clFinish(a.queue));
    assert_true(begin_of(&a) >= ends[0] && begin_of(&a) >= ends[1]);
    assert_success(clReleaseEvent(a.event));
    assert_success(clReleaseEvent(write));
    assert_success(clReleaseMemObject(other));
    assert_success(clReleaseMemObject(a.memory));
    assert_success(clReleaseKernel(a.kernel));
    assert_success(clReleaseCommandQueue(a.queue));
}

static int setup(void **state)
{
    setenv("HEDDLE_SET", "run.dispatch=kmu\nrun.observe=1", 1);
    return ocl_setup(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_of_two_queues_overlap),
        cmocka_unit_test(kernels_of_one_queue_follow_each_other),
        cmocka_unit_test(kernels_of_an_out_of_order_queue_overlap),
        cmocka_unit_test(a_kernel_waits_for_an_event_of_another_queue),
        cmocka_unit_test(a_third_kernel_waits_for_room),
        cmocka_unit_test(looking_lets_time_pass),
        cmocka_unit_test(a_flushed_callback_comes),
        cmocka_unit_test(a_released_queue_is_through),
        cmocka_unit_test(another_thread_may_wait),
        cmocka_unit_test(kernels_that_print_keep_apart),
        cmocka_unit_test(a_transfer_takes_none_of_a_kernels_time),
    };
    return cmocka_run_group_tests(tests, setup, ocl_teardown);
}
