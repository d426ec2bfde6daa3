/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/clocks.h: a program that ran with several clocks of the SMs and all else equal, as P-DVFS wants it (cmodel/analytic/pdvfs.h):
 * from statistics. `sm.clock` is the clock of the SMs in sixths of that of the configuration, by which cycles are counted
 * whatever it is.
 *
 * A period is a launch, or several, one after the other, that at the highest clock take as long as --period says; all of them
 * together are the program. Misses are those that asked for a line, not those that found it on its way. */
#ifndef HEDDLE_TB_CLI_MODEL_CLOCKS_H
#define HEDDLE_TB_CLI_MODEL_CLOCKS_H

#include <stddef.h>

#include "cmodel/analytic/pdvfs.h"
#include "tb/clocks.h"

/* Misses of which cache are told apart by. */
enum clock_misses { MISSES_L1D, MISSES_L2, NUM_CLOCK_MISSES };

/* What a launch, or a period, did with one clock. Instructions are those of warps. */
struct clock_period {
    double instructions, cycles, joules;
    double misses[NUM_CLOCK_MISSES];
    double events[NUM_PDVFS_EVENTS]; /* of (5.7), as far as statistics tell them: see clocks.c */
};

struct model_clocks {
    char name[80];                 /* of its first kernel */
    double hz;                     /* of the clock by which cycles are counted */
    unsigned num;                  /* clocks */
    unsigned sixths[PDVFS_LEVELS]; /* rising */
    double volts[PDVFS_LEVELS];    /* of the SMs, over those at six sixths */
    size_t launches, periods;
    struct clock_period *of[PDVFS_LEVELS]; /* the periods with each clock */
};

/* Reads the runs of STATS.json,STATS.json..., two or more, which differ in sm.clock and in nothing else; `files` is cut at the commas.
 * Periods have `period` cycles or more, but for the last. Returns 0, or -1 with the reason on stderr. */
int model_clocks_read(struct model_clocks *, char *files, double period);
void model_clocks_free(struct model_clocks *);

/* By how much more instructions a run executes than another, at most: 0.01 is 1 %. */
double model_clocks_differ(const struct model_clocks *);

#endif
