/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/results.c: see results.h. */
#include "tb/cli/claims/results.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tb/cli/sweep/memory.h"
#include "tb/cli/sweep/store.h"

struct run {
    const char *text;
    int number, broken, exit_status, done;
};

struct database {
    char *config;
    sqlite3 *db; /* NULL: there is none */
    sqlite3_stmt *value, *kernels;
    struct run *runs; /* ordered by text */
    int count;
    struct arena memory;
};

struct results {
    const char *folder;
    struct database *databases;
    int count;
};

struct results *results_open(const char *folder)
{
    struct results *r = more(NULL, sizeof *r);
    *r = (struct results){folder, NULL, 0};
    return r;
}

void results_close(struct results *r)
{
    for (int i = 0; i < r->count; i++) {
        struct database *d = &r->databases[i];
        sqlite3_finalize(d->value);
        sqlite3_finalize(d->kernels);
        sqlite3_close(d->db);
        arena_free(&d->memory);
        free(d->runs);
        free(d->config);
    }
    free(r->databases);
    free(r);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct run *)a)->text, ((const struct run *)b)->text);
}

static void read_runs(struct database *d)
{
    sqlite3_stmt *query = store_query(d->db, "SELECT id, text, status, exit_status FROM points");
    while (store_step(query)) {
        const char *text = (const char *)sqlite3_column_text(query, 1),
                   *status = (const char *)sqlite3_column_text(query, 2);
        if ((d->count & (d->count - 1)) == 0) /* 0, 1, 2, 4, ...: full */
            d->runs = more(d->runs, (size_t)(d->count ? 2 * d->count : 1) * sizeof *d->runs);
        d->runs[d->count++] = (struct run){arena_copy(&d->memory, text, strlen(text)),
                                           sqlite3_column_int(query, 0), !strcmp(status, "broken"),
                                           sqlite3_column_int(query, 3), !strcmp(status, "done")};
    }
    sqlite3_finalize(query);
    if (d->count)
        qsort(d->runs, (size_t)d->count, sizeof *d->runs, by_text);
}

static struct database *database_of(struct results *r, const char *config)
{
    for (int i = 0; i < r->count; i++)
        if (!strcmp(r->databases[i].config, config))
            return &r->databases[i];
    r->databases = more(r->databases, (size_t)(r->count + 1) * sizeof *r->databases);
    struct database *d = &r->databases[r->count++];
    *d = (struct database){.config = text_of("%s", config)};
    char *path = text_of("%s/%s.sqlite", r->folder, config);
    if (!access(path, F_OK))
        d->db = store_open(path, 0);
    free(path);
    if (!d->db)
        return d;
    d->value = store_query(d->db, "SELECT value FROM results WHERE point = ?1 AND name = ?2");
    d->kernels =
        store_query(d->db, "SELECT substr(name, 8, length(name) - 16) FROM results WHERE"
                           " point = ?1 AND name GLOB 'kernel.*.launches' AND name NOT GLOB"
                           " '*.profile.launches' ORDER BY name");
    read_runs(d);
    return d;
}

/* The run; NULL: it has no results, for the reason in `why`. */
static const struct run *run_of(const struct database *d, const struct point *p, char why[128])
{
    const struct run key = {.text = p->text},
                     *run = d->count ? bsearch(&key, d->runs, (size_t)d->count, sizeof key, by_text)
                                     : NULL;
    if (run && run->done)
        return run;
    if (run && run->broken)
        snprintf(why, 128, "broken, exit status %d", run->exit_status);
    else
        snprintf(why, 128, "not run");
    return NULL;
}

int results_have(struct results *r, const struct point *p)
{
    char why[128];
    return run_of(database_of(r, p->config), p, why) != NULL;
}

int results_fetch(struct results *r, const struct point *p, const char *name, double *value,
                  char why[128])
{
    struct database *d = database_of(r, p->config);
    const struct run *run = run_of(d, p, why);
    if (!run)
        return -1;
    sqlite3_bind_int(d->value, 1, run->number);
    sqlite3_bind_text(d->value, 2, name, -1, SQLITE_STATIC);
    const int found = store_step(d->value);
    *value = found ? sqlite3_column_double(d->value, 0) : 0;
    sqlite3_reset(d->value);
    return found ? 0 : 1;
}

int results_kernels(struct results *r, const struct point *p, const char ***names,
                    struct arena *memory, char why[128])
{
    struct database *d = database_of(r, p->config);
    const struct run *run = run_of(d, p, why);
    const char *found[256];
    int count = 0;
    if (!run)
        return -1;
    sqlite3_bind_int(d->kernels, 1, run->number);
    while (store_step(d->kernels))
        if (count < 256) {
            const char *name = (const char *)sqlite3_column_text(d->kernels, 0);
            found[count++] = arena_copy(memory, name, strlen(name));
        }
    sqlite3_reset(d->kernels);
    *names = arena_copy(memory, found, (size_t)count * sizeof found[0]);
    return count;
}
