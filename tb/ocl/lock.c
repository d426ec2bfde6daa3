/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/lock.c: the API's mutex, the queue of callbacks and the wait for events. */
#include "tb/ocl/lock.h"

#include <pthread.h>
#include <stdlib.h>

#include "tb/ocl/object.h"

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct callback *first, **last = &first;

int api_lock(void)
{
    return pthread_mutex_lock(&mutex) == 0 ? 0 : -1;
}

void api_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

void callback_post(struct callback *callback)
{
    callback->next = NULL;
    *last = callback;
    last = &callback->next;
}

/* Returns how many ran. The mutex is held before and after, and free while the program's function
 * runs. */
static int run_callbacks(void)
{
    int count = 0;
    for (; first; count++) {
        struct callback *callback = first;
        first = callback->next;
        if (!first)
            last = &first;
        api_unlock();
        callback->run(callback);
        api_lock();
        if (callback->held)
            object_drop(callback->held);
        free(callback);
    }
    return count;
}

int api_enter(void)
{
    api_lock();
    return 0;
}

void api_leave(int *guard)
{
    (void)guard;
    run_callbacks();
    api_unlock();
}

void api_wait(void)
{
    if (!run_callbacks())
        pthread_cond_wait(&changed, &mutex);
}

void api_wake(void)
{
    pthread_cond_broadcast(&changed);
}
