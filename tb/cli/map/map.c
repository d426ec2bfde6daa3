/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/map/map.c: `heddle map`: reads the points of a sweep over two keys as maps, and computes
 * the speed-up over (W, W) for all (N, p) (Poise, section III-C, figure 2). */
#include "tb/cli/map/map.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/cli.h"
#include "tb/cli/sweep/memory.h"
#include "tb/cli/sweep/store.h"

struct options {
    const char *results, *group, *workload, *kernel, *picture;
    struct map_axes axes;
    bool table;
};

struct maps {
    struct map *maps;
    int count;
};

static const struct argp_option options[] = {
    {"group", 'g', "NAME", 0, "only points of this group of the sweep's file", 0},
    {"workload", 'w', "NAME", 0, "only points of this workload", 0},
    {"kernel", 'k', "NAME", 0, "cycles and hits of this kernel alone (default: of the program)", 0},
    {"n", 'n', "KEY", 0, "the configuration key that is N (default: mask.n)", 0},
    {"p", 'p', "KEY", 0, "the configuration key that is p (default: mask.p)", 0},
    {"picture", 'o', "FILE", 0, "draw the maps into FILE.svg or FILE.png", 0},
    {"table", 't', 0, 0, "print one table in Markdown, a row for each map, with means", 0},
    {0},
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'g': o->group = text; return 0;
    case 'w': o->workload = text; return 0;
    case 'k': o->kernel = text; return 0;
    case 'n': o->axes.n = text; return 0;
    case 'p': o->axes.p = text; return 0;
    case 'o': o->picture = text; return 0;
    case 't': o->table = true; return 0;
    case ARGP_KEY_ARG:
        if (o->results)
            argp_error(state, "'%s': expected one RESULTS.sqlite", text);
        o->results = text;
        return 0;
    case ARGP_KEY_END:
        if (!o->results)
            argp_error(state, "no results; expected: heddle map [OPTION...] RESULTS.sqlite");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static struct map *map_of(struct maps *all, const char *label)
{
    for (int i = 0; i < all->count; i++)
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

/* One row: label, N, p, cycles, accesses, hits. */
static int add_cell(struct maps *all, const struct options *o, sqlite3_stmt *row)
{
    struct map *map = map_of(all, (const char *)sqlite3_column_text(row, 0));
    struct cell cell = {.cycles = sqlite3_column_double(row, 3),
                        .accesses = sqlite3_column_double(row, 4),
                        .hits = sqlite3_column_double(row, 5)};
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

static int read_cells(struct maps *all, const struct options *o, sqlite3 *db)
{
    sqlite3_stmt *query = store_query(
        db, "SELECT workload || coalesce(' ' || nullif(size, ''), '') ||"
            " coalesce(' ' || nullif(args, ''), '') || ' config=' || config || coalesce(' ' || "
            "(SELECT group_concat(key || '=' || value, ' ') FROM"
            " (SELECT key, value FROM settings WHERE point = id AND key NOT IN (?1, ?2)"
            " ORDER BY key)), ''), n.value, p.value, cycles.value, accesses.value, hits.value"
            " FROM points JOIN settings n ON n.point = id AND n.key = ?1"
            " JOIN settings p ON p.point = id AND p.key = ?2"
            " LEFT JOIN results cycles ON cycles.point = id AND cycles.name = ?3 || 'cycles'"
            " LEFT JOIN results accesses ON accesses.point = id"
            " AND accesses.name = ?3 || 'l1d.accesses'"
            " LEFT JOIN results hits ON hits.point = id AND hits.name = ?3 || 'l1d.hits'"
            " WHERE (?4 IS NULL OR \"group\" = ?4) AND (?5 IS NULL OR workload = ?5) ORDER BY id");
    char *prefix = o->kernel ? text_of("kernel.%s.", o->kernel) : text_of("%s", "");
    const char *const words[] = {o->axes.n, o->axes.p, prefix, o->group, o->workload};
    int failed = 0;
    for (int i = 0; i < 5; i++)
        sqlite3_bind_text(query, i + 1, words[i], -1, SQLITE_STATIC);
    while (!failed && store_step(query))
        failed = add_cell(all, o, query);
    sqlite3_finalize(query);
    free(prefix);
    if (!failed && !all->count) {
        fprintf(stderr,
                "heddle map: %s: no point sets both %s and %s; expected a sweep over them\n",
                o->results, o->axes.n, o->axes.p);
        failed = -1;
    }
    return failed;
}

static int by_place(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    return x->n != y->n ? (x->n > y->n) - (x->n < y->n) : (x->p > y->p) - (x->p < y->p);
}

/* Orders the cells, finds (W, W) and with it what each gains. */
static int complete(struct map *map)
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

static void free_map(struct map *map)
{
    free(map->label);
    free(map->cells);
}

/* Maps that cannot be compared with anything are told and left out. Returns how many. */
static int complete_all(struct maps *all)
{
    int kept = 0;
    const int count = all->count;
    for (int i = 0; i < count; i++)
        if (complete(&all->maps[i]))
            free_map(&all->maps[i]);
        else
            all->maps[kept++] = all->maps[i];
    all->count = kept;
    return count - kept;
}

int command_map(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse_option,
        "RESULTS.sqlite",
        "From the results of a sweep over two keys, N and p <= N: speed-up over (W, W), where W is "
        "the largest N, at the best point, at the best with p = N and at the best with p = 1; one "
        "map for all points that differ in nothing else.\v"
        "The picture shows every point as a circle: green is faster, red is slower, the larger the "
        "more; and beside it the curves p = N and p = 1.",
        0,
        0,
        0};
    struct options o = {.axes = {"mask.n", "mask.p"}};
    struct maps all = {0};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    sqlite3 *db = store_open(o.results, 0);
    int failed = !db || read_cells(&all, &o, db), left_out = failed ? 0 : complete_all(&all);
    sqlite3_close(db);
    if (!failed && all.count)
        (o.table ? map_table : map_text)(all.maps, all.count, &o.axes);
    if (!failed && all.count && o.picture)
        failed = map_picture(all.maps, all.count, &o.axes, o.picture);
    for (int i = 0; i < all.count; i++)
        free_map(&all.maps[i]);
    free(all.maps);
    return failed || left_out ? EXIT_USAGE : 0;
}
