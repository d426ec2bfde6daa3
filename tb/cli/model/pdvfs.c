/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/pdvfs.c: `heddle model pdvfs`: what P-DVFS, its oracle, F-DVFS and N-DVFS make of programs that were measured with several
 * clocks of the SMs. */
#include "tb/cli/model/pdvfs.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/cli.h"
#include "tb/cli/gnuplot.h"
#include "tb/cli/model/model.h"
#include "tb/cli/option.h"

#define SLOTS      15    /* thesis 5.4.1 */
#define MOST_SLOTS 24    /* with six levels mckp.h takes no more */
#define PERIOD     10000 /* T_scaling */

struct options {
    char *files[PDVFS_PROGRAMS];
    unsigned count, slots, goals;
    double goal[PDVFS_GOALS];
    int period;
    enum clock_misses misses;
    const char *picture, *csv;
};

static const struct argp_option options[] = {
    {"csv", 'c', "FILE", 0, "write a row for each program, goal and policy", 0},
    {"goal", 'g', "PERCENT", 0,
     "let a program be slower by as much; may be given several times (default: 5, 10, 15, 20)", 0},
    {"misses", 'm', "l1d|l2", 0,
     "tell instructions apart by misses of this cache per warp instruction (default: l1d)", 0},
    {"period", 'p', "CYCLES", 0,
     "take launches together, one after the other, until they last so long at the highest clock "
     "(default: 10000; 0: each for itself)",
     0},
    {"picture", 'o', "FILE", 0,
     "draw into FILE.svg, .png or .pdf: energy over the oracle, and time, over the goals", 0},
    {"slots", 's', "N", 0, "of misses per instruction (default: 15)", 0},
    {0},
};

static const char doc[] =
    "At which clock of the SMs each class of instructions is to run, such that a program takes the "
    "least energy and is not slower than a goal says: P-DVFS by fits of time and power, an oracle "
    "by what was measured, F-DVFS and N-DVFS (thesis, chapter 5).\v"
    "FILES are STATS.json,STATS.json,... of one program, from runs with different sm.clock, such "
    "as `heddle run --set sm.clock=3 --stats=STATS.json -- PROGRAM`. Several programs stand beside "
    "the thesis as their mean. Times and energies of a choice are those that were measured with "
    "the clock that each slot has; a change of the clock costs nothing.";

/* Goals rise. */
static void add_goal(struct argp_state *state, struct options *o, const char *text)
{
    char *end;
    const double per_cent = strtod(text, &end);
    if (end == text || *end || !(per_cent >= 0 && per_cent <= 1000))
        argp_error(state, "--goal=%s: expected a number from 0 to 1000", text);
    if (o->goals == PDVFS_GOALS)
        argp_error(state, "--goal=%s: expected %d goals at most", text, PDVFS_GOALS);
    unsigned at = o->goals++;
    for (; at > 0 && o->goal[at - 1] > per_cent / 100; at--)
        o->goal[at] = o->goal[at - 1];
    o->goal[at] = per_cent / 100;
}

static void set_misses(struct argp_state *state, struct options *o, const char *text)
{
    if (strcmp(text, "l1d") != 0 && strcmp(text, "l2") != 0)
        argp_error(state, "--misses=%s: expected l1d or l2", text);
    o->misses = strcmp(text, "l2") ? MISSES_L1D : MISSES_L2;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'c': o->csv = text; return 0;
    case 'g': add_goal(state, o, text); return 0;
    case 'm': set_misses(state, o, text); return 0;
    case 'o': o->picture = text; return 0;
    case 'p': o->period = option_number(state, "period", text, 0, 1000000000); return 0;
    case 's': o->slots = (unsigned)option_number(state, "slots", text, 1, MOST_SLOTS); return 0;
    case ARGP_KEY_ARG:
        if (o->count == PDVFS_PROGRAMS)
            argp_error(state, "%s: expected %d programs at most", text, PDVFS_PROGRAMS);
        o->files[o->count++] = text;
        return 0;
    case ARGP_KEY_END:
        if (!o->count)
            argp_error(state, "no files; expected STATS.json,STATS.json,... of each program");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static void set_goals(struct options *o)
{
    static const double defaults[] = {.05, .1, .15, .2};
    if (o->goals)
        return;
    o->goals = sizeof defaults / sizeof defaults[0];
    memcpy(o->goal, defaults, sizeof defaults);
}

/* Returns the exit status. */
static int study(const struct options *o, unsigned i, struct pdvfs_study *s)
{
    if (model_clocks_read(&s->runs, o->files[i], o->period))
        return EXIT_USAGE;
    s->misses = o->misses;
    s->tick = o->period ? o->period : PERIOD;
    s->slots.num = o->slots;
    s->goals = o->goals;
    memcpy(s->goal, o->goal, sizeof s->goal);
    if (pdvfs_study(s))
        return 1;
    pdvfs_print(s);
    return 0;
}

static int run(const struct options *o, struct pdvfs_study *studies)
{
    int status = 0;
    for (unsigned i = 0; !status && i < o->count; i++)
        status = study(o, i, &studies[i]);
    if (status)
        return status;
    pdvfs_print_means(studies, o->count);
    if (o->csv && pdvfs_csv(o->csv, studies, o->count))
        return 1;
    return o->picture && pdvfs_picture(o->picture, studies, o->count) ? 1 : 0;
}

int model_pdvfs(int argc, char **argv)
{
    struct options o = {.slots = SLOTS, .period = PERIOD};
    const struct argp parser = {options, parse_option, "STATS.json,STATS.json[,...]...", doc, NULL,
                                NULL,    NULL};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    set_goals(&o);
    if ((o.picture && picture_check(o.picture)) || (o.csv && file_check(o.csv, stderr)))
        return EXIT_USAGE;
    struct pdvfs_study *studies = calloc(o.count, sizeof *studies);
    if (!studies) {
        fprintf(stderr, "heddle model pdvfs: no memory\n");
        return 1;
    }
    const int status = run(&o, studies);
    for (unsigned i = 0; i < o.count; i++)
        model_clocks_free(&studies[i].runs);
    free(studies);
    return status;
}
