/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/profile.c: `heddle profile`: the loads of each kernel: divergence (DAWS, figure 5), hits by
 * who brought the line (DAWS, figures 3 and 4), misses by cause, reuse distances (Poise, figure 4).
 */
#include "tb/cli/profile.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/cli.h"
#include "tb/cli/gnuplot.h"
#include "tb/cli/statistics.h"

struct options {
    const char *picture, *file;
};

static const struct argp_option options[] = {
    {"picture", 'p', "FILE", 0,
     "draw what became of each load's accesses as stacked bars into FILE.svg, .png or .pdf", 0},
    {0},
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'p': o->picture = text; return 0;
    case ARGP_KEY_ARG:
        if (o->file)
            argp_error(state, "more than one file");
        o->file = text;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "no profile"); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Reads the counters of a load or a kernel, whose members' names begin with `path`. */
static void read_counters(struct profile_row *row, struct statistics *s, const char *path)
{
    char name[128];
#define COUNTER(counter, meaning)                                                                  \
    snprintf(name, sizeof name, "%s." #counter, path);                                             \
    row->counter = statistics_number(s, name);
#include "tb/profile/profile.def"
}

static const char *word_of(struct statistics *s, const char *path, const char *member)
{
    char name[128];
    snprintf(name, sizeof name, "%s.%s", path, member);
    return statistics_word(s, name);
}

static double number_of(struct statistics *s, const char *path, const char *member)
{
    char name[128];
    snprintf(name, sizeof name, "%s.%s", path, member);
    return statistics_number(s, name);
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/* A load's place, or "all". */
static void print_name(const struct profile_row *r, int is_load)
{
    if (is_load)
        printf("%5.0f %-40.40s %4.0f", r->pc, r->text, r->loop);
    else
        printf("%5s %-40s %4s", "", "all", "");
}

static void print_divergence(const struct profile_row *rows, int count)
{
    printf("%5s %-40s %4s %10s %6s %6s %6s %6s %6s %10s\n", "pc", "load", "loop", "executions",
           "lanes", "lines", "conv%", "some%", "div%", "accesses");
    for (int i = 0; i <= count; i++) {
        const struct profile_row *r = &rows[i];
        print_name(r, i < count);
        printf(" %10.0f %6.2f %6.2f %6.1f %6.1f %6.1f %10.0f\n", r->executions,
               ratio(r->lanes, r->executions), ratio(r->accesses, r->executions),
               100 * ratio(r->converged, r->executions),
               100 * ratio(r->executions - r->converged - r->diverged, r->executions),
               100 * ratio(r->diverged, r->executions), r->accesses);
    }
}

static void print_accesses(const struct profile_row *rows, int count)
{
    printf("%5s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s %9s %9s\n", "pc", "warp%", "block%",
           "other%", "merg%", "cold%", "capac%", "confl%", "writ%", "byp%", "this%", "last%",
           "lines", "of a warp", "accesses");
    for (int i = 0; i <= count; i++) {
        const struct profile_row *r = &rows[i];
        const double shares[] = {r->hits_intra_warp, r->hits_inter_warp, r->hits_inter_block,
                                 r->misses_merged,   r->misses_cold,     r->misses_capacity,
                                 r->misses_conflict, r->misses_written,  r->misses_bypassed};
        const double trips = r->this_trip + r->last_trip + r->earlier;
        const double reuses = r->reuses_intra_warp + r->reuses_inter_warp + r->reuses_inter_block;
        if (i < count)
            printf("%5.0f", r->pc);
        else
            printf("%5s", "all");
        for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
            printf(" %6.2f", 100 * ratio(shares[k], r->accesses));
        printf(" %6.1f %6.1f %6.1f %9.1f %9.1f\n", 100 * ratio(r->this_trip, trips),
               100 * ratio(r->last_trip, trips),
               ratio(r->lines_intra_warp + r->lines_inter_warp + r->lines_inter_block, reuses),
               ratio(r->lines_intra_warp, r->reuses_intra_warp),
               ratio(r->accesses_intra_warp, r->reuses_intra_warp));
    }
}

/* Of a kernel's accesses, by who shares their lines. */
static void print_sharing(struct statistics *s, const char *path)
{
    static const struct {
        const char *member, *what;
    } kinds[] = {
        {"sharing.unshared", "one warp"},
        {"sharing.intra_block", "one block"},
        {"sharing.inter_block", "several blocks"},
        {"sharing.both", "several blocks and warps"},
    };
    const double all = number_of(s, path, "accesses");
    printf("accesses to lines of");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        printf("%s %s %.2f%%", i ? "," : "", kinds[i].what,
               100 * ratio(number_of(s, path, kinds[i].member), all));
    printf("\n");
}

/* Has the kernel had the machine for itself in any launch? */
static int was_alone(struct statistics *s, const char *path)
{
    char name[128];
    snprintf(name, sizeof name, "%s.launches_beside", path);
    return !statistics_has(s, name) || statistics_number(s, name) < number_of(s, path, "launches");
}

/* Why L2 missed while the kernel ran alone, or several ran. */
static void print_l2(struct statistics *s, const char *path)
{
    static const char *const kinds[][2] = {{"l2.misses_cold", "first touch"},
                                           {"l2.misses_replaced", "replaced since"},
                                           {"l2.misses_sectors", "sectors missing"},
                                           {"l2.misses_merged", "on its way"}};
    const double all = number_of(s, path, "l2.misses");
    printf("misses of L2: %.0f;", all);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        printf("%s %s %.2f%%", i ? "," : "", kinds[i][1],
               100 * ratio(number_of(s, path, kinds[i][0]), all));
    printf("\n");
}

/* Locality that its warps have lost. */
static void print_lost(struct statistics *s, const char *path)
{
    static const char *const kinds[][2] = {{"lost.in_loops", "in loops"},
                                           {"lost.evicted_withheld", "evicted after withholding"},
                                           {"lost.missed_withheld", "missed after withholding"}};
    const double all = number_of(s, path, "lost.locality");
    printf("locality lost: %.0f misses;", all);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        printf("%s %s %.2f%%", i ? "," : "", kinds[i][1],
               100 * ratio(number_of(s, path, kinds[i][0]), all));
    printf("\n");
}

/* How many lanes its warps' instructions have. */
static void print_activity(struct statistics *s, const char *path)
{
    static const char *const counts[] = {
#define COUNTER(name, meaning) "activity." #name,
#include "tb/profile/activity.def"
    };
    const int num = sizeof counts / sizeof *counts;
    double all = 0;
    for (int i = 0; i < num; i++)
        all += number_of(s, path, counts[i]);
    printf("instructions: %.0f; up to 4 lanes active", all);
    for (int i = 0; i < num; i++) {
        printf(i ? ", %d" : "", 4 * (i + 1));
        printf(" %.2f%%", 100 * ratio(number_of(s, path, counts[i]), all));
    }
    printf("\n");
}

/* Reads the loads of a kernel, in program order. Returns them, or NULL with the reason on stderr. */
static struct profile_row *read_loads(struct statistics *s, int kernel, int *count)
{
    char path[64];
    snprintf(path, sizeof path, "kernels.%d.loads", kernel);
    *count = statistics_count(s, path);
    struct profile_row *rows = calloc((size_t)*count + 1, sizeof *rows);
    if (!rows)
        fprintf(stderr, "heddle profile: no memory\n");
    for (int i = 0; i < *count && rows; i++) {
        struct profile_row *row = &rows[i];
        snprintf(path, sizeof path, "kernels.%d.name", kernel);
        snprintf(row->kernel, sizeof row->kernel, "%.40s", statistics_word(s, path));
        snprintf(path, sizeof path, "kernels.%d.loads.%d", kernel, i);
        snprintf(row->text, sizeof row->text, "%.40s", word_of(s, path, "text"));
        row->pc = number_of(s, path, "pc");
        row->loop = number_of(s, path, "loop");
        read_counters(row, s, path);
    }
    return rows;
}

/* Prints a kernel, and adds its loads to those of the picture. Returns 0 or -1. */
static int print_kernel(struct statistics *s, int kernel, struct profile_row **all, int *num_all)
{
    char path[64];
    int count;
    struct profile_row *rows = read_loads(s, kernel, &count);
    struct profile_row *more =
        rows ? realloc(*all, ((size_t)(*num_all + count) + 1) * sizeof *more) : NULL;
    if (more) {
        *all = more;
        memcpy(&more[*num_all], rows, (size_t)count * sizeof *rows);
        *num_all += count;
        snprintf(path, sizeof path, "kernels.%d", kernel);
        read_counters(&rows[count], s, path);
        printf("%s%s, %.0f launch%s\n", kernel ? "\n" : "", word_of(s, path, "name"),
               number_of(s, path, "launches"), number_of(s, path, "launches") == 1 ? "" : "es");
        print_divergence(rows, count);
        print_accesses(rows, count);
        print_sharing(s, path);
        if (was_alone(s, path))
            print_l2(s, path);
        print_lost(s, path);
        print_activity(s, path);
    }
    free(rows);
    return more ? 0 : -1;
}

static int print_profile(const struct options *o)
{
    if (o->picture && picture_check(o->picture))
        return -1;
    struct statistics *s = statistics_read(o->file);
    struct profile_row *all = NULL;
    int num_all = 0, status = s ? 0 : -1;
    for (int i = 0, count = s ? statistics_count(s, "kernels") : 0; i < count && !status; i++)
        status = print_kernel(s, i, &all, &num_all);
    if (s && statistics_has(s, "together.l2.misses")) {
        printf("\nwhile kernels ran beside each other\n");
        print_l2(s, "together");
    }
    if (s && statistics_incomplete(s))
        status = -1;
    if (!status && o->picture)
        status = profile_picture(all, num_all, o->picture);
    statistics_free(s);
    free(all);
    return status;
}

int command_profile(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse_option,
        "FILE.json",
        "Shows what each load of a program does, kernel by kernel, from the file that `heddle run "
        "--profile` wrote.\v"
        "The first table: lanes and lines are means over executions. An execution is converged "
        "with one line or two, diverged with one line for each lane, else somewhat diverged.\n\n"
        "The second, in per cent of the accesses to L1D. Hits by who brought the line: the same "
        "warp, another one of its block, another block. Misses by cause: the line was on its way, "
        "cold, capacity, conflict, written by a store, not brought by a load that bypassed L1D. "
        "Then, of the hits in loops on lines that the warp has brought: those that it touched last "
        "in this trip of the loop, in the one before. Then what the SM does between two touches of "
        "a line, means: other lines touched; the same where both touches are one warp's, and all "
        "accesses in between.\n\n"
        "The last line: accesses to lines that one warp accesses in the launch, several warps of "
        "one block, one warp each of several blocks, or both, on whatever SM (PAVER, figure 2).",
        0,
        0,
        0};
    struct options o = {0};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    return print_profile(&o) ? EXIT_USAGE : 0;
}
