/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/statistics.h: reading a statistics file back. */
#ifndef HEDDLE_TB_CLI_STATISTICS_H
#define HEDDLE_TB_CLI_STATISTICS_H

struct statistics;

/* Reads a file. NULL with the reason on stderr. */
struct statistics *statistics_read(const char *path);
void statistics_free(struct statistics *);

/* Elements of the array at "kernels"; element 3 of it is "kernels.3". */
int statistics_count(struct statistics *, const char *member);

/* The member at "totals.l1d.hits". A member that is missing is said on stderr once, and counts as 0
 * or "?". */
double statistics_number(struct statistics *, const char *member);
const char *statistics_word(struct statistics *, const char *member);

/* A number of the configuration: "l1d.sets". */
double statistics_setting(struct statistics *, const char *key);

/* Was any member missing? */
int statistics_incomplete(const struct statistics *);

/* Reads a whole text file. NULL with the reason on stderr; the caller frees it. */
char *read_text_file(const char *path);

#endif
