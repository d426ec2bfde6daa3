/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/statistics.h: reading a statistics file back.
 *
 * A member is named by its path: "totals.l1d.hits"; element 3 of an array is "kernels.3". What
 * stands in the totals may be named without them: "l1d.hits". */
#ifndef HEDDLE_TB_CLI_STATISTICS_H
#define HEDDLE_TB_CLI_STATISTICS_H

#include <stdio.h>

struct statistics;
struct cJSON;

/* Says on stderr that what was read from `path` is incomplete (tb/gpu/kept.h), and why, if it is. */
void statistics_say_incomplete(const struct cJSON *root, const char *path);

/* Reads a file. NULL with the reason on stderr. Of one that is incomplete (tb/gpu/kept.h) stderr says so. */
struct statistics *statistics_read(const char *path);
void statistics_free(struct statistics *);

/* The elements of an array, a number, a word. The first missing member is reported on stderr;
 * it counts as 0 or "?". */
int statistics_count(struct statistics *, const char *path);
double statistics_number(struct statistics *, const char *path);
const char *statistics_word(struct statistics *, const char *path);

/* The word, or NULL, which is no mistake. */
const char *statistics_text(const struct statistics *, const char *path);

/* The member of that path, as written, of the file or of `from`, which may be NULL; NULL: there is none. */
const struct cJSON *statistics_at(const struct statistics *, const char *path);
const struct cJSON *statistics_within(const struct cJSON *from, const char *path);

/* Is it a finite number? Then *value becomes it; else it stays as it is. */
int statistics_finite(const struct cJSON *, double *value);

/* The outermost object. */
const struct cJSON *statistics_root(const struct statistics *);

/* Says on stderr that it is missing. */
void statistics_lack(const struct statistics *, const char *path);

/* Is there a number of that name, as written? */
int statistics_has(const struct statistics *, const char *path);

/* Is there one in the totals? */
int statistics_has_total(const struct statistics *, const char *name);

/* Prints a value on a line; of an object or an array a line "path value" for each value in it.
 * Returns 0, or -1 with the reason on stderr: it is missing, no memory. */
int statistics_print(struct statistics *, const char *path, FILE *);

/* Removes a member of the outermost object. Returns 0, or -1 with the reason on stderr: it is
 * missing. */
int statistics_remove(struct statistics *, const char *name);

/* Prints all as the machine writes it. Returns 0 or -1. */
int statistics_print_all(const struct statistics *, FILE *);

/* Was any member missing? */
int statistics_incomplete(const struct statistics *);

/* Reads a whole text file. NULL with the reason on stderr; the caller frees it. */
char *read_text_file(const char *path);

#endif
