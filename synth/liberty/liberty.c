/* SPDX-License-Identifier: Apache-2.0 */
/* synth/liberty/liberty.c: the file of a Liberty tree, and looking around in it. See liberty.h. */
#include "synth/liberty/liberty.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The whole file, or NULL. */
static char *load(const char *path, size_t *size, FILE *err)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0, got = 1;
    *size = 0;
    while (f && got) {
        if (*size == room) {
            char *grown = realloc(text, room = room ? 2 * room : 65536);
            if (!grown) {
                errno = ENOMEM;
                break;
            }
            text = grown;
        }
        errno = 0;
        got = fread(text + *size, 1, room - *size, f);
        *size += got;
    }
    const int failed = !f || got || ferror(f);
    if (failed) {
        fprintf(err, "%s: error: %s\n", path, strerror(errno));
        free(text);
    }
    if (f)
        fclose(f);
    return failed ? NULL : text;
}

int liberty_read(struct liberty *l, const char *path, FILE *err)
{
    size_t size;
    *l = (struct liberty){.path = path};
    char *const text = load(path, &size, err);
    if (!text)
        return -1;
    const int failed = liberty_parse(l, text, size, err);
    free(text);
    return failed;
}

void liberty_free(struct liberty *l)
{
    arena_free(&l->memory);
}

int liberty_error(const struct liberty *l, FILE *err, unsigned line, const char *format, ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    for (char *at = message; *at; at++)
        if (!isprint((unsigned char)*at))
            *at = '?';
    fprintf(err, "%s:%u: error: %s\n", l->path, line, message);
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
