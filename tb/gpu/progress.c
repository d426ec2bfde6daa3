/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/progress.c: see progress.h. */
#include "tb/gpu/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define CALLS_PER_LOOK 1024

double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void progress_start(struct progress *p)
{
    *p = (struct progress){
        .asked = p->asked, .terminal = isatty(STDERR_FILENO), .countdown = CALLS_PER_LOOK};
    p->interval = p->terminal || p->asked ? PROGRESS_SOON : PROGRESS_IN_LOGS;
    p->last = seconds_now();
}

int progress_due(struct progress *p)
{
    if (--p->countdown)
        return 0;
    p->countdown = CALLS_PER_LOOK;
    return seconds_now() - p->last >= p->interval;
}

void progress_show(struct progress *p, const struct progress_now *n)
{
    const double now = seconds_now(), passed = now - p->last;
    fprintf(stderr, "%skernel %.40s  %" PRIu64 " of %" PRIu64 " blocks  ",
            p->terminal ? "\r\033[K" : "heddle: ", n->kernel, n->ended, n->blocks);
    if (n->untimed)
        fprintf(stderr, "%" PRIu64 " warp instructions", n->instructions);
    else
        fprintf(stderr, "cycle %" PRIu64 "  %.0f cycles/s", n->cycles,
                (double)(n->cycles - p->last_cycles) / passed);
    fprintf(stderr, "  %.2f M warp instructions/s%s",
            (double)(n->instructions - p->last_instructions) / passed * 1e-6,
            p->terminal ? "" : "\n");
    fflush(stderr);
    p->last = now;
    p->last_cycles = n->cycles;
    p->last_instructions = n->instructions;
    p->shown = p->terminal;
}

void progress_end(struct progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = 0;
}
