/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/camp_picture.c: what `heddle model camp` draws: a curve for each program, from its runs, and on it what each model says that it
 * holds. */
#include <stdio.h>

#include "tb/cli/gnuplot.h"
#include "tb/cli/model/camp.h"

#define STEP .0625 /* of a way */

static void write_curves(FILE *to, const struct model_program *programs, unsigned num,
                         unsigned ways)
{
    for (unsigned i = 0; i < num; i++) {
        fprintf(to, "$curve%u << EOD\n", i);
        for (double s = 0; s <= ways; s += STEP)
            fprintf(to, "%.9g %.9g\n", s, camp_mpa(&programs[i].camp.curve, s));
        fprintf(to, "EOD\n$runs%u << EOD\n", i);
        for (unsigned r = 0; r < programs[i].num; r++)
            fprintf(to, "%u %.9g\n", programs[i].ways[r], programs[i].runs[r].mpa);
        fprintf(to, "EOD\n");
    }
}

/* Equilibria of a model, stable or not, both programs': ways, MPA, number of the program. */
static void write_model(FILE *to, const struct camp_pair *p, enum camp_model model, int unstable)
{
    const struct camp_equilibria *e = &p->says[model];
    fprintf(to, "$%s%s << EOD\n", unstable ? "un" : "", camp_model_name(model));
    for (unsigned i = 0; i < e->num && camp_has_answer(p, model); i++)
        for (unsigned k = 0; k < MODEL_PAIR && (e->unstable >> i & 1) == (unsigned)unstable; k++) {
            const double ways = camp_ways_at(p, model, i, k);
            fprintf(to, "%.9g %.9g %u\n", ways, camp_mpa(&p->programs[k].camp.curve, ways), k + 1);
        }
    fprintf(to, "EOD\n");
}

static void write_machine(FILE *to, const struct camp_pair *p)
{
    fprintf(to, "$machine << EOD\n");
    for (unsigned k = 0; k < MODEL_PAIR; k++)
        fprintf(to, "%.9g %.9g %u\n", p->measured->ways[k], p->measured->mpa[k], k + 1);
    fprintf(to, "EOD\n");
}

/* A kind of points for each model, filled where they are stable, in the colour of the program; entries of the key are black. */
static void plot_models(FILE *to, const struct camp_pair *p)
{
    static const int filled[NUM_CAMP_MODELS] = {[CAMP_CAMP] = 7, [CAMP_AB] = 9, [CAMP_MB] = 13};
    for (enum camp_model m = 0; m < NUM_CAMP_MODELS; m++) {
        const char *name = camp_model_name(m);
        fprintf(to,
                ", $%s using 1:2:3 with points pointtype %d pointsize 1.4 linecolor variable "
                "notitle, NaN with points pointtype %d pointsize 1.4 linecolor 'black' title '%s'",
                name, filled[m], filled[m], name);
        for (unsigned i = 0; i < p->says[m].num; i++)
            if (p->says[m].unstable >> i & 1) {
                fprintf(to,
                        ", $un%s using 1:2:3 with points pointtype %d pointsize 1.4 linecolor "
                        "variable notitle, NaN with points pointtype %d pointsize 1.4 linecolor "
                        "'black' title '%s, unstable'",
                        name, filled[m] - 1, filled[m] - 1, name);
                break;
            }
    }
    if (p->measured)
        fprintf(to, ", $machine using 1:2:3 with points pointtype 4 pointsize 2 linewidth 2 "
                    "linecolor variable notitle, NaN with points pointtype 4 pointsize 2 linewidth "
                    "2 linecolor 'black' title 'machine'");
}

int camp_picture(const char *path, const struct model_program *programs, unsigned num,
                 unsigned ways, const struct camp_pair *pair)
{
    struct picture p;
    if (picture_begin(&p, path, 720, 480))
        return -1;
    write_curves(p.script, programs, num, ways);
    for (enum camp_model m = 0; pair && m < NUM_CAMP_MODELS; m++) {
        write_model(p.script, pair, m, 0);
        write_model(p.script, pair, m, 1);
    }
    if (pair && pair->measured)
        write_machine(p.script, pair);
    fprintf(p.script,
            "set xlabel 'ways of %s that a program holds'\nset ylabel 'misses per access'\n"
            "set xrange [0:%u]\nset yrange [0:1]\nset grid\nset key outside\nplot ",
            programs->cache->title, ways);
    for (unsigned i = 0; i < num; i++) {
        fprintf(p.script, "%s$curve%u with lines linewidth 2 linetype %u title ", i ? ", " : "", i,
                i + 1);
        picture_text(p.script, "%c: %.40s", (char)('A' + i), programs[i].name);
        fprintf(p.script, ", $runs%u with points pointtype 1 linetype %u notitle", i, i + 1);
    }
    if (pair)
        plot_models(p.script, pair);
    fprintf(p.script, "\n");
    return picture_end(&p);
}
