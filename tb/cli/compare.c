/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/compare.c: `heddle compare`: what policies buy, from statistics files, next to what the
 * unit costs, from the result of synthesis. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/cli.h"
#include "tb/cli/cost.h"
#include "tb/cli/identity.h"
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

static void print_row(struct statistics *s)
{
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
}

static int same_maker(const struct statistics *a, const struct statistics *b)
{
    static const char *const words[] = {"host.version", "host.commit"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *of_a = statistics_text(a, words[i]), *of_b = statistics_text(b, words[i]);
        if (strcmp(of_a ? of_a : "", of_b ? of_b : "") != 0)
            return 0;
    }
    return 1;
}

/* Files of two builds may be compared, and it is said. */
static void print_makers(struct statistics *const *all, char *const *files, int count)
{
    int f = 1;
    while (f < count && same_maker(all[0], all[f]))
        f++;
    if (f >= count)
        return;
    printf("\nNot all made by the same build:\n");
    for (f = 0; f < count; f++)
        identity_of_statistics(all[f], files[f]);
}

static int print_synth(const char *path)
{
    struct notes notes = {0};
    int status = 0;
    if (notes_read(&notes, path)) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return EXIT_USAGE;
    }
    const char *unit = notes_find(&notes, "unit");
    printf("\nWhat %s costs, one instance:\n", unit ? unit : "?");
    for (int r = 0; r < NUM_COST_ROWS; r++) {
        const char *value = notes_find(&notes, cost_rows[r].name),
                   *of = cost_rows[r].of ? notes_find(&notes, cost_rows[r].of) : "";
        if (!value || !of) {
            fprintf(stderr, "%s: '%s' is missing\n", path,
                    of ? cost_rows[r].name : cost_rows[r].of);
            status = EXIT_USAGE;
        }
        printf("  %-18s %10s  %s%s\n", cost_rows[r].what, value ? value : "?", cost_rows[r].unit,
               of ? of : "?");
    }
    notes_free(&notes);
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
    struct statistics *all[c.num_files];
    int count = 0;
    for (int f = 0; f < c.num_files; f++) {
        struct statistics *s = statistics_read(c.files[f]);
        if (!s) {
            status = EXIT_USAGE;
            continue;
        }
        print_row(s);
        c.files[count] = c.files[f];
        all[count++] = s;
    }
    print_makers(all, c.files, count);
    for (int f = 0; f < count; f++) {
        status |= statistics_incomplete(all[f]) ? EXIT_USAGE : 0;
        statistics_free(all[f]);
    }
    if (c.synth)
        status |= print_synth(c.synth);
    return status;
}
