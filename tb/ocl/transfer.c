/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/transfer.c: linear reads, writes, copies and fills of buffers. */
#include "tb/ocl/transfer.h"

#include <string.h>

#include "tb/ocl/duration.h"
#include "tb/ocl/image.h"
#include "tb/ocl/machine.h"

#define MAX_PATTERN 128 /* bytes: the largest OpenCL C type, long16 */

struct transfer {
    struct copy copy;
    uint64_t written; /* address of what the program's bytes are copied to; 0: nothing */
};

struct fill {
    uint8_t *bytes;
    size_t size, pattern_size;
    uint8_t pattern[MAX_PATTERN];
};

cl_int transfer_check(const struct target *target, cl_mem memory)
{
    if (!IS_QUEUE(target->queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (!IS_MEMORY(memory))
        return CL_INVALID_MEM_OBJECT;
    if (memory->context != target->queue->context)
        return CL_INVALID_CONTEXT;
    return waits_check(target->queue, target->waits);
}

cl_int transfer_check_buffer(const struct target *target, cl_mem memory)
{
    if (!IS_QUEUE(target->queue))
        return CL_INVALID_COMMAND_QUEUE;
    return IS_BUFFER(memory) ? transfer_check(target, memory) : CL_INVALID_MEM_OBJECT;
}

int transfer_inside(cl_mem memory, size_t offset, size_t size)
{
    return offset <= memory->size && size <= memory->size - offset;
}

static cl_mem whole(cl_mem memory)
{
    while (memory->parent)
        memory = memory->parent;
    return memory;
}

int transfer_same_memory(cl_mem a, cl_mem b)
{
    return whole(a) == whole(b);
}

/* From the first byte of the box to behind its last. */
static size_t extent(const struct side *side, const size_t region[3])
{
    return (region[2] - 1) * side->slice_pitch + (region[1] - 1) * side->row_pitch + region[0];
}

static cl_int run_copy(struct command *command)
{
    const struct transfer *transfer = (const void *)command->args;
    const struct copy *copy = &transfer->copy;
    if (transfer->written)
        machine_copied(transfer->written, extent(&copy->to, copy->region));
    for (size_t z = 0; z < copy->region[2]; z++)
        for (size_t y = 0; y < copy->region[1]; y++)
            memmove(copy->to.bytes + z * copy->to.slice_pitch + y * copy->to.row_pitch,
                    copy->from.bytes + z * copy->from.slice_pitch + y * copy->from.row_pitch,
                    copy->region[0]);
    return CL_SUCCESS;
}

cl_int transfer_submit(const struct target *target, const struct copy *copy, cl_mem first,
                       cl_mem second)
{
    struct command *command =
        command_new(target->queue, target->type, target->waits, sizeof(struct transfer), 2);
    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    command_hold(command, first);
    if (second)
        command_hold(command, second);
    struct transfer *transfer = (void *)command->args;
    transfer->copy = *copy;
    if (!second && copy->to.bytes >= first->bytes && copy->to.bytes < first->bytes + first->size)
        transfer->written = first->address + (uint64_t)(copy->to.bytes - first->bytes);
    command->run = run_copy;
    const uint64_t bytes = (uint64_t)copy->region[0] * copy->region[1] * copy->region[2];
    command->nanoseconds = second ? duration_of_copy(bytes) : duration_of_transfer(bytes);
    return command_submit(command, target->event, target->blocking);
}

/* Reads (CL_COMMAND_READ_BUFFER) or writes a piece. */
static cl_int linear(const struct target *target, cl_mem memory, size_t offset, size_t size,
                     void *host)
{
    const int reads = target->type == CL_COMMAND_READ_BUFFER;
    const cl_int error = transfer_check_buffer(target, memory);
    if (error != CL_SUCCESS)
        return error;
    if (!host || size == 0 || !transfer_inside(memory, offset, size))
        return CL_INVALID_VALUE;
    if (memory->flags & (reads ? REFUSES_READ : REFUSES_WRITE))
        return CL_INVALID_OPERATION;
    const struct side device = {memory->bytes + offset, 0, 0}, program = {host, 0, 0};
    const struct copy copy = {reads ? program : device, reads ? device : program, {size, 1, 1}};
    return transfer_submit(target, &copy, memory, NULL);
}

cl_int ocl_EnqueueReadBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset,
                             size_t size, void *host, cl_uint num_waits, const cl_event *wait_list,
                             cl_event *event)
{
    API_ENTER;
    const struct target target = {
        queue, CL_COMMAND_READ_BUFFER, blocking, {num_waits, wait_list}, event};
    return linear(&target, memory, offset, size, host);
}

cl_int ocl_EnqueueWriteBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking,
                              size_t offset, size_t size, const void *host, cl_uint num_waits,
                              const cl_event *wait_list, cl_event *event)
{
    API_ENTER;
    const struct target target = {
        queue, CL_COMMAND_WRITE_BUFFER, blocking, {num_waits, wait_list}, event};
    return linear(&target, memory, offset, size, (void *)host);
}

cl_int ocl_EnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                             size_t to_offset, size_t size, cl_uint num_waits,
                             const cl_event *wait_list, cl_event *event)
{
    API_ENTER;
    const struct target target = {
        queue, CL_COMMAND_COPY_BUFFER, CL_FALSE, {num_waits, wait_list}, event};
    cl_int error = transfer_check_buffer(&target, from);
    if (error == CL_SUCCESS)
        error = transfer_check_buffer(&target, to);
    if (error != CL_SUCCESS)
        return error;
    if (size == 0 || !transfer_inside(from, from_offset, size) ||
        !transfer_inside(to, to_offset, size))
        return CL_INVALID_VALUE;
    const struct copy copy = {
        {to->bytes + to_offset, 0, 0}, {from->bytes + from_offset, 0, 0}, {size, 1, 1}};
    if (transfer_same_memory(from, to) && copy.to.bytes < copy.from.bytes + size &&
        copy.from.bytes < copy.to.bytes + size)
        return CL_MEM_COPY_OVERLAP;
    return transfer_submit(&target, &copy, from, to);
}

static cl_int run_fill(struct command *command)
{
    const struct fill *fill = (const void *)command->args;
    for (size_t i = 0; i < fill->size; i += fill->pattern_size)
        memcpy(fill->bytes + i, fill->pattern, fill->pattern_size);
    return CL_SUCCESS;
}

cl_int ocl_EnqueueFillBuffer(cl_command_queue queue, cl_mem memory, const void *pattern,
                             size_t pattern_size, size_t offset, size_t size, cl_uint num_waits,
                             const cl_event *wait_list, cl_event *event)
{
    API_ENTER;
    const struct target target = {
        queue, CL_COMMAND_FILL_BUFFER, CL_FALSE, {num_waits, wait_list}, event};
    const cl_int error = transfer_check_buffer(&target, memory);
    if (error != CL_SUCCESS)
        return error;
    const int is_power_of_2 = pattern_size && !(pattern_size & (pattern_size - 1));
    if (!pattern || !is_power_of_2 || pattern_size > MAX_PATTERN || offset % pattern_size ||
        size % pattern_size || !transfer_inside(memory, offset, size))
        return CL_INVALID_VALUE;
    struct command *command = command_new(queue, target.type, target.waits, sizeof(struct fill), 1);
    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    command_hold(command, memory);
    struct fill *fill = (void *)command->args;
    *fill =
        (struct fill){.bytes = memory->bytes + offset, .size = size, .pattern_size = pattern_size};
    memcpy(fill->pattern, pattern, pattern_size);
    command->run = run_fill;
    command->nanoseconds = duration_of_fill(size);
    return command_submit(command, event, CL_FALSE);
}
