/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/groups.c: see groups.h. */
#include "tb/cli/sweep/groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/sweep/memory.h"
#include "tb/cli/sweep/plan.h"
#include "tb/config.h"

#define MAX_GROUP_NAME 48 /* inih cuts longer names in silence */

static const struct {
    const char *name;
    enum entry_kind kind;
    int numeric;
} keys[] = {{"config", ENTRY_CONFIG, 0},
            {"workload", ENTRY_WORKLOAD, 0},
            {"size", ENTRY_SIZE, 0},
            {"args", ENTRY_ARGS, 0},
            {"settings", ENTRY_SETTINGS, 0},
#define OWN(own, meaning) {#own, ENTRY_SETTING, 1},
            SWEEP_KEYS(OWN)
#undef OWN
#define KEY(section, key, least, most, meaning) {#section "." #key, ENTRY_SETTING, 1},
#define WORD(section, key, meaning)             {#section "." #key, ENTRY_SETTING, 0},
#include "tb/config.def"
};
#define NUM_KEYS (sizeof keys / sizeof keys[0])

static const char *keep(struct groups *g, const char *text, size_t length)
{
    return arena_copy(g->memory, text, length);
}

static int find_entry(const struct group *g, const char *key, size_t length)
{
    for (int i = 0; i < g->count; i++)
        if (!strncmp(g->entries[i].key, key, length) && !g->entries[i].key[length])
            return i;
    return -1;
}

/* A whole number, or the name of an earlier numeric key. */
static int read_end(struct groups *g, const char *text, size_t length, struct end *end)
{
    const struct group *group = &g->groups[g->count - 1];
    const int self = group->count - 1;
    char *after;
    errno = 0;
    *end = (struct end){-1, strtoll(text, &after, 0)};
    if (length && after == text + length && !errno && !strchr(" \t", *text))
        return 0;
    end->entry = find_entry(group, text, length);
    if (length && end->entry >= 0 && end->entry != self && group->entries[end->entry].numeric)
        return 0;
    return ini_fail(&g->at,
                    "%s: '%.*s'; expected a whole number, or an earlier key of this group that "
                    "has numbers",
                    group->entries[self].key, (int)length, text);
}

/* a, a..b or a..b..step */
static int read_numbers(struct groups *g, const char *text, struct item *item)
{
    const char *dots = strstr(text, ".."), *second = dots ? strstr(dots + 2, "..") : NULL;
    item->step = 1;
    if (read_end(g, text, dots ? (size_t)(dots - text) : strlen(text), &item->from))
        return -1;
    item->to = item->from;
    if (dots &&
        read_end(g, dots + 2, second ? (size_t)(second - dots - 2) : strlen(dots + 2), &item->to))
        return -1;
    if (second) {
        struct end step;
        if (read_end(g, second + 2, strlen(second + 2), &step))
            return -1;
        if (step.entry >= 0 || step.number < 1)
            return ini_fail(&g->at, "'%s': a range that never ends; expected a step of 1 or more",
                            text);
        item->step = step.number;
    }
    return 0;
}

/* What a file of settings hands on. */
struct handed {
    struct groups *groups;
    struct setting settings[MAX_SETTINGS];
    int count;
};

/* section.key=value */
static void take_setting(void *user, const char *assignment)
{
    struct handed *h = user;
    const size_t length = strcspn(assignment, "=");
    const char *value = assignment + length + 1;
    if (h->count == MAX_SETTINGS)
        ini_fail(&h->groups->at, "a file of more than %d settings", MAX_SETTINGS);
    else
        h->settings[h->count++] = (struct setting){keep(h->groups, assignment, length),
                                                   keep(h->groups, value, strlen(value))};
}

static int read_settings(struct groups *g, struct item *item)
{
    struct handed h = {.groups = g, .count = 0};
    if (config_read_settings(item->word, take_setting, &h, g->at.err))
        g->at.failed = 1; /* and told */
    item->settings = arena_copy(g->memory, h.settings, (size_t)h.count * sizeof h.settings[0]);
    item->num_settings = h.count;
    return g->at.failed ? -1 : 0;
}

static int read_item(struct groups *g, struct entry *e, const char *text, int quoted)
{
    e->items = more(e->items, (size_t)(e->count + 1) * sizeof *e->items);
    struct item *item = &e->items[e->count++];
    *item = (struct item){0};
    if (e->numeric || (e->kind == ENTRY_SIZE && strchr("0123456789-", *text) && *text))
        return quoted ? ini_fail(&g->at, "%s: \"%s\" is quoted; expected a number", e->key, text)
                      : read_numbers(g, text, item);
    item->word = text;
    return e->kind == ENTRY_SETTINGS ? read_settings(g, item) : 0;
}

/* Items are separated by commas, unless between double quotes, which also make an empty item. */
static int read_list(struct groups *g, struct entry *e, const char *text)
{
    do {
        text += strspn(text, " \t");
        const int quoted = *text == '"';
        const char *begin = text + quoted;
        size_t length = strcspn(begin, quoted ? "\"" : ",");
        const char *end = begin + length;
        if (quoted && *end != '"')
            return ini_fail(&g->at, "%s: a quotation mark without another", e->key);
        while (!quoted && length && strchr(" \t", begin[length - 1]))
            length--;
        if (!quoted && !length)
            return ini_fail(&g->at, "%s: an empty value; expected a list, as in 1, 2, 4..16..4",
                            e->key);
        if (read_item(g, e, keep(g, begin, length), quoted))
            return -1;
        text = end + quoted + strspn(end + quoted, " \t");
        if (*text && *text != ',')
            return ini_fail(&g->at, "%s: '%s' after a value; expected a comma", e->key, text);
    } while (*text++ == ',');
    return 0;
}

static struct entry *add_entry(struct groups *g, const char *key)
{
    struct group *group = &g->groups[g->count - 1];
    size_t k = 0;
    while (k < NUM_KEYS && strcmp(keys[k].name, key))
        k++;
    const int before = find_entry(group, key, strlen(key));
    if (k == NUM_KEYS)
        ini_fail(&g->at,
                 "unknown key '%s'; expected config, workload, size, args, settings, profile, "
                 "launches, differ or a key that `heddle list keys` shows, as in l1d.sets",
                 key);
    else if (!strncmp(key, "hw.", 3))
        ini_fail(&g->at, "%s is fixed when build/<config> is made; expected it in a configuration",
                 key);
    else if (before >= 0)
        ini_fail(&g->at, "%s is given twice; first in line %u", key, group->entries[before].line);
    else if (group->count == MAX_ENTRIES)
        ini_fail(&g->at, "more than %d keys in a group", MAX_ENTRIES);
    else {
        struct entry *e = &group->entries[group->count++];
        *e = (struct entry){keys[k].name, keys[k].kind, keys[k].numeric, g->at.line, NULL, 0};
        return e;
    }
    return NULL;
}

static void add_group(struct groups *g, const char *name)
{
    if (!g->prefix && g->at.sections != g->count + 1) {
        ini_fail(&g->at, "a group before this one has no keys; expected workload = ...");
        return;
    }
    for (int i = 0; i < g->count && !g->prefix; i++)
        if (!strcmp(g->groups[i].name, name))
            ini_fail(&g->at, "[%s] is given twice; first in line %u", name, g->groups[i].line);
    if (!*name || strlen(name) > MAX_GROUP_NAME)
        ini_fail(&g->at, "[%s]; expected a name of 1 to %d characters", name, MAX_GROUP_NAME);
    g->groups = more(g->groups, (size_t)(g->count + 1) * sizeof *g->groups);
    struct group *group = &g->groups[g->count++];
    group->name = keep(g, name, strlen(name));
    group->line = g->at.section;
    group->count = 0;
}

static void take(void *user, const char *section, const char *key, const char *value)
{
    struct groups *g = user;
    if (g->prefix) {
        const size_t length = strlen(g->prefix);
        if (strncmp(section, g->prefix, length) != 0 || section[length] != ' ')
            return;
        section += length + 1;
    }
    if (!g->at.section) {
        ini_fail(&g->at, "'%s' outside a group; expected a line [name] before it", key);
        return;
    }
    struct group *last = g->count ? &g->groups[g->count - 1] : NULL;
    if (!last || last->line != g->at.section)
        add_group(g, section);
    if (g->at.failed)
        return;
    last = &g->groups[g->count - 1];
    struct entry *e = g->at.continued && last->count ? &last->entries[last->count - 1] : NULL;
    if (!e || strcmp(e->key, key))
        e = add_entry(g, key);
    if (e)
        read_list(g, e, value);
}

int groups_read(struct groups *g)
{
    if (ini_read(&g->at, take, g))
        return -1;
    g->at.line = 0;
    if (g->prefix)
        return 0;
    if (!g->count || g->at.sections != g->count)
        return ini_fail(&g->at, g->count ? "the last group has no keys; expected workload = ..."
                                         : "no group; expected [name] and workload = ...");
    return 0;
}

void groups_free(struct groups *g)
{
    for (int i = 0; i < g->count; i++)
        for (int e = 0; e < g->groups[i].count; e++)
            free(g->groups[i].entries[e].items);
    free(g->groups);
}

const struct entry *group_entry(const struct group *g, enum entry_kind kind)
{
    for (int i = 0; i < g->count; i++)
        if (g->entries[i].kind == kind)
            return &g->entries[i];
    return NULL;
}
