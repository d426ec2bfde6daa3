/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/map/map_picture.c: the picture of `heddle map`, after Poise, figure 2: every (N, p) as a
 * circle, whose size and colour are its speed-up; and the curves p = N and p = 1. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "tb/cli/gnuplot.h"
#include "tb/cli/map/map.h"

#define PANEL         460 /* pixels */
#define MOST_MAPS     20  /* of a picture */
#define MOST_RADIUS   0.46
#define LEAST_RADIUS  0.09
#define RING_RADIUS   0.62 /* around the best */
#define FASTER_COLOUR 0x1a7f37u
#define SLOWER_COLOUR 0xc0392bu
#define SAME_COLOUR   0xd8d8d8u

/* Between two colours, part by part. */
static unsigned mix(unsigned from, unsigned to, double share)
{
    unsigned colour = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        const double a = from >> shift & 0xff, b = to >> shift & 0xff;
        colour |= (unsigned)lround(a + (b - a) * share) << shift;
    }
    return colour;
}

/* The largest difference from no speed-up, of gains or of losses. */
static double largest(const struct map *map, int sign)
{
    double most = 0;
    for (int i = 0; i < map->count; i++)
        most = fmax(most, sign * (map->cells[i].speedup - 1));
    return most;
}

/* The area tells gain and loss on one scale; the colour has one for each, so that a small gain
 * beside large losses is still seen. */
void map_cells(FILE *to, const struct map *map, int index)
{
    const double gain = largest(map, 1), loss = largest(map, -1), most = fmax(gain, loss);
    fprintf(to, "$map%d << EOD\n", index);
    for (int i = 0; i < map->count; i++) {
        const struct cell *c = &map->cells[i];
        const double size = fabs(c->speedup - 1), scale = c->speedup > 1 ? gain : loss;
        fprintf(to, "%" PRId64 " %" PRId64 " %.4f %u %.6f\n", c->n, c->p,
                fmax(LEAST_RADIUS, most > 0 ? MOST_RADIUS * sqrt(size / most) : 0),
                mix(SAME_COLOUR, c->speedup > 1 ? FASTER_COLOUR : SLOWER_COLOUR,
                    scale > 0 ? sqrt(size / scale) : 0),
                c->speedup);
    }
    fprintf(to, "EOD\n");
}

/* A line of the legend, in the corner above p = N, where no point is: a circle, for which the text follows. */
static void begin_line(FILE *to, const struct map *map, int line, double radius, const char *colour)
{
    const double edge = (double)map->w + 1, y = edge - 0.55 - line * fmax(1.3, 0.07 * edge);
    fprintf(to,
            "set object circle at first 0.7,first %.3f size first %.3f fillstyle empty border "
            "linecolor rgb '%s'\nset label at first 1.5,first %.3f font ',8' textcolor rgb '%s' ",
            y, radius, colour, y, colour);
}

/* What a size stands for: the largest circle, and one of a quarter of its area; and the best point, which has a ring. */
static void write_legend(FILE *to, const struct map *map)
{
    const double most = fmax(largest(map, 1), largest(map, -1));
    const struct cell *best = map_best(map, MAP_ALL);
    fprintf(to,
            "set object circle at first %" PRId64 ",first %" PRId64
            " size first %.2f fillstyle empty border linecolor rgb 'black' linewidth 2\n",
            best->n, best->p, RING_RADIUS);
    begin_line(to, map, 0, RING_RADIUS, "black");
    picture_text(to, "best (%" PRId64 ", %" PRId64 "): %.3f", best->n, best->p, best->speedup);
    for (int i = 0; i < 2 && most > 0; i++) {
        const double share = i ? 0.25 : 1;
        fputc('\n', to);
        begin_line(to, map, i + 1, MOST_RADIUS * sqrt(share), "#596673");
        picture_text(to, "%.1f %% more or less", 100 * most * share);
    }
    fputc('\n', to);
}

static void write_circles(FILE *to, const struct map *map, const struct map_axes *axes, int index)
{
    fprintf(to, "set title ");
    picture_text(to, "Speed-up over all warps, N = p = %" PRId64, map->whole->n);
    fprintf(to, " . \"\\n\" . ");
    picture_text(to, "%s", map->label);
    fprintf(to,
            " font ',9'\nset size ratio -1\nset xrange [0:%" PRId64 "]\nset yrange [0:%" PRId64
            "]\nunset key\nset xlabel ",
            map->whole->n + 1, map->whole->n + 1);
    picture_text(to, "N = %s  (speed-up from %.3f, red, to %.3f, green)", axes->n,
                 1 - largest(map, -1), 1 + largest(map, 1));
    fprintf(to, "\nset ylabel ");
    picture_text(to, "p = %s", axes->p);
    fprintf(to, "\n");
    write_legend(to, map);
    fprintf(to,
            "plot $map%d using 1:2:3:4 with circles "
            "fillstyle solid noborder linecolor rgb variable\nunset object\nunset label\n",
            index);
}

static int has_one_polluter(const struct map *map)
{
    for (int i = 0; i < map->count; i++)
        if (map->cells[i].p == 1)
            return 1;
    return 0;
}

static void write_curves(FILE *to, const struct map *map, const struct map_axes *axes, int index)
{
    fprintf(to,
            "set title ' '\nset size noratio\nset xrange [0:%" PRId64 "]\nset yrange %s\n"
            "set key above\nset ylabel 'speed-up over (%" PRId64 ", %" PRId64 ")'\nset xlabel ",
            map->whole->n + 1, largest(map, 1) > 0 || largest(map, -1) > 0 ? "[*:*]" : "[0.9:1.1]",
            map->whole->n, map->whole->n);
    picture_text(to, "N = %s", axes->n);
    fprintf(
        to,
        "\nplot 1 notitle linecolor rgb 'gray', $map%d using ($1==$2?$1:NaN):5 with linespoints "
        "pointtype 7 linecolor rgb '#1b4f80' title 'p = N'",
        index);
    if (has_one_polluter(map))
        fprintf(to,
                ", $map%d using ($2==1?$1:NaN):5 with linespoints pointtype 5 linecolor rgb "
                "'#%06x' title 'p = 1'",
                index, FASTER_COLOUR);
    fputc('\n', to);
}

int map_picture(const struct map *maps, int count, const struct map_axes *axes, const char *path)
{
    struct picture picture;
    if (count > MOST_MAPS) {
        fprintf(stderr, "%s: %d maps; expected at most %d, as with --group and --workload\n", path,
                count, MOST_MAPS);
        return -1;
    }
    if (picture_begin(&picture, path, 2 * PANEL, PANEL * count))
        return -1;
    fprintf(picture.script,
            "set datafile missing NaN\nset grid\nset border 3\nset tics nomirror out\n"
            "set multiplot layout %d,2\n",
            count);
    for (int i = 0; i < count; i++) {
        map_cells(picture.script, &maps[i], i);
        write_circles(picture.script, &maps[i], axes, i);
        write_curves(picture.script, &maps[i], axes, i);
    }
    return picture_end(&picture);
}
