/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/settings.h: settings of runs that are compared, or read. What is wrong is said on stderr, with the files. */
#ifndef HEDDLE_TB_CLI_MODEL_SETTINGS_H
#define HEDDLE_TB_CLI_MODEL_SETTINGS_H

#include "tb/cli/statistics.h"

/* Are values of two files, NULL where there is none, the same? Else both are said. */
int model_same(const char *a_path, const struct cJSON *a, const char *b_path, const struct cJSON *b,
               const char *name);

/* Are these members of the outermost object the same in both? The list ends with NULL. */
int model_same_words(const char *a_path, const struct statistics *a, const char *b_path,
                     const struct statistics *b, const char *const *words);

/* Are all settings the same in both, but for those that begin with one of the words of `but`? */
int model_same_settings(const char *a_path, const struct statistics *a, const char *b_path,
                        const struct statistics *b, const char *but);

/* A setting that is a whole number in a range. Returns 0, or -1. */
int model_whole(const char *path, const struct statistics *, const char *name, double least,
                double most, unsigned *value);

#endif
