/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/event.c: events of commands and of the program, their callbacks, waiting and profiling. */
#include <stdlib.h>

#include "tb/ocl/command.h"
#include "tb/ocl/info.h"

static void event_destroy(struct object *object)
{
    cl_event event = (cl_event)object;
    while (event->callbacks) {
        struct callback *callback = event->callbacks;
        event->callbacks = callback->next;
        free(callback);
    }
    if (event->queue)
        object_drop(event->queue);
    object_drop(event->context);
}

cl_event event_new(cl_context context, cl_command_queue queue, cl_command_type type)
{
    cl_event event = object_new(OBJECT_EVENT, sizeof *event, event_destroy);
    if (!event)
        return NULL;
    object_hold(event->context = context);
    if ((event->queue = queue))
        object_hold(queue);
    event->type = type;
    event->status = queue ? CL_QUEUED : CL_SUBMITTED;
    return event;
}

/* Posts the callbacks whose status has been reached. */
static void post_due(cl_event event)
{
    for (struct callback **link = &event->callbacks; *link;) {
        struct callback *callback = *link;
        if (event->status > callback->status) {
            link = &callback->next;
            continue;
        }
        *link = callback->next;
        if (event->status < CL_COMPLETE)
            callback->status = event->status;
        callback->held = &event->base;
        object_hold(event);
        callback_post(callback);
    }
}

void event_set_status(cl_event event, cl_int status)
{
    event->status = status;
    post_due(event);
    api_wake();
}

cl_int event_wait(cl_event event)
{
    object_hold(event);
    while (event->status > CL_COMPLETE)
        commands_wait();
    const cl_int status = event->status;
    object_drop(event);
    return status;
}

cl_event ocl_CreateUserEvent(cl_context context, cl_int *error_ret)
{
    API_ENTER;
    if (!IS_CONTEXT(context))
        return fail(error_ret, CL_INVALID_CONTEXT);
    cl_event event = event_new(context, NULL, CL_COMMAND_USER);
    return event ? made(error_ret, event) : fail(error_ret, CL_OUT_OF_HOST_MEMORY);
}

cl_int ocl_SetUserEventStatus(cl_event event, cl_int status)
{
    API_ENTER;
    if (!IS_EVENT(event) || event->queue)
        return CL_INVALID_EVENT;
    if (status > CL_COMPLETE)
        return CL_INVALID_VALUE;
    if (event->status <= CL_COMPLETE)
        return CL_INVALID_OPERATION;
    event_set_status(event, status);
    commands_advance();
    return CL_SUCCESS;
}

static void run_event_callback(const struct callback *callback)
{
    callback->function.event(callback->object, callback->status, callback->user_data);
}

cl_int ocl_SetEventCallback(cl_event event, cl_int type,
                            void(CL_CALLBACK *notify)(cl_event, cl_int, void *), void *user_data)
{
    API_ENTER;
    if (!IS_EVENT(event))
        return CL_INVALID_EVENT;
    if (!notify || (type != CL_SUBMITTED && type != CL_RUNNING && type != CL_COMPLETE))
        return CL_INVALID_VALUE;
    struct callback *callback = calloc(1, sizeof *callback);
    if (!callback)
        return CL_OUT_OF_HOST_MEMORY;
    callback->run = run_event_callback;
    callback->function.event = notify;
    callback->object = event;
    callback->user_data = user_data;
    callback->status = type;
    struct callback **link = &event->callbacks;
    while (*link)
        link = &(*link)->next;
    *link = callback;
    post_due(event);
    commands_advance();
    return CL_SUCCESS;
}

cl_int ocl_WaitForEvents(cl_uint count, const cl_event *list)
{
    API_ENTER;
    if (count == 0 || !list)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++) {
        if (!IS_EVENT(list[i]))
            return CL_INVALID_EVENT;
        if (list[i]->context != list[0]->context)
            return CL_INVALID_CONTEXT;
    }
    cl_int result = CL_SUCCESS;
    for (cl_uint i = 0; i < count; i++)
        object_hold(list[i]);
    for (cl_uint i = 0; i < count; i++)
        if (event_wait(list[i]) < CL_COMPLETE)
            result = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    for (cl_uint i = 0; i < count; i++)
        object_drop(list[i]);
    return result;
}

cl_int ocl_GetEventInfo(cl_event event, cl_event_info name, size_t size, void *value,
                        size_t *size_ret)
{
    API_ENTER;
    const struct info out = {size, value, size_ret};
    if (!IS_EVENT(event))
        return CL_INVALID_EVENT;
    switch (name) {
    case CL_EVENT_COMMAND_QUEUE: return INFO(out, cl_command_queue, event->queue);
    case CL_EVENT_COMMAND_TYPE: return INFO(out, cl_command_type, event->type);
    case CL_EVENT_CONTEXT: return INFO(out, cl_context, event->context);
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
        if (event->status > CL_COMPLETE)
            commands_run();
        return INFO(out, cl_int, event->status);
    case CL_EVENT_REFERENCE_COUNT: return INFO(out, cl_uint, event->base.references);
    default: return CL_INVALID_VALUE;
    }
}

cl_int ocl_GetEventProfilingInfo(cl_event event, cl_profiling_info name, size_t size, void *value,
                                 size_t *size_ret)
{
    API_ENTER;
    const struct info out = {size, value, size_ret};
    if (!IS_EVENT(event))
        return CL_INVALID_EVENT;
    if (!event->queue || event->status != CL_COMPLETE ||
        !(event->queue->properties & CL_QUEUE_PROFILING_ENABLE))
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    switch (name) {
    case CL_PROFILING_COMMAND_QUEUED: return INFO(out, cl_ulong, event->times[TIME_QUEUED]);
    case CL_PROFILING_COMMAND_SUBMIT: return INFO(out, cl_ulong, event->times[TIME_SUBMIT]);
    case CL_PROFILING_COMMAND_START: return INFO(out, cl_ulong, event->times[TIME_START]);
    case CL_PROFILING_COMMAND_END: return INFO(out, cl_ulong, event->times[TIME_END]);
    default: return CL_INVALID_VALUE;
    }
}
