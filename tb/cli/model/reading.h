/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/reading.h: what all models ask of statistics files. What is wrong is said on stderr, with the file. */
#ifndef HEDDLE_TB_CLI_MODEL_READING_H
#define HEDDLE_TB_CLI_MODEL_READING_H

#include "tb/cli/statistics.h"

/* Says "path: what name". Returns -1. */
int model_wrong(const char *path, const char *what, const char *name);

/* The member of that path within `from`. Returns 0, or -1: it is no finite number. */
int model_number(const char *path, const struct cJSON *from, const char *name, double *value);

/* Of two that ran at once: the name of the first launch as the one or the other; "?": there is none. */
const char *model_name_of(struct statistics *, unsigned number);

/* Are the kernels of a run of two of these names? Returns 0, or -1. */
int model_names_are(struct statistics *, const char *path, const char *first, const char *second);

/* Is it the whole of a program that ran alone and ended well? Returns 0, or -1. */
int model_check_alone(const char *path, struct statistics *);

#endif
