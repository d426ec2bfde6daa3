/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/csv.c: the results of a sweep as comma-separated values (RFC 4180): one row per point,
 * a column for every key and every result that any point has. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/csv.h"
#include "tb/cli/sweep/memory.h"
#include "tb/cli/sweep/sweep.h"
#include "tb/file.h"

static const char *column(sqlite3_stmt *query, int n)
{
    const char *text = (const char *)sqlite3_column_text(query, n);
    return text ? text : "";
}

static void write_names(sqlite3 *db, const char *sql, FILE *to)
{
    sqlite3_stmt *query = store_query(db, sql);
    while (store_step(query)) {
        fputc(',', to);
        csv_field(to, column(query, 0));
    }
    sqlite3_finalize(query);
}

/* The values of a point, one for each name that any point has. */
static void write_values(sqlite3_stmt *query, int point, FILE *to)
{
    sqlite3_bind_int(query, 1, point);
    while (store_step(query)) {
        fputc(',', to);
        csv_field(to, column(query, 0));
    }
    sqlite3_reset(query);
}

static void write_all(sqlite3 *db, FILE *to)
{
    sqlite3_exec(db,
                 "CREATE TEMP TABLE keys AS SELECT DISTINCT key FROM settings ORDER BY key;"
                 "CREATE TEMP TABLE names AS SELECT DISTINCT name FROM results ORDER BY name",
                 NULL, NULL, NULL);
    fputs("id,group,config,workload,size,args", to);
    write_names(db, "SELECT key FROM keys ORDER BY key", to);
    fputs(",status,exit_status,message,build", to);
    write_names(db, "SELECT name FROM names ORDER BY name", to);
    fputs("\r\n", to);
    sqlite3_stmt *points = store_query(
        db, "SELECT id, \"group\", config, workload, size, args, status, exit_status, message,"
            " build FROM points ORDER BY id");
    sqlite3_stmt *settings = store_query(db, "SELECT s.value FROM keys k LEFT JOIN settings s"
                                             " ON s.key = k.key AND s.point = ?1 ORDER BY k.key");
    sqlite3_stmt *results = store_query(db, "SELECT r.value FROM names n LEFT JOIN results r"
                                            " ON r.name = n.name AND r.point = ?1 ORDER BY n.name");
    while (store_step(points)) {
        for (int i = 0; i < 10; i++) {
            if (i == 6)
                write_values(settings, sqlite3_column_int(points, 0), to);
            if (i)
                fputc(',', to);
            csv_field(to, column(points, i));
        }
        write_values(results, sqlite3_column_int(points, 0), to);
        fputs("\r\n", to);
    }
    sqlite3_finalize(points);
    sqlite3_finalize(settings);
    sqlite3_finalize(results);
}

int csv_write(sqlite3 *db, const char *path)
{
    struct file *file = file_create(path, stderr);
    if (!file)
        return -1;
    write_all(db, file_stream(file));
    return file_commit(file, stderr);
}
