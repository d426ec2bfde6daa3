/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/pdvfs_picture.c: what `heddle model pdvfs` draws: over the goals, energy over the oracle's, and how much slower a program is;
 * the thesis's means dashed. */
#include <math.h>
#include <stdio.h>

#include "tb/cli/gnuplot.h"
#include "tb/cli/model/pdvfs.h"

/* A panel: what it shows. */
struct panel {
    const char *name, *title;
    pdvfs_figure *value;
    pdvfs_thesis *thesis;
    enum pdvfs_policy first; /* and those after it */
};

static const struct panel panels[] = {
    {"above", "energy over the oracle, %", pdvfs_above, pdvfs_thesis_above, POLICY_N_DVFS},
    {"slower", "slower than at the highest clock, %", pdvfs_slower, pdvfs_thesis_slower,
     POLICY_ORACLE},
};
#define NUM_PANELS (sizeof panels / sizeof panels[0])

/* N-DVFS is not slower than itself; the loop may have no answer. */
static int is_drawn(const struct panel *panel, enum pdvfs_policy p, const struct pdvfs_study *s,
                    unsigned programs)
{
    double value;
    return !(panel->value == pdvfs_slower && p == POLICY_N_DVFS) &&
           pdvfs_mean(s, programs, 0, p, panel->value, &value);
}

/* Is there a figure of the thesis at any goal? */
static int has_thesis(const struct panel *panel, enum pdvfs_policy p, const struct pdvfs_study *s)
{
    double value;
    for (unsigned g = 0; p != POLICY_P_DVFS && g < s->goals; g++) /* the loop's is the same */
        if (panel->thesis(s->goal[g], p, &value))
            return 1;
    return 0;
}

static void write_data(FILE *to, const struct panel *panel, enum pdvfs_policy p,
                       const struct pdvfs_study *s, unsigned programs)
{
    fprintf(to, "$%s%d << EOD\n", panel->name, (int)p);
    for (unsigned g = 0; g < s->goals; g++) {
        double value = NAN, thesis = NAN;
        pdvfs_mean(s, programs, g, p, panel->value, &value);
        panel->thesis(s->goal[g], p, &thesis);
        fprintf(to, "%.9g %.9g %.9g\n", 100 * s->goal[g], value, thesis);
    }
    fprintf(to, "EOD\n");
}

/* In both panels and for the thesis the same colour; not the yellow of gnuplot's fifth. */
static int colour_of(enum pdvfs_policy p)
{
    return p == POLICY_LOOP ? 7 : (int)p + 1;
}

static void draw(FILE *to, const struct panel *panel, const struct pdvfs_study *s,
                 unsigned programs)
{
    const char *comma = "";
    fprintf(to, "set ylabel '%s'\nplot ", panel->title);
    for (enum pdvfs_policy p = panel->first; p < NUM_POLICIES; p++) {
        if (!is_drawn(panel, p, s, programs))
            continue;
        fprintf(to,
                "%s$%s%d using 1:2 with linespoints linewidth 2 pointtype 7 linetype %d title '%s'",
                comma, panel->name, (int)p, colour_of(p), pdvfs_policy_name(p));
        comma = ", ";
        if (has_thesis(panel, p, s))
            fprintf(to,
                    ", $%s%d using 1:3 with linespoints dashtype 2 pointtype 6 linetype %d title "
                    "'%s, thesis'",
                    panel->name, (int)p, colour_of(p), pdvfs_policy_name(p));
    }
    if (panel->value == pdvfs_slower)
        fprintf(to, ", x with lines linecolor 'black' title 'goal'");
    fprintf(to, "\n");
}

int pdvfs_picture(const char *path, const struct pdvfs_study *s, unsigned programs)
{
    struct picture p;
    if (picture_begin(&p, path, 960, 480))
        return -1;
    double most = 0;
    for (unsigned g = 0; g < s->goals; g++)
        most = 100 * s->goal[g] > most ? 100 * s->goal[g] : most;
    for (unsigned i = 0; i < NUM_PANELS; i++)
        for (enum pdvfs_policy policy = panels[i].first; policy < NUM_POLICIES; policy++)
            if (is_drawn(&panels[i], policy, s, programs))
                write_data(p.script, &panels[i], policy, s, programs);
    fprintf(
        p.script,
        "set datafile missing NaN\nset xlabel 'goal: at most so much slower, %%'\n"
        "set xrange [0:%.9g]\nset grid\nset key below height 1\nset multiplot layout 1,2 title ",
        fmax(1.1 * most, 1));
    if (programs > 1)
        picture_text(p.script, "%u programs, misses of %s", programs, pdvfs_misses_name(s->misses));
    else
        picture_text(p.script, "%.60s, misses of %s", s->runs.name, pdvfs_misses_name(s->misses));
    fprintf(p.script, "\n");
    for (unsigned i = 0; i < NUM_PANELS; i++)
        draw(p.script, &panels[i], s, programs);
    fprintf(p.script, "unset multiplot\n");
    return picture_end(&p);
}
