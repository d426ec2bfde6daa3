/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/map/map_read.c: the points of a sweep over two keys, as maps. */
#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/map/map.h"
#include "tb/cli/map/points.h"
#include "tb/cli/sweep/memory.h"
#include "tb/cli/sweep/store.h"

static struct map *map_of(struct maps *all, const char *label)
{
    for (int i = all->count; i-- > 0;)
        if (!strcmp(all->maps[i].label, label))
            return &all->maps[i];
    all->maps = more(all->maps, (size_t)(all->count + 1) * sizeof *all->maps);
    struct map *map = &all->maps[all->count++];
    *map = (struct map){.label = text_of("%s", label)};
    return map;
}

/* A coordinate: a whole number from 1. */
static int read_coordinate(const char *key, const char *text, int64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    if (end > text && !*end && !errno && *value >= 1)
        return 0;
    fprintf(stderr, "heddle map: %s = %s; expected numbers from 1\n", key, text);
    return -1;
}

/* The columns from `at` on: cycles, accesses, hits. */
static struct cell cell_of(sqlite3_stmt *row, int at)
{
    return (struct cell){.cycles = sqlite3_column_double(row, at),
                         .accesses = sqlite3_column_double(row, at + 1),
                         .hits = sqlite3_column_double(row, at + 2)};
}

/* One row: label, N, p, cycles, accesses, hits. */
static int add_cell(struct maps *all, const struct map_choice *o, sqlite3_stmt *row)
{
    struct map *map = map_of(all, (const char *)sqlite3_column_text(row, 0));
    struct cell cell = cell_of(row, 3);
    if (read_coordinate(o->axes.n, (const char *)sqlite3_column_text(row, 1), &cell.n) ||
        read_coordinate(o->axes.p, (const char *)sqlite3_column_text(row, 2), &cell.p))
        return -1;
    if (cell.p > cell.n) {
        fprintf(stderr, "heddle map: %s: (%" PRId64 ", %" PRId64 "); expected %s <= %s\n",
                map->label, cell.n, cell.p, o->axes.p, o->axes.n);
        return -1;
    }
    map->w = cell.n > map->w ? cell.n : map->w;
    if (sqlite3_column_type(row, 3) == SQLITE_NULL) {
        map->missing++;
        return 0;
    }
    if (!(cell.cycles > 0)) {
        fprintf(stderr, "heddle map: %s: (%" PRId64 ", %" PRId64 ") took no cycles\n", map->label,
                cell.n, cell.p);
        return -1;
    }
    map->cells = more(map->cells, (size_t)(map->count + 1) * sizeof *map->cells);
    map->cells[map->count++] = cell;
    return 0;
}

/* Of the groups like ?3 and the workload ?4 if there is one. */
#define CHOSEN " (?3 IS NULL OR \"group\" GLOB ?3) AND (?4 IS NULL OR workload = ?4)"

static sqlite3_stmt *query_of(sqlite3 *db, const struct map_choice *o, const char *sql)
{
    sqlite3_stmt *query = store_query(db, sql);
    const char *const words[] = {o->axes.n, o->axes.p, o->group, o->workload};
    for (int i = 0; i < 4; i++)
        sqlite3_bind_text(query, i + 1, words[i], -1, SQLITE_STATIC);
    return query;
}

static int read_cells(struct maps *all, const struct map_choice *o, sqlite3 *db)
{
    sqlite3_stmt *query =
        query_of(db, o,
                 "SELECT " MAP_LABEL
                 ", n.value, p.value, cycles.value, accesses.value, hits.value" POINTS_OF_MAPS
                 " LEFT JOIN results cycles ON cycles.point = id AND cycles.name = ?5 || 'cycles'"
                 " LEFT JOIN results accesses ON accesses.point = id"
                 " AND accesses.name = ?5 || 'l1d.accesses'"
                 " LEFT JOIN results hits ON hits.point = id AND hits.name = ?5 || 'l1d.hits'"
                 " WHERE" CHOSEN " ORDER BY id");
    char *prefix = o->kernel ? text_of("kernel.%s.", o->kernel) : text_of("%s", "");
    sqlite3_bind_text(query, 5, prefix, -1, SQLITE_STATIC);
    int failed = 0;
    while (!failed && store_step(query))
        failed = add_cell(all, o, query);
    sqlite3_finalize(query);
    free(prefix);
    return failed;
}

/* Keeps the cell of a kernel that has the fewest cycles. */
static void add_kernel(struct map *map, const char *name, struct cell cell)
{
    int i = 0;
    while (i < map->num_kernels && strcmp(map->kernels[i].name, name))
        i++;
    if (i == map->num_kernels) {
        map->kernels = more(map->kernels, (size_t)(i + 1) * sizeof *map->kernels);
        map->kernels[map->num_kernels++] = (struct map_kernel){text_of("%s", name), cell};
    } else if (cell.cycles < map->kernels[i].best.cycles)
        map->kernels[i].best = cell;
}

static void read_kernels(struct maps *all, const struct map_choice *o, sqlite3 *db)
{
    sqlite3_stmt *query = query_of(
        db, o,
        "SELECT " MAP_LABEL ", cycles.name, cycles.value, accesses.value, hits.value" POINTS_OF_MAPS
        " JOIN results cycles ON cycles.point = id AND cycles.name GLOB 'kernel.*.cycles'"
        " LEFT JOIN results accesses ON accesses.point = id"
        " AND accesses.name = replace(cycles.name, '.cycles', '.l1d.accesses')"
        " LEFT JOIN results hits ON hits.point = id"
        " AND hits.name = replace(cycles.name, '.cycles', '.l1d.hits')"
        " WHERE (?5 IS NULL OR cycles.name = ?5) AND" CHOSEN " ORDER BY id, cycles.name");
    char *only = o->kernel ? text_of("kernel.%s.cycles", o->kernel) : NULL;
    sqlite3_bind_text(query, 5, only, -1, SQLITE_STATIC);
    while (store_step(query))
        add_kernel(map_of(all, (const char *)sqlite3_column_text(query, 0)),
                   (const char *)sqlite3_column_text(query, 1), cell_of(query, 2));
    sqlite3_finalize(query);
    free(only);
}

int maps_read(struct maps *all, const struct map_choice *o, const char *results)
{
    sqlite3 *db = store_open(results, 0);
    int failed = !db || read_cells(all, o, db);
    if (!failed && !all->count) {
        fprintf(stderr,
                "heddle map: %s: no point sets both %s and %s; expected a sweep over them\n",
                results, o->axes.n, o->axes.p);
        failed = -1;
    }
    if (!failed)
        read_kernels(all, o, db);
    sqlite3_close(db);
    return failed ? -1 : 0;
}

static int by_place(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    return x->n != y->n ? (x->n > y->n) - (x->n < y->n) : (x->p > y->p) - (x->p < y->p);
}

int map_complete(struct map *map)
{
    if (map->count)
        qsort(map->cells, (size_t)map->count, sizeof *map->cells, by_place);
    for (int i = 0; i < map->count; i++) {
        if (i && !by_place(&map->cells[i - 1], &map->cells[i])) {
            fprintf(stderr, "heddle map: %s: two points are (%" PRId64 ", %" PRId64 ")\n",
                    map->label, map->cells[i].n, map->cells[i].p);
            return -1;
        }
        if (map->cells[i].p == map->w)
            map->whole = &map->cells[i];
    }
    if (!map->whole) {
        fprintf(stderr,
                "heddle map: %s: (%" PRId64 ", %" PRId64 ") has no result; all else is "
                "compared with it\n",
                map->label, map->w, map->w);
        return -1;
    }
    for (int i = 0; i < map->count; i++)
        map->cells[i].speedup = map->whole->cycles / map->cells[i].cycles;
    return 0;
}

void map_free(struct map *map)
{
    for (int i = 0; i < map->num_kernels; i++)
        free(map->kernels[i].name);
    free(map->kernels);
    free(map->label);
    free(map->cells);
}
