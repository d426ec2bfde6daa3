/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/collect.c: see collect.h. */
#include "tb/cli/sweep/collect.h"

#include <string.h>

#include "tb/config.h"

int collect(struct collector *c, const char *key, const char *value)
{
    for (int i = 0; i < c->count; i++)
        if (!strcmp(c->settings[i].key, key))
            return ini_fail(
                c->at, "%s is set here and by an earlier key of this group; expected it once", key);
    if (c->count == MAX_SETTINGS)
        return ini_fail(c->at, "more than %d settings, with those of files", MAX_SETTINGS);
    c->settings[c->count++] = (struct setting){key, value};
    return 0;
}

/* section.key=value */
static void take(void *collector, const char *assignment)
{
    struct collector *c = collector;
    const char *equals = strchr(assignment, '=');
    if (!c->at->failed)
        collect(c, arena_copy(c->memory, assignment, (size_t)(equals - assignment)),
                arena_copy(c->memory, equals + 1, strlen(equals + 1)));
}

int collect_file(struct collector *c, const char *path)
{
    if (config_read_settings(path, take, c, c->at->err))
        c->at->failed = 1; /* and told */
    return c->at->failed ? -1 : 0;
}
