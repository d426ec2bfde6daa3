/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/power.c: `heddle model power`: a model of the machine's power, fitted to runs; and with it the power of programs beside each
 * other, before they have run so. */
#include "tb/cli/model/power.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/cli.h"
#include "tb/cli/gnuplot.h"
#include "tb/cli/model/model.h"
#include "tb/cli/option.h"

#define WHO "heddle model power"

#define MOST_FILES 4096

enum { OPTION_CSV = 1, OPTION_WITHOUT };

struct options {
    char **files; /* of the training runs */
    unsigned num_files;
    char *programs[CAMP_SHARERS];
    unsigned num_programs, ways; /* 0: the most that a run had */
    double noise;
    struct model_events events;
    const char *list, *without, *measured, *picture, *csv;
};

static const struct argp_option options[] = {
    {"csv", OPTION_CSV, "FILE.csv", 0,
     "write the runs as comma-separated values; with --program those of the programs instead", 0},
    {"events", 'e', "EVENT,...", 0,
     "what the model is fitted to: each a number of the totals, or several with + or - between; or "
     "the word energy, all that [energy] counts (default: the five of the thesis)",
     0},
    {"measured", 'm', "STATS.json", 0,
     "the two programs beside each other on the machine (heddle replay FILE FILE, --set "
     "kmu.partition=3): what it took stands beside the prediction",
     0},
    {"noise", 'n', "X", 0,
     "let misses per access rise by as much where a run has more ways (default: 0.01)", 0},
    {"picture", 'o', "FILE", 0,
     "draw into FILE.svg, .png or .pdf: what the model says over what the machine took", 0},
    {"program", 'p', "STATS.json,STATS.json,...", 0,
     "a program beside others, for each of them: runs of it alone with different l2.ways, as for "
     "heddle model camp",
     0},
    {"ways", 'w', "N", 0, "of the L2 that the programs share (default: the most that a run had)",
     0},
    {"without", OPTION_WITHOUT, "KEY,...", 0,
     "leave out the energy of these keys of [energy], as if they were 0", 0},
    {0},
};

static const char doc[] =
    "Fits a model of the machine's power to runs: watts of an idle SM, nanojoules of each event "
    "(thesis, chapter 4). With --program it says what programs take that run beside each other on "
    "SMs of their own, from runs of each alone.\v"
    "FILES are statistics of runs of one machine (heddle run --stats=STATS.json), one for each "
    "event of the model and one more at least. Power is energy over time, as [energy] and "
    "gpu.clock_mhz have it. `left out` is what a model of all other runs says.";

static void add_file(struct options *o, char *text, struct argp_state *state)
{
    if (o->num_files == MOST_FILES)
        argp_error(state, "%s: expected %d files at most", text, MOST_FILES);
    if (!o->files && !(o->files = calloc(MOST_FILES, sizeof *o->files)))
        argp_failure(state, 1, 0, "no memory");
    o->files[o->num_files++] = text;
}

static void add_program(struct options *o, char *text, struct argp_state *state)
{
    if (o->num_programs == CAMP_SHARERS)
        argp_error(state, "--program=%s: expected %d programs at most", text, CAMP_SHARERS);
    o->programs[o->num_programs++] = text;
}

static void check_options(struct options *o, struct argp_state *state)
{
    const char *wrong = model_events_read(&o->events, o->list ? o->list : "thesis");
    if (wrong)
        argp_error(state, "--events: %s", wrong);
    if (!o->num_files)
        argp_error(state, "no files; expected STATS.json of each run");
    if (o->measured && o->num_programs != MODEL_PAIR)
        argp_error(state, "--measured: expected --program twice");
    if (o->num_programs && !o->events.thesis)
        argp_error(state, "--program goes with the events of the thesis, without --events");
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case OPTION_CSV: o->csv = text; return 0;
    case OPTION_WITHOUT: o->without = text; return 0;
    case 'e': o->list = text; return 0;
    case 'm': o->measured = text; return 0;
    case 'n': o->noise = option_share(state, "noise", text); return 0;
    case 'o': o->picture = text; return 0;
    case 'p': add_program(o, text, state); return 0;
    case 'w': o->ways = (unsigned)option_number(state, "ways", text, 1, CAMP_WAYS); return 0;
    case ARGP_KEY_ARG: add_file(o, text, state); return 0;
    case ARGP_KEY_END: check_options(o, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Returns the exit status. */
static int run_programs(const struct options *o, const struct power_training *t)
{
    struct model_sharers sharers;
    struct power_shared shared;
    int failed = model_sharers_read(&sharers, WHO, &model_l2, o->programs, o->num_programs, o->ways,
                                    o->noise);
    failed = failed ? failed : power_share(t, &sharers, o->measured, &shared);
    if (!failed) {
        power_print_fit(t);
        power_print_shared(&shared);
        failed = (o->csv && power_csv_shared(o->csv, &shared)) ||
                 (o->picture && power_picture(o->picture, t, &shared));
    }
    model_sharers_free(&sharers);
    return failed < 0 ? EXIT_USAGE : failed;
}

static int run(const struct options *o, struct power_training *t)
{
    const int failed = power_train(t, o->files, o->num_files);
    if (failed)
        return failed < 0 ? EXIT_USAGE : 1;
    if (o->num_programs)
        return run_programs(o, t);
    power_print_fit(t);
    return (o->csv && power_csv_runs(o->csv, t)) ||
           (o->picture && power_picture(o->picture, t, NULL));
}

int model_power(int argc, char **argv)
{
    struct options o = {.noise = MODEL_NOISE};
    const struct argp parser = {options, parse_option, "FILES...", doc, NULL, NULL, NULL};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    struct power_training t = {.events = o.events, .machine.without = o.without};
    int status = EXIT_USAGE;
    if (!(o.picture && picture_check(o.picture)) && !(o.csv && file_check(o.csv, stderr)))
        status = run(&o, &t);
    power_training_free(&t);
    free(o.files);
    return status;
}
