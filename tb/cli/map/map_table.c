/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/map/map_table.c: what `heddle map` prints: the best points of each map, as lines, or as
 * one table of all maps: SWL (p = N) and Static-Best beside (W, W) (Poise, sections III-C, VI-B).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tb/cli/map/map.h"

const struct cell *map_best(const struct map *map, enum map_line line)
{
    const struct cell *best = NULL;
    for (int i = 0; i < map->count; i++) {
        const struct cell *c = &map->cells[i];
        if ((line == MAP_ALL || (line == MAP_DIAGONAL ? c->p == c->n : c->p == 1)) &&
            (!best || c->cycles <= best->cycles))
            best = c;
    }
    return best;
}

/* Of L1D's accesses, %. */
static double hits(const struct cell *c)
{
    return c->accesses > 0 ? 100 * c->hits / c->accesses : 0;
}

static void print_cell(const char *what, const struct cell *c)
{
    if (!c)
        printf("  %-14s no point\n", what);
    else
        printf("  %-14s %5" PRId64 " %5" PRId64 " %14.0f %9.3f %9.2f %%\n", what, c->n, c->p,
               c->cycles, c->speedup, hits(c));
}

void map_text(const struct map *maps, int count)
{
    for (int i = 0; i < count; i++) {
        const struct map *map = &maps[i];
        printf("%s\n  %d points", map->label, map->count);
        if (map->missing)
            printf(", %d more without a result", map->missing);
        printf("\n  %-14s %5s %5s %14s %9s %11s\n", "", "N", "p", "cycles", "speed-up", "L1D hits");
        print_cell("(W, W)", map->whole);
        print_cell("best", map_best(map, MAP_ALL));
        print_cell("best, p = N", map_best(map, MAP_DIAGONAL));
        print_cell("best, p = 1", map_best(map, MAP_ONE));
    }
}

/* What all labels end with, from a blank on: the table says it once. */
static const char *common_end(const struct map *maps, int count)
{
    const char *end = strchr(maps[0].label, ' ');
    for (int i = 1; i < count && end; i++)
        while (end) {
            const size_t length = strlen(maps[i].label), most = strlen(end);
            if (most < length && !strcmp(maps[i].label + length - most, end))
                break;
            end = strchr(end + 1, ' ');
        }
    return end ? end : "";
}

/* Of one column: sums over the maps. */
struct means {
    double inverse, hits; /* of 1 / speed-up; of hits in % */
};

static void add(struct means *m, const struct cell *c)
{
    m->inverse += 1 / c->speedup;
    m->hits += hits(c);
}

/* Each kernel at its own best, one after the other: Poise's Static-Best (section VI-B). Results
 * without kernels give the program's best. */
static struct cell kernels_apart(const struct map *map)
{
    struct cell sum = {0};
    if (map->num_kernels == 0)
        return *map_best(map, MAP_ALL);
    for (int i = 0; i < map->num_kernels; i++) {
        sum.cycles += map->kernels[i].best.cycles;
        sum.accesses += map->kernels[i].best.accesses;
        sum.hits += map->kernels[i].best.hits;
    }
    sum.speedup = map->whole->cycles / sum.cycles;
    return sum;
}

void map_table(const struct map *maps, int count, const struct map_axes *axes)
{
    const char *end = common_end(maps, count);
    struct means whole = {0}, diagonal = {0}, any = {0}, apart = {0};
    printf("%s%s(N, p) is (%s, %s); (W, W) has no limit; speed-up over that.\n\n",
           *end ? end + 1 : "", *end ? ". " : "", axes->n, axes->p);
    printf("| | (W, W): cycles | L1D hits %% | best, p = N | speed-up | L1D hits %% | best | "
           "speed-up | L1D hits %% | each kernel at its best: speed-up | L1D hits %% |\n"
           "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (int i = 0; i < count; i++) {
        const struct map *map = &maps[i];
        const struct cell *swl = map_best(map, MAP_DIAGONAL), *most = map_best(map, MAP_ALL),
                          kernels = kernels_apart(map);
        add(&whole, map->whole);
        add(&diagonal, swl);
        add(&any, most);
        add(&apart, &kernels);
        printf("| %.*s | %.0f | %.1f | %" PRId64 " | %.3f | %.1f | (%" PRId64 ", %" PRId64
               ") | %.3f | %.1f | %.3f | %.1f |\n",
               (int)(strlen(map->label) - strlen(end)), map->label, map->whole->cycles,
               hits(map->whole), swl->n, swl->speedup, hits(swl), most->n, most->p, most->speedup,
               hits(most), kernels.speedup, hits(&kernels));
    }
    printf("| mean: harmonic of speed-ups, arithmetic of hits | | %.1f | | %.3f | %.1f | | %.3f | "
           "%.1f | %.3f | %.1f |\n",
           whole.hits / count, count / diagonal.inverse, diagonal.hits / count, count / any.inverse,
           any.hits / count, count / apart.inverse, apart.hits / count);
}
