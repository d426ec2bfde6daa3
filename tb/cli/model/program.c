/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/program.c: see program.h. */
#include "tb/cli/model/program.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tb/cli/model/reading.h"
#include "tb/cli/model/settings.h"

/* Settings --------------------------------------------------------------------------------------*/

static const char *const machine_words[] = {"config", "sched", NULL};
static const char *const run_words[] = {"config", "sched", "dispatch", NULL};
#define MOST_SMS    128   /* kmu.sms_0 */
#define MOST_BLOCKS 64    /* kmu.blocks_0 */
#define MOST        65536 /* sets */
enum {
    INTER = 2,
    KEPT = 3
}; /* kmu.partition: each on SMs of its own, both beside each other; always */

/* Of the SMs the first kernel's, if kernels keep to their own. */
static int read_division(const char *path, const struct statistics *s, unsigned *partition,
                         unsigned *first, unsigned *all)
{
    if (model_whole(path, s, "hw.num_sms", 1, MOST_SMS, all) ||
        model_whole(path, s, "kmu.partition", 0, KEPT, partition) ||
        model_whole(path, s, "kmu.sms_0", 0, MOST_SMS, first))
        return -1;
    *first = *first ? *first : *all / 2;
    *first = *first < *all ? *first : *all;
    return 0;
}

/* Runs ------------------------------------------------------------------------------------------*/

/* Misses per access, of counts. Returns 0, or -1. */
static int read_misses(const char *path, const struct model_cache *cache, const cJSON *counts,
                       double *accesses, double *mpa)
{
    double misses, merged;
    if (model_number(path, counts, "accesses", accesses) ||
        model_number(path, counts, "misses", &misses) ||
        model_number(path, counts, "mshr_merged", &merged))
        return -1;
    if (!(*accesses > 0) || !(merged >= 0 && misses >= merged && misses <= *accesses)) {
        fprintf(stderr,
                "%s: %.9g accesses of %s, %.9g misses, %.9g of them merged: expected accesses, and "
                "no more of what is a part\n",
                path, *accesses, cache->title, misses, merged);
        return -1;
    }
    *mpa = (misses - merged) / *accesses;
    return 0;
}

static int read_spi(const char *path, double cycles, double instructions, double *spi)
{
    if (!(cycles > 0 && instructions > 0))
        return model_wrong(path, "it issued nothing", "");
    *spi = cycles / instructions;
    return 0;
}

static int read_run(const char *path, const struct model_cache *cache, struct statistics *s,
                    struct camp_run *run, unsigned *ways)
{
    const cJSON *totals = statistics_at(s, "totals");
    double accesses, cycles, instructions;
    if (model_check_alone(path, s) || model_whole(path, s, cache->ways, 1, CAMP_WAYS, ways) ||
        model_number(path, totals, "cycles", &cycles) ||
        model_number(path, totals, "warp_instructions", &instructions) ||
        read_spi(path, cycles, instructions, &run->spi) ||
        read_misses(path, cache, statistics_within(totals, cache->name), &accesses, &run->mpa))
        return -1;
    run->api = accesses / instructions;
    return 0;
}

/* Puts a run in its place. Returns 0, or -1: there is one with so many ways. */
static int add_run(struct model_program *p, const char *path, const struct camp_run *run,
                   unsigned ways)
{
    unsigned at = p->num;
    for (; at > 0 && p->ways[at - 1] >= ways; at--)
        if (p->ways[at - 1] == ways) {
            fprintf(stderr, "%s: %s = %u: another run of the program has so many, too\n", path,
                    p->cache->ways, ways);
            return -1;
        }
    memmove(&p->ways[at + 1], &p->ways[at], (p->num - at) * sizeof p->ways[0]);
    memmove(&p->runs[at + 1], &p->runs[at], (p->num - at) * sizeof p->runs[0]);
    memmove(&p->paths[at + 1], &p->paths[at], (p->num - at) * sizeof p->paths[0]);
    p->ways[at] = ways;
    p->paths[at] = path;
    p->runs[at] = *run;
    p->num++;
    return 0;
}

static const char *first_kernel(struct statistics *s)
{
    return statistics_count(s, "kernels") ? statistics_word(s, "kernels.0.name") : "?";
}

/* The first file says what the others are to be like. */
static int begin(struct model_program *p, const char *path, struct statistics *s)
{
    unsigned partition, first, all;
    const char *dispatch = statistics_text(s, "dispatch");
    if (read_division(path, s, &partition, &first, &all) ||
        (!p->cache->apart && model_whole(path, s, "sm.max_blocks", 1, MOST_BLOCKS, &p->blocks)))
        return -1;
    p->path = path;
    p->sms = partition == KEPT && dispatch && !strcmp(dispatch, "kmu") ? first : all;
    snprintf(p->name, sizeof p->name, "%s", first_kernel(s));
    return 0;
}

static int is_like_the_first(const struct model_program *p, const char *path, struct statistics *s)
{
    char name[sizeof p->name];
    snprintf(name, sizeof name, "%s", first_kernel(s));
    if (strcmp(name, p->name) != 0) {
        fprintf(stderr, "%s begins with kernel %s, %s with %s: expected runs of one program\n",
                p->path, p->name, path, name);
        return 0;
    }
    return model_same_words(p->path, p->settings, path, s, run_words) &&
           model_same_settings(p->path, p->settings, path, s, p->cache->run_but);
}

static int read_file(struct model_program *p, const char *path)
{
    struct camp_run run = {0};
    unsigned ways;
    struct statistics *s = statistics_read(path);
    int failed = !s || read_run(path, p->cache, s, &run, &ways);
    if (!failed && !p->settings) {
        failed = begin(p, path, s);
        p->settings = failed ? NULL : s;
    } else if (!failed)
        failed = !is_like_the_first(p, path, s);
    failed = failed || add_run(p, path, &run, ways);
    if (s != p->settings)
        statistics_free(s);
    return failed ? -1 : 0;
}

int model_program_read(struct model_program *p, const struct model_cache *cache, char *files)
{
    const char *path, *last = files;
    *p = (struct model_program){.cache = cache};
    while ((path = strsep(&files, ","))) {
        if (read_file(p, path))
            return -1;
        last = path;
    }
    if (p->num > 1)
        return 0;
    return model_wrong(last,
                       "one run: expected STATS.json,STATS.json,... of runs alone with different ",
                       cache->ways);
}

void model_program_free(struct model_program *p)
{
    if (p->settings)
        statistics_free(p->settings);
    p->settings = NULL;
}

int model_programs_match(const struct model_program *a, const struct model_program *b)
{
    return model_same_words(a->path, a->settings, b->path, b->settings, machine_words) &&
           model_same_settings(a->path, a->settings, b->path, b->settings, a->cache->machine_but);
}

/* Takes the mean SPI for all MPA, which varies by no more than `noise`. Returns whether it does so. */
static int make_level(struct model_program *p, double noise)
{
    double least = 1, most = 0, spi = 0;
    for (unsigned i = 0; i < p->num; i++) {
        least = fmin(least, p->runs[i].mpa);
        most = fmax(most, p->runs[i].mpa);
        spi += p->runs[i].spi / p->num;
    }
    if (most - least > noise)
        return 0;
    p->camp.alpha = 0;
    p->camp.beta = spi;
    return 1;
}

static void say_why_not(const struct model_program *p, enum camp_error error, enum fit_error why)
{
    fprintf(stderr, "%s: %s: %s%s%s\n", p->path, p->name, camp_reason(error),
            error == CAMP_FIT ? ": " : "", error == CAMP_FIT ? fit_reason(why) : "");
    if (error == CAMP_NOT_MONOTONIC)
        fprintf(stderr,
                "where more ways bring more misses, --noise=X says how many are let pass\n");
    if (error == CAMP_BAD_PROGRAM)
        fprintf(
            stderr,
            "SPI = %.4f MPA %c %.4f is not above 0 for each MPA from 0 to 1; --noise=X says how "
            "little of MPA tells nothing\n",
            p->camp.alpha, p->camp.beta < 0 ? '-' : '+', fabs(p->camp.beta));
}

int model_program_profile(struct model_program *p, unsigned ways, double noise)
{
    enum fit_error why;
    for (unsigned i = 0; i < p->num; i++)
        p->runs[i].stress_ways = ways - p->ways[i];
    enum camp_error error = camp_profile(p->runs, p->num, ways, noise, &p->camp, &p->fit, &why);
    if (!error || error == CAMP_FIT || error == CAMP_BAD_PROGRAM) /* it has a curve */
        p->level = make_level(p, noise);
    if (p->level)
        error = camp_check(&p->camp);
    if (error)
        say_why_not(p, error, why);
    return error ? -1 : 0;
}

double model_program_alone(const struct model_program *p, unsigned ways)
{
    for (unsigned i = 0; i < p->num; i++)
        if (p->ways[i] == ways)
            return p->runs[i].spi;
    return camp_spi(&p->camp, ways);
}

/* Beside each other -----------------------------------------------------------------------------*/

static int read_sms(const char *path, const struct model_cache *cache, struct statistics *s,
                    struct model_measured *m)
{
    unsigned partition, first, all;
    if (read_division(path, s, &partition, &first, &all) ||
        (!cache->apart && (model_whole(path, s, "kmu.blocks_0", 0, MOST_BLOCKS, &m->blocks[0]) ||
                           model_whole(path, s, "kmu.blocks_1", 0, MOST_BLOCKS, &m->blocks[1]))))
        return -1;
    m->sms[0] = cache->apart ? first : all;
    m->sms[1] = cache->apart ? all - first : all;
    if ((partition >= INTER) == cache->apart)
        return 0;
    fprintf(stderr, "%s: kmu.partition = %u: both programs were on %s; expected %s\n", path,
            partition, cache->apart ? "the same SMs" : "SMs of their own, each with its own L1D",
            cache->apart ? "2 or 3" : "0 or 1");
    return -1;
}

static int read_each(const char *path, const struct model_cache *cache, struct statistics *s,
                     double lines, struct model_measured *m)
{
    const cJSON *period = statistics_at(s, "together.0");
    double cycles;
    if (!period)
        return model_wrong(path, "of no two programs at once: expected heddle replay FILE FILE",
                           "");
    if (statistics_at(s, "together.1"))
        return model_wrong(path, "its programs ran beside each other several times", "");
    if (model_number(path, period, "cycles", &cycles))
        return -1;
    for (unsigned i = 0; i < MODEL_PAIR; i++) {
        char name[48];
        double instructions, accesses, held;
        snprintf(name, sizeof name, "each.%u.warp_instructions", i);
        if (model_number(path, period, name, &instructions) ||
            read_spi(path, cycles, instructions, &m->spi[i]))
            return -1;
        snprintf(name, sizeof name, "%s.%u", cache->spaces, i);
        if (!statistics_within(period, name))
            return model_wrong(path, "of an older version: no together.0.", name);
        if (read_misses(path, cache, statistics_within(period, name), &accesses, &m->mpa[i]) ||
            model_number(path, statistics_within(period, name), "line_cycles", &held))
            return -1;
        m->ways[i] = held / cycles / lines;
    }
    return 0;
}

int model_measured_read(const char *path, const struct model_program pair[MODEL_PAIR],
                        unsigned ways, struct model_measured *m)
{
    const struct model_cache *cache = pair[0].cache;
    struct statistics *s = statistics_read(path);
    unsigned its, sets, caches;
    int failed = !s || model_whole(path, s, cache->ways, 1, CAMP_WAYS, &its) ||
                 model_whole(path, s, cache->sets, 1, MOST, &sets) ||
                 model_whole(path, s, cache->each, 1, MOST, &caches) ||
                 read_sms(path, cache, s, m) ||
                 read_each(path, cache, s, (double)sets * caches, m) ||
                 model_names_are(s, path, pair[0].name, pair[1].name) ||
                 !model_same_words(pair[0].path, pair[0].settings, path, s, machine_words) ||
                 !model_same_settings(pair[0].path, pair[0].settings, path, s, cache->machine_but);
    if (!failed && its != ways) {
        fprintf(stderr, "%s: %s = %u: expected %u, as the model has it\n", path, cache->ways, its,
                ways);
        failed = 1;
    }
    statistics_free(s);
    return failed ? -1 : 0;
}
