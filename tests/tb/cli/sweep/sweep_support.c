/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/sweep/sweep_support.c: see sweep_support.h. */
#include <glob.h>
#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/tb/cli/sweep/sweep_support.h"
#include "tests/tb/shell.h"

char said[MAX_OUTPUT];

int in_folder(void **state)
{
    char folder[] = "/tmp/heddle-sweep-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    *state = strdup(folder);
    return 0;
}

int leave_folder(void **state)
{
    char command[128];
    assert_int_equal(chdir("/"), 0);
    snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
    const int status = system(command);
    free(*state);
    return status;
}

void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

int heddle(const char *command, const char *words)
{
    char line[1024];
    snprintf(line, sizeof line, "$H/heddle %s %s", command, words);
    return shell(line, said);
}

void heddle_says(const char *command, const char *words, int status, const char *says)
{
    const int ended = heddle(command, words);
    if (ended != status || (says && !strstr(said, says)))
        fail_msg("heddle %s %s\nstatus %d, expected %d, and '%s' in:\n%s", command, words, ended,
                 status, says ? says : "", said);
}

pid_t sweep_start(const char *words)
{
    char command[1024];
    snprintf(command, sizeof command, "exec \"$HEDDLE_BUILD\"/heddle sweep %s >said 2>&1", words);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    return child;
}

static sqlite3 *open_database(const char *database)
{
    sqlite3 *db;
    if (sqlite3_open(database, &db) != SQLITE_OK)
        fail_msg("%s: %s", database, sqlite3_errmsg(db));
    sqlite3_busy_timeout(db, 10000);
    return db;
}

const char *value_of(const char *database, const char *sql)
{
    static char value[4096];
    sqlite3 *db = open_database(database);
    sqlite3_stmt *query;
    if (sqlite3_prepare_v2(db, sql, -1, &query, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    const int rows = sqlite3_step(query) == SQLITE_ROW && sqlite3_column_text(query, 0);
    snprintf(value, sizeof value, "%s", rows ? (const char *)sqlite3_column_text(query, 0) : "");
    if (rows)
        assert_int_equal(sqlite3_step(query), SQLITE_DONE);
    sqlite3_finalize(query);
    sqlite3_close(db);
    return value;
}

int count_of(const char *database, const char *sql)
{
    return atoi(value_of(database, sql));
}

void change(const char *database, const char *sql)
{
    sqlite3 *db = open_database(database);
    char *error = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK)
        fail_msg("%s: %s", sql, error);
    sqlite3_close(db);
}

static int print_row(void *to, int columns, char **values, char **names)
{
    (void)names;
    for (int i = 0; i < columns; i++)
        fprintf(to, "%s|", values[i] ? values[i] : "NULL");
    fputc('\n', to);
    return 0;
}

char *dump(const char *database)
{
    static const char *const queries[] = {
        "PRAGMA integrity_check", "PRAGMA user_version", "PRAGMA application_id",
        "SELECT type, name, sql FROM sqlite_schema", "SELECT rowid, * FROM points",
        /* types too: 1 and 1.0 print alike */
        "SELECT *, typeof(value) FROM settings", "SELECT *, typeof(value) FROM results"};
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    sqlite3 *db = open_database(database);
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++)
        assert_int_equal(sqlite3_exec(db, queries[i], print_row, to, NULL), SQLITE_OK);
    sqlite3_close(db);
    fclose(to);
    return text;
}

/* Does a file of /proc name the folder? A working directory in the environment does not count. */
static int names(const char *path, const char *folder)
{
    static char text[1 << 17];
    int found = 0;
    FILE *f = fopen(path, "r");
    const size_t size = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[size] = 0;
    for (const char *word = text; word < text + size && !found; word += strlen(word) + 1)
        found = strstr(word, folder) && strncmp(word, "PWD=", 4) && strncmp(word, "OLDPWD=", 7);
    return found;
}

int processes_in(const char *folder)
{
    glob_t all;
    int count = 0;
    assert_int_equal(glob("/proc/[0-9]*", 0, NULL, &all), 0);
    for (size_t i = 0; i < all.gl_pathc; i++) {
        char command[64], environment[64];
        snprintf(command, sizeof command, "%s/cmdline", all.gl_pathv[i]);
        snprintf(environment, sizeof environment, "%s/environ", all.gl_pathv[i]);
        count += atoi(all.gl_pathv[i] + 6) != getpid() &&
                 (names(command, folder) || names(environment, folder));
    }
    globfree(&all);
    return count;
}
