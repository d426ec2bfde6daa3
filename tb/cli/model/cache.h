/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/cache.h: caches that programs can share, as settings and statistics name them. */
#ifndef HEDDLE_TB_CLI_MODEL_CACHE_H
#define HEDDLE_TB_CLI_MODEL_CACHE_H

struct model_cache {
    const char *name, *title;       /* l2: in the totals of statistics; L2: in messages */
    const char *ways, *sets, *each; /* settings; each: how many of these caches there are */
    const char *spaces;             /* of a period of statistics: what it did for each program */
    const char *run_but;     /* settings that may differ between runs of one program, as words */
    const char *machine_but; /* that may differ between programs */
    int apart;               /* programs that share it run on SMs of their own */
};

/* L2, which programs on SMs of their own share; L1D, which programs on the same SMs share. */
extern const struct model_cache model_l2, model_l1d;

/* NULL: there is none of this name. */
const struct model_cache *model_cache_named(const char *name);

#endif
