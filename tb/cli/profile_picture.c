/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/profile_picture.c: the picture of `heddle profile`: a bar for each load. */
#include <stdio.h>

#include "tb/cli/gnuplot.h"
#include "tb/cli/profile.h"

/* What an access can become: hits in green, misses from blue to red. */
#define KINDS(KIND)                                                                                \
    KIND(hits_intra_warp, "hit, the warp''s line", "#2b7a3d")                                      \
    KIND(hits_inter_warp, "hit, its block''s line", "#7bbf6a")                                     \
    KIND(hits_inter_block, "hit, another block''s", "#cfe8a9")                                     \
    KIND(misses_merged, "miss, on its way", "#8fc1e3")                                             \
    KIND(misses_cold, "miss, cold", "#bdc3c7")                                                     \
    KIND(misses_conflict, "miss, conflict", "#e0c9a0")                                             \
    KIND(misses_capacity, "miss, capacity", "#c0392b")                                             \
    KIND(misses_written, "miss, written", "#7b4fa3")                                               \
    KIND(misses_bypassed, "miss, bypassed", "#b79ad6")

/* One panel of stacked bars: accesses, or shares of them. */
static void write_panel(FILE *to, const struct profile_row *rows, int count, const char *name,
                        const char *what, int shares)
{
    int column = 2;
    fprintf(to, "$%s << EOD\n", name);
    for (int n = 0; n < count; n++) {
        const struct profile_row *r = &rows[n];
        const double whole = !shares ? 1 : r->accesses > 0 ? r->accesses / 100 : 1;
        char label[128];
        snprintf(label, sizeof label, "%s %.0f: %s", r->kernel, r->pc, r->text);
        picture_label(to, label);
#define KIND(member, title, colour) fprintf(to, " %.6g", r->member / whole);
        KINDS(KIND)
#undef KIND
        fputc('\n', to);
    }
    fprintf(to, "EOD\nset ylabel '%s'\nset yrange [0:%s]\nplot", what, shares ? "100" : "*");
#define KIND(member, title, colour)                                                                \
    fprintf(to, "%s $%s using %d:xtic(1) title '%s' linecolor rgb '%s'", column == 2 ? "" : ",",   \
            name, column, title, colour);                                                          \
    column++;
    KINDS(KIND)
#undef KIND
    fputc('\n', to);
}

int profile_picture(const struct profile_row *rows, int count, const char *path)
{
    struct picture picture;
    if (count == 0) {
        fprintf(stderr, "%s: there is no load to draw\n", path);
        return -1;
    }
    if (picture_begin(&picture, path, 480 + 60 * count > 3000 ? 3000 : 480 + 60 * count, 1000))
        return -1;
    fprintf(picture.script, "set style data histograms\nset style histogram rowstacked\n"
                            "set style fill solid border -1\nset boxwidth 0.75\n"
                            "set key outside right reverse invert\nset grid y\n"
                            "set xtics rotate by -35\nset multiplot layout 2,1\n");
    write_panel(picture.script, rows, count, "shares", "share of the load''s accesses, %", 1);
    write_panel(picture.script, rows, count, "accesses", "accesses of L1D", 0);
    return picture_end(&picture);
}
