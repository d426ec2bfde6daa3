/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/collect.h: the settings of one point, from the keys of its group and from files of settings. */
#ifndef HEDDLE_TB_CLI_SWEEP_COLLECT_H
#define HEDDLE_TB_CLI_SWEEP_COLLECT_H

#include "tb/cli/sweep/plan.h"
#include "tb/ini_file.h"

struct collector {
    struct ini_file *at;  /* the sweep, at the line of the key that is collected */
    struct arena *memory; /* for what files say */
    struct setting settings[MAX_SETTINGS];
    int count;
};

/* Adds a setting that is not there yet. Returns 0, or -1 with the error reported. */
int collect(struct collector *, const char *key, const char *value);
/* Adds those of a file, as `heddle run --settings` reads it. The same. */
int collect_file(struct collector *, const char *path);

#endif
