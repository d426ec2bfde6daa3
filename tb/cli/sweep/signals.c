/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/signals.c: signals are waited for, not handled: see sweep.h. */
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "tb/cli/sweep/sweep.h"

static sigset_t waited_for, before;

void signals_block(void)
{
    static const int signals[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
    sigemptyset(&waited_for);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaddset(&waited_for, signals[i]);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &waited_for, &before);
}

void signals_child(int parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it has ended before it could be noticed */
        _exit(127);
    setpgid(0, 0); /* the terminal's Ctrl-C is for the sweep alone */
    sigprocmask(SIG_SETMASK, &before, NULL);
}

int signals_wait(int milliseconds)
{
    const struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    const int signal = sigtimedwait(&waited_for, NULL, &limit);
    return signal > 0 ? signal : 0;
}

int signal_ends(int signal)
{
    return signal == SIGINT || signal == SIGTERM || signal == SIGHUP;
}
