/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/process.c: see process.h. */
#include "tb/cli/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tb/cli/cli.h"

/* Paths become absolute, so that a program that changes its working directory does no harm. */
static void set_path(const char *variable, const char *path)
{
    char here[PATH_MAX], *absolute;
    if (!path)
        unsetenv(variable);
    else if (*path == '/')
        setenv(variable, path, 1);
    else if (getcwd(here, sizeof here) && asprintf(&absolute, "%s/%s", here, path) >= 0) {
        setenv(variable, absolute, 1);
        free(absolute);
    }
}

/* 0: nothing is said. */
static void set_number(const char *variable, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    if (number)
        setenv(variable, text, 1);
    else
        unsetenv(variable);
}

void machine_environment(const struct machine_options *o)
{
    size_t length = 1;
    for (int i = 0; i < o->num_settings; i++)
        length += strlen(o->settings[i]) + 1;
    char all[length];
    *all = 0;
    for (int i = 0; i < o->num_settings; i++)
        strcat(strcat(all, o->settings[i]), "\n");
    setenv("HEDDLE_SET", all, 1);
    char here[PATH_MAX];
    set_path("HEDDLE_FOLDER", getcwd(here, sizeof here));
    set_path("HEDDLE_CONFIG_FILE", o->config_file);
    set_path("HEDDLE_STATS", o->stats);
    set_path("HEDDLE_KEPT", o->kept);
    set_path("HEDDLE_PROFILE", o->profile);
    set_path("HEDDLE_LOCALITY", o->locality);
    set_number("HEDDLE_LOCALITY_UNIT", o->locality_unit);
    set_number("HEDDLE_LOCALITY_CHECK", o->locality_check);
    set_number("HEDDLE_PROGRESS", o->progress);
    set_path("HEDDLE_WAVE", o->wave);
    set_path("HEDDLE_TIMELINE", o->timeline);
    set_number("HEDDLE_TIMELINE_SM", o->timeline_sm);
    set_number("HEDDLE_TIMELINE_MB", o->timeline_mb);
    set_path("HEDDLE_TRACE", o->trace);
    set_path("HEDDLE_CAPTURE", o->capture);
    set_path("HEDDLE_FAIL", o->fail);
    /* the library itself: heddle.icd holds the place where it was built, which may have moved */
    setenv("OCL_ICD_VENDORS", build_path(3, "libheddle.so"), 1);
}

static const int handed_on[] = {SIGINT, SIGQUIT, SIGHUP, SIGTERM};
#define NUM_HANDED_ON (sizeof handed_on / sizeof *handed_on)
static volatile pid_t child;

/* The terminal sends its signals to the program too. */
static void hand_on(int signal, siginfo_t *info, void *context)
{
    const int before = errno;
    (void)context;
    if (info->si_code != SI_KERNEL)
        kill(child, signal);
    errno = before;
}

static void start(char *const *program, int quiet, pid_t parent, const sigset_t *mask)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a run that is killed leaves no program behind */
    if (getppid() != parent)
        _exit(EXIT_USAGE);
    const int nowhere = quiet ? open("/dev/null", O_WRONLY) : -1;
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(program[0], program);
    fprintf(stderr, "heddle: cannot run '%s': %s\n", program[0], strerror(errno));
    _exit(EXIT_USAGE);
}

/* Waits for the child; what comes before it is known is handed on, too. */
static int wait_for_it(const sigset_t *mask)
{
    struct sigaction before[NUM_HANDED_ON], action = {.sa_flags = SA_SIGINFO | SA_RESTART};
    int status;
    action.sa_sigaction = hand_on;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < NUM_HANDED_ON; i++) {
        sigaction(handed_on[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(handed_on[i], &action, NULL);
    }
    sigprocmask(SIG_SETMASK, mask, NULL);
    siginfo_t unused;
    while (waitid(P_PID, (id_t)child, &unused, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
    for (size_t i = 0; i < NUM_HANDED_ON; i++) /* before its number is free */
        sigaction(handed_on[i], &before[i], NULL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

int machine_run(char *const *program, int quiet, int *ended)
{
    sigset_t held, mask;
    fflush(NULL);
    const pid_t self = getpid();
    sigemptyset(&held);
    for (size_t i = 0; i < NUM_HANDED_ON; i++)
        sigaddset(&held, handed_on[i]);
    sigprocmask(SIG_BLOCK, &held, &mask);
    child = fork();
    if (child == 0)
        start(program, quiet, self, &mask);
    if (child < 0) {
        fprintf(stderr, "heddle: cannot start a process: %s\n", strerror(errno));
        sigprocmask(SIG_SETMASK, &mask, NULL);
        return EXIT_USAGE;
    }
    const int status = wait_for_it(&mask);
    if (ended)
        *ended = status;
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    fprintf(stderr, "heddle: the program was ended by signal %d (%s)\n", WTERMSIG(status),
            strsignal(WTERMSIG(status)));
    return 128 + WTERMSIG(status);
}
