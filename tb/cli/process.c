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
    set_path("HEDDLE_PROFILE", o->profile);
    set_path("HEDDLE_LOCALITY", o->locality);
    set_number("HEDDLE_LOCALITY_UNIT", o->locality_unit);
    set_number("HEDDLE_LOCALITY_CHECK", o->locality_check);
    set_number("HEDDLE_PROGRESS", o->progress);
    set_path("HEDDLE_WAVE", o->wave);
    set_path("HEDDLE_TRACE", o->trace);
    set_path("HEDDLE_CAPTURE", o->capture);
    set_path("HEDDLE_FAIL", o->fail);
    /* the library itself: heddle.icd holds the place where it was built, which may have moved */
    setenv("OCL_ICD_VENDORS", build_path(3, "libheddle.so"), 1);
}

int machine_run(char *const *program, int quiet)
{
    int status;
    fflush(NULL);
    const pid_t self = getpid();
    pid_t child = fork();
    if (child < 0) {
        fprintf(stderr, "heddle: cannot start a process: %s\n", strerror(errno));
        return EXIT_USAGE;
    }
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* a run that is killed leaves no program behind */
        if (getppid() != self)
            _exit(EXIT_USAGE);
        int nowhere = quiet ? open("/dev/null", O_WRONLY) : -1;
        if (nowhere >= 0) {
            dup2(nowhere, STDOUT_FILENO);
            dup2(nowhere, STDERR_FILENO);
        }
        execvp(program[0], program);
        fprintf(stderr, "heddle: cannot run '%s': %s\n", program[0], strerror(errno));
        _exit(EXIT_USAGE);
    }
    signal(SIGINT, SIG_IGN); /* the terminal sends it to the program too; its status decides */
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    signal(SIGINT, SIG_DFL);
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    fprintf(stderr, "heddle: the program was ended by signal %d (%s)\n", WTERMSIG(status),
            strsignal(WTERMSIG(status)));
    return 128 + WTERMSIG(status);
}
