/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/poise_told.c: see poise_told.h. */
#include "tb/units/poise_told.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "tb/text_file.h"

#define MOST_BYTES (UINT64_C(1) << 28) /* of a file */

enum end {
#define WORD(name, word, meaning) ended_##word,
#include "tb/units/poise.rows"
    NUM_ENDS
};

static const char *const end_names[NUM_ENDS] = {
#define WORD(name, word, meaning) #word,
#include "tb/units/poise.rows"
};

struct launch {
    const char *kernel;
    struct told_pair *pairs; /* all SMs' */
    struct told_pairs sms[NUM_SMS];
};

struct told {
    char *path;
    cJSON *root; /* which `kernel` of the launches points into */
    struct launch *launches;
    size_t count;
};

/* Where the reader is. */
struct source {
    const char *path;
    size_t launch;
    const cJSON *log;
    int rows;
    FILE *err;
};

static int wrong(const struct source *s, const char *column, const char *expected)
{
    fprintf(s->err, "%s: kernels.%zu.log.poise.%s: expected %s\n", s->path, s->launch, column,
            expected);
    return -1;
}

/* The first value of a column, or NULL with the reason on err. */
static const cJSON *column(const struct source *s, const char *name)
{
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(s->log, name);
    if (cJSON_IsArray(array) && cJSON_GetArraySize(array) == s->rows)
        return array->child;
    wrong(s, name, "an array with a value for each epoch");
    return NULL;
}

/* A whole number from `least` to `most`; else -1. */
static int64_t number(const cJSON *item, double least, double most)
{
    const double value = cJSON_IsNumber(item) ? item->valuedouble : -1;
    return value >= least && value <= most && value == (double)(int64_t)value ? (int64_t)value : -1;
}

static enum end end_of(const cJSON *item)
{
    unsigned i = 0;
    while (i < NUM_ENDS && !(cJSON_IsString(item) && !strcmp(item->valuestring, end_names[i])))
        i++;
    return (enum end)i;
}

/* Takes the rows, which stand by SM, and each SM's by epoch. Returns 0, or -1 with the reason on err. */
static int take_rows(const struct source *s, struct launch *l)
{
    const cJSON *sm = column(s, "sm"), *epoch = sm ? column(s, "epoch") : NULL,
                *n = epoch ? column(s, "found_n") : NULL, *p = n ? column(s, "found_p") : NULL,
                *ended = p ? column(s, "ended") : NULL;
    if (!ended)
        return -1;
    int64_t at = 0;
    for (int i = 0; i < s->rows; i++) {
        const int64_t is = number(sm, (double)at, NUM_SMS - 1);
        if (is < 0)
            return wrong(s, "sm", "SMs of this machine, in order");
        struct told_pairs *to = &l->sms[at = is];
        struct told_pair pair = {0, 0};
        if (number(epoch, (double)to->count, (double)to->count) < 0)
            return wrong(s, "epoch", "the epochs of each SM, in order from 0");
        switch (end_of(ended)) {
        case ended_search: {
            const int64_t found_n = number(n, 1, NUM_WARPS),
                          found_p = number(p, 1, (double)found_n);
            if (found_n < 0 || found_p < 0)
                return wrong(s, "found_n",
                             "1 <= found_p <= found_n <= hw.num_warps of this machine "
                             "where a search has ended");
            pair = (struct told_pair){(uint64_t)found_n, (uint64_t)found_p};
            break;
        }
        case ended_epoch:
        case ended_kernel: pair = to->count ? l->pairs[i - 1] : pair; break;
        case ended_compute:
        case ended_idle: break;
        default: return wrong(s, "ended", "search, compute, idle, epoch or kernel");
        }
        l->pairs[i] = pair;
        to->pairs = to->count++ ? to->pairs : &l->pairs[i];
        sm = sm->next, epoch = epoch->next, n = n->next, p = p->next, ended = ended->next;
    }
    return 0;
}

/* Reads a launch. Returns whether it has a log, or -1 with the reason on err. */
static int take_launch(struct source *s, const cJSON *kernel, struct launch *l)
{
    const cJSON *logs = cJSON_GetObjectItemCaseSensitive(kernel, "log");
    l->kernel = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(kernel, "name"));
    s->log = cJSON_GetObjectItemCaseSensitive(logs, "poise");
    if (!l->kernel) {
        fprintf(s->err, "%s: kernels.%zu: expected a name\n", s->path, s->launch);
        return -1;
    }
    if (!s->log)
        return 0;
    s->rows = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(s->log, "sm"));
    if (!s->rows)
        return 1;
    l->pairs = calloc((size_t)s->rows, sizeof *l->pairs);
    if (!l->pairs) {
        fprintf(s->err, "%s: no memory\n", s->path);
        return -1;
    }
    return take_rows(s, l) ? -1 : 1;
}

static int take_launches(struct told *t, FILE *err)
{
    const cJSON *kernels = cJSON_GetObjectItemCaseSensitive(t->root, "kernels"), *kernel;
    const size_t count = cJSON_IsArray(kernels) ? (size_t)cJSON_GetArraySize(kernels) : 0;
    struct source s = {.path = t->path, .err = err};
    int logs = 0;
    if (cJSON_GetObjectItemCaseSensitive(t->root, "incomplete")) {
        fprintf(err, "%s: incomplete; expected the statistics of a whole run\n", t->path);
        return -1;
    }
    t->launches = calloc(count + 1, sizeof *t->launches);
    if (!t->launches) {
        fprintf(err, "%s: no memory\n", t->path);
        return -1;
    }
    for (kernel = count ? kernels->child : NULL; kernel; kernel = kernel->next, s.launch++) {
        const int has = take_launch(&s, kernel, &t->launches[t->count++]);
        if (has < 0)
            return -1;
        logs += has;
    }
    if (!logs)
        fprintf(
            err,
            "%s: no kernel has a log of the inference engine (kernels.0.log.poise); expected the "
            "statistics of a run with --sched=poise\n",
            t->path);
    return logs ? 0 : -1;
}

struct told *told_read(const char *path, FILE *err)
{
    char *text = text_file_read(path, MOST_BYTES, NULL, err);
    struct told *t = text ? calloc(1, sizeof *t) : NULL;
    if (!text)
        return NULL;
    if (!t || !(t->path = strdup(path))) {
        fprintf(err, "%s: no memory\n", path);
    } else if (!(t->root = cJSON_Parse(text))) {
        fprintf(err, "%s: not JSON; expected the statistics of a run with --sched=poise\n", path);
    } else if (!take_launches(t, err)) {
        free(text);
        return t;
    }
    free(text);
    told_free(t);
    return NULL;
}

void told_free(struct told *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->count; i++)
        free(t->launches[i].pairs);
    free(t->launches);
    cJSON_Delete(t->root);
    free(t->path);
    free(t);
}

const struct told_pairs *told_of(const struct told *t, size_t launch, const char *kernel,
                                 char *message, size_t size)
{
    static const struct told_pairs nothing[NUM_SMS];
    if (launch >= t->count)
        return nothing;
    const struct launch *l = &t->launches[launch];
    if (!strcmp(l->kernel, kernel))
        return l->sms;
    snprintf(message, size,
             "kernel %.100s is launch %zu; in %s that is kernel %.100s; expected the statistics of "
             "a run "
             "of this program",
             kernel, launch, t->path, l->kernel);
    return NULL;
}
