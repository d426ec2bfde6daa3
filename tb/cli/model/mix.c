/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/mix.c: `heddle model mix`: one kernel alone, whose IPC is known; or two on an SM, for each division of its blocks. */
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/cli.h"
#include "tb/cli/gnuplot.h"
#include "tb/cli/model/model.h"
#include "tb/file.h"

struct options {
    const char *files[MIX_KERNELS], *csv, *picture;
    const char *measured[MODEL_BLOCKS * MODEL_BLOCKS];
    unsigned count, num_measured, blocks[MIX_KERNELS]; /* blocks: 0: all divisions that fit */
    int printed;
    enum mix_goal goal;
};

enum { CSV = 256 }; /* has no letter */

static const struct argp_option options[] = {
    {"blocks", 'b', "A,B", 0,
     "only this division: blocks of the first and of the second kernel on an SM (default: all that "
     "fit)",
     0},
    {"csv", CSV, "FILE", 0,
     "of two kernels: write what the model says of each division into FILE, beside what the "
     "machine did",
     0},
    {"goal", 'g', "ratio|utilisation", 0,
     "what makes a division the best: the sum of IPC over IPC alone (9.18, default), or lanes that "
     "are busy (9.1)",
     0},
    {"measured", 'm', "STATS.json", 0,
     "the two kernels at once on the machine (heddle replay FILE FILE, --set kmu.blocks_0=A, "
     "kmu.blocks_1=B): what it did with this division stands beside what the model says; may be "
     "given again",
     0},
    {"picture", 'o', "FILE", 0,
     "draw into FILE.svg, .png or .pdf: IPC by number of warps, or throughput by division", 0},
    {"printed", 'p', NULL, 0, "the equations as the thesis prints them, not as they are meant", 0},
    {0},
};

static const char doc[] =
    "How fast a kernel runs alone, and two that share an SM, from the statistics and the profile "
    "of "
    "each alone (thesis, chapter 9).\vFILES are STATS.json,PROFILE.json of `heddle run "
    "--stats=STATS.json --profile=PROFILE.json`, with one kernel in them; else "
    "STATS.json,PROFILE.json,KERNEL. IPC is in warp instructions per cycle, of an SM.";

/* Numbers of blocks, with a comma between. */
static void parse_blocks(struct argp_state *state, const char *text, unsigned blocks[MIX_KERNELS])
{
    char end;
    if (sscanf(text, "%4u,%4u%c", &blocks[0], &blocks[1], &end) != 2 || text[0] == '-' ||
        strstr(text, ",-") || !blocks[0] || !blocks[1])
        argp_error(state, "--blocks=%s: expected two numbers from 1, such as 2,3", text);
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case CSV: o->csv = text; return 0;
    case 'b': parse_blocks(state, text, o->blocks); return 0;
    case 'g':
        o->goal = strcmp(text, "utilisation") ? MIX_RATIO : MIX_UTILISATION;
        if (o->goal == MIX_RATIO && strcmp(text, "ratio") != 0)
            argp_error(state, "--goal=%s: expected ratio or utilisation", text);
        return 0;
    case 'm':
        if (o->num_measured == sizeof o->measured / sizeof o->measured[0])
            argp_error(state, "--measured=%s: too many", text);
        o->measured[o->num_measured++] = text;
        return 0;
    case 'o': o->picture = text; return 0;
    case 'p': o->printed = 1; return 0;
    case ARGP_KEY_ARG:
        if (o->count == MIX_KERNELS)
            argp_error(state, "%s: expected one or two kernels", text);
        o->files[o->count++] = text;
        return 0;
    case ARGP_KEY_END:
        if (!o->count)
            argp_error(state, "no files; expected STATS.json,PROFILE.json of one or two kernels");
        if (o->count < MIX_KERNELS && (o->blocks[0] || o->num_measured || o->csv))
            argp_error(state, "--%s: expected two kernels",
                       o->num_measured ? "measured"
                       : o->csv        ? "csv"
                                       : "blocks");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static struct mix_options options_of(const struct options *o, const struct model_kernel *k)
{
    struct mix_options mix = o->printed ? MIX_PRINTED : (struct mix_options){0};
    mix.dispatch = k->schedulers; /* each issues one instruction per cycle */
    return mix;
}

#define FULL_TEXT 32
/* "SP, MEM"; "issue": the schedulers issue in every cycle; "-": nothing is full. */
static const char *full_pipes(const struct mix_point *at, char text[FULL_TEXT])
{
    static const char *const names[NUM_MIX_PIPES] = {
        [MIX_SP] = "SP", [MIX_SFU] = "SFU", [MIX_MEM] = "MEM"};
    size_t used = 0;
    strcpy(text, "-");
    for (int p = 0; p < NUM_MIX_PIPES; p++)
        if (at->bound >> p & 1)
            used +=
                (size_t)snprintf(text + used, FULL_TEXT - used, "%s%s", used ? ", " : "", names[p]);
    if (at->capped)
        snprintf(text + used, FULL_TEXT - used, "%sissue", used ? ", " : "");
    return text;
}

/* Says why the model has no answer. Returns -1. */
static int no_answer(const char *what, enum mix_error error)
{
    fprintf(stderr, "heddle model mix: %s: %s\n", what, mix_reason(error));
    return -1;
}

/* The share of its warps that an SM has on average, with some to spare for the end of the kernel. */
#define MOST 0.7

static double most_warps(const struct model_kernel *k)
{
    return k->blocks * k->profile.warps_per_block;
}

/* Each kernel as it ran, alone: the model should say what the machine did. */
static int print_alone(const struct model_kernel *k, unsigned count, const struct mix_options *mix)
{
    printf("%-20s %12s %6s %11s %11s %8s  %s\n", "alone", "warps", "active", "IPC, model",
           "IPC, machine", "error", "full");
    for (unsigned i = 0; i < count; i++) {
        struct mix_solution s;
        char full[FULL_TEXT];
        const enum mix_error error = mix_alone(&k[i].profile, k[i].warps, mix, &s);
        if (error)
            return no_answer(k[i].name, error);
        printf("%-20.20s %5.1f of %3.0f %6.1f %11.3f %12.3f %+6.1f %%  %s\n", k[i].name, k[i].warps,
               most_warps(&k[i]), s.at[0].active[0], s.at[0].ipc[0], k[i].ipc,
               per_cent_more(s.at[0].ipc[0], k[i].ipc), full_pipes(&s.at[0], full));
        for (unsigned j = 1; j < s.num; j++)
            printf("%-20s %12s %6.1f %11.3f %12s %8s  another equilibrium\n", "", "",
                   s.at[j].active[0], s.at[j].ipc[0], "", "");
    }
    for (unsigned i = 0; i < count; i++)
        if (k[i].warps < MOST * most_warps(&k[i]))
            printf(
                "note: %s ran with %.0f %% of the warps that an SM holds: more would be faster\n",
                k[i].name, 100 * k[i].warps / most_warps(&k[i]));
    return 0;
}

/* (9.18) */
static double over_alone(const struct model_kernel k[MIX_KERNELS], const double ipc[MIX_KERNELS])
{
    return mix_ratio(ipc, (double[]){k[0].ipc, k[1].ipc});
}

/* Solves a division. */
static struct mixed solve(const struct model_kernel k[MIX_KERNELS], unsigned a, unsigned b,
                          const struct mix_options *mix)
{
    const struct mix_profile *const profiles[] = {&k[0].profile, &k[1].profile};
    const double warps[] = {a * profiles[0]->warps_per_block, b * profiles[1]->warps_per_block};
    struct mixed m = {.blocks = {a, b}};
    struct mix_solution s;
    if (mix_pair(profiles, warps, mix, &s) == MIX_OK) {
        m.at = s.at[0];
        m.ratio = over_alone(k, m.at.ipc);
        m.lanes = mix_system_utilisation(profiles, m.at.ipc, mix_lanes);
    }
    return m;
}

/* All divisions that fit, or the one that is asked for. Returns how many; 0 with the reason on stderr. */
static size_t divide(const struct options *o, const struct model_kernel k[MIX_KERNELS],
                     const struct mix_options *mix, struct mixed **divisions)
{
    const unsigned most = k[0].blocks * k[1].blocks;
    struct mixed *all = *divisions = calloc(most + 1, sizeof *all);
    size_t count = 0;
    if (!all) {
        fprintf(stderr, "heddle model mix: no memory\n");
        return 0;
    }
    if (o->blocks[0]) {
        all[0] = solve(k, o->blocks[0], o->blocks[1], mix);
        count = (size_t)model_fits(k, o->blocks, MIX_KERNELS);
    } else
        for (unsigned a = 1; a <= k[0].blocks; a++)
            for (unsigned b = 1; b <= k[1].blocks; b++)
                if (model_fits(k, (unsigned[]){a, b}, MIX_KERNELS))
                    all[count++] = solve(k, a, b, mix);
    if (!count)
        fprintf(stderr, "heddle model mix: an SM has no room for %s of %s and %s\n",
                o->blocks[0] ? "so many blocks" : "a block each", k[0].name, k[1].name);
    return count;
}

#define SAME 1e-9 /* divisions whose values differ by less, relative, are worth the same */

static double value_of(const struct mixed *m, enum mix_goal goal)
{
    return goal == MIX_RATIO ? m->ratio : m->lanes;
}

/* The number of the division that is worth most, of all or of those that were measured; `count`: there is none. */
static size_t best_of(const struct mixed *m, size_t count, enum mix_goal goal, int measured)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++) {
        if (!(m[i].ratio > 0) || (measured && !(m[i].ratio_measured > 0)))
            continue;
        if (best == count || value_of(&m[i], goal) > value_of(&m[best], goal) * (1 + SAME))
            best = i;
    }
    return best;
}

static void print_division(const struct mixed *m, int measured, const char *remark)
{
    char full[FULL_TEXT];
    printf("%5u %5u ", m->blocks[0], m->blocks[1]);
    if (!(m->ratio > 0))
        printf("%5s %5s %8s %8s %8s %6s ", "-", "-", "-", "-", "-", "-");
    else
        printf("%5.1f %5.1f %8.3f %8.3f %8.3f %6.1f ", m->at.active[0], m->at.active[1],
               m->at.ipc[0], m->at.ipc[1], m->ratio, m->lanes);
    if (measured && m->ratio_measured > 0)
        printf("%8.3f %8.3f %8.3f ", m->measured[0], m->measured[1], m->ratio_measured);
    else if (measured)
        printf("%8s %8s %8s ", "", "", "");
    printf(" %s%s\n", m->ratio > 0 ? full_pipes(&m->at, full) : "no equilibrium", remark);
}

static void print_divisions(const struct mixed *m, size_t count, size_t best, int measured)
{
    printf("\n%11s %11s %17s %8s %6s%s\n", "blocks", "active", "IPC, model", "over", "busy",
           measured ? "      IPC, machine     over" : "");
    printf("%5s %5s %5s %5s %8s %8s %8s %6s%s  %s\n", "A", "B", "A", "B", "A", "B", "alone",
           "lanes", measured ? "        A        B    alone" : "", "full");
    for (size_t i = 0; i < count; i++)
        print_division(&m[i], measured, i == best && count > 1 ? "  best" : "");
}

/* What was measured, over all divisions of which that is known: how far off the model is, and what its choice costs. */
static void print_errors(const struct mixed *m, size_t count, enum mix_goal goal)
{
    const size_t chosen = best_of(m, count, goal, 1);
    size_t most = chosen, num = 0;
    double error = 0;
    if (chosen == count)
        return;
    for (size_t i = 0; i < count; i++) {
        if (!(m[i].ratio_measured > 0) || !(m[i].ratio > 0))
            continue;
        error += fabs(per_cent_more(m[i].ratio, m[i].ratio_measured));
        num++;
        most = m[i].ratio_measured > m[most].ratio_measured ? i : most;
    }
    printf("\nof %zu measured: mean error of the throughput %.1f %%; ", num, error / (double)num);
    printf("the model chooses %u,%u, where the machine does %.3f; its best is %.3f at %u,%u\n",
           m[chosen].blocks[0], m[chosen].blocks[1], m[chosen].ratio_measured,
           m[most].ratio_measured, m[most].blocks[0], m[most].blocks[1]);
}

/* Puts what was measured to its division. Returns 0, or -1 with the reason on stderr. */
static int add_measured(const struct options *o, const struct model_kernel k[MIX_KERNELS],
                        struct mixed *divisions, size_t count)
{
    for (unsigned i = 0; i < o->num_measured; i++) {
        unsigned blocks[MIX_KERNELS];
        double ipc[MIX_KERNELS];
        size_t at = 0;
        if (mix_read_measured(o->measured[i], k, blocks, ipc))
            return -1;
        while (at < count && memcmp(divisions[at].blocks, blocks, sizeof blocks))
            at++;
        if (at == count || divisions[at].ratio_measured > 0) {
            fprintf(stderr, "%s: divided %u,%u: %s\n", o->measured[i], blocks[0], blocks[1],
                    at == count ? "this is none of the divisions that are looked at"
                                : "another file has been so, too");
            return -1;
        }
        memcpy(divisions[at].measured, ipc, sizeof ipc);
        divisions[at].ratio_measured = over_alone(k, ipc);
    }
    return 0;
}

static int run_pair(const struct options *o, const struct model_kernel k[MIX_KERNELS],
                    const struct mix_options *mix)
{
    struct mixed *divisions = NULL;
    const size_t count = divide(o, k, mix, &divisions);
    int failed = !count || add_measured(o, k, divisions, count);
    if (!failed) {
        printf("\nA: %s, B: %s\n", k[0].name, k[1].name);
        print_divisions(divisions, count, best_of(divisions, count, o->goal, 0),
                        o->num_measured > 0);
        print_errors(divisions, count, o->goal);
    }
    if (!failed && o->csv)
        failed = mix_csv(o->csv, k, divisions, count);
    if (!failed && o->picture)
        failed = mix_picture_pair(o->picture, k, divisions, count);
    free(divisions);
    return failed;
}

int model_mix(int argc, char **argv)
{
    struct options o = {.goal = MIX_RATIO};
    struct model_kernel k[MIX_KERNELS];
    const struct argp parser = {
        options, parse_option, "STATS.json,PROFILE.json[,KERNEL]...", doc, NULL, NULL, NULL};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&parser, argc, argv, 0, NULL, &o);
    if ((o.picture && picture_check(o.picture)) || (o.csv && file_check(o.csv, stderr)))
        return EXIT_USAGE;
    for (unsigned i = 0; i < o.count; i++)
        if (model_kernel_read(&k[i], o.files[i]))
            return EXIT_USAGE;
    if (o.count == MIX_KERNELS && memcmp(k[0].has, k[1].has, sizeof k[0].has) != 0) {
        fprintf(stderr, "heddle model mix: %s and %s ran on different machines\n", k[0].name,
                k[1].name);
        return EXIT_USAGE;
    }
    const struct mix_options mix = options_of(&o, k);
    if (print_alone(k, o.count, &mix))
        return 1;
    if (o.count == MIX_KERNELS)
        return run_pair(&o, k, &mix) ? 1 : 0;
    return o.picture && mix_picture_alone(o.picture, k, &mix) ? 1 : 0;
}
