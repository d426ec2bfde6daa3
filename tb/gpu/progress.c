/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/progress.c: see progress.h. */
#include "tb/gpu/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define CALLS_PER_LOOK   1024
#define SECONDS_PER_LINE 0.25

double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void progress_start(struct progress *p)
{
    *p = (struct progress){.terminal = isatty(STDERR_FILENO), .countdown = CALLS_PER_LOOK};
    p->last = p->terminal ? seconds_now() : 0;
}

int progress_due(struct progress *p)
{
    if (!p->terminal || --p->countdown)
        return 0;
    p->countdown = CALLS_PER_LOOK;
    return seconds_now() - p->last >= SECONDS_PER_LINE;
}

void progress_show(struct progress *p, const char *kernel, uint64_t cycle, uint64_t instructions)
{
    double now = seconds_now();
    fprintf(stderr, "\r\033[K%.40s  cycle %" PRIu64 "  %" PRIu64 " warp instructions  %.2f M/s",
            kernel, cycle, instructions,
            (double)(instructions - p->last_instructions) / (now - p->last) * 1e-6);
    fflush(stderr);
    p->last = now;
    p->last_instructions = instructions;
    p->shown = 1;
}

void progress_end(struct progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = 0;
}
