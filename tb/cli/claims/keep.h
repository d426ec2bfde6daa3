/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/keep.h: an earlier claims.md: its rows for claims whose runs have no results here, its
 * figures for those of whose runs only some have. */
#ifndef HEDDLE_TB_CLI_CLAIMS_KEEP_H
#define HEDDLE_TB_CLI_CLAIMS_KEEP_H

#include <stdio.h>

#include "tb/arena.h"
#include "tb/cli/claims/judge.h"

struct kept_row {
    const char *text; /* the line, without its end */
    enum verdict verdict;
    int partly; /* "met; the rest ..." */
};

struct kept {
    struct kept_row *rows;
    int count;
    struct arena memory;
};

/* Reads the rows of a table of claims with `columns` columns; other lines are passed over. Returns 0, or
 * -1 with file, line and reason on `err`; kept_free() either way. */
int kept_read(struct kept *, const char *path, int columns, FILE *err);
void kept_free(struct kept *);

/* The row of a claim, or NULL. */
const struct kept_row *kept_row_of(const struct kept *, const char *id);

/* Gives those values of a claim that were not run here, while others were, what stands in its row, and
 * concludes anew; so it does with the figures of its reason, if the words between them are the same.
 * `signs`: the table has that column; then a value that was run here, but not on the other machines, and is
 * what it was, keeps its signs. */
void kept_values(struct kept *, struct judged *, int signs);

#endif
