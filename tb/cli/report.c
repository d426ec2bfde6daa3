/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/report.c: `heddle report`: where the cycles went, kernel by kernel: cycles per instruction
 * by class (thesis, chapter 6), issue slots, L1D, crossbar, L2 and DRAM; or single values. */
#include "tb/cli/report.h"

#include <argp.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/cli.h"
#include "tb/cli/engine/engine.h"
#include "tb/cli/gnuplot.h"
#include "tb/cli/identity.h"
#include "tb/cli/option.h"
#include "tb/cli/query.h"
#include "tb/cli/statistics.h"

struct report {
    const char *picture, *without;
    const char **keys; /* of --get */
    int num_keys;
    int engine; /* the epochs of the inference engine, by this choice */
    struct engine_choice epochs;
    char **files;
    int num_files;
    struct report_row *rows;
    int num_rows;
};

enum { SM = 256, KERNEL, MAP, GROUP, WORKLOAD }; /* options without a letter */

static const struct argp_option options[] = {
    {"picture", 'p', "FILE", 0,
     "draw the cycles per instruction as stacked bars into FILE.svg or FILE.png", 0},
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
    if (e->results && !r->picture)
        argp_error(state, "--map goes with --picture");
    if (!e->results && (e->map.group || e->map.workload))
        argp_error(state, "--group and --workload go with --map");
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
    case 'p': r->picture = text; return 0;
    case 'g': r->keys[r->num_keys++] = text; return 0;
    case 'w': r->without = text; return 0;
    case ARGP_KEY_ARGS:
        r->files = state->argv + state->next;
        r->num_files = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "no statistics file"); return EINVAL;
    case ARGP_KEY_END:
        if (!!r->picture + !!r->without + !!r->num_keys > 1)
            argp_error(state, "only one of --picture, --get and --without");
        if ((r->without || r->num_keys) && r->num_files != 1)
            argp_error(state, "--get and --without take one file");
        check_epochs(r, state);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* What is summed over a kernel's launches, and printed as a share of something. */
static const char *const issue_members[] = {"granted",   "held",  "pipeline", "memory",
                                            "execution", "fetch", "block",    "empty"};
enum { L1D_ACCESSES, L1D_INTRA, L1D_INTER, L1D_MISSES, L1D_MERGED, L1D_OCCUPANCY, L1D_FAILURES };
static const char *const l1d_members[] = {"accesses", "hits_intra_warp", "hits_inter_warp",
                                          "misses",   "mshr_merged",     "mshr_occupancy"};
static const char *const failure_members[] = {"merge_full", "no_way", "no_mshr", "queue_full"};
enum {
    REQUEST_FLITS,
    REPLY_FLITS,
    L2_READS,
    L2_HITS,
    L2_OCCUPANCY,
    DRAM_REQUESTS,
    ROW_HITS,
    BUS,
    DRAM_QUEUE,
    L1I_ACCESSES,
    L1I_MISSES
};
static const char *const memory_members[] = {
    "xbar.request_flits",   "xbar.reply_flits", "l2.reads",      "l2.read_hits",
    "l2.mshr_occupancy",    "dram.reads",       "dram.row_hits", "dram.bus_busy",
    "dram.queue_occupancy", "l1i.accesses",     "l1i.misses"};
enum { BLOCKS, WARPS, REGISTERS, SHARED, VALUES, STORES, LOADS };
static const char *const occupancy_members[] = {"occupancy.blocks_per_sm",
                                                "occupancy.warps_per_block",
                                                "occupancy.registers_per_thread",
                                                "occupancy.resources.shared_bytes.block_needs",
                                                "spills.values",
                                                "spills.stores",
                                                "spills.loads"};

static const char *const energy_members[] = {"total", "core", "network", "memory", "leakage"};

#define COUNT(array) (int)(sizeof(array) / sizeof(array)[0])

static double number(struct statistics *s, int kernel, const char *group, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "kernels.%d.%s%s", kernel, group, name);
    return statistics_number(s, path);
}

static void take_occupancy(struct report_row *row, struct statistics *s, int kernel)
{
    char path[128];
    for (int i = 0; i < COUNT(occupancy_members); i++)
        row->occupancy[i] = number(s, kernel, "", occupancy_members[i]);
    snprintf(path, sizeof path, "kernels.%d.occupancy.limited_by", kernel);
    for (int i = 0, count = statistics_count(s, path); i < count; i++) {
        const size_t used = strlen(row->limits);
        snprintf(path, sizeof path, "kernels.%d.occupancy.limited_by.%d", kernel, i);
        snprintf(row->limits + used, sizeof row->limits - used, "%s%s", i ? "," : "",
                 statistics_word(s, path));
    }
}

/* Folded launches are one kernel of the file. */
static double launches_of(struct statistics *s, int kernel)
{
    char path[64];
    snprintf(path, sizeof path, "kernels.%d.launches", kernel);
    return statistics_has(s, path) ? statistics_number(s, path) : 1;
}

static void add_launch(struct report_row *row, struct statistics *s, int kernel)
{
    if (!row->launches)
        take_occupancy(row, s, kernel);
    row->launches += launches_of(s, kernel);
    row->cycles += number(s, kernel, "", "cycles");
    row->instructions += number(s, kernel, "", "warp_instructions");
    row->untimed += number(s, kernel, "", "untimed_instructions");
    for (int i = 0; i < NUM_CPI_CLASSES; i++)
        row->warp_cycles[i] += number(s, kernel, "cpi.warp_cycles.", cpi_name((enum cpi_class)i));
    for (int i = 0; i < COUNT(issue_members); i++)
        row->issue[i] += number(s, kernel, "issue.", issue_members[i]);
    for (int i = 0; i < COUNT(l1d_members); i++)
        row->l1d[i] += number(s, kernel, "l1d.", l1d_members[i]);
    for (int i = 0; i < COUNT(failure_members); i++)
        row->l1d[L1D_FAILURES] +=
            number(s, kernel, "l1d.reservation_failures.", failure_members[i]);
    for (int i = 0; i < COUNT(memory_members); i++)
        row->memory[i] += number(s, kernel, "", memory_members[i]);
    for (int i = 0; i < COUNT(energy_members); i++)
        row->energy[i] += number(s, kernel, "energy.", energy_members[i]);
    row->memory[DRAM_REQUESTS] += number(s, kernel, "dram.", "writes");
}

/* The row of this label, which is made if there is none; NULL: no memory. Rows of earlier files are
 * before `first`. */
static struct report_row *row_of(struct report *r, int first, const char *label)
{
    for (int i = first; i < r->num_rows; i++)
        if (!strcmp(r->rows[i].label, label))
            return &r->rows[i];
    struct report_row *rows = realloc(r->rows, ((size_t)r->num_rows + 1) * sizeof *rows);
    if (!rows)
        return NULL;
    r->rows = rows;
    struct report_row *row = memset(&rows[r->num_rows++], 0, sizeof *row);
    snprintf(row->label, sizeof row->label, "%s", label);
    return row;
}

static int add_file(struct report *r, const char *path)
{
    struct statistics *s = statistics_read(path);
    const int first = r->num_rows;
    if (!s)
        return -1;
    identity_of_statistics(s, path);
    for (int i = 0, count = statistics_count(s, "kernels"); i < count; i++) {
        char member[64], label[96], copy[256];
        snprintf(member, sizeof member, "kernels.%d.name", i);
        snprintf(copy, sizeof copy, "%s", path);
        char *file = basename(copy);
        if (strrchr(file, '.'))
            *strrchr(file, '.') = 0;
        snprintf(label, sizeof label, r->num_files > 1 ? "%.40s %.48s" : "%.40s",
                 statistics_word(s, member), file);
        struct report_row *row = row_of(r, first, label);
        if (!row) {
            fprintf(stderr, "heddle report: no memory\n");
            statistics_free(s);
            return -1;
        }
        row->sms = statistics_number(s, "settings.hw.num_sms");
        row->clock_mhz = statistics_number(s, "settings.gpu.clock_mhz");
        add_launch(row, s, i);
    }
    int status = statistics_incomplete(s) ? -1 : 0;
    statistics_free(s);
    return status;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static double resident(const struct report_row *row)
{
    double sum = 0;
    for (int i = 0; i < NUM_CPI_CLASSES; i++)
        sum += row->warp_cycles[i];
    return sum;
}

static void print_cpi(const struct report *r)
{
    printf("Cycles per instruction of a warp, by class; IPC of an SM = warps / CPI\n%-32s %6s %12s "
           "%12s %7s %6s %8s",
           "kernel", "runs", "cycles", "instr.", "IPC", "warps", "CPI");
    for (int i = 0; i < NUM_CPI_CLASSES; i++)
        printf(" %*s", i ? 10 : 7, cpi_name((enum cpi_class)i));
    printf("\n");
    for (int n = 0; n < r->num_rows; n++) {
        const struct report_row *row = &r->rows[n];
        printf("%-32s %6.0f %12.0f %12.0f %7.3f %6.2f %8.2f", row->label, row->launches,
               row->cycles, row->instructions, ratio(row->instructions, row->cycles * row->sms),
               ratio(resident(row), row->cycles * row->sms),
               ratio(resident(row), row->instructions));
        for (int i = 0; i < NUM_CPI_CLASSES; i++)
            printf(" %*.2f",
                   i ? (int)(strlen(cpi_name((enum cpi_class)i)) > 10
                                 ? strlen(cpi_name((enum cpi_class)i))
                                 : 10)
                     : 7,
                   ratio(row->warp_cycles[i], row->instructions));
        printf("\n");
    }
    for (int n = 0; n < r->num_rows; n++)
        if (r->rows[n].untimed > 0)
            printf("%s: %.0f more instructions took no time (run.timing, run.blocks)\n",
                   r->rows[n].label, r->rows[n].untimed);
}

static void print_issue(const struct report *r)
{
    printf("\nWhat became of the schedulers' cycles, %%\n%-32s", "kernel");
    for (int i = 0; i < COUNT(issue_members); i++)
        printf(" %9s", issue_members[i]);
    printf("\n");
    for (int n = 0; n < r->num_rows; n++) {
        double sum = 0;
        for (int i = 0; i < COUNT(issue_members); i++)
            sum += r->rows[n].issue[i];
        printf("%-32s", r->rows[n].label);
        for (int i = 0; i < COUNT(issue_members); i++)
            printf(" %9.2f", 100 * ratio(r->rows[n].issue[i], sum));
        printf("\n");
    }
}

static void print_memory(const struct report *r)
{
    printf("\nMemory: L1D accesses by what became of them, failures per access, mean occupancies, "
           "crossbar flits per cycle, "
           "L2 read hits, DRAM; fetches that miss L1I\n%-32s %10s %7s %7s %7s %7s %7s %7s %8s %8s "
           "%7s %7s %8s %8s %9s\n",
           "kernel", "L1D acc.", "intra%", "inter%", "miss%", "merged%", "fail/ac", "MSHRs/SM",
           "flits>", "flits<", "L2 hit%", "L2 MSHR", "row hit%", "bus/cyc", "L1I miss%");
    for (int n = 0; n < r->num_rows; n++) {
        const struct report_row *row = &r->rows[n];
        const double *l = row->l1d, *m = row->memory;
        printf(
            "%-32s %10.0f %7.2f %7.2f %7.2f %7.2f %7.2f %8.2f %8.3f %8.3f %7.2f %7.2f %8.2f "
            "%8.3f %9.2f\n",
            row->label, l[L1D_ACCESSES], 100 * ratio(l[L1D_INTRA], l[L1D_ACCESSES]),
            100 * ratio(l[L1D_INTER], l[L1D_ACCESSES]), 100 * ratio(l[L1D_MISSES], l[L1D_ACCESSES]),
            100 * ratio(l[L1D_MERGED], l[L1D_ACCESSES]), ratio(l[L1D_FAILURES], l[L1D_ACCESSES]),
            ratio(l[L1D_OCCUPANCY], row->cycles * row->sms), ratio(m[REQUEST_FLITS], row->cycles),
            ratio(m[REPLY_FLITS], row->cycles), 100 * ratio(m[L2_HITS], m[L2_READS]),
            ratio(m[L2_OCCUPANCY], row->cycles), 100 * ratio(m[ROW_HITS], m[DRAM_REQUESTS]),
            ratio(m[BUS], row->cycles), 100 * ratio(m[L1I_MISSES], m[L1I_ACCESSES]));
    }
}

/* A nanojoule per cycle and a clock of so many MHz are so many milliwatts. */
static void print_energy(const struct report *r)
{
    printf("\nEnergy in microjoules, as [energy] has it\n%-32s %12s %12s %12s %12s %12s %9s %8s\n",
           "kernel", energy_members[0], energy_members[1], energy_members[2], energy_members[3],
           energy_members[4], "nJ/instr.", "W");
    for (int n = 0; n < r->num_rows; n++) {
        const struct report_row *row = &r->rows[n];
        printf("%-32s", row->label);
        for (int i = 0; i < COUNT(energy_members); i++)
            printf(" %12.3f", row->energy[i] / 1e3);
        printf(" %9.3f %8.2f\n", ratio(row->energy[0], row->instructions),
               ratio(row->energy[0], row->cycles) * row->clock_mhz / 1e3);
    }
}

static void print_occupancy(const struct report *r)
{
    printf("\nWhat fits an SM, at the first launch; registers of a thread, bytes of shared memory; "
           "values that registers do not hold\n%-32s %9s %11s %9s %7s %7s %7s %7s  %s\n",
           "kernel", "blocks/SM", "warps/block", "registers", "shared", "spilled", "stores",
           "loads", "limited by");
    for (int n = 0; n < r->num_rows; n++) {
        const double *o = r->rows[n].occupancy;
        printf("%-32s %9.0f %11.0f %9.0f %7.0f %7.0f %7.0f %7.0f  %s\n", r->rows[n].label,
               o[BLOCKS], o[WARPS], o[REGISTERS], o[SHARED], o[VALUES], o[STORES], o[LOADS],
               r->rows[n].limits);
    }
}

/* Returns 0, or -1 with the reason on stderr. */
static int print_report(struct report *r)
{
    if (r->picture && picture_check(r->picture))
        return -1;
    for (int i = 0; i < r->num_files; i++)
        if (add_file(r, r->files[i]))
            return -1;
    printf("\n");
    print_cpi(r);
    print_issue(r);
    print_memory(r);
    print_energy(r);
    print_occupancy(r);
    return r->picture ? report_picture(r->rows, r->num_rows, r->picture) : 0;
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
                       .epochs = {.sm = -1, .map.axes = {"mask.n", "mask.p"}}};
    if (!r.keys) {
        fprintf(stderr, "heddle report: no memory\n");
        return EXIT_USAGE;
    }
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &r);
    const int status = r.num_keys  ? query_get(r.files[0], r.keys, r.num_keys)
                       : r.without ? query_without(r.files[0], r.without)
                       : r.engine  ? engine_report(&r.epochs, r.files[0], r.picture)
                                   : print_report(&r);
    free(r.keys);
    free(r.rows);
    return status ? EXIT_USAGE : 0;
}
