/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/failure.h: what a run that failed leaves, in a folder of its own, for who is to explain it: the report of a mismatch with its
 * waveform, the PTX of a kernel. A run that ends well leaves no folder. */
#ifndef HEDDLE_TB_CLI_FAILURE_H
#define HEDDLE_TB_CLI_FAILURE_H

#include <limits.h>

#include "tb/cli/process.h"

struct failure {
    struct machine_options *machine; /* whose `fail` is the folder */
    char **program;
    int asked; /* the folder is one that somebody named */
    char own[PATH_MAX];
};

/* Chooses the folder where nobody has: fail/PROGRAM.PID, below the working directory, which is made when something goes there. One
 * that was named is made at once. Returns 0, or -1 with errno set: it cannot be. */
int failure_begin(struct failure *, struct machine_options *, char **program);

/* After a mismatch: makes the same run again, in silence, with the waveform on around the first difference; then says where
 * everything is. */
void failure_explain(struct failure *);

/* Removes the folder if it is empty; fail/latest leads to it, if it is not and is our own. */
void failure_end(const struct failure *);

#endif
