/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/store.c: see store.h. */
#include "tb/cli/sweep/store.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/cli.h"
#include "tb/cli/sweep/memory.h"

#define APPLICATION "1212433484" /* "HDDL" */
#define VERSION     "1"

static const char schema[] =
    "PRAGMA application_id = " APPLICATION "; PRAGMA user_version = " VERSION ";"
    "CREATE TABLE points(id INTEGER PRIMARY KEY, \"group\" TEXT NOT NULL, text TEXT NOT NULL,"
    " config TEXT NOT NULL, workload TEXT NOT NULL, size TEXT NOT NULL, args TEXT NOT NULL,"
    " status TEXT NOT NULL, exit_status INTEGER, message TEXT, build TEXT NOT NULL);"
    "CREATE TABLE settings(point INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,"
    " PRIMARY KEY(point, key)) WITHOUT ROWID;"
    "CREATE TABLE results(point INTEGER NOT NULL, name TEXT NOT NULL, value NOT NULL,"
    " PRIMARY KEY(point, name)) WITHOUT ROWID;";

static _Noreturn void give_up(sqlite3 *db, const char *doing)
{
    fprintf(stderr, "heddle sweep: %s: %s: %s\n", sqlite3_db_filename(db, "main"), doing,
            sqlite3_errmsg(db));
    exit(EXIT_USAGE);
}

static void run(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        give_up(db, "cannot be used");
}

sqlite3_stmt *store_query(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *query;
    if (sqlite3_prepare_v2(db, sql, -1, &query, NULL) != SQLITE_OK)
        give_up(db, "cannot be used");
    return query;
}

int store_step(sqlite3_stmt *query)
{
    const int result = sqlite3_step(query);
    if (result != SQLITE_ROW && result != SQLITE_DONE)
        give_up(sqlite3_db_handle(query), "cannot be used");
    return result == SQLITE_ROW;
}

static int number(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *query = store_query(db, sql);
    const int value = store_step(query) ? sqlite3_column_int(query, 0) : 0;
    sqlite3_finalize(query);
    return value;
}

sqlite3 *store_open(const char *path, int write)
{
    sqlite3 *db = NULL;
    const int flags = write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    int status = sqlite3_open_v2(path, &db, flags, NULL);
    sqlite3_busy_timeout(db, 10000);
    if (status == SQLITE_OK)
        status = sqlite3_exec(db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
    if (status != SQLITE_OK) {
        fprintf(stderr, "%s: cannot be opened: %s\n", path, sqlite3_errmsg(db));
        sqlite3_close(db);
        return NULL;
    }
    if (write && number(db, "SELECT count(*) FROM sqlite_schema") == 0) {
        run(db, "BEGIN");
        run(db, schema);
        run(db, "COMMIT");
    }
    if (number(db, "PRAGMA application_id") != atoi(APPLICATION) ||
        number(db, "PRAGMA user_version") != atoi(VERSION)) {
        fprintf(stderr, "%s: not results of `heddle sweep`, or of another version\n", path);
        sqlite3_close(db);
        return NULL;
    }
    return db;
}

static void bind(sqlite3_stmt *query, int place, const char *text)
{
    sqlite3_bind_text(query, place, text, -1, SQLITE_TRANSIENT);
}

/* Runs a statement that gives no rows, and makes it ready for the next time. */
static void finish(sqlite3_stmt *query)
{
    store_step(query);
    sqlite3_reset(query);
}

/* The plan as a table of its own, so that the rest is told in SQL. */
static void enter_plan(sqlite3 *db, const struct plan *plan, char (*builds)[HASH_TEXT])
{
    run(db, "CREATE TEMP TABLE plan(id INTEGER PRIMARY KEY, \"group\" TEXT, text TEXT UNIQUE,"
            " config TEXT, workload TEXT, size TEXT, args TEXT, build TEXT, old INTEGER)");
    sqlite3_stmt *query =
        store_query(db, "INSERT INTO temp.plan SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,"
                        " (SELECT id FROM old WHERE text = ?3 AND build = ?8)");
    for (int i = 0; i < plan->count; i++) {
        const struct point *p = &plan->points[i];
        const char *const words[] = {p->group, p->text, p->config, p->workload,
                                     p->size,  p->args, builds[i]};
        sqlite3_bind_int(query, 1, i + 1);
        for (int w = 0; w < 7; w++)
            bind(query, 2 + w, words[w]);
        finish(query);
    }
    sqlite3_finalize(query);
}

static void enter_settings(sqlite3 *db, const struct plan *plan)
{
    sqlite3_stmt *query = store_query(db, "INSERT INTO settings VALUES(?1, ?2, ?3)");
    for (int i = 0; i < plan->count; i++)
        for (int s = 0; s < plan->points[i].num_settings; s++) {
            sqlite3_bind_int(query, 1, i + 1);
            bind(query, 2, plan->points[i].settings[s].key);
            bind(query, 3, plan->points[i].settings[s].value);
            finish(query);
        }
    sqlite3_finalize(query);
}

int store_enter(sqlite3 *db, const struct plan *plan, char (*builds)[HASH_TEXT], int retry,
                int forget, struct entered *entered)
{
    run(db, "BEGIN IMMEDIATE; CREATE TEMP TABLE old AS SELECT * FROM main.points;"
            "CREATE INDEX temp.old_text ON old(text);"
            "CREATE TEMP TABLE old_results AS SELECT * FROM main.results;"
            "CREATE INDEX temp.old_point ON old_results(point);");
    enter_plan(db, plan, builds);
    entered->forgotten =
        number(db, "SELECT count(*) FROM old WHERE text NOT IN (SELECT text FROM plan)");
    entered->rebuilt = number(db, "SELECT count(*) FROM old JOIN plan USING (text)"
                                  " WHERE old.build <> plan.build AND old.status <> 'pending'");
    entered->retried = retry ? number(db, "SELECT count(*) FROM plan JOIN old ON old.id = plan.old"
                                          " WHERE old.status = 'broken'")
                             : 0;
    if (entered->forgotten && !forget) {
        run(db, "ROLLBACK");
        return -1;
    }
    if (retry)
        run(db, "UPDATE plan SET old = NULL"
                " WHERE old IN (SELECT id FROM old WHERE status = 'broken')");
    run(db, "DELETE FROM main.points; DELETE FROM main.settings; DELETE FROM main.results;"
            "INSERT INTO main.points SELECT p.id, p.\"group\", p.text, p.config, p.workload,"
            " p.size, p.args, coalesce(o.status, 'pending'), o.exit_status, o.message, p.build"
            " FROM plan p LEFT JOIN old o ON o.id = p.old ORDER BY p.id;"
            "INSERT INTO main.results SELECT p.id, r.name, r.value"
            " FROM plan p JOIN old_results r ON r.point = p.old;");
    enter_settings(db, plan);
    run(db, "DROP TABLE plan; DROP TABLE old; DROP TABLE old_results; COMMIT");
    entered->done_before = number(db, "SELECT count(*) FROM points WHERE status <> 'pending'");
    return 0;
}

/* The numbers of an object and of those in it, under names joined by dots. */
static void store_results(sqlite3_stmt *query, const cJSON *json, const char *prefix)
{
    for (const cJSON *i = json->child; i; i = i->next) {
        char *name = text_of("%s%s%s", prefix, *prefix ? "." : "", i->string);
        if (cJSON_IsObject(i))
            store_results(query, i, name);
        else {
            bind(query, 2, name);
            if (fabs(i->valuedouble) < 0x1p53 && floor(i->valuedouble) == i->valuedouble)
                sqlite3_bind_int64(query, 3, (sqlite3_int64)i->valuedouble);
            else
                sqlite3_bind_double(query, 3, i->valuedouble);
            finish(query);
        }
        free(name);
    }
}

void store_outcome(sqlite3 *db, int number, const struct outcome *o)
{
    run(db, "BEGIN IMMEDIATE");
    sqlite3_stmt *query =
        store_query(db, "UPDATE points SET status = ?2, exit_status = ?3, message = ?4"
                        " WHERE id = ?1");
    sqlite3_bind_int(query, 1, number);
    bind(query, 2, o->broken ? "broken" : "done");
    sqlite3_bind_int(query, 3, o->exit_status);
    bind(query, 4, o->message);
    finish(query);
    sqlite3_finalize(query);
    query = store_query(db, "DELETE FROM results WHERE point = ?1");
    sqlite3_bind_int(query, 1, number);
    finish(query);
    sqlite3_finalize(query);
    query = store_query(db, "INSERT OR REPLACE INTO results VALUES(?1, ?2, ?3)");
    sqlite3_bind_int(query, 1, number);
    if (o->results)
        store_results(query, o->results, "");
    sqlite3_finalize(query);
    run(db, "COMMIT");
}

int store_points(sqlite3 *db, const char *status, int *numbers)
{
    sqlite3_stmt *query = store_query(db, "SELECT id FROM points WHERE status = ?1 ORDER BY id");
    int count = 0;
    bind(query, 1, status);
    for (; store_step(query); count++)
        if (numbers)
            numbers[count] = sqlite3_column_int(query, 0);
    sqlite3_finalize(query);
    return count;
}
