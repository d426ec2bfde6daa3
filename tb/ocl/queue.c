/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/queue.c: command queues, finish, and the commands that only order others: markers and
 * barriers. */
#include "tb/ocl/queue.h"

#include "tb/ocl/command.h"
#include "tb/ocl/device.h"
#include "tb/ocl/info.h"

static cl_command_queue queues;

cl_command_queue queue_first(void)
{
    return queues;
}

static void queue_destroy(struct object *object)
{
    cl_command_queue *link = &queues;
    while (*link != (cl_command_queue)object)
        link = &(*link)->next;
    *link = (*link)->next;
    object_drop(((cl_command_queue)object)->context);
}

/* The program will not wait for the queue's commands any more: they run now, as far as they can. */
static void queue_released(struct object *object)
{
    while (((cl_command_queue)object)->commands && commands_run())
        ;
}

static cl_command_queue create(cl_context context, cl_device_id device,
                               cl_command_queue_properties properties, cl_int *error_ret)
{
    if (!IS_CONTEXT(context))
        return fail(error_ret, CL_INVALID_CONTEXT);
    if (!object_is(device, OBJECT_DEVICE))
        return fail(error_ret, CL_INVALID_DEVICE);
    if (properties & ~(cl_command_queue_properties)DEVICE_QUEUE_PROPERTIES)
        return fail(error_ret, CL_INVALID_VALUE);
    cl_command_queue queue = object_new(OBJECT_QUEUE, sizeof *queue, queue_destroy);
    if (!queue)
        return fail(error_ret, CL_OUT_OF_HOST_MEMORY);
    object_hold(queue->context = context);
    queue->properties = properties;
    queue->base.released = queue_released;
    cl_command_queue *link = &queues;
    while (*link)
        link = &(*link)->next;
    *link = queue;
    return made(error_ret, queue);
}

cl_command_queue ocl_CreateCommandQueue(cl_context context, cl_device_id device,
                                        cl_command_queue_properties properties, cl_int *error_ret)
{
    API_ENTER;
    return create(context, device, properties, error_ret);
}

/* The OpenCL 2.0 form, which programs written for newer headers call; of its properties, those
 * that 1.2 has. */
cl_command_queue ocl_CreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                      const cl_queue_properties *list,
                                                      cl_int *error_ret)
{
    API_ENTER;
    cl_command_queue_properties properties = 0;
    for (; list && *list; list += 2) {
        if (*list != CL_QUEUE_PROPERTIES)
            return fail(error_ret, CL_INVALID_QUEUE_PROPERTIES);
        properties = list[1];
    }
    return create(context, device, properties, error_ret);
}

/* Deprecated since OpenCL 1.1, where the standard lets a driver refuse it. */
cl_int ocl_SetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties properties,
                                   cl_bool enable, cl_command_queue_properties *old_properties)
{
    API_ENTER;
    if (!IS_QUEUE(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (properties & ~(cl_command_queue_properties)DEVICE_QUEUE_PROPERTIES)
        return CL_INVALID_VALUE;
    if (old_properties)
        *old_properties = queue->properties;
    queue->properties = enable ? queue->properties | properties : queue->properties & ~properties;
    return CL_SUCCESS;
}

cl_int ocl_GetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name, size_t size,
                               void *value, size_t *size_ret)
{
    API_ENTER;
    const struct info out = {size, value, size_ret};
    if (!IS_QUEUE(queue))
        return CL_INVALID_COMMAND_QUEUE;
    switch (name) {
    case CL_QUEUE_CONTEXT: return INFO(out, cl_context, queue->context);
    case CL_QUEUE_DEVICE: return INFO(out, cl_device_id, &the_device);
    case CL_QUEUE_REFERENCE_COUNT: return INFO(out, cl_uint, queue->base.references);
    case CL_QUEUE_PROPERTIES: return INFO(out, cl_command_queue_properties, queue->properties);
    default: return CL_INVALID_VALUE;
    }
}

cl_int ocl_Flush(cl_command_queue queue)
{
    API_ENTER;
    if (!IS_QUEUE(queue))
        return CL_INVALID_COMMAND_QUEUE;
    for (struct command *command = queue->commands; command; command = command->next)
        command->event->flushed = 1;
    commands_advance();
    return CL_SUCCESS;
}

cl_int ocl_Finish(cl_command_queue queue)
{
    API_ENTER;
    if (!IS_QUEUE(queue))
        return CL_INVALID_COMMAND_QUEUE;
    object_hold(queue);
    while (queue->commands)
        commands_wait();
    const cl_int result = queue->failed ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
    object_drop(queue);
    return result;
}

/* Enqueues a command that does nothing but order: after its list, or after all before it where
 * there is no list. */
static cl_int enqueue_order(cl_command_queue queue, cl_command_type type, struct waits waits,
                            int barrier, cl_event *event)
{
    if (!IS_QUEUE(queue))
        return CL_INVALID_COMMAND_QUEUE;
    const cl_int error = waits_check(queue, waits);
    if (error != CL_SUCCESS)
        return error;
    struct command *command = command_new(queue, type, waits, 0, 0);
    if (!command)
        return CL_OUT_OF_HOST_MEMORY;
    command->ordered = waits.count == 0;
    command->barrier = barrier;
    return command_submit(command, event, CL_FALSE);
}

cl_int ocl_EnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint num_waits,
                                     const cl_event *wait_list, cl_event *event)
{
    API_ENTER;
    return enqueue_order(queue, CL_COMMAND_MARKER, (struct waits){num_waits, wait_list}, 0, event);
}

cl_int ocl_EnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint num_waits,
                                      const cl_event *wait_list, cl_event *event)
{
    API_ENTER;
    return enqueue_order(queue, CL_COMMAND_BARRIER, (struct waits){num_waits, wait_list}, 1, event);
}

cl_int ocl_EnqueueMarker(cl_command_queue queue, cl_event *event)
{
    API_ENTER;
    if (!event)
        return CL_INVALID_VALUE;
    return enqueue_order(queue, CL_COMMAND_MARKER, (struct waits){0, NULL}, 0, event);
}

cl_int ocl_EnqueueBarrier(cl_command_queue queue)
{
    API_ENTER;
    return enqueue_order(queue, CL_COMMAND_BARRIER, (struct waits){0, NULL}, 1, NULL);
}

cl_int ocl_EnqueueWaitForEvents(cl_command_queue queue, cl_uint count, const cl_event *list)
{
    API_ENTER;
    if (!IS_QUEUE(queue))
        return CL_INVALID_COMMAND_QUEUE;
    if (count == 0 || !list)
        return CL_INVALID_VALUE;
    const cl_int error =
        enqueue_order(queue, CL_COMMAND_BARRIER, (struct waits){count, list}, 1, NULL);
    return error == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : error;
}
