/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/search/search.h: what the parts of `heddle search` share. Reading order: design.h, genetic.h, generation.c, report.c, search.c. */
#ifndef HEDDLE_TB_CLI_SEARCH_SEARCH_H
#define HEDDLE_TB_CLI_SEARCH_SEARCH_H

#include "tb/cli/search/genetic.h"
#include "tb/cli/sweep/memory.h"

/* What a generation was like. */
struct generation {
    double best, mean, best_so_far;
    int new_designs; /* that were not known before */
};

/* Cycles of a kernel under the policy that designs are compared with. */
struct baseline {
    char *workload, *kernel;
    double cycles;
};

struct search {
    const char *policy, *stem; /* rlws-ms, rlws_ms */
    const char *compared;      /* the policy that designs are compared with */
    const char *folder, *size;
    const char *workloads; /* a list, as a sweep takes it */
    char **sweep;          /* more options of the sweeps */
    int num_sweep;
    int population, generations, random;
    uint64_t seed;
    struct baseline *baselines;
    int num_baselines;
    struct candidate *known; /* all that have a fitness, in the order in which they were found */
    int num_known;
    struct generation *history;
};

/* Runs the policy that designs are compared with. Both return 0, or the exit status that the search ends with. */
int baseline_run(struct search *);
/* Gives each candidate its fitness: runs those designs that are not known yet. */
int generation_run(struct search *, int number, struct candidate *candidates);

/* The best `count` of all that are known, the best first, of equal ones the first found; as many as there are. */
int search_best(const struct search *, struct candidate *best, int count);

/* Writes search.csv, best.ini and fitness.svg into the folder, of so many generations. */
int report_write(const struct search *, int generations);
void report_print(const struct search *);

#endif
