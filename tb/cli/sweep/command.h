/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/command.h: the commands that a point is made of. */
#ifndef HEDDLE_TB_CLI_SWEEP_COMMAND_H
#define HEDDLE_TB_CLI_SWEEP_COMMAND_H

#include "tb/cli/sweep/plan.h"

#define MAX_WORDS 512 /* of a command line */

struct command {
    char *words[MAX_WORDS]; /* a NULL behind the last */
    int count;
};

struct task_files {
    char *statistics, *profile, *other, *log, *fail; /* NULL: none is made; other: plan.h */
    char *captures[MAX_MEMBERS];                     /* of a replay: of each member */
};

/* The run of a point, or its replay. */
void command_point(struct command *, const struct point *, const struct task_files *);

/* The run before it, on the configuration as it is: on another input, or under another policy (point_other_run). */
void command_other(struct command *, const struct point *, const char *word,
                   const struct task_files *);

/* The run that captures a program, which takes no time of the machine: what is launched does not depend on it. */
void command_capture(struct command *, const struct point *, const struct member *,
                     const char *file);

/* Runs it to its end, and frees it. Returns its exit status, -1: its time was over, or -2: it could not be started, as stderr says. */
int command_wait(struct command *, const char *log, int timeout);

#endif
