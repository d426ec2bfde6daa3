/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/command.c: when a command runs. */
#include "tb/ocl/command.h"

#include <stdlib.h>

#include "tb/ocl/machine.h"
#include "tb/ocl/queue.h"

cl_int waits_check(cl_command_queue queue, struct waits waits)
{
    if ((waits.count == 0) != (waits.list == NULL))
        return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < waits.count; i++) {
        if (!IS_EVENT(waits.list[i]))
            return CL_INVALID_EVENT_WAIT_LIST;
        if (waits.list[i]->context != queue->context)
            return CL_INVALID_CONTEXT;
    }
    return CL_SUCCESS;
}

struct command *command_new(cl_command_queue queue, cl_command_type type, struct waits waits,
                            size_t args_bytes, size_t num_objects)
{
    struct command *command = calloc(1, sizeof *command + args_bytes);
    struct object **held = calloc(waits.count + num_objects + 1, sizeof *held);
    cl_event event = event_new(queue->context, queue, type);
    if (!command || !held || !event) {
        free(command);
        free(held);
        if (event)
            object_abandon(event);
        return NULL;
    }
    command->queue = queue;
    object_hold(queue);
    command->event = event;
    object_hold(event);
    command->num_waits = waits.count;
    command->held = held;
    for (cl_uint i = 0; i < waits.count; i++)
        command_hold(command, waits.list[i]);
    return command;
}

void command_hold(struct command *command, void *object)
{
    object_hold(object);
    command->held[command->num_held++] = object;
}

static void command_free(struct command *command)
{
    for (size_t i = 0; i < command->num_held; i++)
        object_drop(command->held[i]);
    object_drop(command->event);
    object_drop(command->queue);
    free(command->held);
    free(command);
}

/* What a command's wait list says: CL_COMPLETE, a positive status (not yet), or the error for a
 * failed event. */
static cl_int waits_status(const struct command *command)
{
    cl_int status = CL_COMPLETE;
    for (cl_uint i = 0; i < command->num_waits; i++) {
        const cl_int one = ((cl_event)command->held[i])->status;
        if (one > CL_COMPLETE)
            return one;
        if (one < CL_COMPLETE)
            status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
    return status;
}

/* Takes the first command of the queue that may run out of it, with its waits' status; NULL: none
 * may. */
static struct command *take_ready(cl_command_queue queue, cl_int *status)
{
    const int in_order = !(queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (struct command **link = &queue->commands; *link; link = &(*link)->next) {
        struct command *command = *link;
        *status = waits_status(command);
        const int its_turn = link == &queue->commands || !(in_order || command->ordered);
        if (its_turn && *status <= CL_COMPLETE) {
            *link = command->next;
            return command;
        }
        if (in_order || command->barrier)
            return NULL;
    }
    return NULL;
}

static void execute(struct command *command, cl_int status)
{
    cl_event event = command->event;
    event->times[TIME_SUBMIT] = event->times[TIME_START] = machine_nanoseconds();
    event_set_status(event, CL_RUNNING);
    if (!machine_if_open()) /* the process is ending, the contents of buffers are gone */
        status = CL_OUT_OF_RESOURCES;
    else if (status == CL_COMPLETE && command->run)
        status = command->run(command);
    event->times[TIME_END] = machine_nanoseconds();
    event_set_status(event, status);
    command_free(command);
}

/* Runs one command of one queue. Returns whether there was one. */
static int advance_one(void)
{
    for (cl_command_queue queue = queue_first(); queue; queue = queue->next) {
        cl_int status;
        struct command *command = take_ready(queue, &status);
        if (command) {
            execute(command, status);
            return 1;
        }
    }
    return 0;
}

void commands_advance(void)
{
    while (advance_one())
        ;
}

cl_int command_submit(struct command *command, cl_event *event_ret, cl_bool blocking)
{
    cl_event event = command->event;
    object_hold(event);
    event->times[TIME_QUEUED] = machine_nanoseconds();
    event_set_status(event, CL_SUBMITTED);
    struct command **link = &command->queue->commands;
    while (*link)
        link = &(*link)->next;
    *link = command;
    commands_advance();
    const cl_int status = blocking ? event_wait(event) : event->status;
    if (event_ret)
        *event_ret = event;
    else
        object_abandon(event);
    object_drop(event);
    const int reported = status < CL_COMPLETE &&
                         (blocking || status != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    return reported ? status : CL_SUCCESS;
}
