/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/progress.h: how far a sweep is: a bar where stderr is a terminal, else a line now
 * and then. */
#ifndef HEDDLE_TB_CLI_SWEEP_PROGRESS_H
#define HEDDLE_TB_CLI_SWEEP_PROGRESS_H

#include <time.h>

struct progress {
    int points, before; /* all; those that were ready when the sweep began */
    int done, broken, running;
    struct timespec began, shown;
    int terminal;
};

void progress_begin(struct progress *, int points, int done, int broken);
/* Shows it, unless that was just done. */
void progress_show(struct progress *);
void progress_end(struct progress *);

#endif
