/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/locality_picture.c: a panel for each kernel: both axes are blocks by number, and a point is as
 * dark as what its two blocks share. */
#include <stdio.h>

#include "tb/cli/gnuplot.h"
#include "tb/cli/locality.h"

#define PANELS 16 /* of one picture, at most */
#define SIDE   420

static double number(struct statistics *s, int kernel, const char *member)
{
    char name[64];
    snprintf(name, sizeof name, "kernels.%d.%s", kernel, member);
    return statistics_number(s, name);
}

static int points(struct statistics *s, int kernel)
{
    char name[64];
    snprintf(name, sizeof name, "kernels.%d.failed", kernel);
    if (*statistics_word(s, name))
        return 0;
    snprintf(name, sizeof name, "kernels.%d.matrix", kernel);
    return statistics_count(s, name);
}

static void write_panel(FILE *to, struct statistics *s, int kernel, int count)
{
    char name[64];
    const double blocks = number(s, kernel, "blocks"), step = blocks / number(s, kernel, "cells");
    fprintf(to, "$k%d << EOD\n", kernel);
    for (int i = 0; i < count; i++) {
        double of[3];
        for (int j = 0; j < 3; j++) {
            snprintf(name, sizeof name, "kernels.%d.matrix.%d.%d", kernel, i, j);
            of[j] = statistics_number(s, name);
        }
        fprintf(to, "%.9g %.9g %.9g\n", (of[0] + 0.5) * step, (of[1] + 0.5) * step, of[2]);
    }
    snprintf(name, sizeof name, "kernels.%d.name", kernel);
    fprintf(to, "EOD\nset title ");
    picture_text(to, "%.60s", statistics_word(s, name));
    fprintf(to,
            "\nset xrange [0:%.9g]\nset yrange [%.9g:0]\nset boxwidth %.9g\n"
            "plot $k%d using 1:2:(%.9g):(%.9g):3 with boxxyerror fillstyle solid noborder "
            "linecolor palette notitle\n",
            blocks, blocks, step, kernel, step / 2, step / 2);
}

int locality_picture(struct statistics *s, const char *path)
{
    struct picture picture;
    int kernels[PANELS], count = 0;
    const int all = statistics_count(s, "kernels");
    for (int i = 0; i < all && count < PANELS; i++)
        if (points(s, i))
            kernels[count++] = i;
    if (count == 0) {
        fprintf(stderr, "%s: no blocks share memory that is known\n", path);
        return -1;
    }
    const int columns = count < 4 ? count : 4, rows = (count + columns - 1) / columns;
    if (picture_begin(&picture, path, SIDE * columns, SIDE * rows))
        return -1;
    fprintf(picture.script,
            "set multiplot layout %d,%d\nset size square\nunset colorbox\n"
            "set palette defined (0 '#cfe0f1', 1 '#08306b')\nset logscale cb\n"
            "set xlabel 'block'\nset ylabel 'block'\n",
            rows, columns);
    for (int i = 0; i < count; i++)
        write_panel(picture.script, s, kernels[i], points(s, kernels[i]));
    return picture_end(&picture);
}
