/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/picture.c: the picture of `heddle report`. */
#include <stdio.h>

#include "tb/cli/gnuplot.h"
#include "tb/cli/report.h"

/* One panel of stacked bars: cycles per instruction, or shares of all cycles. */
static void write_panel(FILE *to, const struct report_row *rows, int count, const char *name,
                        const char *what, int shares)
{
    fprintf(to, "$%s << EOD\n", name);
    for (int n = 0; n < count; n++) {
        double sum = 0;
        for (int i = 0; i < NUM_CPI_CLASSES; i++)
            sum += rows[n].warp_cycles[i];
        const double whole = shares ? sum / 100 : rows[n].instructions;
        picture_label(to, rows[n].label);
        for (int i = 0; i < NUM_CPI_CLASSES; i++)
            fprintf(to, " %.6g", whole > 0 ? rows[n].warp_cycles[i] / whole : 0);
        fputc('\n', to);
    }
    fprintf(to, "EOD\nset ylabel '%s'\nset yrange [0:%s]\nplot", what, shares ? "100" : "*");
    for (int i = 0; i < NUM_CPI_CLASSES; i++) {
        fprintf(to, "%s $%s using %d:xtic(1) title ", i ? "," : "", name, i + 2);
        picture_text(to, "%s: %s", cpi_name((enum cpi_class)i), cpi_meaning((enum cpi_class)i));
        fprintf(to, " linecolor rgb '%s'", report_colour((enum cpi_class)i));
    }
    fputc('\n', to);
}

static void write_script(FILE *to, const struct report_row *rows, int count)
{
    fprintf(to, "set style data histograms\nset style histogram rowstacked\n"
                "set style fill solid border -1\nset boxwidth 0.75\n"
                "set grid y\nset xtics rotate by -35\n"
                "set multiplot layout 2,1\nset lmargin 9\nunset key\n");
    write_panel(to, rows, count, "cpi", "cycles per instruction of a warp", 0);
    fprintf(to, "set key below Left left reverse invert maxcols 1 font ',9'\n"); /* one for both */
    write_panel(to, rows, count, "shares", "share of a warp''s cycles, %", 1);
}

int report_picture(const struct report_row *rows, int count, const char *path)
{
    struct picture picture;
    if (count == 0) {
        fprintf(stderr, "%s: there is no kernel to draw\n", path);
        return -1;
    }
    const int width = 640 + 60 * count;
    if (picture_begin(&picture, path, width > 3000 ? 3000 : width, 1150))
        return -1;
    write_script(picture.script, rows, count);
    return picture_end(&picture);
}
