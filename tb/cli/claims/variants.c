/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/claims/variants.c: see variants.h. */
#include "tb/cli/claims/variants.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "hw.h"
#include "tb/cli/cli.h"
#include "tb/ini_file.h"

static const struct {
    const char *name;
    size_t place;
    int numeric;
} keys[] = {
#define KEY(section, key, least, most, meaning)                                                    \
    {#section "." #key, offsetof(struct config, section##_##key), 1},
#define WORD(section, key, meaning)                                                                \
    {#section "." #key, offsetof(struct config, section##_##key), 0},
#include "tb/config.def"
};
#define NUM_KEYS (sizeof keys / sizeof keys[0])

/* What a machine has, as a text. */
static const char *value_in(const struct config *c, const char *key, char room[64])
{
    for (size_t i = 0; i < NUM_KEYS; i++)
        if (!strcmp(keys[i].name, key)) {
            const char *at = (const char *)c + keys[i].place;
            if (!keys[i].numeric)
                return at;
            snprintf(room, 64, "%" PRId64, *(const int64_t *)at);
            return room;
        }
    return NULL;
}

static int is_numeric(const char *key)
{
    for (size_t i = 0; i < NUM_KEYS; i++)
        if (!strcmp(keys[i].name, key))
            return keys[i].numeric;
    return 0;
}

struct reader {
    struct variants *all;
    struct ini_file at;
    const struct config *own;
};

static void take(void *user, const char *section, const char *key, const char *value)
{
    struct reader *r = user;
    struct variants *all = r->all;
    struct variant *v = all->count ? &all->variants[all->count - 1] : NULL;
    char *told = NULL, *end;
    size_t size;
    if (!v || strcmp(v->name, section) != 0) {
        if (all->count == MAX_VARIANTS) {
            ini_fail(&r->at, "more than %d variants", MAX_VARIANTS);
            return;
        }
        v = &all->variants[all->count++];
        v->name = arena_copy(&all->memory, section, strlen(section));
    }
    if (v->count == MAX_CHANGES) {
        ini_fail(&r->at, "more than %d keys of one variant", MAX_CHANGES);
        return;
    }
    struct change *c = &v->changes[v->count++];
    c->key = arena_copy(&all->memory, key, strlen(key));
    c->value = arena_copy(&all->memory, value, strlen(value));
    if (*value == '*') {
        c->factor = strtod(value + 1, &end);
        if (!is_numeric(key) || *end || !(c->factor > 0 && c->factor < 1e6))
            ini_fail(&r->at, "%s = %s; expected a number's key, and a factor above 0", key, value);
        return;
    }
    FILE *to = open_memstream(&told, &size);
    struct config c1 = *r->own;
    char *assignment = text_of("%s=%s", key, value);
    if (!to)
        no_memory();
    const int failed = config_set(&c1, assignment, to);
    fclose(to);
    if (failed)
        ini_fail(&r->at, "%.*s", (int)strcspn(told, "\n"),
                 told + (!strncmp(told, "--set: ", 7) ? 7 : 0));
    free(assignment);
    free(told);
}

int variants_read(struct variants *all, const char *path, FILE *err)
{
    struct config own;
    struct reader r = {.all = all, .at = {.name = path, .err = err}, .own = &own};
    *all = (struct variants){0};
    return config_read(&own, build_path(6, CONFIG_NAME ".ini"), err) || ini_read(&r.at, take, &r)
               ? -1
               : 0;
}

void variants_free(struct variants *all)
{
    arena_free(&all->memory);
}

int variant_amend(const struct variant *v, const struct config *config,
                  struct setting settings[MAX_SETTINGS], int count, struct arena *memory)
{
    for (int i = 0; i < v->count; i++) {
        const struct change *c = &v->changes[i];
        char room[64], scaled[64];
        const char *has = value_in(config, c->key, room), *value = c->value;
        int s = 0;
        while (s < count && strcmp(settings[s].key, c->key) != 0)
            s++;
        if (s < count)
            has = settings[s].value;
        if (c->factor > 0) {
            snprintf(scaled, sizeof scaled, "%.0f", round(c->factor * strtod(has, NULL)));
            value = scaled;
        }
        if (!strcmp(has, value) || s == MAX_SETTINGS)
            continue;
        count += s == count;
        settings[s] = (struct setting){c->key, arena_copy(memory, value, strlen(value))};
    }
    return count;
}
