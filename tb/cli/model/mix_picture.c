/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/mix_picture.c: see model.h. */
#include <stdio.h>

#include "tb/cli/gnuplot.h"
#include "tb/cli/model/model.h"

int mix_picture_alone(const char *path, const struct model_kernel *k, const struct mix_options *mix)
{
    struct picture p;
    const double most = k->blocks * k->profile.warps_per_block;
    if (picture_begin(&p, path, 640, 420))
        return -1;
    fprintf(p.script, "$model << EOD\n");
    for (double warps = 1; warps <= most; warps += most > 512 ? most / 512 : 1) {
        struct mix_solution s;
        if (mix_alone(&k->profile, warps, mix, &s) == MIX_OK)
            fprintf(p.script, "%.9g %.9g\n", warps, s.at[0].ipc[0]);
    }
    fprintf(p.script, "EOD\n$machine << EOD\n%.9g %.9g\nEOD\nset title ", k->warps, k->ipc);
    picture_text(p.script, "%.60s", k->name);
    fprintf(p.script, "\nset xlabel 'warps on an SM'\nset ylabel 'IPC of an SM'\n"
                      "set yrange [0:]\nset xrange [0:]\nset grid\nset key bottom right\n"
                      "plot $model with lines linewidth 2 title 'model', "
                      "$machine with points pointtype 7 pointsize 1.2 title 'machine'\n");
    return picture_end(&p);
}

/* Does any division with so many blocks of the second kernel have an answer? */
static int any_with(const struct mixed *divisions, size_t count, unsigned b)
{
    for (size_t i = 0; i < count; i++)
        if (divisions[i].blocks[1] == b && divisions[i].ratio > 0)
            return 1;
    return 0;
}

int mix_picture_pair(const char *path, const struct model_kernel k[MIX_KERNELS],
                     const struct mixed *divisions, size_t count)
{
    struct picture p;
    int measured = 0;
    if (picture_begin(&p, path, 640, 480))
        return -1;
    for (unsigned b = 1; b <= k[1].blocks; b++) {
        if (!any_with(divisions, count, b))
            continue;
        fprintf(p.script, "$blocks%u << EOD\n", b);
        for (size_t i = 0; i < count; i++)
            if (divisions[i].blocks[1] == b && divisions[i].ratio > 0)
                fprintf(p.script, "%u %.9g\n", divisions[i].blocks[0], divisions[i].ratio);
        fprintf(p.script, "EOD\n");
    }
    fprintf(p.script, "$machine << EOD\n");
    for (size_t i = 0; i < count; i++)
        if (divisions[i].ratio_measured > 0)
            measured = fprintf(p.script, "%u %.9g %u\n", divisions[i].blocks[0],
                               divisions[i].ratio_measured, divisions[i].blocks[1]);
    fprintf(p.script, "EOD\n");
    fprintf(p.script, "set xlabel ");
    picture_text(p.script, "blocks of %.40s on an SM", k[0].name);
    fprintf(p.script, "\nset ylabel 'sum of IPC over IPC alone'\nset key outside title ");
    picture_text(p.script, "blocks of %.40s", k[1].name);
    fprintf(p.script,
            "\nset xrange [0.5:%u.5]\nset xtics 1\nset grid\nplot 1 linecolor 'grey' "
            "notitle",
            k[0].blocks);
    for (unsigned b = 1; b <= k[1].blocks; b++)
        if (any_with(divisions, count, b))
            fprintf(p.script, ", $blocks%u with linespoints pointtype 7 linetype %u title '%u'", b,
                    b, b);
    if (measured)
        fprintf(p.script, ", $machine using 1:2:3 with points pointtype 4 pointsize 2 linewidth 2 "
                          "linecolor variable title 'machine'");
    fprintf(p.script, "\n");
    return picture_end(&p);
}
