/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/search/search.c: `heddle search`: designs of RLWS by the paper's genetic algorithm, or at random. It may be interrupted at any time: all
 * that a generation is follows from the seed and from results, which stay. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/cli.h"
#include "tb/cli/gnuplot.h"
#include "tb/cli/option.h"
#include "tb/cli/search/search.h"
#include "tb/cli/sweep/plan.h"
#include "tb/cli/sweep/sweep.h"
#include "tb/folder.h"

enum { MAX_OPTIONS = 8, MOST_POPULATION = 1000, MOST_GENERATIONS = 1000 };

/* Short kernels that like different schedulers (RLWS V-B chose 15 of its 59 so). */
#define WORKLOADS                                                                                  \
    "bfs, black_scholes, btree, histogram, hotspot, kmeans_columns, mriq, spmv, srad, stencil"

static const struct argp_option options[] = {
    {"population", 'p', "N", 0, "designs of a generation (default: 100)", 0},
    {"generations", 'g', "N", 0, "how many (default: 100)", 0},
    {"seed", 's', "N", 0, "of all that is drawn (default: 1)", 0},
    {"random", 'r', 0, 0, "draw all designs at random: what the same number of runs finds so", 0},
    {"workloads", 'w', "LIST", 0, "whose kernels count (default: " WORKLOADS ")", 0},
    {"size", 'z', "SIZE", 0, "of all of them (default: small)", 0},
    {"compare", 'c', "POLICY", 0, "whose speed is 1 (default: lrr)", 0},
    {"out", 'o', "FOLDER", 0, "where runs and results go (default: build/search/POLICY)", 0},
    {"engine", 'e', "local|slurm", 0, "what runs the points, as of heddle sweep", 0},
    {"jobs", 'j', "N", 0, "runs at a time, as of heddle sweep", 0},
    {"timeout", 't', "SECONDS", 0, "a run that takes longer ends the search", 0},
    {"sbatch", 'b', "OPTIONS", 0, "more options of sbatch, as of heddle sweep", 0},
    {0},
};

struct options {
    struct search search;
    char *sweep[MAX_OPTIONS];
};

/* An option of the sweeps. */
static error_t pass_on(struct search *s, struct argp_state *state, const char *option,
                       const char *text)
{
    if (s->num_sweep == MAX_OPTIONS)
        argp_error(state, "--%s=%s: too many options; expected each once", option, text);
    s->sweep[s->num_sweep++] = text_of("--%s=%s", option, text);
    return 0;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;
    struct search *s = &o->search;
    switch (key) {
    case 'p':
        s->population = option_number(state, "population", text, 2, MOST_POPULATION);
        return 0;
    case 'g':
        s->generations = option_number(state, "generations", text, 1, MOST_GENERATIONS);
        return 0;
    case 's': s->seed = (uint64_t)option_number(state, "seed", text, 0, 1000000000); return 0;
    case 'r': s->random = 1; return 0;
    case 'w': s->workloads = text; return 0;
    case 'z':
        if (!is_size(text))
            argp_error(state, "--size=%s: expected small, medium or large", text);
        s->size = text;
        return 0;
    case 'c': s->compared = text; return 0;
    case 'o': s->folder = text; return 0;
    case 'e': return pass_on(s, state, "engine", text);
    case 'j': return pass_on(s, state, "jobs", text);
    case 't': return pass_on(s, state, "timeout", text);
    case 'b': return pass_on(s, state, "sbatch", text);
    case ARGP_KEY_ARG:
        if (s->policy || (strcmp(text, "rlws") && strcmp(text, "rlws-ms")))
            argp_error(state, "'%s': expected one policy, rlws or rlws-ms", text);
        s->policy = text;
        s->stem = strcmp(text, "rlws") ? "rlws_ms" : "rlws";
        return 0;
    case ARGP_KEY_END:
        if (!s->policy)
            argp_error(state, "no policy; expected: heddle search [OPTION...] rlws|rlws-ms");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int make_folder(const char *folder)
{
    const int failed = folder_make(folder);
    if (failed)
        fprintf(stderr, "heddle search: %s: %s\n", folder, strerror(errno));
    return failed;
}

static int evolve(struct search *s)
{
    struct chance chance = {s->seed};
    const size_t size = (size_t)s->population * sizeof(struct candidate);
    struct candidate *now = more(NULL, size), *last = more(NULL, size), *best = more(NULL, size);
    int status = 0, generation = 0;
    memset(now, 0, size);
    while (!status && generation < s->generations) {
        memcpy(last, now, size);
        memset(best, 0, size);
        search_best(s, best, GENETIC_FRESH(s->population));
        genetic_next(now, s->population, generation, s->random, last, best, &chance);
        status = generation_run(s, generation, now);
        if (status)
            break;
        const struct generation *g = &s->history[generation++];
        printf("generation %d of %d: best %.4f, mean %.4f; best so far %.4f\n", generation,
               s->generations, g->best, g->mean, g->best_so_far);
        if (report_write(s, generation))
            status = EXIT_USAGE;
    }
    free(now);
    free(last);
    free(best);
    return status;
}

int command_search(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse_option,
        "rlws|rlws-ms",
        "Searches for designs of RLWS: attributes, numbers of buckets, rates and rewards, by the "
        "genetic "
        "algorithm of its paper (IV-H).\v"
        "Of each generation 90 in a hundred are children: two parents, chosen in proportion to "
        "their fitness, change properties from one point on, "
        "and one property may mutate. The others are drawn at random; in every tenth generation "
        "the best so far come back instead. Fitness is "
        "the geometric mean of the speed over that of another policy, over all kernels.\n\n"
        "Each generation is a sweep in FOLDER; a search that was interrupted or killed resumes "
        "when the same command is given again, and finds the same. "
        "FOLDER/best.ini is a file of settings for heddle run --settings.\n\n"
        "Exit status: 0; 1 a run is broken; 2 a usage or configuration error; 130 interrupted.",
        0,
        0,
        0};
    struct options o = {.search = {.compared = "lrr",
                                   .workloads = WORKLOADS,
                                   .size = "small",
                                   .population = 100,
                                   .generations = 100,
                                   .seed = 1}};
    struct search *s = &o.search;
    argp_err_exit_status = EXIT_USAGE;
    s->sweep = o.sweep;
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    char *folder = s->folder ? text_of("%s", s->folder)
                             : text_of("build/search/%s%s", s->policy, s->random ? "-random" : ""),
         *picture = text_of("%s/fitness.svg", folder);
    s->folder = folder;
    s->history = more(NULL, (size_t)s->generations * sizeof *s->history);
    int status = make_folder(folder) || picture_check(picture) ? EXIT_USAGE : baseline_run(s);
    if (!status)
        status = evolve(s);
    if (!status)
        report_print(s);
    for (int i = 0; i < s->num_baselines; i++) {
        free(s->baselines[i].workload);
        free(s->baselines[i].kernel);
    }
    for (int i = 0; i < s->num_sweep; i++)
        free(s->sweep[i]);
    free(s->baselines);
    free(s->known);
    free(s->history);
    free(picture);
    free(folder);
    return status;
}
