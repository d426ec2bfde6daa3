/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/camp.c: `heddle model camp`: one program as it ran alone, or how several share a cache. */
#include "tb/cli/model/camp.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tb/cli/cli.h"
#include "tb/cli/gnuplot.h"
#include "tb/cli/model/model.h"
#include "tb/cli/model/sharing.h"
#include "tb/cli/option.h"
#include "tb/file.h"

#define WHO "heddle model camp"

struct options {
    char *files[CAMP_SHARERS], *stacks;
    const char *csv, *picture, *measured;
    const struct model_cache *cache;
    unsigned count, ways; /* 0: the most that a run had */
    double noise;
};

enum { CSV = 256, CACHE, STACKS }; /* have no letter */

static const struct argp_option options[] = {
    {"cache", CACHE, "NAME", 0,
     "that is shared: l2 (default), or l1d, by programs on the same SMs (kmu.partition 0 or 1)", 0},
    {"csv", CSV, "FILE", 0,
     "of two programs: write what each model says of each into FILE, beside what the machine did",
     0},
    {"measured", 'm', "STATS.json", 0,
     "the two programs beside each other on the machine (heddle replay FILE FILE, with --set "
     "kmu.partition=3 for l2): what it did stands beside what the models say",
     0},
    {"noise", 'n', "X", 0,
     "let misses per access rise by as much where a run has more ways (default: 0.01)", 0},
    {"picture", 'o', "FILE", 0,
     "draw into FILE.svg, .png or .pdf: misses per access by ways, and who holds how many", 0},
    {"stacks", STACKS, "PROFILE.json,...", 0,
     "a profile of each program alone (heddle replay --profile=PROFILE.json): how often it misses "
     "with how many ways is by its stack distances, and not by its runs",
     0},
    {"ways", 'w', "N", 0,
     "of the cache that is shared (default: the most that a run had); its sets are those of the "
     "runs",
     0},
    {0},
};

static const char doc[] =
    "How programs that run beside each other divide a cache, how often each misses then, and how "
    "fast it is, from runs of each alone (thesis, chapter 3). L2 is shared by programs on SMs of "
    "their own, L1D by those on the same.\v"
    "FILES are STATS.json,STATS.json,... of one program, from runs with different l2.ways, such as "
    "`heddle replay --dispatch=kmu --set kmu.partition=3 --set kmu.sms_0=7 --set l2.ways=4 "
    "--stats=STATS.json FILE`; or, with --cache=l1d, l1d.ways, such as `heddle replay "
    "--dispatch=kmu --set kmu.blocks_0=2 --set l1d.ways=4 --stats=STATS.json FILE`. SPI is in "
    "cycles per warp instruction, of all SMs of a program; MPA is misses of the cache per access.";

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case CACHE:
        o->cache = model_cache_named(text);
        if (!o->cache)
            argp_error(state, "--cache=%s: expected l1d or l2", text);
        return 0;
    case CSV: o->csv = text; return 0;
    case 'm': o->measured = text; return 0;
    case 'n': o->noise = option_share(state, "noise", text); return 0;
    case 'o': o->picture = text; return 0;
    case STACKS: o->stacks = text; return 0;
    case 'w': o->ways = (unsigned)option_number(state, "ways", text, 1, CAMP_WAYS); return 0;
    case ARGP_KEY_ARG:
        if (o->count == CAMP_SHARERS)
            argp_error(state, "%s: expected %d programs at most", text, CAMP_SHARERS);
        o->files[o->count++] = text;
        return 0;
    case ARGP_KEY_END:
        if (!o->count)
            argp_error(state, "no files; expected STATS.json,STATS.json,... of each program");
        if ((o->measured || o->csv) && o->count != MODEL_PAIR)
            argp_error(state, "--%s: expected two programs", o->measured ? "measured" : "csv");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* The same curves, and SPI is what it was on the machine, whatever a program misses. */
static void scan_by_spi(const struct model_sharers *s, struct camp_pair *pair)
{
    struct camp_program programs[MODEL_PAIR];
    struct camp_sharer sharers[MODEL_PAIR];
    for (unsigned i = 0; i < MODEL_PAIR; i++) {
        programs[i] = s->programs[i].camp;
        programs[i].alpha = 0;
        programs[i].beta = pair->measured->spi[i];
        sharers[i] = (struct camp_sharer){&programs[i], &s->growth[i]};
    }
    pair->by_spi_error = camp_scan(sharers, s->ways, CAMP_CAMP, &pair->by_spi);
}

static int run_pair(const struct options *o, const struct model_sharers *s)
{
    struct model_measured measured;
    struct camp_pair pair = {.programs = s->programs, .ways = s->ways};
    for (unsigned i = 0; i < MODEL_PAIR; i++)
        pair.uses[i] = fmin(s->sharers[i].growth->top, s->ways);
    if (o->measured && model_measured_read(o->measured, s->programs, s->ways, &measured))
        return EXIT_USAGE;
    pair.measured = o->measured ? &measured : NULL;
    if (o->measured)
        scan_by_spi(s, &pair);
    for (enum camp_model m = 0; m < NUM_CAMP_MODELS; m++)
        pair.error[m] = camp_scan(s->sharers, s->ways, m, &pair.says[m]);
    camp_print_pair(&pair);
    if (o->csv && camp_csv(o->csv, &pair))
        return 1;
    if (o->picture && camp_picture(o->picture, s->programs, s->count, s->ways, &pair))
        return 1;
    return camp_has_answer(&pair, CAMP_CAMP) ? 0 : 1;
}

static int run_several(const struct options *o, const struct model_sharers *s)
{
    struct camp_share share;
    const enum camp_error error = camp_share(s->sharers, s->count, s->ways, &share);
    if (error && error != CAMP_ROOM_LEFT) {
        fprintf(stderr, WHO ": %s\n", camp_reason(error));
        return 1;
    }
    camp_print_share(s->programs, s->count, s->ways, &share);
    if (error)
        printf("%s\n", camp_reason(error));
    return o->picture && camp_picture(o->picture, s->programs, s->count, s->ways, NULL) ? 1 : 0;
}

/* Returns 0, or -1 with the reason on stderr. */
static int take_stacks(const struct options *o, struct model_sharers *s)
{
    char *rest = o->stacks;
    for (unsigned i = 0; i < s->count; i++) {
        const char *path = strsep(&rest, ",");
        if (!path || (i + 1 == s->count && rest)) {
            fprintf(stderr, WHO ": --stacks: expected a profile for each of %u programs\n",
                    s->count);
            return -1;
        }
        if (model_program_by_stacks(&s->programs[i], path))
            return -1;
    }
    return 0;
}

/* Returns the exit status. */
static int run(const struct options *o, struct model_sharers *s)
{
    if (o->stacks && take_stacks(o, s))
        return EXIT_USAGE;
    for (unsigned i = 0; i < s->count; i++)
        camp_print_alone(&s->programs[i], (char)('A' + i));
    if (s->count == 1)
        return o->picture && camp_picture(o->picture, s->programs, 1, s->ways, NULL) ? 1 : 0;
    if (model_sharers_grow(s, WHO))
        return 1;
    return (s->count == MODEL_PAIR ? run_pair : run_several)(o, s);
}

int model_camp(int argc, char **argv)
{
    struct options o = {.cache = &model_l2, .noise = MODEL_NOISE};
    struct model_sharers sharers;
    const struct argp parser = {options, parse_option, "STATS.json,STATS.json[,...]...", doc, NULL,
                                NULL,    NULL};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    if ((o.picture && picture_check(o.picture)) || (o.csv && file_check(o.csv, stderr)))
        return EXIT_USAGE;
    const int failed =
        model_sharers_read(&sharers, WHO, o.cache, o.files, o.count, o.ways, o.noise);
    const int status = failed ? EXIT_USAGE : run(&o, &sharers);
    model_sharers_free(&sharers);
    return status;
}
