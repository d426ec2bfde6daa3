/* SPDX-License-Identifier: Apache-2.0 */
/* synth/liberty/liberty.c: the file of a Liberty tree, and looking around in it. See liberty.h. */
#include "synth/liberty/liberty.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tb/text_file.h"

#define MOST_BYTES ((size_t)1 << 30) /* of a file */

int liberty_read(struct liberty *l, const char *path, FILE *err)
{
    *l = (struct liberty){.path = path};
    size_t size;
    char *const text = text_file_read(path, MOST_BYTES, &size, err);
    const int failed = !text || liberty_parse(l, text, size, err);
    free(text);
    return failed ? -1 : 0;
}

void liberty_free(struct liberty *l)
{
    arena_free(&l->memory);
}

int liberty_error(const struct liberty *l, FILE *err, unsigned line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_file_error(err, l->path, line, format, arguments);
    va_end(arguments);
    return -1;
}

const struct liberty_attribute *liberty_attribute(const struct liberty_group *g, const char *name)
{
    const struct liberty_attribute *found = NULL;
    for (const struct liberty_attribute *a = g->attributes; a; a = a->next)
        if (!strcmp(a->name, name))
            found = a;
    return found;
}

const char *liberty_value(const struct liberty_group *g, const char *name)
{
    const struct liberty_attribute *a = liberty_attribute(g, name);
    return a && a->count ? a->values[0] : NULL;
}

static const struct liberty_group *of_type(const struct liberty_group *g, const char *type)
{
    while (g && strcmp(g->type, type) != 0)
        g = g->next;
    return g;
}

const struct liberty_group *liberty_first(const struct liberty_group *g, const char *type)
{
    return of_type(g->groups, type);
}

const struct liberty_group *liberty_next(const struct liberty_group *g)
{
    return of_type(g->next, g->type);
}
