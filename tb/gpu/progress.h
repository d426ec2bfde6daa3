/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/progress.h: one line on a terminal that says how far a kernel is. The only place of the
 * machine that looks at the time while a kernel runs; the machine does not depend on it. */
#ifndef HEDDLE_TB_GPU_PROGRESS_H
#define HEDDLE_TB_GPU_PROGRESS_H

#include <stdint.h>

struct progress {
    int terminal, shown;
    unsigned countdown; /* calls until the clock is read again */
    double last;        /* seconds */
    uint64_t last_instructions;
};

double seconds_now(void); /* of a clock that only runs forward */

void progress_start(struct progress *);

/* Whether it is time for a line: on a terminal, at most four times per second. Cheap enough for every
 * cycle. */
int progress_due(struct progress *);
void progress_show(struct progress *, const char *kernel, uint64_t cycle, uint64_t instructions);

/* Erases the line. */
void progress_end(struct progress *);

#endif
