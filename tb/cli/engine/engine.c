/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/engine/engine.c: reads the epochs of a statistics file. */
#include "tb/cli/engine/engine.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/gnuplot.h"
#include "tb/cli/statistics.h"
#include "tb/cli/sweep/memory.h"

#define MOST_WARPS 64   /* of a scheduler: [hw] num_warps */
#define MOST_SMS   4096 /* beyond those of any machine */
#define MOST_VALUE 1e15 /* what a double holds to the unit, and a table in a column */

static const char *const column_names[] = {
#define COLUMN(name, point, unit, meaning) #name,
#include "tb/units/poise.rows"
};

static const char *const end_names[] = {
#define WORD(name, word, meaning) #word,
#include "tb/units/poise.rows"
};

/* The log of one kernel, as it is read. */
struct source {
    const char *path, *kernel;
    int launch, count;
    const cJSON *log;
};

static int wrong(const struct source *s, const char *column, const char *expected)
{
    fprintf(stderr, "%s: kernels.%d.log.poise.%s: expected %s\n", s->path, s->launch, column,
            expected);
    return -1;
}

/* The first value of a column, all of which have as many. Returns 0, or -1 with the reason on stderr. */
static int open_column(const struct source *s, const char *name, const cJSON **first)
{
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(s->log, name);
    char expected[64];
    snprintf(expected, sizeof expected, "an array of %d values", s->count);
    if (!cJSON_IsArray(array) || cJSON_GetArraySize(array) != s->count)
        return wrong(s, name, expected);
    *first = array->child;
    return 0;
}

static int is_from(double value, double least, double most)
{
    return value >= least && value <= most;
}

/* Whether both are none, or a pair: whole numbers, 1 <= p <= n <= most. */
static int is_pair(double n, double p, double most)
{
    return isnan(n) ? isnan(p)
                    : is_from(n, 1, most) && is_from(p, 1, n) && n == floor(n) && p == floor(p);
}

/* What the columns say together must be possible. */
static int check_epoch(const struct source *s, const struct epoch *e)
{
    const double *v = e->value;
    static const enum engine_column always[] = {ENGINE_epoch, ENGINE_first, ENGINE_last,
                                                ENGINE_samples};
    for (unsigned i = 0; i < sizeof always / sizeof always[0]; i++)
        if (isnan(v[always[i]]))
            return wrong(s, column_names[always[i]], "numbers, none missing");
    if (!is_from(v[ENGINE_most], 1, MOST_WARPS))
        return wrong(s, "most", "numbers from 1 to 64");
    if (!is_pair(v[ENGINE_predicted_n], v[ENGINE_predicted_p], v[ENGINE_most]))
        return wrong(s, "predicted_n", "1 <= predicted_p <= predicted_n <= most, or none of both");
    if (!is_pair(v[ENGINE_found_n], v[ENGINE_found_p], v[ENGINE_most]))
        return wrong(s, "found_n", "1 <= found_p <= found_n <= most, or none of both");
    if (!isnan(v[ENGINE_found_n]) != (e->ended == ENGINE_ended_search) ||
        (isnan(v[ENGINE_predicted_n]) && !isnan(v[ENGINE_found_n])))
        return wrong(s, "ended", "search where a pair is predicted and found, and only there");
    return 0;
}

static int take_number(const struct source *s, const char *name, const cJSON *from, double *to)
{
    *to = cJSON_IsNumber(from) ? from->valuedouble : NAN;
    if (cJSON_IsNull(from) || is_from(*to, 0, MOST_VALUE))
        return 0;
    return wrong(s, name, "numbers from 0, or null");
}

static int take_end(const struct source *s, const cJSON *from, enum engine_end *to)
{
    for (unsigned i = 0; i < NUM_ENGINE_ENDS && cJSON_IsString(from); i++)
        if (!strcmp(from->valuestring, end_names[i])) {
            *to = (enum engine_end)i;
            return 0;
        }
    return wrong(s, "ended", "search, compute, idle, epoch or kernel");
}

/* Reads the rows, column by column, behind those there are. */
static int read_rows(struct engine *e, const struct source *s)
{
    struct epoch *to = e->epochs + e->count;
    const cJSON *from;
    double sm;
    for (int i = 0; i < s->count; i++)
        to[i] = (struct epoch){.kernel = s->kernel, .launch = s->launch};
    for (int c = 0; c < NUM_ENGINE_COLUMNS; c++) {
        if (open_column(s, column_names[c], &from))
            return -1;
        for (int i = 0; i < s->count; i++, from = from->next)
            if (take_number(s, column_names[c], from, &to[i].value[c]))
                return -1;
    }
    if (open_column(s, "sm", &from))
        return -1;
    for (int i = 0; i < s->count; i++, from = from->next) {
        if (take_number(s, "sm", from, &sm))
            return -1;
        if (!is_from(sm, 0, MOST_SMS) || sm != floor(sm))
            return wrong(s, "sm", "numbers of SMs");
        to[i].sm = (int)sm;
    }
    if (open_column(s, "ended", &from))
        return -1;
    for (int i = 0; i < s->count; i++, from = from->next)
        if (take_end(s, from, &to[i].ended) || check_epoch(s, &to[i]))
            return -1;
    return 0;
}

static void note_kernel(struct engine *e, const char *name)
{
    for (int i = 0; i < e->num_kernels; i++)
        if (!strcmp(e->kernels[i], name))
            return;
    e->kernels = more(e->kernels, (size_t)(e->num_kernels + 1) * sizeof *e->kernels);
    e->kernels[e->num_kernels++] = name;
}

/* Keeps those of `count` new rows that are of the chosen SM. */
static void choose(struct engine *e, const struct engine_choice *choice, int count)
{
    const struct epoch *rows = e->epochs + e->count;
    for (int i = 0; i < count; i++)
        if (choice->sm < 0 || rows[i].sm == choice->sm) {
            note_kernel(e, rows[i].kernel);
            e->epochs[e->count++] = rows[i];
        }
}

/* Adds the rows of a kernel, if it has a log. Returns whether it has, or -1 with the reason on stderr. */
static int read_kernel(struct engine *e, const struct engine_choice *choice, struct source *s,
                       const cJSON *kernel)
{
    s->kernel = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(kernel, "name"));
    s->log =
        cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(kernel, "log"), "poise");
    if (!s->log)
        return 0;
    const cJSON *left_out = cJSON_GetObjectItemCaseSensitive(s->log, "left_out");
    double missing;
    if (!s->kernel)
        return wrong(s, "epoch", "a kernel with a name");
    if (take_number(s, "left_out", left_out, &missing) || isnan(missing))
        return isnan(missing) ? wrong(s, "left_out", "a number") : -1;
    if (choice->kernel && strcmp(s->kernel, choice->kernel) != 0)
        return 1;
    s->count = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(s->log, "epoch"));
    if (s->count > 0)
        e->epochs = more(e->epochs, (size_t)(e->count + s->count) * sizeof *e->epochs);
    if (read_rows(e, s))
        return -1;
    choose(e, choice, s->count);
    e->left_out += missing;
    return 1;
}

static int read_kernels(struct engine *e, const struct engine_choice *choice, const char *path)
{
    const cJSON *kernels = cJSON_GetObjectItemCaseSensitive(e->file, "kernels");
    struct source s = {.path = path};
    int logs = 0;
    if (!cJSON_IsArray(kernels)) {
        fprintf(stderr, "%s: 'kernels' is missing\n", path);
        return -1;
    }
    for (const cJSON *k = kernels->child; k; k = k->next, s.launch++) {
        const int has = read_kernel(e, choice, &s, k);
        if (has < 0)
            return -1;
        logs += has;
    }
    if (e->count)
        return 0;
    if (!logs)
        fprintf(
            stderr,
            "%s: no kernel has a log of the inference engine (kernels.0.log.poise); expected the "
            "statistics of a run with --sched=poise\n",
            path);
    else
        fprintf(stderr, "%s: %d kernels have a log of the inference engine, none an epoch%s%s%s\n",
                path, logs, choice->kernel ? " of kernel " : "",
                choice->kernel ? choice->kernel : "", choice->sm < 0 ? "" : " on this SM");
    return -1;
}

int engine_read(struct engine *e, const struct engine_choice *choice, const char *path)
{
    *e = (struct engine){0};
    char *text = read_text_file(path);
    if (!text)
        return -1;
    e->file = cJSON_Parse(text);
    free(text);
    if (!e->file) {
        fprintf(stderr, "%s: not JSON\n", path);
        return -1;
    }
    statistics_say_incomplete(e->file, path);
    return read_kernels(e, choice, path);
}

void engine_free(struct engine *e)
{
    cJSON_Delete(e->file);
    free(e->kernels);
    free(e->epochs);
    *e = (struct engine){0};
}

int engine_report(const struct engine_choice *choice, const char *path, const char *picture)
{
    struct engine e;
    if (picture && picture_check(picture))
        return -1;
    int status = engine_read(&e, choice, path);
    if (!status && picture)
        status = engine_picture(&e, choice, picture);
    if (!status)
        engine_table(&e);
    engine_free(&e);
    return status;
}
