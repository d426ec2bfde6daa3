/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/duration_test.c: what transfers take of simulated time, of each command, worked out from the configuration; the
 * times of events, one after the other; and that a kernel takes what it takes, whatever is transferred. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw.h"
#include "tb/config.h"
#include "tests/tb/ocl/ocl_support.h"

enum { BYTES = 1 << 20 };

struct times {
    cl_ulong queued, submit, start, end;
};

static struct config configuration(void)
{
    struct config c;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.ini", getenv("HEDDLE_BUILD"), CONFIG_NAME);
    assert_int_equal(config_read(&c, path, stderr), 0);
    return c;
}

/* Takes an event's times, in their order, and releases it. */
static struct times take(cl_event event)
{
    static const cl_profiling_info names[] = {CL_PROFILING_COMMAND_QUEUED,
                                              CL_PROFILING_COMMAND_SUBMIT,
                                              CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
    cl_ulong t[4];
    assert_success(clWaitForEvents(1, &event));
    for (int i = 0; i < 4; i++)
        assert_success(clGetEventProfilingInfo(event, names[i], sizeof t[i], &t[i], NULL));
    for (int i = 0; i < 3; i++)
        assert_true(t[i] <= t[i + 1]);
    assert_success(clReleaseEvent(event));
    return (struct times){t[0], t[1], t[2], t[3]};
}

/* Rounded up, of 10^6 bytes per second: the time of an event that moves so many bytes. */
static void expect(const char *what, cl_event event, double bytes, double mb_per_s)
{
    const struct times t = take(event);
    const double least = (double)configuration().link_latency_ns,
                 expected = least + ceil(bytes * 1e3 / mb_per_s);
    if ((double)(t.end - t.start) != expected || t.end <= t.start)
        fail_msg("%s: %lu ns, expected %.0f", what, (unsigned long)(t.end - t.start), expected);
}

struct rates {
    double link, memory; /* MB/s */
};

static struct rates rates(void)
{
    const struct config c = configuration();
    return (struct rates){(double)c.link_mb_per_s,
                          (double)(c.dram_channels * c.dram_bytes_per_cycle * c.dram_clock_mhz)};
}

/* First of all: before any kernel has run. */
static void buffers(void **state)
{
    static cl_uchar host[BYTES];
    const struct ocl *ocl = *state;
    const struct rates r = rates();
    const cl_ushort pattern = 0x1234;
    const size_t origin[3] = {0, 0, 0}, region[3] = {100, 20, 3};
    cl_int error;
    cl_event event;
    cl_command_queue q = ocl->queue;
    cl_mem a = clCreateBuffer(ocl->context, 0, BYTES, NULL, &error),
           b = clCreateBuffer(ocl->context, 0, BYTES, NULL, &error);
    assert_success(clEnqueueWriteBuffer(q, a, CL_FALSE, 0, BYTES, host, 0, NULL, &event));
    expect("write", event, BYTES, r.link);
    assert_success(clEnqueueWriteBuffer(q, a, CL_TRUE, 5, 1, host, 0, NULL, &event));
    expect("write of one byte", event, 1, r.link);
    assert_success(clEnqueueReadBuffer(q, a, CL_TRUE, 0, 77777, host, 0, NULL, &event));
    expect("read", event, 77777, r.link);
    assert_success(clEnqueueCopyBuffer(q, a, b, 0, 0, BYTES, 0, NULL, &event));
    expect("copy", event, 2.0 * BYTES, r.memory);
    assert_success(clEnqueueFillBuffer(q, a, &pattern, 2, 0, 65538, 0, NULL, &event));
    expect("fill", event, 65538, r.memory);
    assert_success(clEnqueueWriteBufferRect(q, a, CL_FALSE, origin, origin, region, 200, 8000, 100,
                                            2000, host, 0, NULL, &event));
    expect("write of a box", event, 6000, r.link);
    assert_success(clEnqueueReadBufferRect(q, a, CL_TRUE, origin, origin, region, 200, 8000, 100,
                                           2000, host, 0, NULL, &event));
    expect("read of a box", event, 6000, r.link);
    assert_success(clEnqueueCopyBufferRect(q, a, b, origin, origin, region, 200, 8000, 100, 2000, 0,
                                           NULL, &event));
    expect("copy of a box", event, 12000, r.memory);
    assert_success(clReleaseMemObject(a));
    assert_success(clReleaseMemObject(b));
}

/* What the program will see moves when it is mapped, what it may have written when it is unmapped. */
static void mapping(void **state)
{
    static const struct {
        cl_map_flags flags;
        double mapped, unmapped;
    } cases[] = {{CL_MAP_READ, 3000, 0},
                 {CL_MAP_WRITE, 3000, 3000},
                 {CL_MAP_READ | CL_MAP_WRITE, 3000, 3000},
                 {CL_MAP_WRITE_INVALIDATE_REGION, 0, 3000}};
    const struct ocl *ocl = *state;
    const struct rates r = rates();
    cl_int error;
    cl_event event;
    cl_mem a = ocl_buffer(ocl, 4096, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        void *p = clEnqueueMapBuffer(ocl->queue, a, CL_TRUE, cases[i].flags, 8, 3000, 0, NULL,
                                     &event, &error);
        assert_success(error);
        expect("map", event, cases[i].mapped, r.link);
        assert_success(clEnqueueUnmapMemObject(ocl->queue, a, p, 0, NULL, &event));
        expect("unmap", event, cases[i].unmapped, r.link);
    }
    assert_success(clReleaseMemObject(a));
}

static void images(void **state)
{
    static cl_uchar host[64 * 32 * 8];
    const struct ocl *ocl = *state;
    const struct rates r = rates();
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT16};
    const cl_image_desc shape = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 32};
    const size_t origin[3] = {1, 2, 0}, region[3] = {30, 20, 1};
    const cl_uint colour[4] = {1, 2, 3, 4};
    const double bytes = 30 * 20 * 8;
    size_t pitch;
    cl_int error;
    cl_event event;
    cl_command_queue q = ocl->queue;
    cl_mem a = clCreateImage(ocl->context, 0, &format, &shape, NULL, &error),
           b = clCreateImage(ocl->context, 0, &format, &shape, NULL, &error),
           c = ocl_buffer(ocl, sizeof host, host);
    assert_success(
        clEnqueueWriteImage(q, a, CL_FALSE, origin, region, 0, 0, host, 0, NULL, &event));
    expect("write of an image", event, bytes, r.link);
    assert_success(clEnqueueReadImage(q, a, CL_TRUE, origin, region, 0, 0, host, 0, NULL, &event));
    expect("read of an image", event, bytes, r.link);
    assert_success(clEnqueueCopyImage(q, a, b, origin, origin, region, 0, NULL, &event));
    expect("copy of an image", event, 2 * bytes, r.memory);
    assert_success(clEnqueueCopyImageToBuffer(q, a, c, origin, region, 0, 0, NULL, &event));
    expect("copy of an image to a buffer", event, 2 * bytes, r.memory);
    assert_success(clEnqueueCopyBufferToImage(q, c, a, 0, origin, region, 0, NULL, &event));
    expect("copy of a buffer to an image", event, 2 * bytes, r.memory);
    assert_success(clEnqueueFillImage(q, a, colour, origin, region, 0, NULL, &event));
    expect("fill of an image", event, bytes, r.memory);
    void *p = clEnqueueMapImage(q, a, CL_TRUE, CL_MAP_WRITE, origin, region, &pitch, NULL, 0, NULL,
                                &event, &error);
    assert_success(error);
    expect("map of an image", event, bytes, r.link);
    assert_success(clEnqueueUnmapMemObject(q, a, p, 0, NULL, &event));
    expect("unmap of an image", event, bytes, r.link);
    assert_success(clReleaseMemObject(a));
    assert_success(clReleaseMemObject(b));
    assert_success(clReleaseMemObject(c));
}

/* Commands of all kinds in one queue: each begins when the one before has ended, or later. Markers move nothing. */
static void one_after_the_other(void **state)
{
    static const char text[] = "__kernel void k(__global int *o) { o[get_global_id(0)] += 1; }\n";
    static cl_uchar host[BYTES];
    enum { ROUNDS = 3, KINDS = 5 };
    const struct ocl *ocl = *state;
    const size_t items = 64;
    cl_kernel kernel = ocl_kernel(ocl, text, "k");
    cl_mem a = ocl_buffer(ocl, BYTES, host);
    cl_event events[ROUNDS][KINDS];
    struct times kernels[ROUNDS] = {{0, 0, 0, 0}};
    cl_ulong end = 0;
    assert_arg(kernel, 0, a);
    for (int i = 0; i < ROUNDS; i++) {
        const size_t size = BYTES >> 3 * i;
        cl_event *e = events[i];
        assert_success(
            clEnqueueWriteBuffer(ocl->queue, a, CL_FALSE, 0, size, host, 0, NULL, &e[0]));
        assert_success(
            clEnqueueNDRangeKernel(ocl->queue, kernel, 1, NULL, &items, &items, 0, NULL, &e[1]));
        assert_success(clEnqueueReadBuffer(ocl->queue, a, CL_FALSE, 0, size, host, 0, NULL, &e[2]));
        assert_success(clEnqueueMarkerWithWaitList(ocl->queue, 0, NULL, &e[3]));
        assert_success(clEnqueueMigrateMemObjects(ocl->queue, 1, &a, 0, 0, NULL, &e[4]));
    }
    for (int i = 0; i < ROUNDS; i++)
        for (int k = 0; k < KINDS; k++) {
            const struct times t = take(events[i][k]);
            assert_true(end <= t.start);
            assert_int_equal(t.start < t.end, k < 3);
            end = t.end;
            if (k == 1)
                kernels[i] = t;
        }
    /* the last two find everything in L2 */
    assert_int_equal(kernels[2].end - kernels[2].start, kernels[1].end - kernels[1].start);
    assert_success(clReleaseMemObject(a));
    assert_success(clReleaseKernel(kernel));
}

/* What has failed has moved nothing. */
static void a_failed_transfer(void **state)
{
    const struct ocl *ocl = *state;
    cl_int error, value = 0;
    cl_ulong before, after;
    cl_event gate = clCreateUserEvent(ocl->context, &error), event;
    cl_mem a = ocl_buffer(ocl, BYTES, NULL);
    assert_success(clEnqueueMarkerWithWaitList(ocl->queue, 0, NULL, &event));
    before = take(event).end;
    assert_success(clSetUserEventStatus(gate, -5));
    clEnqueueWriteBuffer(ocl->queue, a, CL_FALSE, 0, sizeof value, &value, 1, &gate, NULL);
    assert_success(clEnqueueMarkerWithWaitList(ocl->queue, 0, NULL, &event));
    after = take(event).end;
    assert_int_equal(after, before);
    assert_success(clReleaseEvent(gate));
    assert_success(clReleaseMemObject(a));
}

/* A program that chooses between maps and copies by it knows that either takes time. */
static void memory_is_not_unified(void **state)
{
    const struct ocl *ocl = *state;
    cl_bool unified = 2;
    assert_success(clGetDeviceInfo(ocl->device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified,
                                   &unified, NULL));
    assert_int_equal(unified, CL_FALSE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers),
        cmocka_unit_test(mapping),
        cmocka_unit_test(images),
        cmocka_unit_test(one_after_the_other),
        cmocka_unit_test(a_failed_transfer),
        cmocka_unit_test(memory_is_not_unified),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
