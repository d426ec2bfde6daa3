/* SPDX-License-Identifier: Apache-2.0 */
/* tb/cli/sweep/memory.c: see memory.h. */
#include "tb/cli/sweep/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/cli/cli.h"

void no_memory(void)
{
    fprintf(stderr, "heddle: no memory\n");
    exit(EXIT_USAGE);
}

void *more(void *old, size_t size)
{
    void *new = realloc(old, size);
    if (!new)
        no_memory();
    return new;
}

char *text_of(const char *format, ...)
{
    char *text;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        no_memory();
    va_end(args);
    return text;
}

void *arena_copy(struct arena *arena, const void *data, size_t size)
{
    char *copy = arena_alloc(arena, size + 1, _Alignof(max_align_t));
    if (!copy)
        no_memory();
    if (size)
        memcpy(copy, data, size);
    return copy; /* the last byte is zero already */
}
