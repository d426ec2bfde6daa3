/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ocl/signals.c: see signals.h.
 *
 * A request to end may come while the program is anywhere, in malloc too, so its handler only notes it and wakes a thread. A later
 * request ends the process at once; not one that comes with the first, as when somebody signals a group of processes of which one hands
 * on what it gets.
 *
 * After a crash nothing in the process may be relied on, and its memory is what a debugger wants to see. So a copy of it tries,
 * by fork without the handlers that fork runs, which might wait for a lock that the crash has left. */
#include "tb/ocl/signals.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define SECONDS_TO_CLOSE 20      /* for the copy of a process that has crashed */
#define SAME_REQUEST     500     /* ms */
#define STACK_BYTES      65536   /* for handlers */
#define COPY_BYTES       1048576 /* the copy closes files on it */

static const int requests[] = {SIGINT, SIGTERM, SIGHUP};
static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT};
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const struct signals *duty;
static pid_t owner;
static volatile sig_atomic_t asked;
static sem_t wake;

int signals_asked(void)
{
    return asked;
}

/* Only functions that a handler may call. */
static void set_default(int signal)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t just_this;
    sigemptyset(&just_this);
    sigaddset(&just_this, signal);
    sigaction(signal, &action, NULL);
    pthread_sigmask(SIG_UNBLOCK, &just_this, NULL);
}

void signals_die(int signal)
{
    set_default(signal);
    kill(getpid(), signal);
    _exit(128 + signal); /* it was blocked in all threads, or is being debugged away */
}

static int64_t milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void request(int signal)
{
    static int64_t first;
    const int before = errno;
    if (getpid() != owner || (asked && milliseconds() - first > SAME_REQUEST))
        signals_die(signal); /* a child that has inherited the handler; or once more */
    if (asked)
        return;
    first = milliseconds();
    asked = signal;
    duty->asked();
    sem_post(&wake);
    errno = before;
}

static void *wait_for_request(void *unused)
{
    (void)unused;
    while (sem_wait(&wake))
        ;
    duty->leave(asked);
    signals_die(asked);
}

/* On a stack of its own: the handler's may be the program's, and small. */
static int crashed_by;
static void try_in_copy(void)
{
    const int signal = crashed_by;
    for (size_t i = 0; i < COUNT(crashes); i++)
        set_default(crashes[i]);
    set_default(SIGALRM);
    alarm(SECONDS_TO_CLOSE);
    duty->crashed(signal);
    _exit(0);
}

static void become_copy(int signal)
{
    static char bytes[COPY_BYTES];
    static ucontext_t there;
    crashed_by = signal;
    if (getcontext(&there))
        _exit(1);
    there.uc_stack = (stack_t){.ss_sp = bytes, .ss_size = sizeof bytes};
    makecontext(&there, try_in_copy, 0);
    setcontext(&there);
    _exit(1);
}

void signals_close_in_copy(int signal)
{
    const pid_t copy = getpid() == owner ? _Fork() : -1;
    if (copy == 0)
        become_copy(signal);
    while (copy > 0 && waitpid(copy, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* It is called once: its action is the system's again. What has crashed crashes once more where it did. */
static void crash(int signal, siginfo_t *info, void *context)
{
    (void)context;
    signals_close_in_copy(signal);
    if (info->si_code <= 0) /* sent, rather than an instruction's */
        raise(signal);
}

static void take(int signal, const struct sigaction *action)
{
    struct sigaction before;
    if (!sigaction(signal, NULL, &before) && before.sa_handler == SIG_DFL)
        sigaction(signal, action, NULL);
}

/* For a crash of the stack. Other threads have none such: there a handler uses the thread's. */
static void own_stack(void)
{
    static char bytes[STACK_BYTES];
    const stack_t stack = {.ss_sp = bytes, .ss_size = sizeof bytes};
    stack_t before;
    if (!sigaltstack(NULL, &before) && before.ss_flags & SS_DISABLE)
        sigaltstack(&stack, NULL);
}

/* No signal is for it. */
static int start_thread(void)
{
    sigset_t all, before;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(&thread, NULL, wait_for_request, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!failed)
        pthread_detach(thread);
    return failed ? -1 : 0;
}

int signals_catch(const struct signals *signals)
{
    struct sigaction of_request = {.sa_handler = request, .sa_flags = SA_RESTART},
                     of_crash = {.sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
    of_crash.sa_sigaction = crash;
    duty = signals;
    owner = getpid();
    if (sem_init(&wake, 0, 0) || start_thread())
        return -1;
    own_stack();
    for (size_t i = 0; i < COUNT(requests); i++)
        take(requests[i], &of_request);
    for (size_t i = 0; i < COUNT(crashes); i++)
        take(crashes[i], &of_crash);
    return 0;
}
