/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/train/train.c: `heddle train`: weights of Poise's link functions from the results of sweeps over (N, p)
 * (Poise V). */
#include "tb/cli/train/train.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/cli.h"
#include "tb/cli/sweep/memory.h"
#include "tb/cli/train/negbin.h"
#include "tb/file.h"

#define MOST_FILES 32
#define INTERCEPT  (NUM_FEATURES - 1) /* x8 */

struct files {
    const char *paths[MOST_FILES], *group;
    int count;
};

struct options {
    struct files training, evaluation;
    struct thresholds thresholds;
    double ridge;
    const char *weights; /* the file to write; NULL: none */
    bool drop[NUM_FEATURES], verbose;
};

enum { KEY_EVALUATION_GROUP = 256, KEY_SPEEDUP, KEY_CYCLES, KEY_RIDGE };

static const struct argp_option options[] = {
    {"weights", 'o', "FILE.ini", 0, "write the weights, for heddle run --settings=FILE.ini", 0},
    {"evaluate", 'e', "RESULTS.sqlite", 0,
     "predict for the kernels of this sweep too, which has other workloads; may be given again", 0},
    {"group", 'g', "NAME", 0,
     "learn only from points of the groups whose names match, as in 'training*'", 0},
    {"evaluate-group", KEY_EVALUATION_GROUP, "NAME", 0, "the same of --evaluate", 0},
    {"drop", 'd', "K", 0, "leave feature K out, 1 to 7: its weights are 0; may be given again", 0},
    {"ridge", KEY_RIDGE, "R", 0,
     "keep weights small that the kernels tell little about: take R / 2 times the sum of their "
     "squares off the likelihood's logarithm (default: 0)",
     0},
    {"least-speedup", KEY_SPEEDUP, "S", 0,
     "leave out kernels whose best speed-up is below S (default: 1.015)", 0},
    {"least-cycles", KEY_CYCLES, "C", 0,
     "leave out kernels of fewer cycles a launch (default: 10000)", 0},
    {"verbose", 'v', 0, 0, "print kernels that are left out, and why", 0},
    {0},
};

static double number(struct argp_state *state, const char *option, const char *text)
{
    char *end;
    errno = 0;
    const double value = strtod(text, &end);
    if (end == text || *end || errno || !(value >= 0 && value <= 1e15))
        argp_error(state, "--%s=%s: expected a number from 0", option, text);
    return value;
}

static void add_file(struct argp_state *state, struct files *files, const char *path)
{
    if (files->count == MOST_FILES)
        argp_error(state, "'%s': more than %d files of results", path, MOST_FILES);
    files->paths[files->count++] = path;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'o': o->weights = text; return 0;
    case 'e': add_file(state, &o->evaluation, text); return 0;
    case 'g': o->training.group = text; return 0;
    case KEY_EVALUATION_GROUP: o->evaluation.group = text; return 0;
    case 'd':
        if (text[0] < '1' || text[0] > '7' || text[1])
            argp_error(state, "--drop=%s: expected 1 to 7; x8 is the constant", text);
        o->drop[text[0] - '1'] = true;
        return 0;
    case KEY_SPEEDUP: o->thresholds.speedup = number(state, "least-speedup", text); return 0;
    case KEY_CYCLES: o->thresholds.cycles = number(state, "least-cycles", text); return 0;
    case KEY_RIDGE: o->ridge = number(state, "ridge", text); return 0;
    case 'v': o->verbose = true; return 0;
    case ARGP_KEY_ARG: add_file(state, &o->training, text); return 0;
    case ARGP_KEY_END:
        if (!o->training.count)
            argp_error(state, "no results; expected: heddle train [OPTION...] RESULTS.sqlite...");
        if (o->evaluation.group && !o->evaluation.count)
            argp_error(state, "--evaluate-group without --evaluate");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int read_set(struct kernels *set, const struct files *files, const struct options *o)
{
    for (int i = 0; i < files->count; i++)
        if (kernels_read(set, files->paths[i], files->group))
            return -1;
    return kernels_choose(set, &o->thresholds);
}

/* What was learned from must not be what is judged by (Poise VII-A). Of kernels that are left out
 * nothing is learned, and nothing is said. */
static int check_disjoint(const struct kernels *training, const struct kernels *evaluation)
{
    for (int t = 0; t < training->used; t++)
        for (int e = 0; e < evaluation->used; e++)
            if (!strcmp(training->items[t].workload, evaluation->items[e].workload)) {
                fprintf(stderr,
                        "heddle train: workload %s is in the training set and in the evaluation "
                        "set; expected sets without a common workload, as by --group and "
                        "--evaluate-group\n",
                        training->items[t].workload);
                return -1;
            }
    return 0;
}

/* The features that are not dropped as columns, the constant first: where others depend on it, they
 * are named. Returns how many there are; which[] says of what. */
static int write_columns(const struct kernels *set, const bool drop[NUM_FEATURES], double *x,
                         int which[NUM_FEATURES])
{
    int columns = 0;
    for (int i = 0; i < NUM_FEATURES; i++) {
        const int feature = i ? i - 1 : INTERCEPT;
        if (drop[feature])
            continue;
        for (int k = 0; k < set->used; k++)
            x[columns * set->used + k] = set->items[k].features[feature];
        which[columns++] = feature;
    }
    return columns;
}

static int explain(enum negbin_result result, const struct negbin_data *d, int feature)
{
    if (result == NEGBIN_FEW_ROWS)
        fprintf(stderr,
                "heddle train: %d kernels to learn %d weights from; expected more kernels than "
                "weights (--verbose says which are left out)\n",
                d->rows, d->columns);
    else if (result == NEGBIN_DEPENDENT)
        fprintf(stderr,
                "heddle train: among these kernels x%d follows from x8 and the features before it; "
                "expected more kernels, or --drop=%d\n",
                feature + 1, feature + 1);
    else
        fprintf(stderr, "heddle train: the regression finds no maximum\n");
    return -1;
}

/* Learns the weights of N (0) or p (1). */
static int fit(const struct kernels *set, const struct options *o, int axis,
               double weights[NUM_FEATURES], struct negbin_fit *fitted)
{
    const size_t rows = (size_t)set->used;
    double *x = more(NULL, (rows * NUM_FEATURES + 1) * sizeof *x);
    unsigned *y = more(NULL, (rows + 1) * sizeof *y);
    int which[NUM_FEATURES], column = 0;
    const struct negbin_data data = {.x = x,
                                     .y = y,
                                     .rows = set->used,
                                     .columns = write_columns(set, o->drop, x, which),
                                     .ridge = o->ridge};
    for (size_t i = 0; i < rows; i++)
        y[i] = set->items[i].outputs[axis];
    const enum negbin_result result = negbin_fit(&data, fitted, &column);
    memset(weights, 0, NUM_FEATURES * sizeof *weights);
    for (int c = 0; c < data.columns && !result; c++)
        weights[which[c]] = fitted->weights[c];
    free(x);
    free(y);
    return result ? explain(result, &data, which[column]) : 0;
}

/* What the file of weights says of where they come from. A name may hold anything. */
static char *notes_of(const struct options *o, const struct kernels *set,
                      const struct negbin_fit fitted[2])
{
    char *notes = text_of("Weights of Poise's link functions, in millionths, by heddle train.\n"
                          "Learned from %d of %d kernels; dispersion of N %.4g, of p %.4g.\n",
                          set->used, set->count, fitted[0].dispersion, fitted[1].dispersion);
    for (int i = 0; i < o->training.count; i++) {
        char *name = text_of("%s%s%s", o->training.paths[i], o->training.group ? ", groups " : "",
                             o->training.group ? o->training.group : "");
        for (char *c = name; *c; c++)
            *c = iscntrl((unsigned char)*c) ? '?' : *c;
        char *longer = text_of("%sSweep: %s\n", notes, name);
        free(notes);
        free(name);
        notes = longer;
    }
    if (o->ridge > 0) {
        char *longer = text_of("%sWith a ridge of %g.\n", notes, o->ridge);
        free(notes);
        notes = longer;
    }
    for (int i = 0; i < NUM_FEATURES; i++)
        if (o->drop[i]) {
            char *longer = text_of("%sx%d was left out.\n", notes, i + 1);
            free(notes);
            notes = longer;
        }
    return notes;
}

static void print_set(const char *what, const struct kernels *set, const struct options *o)
{
    printf("%s: %d of %d kernels\n", what, set->used, set->count);
    kernels_print(set, o->verbose);
    if (set->used)
        printf("mean relative error: N %.1f %%, p %.1f %%\n", 100 * kernels_error(set, 0),
               100 * kernels_error(set, 1));
}

/* The weights as the engine will have them. */
static void as_rounded(const struct weights *w, double exact[2][NUM_FEATURES])
{
    for (int axis = 0; axis < 2; axis++)
        for (int i = 0; i < NUM_FEATURES; i++)
            exact[axis][i] = (double)w->millionths[axis][i] / 1e6;
}

static void print_weights(const double weights[2][NUM_FEATURES], const struct negbin_fit fitted[2])
{
    printf("%-10s %12s %12s\n", "weights", "alpha (N)", "beta (p)");
    for (int i = 0; i < NUM_FEATURES; i++)
        printf("x%-9d %12.6f %12.6f\n", i + 1, weights[0][i], weights[1][i]);
    printf("%-10s %12.6f %12.6f\n", "dispersion", fitted[0].dispersion, fitted[1].dispersion);
}

static int learn(const struct options *o, struct kernels *training, struct kernels *evaluation)
{
    double exact[2][NUM_FEATURES];
    struct negbin_fit fitted[2];
    struct weights weights;
    if (read_set(training, &o->training, o) || read_set(evaluation, &o->evaluation, o) ||
        check_disjoint(training, evaluation))
        return -1;
    const int failed = fit(training, o, 0, exact[0], &fitted[0]) ||
                       fit(training, o, 1, exact[1], &fitted[1]) || weights_round(&weights, exact);
    if (failed) {
        if (o->verbose)
            kernels_print(training, 1);
        return -1;
    }
    as_rounded(&weights, exact);
    kernels_predict(training, exact);
    kernels_predict(evaluation, exact);
    print_set("training", training, o);
    if (o->evaluation.count)
        print_set("\nevaluation", evaluation, o);
    printf("\n");
    print_weights(exact, fitted);
    if (!o->weights)
        return 0;
    char *notes = notes_of(o, training, fitted);
    const int unwritten = weights_write(&weights, notes, o->weights);
    free(notes);
    return unwritten;
}

int command_train(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse_option,
        "RESULTS.sqlite...",
        "From the results of sweeps over mask.n and mask.p: the weights by which Poise's engine "
        "predicts N and p, by negative binomial regression, and how far predictions are from the "
        "targets.\v"
        "Targets, features and kernels that are left out: tb/cli/train/README.md.",
        0,
        0,
        0};
    struct options o = {.thresholds = {.speedup = 1.015, .cycles = 10000}};
    struct kernels training = {0}, evaluation = {0};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    const int failed =
        (o.weights && file_check(o.weights, stderr)) || learn(&o, &training, &evaluation);
    kernels_free(&training);
    kernels_free(&evaluation);
    return failed ? EXIT_USAGE : 0;
}
