/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/map.c: mapping and unmapping, and migration. A mapped region is the object's
 * memory itself, so these commands move nothing: they order, and the mappings are counted when they
 * are enqueued. */
#include "tb/ocl/map.h"

#include <stdlib.h>

#include "tb/ocl/image.h"
#include "tb/ocl/info.h"

static cl_int submit_nothing(const struct target *target, cl_uint num_memories,
                             const cl_mem *memories)
{
    struct command *command =
        command_new(target->queue, target->type, target->waits, 0, num_memories);
    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < num_memories; i++)
        command_hold(command, memories[i]);
    return command_submit(command, target->event, target->blocking);
}

/* Returns 0, or -1: nothing is mapped there. */
static int remove_mapping(cl_mem memory, const void *pointer)
{
    struct mapping **link = &memory->mappings;
    while (*link && (*link)->pointer != pointer)
        link = &(*link)->next;
    struct mapping *mapping = *link;
    if (!mapping)
        return -1;
    *link = mapping->next;
    free(mapping);
    memory->num_mappings--;
    return 0;
}

void *map_submit(const struct target *target, cl_mem memory, cl_map_flags flags, void *pointer,
                 cl_int *error_ret)
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
    *mapping = (struct mapping){memory->mappings, pointer};
    memory->mappings = mapping;
    memory->num_mappings++;
    const cl_int error = submit_nothing(target, 1, &memory);
    if (error != CL_SUCCESS) {
        remove_mapping(memory, pointer);
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
    return map_submit(&target, memory, flags, memory->bytes + offset, error_ret);
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
    if (remove_mapping(memory, pointer) < 0)
        return CL_INVALID_VALUE;
    return submit_nothing(&target, 1, &memory);
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
    return submit_nothing(&target, num_memories, memories);
}
