/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/engine/engine_picture.c: what was predicted and what was found, in the plane of (N, p), as Poise draws it in figure 17: a
 * cross where a pair was predicted, a disc where one was found, a line from one to the other for each epoch; equal ones fall
 * together, and the more there are the larger the disc. Below them the map of the kernel, if there is one. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/engine/engine.h"
#include "tb/cli/gnuplot.h"
#include "tb/cli/sweep/memory.h"

#define PANEL        520 /* pixels */
#define MOST_PANELS  20  /* of a picture */
#define MOST_RADIUS  0.30
#define LEAST_RADIUS 0.10
#define FOUND_COLOUR "#1b4f80"

struct panel {
    const char *kernel;
    int epochs, pairs;     /* of that kernel; of those, with a prediction */
    double most;           /* W */
    struct maps maps;      /* that the results have of the kernel */
    const struct map *map; /* the one to draw, or NULL */
};

/* Finds the map of the kernel, the only one that has points of it. Returns 0, or -1 with the reason on stderr. */
static int find_map(struct panel *panel, const struct engine_choice *choice)
{
    struct map_choice mine = choice->map;
    struct map *map = NULL;
    mine.kernel = panel->kernel;
    if (maps_read(&panel->maps, &mine, choice->results))
        return -1;
    for (int i = 0; i < panel->maps.count; i++) {
        if (map && panel->maps.maps[i].count) {
            fprintf(stderr,
                    "%s: kernel %s has several maps, '%s' and '%s'; choose one with --group or "
                    "--workload\n",
                    choice->results, panel->kernel, map->label, panel->maps.maps[i].label);
            return -1;
        }
        map = panel->maps.maps[i].count ? &panel->maps.maps[i] : map;
    }
    if (!map)
        fprintf(stderr, "%s: no point has cycles of kernel %s\n", choice->results, panel->kernel);
    panel->map = map;
    return map ? map_complete(map) : -1;
}

static int is_of(const struct panel *panel, const struct epoch *e)
{
    return !strcmp(e->kernel, panel->kernel);
}

static int has_pair(const struct epoch *e)
{
    return !isnan(e->value[ENGINE_predicted_n]);
}

static struct panel panel_of(const struct engine *e, const char *kernel)
{
    struct panel panel = {.kernel = kernel};
    for (int i = 0; i < e->count; i++)
        if (is_of(&panel, &e->epochs[i])) {
            panel.epochs++;
            panel.pairs += has_pair(&e->epochs[i]);
            panel.most = fmax(panel.most, e->epochs[i].value[ENGINE_most]);
        }
    return panel;
}

/* A pair that was predicted, the one that was found (0, 0: none), and how often. */
struct stroke {
    double n, p, found_n, found_p;
    int count;
};

static int by_place(const void *a, const void *b)
{
    return memcmp(a, b, offsetof(struct stroke, count));
}

/* The strokes of a panel, each once. Returns how many. */
static int strokes_of(const struct engine *e, const struct panel *panel, struct stroke **strokes)
{
    struct stroke *all = more(NULL, (size_t)panel->pairs * sizeof *all);
    int count = 0, kept = 0;
    for (int i = 0; i < e->count; i++) {
        const double *v = e->epochs[i].value;
        if (!is_of(panel, &e->epochs[i]) || !has_pair(&e->epochs[i]))
            continue;
        const int found = !isnan(v[ENGINE_found_n]);
        all[count++] =
            (struct stroke){v[ENGINE_predicted_n], v[ENGINE_predicted_p],
                            found ? v[ENGINE_found_n] : 0, found ? v[ENGINE_found_p] : 0, 1};
    }
    qsort(all, (size_t)count, sizeof *all, by_place);
    for (int i = 0; i < count; i++)
        if (kept && !by_place(&all[kept - 1], &all[i]))
            all[kept - 1].count++;
        else
            all[kept++] = all[i];
    *strokes = all;
    return kept;
}

/* How many epochs found the pair of stroke `at`; 0: none was, or an earlier stroke has the same. */
static int found_there(const struct stroke *strokes, int count, int at)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        if (strokes[i].found_n == strokes[at].found_n &&
            strokes[i].found_p == strokes[at].found_p) {
            if (i < at)
                return 0;
            sum += strokes[i].count;
        }
    return strokes[at].found_n > 0 ? sum : 0;
}

/* $strokes: pair predicted, the way to the pair found; $found: pair, radius. Returns how many were found. */
static int write_data(FILE *to, const struct stroke *strokes, int count, int index)
{
    int most = 0, found = 0;
    for (int i = 0; i < count; i++)
        if (found_there(strokes, count, i) > most)
            most = found_there(strokes, count, i);
    fprintf(to, "$strokes%d << EOD\n", index);
    for (int i = 0; i < count; i++) {
        const struct stroke *s = &strokes[i];
        fprintf(to, "%g %g %g %g %d\n", s->n, s->p, s->found_n > 0 ? s->found_n - s->n : 0,
                s->found_n > 0 ? s->found_p - s->p : 0, s->count);
    }
    fprintf(to, "EOD\n$found%d << EOD\n", index);
    for (int i = 0; i < count; i++) {
        const int here = found_there(strokes, count, i);
        if (here)
            fprintf(to, "%g %g %.4f\n", strokes[i].found_n, strokes[i].found_p,
                    fmax(LEAST_RADIUS, MOST_RADIUS * sqrt((double)here / most)));
        found += here;
    }
    fprintf(to, "EOD\n");
    return found;
}

static void write_panel(FILE *to, const struct panel *panel, const struct stroke *strokes,
                        int count, int index)
{
    const double most = panel->map ? fmax(panel->most, (double)panel->map->w) : panel->most;
    if (panel->map)
        map_cells(to, panel->map, index);
    const int found = write_data(to, strokes, count, index);
    fprintf(to, "set title ");
    picture_text(to, "%s: %d epochs, %d predicted, %d searched to the end", panel->kernel,
                 panel->epochs, panel->pairs, found);
    if (panel->map) {
        fprintf(to, ".\"\\n\".");
        picture_text(to, "%s", panel->map->label);
    }
    fprintf(to, " font ',9'\nset xrange [0:%g]\nset yrange [0:%g]\nplot ", most + 1, most + 1);
    if (panel->map)
        fprintf(to,
                "$map%d using 1:2:3:4 with circles fillstyle transparent solid 0.4 noborder "
                "linecolor rgb variable title 'speed-up', ",
                index);
    if (found)
        fprintf(to,
                "$found%d using 1:2:3 with circles fillstyle transparent solid 0.5 linecolor rgb "
                "'" FOUND_COLOUR "' title 'found', ",
                index);
    fprintf(to,
            "$strokes%d using 1:2:3:4 with vectors nohead linewidth 1.5 linecolor rgb "
            "'" FOUND_COLOUR
            "' notitle, $strokes%d using 1:2 with points pointtype 1 pointsize 1.5 "
            "linewidth 2 linecolor rgb 'black' title 'predicted'\n",
            index, index);
}

/* Returns 0, or -1 with the reason on stderr. */
static int draw_panels(const struct engine *e, const struct panel *panels, int count,
                       const char *path)
{
    struct picture picture;
    if (picture_begin(&picture, path, PANEL, PANEL * count))
        return -1;
    fprintf(picture.script,
            "set grid\nset border 3\nset tics nomirror out\nset size ratio -1\nset key below\n"
            "set xlabel 'N: warps of a scheduler that may issue'\n"
            "set ylabel 'p: of those, that may pollute L1D'\nset multiplot layout %d,1\n",
            count);
    for (int i = 0; i < count; i++) {
        struct stroke *strokes;
        const int number = strokes_of(e, &panels[i], &strokes);
        write_panel(picture.script, &panels[i], strokes, number, i);
        free(strokes);
    }
    return picture_end(&picture);
}

int engine_picture(const struct engine *e, const struct engine_choice *choice, const char *path)
{
    struct panel panels[MOST_PANELS];
    int count = 0, status = 0;
    for (int k = 0; k < e->num_kernels && !status; k++) {
        const struct panel panel = panel_of(e, e->kernels[k]);
        if (!panel.pairs)
            continue;
        if (count == MOST_PANELS) {
            fprintf(stderr, "%s: more than %d kernels; choose one with --kernel\n", path, count);
            status = -1;
            break;
        }
        panels[count++] = panel;
        if (choice->results)
            status = find_map(&panels[count - 1], choice);
    }
    if (!status && !count) {
        fprintf(stderr, "%s: there is no pair to draw: in none of %d epochs was one predicted\n",
                path, e->count);
        status = -1;
    }
    if (!status)
        status = draw_panels(e, panels, count, path);
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < panels[k].maps.count; i++)
            map_free(&panels[k].maps.maps[i]);
        free(panels[k].maps.maps);
    }
    return status;
}
