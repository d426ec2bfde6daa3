/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/table.h: what another command has computed from runs of its own and written as comma-separated values, as
 * `heddle model camp --csv` does, for claims to speak of: to an expression each row is a run, whose settings are the columns. */
#ifndef HEDDLE_TB_CLI_CLAIMS_TABLE_H
#define HEDDLE_TB_CLI_CLAIMS_TABLE_H

#include "tb/cli/sweep/plan.h"

#define TABLE_COLUMNS 64                /* at most */
#define TABLE_BYTES   ((size_t)1 << 24) /* a file has fewer */

struct table {
    const char *name; /* the rows' group */
    const char *path;
    struct point *rows; /* MAX_POINTS at most */
    int count;
    int found; /* 0: there is no such file */
    struct arena memory;
};

/* Reads FOLDER/NAME.csv: a line with the names of the columns, such as may stand in an expression, then a row on each line. An empty field
 * is none: the row lacks the column. Returns 0, also if there is no such file, or -1 with the reason on `err` as "path:line: error: ...".
 * table_drop() either way. */
int table_load(struct table *, const char *folder, const char *name, FILE *err);
void table_drop(struct table *);

/* Can the name be that of a file of the folder? Letters, digits, - and _. */
int table_is_name(const char *);

#endif
