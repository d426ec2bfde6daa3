/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/local.c: the tasks of a sweep as processes of this machine. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tb/cli/cli.h"
#include "tb/cli/sweep/folder.h"
#include "tb/cli/sweep/memory.h"
#include "tb/cli/sweep/sweep.h"

struct running {
    pid_t process; /* 0: none */
    int number;
};

static pid_t start(const struct sweep *s, int number)
{
    const pid_t parent = getpid(), child = fork();
    if (child)
        return child;
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    char task[32], timeout[32];
    char *results = text_of("--results=%s", s->results),
         *log = task_file(s->folder, number, ".task");
    const int to = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(to, STDOUT_FILENO);
    dup2(to, STDERR_FILENO);
    snprintf(task, sizeof task, "--task=%d", number);
    snprintf(timeout, sizeof timeout, "--timeout=%d", s->timeout);
    signals_child(parent);
    execl(s->command, s->command, "sweep", results, task, timeout, s->file, (char *)NULL);
    fprintf(stderr, "%s: cannot be run: %s\n", s->command, strerror(errno));
    _exit(EXIT_USAGE);
}

static void import(struct sweep *s, int number, int status)
{
    char *log = task_file(s->folder, number, ".task"), *said = excerpt_of(log),
         *why = WIFSIGNALED(status)
                    ? text_of("its task was ended by signal %d (%s)", WTERMSIG(status),
                              strsignal(WTERMSIG(status)))
                    : text_of("its task ended with status %d: %s", WEXITSTATUS(status), said);
    unlink(log);
    sweep_import(s, number, why);
    free(why);
    free(said);
    free(log);
}

/* Imports what the processes that have ended left. */
static void reap(struct sweep *s, struct running *all)
{
    int status;
    pid_t process;
    while ((process = waitpid(-1, &status, WNOHANG)) > 0)
        for (int i = 0; i < s->jobs; i++)
            if (all[i].process == process) {
                all[i].process = 0;
                s->progress.running--;
                import(s, all[i].number, status);
            }
}

static void stop(struct sweep *s, struct running *all)
{
    for (int i = 0; i < s->jobs; i++)
        if (all[i].process) {
            kill(all[i].process, SIGKILL); /* what it started dies with it */
            waitpid(all[i].process, NULL, 0);
            sweep_import(s, all[i].number, NULL);
        }
    s->progress.running = 0;
}

int engine_local(struct sweep *s)
{
    struct running *all = more(NULL, (size_t)s->jobs * sizeof *all);
    int next = 0, status = 0;
    if (folder_job(s->folder)) {
        fprintf(stderr,
                "heddle sweep: a job array of an earlier sweep may be running: %s/" FOLDER_JOB
                "; expected --engine=slurm\n",
                s->folder);
        status = EXIT_USAGE;
    }
    memset(all, 0, (size_t)s->jobs * sizeof *all);
    while ((next < s->num_pending || s->progress.running) && !status) {
        for (int i = 0; i < s->jobs && next < s->num_pending && !status; i++)
            if (!all[i].process) {
                all[i] = (struct running){start(s, s->pending[next]), s->pending[next]};
                if (all[i].process < 0) {
                    fprintf(stderr, "heddle sweep: cannot start a process: %s\n", strerror(errno));
                    all[i].process = 0;
                    status = EXIT_USAGE;
                    break;
                }
                s->progress.running++;
                next++;
            }
        progress_show(&s->progress);
        if (!status && signal_ends(signals_wait(1000)))
            status = EXIT_INTERRUPTED;
        reap(s, all);
    }
    if (status)
        stop(s, all);
    free(all);
    return status;
}
