/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/outcome.h: what became of a point, as the file that its task leaves. */
#ifndef HEDDLE_TB_CLI_SWEEP_OUTCOME_H
#define HEDDLE_TB_CLI_SWEEP_OUTCOME_H

#include <cjson/cJSON.h>

#include "tb/cli/sweep/plan.h"

#define HASH_TEXT 33 /* bytes of a hash of 128 bits as text */

/* A done point has results; a broken one an exit status and a message. */
struct outcome {
    int broken, exit_status;
    char *message;
    char build[HASH_TEXT];
    cJSON *results; /* objects of numbers */
};

/* The file of a point's task: FOLDER/N.json; other endings for what else the task needs. */
char *task_file(const char *folder, int number, const char *ending);

/* Writes the file, all at once. Returns 0, or -1 with the reason on stderr. */
int outcome_write(const struct outcome *, const struct point *, int number, const char *folder);

/* Reads it back. Returns 0; 1: there is none; -1: it is not an outcome of this point, for the
 * reason in `why`. */
int outcome_read(struct outcome *, const struct point *, int number, const char *folder,
                 char why[128]);
void outcome_free(struct outcome *);

#endif
