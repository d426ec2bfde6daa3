/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/rect.c: rectangular reads, writes and copies of buffers. */
#include <string.h>

#include "tb/ocl/transfer.h"

/* A box in some memory, as the program describes it. */
struct box {
    const size_t *origin, *region;
    size_t row_pitch, slice_pitch;
    size_t first, bytes; /* computed: offset of its first byte, distance to behind its last */
};

/* *sum += a * b. Returns whether that overflows. */
static int add_overflows(size_t *sum, size_t a, size_t b)
{
    size_t product;
    return __builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(*sum, product, sum);
}

/* Fills in default pitches and computes the extent. Returns CL_SUCCESS or CL_INVALID_VALUE. */
static cl_int box_check(struct box *box)
{
    if (!box->origin || !box->region || !box->region[0] || !box->region[1] || !box->region[2])
        return CL_INVALID_VALUE;
    if (box->row_pitch == 0)
        box->row_pitch = box->region[0];
    size_t slice = 0;
    if (box->row_pitch < box->region[0] || add_overflows(&slice, box->region[1], box->row_pitch))
        return CL_INVALID_VALUE;
    if (box->slice_pitch == 0)
        box->slice_pitch = slice;
    if (box->slice_pitch < slice || box->slice_pitch % box->row_pitch)
        return CL_INVALID_VALUE;
    box->first = box->origin[0];
    box->bytes = box->region[0];
    return add_overflows(&box->first, box->origin[1], box->row_pitch) ||
                   add_overflows(&box->first, box->origin[2], box->slice_pitch) ||
                   add_overflows(&box->bytes, box->region[1] - 1, box->row_pitch) ||
                   add_overflows(&box->bytes, box->region[2] - 1, box->slice_pitch)
               ? CL_INVALID_VALUE
               : CL_SUCCESS;
}

static struct side box_side(const struct box *box, void *bytes)
{
    return (struct side){(uint8_t *)bytes + box->first, box->row_pitch, box->slice_pitch};
}

static cl_int read_or_write(const struct target *target, cl_mem memory, struct box device,
                            struct box program, void *host)
{
    const int reads = target->type == CL_COMMAND_READ_BUFFER_RECT;
    const cl_int error = transfer_check_buffer(target, memory);
    if (error != CL_SUCCESS)
        return error;
    if (!host || box_check(&device) != CL_SUCCESS || box_check(&program) != CL_SUCCESS ||
        !transfer_inside(memory, device.first, device.bytes))
        return CL_INVALID_VALUE;
    if (memory->flags & (reads ? REFUSES_READ : REFUSES_WRITE))
        return CL_INVALID_OPERATION;
    const struct side there = box_side(&device, memory->bytes), here = box_side(&program, host);
    struct copy copy = {reads ? here : there, reads ? there : here, {0}};
    memcpy(copy.region, device.region, sizeof copy.region);
    return transfer_submit(target, &copy, memory, NULL);
}

cl_int ocl_EnqueueReadBufferRect(cl_command_queue queue, cl_mem memory, cl_bool blocking,
                                 const size_t *buffer_origin, const size_t *host_origin,
                                 const size_t *region, size_t buffer_row_pitch,
                                 size_t buffer_slice_pitch, size_t host_row_pitch,
                                 size_t host_slice_pitch, void *host, cl_uint num_waits,
                                 const cl_event *wait_list, cl_event *event)
{
    API_ENTER;
    const struct target target = {
        queue, CL_COMMAND_READ_BUFFER_RECT, blocking, {num_waits, wait_list}, event};
    return read_or_write(
        &target, memory,
        (struct box){buffer_origin, region, buffer_row_pitch, buffer_slice_pitch, 0, 0},
        (struct box){host_origin, region, host_row_pitch, host_slice_pitch, 0, 0}, host);
}

cl_int ocl_EnqueueWriteBufferRect(cl_command_queue queue, cl_mem memory, cl_bool blocking,
                                  const size_t *buffer_origin, const size_t *host_origin,
                                  const size_t *region, size_t buffer_row_pitch,
                                  size_t buffer_slice_pitch, size_t host_row_pitch,
                                  size_t host_slice_pitch, const void *host, cl_uint num_waits,
                                  const cl_event *wait_list, cl_event *event)
{
    API_ENTER;
    const struct target target = {
        queue, CL_COMMAND_WRITE_BUFFER_RECT, blocking, {num_waits, wait_list}, event};
    return read_or_write(
        &target, memory,
        (struct box){buffer_origin, region, buffer_row_pitch, buffer_slice_pitch, 0, 0},
        (struct box){host_origin, region, host_row_pitch, host_slice_pitch, 0, 0}, (void *)host);
}

/* Whether copies of a piece of `size` bytes, repeated every `pitch`, can stay clear of the same
 * pieces `distance` away. */
static int fits_gap(size_t distance, size_t size, size_t pitch)
{
    const size_t shift = distance % pitch;
    return shift >= size && pitch - shift >= size;
}

/* Whether two boxes of one buffer have a byte in common. Boxes may interleave: rows in the gaps of
 * rows, slices in the gaps of slices. Boxes of different pitches are compared by their extents. */
static int boxes_overlap(const struct side *a, const struct side *b, const struct box *a_box,
                         const struct box *b_box)
{
    const size_t distance =
        a->bytes < b->bytes ? (size_t)(b->bytes - a->bytes) : (size_t)(a->bytes - b->bytes);
    if (distance >= (a->bytes < b->bytes ? a_box->bytes : b_box->bytes))
        return 0;
    if (a->row_pitch != b->row_pitch || a->slice_pitch != b->slice_pitch)
        return 1;
    const size_t *region = a_box->region;
    return !fits_gap(distance, region[0], a->row_pitch) &&
           !fits_gap(distance, (region[1] - 1) * a->row_pitch + region[0], a->slice_pitch);
}

cl_int ocl_EnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to,
                                 const size_t *from_origin, const size_t *to_origin,
                                 const size_t *region, size_t from_row_pitch,
                                 size_t from_slice_pitch, size_t to_row_pitch,
                                 size_t to_slice_pitch, cl_uint num_waits,
                                 const cl_event *wait_list, cl_event *event)
{
    API_ENTER;
    const struct target target = {
        queue, CL_COMMAND_COPY_BUFFER_RECT, CL_FALSE, {num_waits, wait_list}, event};
    cl_int error = transfer_check_buffer(&target, from);
    if (error == CL_SUCCESS)
        error = transfer_check_buffer(&target, to);
    if (error != CL_SUCCESS)
        return error;
    struct box source = {from_origin, region, from_row_pitch, from_slice_pitch, 0, 0};
    struct box destination = {to_origin, region, to_row_pitch, to_slice_pitch, 0, 0};
    if (box_check(&source) != CL_SUCCESS || box_check(&destination) != CL_SUCCESS ||
        !transfer_inside(from, source.first, source.bytes) ||
        !transfer_inside(to, destination.first, destination.bytes))
        return CL_INVALID_VALUE;
    if (from == to && (source.row_pitch != destination.row_pitch ||
                       source.slice_pitch != destination.slice_pitch))
        return CL_INVALID_VALUE;
    struct copy copy = {box_side(&destination, to->bytes), box_side(&source, from->bytes), {0}};
    memcpy(copy.region, region, sizeof copy.region);
    if (transfer_same_memory(from, to) &&
        boxes_overlap(&copy.to, &copy.from, &destination, &source))
        return CL_MEM_COPY_OVERLAP;
    return transfer_submit(&target, &copy, from, to);
}
