/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/program.h: a program that ran alone with several sizes of a cache, as CAMP wants it (cmodel/analytic/camp.h), and two that ran
 * beside each other: from statistics.
 *
 * All is of the whole run. An access is a request that an L2 bank has served (l2.accesses), or a line that a load asks L1D for (l1d.accesses), a miss one
 * whose line, or a sector of it, was not there (misses), but for those that found their line on its way (mshr_merged): they bring nothing into the cache.
 * SPI is in cycles per warp instruction, of all SMs of the program together. */
#ifndef HEDDLE_TB_CLI_MODEL_PROGRAM_H
#define HEDDLE_TB_CLI_MODEL_PROGRAM_H

#include "cmodel/analytic/camp.h"
#include "tb/cli/model/cache.h"
#include "tb/cli/statistics.h"

#define MODEL_PAIR 2 /* programs that run beside each other on the machine */

struct model_program {
    const struct model_cache *cache;
    char name[80]; /* of its first kernel */
    struct camp_program camp;
    struct camp_run runs[CAMP_WAYS]; /* a run for each number of ways, at most */
    unsigned ways[CAMP_WAYS];        /* of the cache in each run, rising */
    const char *paths[CAMP_WAYS];    /* of the runs; the caller keeps the text */
    unsigned num, sms, blocks;       /* blocks: sm.max_blocks, where it shares its SMs */
    int level;                       /* MPA hardly varies, so that alpha is 0 */
    int by_stacks;                   /* its curve is that of stack distances */
    struct fit fit;
    const char *path;            /* of the first file, which the caller keeps */
    struct statistics *settings; /* the same */
};

/* Reads the runs of STATS.json,STATS.json..., two or more, which differ in the ways of the cache and in nothing else; `files` is cut at the commas. Returns 0, or -1
 * with the reason on stderr. */
int model_program_read(struct model_program *, const struct model_cache *, char *files);
void model_program_free(struct model_program *);

/* Did both run on the same machine? Their SMs, blocks and the cache's ways may differ. Says on stderr where not. */
int model_programs_match(const struct model_program *, const struct model_program *);

/* Finds the profile, in a cache of `ways`, of which no run has more. `noise`: as in camp_profile; where MPA varies by no more, SPI is taken
 * not to depend on it. Returns 0, or -1 with the reason on stderr. */
int model_program_profile(struct model_program *, unsigned ways, double noise);

/* After that: takes for its curve that of the stack distances in a profile of the program alone, with as many SMs or blocks. Returns 0, or -1 with the
 * reason on stderr. program_stacks.c */
int model_program_by_stacks(struct model_program *, const char *path);

/* SPI alone with so many ways: measured, if a run had them, else by the line. */
double model_program_alone(const struct model_program *, unsigned ways);

/* What the machine did with two programs. */
struct model_measured {
    double ways[MODEL_PAIR], mpa[MODEL_PAIR], spi[MODEL_PAIR];
    unsigned sms[MODEL_PAIR], blocks[MODEL_PAIR]; /* the same: kmu.blocks_0 and _1 */
};

/* Reads the statistics of two captures beside each other, on SMs of their own where the cache is L2, with so many ways. Returns 0, or -1 with the reason on stderr. */
int model_measured_read(const char *path, const struct model_program pair[MODEL_PAIR],
                        unsigned ways, struct model_measured *);

#endif
