/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/object.c: the registry of live objects and their reference counts; all clRetain and
 * clRelease calls. */
#include "tb/ocl/object.h"

#include <stdlib.h>

/* The loader reads the dispatch pointer of a handle before the driver can check it. So memory of
 * released objects is kept for a while: the mistakes that happen (a second release, a use right
 * after it) get an error, not a crash. */
#define GRAVES 1024

static struct object *registry;
static struct object *graves[GRAVES];
static unsigned next_grave;
static uint64_t last_serial;

/* Returns 0, or -1: no memory. */
static int enter(struct object *object, enum object_type type)
{
    object->dispatch = &ocl_dispatch;
    object->type = type;
    object->references = 1;
    object->serial = ++last_serial;
    object->self = object;
    HASH_ADD_PTR(registry, self, object);
    return object->hh.tbl ? 0 : -1;
}

void *object_new(enum object_type type, size_t size, void (*destroy)(struct object *))
{
    struct object *object = calloc(1, size);
    if (!object || enter(object, type) < 0) {
        free(object);
        return NULL;
    }
    object->destroy = destroy;
    return object;
}

void object_register(struct object *object, enum object_type type)
{
    if (!object->self)
        enter(object, type);
}

int object_is(const void *handle, enum object_type type)
{
    const struct object *object;
    HASH_FIND_PTR(registry, &handle, object);
    return object && object->type == type;
}

/* Buries an object that nobody needs any more. */
static void settle(struct object *object)
{
    if (object->references || object->holds)
        return;
    HASH_DEL(registry, object);
    object->destroy(object);
    free(graves[next_grave]);
    graves[next_grave] = object;
    next_grave = (next_grave + 1) % GRAVES;
}

void object_hold(void *handle)
{
    ((struct object *)handle)->holds++;
}

void object_drop(void *handle)
{
    struct object *object = handle;
    object->holds--;
    settle(object);
}

void object_abandon(void *handle)
{
    struct object *object = handle;
    object->references = 0;
    settle(object);
}

static cl_int retain(void *handle, enum object_type type, cl_int error)
{
    API_ENTER;
    if (!object_is(handle, type))
        return error;
    ((struct object *)handle)->references++;
    return CL_SUCCESS;
}

static cl_int release(void *handle, enum object_type type, cl_int error)
{
    API_ENTER;
    struct object *object = handle;
    if (!object_is(handle, type) || object->references == 0)
        return error;
    if (object->references == 1 && object->released)
        object->released(object);
    object->references--;
    settle(object);
    return CL_SUCCESS;
}

#define COUNTED(Name, ctype, type, error)                                                          \
    cl_int ocl_Retain##Name(ctype handle)                                                          \
    {                                                                                              \
        return retain(handle, type, error);                                                        \
    }                                                                                              \
    cl_int ocl_Release##Name(ctype handle)                                                         \
    {                                                                                              \
        return release(handle, type, error);                                                       \
    }
COUNTED(Context, cl_context, OBJECT_CONTEXT, CL_INVALID_CONTEXT)
COUNTED(CommandQueue, cl_command_queue, OBJECT_QUEUE, CL_INVALID_COMMAND_QUEUE)
COUNTED(MemObject, cl_mem, OBJECT_MEMORY, CL_INVALID_MEM_OBJECT)
COUNTED(Sampler, cl_sampler, OBJECT_SAMPLER, CL_INVALID_SAMPLER)
COUNTED(Program, cl_program, OBJECT_PROGRAM, CL_INVALID_PROGRAM)
COUNTED(Kernel, cl_kernel, OBJECT_KERNEL, CL_INVALID_KERNEL)
COUNTED(Event, cl_event, OBJECT_EVENT, CL_INVALID_EVENT)

/* A root device is not counted. */
cl_int ocl_RetainDevice(cl_device_id device)
{
    API_ENTER;
    return device == &the_device ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int ocl_ReleaseDevice(cl_device_id device)
{
    return ocl_RetainDevice(device);
}
