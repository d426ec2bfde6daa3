/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/sweep/sweep_support.h: a folder of its own for each test, sweeps in it, and what
 * their results hold, read with SQLite. */
#ifndef HEDDLE_TESTS_TB_CLI_SWEEP_SUPPORT_H
#define HEDDLE_TESTS_TB_CLI_SWEEP_SUPPORT_H

#include <sys/types.h>

/* Set-up and tear-down of a test: *state is the folder, which is also the working directory. */
int in_folder(void **state);
int leave_folder(void **state);
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, in_folder, leave_folder)

void write_file(const char *path, const char *text);

/* Runs "heddle COMMAND" with these words. Returns its exit status; what it said is in `said`. */
int heddle(const char *command, const char *words);
extern char said[];

/* The same; the test fails unless it ends with this status, and says this. NULL: it may say anything. */
void heddle_says(const char *command, const char *words, int status, const char *says);

/* Starts "heddle sweep", and does not wait. */
pid_t sweep_start(const char *words);

/* The only value that a query has, as text; "" if there is none. */
const char *value_of(const char *database, const char *sql);
int count_of(const char *database, const char *sql);
void change(const char *database, const char *sql);

/* All of a database: its tables' definitions and all rows in the order they are stored; for the
 * caller to free. */
char *dump(const char *database);

/* Processes that name this folder in their command line or environment, but for this one. */
int processes_in(const char *folder);

#endif
