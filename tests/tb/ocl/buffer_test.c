/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/buffer_test.c: what transfers do to bytes, against plain loops. */
#include <stdlib.h>
#include <string.h>

#include "tests/tb/ocl/ocl_support.h"

enum { BYTES = 4096 };

static void fill_pattern(unsigned char *bytes, size_t size, unsigned seed)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 256 + seed);
}

static void linear_transfers_move_their_bytes(void **state)
{
    static unsigned char model[BYTES], other[BYTES], seen[BYTES];
    const struct ocl *ocl = *state;
    fill_pattern(model, BYTES, 1);
    fill_pattern(other, BYTES, 99);
    cl_mem a = ocl_buffer(ocl, BYTES, model);
    cl_mem b = ocl_buffer(ocl, BYTES, other);
    assert_success(
        clEnqueueWriteBuffer(ocl->queue, a, CL_FALSE, 100, 50, other + 3, 0, NULL, NULL));
    memcpy(model + 100, other + 3, 50);
    assert_success(clEnqueueCopyBuffer(ocl->queue, b, a, 1000, 2000, 77, 0, NULL, NULL));
    memcpy(model + 2000, other + 1000, 77);
    assert_success(clEnqueueCopyBuffer(ocl->queue, a, a, 0, 300, 300, 0, NULL, NULL));
    memcpy(model + 300, model, 300);
    const cl_ushort pattern = 0xbeef;
    assert_success(clEnqueueFillBuffer(ocl->queue, a, &pattern, 2, 3000, 100, 0, NULL, NULL));
    for (int i = 0; i < 100; i++)
        model[3000 + i] = i % 2 ? 0xbe : 0xef;
    ocl_read(ocl, a, BYTES, seen);
    assert_memory_equal(seen, model, BYTES);
    memset(seen, 0, BYTES);
    assert_success(clEnqueueReadBuffer(ocl->queue, a, CL_TRUE, 4000, 96, seen + 5, 0, NULL, NULL));
    assert_memory_equal(seen + 5, model + 4000, 96);
    assert_int_equal(seen[4] | seen[101], 0);
    assert_success(clReleaseMemObject(a));
    assert_success(clReleaseMemObject(b));
}

/* One side of a rectangular transfer. */
struct side {
    size_t origin[3], row, slice;
};

static size_t place(const struct side *s, const size_t region[3], size_t x, size_t y, size_t z)
{
    const size_t row = s->row ? s->row : region[0];
    const size_t slice = s->slice ? s->slice : region[1] * row;
    return (s->origin[2] + z) * slice + (s->origin[1] + y) * row + s->origin[0] + x;
}

static void move_box(unsigned char *to, const struct side *t, const unsigned char *from,
                     const struct side *f, const size_t region[3])
{
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            for (size_t x = 0; x < region[0]; x++)
                to[place(t, region, x, y, z)] = from[place(f, region, x, y, z)];
}

static void boxes_move_byte_by_byte(void **state)
{
    static const struct {
        struct side device, host;
        size_t region[3];
    } cases[] = {
        {{{0, 0, 0}, 0, 0}, {{0, 0, 0}, 0, 0}, {16, 4, 2}},
        {{{3, 2, 1}, 32, 320}, {{1, 0, 2}, 20, 200}, {9, 5, 3}},
        {{{0, 7, 0}, 64, 0}, {{5, 1, 0}, 33, 0}, {28, 3, 1}},
        {{{1, 1, 1}, 10, 100}, {{0, 0, 0}, 10, 50}, {1, 1, 10}},
    };
    static unsigned char model[BYTES], host[BYTES], seen[BYTES], copy[BYTES];
    const struct ocl *ocl = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct side *d = &cases[i].device, *h = &cases[i].host;
        const size_t *region = cases[i].region;
        fill_pattern(model, BYTES, 1);
        fill_pattern(host, BYTES, 200);
        memcpy(copy, host, BYTES);
        cl_mem a = ocl_buffer(ocl, BYTES, model), b = ocl_buffer(ocl, BYTES, host);
        assert_success(clEnqueueReadBufferRect(ocl->queue, a, CL_TRUE, d->origin, h->origin, region,
                                               d->row, d->slice, h->row, h->slice, host, 0, NULL,
                                               NULL));
        move_box(copy, h, model, d, region);
        assert_memory_equal(host, copy, BYTES);

        fill_pattern(host, BYTES, 50);
        assert_success(clEnqueueWriteBufferRect(ocl->queue, a, CL_TRUE, d->origin, h->origin,
                                                region, d->row, d->slice, h->row, h->slice, host, 0,
                                                NULL, NULL));
        move_box(model, d, host, h, region);
        ocl_read(ocl, a, BYTES, seen);
        assert_memory_equal(seen, model, BYTES);

        ocl_read(ocl, b, BYTES, copy);
        assert_success(clEnqueueCopyBufferRect(ocl->queue, a, b, d->origin, h->origin, region,
                                               d->row, d->slice, h->row, h->slice, 0, NULL, NULL));
        move_box(copy, h, model, d, region);
        ocl_read(ocl, b, BYTES, seen);
        assert_memory_equal(seen, copy, BYTES);
        assert_success(clReleaseMemObject(a));
        assert_success(clReleaseMemObject(b));
    }
}

/* Boxes in one buffer: all placements of small boxes, overlap decided byte by byte. */
static void overlap_is_found_exactly(void **state)
{
    enum { ROW = 6, SLICE = 24, SIZE = 120 };
    const struct ocl *ocl = *state;
    cl_mem memory = ocl_buffer(ocl, SIZE, NULL);
    unsigned overlapping = 0, apart = 0;
    srand(3);
    for (int n = 0; n < 3000; n++) {
        const size_t region[3] = {1 + rand() % 3, 1 + rand() % 2, 1 + rand() % 2};
        const struct side a = {
            {rand() % (ROW - region[0]), rand() % (4 - region[1]), rand() % (5 - region[2])},
            ROW,
            SLICE};
        const struct side b = {
            {rand() % (ROW - region[0]), rand() % (4 - region[1]), rand() % (5 - region[2])},
            ROW,
            SLICE};
        char used[SIZE] = {0};
        int overlaps = 0;
        for (int side = 0; side < 2; side++)
            for (size_t z = 0; z < region[2]; z++)
                for (size_t y = 0; y < region[1]; y++)
                    for (size_t x = 0; x < region[0]; x++)
                        overlaps |= used[place(side ? &b : &a, region, x, y, z)]++;
        const cl_int error = clEnqueueCopyBufferRect(ocl->queue, memory, memory, a.origin, b.origin,
                                                     region, ROW, SLICE, ROW, SLICE, 0, NULL, NULL);
        assert_int_equal(error, overlaps ? CL_MEM_COPY_OVERLAP : CL_SUCCESS);
        *(overlaps ? &overlapping : &apart) += 1;
    }
    assert_true(overlapping > 100 && apart > 100);
    assert_success(clReleaseMemObject(memory));
}

static void mapped_memory_is_the_buffer(void **state)
{
    const struct ocl *ocl = *state;
    cl_int error, value = 77;
    cl_uint count;
    cl_int numbers[64] = {0}, seen[64];
    cl_mem memory = ocl_buffer(ocl, sizeof numbers, numbers);
    cl_int *all = clEnqueueMapBuffer(ocl->queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                     sizeof numbers, 0, NULL, NULL, &error);
    assert_success(error);
    cl_int *part = clEnqueueMapBuffer(ocl->queue, memory, CL_TRUE, CL_MAP_WRITE, 64, 64, 0, NULL,
                                      NULL, &error);
    assert_success(error);
    assert_ptr_equal(part, all + 16);
    assert_success(clGetMemObjectInfo(memory, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    assert_int_equal(count, 2);
    part[1] = value;
    assert_success(clEnqueueUnmapMemObject(ocl->queue, memory, part, 0, NULL, NULL));
    assert_success(clEnqueueUnmapMemObject(ocl->queue, memory, all, 0, NULL, NULL));
    assert_int_equal(clEnqueueUnmapMemObject(ocl->queue, memory, all, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_success(clGetMemObjectInfo(memory, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    assert_int_equal(count, 0);
    ocl_read(ocl, memory, sizeof seen, seen);
    for (int i = 0; i < 64; i++)
        assert_int_equal(seen[i], i == 17 ? value : 0);
    assert_success(clReleaseMemObject(memory));
}

/* With CL_MEM_USE_HOST_PTR kernels work on the program's own bytes. */
static void host_memory_is_used_in_place(void **state)
{
    static const char source[] = "__kernel void k(__global int *o) { o[get_global_id(0)] *= 3; }\n";
    const struct ocl *ocl = *state;
    static cl_int numbers[32];
    cl_int error;
    void *pointer;
    cl_kernel kernel = ocl_kernel(ocl, source, "k");
    for (int i = 0; i < 32; i++)
        numbers[i] = i;
    cl_mem memory =
        clCreateBuffer(ocl->context, CL_MEM_USE_HOST_PTR, sizeof numbers, numbers, &error);
    assert_success(error);
    assert_arg(kernel, 0, memory);
    ocl_run(ocl, kernel, 32, 0);
    for (int i = 0; i < 32; i++)
        assert_int_equal(numbers[i], 3 * i);
    pointer =
        clEnqueueMapBuffer(ocl->queue, memory, CL_TRUE, CL_MAP_READ, 4, 8, 0, NULL, NULL, &error);
    assert_ptr_equal(pointer, numbers + 1);
    assert_success(clEnqueueUnmapMemObject(ocl->queue, memory, pointer, 0, NULL, NULL));
    assert_success(clGetMemObjectInfo(memory, CL_MEM_HOST_PTR, sizeof pointer, &pointer, NULL));
    assert_ptr_equal(pointer, numbers);
    assert_success(clReleaseMemObject(memory));
    assert_success(clReleaseKernel(kernel));
}

struct destroyed {
    cl_mem memory;
    int order[2], count;
};

static void CL_CALLBACK first_destructor(cl_mem memory, void *data)
{
    struct destroyed *d = data;
    d->memory = memory;
    d->order[d->count++] = 1;
}

static void CL_CALLBACK second_destructor(cl_mem memory, void *data)
{
    struct destroyed *d = data;
    d->memory = memory;
    d->order[d->count++] = 2;
}

/* Called when nothing needs the buffer any more, last registered first. */
static void destructors_are_called(void **state)
{
    const struct ocl *ocl = *state;
    struct destroyed d = {0};
    cl_int error;
    const cl_buffer_region region = {0, 64};
    cl_mem memory = ocl_buffer(ocl, 128, NULL);
    cl_mem part = clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    assert_success(clSetMemObjectDestructorCallback(memory, first_destructor, &d));
    assert_success(clSetMemObjectDestructorCallback(memory, second_destructor, &d));
    assert_success(clRetainMemObject(memory));
    assert_success(clReleaseMemObject(memory));
    assert_success(clReleaseMemObject(memory));
    assert_int_equal(d.count, 0);
    assert_success(clReleaseMemObject(part));
    assert_int_equal(d.count, 2);
    assert_int_equal(d.order[0], 2);
    assert_int_equal(d.order[1], 1);
    assert_ptr_equal(d.memory, memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_transfers_move_their_bytes),
        cmocka_unit_test(boxes_move_byte_by_byte),
        cmocka_unit_test(overlap_is_found_exactly),
        cmocka_unit_test(mapped_memory_is_the_buffer),
        cmocka_unit_test(host_memory_is_used_in_place),
        cmocka_unit_test(destructors_are_called),
    };
    return cmocka_run_group_tests(tests, ocl_setup, ocl_teardown);
}
