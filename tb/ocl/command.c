/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/command.c: when a command runs. */
#include "tb/ocl/command.h"

#include <stdlib.h>

#include "tb/ocl/launch.h"
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

/* The first command of the queue that may begin, with its waits' status; NULL: none may. */
static struct command *first_ready(cl_command_queue queue, cl_int *status)
{
    const int in_order = !(queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (struct command *command = queue->commands; command; command = command->next) {
        const int its_turn = command == queue->commands || !(in_order || command->ordered);
        *status = waits_status(command);
        if (its_turn && !command->running && *status <= CL_COMPLETE &&
            (*status < CL_COMPLETE || !command->may_run || command->may_run(command)))
            return command;
        if (in_order || command->barrier)
            return NULL;
    }
    return NULL;
}

void command_ended(struct command *command, cl_int status)
{
    struct command **link = &command->queue->commands;
    while (*link != command)
        link = &(*link)->next;
    *link = command->next;
    command->event->times[TIME_END] = command->event->times[TIME_START] + command->nanoseconds +
                                      machine_kernel_nanoseconds() - command->began;
    event_set_status(command->event, status);
    command_free(command);
}

static void begin(struct command *command, cl_int status)
{
    cl_event event = command->event;
    event->times[TIME_SUBMIT] = event->times[TIME_START] = machine_nanoseconds();
    command->began = machine_kernel_nanoseconds();
    event_set_status(event, CL_RUNNING);
    command->running = 1;
    if (!machine_if_open()) /* the process is ending, the contents of buffers are gone */
        status = CL_OUT_OF_RESOURCES;
    else if (status == CL_COMPLETE && command->run)
        status = command->run(command);
    if (status < CL_COMPLETE)
        command->nanoseconds = 0;
    machine_pass(command->nanoseconds);
    if (status != CL_RUNNING)
        command_ended(command, status);
}

/* Begins one command: of those that may, the one that was enqueued first. Returns whether there was
 * one. */
static int begin_one(void)
{
    struct command *oldest = NULL;
    cl_int status = CL_COMPLETE;
    for (cl_command_queue queue = queue_first(); queue; queue = queue->next) {
        cl_int one;
        struct command *command = first_ready(queue, &one);
        if (command && (!oldest || command->event->base.serial < oldest->event->base.serial)) {
            oldest = command;
            status = one;
        }
    }
    if (oldest)
        begin(oldest, status);
    return oldest != NULL;
}

static unsigned num_waiting; /* threads of the program */

/* Must kernels run to their ends now? */
static int must_run(void)
{
    if (num_waiting || machine_kernels() == 1)
        return 1;
    for (cl_command_queue queue = queue_first(); queue; queue = queue->next)
        for (const struct command *command = queue->commands; command; command = command->next)
            if (command->event->flushed && command->event->callbacks)
                return 1;
    return 0;
}

void commands_advance(void)
{
    do
        while (must_run() && launches_run())
            ;
    while (begin_one());
}

int commands_run(void)
{
    const int ran = launches_run();
    if (ran)
        commands_advance();
    return ran;
}

void commands_wait(void)
{
    if (commands_run())
        return;
    num_waiting++;
    api_wait();
    num_waiting--;
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
