/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/picture.c: the picture of `heddle report`. */
#include <stdio.h>

#include "tb/cli/gnuplot.h"
#include "tb/cli/report.h"

static const char *const colours[NUM_CPI_CLASSES] = {
    [CPI_issued] = "#2b7a3d",     [CPI_ibuf] = "#c9b458",         [CPI_barrier] = "#7b4fa3",
    [CPI_done] = "#b79ad6",       [CPI_control] = "#e0c9a0",      [CPI_struct_sp] = "#8fc1e3",
    [CPI_struct_sfu] = "#3f8fc4", [CPI_struct_mem] = "#1b4f80",   [CPI_data_mem] = "#c0392b",
    [CPI_data_exe] = "#e59866",   [CPI_not_selected] = "#bdc3c7",
};

const char *report_colour(enum cpi_class class)
{
    return colours[class];
}

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
    for (int i = 0; i < NUM_CPI_CLASSES; i++)
        fprintf(to, "%s $%s using %d:xtic(1) title '%s' linecolor rgb '%s'", i ? "," : "", name,
                i + 2, cpi_name((enum cpi_class)i), colours[i]);
    fputc('\n', to);
}

static void write_script(FILE *to, const struct report_row *rows, int count)
{
    fprintf(to, "set style data histograms\nset style histogram rowstacked\n"
                "set style fill solid border -1\nset boxwidth 0.75\n"
                "set key outside right reverse invert\nset grid y\nset xtics rotate by -35\n"
                "set multiplot layout 2,1\n");
    write_panel(to, rows, count, "cpi", "cycles per instruction of a warp", 0);
    write_panel(to, rows, count, "shares", "share of a warp''s cycles, %", 1);
}

int report_picture(const struct report_row *rows, int count, const char *path)
{
    struct picture picture;
    if (count == 0) {
        fprintf(stderr, "%s: there is no kernel to draw\n", path);
        return -1;
    }
    if (picture_begin(&picture, path, 420 + 60 * count > 3000 ? 3000 : 420 + 60 * count, 900))
        return -1;
    write_script(picture.script, rows, count);
    return picture_end(&picture);
}
