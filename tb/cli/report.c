/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/report.c: `heddle report`: where the cycles went, kernel by kernel: cycles per instruction
 * by class (thesis, chapter 6), issue slots, L1D, crossbar, L2 and DRAM; or single values. */
#include "tb/cli/report.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/cli.h"
#include "tb/cli/engine/engine.h"
#include "tb/cli/gnuplot.h"
#include "tb/cli/html/page.h"
#include "tb/cli/identity.h"
#include "tb/cli/option.h"
#include "tb/cli/query.h"
#include "tb/cli/statistics.h"

struct report {
    const char *html, *without;
    const char **pictures; /* of --picture: more than one with --html alone */
    int num_pictures;
    const char **keys; /* of --get */
    int num_keys;
    int engine; /* the epochs of the inference engine, by this choice */
    struct engine_choice epochs;
    char **files;
    int num_files;
    struct report_rows rows;
};

enum { HTML = 256, SM, KERNEL, MAP, GROUP, WORKLOAD }; /* options without a letter */

static const struct argp_option options[] = {
    {"picture", 'p', "FILE", 0,
     "draw the cycles per instruction as stacked bars into FILE.svg, .png or .pdf", 0},
    {"html", HTML, "FILE.html", 0,
     "write one file as a page for a browser, which needs nothing else; --picture then names a "
     ".svg "
     "or .png file that the page is to hold, and may be given several times",
     0},
    {"get", 'g', "KEY", 0,
     "print only the value of a member of one file: l1d.hits, kernels.0.name, lockstep.wia.cycles; "
     "of an object, lines of names and values; may be given several times",
     0},
    {"without", 'w', "MEMBER,...", 0,
     "print only one file, without these members of its outermost object", 0},
    {"engine", 'e', 0, 0,
     "print only what Poise's inference engine did in each epoch of one file; --picture draws the "
     "pairs "
     "(N, p) that were predicted and found",
     1},
    {"sm", SM, "NUMBER", 0, "with --engine: only epochs of this SM", 1},
    {"kernel", KERNEL, "NAME", 0, "with --engine: only epochs of this kernel", 1},
    {"map", MAP, "RESULTS.sqlite", 0,
     "with --engine and --picture: draw the map that `heddle map` reads below them", 1},
    {"group", GROUP, "NAME", 0, "with --map: as of heddle map", 1},
    {"workload", WORKLOAD, "NAME", 0, "with --map: as of heddle map", 1},
    {0},
};

/* What goes with --engine, and what does not. */
static void check_epochs(const struct report *r, struct argp_state *state)
{
    const struct engine_choice *e = &r->epochs;
    if (r->engine && (r->num_files != 1 || r->num_keys || r->without))
        argp_error(state, "--engine takes one file, and neither --get nor --without");
    if (!r->engine && (e->sm >= 0 || e->kernel || e->results))
        argp_error(state, "--sm, --kernel and --map go with --engine");
    if (e->results && !r->num_pictures)
        argp_error(state, "--map goes with --picture");
    if (!e->results && (e->map.group || e->map.workload))
        argp_error(state, "--group and --workload go with --map");
}

static void check_html(const struct report *r, struct argp_state *state)
{
    if (!r->html && r->num_pictures > 1)
        argp_error(state, "more than one --picture goes with --html");
    if (r->html && r->num_files != 1)
        argp_error(state, "--html takes one file; `heddle compare` shows several side by side");
    if (r->html && (r->without || r->num_keys || r->engine))
        argp_error(state, "only one of --html, --get, --without and --engine");
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct report *r = state->input;
    switch (key) {
    case 'e': r->engine = 1; return 0;
    case SM: r->epochs.sm = option_number(state, "sm", text, 0, 9999); return 0;
    case KERNEL: r->epochs.kernel = text; return 0;
    case MAP: r->epochs.results = text; return 0;
    case GROUP: r->epochs.map.group = text; return 0;
    case WORKLOAD: r->epochs.map.workload = text; return 0;
    case HTML: r->html = text; return 0;
    case 'p': r->pictures[r->num_pictures++] = text; return 0;
    case 'g': r->keys[r->num_keys++] = text; return 0;
    case 'w': r->without = text; return 0;
    case ARGP_KEY_ARGS:
        r->files = state->argv + state->next;
        r->num_files = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "no statistics file"); return EINVAL;
    case ARGP_KEY_END:
        check_html(r, state);
        if (!!r->num_pictures + !!r->without + !!r->num_keys > 1)
            argp_error(state, "only one of --picture, --get and --without");
        if ((r->without || r->num_keys) && r->num_files != 1)
            argp_error(state, "--get and --without take one file");
        check_epochs(r, state);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* The name of a file without folder and ending. */
static void stem_of(const char *path, char stem[49])
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
               *dot = strrchr(name, '.');
    snprintf(stem, 49, "%.*s", dot ? (int)(dot - name) : (int)strlen(name), name);
}

static int add_file(struct report *r, const char *path)
{
    struct statistics *s = statistics_read(path);
    char stem[49];
    if (!s)
        return -1;
    identity_of_statistics(s, path);
    stem_of(path, stem);
    int status = rows_add(&r->rows, s, r->num_files > 1 ? stem : NULL);
    if (!status && *r->rows.missing) {
        statistics_lack(s, r->rows.missing);
        status = -1;
    }
    statistics_free(s);
    return status;
}

/* A table's heads, behind the kernel's name, and a row's figures. */
static void print_heads(enum figure_group group)
{
    for (const struct figure *f = NULL; (f = figure_next(group, f));)
        printf(" %*s", f->width, f->head);
}

static void print_figures(enum figure_group group, const struct report_row *row)
{
    printf("%-32s", row->label);
    for (const struct figure *f = NULL; (f = figure_next(group, f));)
        printf(" %*.*f", f->width, f->digits, f->of(row));
}

static void print_table(const struct report *r, enum figure_group group, const char *title)
{
    printf("\n%s\n%-32s", title, "kernel");
    print_heads(group);
    for (int n = 0; n < r->rows.count; n++) {
        printf("\n");
        print_figures(group, &r->rows.rows[n]);
    }
    printf("\n");
}

/* The column of a class is as wide as its name. */
static int class_width(int class)
{
    const int length = (int)strlen(cpi_name((enum cpi_class) class)), least = class ? 10 : 7;
    return length > least ? length : least;
}

static void print_cpi(const struct report *r)
{
    printf("Cycles per instruction of a warp, by class; IPC of an SM = warps / CPI\n%-32s",
           "kernel");
    print_heads(FIGURE_cycles);
    for (int i = 0; i < NUM_CPI_CLASSES; i++)
        printf(" %*s", class_width(i), cpi_name((enum cpi_class)i));
    printf("\n");
    for (int n = 0; n < r->rows.count; n++) {
        const struct report_row *row = &r->rows.rows[n];
        print_figures(FIGURE_cycles, row);
        for (int i = 0; i < NUM_CPI_CLASSES; i++)
            printf(" %*.2f", class_width(i), row_ratio(row->warp_cycles[i], row->instructions));
        printf("\n");
    }
    for (int n = 0; n < r->rows.count; n++)
        if (r->rows.rows[n].untimed > 0)
            printf("%s: %.0f more instructions took no time (run.timing, run.blocks)\n",
                   r->rows.rows[n].label, r->rows.rows[n].untimed);
}

static void print_issue(const struct report *r)
{
    printf("\nWhat became of the schedulers' cycles, %%\n%-32s", "kernel");
    for (int i = 0; i < NUM_ROW_OUTCOMES; i++)
        printf(" %9s", row_outcome_name((enum row_outcome)i));
    printf("\n");
    for (int n = 0; n < r->rows.count; n++) {
        const struct report_row *row = &r->rows.rows[n];
        double sum = 0;
        for (int i = 0; i < NUM_ROW_OUTCOMES; i++)
            sum += row->issue[i];
        printf("%-32s", row->label);
        for (int i = 0; i < NUM_ROW_OUTCOMES; i++)
            printf(" %9.2f", 100 * row_ratio(row->issue[i], sum));
        printf("\n");
    }
}

static void print_occupancy(const struct report *r)
{
    printf("\nWhat fits an SM, at the first launch; registers of a thread, bytes of shared memory; "
           "values that registers do not hold\n%-32s",
           "kernel");
    print_heads(FIGURE_occupancy);
    printf("  limited by\n");
    for (int n = 0; n < r->rows.count; n++) {
        print_figures(FIGURE_occupancy, &r->rows.rows[n]);
        printf("  %s\n", r->rows.rows[n].limits);
    }
}

/* Returns 0, or -1 with the reason on stderr. */
static int print_report(struct report *r)
{
    const char *picture = r->num_pictures ? r->pictures[0] : NULL;
    if (picture && picture_check(picture))
        return -1;
    for (int i = 0; i < r->num_files; i++)
        if (add_file(r, r->files[i]))
            return -1;
    printf("\n");
    print_cpi(r);
    print_issue(r);
    print_table(r, FIGURE_memory,
                "Memory: L1D accesses by what became of them, failures per access, mean "
                "occupancies, crossbar flits per cycle, L2 read hits, DRAM; fetches that miss L1I");
    print_table(r, FIGURE_energy, "Energy in microjoules, as [energy] has it");
    print_occupancy(r);
    return picture ? report_picture(r->rows.rows, r->rows.count, picture) : 0;
}

int command_report(int argc, char **argv)
{
    static const struct argp argp = {options,
                                     parse_option,
                                     "FILE.json...",
                                     "Shows where a run's cycles went, from the files that `heddle "
                                     "run --stats` wrote: kernel by "
                                     "kernel, launches of one kernel summed.",
                                     0,
                                     0,
                                     0};
    struct report r = {.keys = calloc((size_t)argc, sizeof *r.keys),
                       .pictures = calloc((size_t)argc + 1, sizeof *r.pictures),
                       .epochs = {.sm = -1, .map.axes = {"mask.n", "mask.p"}}};
    if (!r.keys || !r.pictures) {
        fprintf(stderr, "heddle report: no memory\n");
        return EXIT_USAGE;
    }
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &r);
    const int status =
        r.num_keys  ? query_get(r.files[0], r.keys, r.num_keys)
        : r.without ? query_without(r.files[0], r.without)
        : r.engine  ? engine_report(&r.epochs, r.files[0], r.pictures[0])
        : r.html ? page_report(r.html, r.files[0], r.pictures, r.num_pictures, build_path(6, "."))
                 : print_report(&r);
    free(r.keys);
    free(r.pictures);
    rows_free(&r.rows);
    return status ? EXIT_USAGE : 0;
}
