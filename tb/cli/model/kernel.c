/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/kernel.c: see kernel.h. */
#include "tb/cli/model/kernel.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/model/reading.h"
#include "tb/cli/rows.h"

/* Reads from two files, and says what is wrong with either. */
struct source {
    const char *path;
    struct statistics *file;
    const cJSON *kernel; /* its first member of that name */
};

static int wrong(const struct source *s, const char *what, const char *name)
{
    return model_wrong(s->path, what, name);
}

static int number(const struct source *s, const cJSON *from, const char *name, double *value)
{
    return model_number(s->path, from, name, value);
}

/* The first kernel of that name or, where none is given, the only one. */
static int find(struct source *s, const char *name)
{
    const cJSON *kernels = statistics_at(s->file, "kernels"), *k;
    const char *only = NULL;
    cJSON_ArrayForEach(k, kernels)
    {
        const char *its = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(k, "name"));
        if (!its)
            return wrong(s, "a kernel without a name", "");
        if (name && strcmp(its, name) != 0)
            continue;
        if (!name && only && strcmp(its, only) != 0) {
            fprintf(stderr, "%s: several kernels, '%s' and '%s' among them; expected ", s->path,
                    only, its);
            fprintf(stderr, "STATS.json,PROFILE.json,KERNEL\n");
            return -1;
        }
        only = its;
        s->kernel = s->kernel ? s->kernel : k;
    }
    return s->kernel ? 0 : wrong(s, name ? "no kernel " : "no kernels", name ? name : "");
}

/* Counts of the distances become shares; *sum: what they add up to. Returns 0, or -1. */
static int read_distances(const struct source *s, const cJSON *pipe, double hist[MIX_BEYOND + 1],
                          double *sum)
{
    const cJSON *distances = cJSON_GetObjectItemCaseSensitive(pipe, "distances"), *count;
    int num = 0;
    if (!cJSON_IsArray(distances) || cJSON_GetArraySize(distances) > MIX_BEYOND + 1)
        return wrong(s, "no array, or too long a one: distances of pipe ", pipe->string);
    *sum = 0;
    cJSON_ArrayForEach(count, distances)
    {
        if (statistics_finite(count, &hist[num]))
            *sum += hist[num++];
        else
            return wrong(s, "not only numbers: distances of pipe ", pipe->string);
    }
    for (int i = 0; i<num && * sum> 0; i++)
        hist[i] /= *sum;
    return 0;
}

static int read_pipes(const struct source *s, struct mix_profile *profile)
{
    static const char *const names[NUM_MIX_PIPES] = {
        [MIX_SP] = "sp", [MIX_SFU] = "sfu", [MIX_MEM] = "mem"};
    double all = 0;
    for (int p = 0; p < NUM_MIX_PIPES; p++) {
        char path[32];
        snprintf(path, sizeof path, "dependence.%s", names[p]);
        const cJSON *pipe = statistics_within(s->kernel, path);
        struct mix_pipe_profile *to = &profile->pipe[p];
        if (!pipe)
            return wrong(s, "of an older version: no ", path);
        if (number(s, pipe, "interval", &to->interval) || number(s, pipe, "wait", &to->latency) ||
            read_distances(s, pipe, to->hist, &to->share))
            return -1;
        all += to->share;
    }
    if (!(all > 0))
        return wrong(s, "no instructions of any warp: dependence", "");
    for (int p = 0; p < NUM_MIX_PIPES; p++)
        profile->pipe[p].share /= all;
    return 0;
}

static int read_occupancy(const struct source *s, struct model_kernel *k)
{
    static const char *const names[NUM_MODEL_RESOURCES] = {
#define RESOURCE(name) [MODEL_##name] = #name,
        MODEL_RESOURCES(RESOURCE)
#undef RESOURCE
    };
    double blocks;
    if (number(s, s->kernel, "occupancy.warps_per_block", &k->profile.warps_per_block) ||
        number(s, s->kernel, "occupancy.blocks_per_sm", &blocks))
        return -1;
    if (!(blocks >= 1 && blocks <= MODEL_BLOCKS))
        return wrong(s, "occupancy.blocks_per_sm is not from 1 to 64", "");
    k->blocks = (unsigned)blocks;
    for (int i = 0; i < NUM_MODEL_RESOURCES; i++) {
        char path[64];
        snprintf(path, sizeof path, "occupancy.resources.%s.block_needs", names[i]);
        if (number(s, s->kernel, path, &k->needs[i]))
            return -1;
        snprintf(path, sizeof path, "occupancy.resources.%s.sm_has", names[i]);
        if (number(s, s->kernel, path, &k->has[i]))
            return -1;
    }
    return 0;
}

/* What its warps did: how many there were, how fast, and which share of them neither waited for data or a pipeline nor could issue. */
static int read_rates(const struct source *s, struct model_kernel *k)
{
    struct report_rows rows = {0};
    const struct report_row *row = NULL;
    int failed = rows_add(&rows, s->file, NULL);
    for (int i = 0; i < rows.count && !failed; i++)
        if (!strcmp(rows.rows[i].name, k->name))
            row = &rows.rows[i];
    const double cycles = row ? row->cycles * row->sms : 0, resident = row ? row_resident(row) : 0;
    if (!failed && row && (row->broken || row->lacks & (ROW_CYCLES | ROW_CPI | ROW_MACHINE)))
        failed = wrong(s, "not the statistics of a whole run: ", k->name);
    else if (!failed && !(cycles > 0 && resident > 0 && row->instructions > 0))
        failed = wrong(s, "it issued nothing: ", k->name);
    if (!failed) {
        k->sms = row->sms;
        k->warps = resident / cycles;
        k->ipc = row->instructions / cycles;
        k->profile.control = (row->warp_cycles[CPI_ibuf] + row->warp_cycles[CPI_control] +
                              row->warp_cycles[CPI_barrier] + row->warp_cycles[CPI_done]) /
                             resident;
    }
    rows_free(&rows);
    return failed;
}

/* Of the same machine, as far as both say. */
static int same_machine(const struct source *stats, const struct source *profile)
{
    const char *a = statistics_text(stats->file, "config"),
               *b = statistics_text(profile->file, "config");
    if (!a || !b || !strcmp(a, b))
        return 1;
    fprintf(stderr, "%s is of %s, %s of %s\n", stats->path, a, profile->path, b);
    return 0;
}

static int read_kernel(struct model_kernel *k, struct source *stats, struct source *profile,
                       const char *name)
{
    if (!(stats->file = statistics_read(stats->path)) ||
        !(profile->file = statistics_read(profile->path)) || !same_machine(stats, profile) ||
        find(stats, name))
        return -1;
    snprintf(k->name, sizeof k->name, "%s",
             cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(stats->kernel, "name")));
    const cJSON *settings = statistics_at(stats->file, "settings");
    if (find(profile, k->name) || number(stats, settings, "hw.num_schedulers", &k->schedulers) ||
        read_rates(stats, k) || read_occupancy(stats, k) || read_pipes(profile, &k->profile))
        return -1;
    const enum mix_error error = mix_check(&k->profile);
    if (!error)
        return 0;
    fprintf(stderr, "%s, %s: kernel %s: %s\n", stats->path, profile->path, k->name,
            mix_reason(error));
    return -1;
}

int model_kernel_read(struct model_kernel *k, const char *files)
{
    struct source stats = {0}, profile = {0};
    char *text = strdup(files), *rest = text;
    *k = (struct model_kernel){0};
    if (!text)
        return -1;
    stats.path = strsep(&rest, ",");
    profile.path = strsep(&rest, ",");
    int failed = -1;
    if (!profile.path || !*profile.path || !*stats.path)
        fprintf(stderr, "%s: expected STATS.json,PROFILE.json of a kernel that ran alone\n", files);
    else
        failed = read_kernel(k, &stats, &profile, rest);
    statistics_free(stats.file);
    statistics_free(profile.file);
    free(text);
    return failed;
}

int model_fits(const struct model_kernel *kernels, const unsigned *blocks, unsigned count)
{
    for (int i = 0; i < NUM_MODEL_RESOURCES; i++) {
        double needs = 0;
        for (unsigned k = 0; k < count; k++)
            needs += blocks[k] * kernels[k].needs[i];
        if (needs > kernels[0].has[i])
            return 0;
    }
    return 1;
}
