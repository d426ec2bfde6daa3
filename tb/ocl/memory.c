/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/memory.c: memory objects; buffers and sub-buffers. Their contents are the machine's global
 * memory itself: the host reads, writes and maps the same bytes that kernels do, and
 * CL_MEM_USE_HOST_PTR makes the program's bytes that memory. */
#include "tb/ocl/memory.h"

#include <stdlib.h>
#include <string.h>

#include "tb/ocl/device.h"
#include "tb/ocl/image.h"
#include "tb/ocl/info.h"
#include "tb/ocl/machine.h"

#define ACCESS       (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY)
#define HOST_ACCESS  (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)
#define HOST_POINTER (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)

static uint64_t allocated; /* bytes of all memory objects */

static void memory_destroy(struct object *object)
{
    cl_mem memory = (cl_mem)object;
    while (memory->mappings) {
        struct mapping *mapping = memory->mappings;
        memory->mappings = mapping->next;
        free(mapping);
    }
    if (memory->image)
        image_destroy(memory->image);
    if (memory->parent) {
        object_drop(memory->parent);
    } else if (memory->address) {
        allocated -= memory->size;
        if (machine_if_open())
            gmem_free(gpu_memory(machine_if_open()), memory->address);
    }
    while (memory->destructors) {
        struct callback *callback = memory->destructors;
        memory->destructors = callback->next;
        callback_post(callback);
    }
    object_drop(memory->context);
}

static int at_most_one(cl_mem_flags flags)
{
    return (flags & (flags - 1)) == 0;
}

int mem_object_flags_valid(cl_mem_flags flags)
{
    return !(flags & ~(ACCESS | HOST_ACCESS | HOST_POINTER)) && at_most_one(flags & ACCESS) &&
           at_most_one(flags & HOST_ACCESS) &&
           !((flags & CL_MEM_USE_HOST_PTR) &&
             (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)));
}

int mem_object_host_ptr_valid(cl_mem_flags flags, const void *host_ptr)
{
    return (host_ptr != NULL) == ((flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0);
}

static cl_mem create(cl_context context, cl_mem_flags flags, size_t size, cl_int *error)
{
    cl_mem memory = object_new(OBJECT_MEMORY, sizeof *memory, memory_destroy);
    if (!memory)
        return fail(error, CL_OUT_OF_HOST_MEMORY);
    object_hold(memory->context = context);
    memory->flags = flags & ACCESS ? flags : flags | CL_MEM_READ_WRITE;
    memory->size = size;
    return memory;
}

cl_mem mem_object_new(cl_context context, cl_mem_flags flags, size_t size, void *used,
                      cl_int *error)
{
    struct gpu *gpu = machine();
    if (!gpu || size > DEVICE_MAX_ALLOC || size > DEVICE_GLOBAL_BYTES - allocated)
        return fail(error, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    cl_mem memory = create(context, flags, size, error);
    if (!memory)
        return NULL;
    memory->host_ptr = used;
    memory->address = gmem_alloc(gpu_memory(gpu), size, used);
    if (!memory->address) {
        object_abandon(memory);
        return fail(error, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    }
    allocated += size;
    memory->bytes = gmem_host(gpu_memory(gpu), memory->address, size);
    return memory;
}

cl_mem ocl_CreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                        cl_int *error_ret)
{
    API_ENTER;
    if (!IS_CONTEXT(context))
        return fail(error_ret, CL_INVALID_CONTEXT);
    if (!mem_object_flags_valid(flags))
        return fail(error_ret, CL_INVALID_VALUE);
    if (size == 0 || size > DEVICE_MAX_ALLOC)
        return fail(error_ret, CL_INVALID_BUFFER_SIZE);
    if (!mem_object_host_ptr_valid(flags, host_ptr))
        return fail(error_ret, CL_INVALID_HOST_PTR);
    cl_mem memory = mem_object_new(context, flags, size,
                                   flags & CL_MEM_USE_HOST_PTR ? host_ptr : NULL, error_ret);
    if (!memory)
        return NULL;
    if (flags & CL_MEM_COPY_HOST_PTR)
        memcpy(memory->bytes, host_ptr, size);
    if (host_ptr)
        machine_copied(memory->address, size);
    return made(error_ret, memory);
}

/* Adds a parent's flags. Returns 0, or -1: they contradict. */
static int inherit_flags(cl_mem_flags *flags, cl_mem_flags parent)
{
    const cl_mem_flags own = *flags;
    if (!mem_object_flags_valid(own) || (own & HOST_POINTER))
        return -1;
    if (((parent & CL_MEM_WRITE_ONLY) && (own & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY))) ||
        ((parent & CL_MEM_READ_ONLY) && (own & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY))) ||
        ((parent & CL_MEM_HOST_WRITE_ONLY) && (own & CL_MEM_HOST_READ_ONLY)) ||
        ((parent & CL_MEM_HOST_READ_ONLY) && (own & CL_MEM_HOST_WRITE_ONLY)) ||
        ((parent & CL_MEM_HOST_NO_ACCESS) &&
         (own & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY))))
        return -1;
    *flags |= parent & HOST_POINTER;
    if (!(own & ACCESS))
        *flags |= parent & ACCESS;
    if (!(own & HOST_ACCESS))
        *flags |= parent & HOST_ACCESS;
    return 0;
}

cl_mem mem_object_part(cl_mem parent, cl_mem_flags flags, size_t origin, size_t size, cl_int *error)
{
    if (inherit_flags(&flags, parent->flags) < 0)
        return fail(error, CL_INVALID_VALUE);
    cl_mem memory = create(parent->context, flags, size, error);
    if (!memory)
        return NULL;
    object_hold(memory->parent = parent);
    memory->origin = origin;
    memory->address = parent->address + origin;
    memory->bytes = parent->bytes + origin;
    if (parent->host_ptr)
        memory->host_ptr = (char *)parent->host_ptr + origin;
    return memory;
}

cl_mem ocl_CreateSubBuffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type,
                           const void *create_info, cl_int *error_ret)
{
    API_ENTER;
    const cl_buffer_region *region = create_info;
    if (!IS_BUFFER(parent) || parent->parent)
        return fail(error_ret, CL_INVALID_MEM_OBJECT);
    if (type != CL_BUFFER_CREATE_TYPE_REGION || !region)
        return fail(error_ret, CL_INVALID_VALUE);
    if (region->size == 0)
        return fail(error_ret, CL_INVALID_BUFFER_SIZE);
    if (region->origin > parent->size || region->size > parent->size - region->origin)
        return fail(error_ret, CL_INVALID_VALUE);
    if (region->origin % DEVICE_ALIGN)
        return fail(error_ret, CL_MISALIGNED_SUB_BUFFER_OFFSET);
    cl_mem memory = mem_object_part(parent, flags, region->origin, region->size, error_ret);
    return memory ? made(error_ret, memory) : NULL;
}

cl_int ocl_GetMemObjectInfo(cl_mem memory, cl_mem_info name, size_t size, void *value,
                            size_t *size_ret)
{
    API_ENTER;
    const struct info out = {size, value, size_ret};
    if (!IS_MEMORY(memory))
        return CL_INVALID_MEM_OBJECT;
    switch (name) {
    case CL_MEM_TYPE:
        return INFO(out, cl_mem_object_type,
                    memory->image ? memory->image->desc.image_type : CL_MEM_OBJECT_BUFFER);
    case CL_MEM_FLAGS: return INFO(out, cl_mem_flags, memory->flags);
    case CL_MEM_SIZE: return INFO(out, size_t, memory->size);
    case CL_MEM_HOST_PTR: return INFO(out, void *, memory->host_ptr);
    case CL_MEM_MAP_COUNT: return INFO(out, cl_uint, memory->num_mappings);
    case CL_MEM_REFERENCE_COUNT: return INFO(out, cl_uint, memory->base.references);
    case CL_MEM_CONTEXT: return INFO(out, cl_context, memory->context);
    case CL_MEM_ASSOCIATED_MEMOBJECT: return INFO(out, cl_mem, memory->parent);
    case CL_MEM_OFFSET: return INFO(out, size_t, memory->origin);
    default: return CL_INVALID_VALUE;
    }
}

static void run_destructor(const struct callback *callback)
{
    callback->function.memory(callback->object, callback->user_data);
}

cl_int ocl_SetMemObjectDestructorCallback(cl_mem memory, void(CL_CALLBACK *notify)(cl_mem, void *),
                                          void *user_data)
{
    API_ENTER;
    if (!IS_MEMORY(memory))
        return CL_INVALID_MEM_OBJECT;
    if (!notify)
        return CL_INVALID_VALUE;
    struct callback *callback = calloc(1, sizeof *callback);
    if (!callback)
        return CL_OUT_OF_HOST_MEMORY;
    callback->run = run_destructor;
    callback->function.memory = notify;
    callback->object = memory;
    callback->user_data = user_data;
    callback->next = memory->destructors;
    memory->destructors = callback;
    return CL_SUCCESS;
}
