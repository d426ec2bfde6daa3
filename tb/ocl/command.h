/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/command.h: commands of a queue, from enqueue to completion.
 *
 * A command begins as soon as it may: at its enqueue if nothing stands in its way, else when the last
 * thing it waits for is done. In an in-order queue each command also waits for those before it; in
 * an out-of-order queue only barriers and markers without a list do. Of several that may begin the
 * one that was enqueued first does.
 *
 * It also ends there and then, but for kernels where the machine takes several at once (machine_kernels):
 * those run, and time passes, while the program waits for something, and only then, so that a kernel which is
 * enqueued meanwhile runs beside them. What counts as waiting is the program's calls alone, never the host's time:
 * blocking calls, on any thread; a look at an event's status, which lets time pass until a kernel has ended; the
 * end of a queue; and clFlush, where an event of that queue has a callback, as the program may now wait for that
 * by its own means.
 *
 * A transfer is done at once, and what it takes in simulated time passes then: one transfer after the other. Kernels that run
 * meanwhile get no cycles of that time, and it does not count as theirs: a kernel's event ends its cycles after its start. */
#ifndef HEDDLE_TB_OCL_COMMAND_H
#define HEDDLE_TB_OCL_COMMAND_H

#include <stddef.h>

#include "tb/ocl/object.h"

/* A wait list as the program gave it. */
struct waits {
    cl_uint count;
    const cl_event *list;
};

struct command {
    struct command *next;
    cl_command_queue queue;
    cl_event event;
    int (*may_run)(const struct command *); /* could it begin now? NULL: always */
    cl_int (*run)(
        struct command *); /* returns CL_SUCCESS, the event's negative status, or CL_RUNNING: it
                                        goes on, until command_ended; NULL: nothing to do */
    uint64_t
        nanoseconds; /* of simulated time that it takes beside the cycles of a kernel: those of a transfer */
    uint64_t began; /* machine_kernel_nanoseconds */
    int running;
    int ordered; /* waits for all commands before it */
    int barrier; /* all commands after it wait for it */
    cl_uint num_waits;
    size_t num_held;
    struct object **held; /* first the events waited for, then what the command uses */
    _Alignas(max_align_t) unsigned char args[];
};

/* Checks a wait list for commands of a queue. */
cl_int waits_check(cl_command_queue, struct waits);

/* Makes a command with `args_bytes` of zeroed arguments and room to hold `num_objects`. NULL: no
 * memory. */
struct command *command_new(cl_command_queue, cl_command_type, struct waits, size_t args_bytes,
                            size_t num_objects);

/* Keeps an object alive until the command is done. */
void command_hold(struct command *, void *object);

/* Gives the command to its queue. If `blocking`, returns when it is complete. Sets *event_ret if
 * not NULL. Returns CL_SUCCESS, or the error of a command that has failed. */
cl_int command_submit(struct command *, cl_event *event_ret, cl_bool blocking);

/* A command that went on has ended, with its event's status. */
void command_ended(struct command *, cl_int status);

/* Begins all commands of all queues that may begin; while the program waits, kernels run to their ends. */
void commands_advance(void);

/* Lets time pass until one of the kernels that run has ended, and what waited for it has begun. Returns 0 if none
 * runs. */
int commands_run(void);

/* Waits until an event may have changed, for the program: by commands_run, or for its other threads. */
void commands_wait(void);

/* Waits until an event is complete or failed; returns its status. */
cl_int event_wait(cl_event);

/* Makes an event of a command, or a user event (queue NULL). NULL: no memory. */
cl_event event_new(cl_context, cl_command_queue, cl_command_type);

/* Moves an event on and posts the callbacks that are due. */
void event_set_status(cl_event, cl_int status);

#endif
