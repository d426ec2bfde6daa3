/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/lock.h: one mutex around the whole API, and callbacks that run outside it.
 * A call takes the mutex for its scope with API_ENTER. Callbacks of the program are queued
 * meanwhile and run, in order, after the mutex is given back: they may call OpenCL themselves. */
#ifndef HEDDLE_TB_OCL_LOCK_H
#define HEDDLE_TB_OCL_LOCK_H

#include "tb/ocl/calls.h"

struct object;

/* One callback of the program. `run` calls `function` with what it needs; `held` is kept alive
 * until then. */
struct callback {
    struct callback *next;
    void (*run)(const struct callback *);
    union {
        void(CL_CALLBACK *event)(cl_event, cl_int, void *);
        void(CL_CALLBACK *program)(cl_program, void *);
        void(CL_CALLBACK *memory)(cl_mem, void *);
        void(CL_CALLBACK *context)(const char *, const void *, size_t, void *);
    } function;
    void *object;
    void *user_data;
    cl_int status;
    struct object *held;
    char text[];
};

int api_enter(void);
void api_leave(int *);
#define API_ENTER __attribute__((cleanup(api_leave), unused)) int api_guard = api_enter()

/* With the mutex held: gives it back around something slow that touches no shared state, and takes
 * it again. api_lock returns 0, or -1: this thread holds it already. */
void api_unlock(void);
int api_lock(void);

/* With the mutex held: queues a callback made by malloc; it is freed after it has run. */
void callback_post(struct callback *);

/* With the mutex held: waits until an event may have changed. Runs queued callbacks, which may be
 * what is waited for. */
void api_wait(void);

/* With the mutex held: an event has changed. */
void api_wake(void);

#endif
