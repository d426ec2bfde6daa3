/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/misuse_buffer_test.c: wrong calls that make and move buffers. */
#include "tests/tb/ocl/misuse.h"

static void buffers(void **state)
{
    const struct ocl *ocl = *state;
    const cl_context context = ocl->context;
    const size_t most = (size_t)1 << 30, a_third = (size_t)-1 / 3;
    char bytes[64];
    cl_int status;
    const cl_buffer_region good = {128, 64}, empty = {0, 0}, far = {128, 4096}, odd = {100, 64};
    cl_mem mem = ocl_buffer(ocl, 512, NULL);
    cl_mem readable = clCreateBuffer(context, CL_MEM_READ_ONLY, 512, NULL, &status);
    cl_mem part = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &good, &status);
    const struct misuse cases[] = {
        MAKE(CL_INVALID_CONTEXT, clCreateBuffer(NO_CONTEXT, 0, 64, NULL, &status)),
        MAKE(CL_INVALID_VALUE, clCreateBuffer(context, (cl_mem_flags)1 << 30, 64, NULL, &status)),
        MAKE(CL_INVALID_VALUE,
             clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, NULL, &status)),
        MAKE(CL_INVALID_VALUE,
             clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY, 64, NULL, &status)),
        MAKE(CL_INVALID_VALUE, clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR,
                                              64, bytes, &status)),
        MAKE(CL_INVALID_VALUE, clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR,
                                              64, bytes, &status)),
        MAKE(CL_INVALID_VALUE,
             clCreateBuffer(context, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 64, NULL,
                            &status)),
        MAKE(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, 0, NULL, &status)),
        MAKE(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, most + 1, NULL, &status)),
        MAKE(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, (size_t)-1, NULL, &status)),
        MAKE(CL_INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 64, NULL, &status)),
        MAKE(CL_INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 64, NULL, &status)),
        MAKE(CL_INVALID_HOST_PTR, clCreateBuffer(context, 0, 64, bytes, &status)),
        MAKE(CL_INVALID_MEM_OBJECT,
             clCreateSubBuffer(part, 0, CL_BUFFER_CREATE_TYPE_REGION, &good, &status)),
        MAKE(CL_INVALID_MEM_OBJECT,
             clCreateSubBuffer(OTHER(cl_mem), 0, CL_BUFFER_CREATE_TYPE_REGION, &good, &status)),
        MAKE(CL_INVALID_VALUE, clCreateSubBuffer(mem, 0, 0x999, &good, &status)),
        MAKE(CL_INVALID_VALUE,
             clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, NULL, &status)),
        MAKE(CL_INVALID_VALUE,
             clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &far, &status)),
        MAKE(CL_INVALID_VALUE, clCreateSubBuffer(mem, CL_MEM_COPY_HOST_PTR,
                                                 CL_BUFFER_CREATE_TYPE_REGION, &good, &status)),
        MAKE(CL_INVALID_VALUE, clCreateSubBuffer(readable, CL_MEM_WRITE_ONLY,
                                                 CL_BUFFER_CREATE_TYPE_REGION, &good, &status)),
        MAKE(CL_INVALID_BUFFER_SIZE,
             clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &empty, &status)),
        MAKE(CL_MISALIGNED_SUB_BUFFER_OFFSET,
             clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &odd, &status)),
        CASE(CL_INVALID_MEM_OBJECT, clRetainMemObject(OTHER(cl_mem))),
        CASE(CL_INVALID_MEM_OBJECT, clReleaseMemObject(OTHER(cl_mem))),
        CASE(CL_INVALID_MEM_OBJECT, clReleaseMemObject(NULL)),
        CASE(CL_INVALID_VALUE, clGetMemObjectInfo(mem, 0x999, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(mem, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueReadBuffer(ocl->queue, mem, 1, 512, 1, bytes, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueReadBuffer(ocl->queue, mem, 1, (size_t)-8, 16, bytes, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueReadBuffer(ocl->queue, mem, 1, 0, 0, bytes, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueReadBuffer(ocl->queue, mem, 1, 0, 4, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_MEM_OBJECT,
             clEnqueueReadBuffer(ocl->queue, NULL, 1, 0, 4, bytes, 0, NULL, NULL)),
        CASE(CL_INVALID_MEM_OBJECT,
             clEnqueueWriteBuffer(ocl->queue, OTHER(cl_mem), 1, 0, 4, bytes, 0, NULL, NULL)),
        CASE(CL_INVALID_COMMAND_QUEUE,
             clEnqueueWriteBuffer(OTHER(cl_command_queue), mem, 1, 0, 4, bytes, 0, NULL, NULL)),
        CASE(CL_MEM_COPY_OVERLAP,
             clEnqueueCopyBuffer(ocl->queue, mem, mem, 0, 10, 11, 0, NULL, NULL)),
        CASE(CL_MEM_COPY_OVERLAP,
             clEnqueueCopyBuffer(ocl->queue, mem, part, 100, 0, 29, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueCopyBuffer(ocl->queue, mem, part, 0, 60, 5, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueFillBuffer(ocl->queue, mem, NULL, 4, 0, 4, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueFillBuffer(ocl->queue, mem, bytes, 3, 0, 3, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueFillBuffer(ocl->queue, mem, bytes, 0, 0, 4, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueFillBuffer(ocl->queue, mem, bytes, 4, 2, 4, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueFillBuffer(ocl->queue, mem, bytes, 4, 0, 6, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueFillBuffer(ocl->queue, mem, bytes, 4, 512, 4, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueFillBuffer(ocl->queue, mem, bytes, 4, (size_t)-4, 8, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueFillBuffer(ocl->queue, mem, bytes, 256, 0, 256, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueCopyBuffer(ocl->queue, mem, readable, 0, 0, 0, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueCopyBuffer(ocl->queue, mem, readable, (size_t)-8, 0, 16, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueCopyBuffer(ocl->queue, mem, readable, 0, 505, 8, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(ocl->queue, 1, NULL, 0, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueUnmapMemObject(ocl->queue, mem, bytes, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(ocl->queue, 0, &mem, 0, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(ocl->queue, 1, &mem, 64, 0, NULL, NULL)),
        MAKE(CL_INVALID_VALUE,
             clEnqueueMapBuffer(ocl->queue, mem, 1, CL_MAP_READ, 0, 513, 0, NULL, NULL, &status)),
        MAKE(CL_INVALID_VALUE,
             clEnqueueMapBuffer(ocl->queue, mem, 1, 64, 0, 4, 0, NULL, NULL, &status)),
        MAKE(CL_INVALID_VALUE,
             clEnqueueMapBuffer(ocl->queue, mem, 1, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0,
                                4, 0, NULL, NULL, &status)),
        CASE(CL_INVALID_VALUE,
             clEnqueueReadBufferRect(ocl->queue, mem, 1, (size_t[]){0, 0, 0}, (size_t[]){0, 0, 0},
                                     (size_t[]){8, 8, 0}, 0, 0, 0, 0, bytes, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueReadBufferRect(ocl->queue, mem, 1, (size_t[]){0, 0, 0}, (size_t[]){0, 0, 0},
                                     (size_t[]){8, 2, 1}, 4, 0, 0, 0, bytes, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueReadBufferRect(ocl->queue, mem, 1, (size_t[]){0, 0, 0}, (size_t[]){0, 0, 0},
                                     (size_t[]){8, 2, 1}, 16, 40, 0, 0, bytes, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueReadBufferRect(ocl->queue, mem, 1, (size_t[]){0, 64, 0}, (size_t[]){0, 0, 0},
                                     (size_t[]){8, 1, 1}, 0, 0, 0, 0, bytes, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueReadBufferRect(ocl->queue, mem, 1, (size_t[]){0, a_third, 0},
                                     (size_t[]){0, 0, 0}, (size_t[]){8, 1, 1}, 0, 0, 0, 0, bytes, 0,
                                     NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueCopyBufferRect(ocl->queue, mem, mem, (size_t[]){0, 0, 0}, (size_t[]){0, 4, 0},
                                     (size_t[]){8, 1, 1}, 8, 0, 16, 0, 0, NULL, NULL)),
    };
    CHECK(cases);
    assert_success(clReleaseMemObject(part));
    assert_success(clReleaseMemObject(readable));
    assert_success(clReleaseMemObject(mem));
}

/* The flags of a part may not widen what its whole allows. */
static void parts(void **state)
{
    static const struct {
        cl_mem_flags whole, part;
        cl_int error;
    } flags[] = {
        {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_INVALID_VALUE},
        {CL_MEM_READ_ONLY, CL_MEM_READ_WRITE, CL_INVALID_VALUE},
        {CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY, CL_INVALID_VALUE},
        {CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE, CL_INVALID_VALUE},
        {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_SUCCESS},
        {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, CL_INVALID_VALUE},
        {CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY, CL_INVALID_VALUE},
        {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, CL_INVALID_VALUE},
        {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY, CL_INVALID_VALUE},
        {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY, CL_INVALID_VALUE},
        {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS, CL_SUCCESS},
        {0, CL_MEM_USE_HOST_PTR, CL_INVALID_VALUE},
        {0, CL_MEM_ALLOC_HOST_PTR, CL_INVALID_VALUE},
        {0, CL_MEM_COPY_HOST_PTR, CL_INVALID_VALUE},
        {0, (cl_mem_flags)1 << 30, CL_INVALID_VALUE},
    };
    const struct ocl *ocl = *state;
    const cl_buffer_region region = {0, 64};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        cl_int error;
        cl_mem whole = clCreateBuffer(ocl->context, flags[i].whole, 64, NULL, &error);
        assert_success(error);
        cl_mem part =
            clCreateSubBuffer(whole, flags[i].part, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
        assert_int_equal(error, flags[i].error);
        assert_int_equal(part != NULL, error == CL_SUCCESS);
        if (part)
            assert_success(clReleaseMemObject(part));
        assert_success(clReleaseMemObject(whole));
    }
}

/* Boxes that are empty, outside, or have pitches that are too small. */
static void boxes(void **state)
{
    static char host[4096];
    static const struct {
        size_t origin[3], region[3], row, slice;
    } wrong[] = {
        {{0, 0, 0}, {0, 1, 1}, 0, 0},          {{0, 0, 0}, {1, 0, 1}, 0, 0},
        {{0, 0, 0}, {1, 1, 0}, 0, 0},          {{0, 0, 0}, {8, 2, 1}, 7, 0},
        {{0, 0, 0}, {8, 2, 2}, 8, 8},          {{0, 0, 0}, {8, 2, 2}, 8, 20},
        {{512, 0, 0}, {1, 1, 1}, 0, 0},        {{505, 0, 0}, {8, 1, 1}, 0, 0},
        {{0, 63, 0}, {8, 2, 1}, 8, 0},         {{0, 0, 31}, {8, 2, 2}, 8, 16},
        {{(size_t)-1, 0, 0}, {8, 1, 1}, 0, 0}, {{0, (size_t)-1, 0}, {8, 1, 1}, 0, 0},
        {{0, 0, (size_t)-1}, {8, 1, 1}, 0, 0}, {{0, 0, 0}, {8, 2, 1}, (size_t)-1, 0},
        {{0, 0, 0}, {8, (size_t)-1, 1}, 0, 0}, {{0, 0, 0}, {8, (size_t)1 << 62, 4}, 0, 0},
    };
    const struct ocl *ocl = *state;
    const cl_command_queue q = ocl->queue;
    const size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    cl_mem m = ocl_buffer(ocl, 512, NULL), other = ocl_buffer(ocl, 512, NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const size_t *o = wrong[i].origin, *r = wrong[i].region, p = wrong[i].row,
                     s = wrong[i].slice;
        const struct misuse cases[] = {
            CASE(CL_INVALID_VALUE,
                 clEnqueueReadBufferRect(q, m, 1, o, zero, r, p, s, 0, 0, host, 0, NULL, NULL)),
            CASE(CL_INVALID_VALUE,
                 clEnqueueWriteBufferRect(q, m, 1, o, zero, r, p, s, 0, 0, host, 0, NULL, NULL)),
            CASE(CL_INVALID_VALUE,
                 clEnqueueCopyBufferRect(q, m, other, o, zero, r, p, s, 0, 0, 0, NULL, NULL)),
            CASE(CL_INVALID_VALUE,
                 clEnqueueCopyBufferRect(q, other, m, zero, o, r, 0, 0, p, s, 0, NULL, NULL)),
        };
        CHECK(cases);
    }
    const struct misuse cases[] = {
        CASE(CL_INVALID_VALUE,
             clEnqueueReadBufferRect(q, m, 1, NULL, zero, one, 0, 0, 0, 0, host, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueReadBufferRect(q, m, 1, zero, NULL, one, 0, 0, 0, 0, host, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueReadBufferRect(q, m, 1, zero, zero, NULL, 0, 0, 0, 0, host, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueReadBufferRect(q, m, 1, zero, zero, one, 0, 0, 0, 0, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE,
             clEnqueueWriteBufferRect(q, m, 1, zero, zero, one, 0, 0, 0, 0, NULL, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueReadBufferRect(q, m, 1, zero, zero, (size_t[]){8, 2, 1}, 0,
                                                       0, 7, 0, host, 0, NULL, NULL)),
        CASE(CL_INVALID_VALUE, clEnqueueWriteBufferRect(q, m, 1, zero, zero, (size_t[]){8, 2, 2}, 0,
                                                        0, 8, 8, host, 0, NULL, NULL)),
        CASE(CL_MEM_COPY_OVERLAP,
             clEnqueueCopyBufferRect(q, m, m, zero, (size_t[]){4, 0, 0}, (size_t[]){8, 2, 1}, 16, 0,
                                     16, 0, 0, NULL, NULL)),
        CASE(CL_SUCCESS, clEnqueueCopyBufferRect(q, m, m, zero, (size_t[]){8, 0, 0},
                                                 (size_t[]){8, 2, 1}, 16, 0, 16, 0, 0, NULL, NULL)),
    };
    CHECK(cases);
    assert_success(clReleaseMemObject(m));
    assert_success(clReleaseMemObject(other));
}

/* A buffer that the host may not read, or write, or touch. */
static void host_access_is_refused(void **state)
{
    static const struct {
        cl_mem_flags flags;
        cl_int reading, writing;
    } cases[] = {
        {CL_MEM_HOST_WRITE_ONLY, CL_INVALID_OPERATION, CL_SUCCESS},
        {CL_MEM_HOST_READ_ONLY, CL_SUCCESS, CL_INVALID_OPERATION},
        {CL_MEM_HOST_NO_ACCESS, CL_INVALID_OPERATION, CL_INVALID_OPERATION},
    };
    const struct ocl *ocl = *state;
    for (int i = 0; i < 3; i++) {
        cl_int error, value = 0;
        cl_mem mem = clCreateBuffer(ocl->context, cases[i].flags, 64, NULL, &error);
        assert_success(error);
        assert_int_equal(
            clEnqueueReadBuffer(ocl->queue, mem, 1, 0, sizeof value, &value, 0, NULL, NULL),
            cases[i].reading);
        assert_int_equal(
            clEnqueueWriteBuffer(ocl->queue, mem, 1, 0, sizeof value, &value, 0, NULL, NULL),
            cases[i].writing);
        for (int writes = 0; writes < 2; writes++) {
            void *p = clEnqueueMapBuffer(ocl->queue, mem, 1, writes ? CL_MAP_WRITE : CL_MAP_READ, 0,
                                         4, 0, NULL, NULL, &error);
            assert_int_equal(error, writes ? cases[i].writing : cases[i].reading);
            if (p)
                assert_success(clEnqueueUnmapMemObject(ocl->queue, mem, p, 0, NULL, NULL));
        }
        assert_success(clReleaseMemObject(mem));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers),
        cmocka_unit_test(parts),
        cmocka_unit_test(boxes),
        cmocka_unit_test(host_access_is_refused),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
