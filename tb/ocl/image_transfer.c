/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/image_transfer.c: the commands that read, write, copy, fill and map images. A region of
 * texels is a box of bytes; transfer.c moves it. */
#include <string.h>

#include "tb/ocl/duration.h"
#include "tb/ocl/image.h"
#include "tb/ocl/info.h"
#include "tb/ocl/map.h"
#include "tb/ocl/transfer.h"

struct fill {
    struct side to;
    size_t region[3], texel_bytes; /* in texels */
    uint8_t texel[16];
};

/* Checks queue, image, contexts and wait list. */
static cl_int check(const struct target *target, cl_mem memory)
{
    if (!IS_QUEUE(target->queue))
        return CL_INVALID_COMMAND_QUEUE;
    return IS_IMAGE(memory) ? transfer_check(target, memory) : CL_INVALID_MEM_OBJECT;
}

/* Whether a region lies in the image, and says 0 and 1 in the dimensions that it has not. */
static int inside(const struct image *image, const size_t *origin, const size_t *region)
{
    if (!origin || !region)
        return 0;
    for (int i = 0; i < 3; i++)
        if (region[i] == 0 || origin[i] > image->extent[i] ||
            region[i] > image->extent[i] - origin[i])
            return 0;
    return 1;
}

static size_t bytes_of(const struct image *image, const size_t *region)
{
    return region[0] * region[1] * region[2] * image->pitch[0];
}

/* The bytes where a region begins, and how its rows and slices follow each other. */
static struct side side_of(const cl_mem memory, const size_t *origin)
{
    const struct image *image = memory->image;
    uint8_t *bytes = memory->bytes;
    for (int i = 0; i < image->dimensions; i++)
        bytes += origin[i] * image->pitch[i];
    return (struct side){bytes, image->pitch[1], image->pitch[2]};
}

static struct copy copy_of(const struct image *image, struct side to, struct side from,
                           const size_t *region)
{
    return (struct copy){to, from, {region[0] * image->pitch[0], region[1], region[2]}};
}

/* The program's side. The layers of a one-dimensional array lie a slice apart. Returns CL_SUCCESS
 * or CL_INVALID_VALUE. */
static cl_int host_side(const struct image *image, const size_t *region, size_t row_pitch,
                        size_t slice_pitch, void *host, struct side *side)
{
    const int has_slices = image->desc.image_depth || image->desc.image_array_size;
    const int layer_is_row = image->desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const size_t row = region[0] * image->pitch[0], rows = layer_is_row ? 1 : region[1];
    size_t slice, end;
    if (row_pitch == 0)
        row_pitch = row;
    if (!host || row_pitch < row || (slice_pitch && !has_slices) ||
        __builtin_mul_overflow(row_pitch, rows, &slice))
        return CL_INVALID_VALUE;
    if (slice_pitch == 0)
        slice_pitch = slice;
    if (slice_pitch < slice ||
        __builtin_mul_overflow(slice_pitch, layer_is_row ? region[1] : region[2], &end))
        return CL_INVALID_VALUE;
    *side = (struct side){host, layer_is_row ? slice_pitch : row_pitch, slice_pitch};
    return CL_SUCCESS;
}

/* Reads (CL_COMMAND_READ_IMAGE) or writes. */
static cl_int read_or_write(const struct target *target, cl_mem memory, const size_t *origin,
                            const size_t *region, size_t row_pitch, size_t slice_pitch, void *host)
{
    const int reads = target->type == CL_COMMAND_READ_IMAGE;
    struct side program;
    cl_int error = check(target, memory);
    if (error != CL_SUCCESS)
        return error;
    if (!inside(memory->image, origin, region))
        return CL_INVALID_VALUE;
    error = host_side(memory->image, region, row_pitch, slice_pitch, host, &program);
    if (error != CL_SUCCESS)
        return error;
    if (memory->flags & (reads ? REFUSES_READ : REFUSES_WRITE))
        return CL_INVALID_OPERATION;
    const struct side device = side_of(memory, origin);
    const struct copy copy =
        copy_of(memory->image, reads ? program : device, reads ? device : program, region);
    return transfer_submit(target, &copy, memory, NULL);
}

cl_int ocl_EnqueueReadImage(cl_command_queue queue, cl_mem memory, cl_bool blocking,
                            const size_t *origin, const size_t *region, size_t row_pitch,
                            size_t slice_pitch, void *host, cl_uint num_waits,
                            const cl_event *wait_list, cl_event *event)
{
    API_ENTER;
    const struct target target = {
        queue, CL_COMMAND_READ_IMAGE, blocking, {num_waits, wait_list}, event};
    return read_or_write(&target, memory, origin, region, row_pitch, slice_pitch, host);
}

cl_int ocl_EnqueueWriteImage(cl_command_queue queue, cl_mem memory, cl_bool blocking,
                             const size_t *origin, const size_t *region, size_t row_pitch,
                             size_t slice_pitch, const void *host, cl_uint num_waits,
                             const cl_event *wait_list, cl_event *event)
{
    API_ENTER;
    const struct target target = {
        queue, CL_COMMAND_WRITE_IMAGE, blocking, {num_waits, wait_list}, event};
    return read_or_write(&target, memory, origin, region, row_pitch, slice_pitch, (void *)host);
}

/* Whether two regions of one size have a texel in common. */
static int overlap(const size_t *a, const size_t *b, const size_t *region)
{
    for (int i = 0; i < 3; i++)
        if ((a[i] < b[i] ? b[i] - a[i] : a[i] - b[i]) >= region[i])
            return 0;
    return 1;
}

cl_int ocl_EnqueueCopyImage(cl_command_queue queue, cl_mem from, cl_mem to,
                            const size_t *from_origin, const size_t *to_origin,
                            const size_t *region, cl_uint num_waits, const cl_event *wait_list,
                            cl_event *event)
{
    API_ENTER;
    const struct target target = {
        queue, CL_COMMAND_COPY_IMAGE, CL_FALSE, {num_waits, wait_list}, event};
    cl_int error = check(&target, from);
    if (error == CL_SUCCESS)
        error = check(&target, to);
    if (error != CL_SUCCESS)
        return error;
    if (from->image->format.image_channel_order != to->image->format.image_channel_order ||
        from->image->format.image_channel_data_type != to->image->format.image_channel_data_type)
        return CL_IMAGE_FORMAT_MISMATCH;
    if (!inside(from->image, from_origin, region) || !inside(to->image, to_origin, region))
        return CL_INVALID_VALUE;
    if (from == to && overlap(from_origin, to_origin, region))
        return CL_MEM_COPY_OVERLAP;
    const struct copy copy =
        copy_of(to->image, side_of(to, to_origin), side_of(from, from_origin), region);
    return transfer_submit(&target, &copy, from, to);
}

/* Copies between an image and a buffer (CL_COMMAND_COPY_BUFFER_TO_IMAGE), whose texels have no
 * gaps.
 */
static cl_int copy_with_buffer(const struct target *target, cl_mem memory, const size_t *origin,
                               const size_t *region, cl_mem buffer, size_t offset)
{
    const int to_image = target->type == CL_COMMAND_COPY_BUFFER_TO_IMAGE;
    cl_int error = check(target, memory);
    if (error == CL_SUCCESS)
        error = IS_BUFFER(buffer) && memory->parent != buffer ? transfer_check(target, buffer)
                                                              : CL_INVALID_MEM_OBJECT;
    if (error != CL_SUCCESS)
        return error;
    if (!inside(memory->image, origin, region))
        return CL_INVALID_VALUE;
    const size_t row = region[0] * memory->image->pitch[0], slice = row * region[1];
    if (!transfer_inside(buffer, offset, slice * region[2]))
        return CL_INVALID_VALUE;
    const struct side image = side_of(memory, origin),
                      linear = {buffer->bytes + offset, row, slice};
    const struct copy copy =
        copy_of(memory->image, to_image ? image : linear, to_image ? linear : image, region);
    return transfer_submit(target, &copy, memory, buffer);
}

cl_int ocl_EnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                    const size_t *origin, const size_t *region, size_t offset,
                                    cl_uint num_waits, const cl_event *wait_list, cl_event *event)
{
    API_ENTER;
    const struct target target = {
        queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, CL_FALSE, {num_waits, wait_list}, event};
    return copy_with_buffer(&target, from, origin, region, to, offset);
}

cl_int ocl_EnqueueCopyBufferToImage(cl_command_queue queue, cl_mem from, cl_mem to, size_t offset,
                                    const size_t *origin, const size_t *region, cl_uint num_waits,
                                    const cl_event *wait_list, cl_event *event)
{
    API_ENTER;
    const struct target target = {
        queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, CL_FALSE, {num_waits, wait_list}, event};
    return copy_with_buffer(&target, to, origin, region, from, offset);
}

static cl_int run_fill(struct command *command)
{
    const struct fill *fill = (const void *)command->args;
    for (size_t z = 0; z < fill->region[2]; z++)
        for (size_t y = 0; y < fill->region[1]; y++)
            for (size_t x = 0; x < fill->region[0]; x++)
                memcpy(fill->to.bytes + z * fill->to.slice_pitch + y * fill->to.row_pitch +
                           x * fill->texel_bytes,
                       fill->texel, fill->texel_bytes);
    return CL_SUCCESS;
}

cl_int ocl_EnqueueFillImage(cl_command_queue queue, cl_mem memory, const void *colour,
                            const size_t *origin, const size_t *region, cl_uint num_waits,
                            const cl_event *wait_list, cl_event *event)
{
    API_ENTER;
    const struct target target = {
        queue, CL_COMMAND_FILL_IMAGE, CL_FALSE, {num_waits, wait_list}, event};
    const cl_int error = check(&target, memory);
    if (error != CL_SUCCESS)
        return error;
    if (!colour || !inside(memory->image, origin, region))
        return CL_INVALID_VALUE;
    struct command *command = command_new(queue, target.type, target.waits, sizeof(struct fill), 1);
    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    command_hold(command, memory);
    struct fill *fill = (void *)command->args;
    fill->to = side_of(memory, origin);
    fill->texel_bytes = memory->image->pitch[0];
    memcpy(fill->region, region, sizeof fill->region);
    image_encode(&memory->image->descriptor, colour, fill->texel);
    command->run = run_fill;
    command->nanoseconds = duration_of_fill(bytes_of(memory->image, region));
    return command_submit(command, event, CL_FALSE);
}

void *ocl_EnqueueMapImage(cl_command_queue queue, cl_mem memory, cl_bool blocking,
                          cl_map_flags flags, const size_t *origin, const size_t *region,
                          size_t *row_pitch, size_t *slice_pitch, cl_uint num_waits,
                          const cl_event *wait_list, cl_event *event, cl_int *error_ret)
{
    API_ENTER;
    const struct target target = {
        queue, CL_COMMAND_MAP_IMAGE, blocking, {num_waits, wait_list}, event};
    const cl_int error = check(&target, memory);
    if (error != CL_SUCCESS)
        return fail(error_ret, error);
    const cl_image_desc *d = &memory->image->desc;
    if (!inside(memory->image, origin, region) || !row_pitch ||
        (d->image_slice_pitch && !slice_pitch))
        return fail(error_ret, CL_INVALID_VALUE);
    void *pointer = map_submit(&target, memory, flags, side_of(memory, origin).bytes,
                               bytes_of(memory->image, region), error_ret);
    if (pointer) {
        *row_pitch = d->image_row_pitch;
        if (slice_pitch)
            *slice_pitch = d->image_slice_pitch;
    }
    return pointer;
}
