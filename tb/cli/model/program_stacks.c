/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/model/program_stacks.c: the curve of a program by the stack distances of one run (3.2), in place of its runs' misses. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "tb/cli/model/program.h"
#include "tb/cli/model/reading.h"
#include "tb/cli/model/settings.h"

struct stack {
    double at[CAMP_DISTANCES], further, accesses;
    unsigned num;
};

static int add(const char *path, const cJSON *number, double *to, double *sum)
{
    if (!cJSON_IsNumber(number) || !(number->valuedouble >= 0 && number->valuedouble < 1e18))
        return model_wrong(path, "stack distances that are no counts", "");
    *to = number->valuedouble;
    *sum += *to;
    return 0;
}

static int read_stack(const char *path, const cJSON *from, struct stack *s)
{
    const cJSON *places = cJSON_GetObjectItemCaseSensitive(from, "at"), *place;
    *s = (struct stack){0};
    cJSON_ArrayForEach(place, places)
    {
        if (s->num == CAMP_DISTANCES)
            return model_wrong(path, "more stack distances than a cache can have ways", "");
        if (add(path, place, &s->at[s->num++], &s->accesses))
            return -1;
    }
    return add(path, cJSON_GetObjectItemCaseSensitive(from, "further"), &s->further, &s->accesses);
}

/* Of one program: its own address space is the first. */
static int read_own(const char *path, struct statistics *file, const struct model_cache *cache,
                    struct stack *own)
{
    char name[32];
    struct stack other;
    for (unsigned i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "stacks.%s.%u", cache->name, i);
        const cJSON *from = statistics_at(file, name);
        if (!from)
            return model_wrong(path, "no profile, or of an older version: no ", name);
        if (read_stack(path, from, i ? &other : own))
            return -1;
    }
    if (other.accesses > 0)
        return model_wrong(path, "of two programs at once: expected one that ran alone", "");
    return own->accesses > 0 ? 0 : model_wrong(path, "no access of ", cache->title);
}

static int is_of(const struct model_program *p, const char *path, struct statistics *file)
{
    static const char *const words[] = {"config", "sched", "dispatch", NULL};
    const char *name = statistics_text(file, "kernels.0.name");
    if (!name || strcmp(name, p->name) != 0) {
        fprintf(stderr, "%s begins with kernel %s, %s with %s: expected the same program\n",
                p->path, p->name, path, name ? name : "?");
        return 0;
    }
    return model_same_words(p->path, p->settings, path, file, words);
}

int model_program_by_stacks(struct model_program *p, const char *path)
{
    struct stack s;
    struct statistics *file = statistics_read(path);
    int failed = !file || !is_of(p, path, file) || read_own(path, file, p->cache, &s);
    statistics_free(file);
    if (failed)
        return -1;
    for (unsigned i = 0; i < s.num; i++)
        s.at[i] /= s.accesses;
    s.num = s.num ? s.num : 1; /* nothing is used again */
    const enum camp_error error =
        camp_curve(s.at, s.num, s.further / s.accesses, CAMP_FLAT, &p->camp.curve);
    p->by_stacks = 1;
    return error ? model_wrong(path, camp_reason(error), "") : 0;
}
