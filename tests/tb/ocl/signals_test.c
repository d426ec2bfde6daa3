/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/signals_test.c: what ends a process that catches signals, and what it has done until then. Each case is a process of its
 * own, which writes a letter for what is called: a(sked), l(eave), c(rashed). */
#include "tb/ocl/signals.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static int letters; /* written here */

static void say(char letter)
{
    if (write(letters, &letter, 1) != 1)
        _exit(99);
}

static void asked(void)
{
    say('a');
}

static void leave(int signal)
{
    (void)signal;
    say('l');
}

static void leave_never(int signal)
{
    leave(signal);
    for (;;)
        pause();
}

static void leave_slowly(int signal)
{
    usleep(300000);
    leave(signal);
}

static void crashed(int signal)
{
    say(signal == SIGSEGV ? 'c' : 'C');
}

__attribute__((no_sanitize("undefined"))) static void null(void)
{
    *(volatile int *)NULL = 1; /* that is what is tried */
}

static void crash_again(int signal)
{
    crashed(signal);
    null();
}

static const struct signals plain = {asked, leave, crashed},
                            stubborn = {asked, leave_never, crashed},
                            broken = {asked, leave, crash_again},
                            slow = {asked, leave_slowly, crashed};

static void own(int signal)
{
    (void)signal;
    say('o');
}

static void wait_here(void)
{
    say('.');
    for (;;)
        pause();
}

static volatile int endless = 1;

static int deeper(volatile char *below)
{
    volatile char here[4096];
    here[0] = below ? below[0] : 1;
    return endless ? deeper(here) + here[0] : 0;
}

static void overflow(void)
{
    deeper(NULL);
}

static void fork_and_wait(void)
{
    const pid_t child = fork();
    int status = 0;
    if (!child)
        wait_here();
    sleep(1);
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    _exit(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM ? 0 : 1);
}

static void handler_afterwards(void)
{
    signal(SIGTERM, own);
    raise(SIGTERM);
    _exit(3);
}

struct ending {
    const struct signals *signals;
    void (*act)(void); /* NULL: it waits */
    int before; /* action of SIGINT when signals are caught: 0 the system's, 1 ignored, 2 its own */
    int sent
        [3]; /* signals to it, when it waits: with time between them, to `slow` one after the other */
    const char *letters;
    int killed_by, status; /* how it ends */
};

static void child(const struct ending *e)
{
    static const int all[] = {SIGSEGV, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        signal(
            all[i],
            SIG_DFL); /* a sanitizer has its own; nohup and shells ignore some for what they start */
    signal(SIGINT, e->before == 2 ? own : e->before ? SIG_IGN : SIG_DFL);
    if (signals_catch(e->signals))
        _exit(98);
    if (e->act)
        e->act();
    wait_here();
}

static void wait_for_dot(int from, char *said)
{
    char letter = 0;
    while (letter != '.' && read(from, &letter, 1) == 1)
        if (letter != '.')
            strncat(said, &letter, 1);
}

static void check(const struct ending *e, size_t number)
{
    int ends[2], status;
    char said[64] = "", letter;
    assert_int_equal(pipe(ends), 0);
    letters = ends[1];
    const pid_t pid = fork();
    if (!pid)
        child(e);
    close(ends[1]);
    if (e->sent[0])
        wait_for_dot(ends[0], said);
    for (unsigned i = 0; i < 3 && e->sent[i]; i++) {
        kill(pid, e->sent[i]);
        usleep(e->signals == &slow ? 1000 : 700000);
    }
    waitpid(pid, &status, 0);
    while (read(ends[0], &letter, 1) == 1)
        if (letter != '.')
            strncat(said, &letter, 1);
    close(ends[0]);
    if (strcmp(said, e->letters) || (WIFSIGNALED(status) ? WTERMSIG(status) : 0) != e->killed_by ||
        (WIFEXITED(status) && WEXITSTATUS(status) != e->status))
        fail_msg("case %zu: said '%s', status 0x%x", number, said, status);
}

static void each_ends_as_it_would(void **unused)
{
    static const struct ending endings[] = {
        {&plain, NULL, 0, {SIGTERM}, "al", SIGTERM, 0},
        {&plain, NULL, 0, {SIGINT}, "al", SIGINT, 0},
        {&plain, NULL, 0, {SIGHUP}, "al", SIGHUP, 0},
        {&plain, NULL, 1, {SIGINT, SIGTERM}, "al", SIGTERM, 0},
        {&plain, NULL, 2, {SIGINT, SIGKILL}, "o", SIGKILL, 0},
        {&stubborn, NULL, 0, {SIGTERM, SIGTERM}, "al", SIGTERM, 0}, /* twice: at once */
        {&stubborn, NULL, 0, {SIGTERM, SIGINT}, "al", SIGINT, 0},
        {&slow, NULL, 0, {SIGTERM, SIGTERM, SIGINT}, "al", SIGTERM, 0}, /* one request */
        {&plain, NULL, 0, {SIGQUIT}, "C", SIGQUIT, 0},
        {&plain, NULL, 0, {SIGSEGV}, "c", SIGSEGV, 0},
        {&plain, null, 0, {0}, "c", SIGSEGV, 0},
        {&plain, overflow, 0, {0}, "c", SIGSEGV, 0},
        {&plain, abort, 0, {0}, "C", SIGABRT, 0},
        {&broken, null, 0, {0}, "c", SIGSEGV, 0},
        {&plain, fork_and_wait, 0, {0}, "", 0, 0}, /* a child is not who catches */
        {&plain, handler_afterwards, 0, {0}, "o", 0, 3},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        check(&endings[i], i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_ends_as_it_would)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
