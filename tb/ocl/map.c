/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/map.c: mapping and unmapping, and migration. A mapped region is the object's
 * memory itself, so these commands move nothing: they order, and the mappings are counted when they
 * are enqueued. In simulated time a region that the program will see moves when it is mapped, and one that it may have written
 * when it is unmapped. */
#include "tb/ocl/map.h"

#include <stdlib.h>

#include "tb/ocl/duration.h"
#include "tb/ocl/image.h"
#include "tb/ocl/info.h"

static cl_int submit_nothing(const struct target *target, cl_uint num_memories,
                             const cl_mem *memories, uint64_t nanoseconds)
{
    struct command *command =
        command_new(target->queue, target->type, target->waits, 0, num_memories);
    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < num_memories; i++)
        command_hold(command, memories[i]);
    command->nanoseconds = nanoseconds;
    return command_submit(command, target->event, target->blocking);
}

/* Returns 0, with the bytes that the program may have written; or -1: nothing is mapped there. */
static int remove_mapping(cl_mem memory, const void *pointer, size_t *written)
{
    struct mapping **link = &memory->mappings;
    while (*link && (*link)->pointer != pointer)
        link = &(*link)->next;
    struct mapping *mapping = *link;
    if (!mapping)
        return -1;
    *link = mapping->next;
    *written = mapping->written;
    free(mapping);
    memory->num_mappings--;
    return 0;
}

void *map_submit(const struct target *target, cl_mem memory, cl_map_flags flags, void *pointer,
                 size_t bytes, cl_int *error_ret)
{
    const cl_map_flags writes = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    if ((flags & ~(CL_MAP_READ | writes)) ||
        ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & (CL_MAP_READ | CL_MAP_WRITE))))
        return fail(error_ret, CL_INVALID_VALUE);
    if (((flags & CL_MAP_READ) && (memory->flags & REFUSES_READ)) ||
        ((flags & writes) && (memory->flags & REFUSES_WRITE)))
        return fail(error_ret, CL_INVALID_OPERATION);
    struct mapping *mapping = malloc(sizeof *mapping);
    if (!mapping)
        return fail(error_ret, CL_OUT_OF_HOST_MEMORY);
    *mapping = (struct mapping){memory->mappings, pointer, flags & writes ? bytes : 0};
    memory->mappings = mapping;
    memory->num_mappings++;
    const size_t seen = flags & CL_MAP_WRITE_INVALIDATE_REGION ? 0 : bytes;
    const cl_int error = submit_nothing(target, 1, &memory, duration_of_transfer(seen));
    if (error != CL_SUCCESS) {
        remove_mapping(memory, pointer, &bytes);
        return fail(error_ret, error);
    }
    return made(error_ret, pointer);
}

void *ocl_EnqueueMapBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking,
                           cl_map_flags flags, size_t offset, size_t size, cl_uint num_waits,
                           const cl_event *wait_list, cl_event *event, cl_int *error_ret)
{
    API_ENTER;
    const struct target target = {
        queue, CL_COMMAND_MAP_BUFFER, blocking, {num_waits, wait_list}, event};
    const cl_int error = transfer_check_buffer(&target, memory);
    if (error != CL_SUCCESS)
        return fail(error_ret, error);
    if (size == 0 || !transfer_inside(memory, offset, size))
        return fail(error_ret, CL_INVALID_VALUE);
    return map_submit(&target, memory, flags, memory->bytes + offset, size, error_ret);
}

cl_int ocl_EnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void *pointer,
                                 cl_uint num_waits, const cl_event *wait_list, cl_event *event)
{
    API_ENTER;
    const struct target target = {
        queue, CL_COMMAND_UNMAP_MEM_OBJECT, CL_FALSE, {num_waits, wait_list}, event};
    const cl_int error = transfer_check(&target, memory);
    if (error != CL_SUCCESS)
        return error;
    size_t written;
    if (remove_mapping(memory, pointer, &written) < 0)
        return CL_INVALID_VALUE;
    return submit_nothing(&target, 1, &memory, duration_of_transfer(written));
}

/* There is one device and its memory is the host's: nowhere to go, but a command with its event. */
cl_int ocl_EnqueueMigrateMemObjects(cl_command_queue queue, cl_uint num_memories,
                                    const cl_mem *memories, cl_mem_migration_flags flags,
                                    cl_uint num_waits, const cl_event *wait_list, cl_event *event)
{
    API_ENTER;
    const struct target target = {
        queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, CL_FALSE, {num_waits, wait_list}, event};
    const cl_mem_migration_flags known =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    if (!IS_QUEUE(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (num_memories == 0 || !memories || (flags & ~known))
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < num_memories; i++) {
        const cl_int error = transfer_check(&target, memories[i]);
        if (error != CL_SUCCESS)
            return error;
    }
    return submit_nothing(&target, num_memories, memories, 0);
}
