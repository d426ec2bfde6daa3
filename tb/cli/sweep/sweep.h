/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/sweep.h: what the parts of `heddle sweep` share. */
#ifndef HEDDLE_TB_CLI_SWEEP_SWEEP_H
#define HEDDLE_TB_CLI_SWEEP_SWEEP_H

#include "tb/cli/sweep/plan.h"
#include "tb/cli/sweep/progress.h"
#include "tb/cli/sweep/store.h"

enum { EXIT_BROKEN = 1, EXIT_INTERRUPTED = 130 };

struct sweep {
    const char *file, *results; /* absolute paths */
    const char *shown;          /* the results, as a person named them */
    const char *command;        /* this heddle */
    const char *sbatch;         /* more options of sbatch, or NULL */
    const char *workload;       /* run points of this one only; NULL: of all */
    const char *points;         /* run these only, as in 1-3,7; NULL: all */
    char *folder;               /* of the tasks' files: <results>.tasks */
    char *captures;             /* of programs that run beside others: <results>.captures */
    int jobs;                   /* at a time; 0: as many as Slurm allows */
    int timeout;                /* seconds of a point; 0: none */
    struct plan plan;
    struct sqlite3 *store;
    char (*builds)[HASH_TEXT];
    struct progress progress;
    int *pending, num_pending;
};

/* Runs the pending points. Returns 0; EXIT_INTERRUPTED where a signal ended it; EXIT_USAGE with a
 * message where the engine does not work. */
typedef int sweep_engine(struct sweep *);
sweep_engine engine_local, engine_slurm;

/* Runs one point and leaves its outcome in `folder`, and captures that it needs in theirs. Returns an exit status: 0 where the outcome
 * was left, whatever it is. */
int task_run(const struct plan *, int number, const char *folder, const char *captures,
             int timeout);

/* Puts the outcome that a task has left into the results, and removes its files. Where there is
 * none, or none that can be used, the point is broken for the reason `otherwise`; NULL: it stays
 * pending. Returns 0 if the point has an outcome now. */
int sweep_import(struct sweep *, int number, const char *otherwise);

/* The builds of all points: a hash over the files that its results depend on. Returns 0, or -1 with
 * the reason on stderr. */
int build_hashes(const struct plan *, char (*builds)[HASH_TEXT]);
int build_hash(const struct point *, char build[HASH_TEXT]);
/* A name for arguments, which may be any text. */
void args_hash(const char *args, char hash[HASH_TEXT]);

/* Blocks and gathers the signals that end a sweep, and SIGCHLD. */
void signals_block(void);
/* In a child that is to become another program: as they were; it dies with its parent. */
void signals_child(int parent);
/* Waits for one of them, at most so many milliseconds. Returns its number, 0: none came. */
int signals_wait(int milliseconds);
int signal_ends(int signal);

/* The first and the last lines of a text file, for the caller to free. */
char *excerpt_of(const char *path);

/* Writes one row per point. Returns 0, or -1 with the reason on stderr. */
int csv_write(struct sqlite3 *, const char *path);

#endif
