/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/clocks.c: see clocks.h. */
#include "tb/cli/model/clocks.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/model/reading.h"
#include "tb/cli/model/settings.h"

#define NANO 1e-9
#define MHZ  1e6
/* Counts are below 2^53, or they would not be exact. */
#define MOST    9007199254740992.
#define MOST_MV 10000 /* energy.mv_6 */

static const char *const run_words[] = {"config", "sched", "dispatch", NULL};
#define RUN_BUT "sm.clock run." /* settings that may differ between runs */

/* A run ----------------------------------------------------------------------------------------*/

struct run {
    const char *path;
    struct statistics *s;
    unsigned sixths;
    struct clock_period *launch;
    size_t launches;
};

static void free_run(struct run *r)
{
    statistics_free(r->s);
    free(r->launch);
    *r = (struct run){0};
}

/* The numbers of a launch that are read. */
enum number {
    CYCLES,
    INSTRUCTIONS,
    JOULES,
    L1D_ACCESSES,
    L1D_MISSES,
    L1D_MERGED,
    L2_ACCESSES,
    L2_MISSES,
    L2_MERGED,
    SP,
    SFU,
    NUM_NUMBERS
};
static const char *const names[NUM_NUMBERS] = {
    [CYCLES] = "cycles",
    [INSTRUCTIONS] = "warp_instructions",
    [JOULES] = "energy.total",
    [L1D_ACCESSES] = "l1d.accesses",
    [L1D_MISSES] = "l1d.misses",
    [L1D_MERGED] = "l1d.mshr_merged",
    [L2_ACCESSES] = "l2.accesses",
    [L2_MISSES] = "l2.misses",
    [L2_MERGED] = "l2.mshr_merged",
    [SP] = "instructions.sp",
    [SFU] = "instructions.sfu",
};

static int wrong_number(const char *path, size_t number, const char *name, double value,
                        const char *expected)
{
    fprintf(stderr, "%s: kernels.%zu.%s = %.9g: expected %s\n", path, number, name, value,
            expected);
    return -1;
}

/* Statistics do not tell floating-point instructions from others: all of SP and SFU are in their place. Branches have none, as in the unit's
 * socket (tb/units/dvfs.c). */
static void take(const double *n, struct clock_period *out)
{
    *out = (struct clock_period){.instructions = n[INSTRUCTIONS],
                                 .cycles = n[CYCLES],
                                 .joules = n[JOULES] * NANO,
                                 .misses = {[MISSES_L1D] = n[L1D_MISSES] - n[L1D_MERGED],
                                            [MISSES_L2] = n[L2_MISSES] - n[L2_MERGED]},
                                 .events = {[PDVFS_L1D] = n[L1D_ACCESSES],
                                            [PDVFS_L2] = n[L2_ACCESSES],
                                            [PDVFS_L2_MISS] = n[L2_MISSES] - n[L2_MERGED],
                                            [PDVFS_FP] = n[SP] + n[SFU]}};
}

static int read_launch(const char *path, size_t number, const cJSON *kernel,
                       struct clock_period *out)
{
    double n[NUM_NUMBERS];
    for (enum number i = 0; i < NUM_NUMBERS; i++) {
        char name[64];
        snprintf(name, sizeof name, "kernels.%zu.%s", number, names[i]);
        if (!statistics_finite(statistics_within(kernel, names[i]), &n[i]))
            return model_wrong(path, "no number ", name);
        if (!(n[i] >= 0 && n[i] <= MOST))
            return wrong_number(path, number, names[i], n[i], "no less than 0, and below 2^53");
    }
    for (enum number i = CYCLES; i <= JOULES; i++)
        if (!(n[i] > 0) || (i != JOULES && n[i] < 1))
            return wrong_number(path, number, names[i], n[i], "more, of what has run");
    if (n[L1D_MERGED] > n[L1D_MISSES])
        return wrong_number(path, number, names[L1D_MERGED], n[L1D_MERGED], "no more than misses");
    if (n[L2_MERGED] > n[L2_MISSES])
        return wrong_number(path, number, names[L2_MERGED], n[L2_MERGED], "no more than misses");
    take(n, out);
    return 0;
}

static int read_launches(struct run *r)
{
    const cJSON *kernels = statistics_at(r->s, "kernels"), *kernel;
    const int count = cJSON_GetArraySize(kernels);
    if (!cJSON_IsArray(kernels) || !count)
        return model_wrong(r->path, "it launched no kernel", "");
    r->launch = calloc((size_t)count, sizeof *r->launch);
    if (!r->launch)
        return model_wrong(r->path, "no memory", "");
    cJSON_ArrayForEach(kernel, kernels)
    {
        if (read_launch(r->path, r->launches, kernel, &r->launch[r->launches]))
            return -1;
        r->launches++;
    }
    return 0;
}

/* Does the clock stay as it is? */
static int check_clock(const char *path, struct statistics *s)
{
    double software = 0;
    statistics_finite(statistics_within(statistics_at(s, "settings"), "dvfs.software"), &software);
    return software != 0 ? model_wrong(path, "the SMs' clock changes while it runs: expected ",
                                       "dvfs.software = 0")
                         : 0;
}

static int read_run(struct run *r, const char *path)
{
    *r = (struct run){.path = path, .s = statistics_read(path)};
    return !r->s || model_check_alone(path, r->s) || check_clock(path, r->s) ||
                   model_whole(path, r->s, "sm.clock", 1, CLOCK_SIXTHS, &r->sixths) ||
                   read_launches(r)
               ? -1
               : 0;
}

/* Did the second run launch what the first did? Says where not. */
static int same_launches(const struct run *a, const struct run *b)
{
    static const char *const what[] = {"name", "blocks", "launches", "grid", "block"};
    const cJSON *ours = statistics_at(a->s, "kernels")->child,
                *theirs = statistics_at(b->s, "kernels")->child;
    if (a->launches != b->launches) {
        fprintf(stderr, "%s has %zu kernels, %s %zu: expected runs of one program\n", a->path,
                a->launches, b->path, b->launches);
        return 0;
    }
    for (size_t i = 0; i < a->launches; i++, ours = ours->next, theirs = theirs->next)
        for (unsigned w = 0; w < sizeof what / sizeof what[0]; w++) {
            char name[40];
            snprintf(name, sizeof name, "kernels.%zu.%s", i, what[w]);
            if (!model_same(a->path, cJSON_GetObjectItemCaseSensitive(ours, what[w]), b->path,
                            cJSON_GetObjectItemCaseSensitive(theirs, what[w]), name))
                return 0;
        }
    return 1;
}

static int is_like_the_first(const struct run *first, const struct run *r)
{
    return model_same_words(first->path, first->s, r->path, r->s, run_words) &&
           model_same_settings(first->path, first->s, r->path, r->s, RUN_BUT) &&
           same_launches(first, r);
}

/* Periods --------------------------------------------------------------------------------------*/

static void add(struct clock_period *to, const struct clock_period *p)
{
    to->instructions += p->instructions;
    to->cycles += p->cycles;
    to->joules += p->joules;
    for (unsigned m = 0; m < NUM_CLOCK_MISSES; m++)
        to->misses[m] += p->misses[m];
    for (unsigned e = 0; e < NUM_PDVFS_EVENTS; e++)
        to->events[e] += p->events[e];
}

/* Makes periods of launches, in place. */
static void gather(struct model_clocks *c, double period)
{
    const struct clock_period *top = c->of[c->num - 1];
    double cycles = 0;
    size_t ends = 0; /* the period that goes on */
    for (size_t i = 0; i < c->launches; i++) {
        const int begins = cycles == 0;
        cycles += top[i].cycles; /* read before it is overwritten: i is never below `ends` */
        for (unsigned l = 0; l < c->num; l++) {
            const struct clock_period launch = c->of[l][i];
            if (begins)
                c->of[l][ends] = launch;
            else
                add(&c->of[l][ends], &launch);
        }
        c->periods = ends + 1;
        if (cycles >= period) {
            ends++;
            cycles = 0;
        }
    }
}

/* A program ------------------------------------------------------------------------------------*/

/* Puts a run in its place. Returns 0, or -1: there is one with this clock. */
static int add_run(struct model_clocks *c, struct run *r)
{
    unsigned at = c->num;
    for (; at > 0 && c->sixths[at - 1] >= r->sixths; at--)
        if (c->sixths[at - 1] == r->sixths) {
            fprintf(stderr, "%s: sm.clock = %u: another run of the program has it, too\n", r->path,
                    r->sixths);
            return -1;
        }
    memmove(&c->sixths[at + 1], &c->sixths[at], (c->num - at) * sizeof c->sixths[0]);
    memmove(&c->of[at + 1], &c->of[at], (c->num - at) * sizeof c->of[0]);
    c->sixths[at] = r->sixths;
    c->of[at] = r->launch;
    c->num++;
    r->launch = NULL;
    return 0;
}

/* Voltages of the clocks, as the first file has them; they are the same in all. */
static int read_volts(struct model_clocks *c, const struct run *first)
{
    unsigned mv, highest;
    for (unsigned l = 0; l < c->num; l++) {
        char name[24];
        snprintf(name, sizeof name, "energy.mv_%u", c->sixths[l]);
        if (model_whole(first->path, first->s, name, 1, MOST_MV, &mv) ||
            model_whole(first->path, first->s, "energy.mv_6", 1, MOST_MV, &highest))
            return -1;
        c->volts[l] = (double)mv / highest;
    }
    return 0;
}

/* The first file says what the others are to be like. */
static int begin(struct model_clocks *c, const struct run *first)
{
    double mhz;
    const char *name =
        cJSON_GetStringValue(statistics_within(statistics_at(first->s, "kernels"), "0.name"));
    if (model_number(first->path, statistics_at(first->s, "settings"), "gpu.clock_mhz", &mhz))
        return -1;
    if (!(mhz > 0 && mhz <= MOST)) {
        fprintf(stderr, "%s: gpu.clock_mhz = %.9g: expected more than 0\n", first->path, mhz);
        return -1;
    }
    c->hz = mhz * MHZ;
    c->launches = first->launches;
    snprintf(c->name, sizeof c->name, "%s", name ? name : "?");
    return 0;
}

int model_clocks_read(struct model_clocks *c, char *files, double period)
{
    struct run first = {0};
    const char *path, *last = files;
    int failed = 0;
    *c = (struct model_clocks){0};
    while (!failed && (path = strsep(&files, ","))) {
        struct run r;
        last = path;
        failed = read_run(&r, path) || (first.s ? !is_like_the_first(&first, &r) : begin(c, &r)) ||
                 add_run(c, &r);
        if (!failed && !first.s) {
            first = r;
            continue;
        }
        free_run(&r);
    }
    failed = failed || read_volts(c, &first);
    free_run(&first);
    if (failed)
        return -1;
    if (c->num < 2)
        return model_wrong(last,
                           "one run: expected STATS.json,STATS.json,... of runs with different "
                           "sm.clock",
                           "");
    gather(c, period);
    return 0;
}

void model_clocks_free(struct model_clocks *c)
{
    for (unsigned l = 0; l < c->num; l++)
        free(c->of[l]);
    c->num = 0;
}

double model_clocks_differ(const struct model_clocks *c)
{
    double least = INFINITY, most = 0;
    for (unsigned l = 0; l < c->num; l++) {
        double sum = 0;
        for (size_t p = 0; p < c->periods; p++)
            sum += c->of[l][p].instructions;
        least = fmin(least, sum);
        most = fmax(most, sum);
    }
    return most / least - 1;
}
