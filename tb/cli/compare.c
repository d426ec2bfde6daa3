/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/compare.c: `heddle compare`: what policies buy, from statistics files, next to what the
 * unit costs, from the result of synthesis. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/cli.h"
#include "tb/cli/statistics.h"

struct compare {
    const char *synth;
    char **files;
    int num_files;
};

static const struct argp_option options[] = {
    {"synth", 's', "RESULT.txt", 0, "what the unit costs: build/<config>/synth/<unit>/result.txt",
     0},
    {0},
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct compare *c = state->input;
    switch (key) {
    case 's': c->synth = text; return 0;
    case ARGP_KEY_ARGS:
        c->files = state->argv + state->next;
        c->num_files = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "no statistics file"); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int print_row(const char *path)
{
    struct statistics *s = statistics_read(path);
    if (!s)
        return EXIT_USAGE;
    /* The unit that grants. */
    const int two_kernels = !strcmp(statistics_word(s, "sched"), "icmt");
    double accesses = statistics_number(s, "totals.l1d.accesses"),
           hits = statistics_number(s, "totals.l1d.hits");
    printf(
        "%-14s %-9s %12.0f %12.0f %8.3f %8.2f %% %14.0f %10.0f\n", statistics_word(s, "sched"),
        statistics_word(s, "backend"), statistics_number(s, "totals.cycles"),
        statistics_number(s, "totals.warp_instructions"), statistics_number(s, "totals.ipc"),
        accesses ? 100 * hits / accesses : 0,
        statistics_number(s, two_kernels ? "lockstep.icmt.cycles" : "lockstep.wia.cycles"),
        statistics_number(s, two_kernels ? "lockstep.icmt.mismatches" : "lockstep.wia.mismatches"));
    int status = statistics_incomplete(s) ? EXIT_USAGE : 0;
    statistics_free(s);
    return status;
}

/* The value of `key` in lines of key=value; copied to `value`. */
static int find_value(const char *text, const char *key, char value[64])
{
    size_t length = strlen(key);
    for (const char *line = text; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
        if (!strncmp(line, key, length) && line[length] == '=') {
            snprintf(value, 64, "%.*s", (int)strcspn(line + length + 1, "\n"), line + length + 1);
            return 0;
        }
    snprintf(value, 64, "?");
    return -1;
}

static int print_synth(const char *path)
{
    static const struct {
        const char *key, *what, *unit, *of; /* of: whose value stands behind the unit */
    } rows[] = {
        {"state_bits", "STATE bits", "of the contract", NULL},
        {"flip_flops", "flip-flops", "found by synthesis", NULL},
        {"area_um2", "area", "um2, ", "library"},
        {"ge", "gate equivalents", "", "nand2"},
        {"critical_path_ns", "critical path", "ns, before layout, no wire load", NULL},
    };
    char *text = read_text_file(path), unit[64], value[64], of[64] = "";
    int status = text ? 0 : EXIT_USAGE;
    if (text) {
        find_value(text, "unit", unit);
        printf("\nWhat %s costs, one instance:\n", unit);
        for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
            const char *missing = find_value(text, rows[r].key, value) ? rows[r].key : NULL;
            if (rows[r].of && find_value(text, rows[r].of, of))
                missing = rows[r].of;
            if (missing) {
                fprintf(stderr, "%s: '%s' is missing\n", path, missing);
                status = EXIT_USAGE;
            }
            printf("  %-18s %10s  %s%s\n", rows[r].what, value, rows[r].unit, rows[r].of ? of : "");
        }
    }
    free(text);
    return status;
}

int command_compare(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse_option,
        "STATISTICS.json...",
        "Prints statistics files side by side: what a policy buys, and what its unit costs.",
        0,
        0,
        0};
    struct compare c = {0};
    int status = 0;
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &c);
    printf("%-14s %-9s %12s %12s %8s %10s %14s %10s\n", "policy", "backend", "cycles",
           "warp instr.", "IPC", "L1D hits", "lockstep cyc.", "mismatches");
    for (int f = 0; f < c.num_files; f++)
        status |= print_row(c.files[f]);
    if (c.synth)
        status |= print_synth(c.synth);
    return status;
}
