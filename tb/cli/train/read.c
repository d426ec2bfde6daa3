/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/train/read.c: the kernels of a sweep over mask.n and mask.p. A kernel is a name in a program
 * with its size, arguments and settings. What is read is checked: a file may come from anywhere. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/map/points.h"
#include "tb/cli/sweep/memory.h"
#include "tb/cli/sweep/store.h"
#include "tb/cli/train/train.h"

#define MOST_WARPS 1024 /* of a scheduler: far beyond any machine's */
#define PREFIX     "kernel."
#define MARK       ".warps_per_scheduler" /* that no other object of a kernel has */

static struct kernel *kernel_of(struct kernels *all, const char *workload, const char *label,
                                const char *name)
{
    for (int i = all->count; i-- > 0;)
        if (!strcmp(all->items[i].label, label) && !strcmp(all->items[i].name, name))
            return &all->items[i];
    all->items = more(all->items, (size_t)(all->count + 1) * sizeof *all->items);
    struct kernel *k = &all->items[all->count++];
    *k = (struct kernel){.workload = text_of("%s", workload),
                         .label = text_of("%s", label),
                         .name = text_of("%s", name)};
    return k;
}

static int read_coordinate(const char *key, const char *text, int64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    if (end > text && !*end && !errno && *value >= 1 && *value <= MOST_WARPS)
        return 0;
    fprintf(stderr, "heddle train: %s = %s; expected 1 to %d\n", key, text, MOST_WARPS);
    return -1;
}

/* A result of the point, under the kernel's name. */
static int read_count(sqlite3_stmt *query, int64_t point, const char *kernel, const char *count,
                      double *value)
{
    char *name = text_of(PREFIX "%s.%s", kernel, count);
    sqlite3_reset(query);
    sqlite3_bind_int64(query, 1, point);
    sqlite3_bind_text(query, 2, name, -1, SQLITE_TRANSIENT);
    const int is = store_step(query);
    const int type = is ? sqlite3_column_type(query, 0) : SQLITE_NULL;
    *value = is ? sqlite3_column_double(query, 0) : 0;
    const int good =
        (type == SQLITE_INTEGER || type == SQLITE_FLOAT) && isfinite(*value) && *value >= 0;
    if (!is)
        fprintf(stderr, "heddle train: point %" PRId64 " has no %s\n", point, name);
    else if (!good)
        fprintf(stderr, "heddle train: point %" PRId64 ": %s; expected a number from 0\n", point,
                name);
    free(name);
    return good ? 0 : -1;
}

/* What cannot be, whatever the machine. */
static const char *contradiction(const struct place *p)
{
    if (p->p > p->n)
        return "mask.p is above mask.n";
    if (!(p->cycles > 0))
        return "it took no cycles";
    if (!(p->launches >= 1))
        return "it was not launched";
    if (!(p->warps >= 1 && p->warps <= MOST_WARPS && p->warps == floor(p->warps)))
        return "warps_per_scheduler is no number of warps";
    if (p->hits > p->accesses || p->own_hits > p->hits)
        return "more hits than accesses, or more on own lines than in all";
    return NULL;
}

/* One row: workload, label, N, p, point, and the name of the result that marks a kernel. */
static int add_place(struct kernels *all, sqlite3_stmt *row, sqlite3_stmt *counts)
{
    struct place place;
    const char *mark = (const char *)sqlite3_column_text(row, 5);
    const int64_t point = sqlite3_column_int64(row, 4);
    char *name = text_of("%.*s", (int)(strlen(mark) - strlen(PREFIX MARK)), mark + strlen(PREFIX));
    int failed = read_coordinate("mask.n", (const char *)sqlite3_column_text(row, 2), &place.n) ||
                 read_coordinate("mask.p", (const char *)sqlite3_column_text(row, 3), &place.p);
#define COUNT(member, text) failed = failed || read_count(counts, point, name, text, &place.member);
    TRAIN_COUNTS
#undef COUNT
    const char *wrong = failed ? NULL : contradiction(&place);
    if (wrong)
        fprintf(stderr, "heddle train: point %" PRId64 ", kernel %s: %s\n", point, name, wrong);
    if (!failed && !wrong) {
        place.swept_n = place.n;
        place.swept_p = place.p;
        struct kernel *k = kernel_of(all, (const char *)sqlite3_column_text(row, 0),
                                     (const char *)sqlite3_column_text(row, 1), name);
        k->places = more(k->places, (size_t)(k->count + 1) * sizeof *k->places);
        k->places[k->count++] = place;
    }
    free(name);
    return failed || wrong ? -1 : 0;
}

int kernels_read(struct kernels *all, const char *results, const char *group)
{
    sqlite3 *db = store_open(results, 0);
    if (!db)
        return -1;
    sqlite3_stmt *rows = store_query(
        db, "SELECT workload, " MAP_LABEL ", n.value, p.value, id, name" POINTS_OF_MAPS
            " JOIN results ON results.point = id AND name GLOB '" PREFIX "?*" MARK "'"
            " WHERE status = 'done' AND (?3 IS NULL OR \"group\" GLOB ?3) ORDER BY id, name");
    sqlite3_stmt *counts =
        store_query(db, "SELECT value FROM results WHERE point = ?1 AND name = ?2");
    sqlite3_bind_text(rows, 1, "mask.n", -1, SQLITE_STATIC);
    sqlite3_bind_text(rows, 2, "mask.p", -1, SQLITE_STATIC);
    sqlite3_bind_text(rows, 3, group, -1, SQLITE_STATIC);
    int failed = 0, found = 0;
    while (!failed && store_step(rows)) {
        failed = add_place(all, rows, counts);
        found = 1;
    }
    sqlite3_finalize(rows);
    sqlite3_finalize(counts);
    sqlite3_close(db);
    if (!failed && !found) {
        fprintf(stderr,
                "%s: no point%s%s has kernels with warps_per_scheduler and sets both mask.n and "
                "mask.p; expected a sweep over them, by this version of heddle\n",
                results, group ? " of groups like " : "", group ? group : "");
        failed = -1;
    }
    return failed ? -1 : 0;
}
