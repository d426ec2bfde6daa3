/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/options.c: a workload's table and the common options, handed to argp. */
#include "tb/workloads/common/options.h"

#include <argp.h>
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/fail.h"

enum common { SEED, REPEAT, DEVICE_TYPE, SIZE, NUM_COMMON };

static const struct option_entry common_table[NUM_COMMON] = {
    [SEED] = NUMBER_OPTION("seed", 0, INT64_MAX, 1, 1, 1, "seed of the random input"),
    [REPEAT] = NUMBER_OPTION("repeat", 1, 1000000, 1, 1, 1, "runs, each verified"),
    [DEVICE_TYPE] = TEXT_OPTION("device-type", "TYPE", "a GPU, without one any",
                                "the first device of this type: gpu, cpu, accelerator or any"),
    [SIZE] = TEXT_OPTION("size", "SIZE", "medium", "small, medium or large"),
};

static const char *const size_names[NUM_SIZES] = {"small", "medium", "large"};

/* argp's keys are FIRST_KEY plus an index: the workload's options, then the common ones. */
#define FIRST_KEY 256
#define HELP_SIZE 240

struct parse {
    const struct option_entry *table;
    unsigned count;
    struct options *options;
    struct option_value common[NUM_COMMON];
    enum workload_size size;
    struct argp_option argp[MOST_OPTIONS + 1];
    char help[MOST_OPTIONS][HELP_SIZE];
    char meaning[2 * HELP_SIZE];
};

static const struct option_entry *option_at(const struct parse *p, unsigned index)
{
    return index < p->count ? &p->table[index] : &common_table[index - p->count];
}

static struct option_value *value_at(struct parse *p, unsigned index)
{
    return index < p->count ? &p->options->own[index] : &p->common[index - p->count];
}

static void parse_value(const struct option_entry *option, struct option_value *value,
                        const char *text, struct argp_state *state)
{
    char *end;
    errno = 0;
    value->given = 1;
    value->text = text;
    switch (option->kind) {
    case OPTION_NUMBER:
        value->number = strtoll(text, &end, 10);
        if (end == text || *end != '\0' || errno != 0 || value->number < option->least ||
            value->number > option->most)
            argp_error(state, "--%s=%s: expected a whole number in %lld..%lld", option->name, text,
                       (long long)option->least, (long long)option->most);
        break;
    case OPTION_REAL:
        value->real = strtod(text, &end);
        if (end == text || *end != '\0' || !isfinite(value->real) || value->real < 0)
            argp_error(state, "--%s=%s: expected a number that is not negative", option->name,
                       text);
        break;
    case OPTION_TEXT: break;
    }
}

/* Index of the workload's number that --size=N sets, or the number of its options: there is none.
 */
static unsigned size_number(const struct parse *p)
{
    unsigned i = 0;
    while (i < p->count && strcmp(p->table[i].name, common_table[SIZE].name) != 0)
        i++;
    return i;
}

static void parse_size(struct parse *p, const char *text, struct argp_state *state)
{
    unsigned number = size_number(p);
    for (unsigned i = 0; i < NUM_SIZES; i++)
        if (strcmp(text, size_names[i]) == 0) {
            p->size = i;
            return;
        }
    if (number == p->count)
        argp_error(state, "--size=%s: expected small, medium or large", text);
    else if (strspn(text, "+-0123456789") == 0)
        argp_error(state,
                   "--size=%s: expected small, medium, large or a whole number in %lld..%lld", text,
                   (long long)p->table[number].least, (long long)p->table[number].most);
    else
        parse_value(&p->table[number], &p->options->own[number], text, state);
}

static void set_defaults(struct parse *p)
{
    for (unsigned i = 0; i < p->count + NUM_COMMON; i++) {
        const struct option_entry *option = option_at(p, i);
        struct option_value *value = value_at(p, i);
        if (!value->given && option->kind == OPTION_NUMBER && option->otherwise == NULL)
            value->number = option->by_size[p->size];
    }
    p->options->seed = p->common[SEED];
    p->options->repeat = p->common[REPEAT];
    p->options->device_type = p->common[DEVICE_TYPE];
}

static error_t on_argument(int key, char *text, struct argp_state *state)
{
    struct parse *p = state->input;
    unsigned index = (unsigned)(key - FIRST_KEY);
    if (key == ARGP_KEY_ARG)
        argp_error(state, "\"%s\": expected options only", text);
    else if (key == ARGP_KEY_SUCCESS)
        set_defaults(p);
    else if (key < FIRST_KEY || index >= p->count + NUM_COMMON)
        return ARGP_ERR_UNKNOWN;
    else if (index == p->count + SIZE)
        parse_size(p, text, state);
    else
        parse_value(option_at(p, index), value_at(p, index), text, state);
    return 0;
}

/* "meaning; LEAST..MOST (default D)", or one default for each size. */
static void describe(const struct option_entry *option, char *help, size_t size)
{
    const int64_t *by_size = option->by_size;
    int used = snprintf(help, size, "%s", option->meaning);
    if (option->kind == OPTION_NUMBER && option->most != INT64_MAX)
        used += snprintf(help + used, size - (size_t)used, "; %lld..%lld", (long long)option->least,
                         (long long)option->most);
    if (option->otherwise != NULL)
        snprintf(help + used, size - (size_t)used, " (default: %s)", option->otherwise);
    else if (option->kind == OPTION_NUMBER && by_size[SIZE_SMALL] == by_size[SIZE_LARGE])
        snprintf(help + used, size - (size_t)used, " (default %lld)",
                 (long long)by_size[SIZE_SMALL]);
    else if (option->kind == OPTION_NUMBER)
        snprintf(help + used, size - (size_t)used, " (by size: %lld, %lld, %lld)",
                 (long long)by_size[SIZE_SMALL], (long long)by_size[SIZE_MEDIUM],
                 (long long)by_size[SIZE_LARGE]);
}

/* Makes argp's table. The number that --size=N sets is described there, in place of a second
 * --size. */
static void make_argp(struct parse *p)
{
    unsigned number = size_number(p);
    struct argp_option *next = p->argp;
    for (unsigned i = 0; i < p->count + NUM_COMMON; i++) {
        const struct option_entry *option = option_at(p, i);
        if (i == number && number < p->count)
            continue;
        describe(option, p->help[i], HELP_SIZE);
        *next = (struct argp_option){
            .name = option->name, .key = FIRST_KEY + (int)i, .arg = option->argument};
        if (i == p->count + SIZE && number < p->count) {
            char *help = p->help[i];
            int used = snprintf(help, HELP_SIZE, "%s, or N: ", common_table[SIZE].meaning);
            describe(&p->table[number], help + used, HELP_SIZE - (size_t)used);
        }
        next->doc = p->help[i];
        next++;
    }
}

void parse_command_line(struct options *options, int argc, char **argv, const char *meaning,
                        const struct option_entry *table, unsigned count)
{
    struct parse p = {.table = table, .count = count, .options = options, .size = SIZE_MEDIUM};
    struct argp argp = {.options = p.argp, .parser = on_argument, .doc = p.meaning};
    *options = (struct options){0};
    assert(count + NUM_COMMON <= MOST_OPTIONS);
    make_argp(&p);
    snprintf(p.meaning, sizeof p.meaning,
             "%s\vExit status: %d verified, %d the device's results are wrong, %d an option or an "
             "input file is wrong, "
             "%d OpenCL or memory failed.",
             meaning, EXIT_VERIFIED, EXIT_WRONG, EXIT_USAGE, EXIT_DEVICE);
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &p);
}
