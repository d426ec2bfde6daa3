/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/query.h: what scripts take out of a statistics file: `heddle report --get` and
 * `--without`. */
#ifndef HEDDLE_TB_CLI_QUERY_H
#define HEDDLE_TB_CLI_QUERY_H

/* Each prints to stdout and returns 0, or -1 with the reason on stderr. */

/* The values of `count` members, see statistics_print. */
int query_get(const char *path, const char *const *members, int count);

/* The file without some members of its outermost object: "host,lockstep". */
int query_without(const char *path, const char *members);

#endif
