/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/map/map.c: `heddle map`: speed-up over (W, W) for all (N, p) (Poise, section III-C, figure
 * 2). */
#include "tb/cli/map/map.h"

#include <argp.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "tb/cli/cli.h"
#include "tb/cli/gnuplot.h"

struct options {
    struct map_choice choice;
    const char *results, *picture;
    bool table;
};

static const struct argp_option options[] = {
    {"group", 'g', "NAME", 0,
     "only points of the groups of the sweep's file whose names match, as in 'a*'", 0},
    {"workload", 'w', "NAME", 0, "only points of this workload", 0},
    {"kernel", 'k', "NAME", 0, "cycles and hits of this kernel alone (default: of the program)", 0},
    {"n", 'n', "KEY", 0, "the configuration key that is N (default: mask.n)", 0},
    {"p", 'p', "KEY", 0, "the configuration key that is p (default: mask.p)", 0},
    {"picture", 'o', "FILE", 0, "draw the maps into FILE.svg, .png or .pdf", 0},
    {"table", 't', 0, 0, "print one table in Markdown, a row for each map, with means", 0},
    {0},
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'g': o->choice.group = text; return 0;
    case 'w': o->choice.workload = text; return 0;
    case 'k': o->choice.kernel = text; return 0;
    case 'n': o->choice.axes.n = text; return 0;
    case 'p': o->choice.axes.p = text; return 0;
    case 'o': o->picture = text; return 0;
    case 't': o->table = true; return 0;
    case ARGP_KEY_ARG:
        if (o->results)
            argp_error(state, "'%s': expected one RESULTS.sqlite", text);
        o->results = text;
        return 0;
    case ARGP_KEY_END:
        if (!o->results)
            argp_error(state, "no results; expected: heddle map [OPTION...] RESULTS.sqlite");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Maps that cannot be compared with anything are reported and left out. Returns how many. */
static int complete_all(struct maps *all)
{
    int kept = 0;
    const int count = all->count;
    for (int i = 0; i < count; i++)
        if (map_complete(&all->maps[i]))
            map_free(&all->maps[i]);
        else
            all->maps[kept++] = all->maps[i];
    all->count = kept;
    return count - kept;
}

int command_map(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse_option,
        "RESULTS.sqlite",
        "From the results of a sweep over two keys, N and p <= N: speed-up over (W, W), where W is "
        "the largest N, at the best point, at the best with p = N and at the best with p = 1; one "
        "map for all points that differ in nothing else.\v"
        "The picture shows every point as a circle: green is faster, red is slower, the larger the "
        "more; and beside it the curves p = N and p = 1.",
        0,
        0,
        0};
    struct options o = {.choice = {.axes = {"mask.n", "mask.p"}}};
    struct maps all = {0};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    if (o.picture && picture_check(o.picture))
        return EXIT_USAGE;
    int failed = maps_read(&all, &o.choice, o.results), left_out = failed ? 0 : complete_all(&all);
    if (!failed && all.count && o.table)
        map_table(all.maps, all.count, &o.choice.axes);
    else if (!failed)
        map_text(all.maps, all.count);
    if (!failed && all.count && o.picture)
        failed = map_picture(all.maps, all.count, &o.choice.axes, o.picture);
    for (int i = 0; i < all.count; i++)
        map_free(&all.maps[i]);
    free(all.maps);
    return failed || left_out ? EXIT_USAGE : 0;
}
