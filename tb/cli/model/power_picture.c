/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/power_picture.c: what `heddle model power` draws: the watts that the model says over those that the machine took. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tb/cli/gnuplot.h"
#include "tb/cli/model/model.h"
#include "tb/cli/model/power.h"

#define NAMED 5 /* points that have their name beside them: the worst */

/* The name of a file without its folder and ".json". */
static void name_of(const char *path, char name[64])
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *end = strstr(base, ".json");
    snprintf(name, 64, "%.*s", end ? (int)(end - base) : (int)strlen(base), base);
}

static double error_of(const struct power_run *r)
{
    return r->fitted > 0 ? fabs(per_cent_more(r->fitted, r->is.watts)) : 0;
}

/* How many are further off? */
static unsigned rank_of(const struct power_training *t, unsigned run)
{
    unsigned above = 0;
    for (unsigned i = 0; i < t->count; i++) {
        const double its = error_of(&t->runs[i]), ours = error_of(&t->runs[run]);
        above += its > ours || (its == ours && i < run);
    }
    return above;
}

static void write_runs(FILE *to, const struct power_training *t)
{
    fprintf(to, "$left << EOD\n");
    for (unsigned i = 0; i < t->count; i++)
        if (t->runs[i].left_out > 0)
            fprintf(to, "%.9g %.9g\n", t->runs[i].is.watts, t->runs[i].left_out);
    fprintf(to, "EOD\n$fitted << EOD\n");
    for (unsigned i = 0; i < t->count; i++)
        if (t->runs[i].fitted > 0)
            fprintf(to, "%.9g %.9g\n", t->runs[i].is.watts, t->runs[i].fitted);
    fprintf(to, "EOD\n$names << EOD\n");
    for (unsigned i = 0; i < t->count; i++) {
        char name[64];
        if (!(t->runs[i].fitted > 0) || rank_of(t, i) >= NAMED)
            continue;
        name_of(t->runs[i].path, name);
        fprintf(to, "%.9g %.9g ", t->runs[i].is.watts, t->runs[i].fitted);
        picture_label(to, name);
        fprintf(to, "\n");
    }
    fprintf(to, "EOD\n");
}

int power_picture(const char *path, const struct power_training *t, const struct power_shared *s)
{
    struct picture p;
    const int shared = s && s->machine > 0;
    if (picture_begin(&p, path, 640, 560))
        return -1;
    write_runs(p.script, t);
    if (shared)
        fprintf(p.script, "$shared << EOD\n%.9g %.9g\nEOD\n", s->machine, s->together);
    fprintf(p.script,
            "set xlabel 'watts, machine'\nset ylabel 'watts, model'\nset grid\n"
            "set key top left\nset offsets graph 0.05, graph 0.15, graph 0.05, graph 0.05\n"
            "plot x linecolor 'grey' notitle, "
            "$left with points pointtype 6 linetype 2 title 'each run left out of the fit', "
            "$fitted with points pointtype 7 pointsize 0.6 linetype 1 title 'fitted to all runs', "
            "$names using 1:2:3 with labels left offset 0.8,0 notitle");
    if (shared) {
        fprintf(p.script, ", $shared with points pointtype 4 pointsize 2 linewidth 2 linetype 4 "
                          "title ");
        picture_text(p.script, "%.30s beside %.30s", s->sharers->programs[0].name,
                     s->sharers->programs[1].name);
    }
    fprintf(p.script, "\n");
    return picture_end(&p);
}
