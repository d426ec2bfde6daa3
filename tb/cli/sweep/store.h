/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/store.h: the results of a sweep in one SQLite file. What it holds depends on the
 * points and their results only: neither on time, nor on which point was ready first.
 *
 *   points    id, group, text, config, workload, size, args, status, exit_status, message, build
 *   settings  point, key, value
 *   results   point, name, value      ("cycles", "l1d.hits", ...)
 *
 * status: pending, done or broken. */
#ifndef HEDDLE_TB_CLI_SWEEP_STORE_H
#define HEDDLE_TB_CLI_SWEEP_STORE_H

#include "tb/cli/sweep/outcome.h"
#include "tb/cli/sweep/plan.h"

struct sqlite3;
struct sqlite3_stmt;

/* Opens an existing file of results for reading, or with `write` one that is made if there is none.
 * NULL with the reason on stderr. */
struct sqlite3 *store_open(const char *path, int write);

/* Compiles a statement; exits with a message where it cannot be compiled. */
struct sqlite3_stmt *store_query(struct sqlite3 *, const char *sql);

/* One step. 1: there is a row; 0: no more. Exits with a message on an error: what was committed
 * before stays. */
int store_step(struct sqlite3_stmt *);

struct entered {
    int done_before; /* points that are kept */
    int rebuilt;     /* points of another build, to be run again */
    int retried;     /* broken ones, to be run again */
    int forgotten;   /* points of the file that the plan does not name */
};

/* Makes the file name exactly the plan's points, numbered as in the plan; what is known of them
 * stays. build[i] belongs to the plan's point i. With `retry` broken points become pending. Points
 * that the plan does not name are dropped with `forget`; without, they are counted and nothing is
 * changed: returns -1. */
int store_enter(struct sqlite3 *, const struct plan *, char (*builds)[HASH_TEXT], int retry,
                int forget, struct entered *);

/* Puts what became of a point in its place. */
void store_outcome(struct sqlite3 *, int number, const struct outcome *);

/* The number of points with this status; with `numbers`, which they are. */
int store_points(struct sqlite3 *, const char *status, int *numbers);

#endif
