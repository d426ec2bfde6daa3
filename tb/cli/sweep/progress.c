/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/progress.c: see progress.h. */
#include "tb/cli/sweep/progress.h"

#include <stdio.h>
#include <unistd.h>

#define BAR_WIDTH     30
#define LINE_INTERVAL 60.0 /* seconds between lines where there is no terminal */
#define BAR_INTERVAL  0.1

static double since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

void progress_begin(struct progress *p, int points, int done, int broken)
{
    *p = (struct progress){.points = points,
                           .before = done + broken,
                           .done = done,
                           .broken = broken,
                           .terminal = isatty(STDERR_FILENO)};
    clock_gettime(CLOCK_MONOTONIC, &p->began);
    p->shown = p->began;
}

static void print_counts(const struct progress *p)
{
    const int ready = p->done + p->broken, left = p->points - ready;
    fprintf(stderr, "%d of %d points, %d broken, %d running", ready, p->points, p->broken,
            p->running);
    if (ready > p->before && left) {
        const long seconds = (long)(since(&p->began) / (ready - p->before) * left + 0.5);
        fprintf(stderr, ", %ld:%02ld:%02ld left", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
}

void progress_show(struct progress *p)
{
    if (since(&p->shown) < (p->terminal ? BAR_INTERVAL : LINE_INTERVAL))
        return;
    clock_gettime(CLOCK_MONOTONIC, &p->shown);
    if (p->terminal) {
        const int full = (p->done + p->broken) * BAR_WIDTH / (p->points ? p->points : 1);
        fprintf(stderr, "\r\033[K[");
        for (int i = 0; i < BAR_WIDTH; i++)
            fputc(i < full ? '#' : '-', stderr);
        fprintf(stderr, "] ");
    }
    print_counts(p);
    if (!p->terminal)
        fputc('\n', stderr);
}

void progress_end(struct progress *p)
{
    if (p->terminal)
        fprintf(stderr, "\r\033[K");
}
