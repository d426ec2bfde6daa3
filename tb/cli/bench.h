/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/bench.h: what the parts of `heddle bench` share. */
#ifndef HEDDLE_TB_CLI_BENCH_H
#define HEDDLE_TB_CLI_BENCH_H

#include "tb/file.h"

#define MAX_REPEATS 99

struct bench {
    int repeat;
    const char *baseline, *record;
    struct file *recording;
    char *before; /* the baseline's text */
};

/* On a terminal, what runs. */
void bench_progress(const char *workload, const char *how, int run, int repeat);
/* Prints how many times as fast it is as recorded, if it was, and records it. */
void bench_speed(struct bench *, const char *name, double speed);

/* How long it takes to find out what blocks share, before a launch. Returns 0, or an exit status. */
int bench_analysis(struct bench *);

#endif
