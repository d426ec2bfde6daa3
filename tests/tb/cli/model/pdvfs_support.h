/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/model/pdvfs_support.h: programs made up, as statistics for `heddle model pdvfs`, and its CSV read back. */
#ifndef HEDDLE_TESTS_TB_CLI_MODEL_PDVFS_SUPPORT_H
#define HEDDLE_TESTS_TB_CLI_MODEL_PDVFS_SUPPORT_H

#define CLOCKS        4 /* 3, 4, 5 and 6 sixths */
#define MOST_LAUNCHES 64
#define MHZ           1200. /* of the highest */

/* A launch; what may differ with the clock has an element for each. Nothing found its line on its way but `merged` of either cache. */
struct clock_launch {
    const char *name;
    double instructions, l1d_accesses, l2_accesses, sp, sfu, merged;
    double cycles[CLOCKS], nanojoules[CLOCKS], l1d[CLOCKS],
        l2[CLOCKS]; /* misses that ask for a line */
};

/* Writes STEM.3.json to STEM.6.json. */
void pdvfs_write(const char *stem, const struct clock_launch *, unsigned launches);
#define CLOCK_FILES(stem) stem ".3.json," stem ".4.json," stem ".5.json," stem ".6.json"

/* `heddle model pdvfs` with these words ends with this status, and says this; what it said is in `said`. */
void pdvfs_says(const char *words, int status, const char *says);

/* A row of a CSV. */
struct pdvfs_row {
    double seconds, joules, fitted_seconds, fitted_joules; /* fitted: 0: none */
    double slower, thesis_slower, over, thesis_over;       /* thesis: -1: none */
    char sixths[40];                                       /* none of the loop */
};

/* That of a program, a goal in per cent and a policy. */
struct pdvfs_row pdvfs_row(const char *path, const char *program, double goal, const char *policy);

#endif
