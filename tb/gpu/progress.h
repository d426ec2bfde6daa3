/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/progress.h: a sign of life of a kernel that takes long: on a terminal one line, which is written again and erased in
 * the end, every second; elsewhere a line each time, every 30 seconds, or every second where it is asked for. The only place of the machine that looks at the time while a
 * kernel runs; the machine does not depend on it. */
#ifndef HEDDLE_TB_GPU_PROGRESS_H
#define HEDDLE_TB_GPU_PROGRESS_H

#include <stdint.h>

#define PROGRESS_SOON    1 /* seconds between two lines */
#define PROGRESS_IN_LOGS 30

struct progress {
    int asked; /* soon also where standard error is no terminal; set once */
    int terminal, shown;
    double interval;    /* seconds between two lines */
    unsigned countdown; /* calls until the clock is read again */
    double last;        /* seconds */
    uint64_t last_cycles, last_instructions;
};

/* How far a kernel is: blocks that have ended, of how many; its cycles and warp instructions so far. What is executed without time
 * has no cycles. */
struct progress_now {
    const char *kernel;
    uint64_t ended, blocks, cycles, instructions;
    int untimed;
};

double seconds_now(void); /* of a clock that only runs forward */

/* A kernel begins. */
void progress_start(struct progress *);

/* Whether it is time for a line. Cheap enough for every window. */
int progress_due(struct progress *);
void progress_show(struct progress *, const struct progress_now *);

/* Erases the line. */
void progress_end(struct progress *);

#endif
