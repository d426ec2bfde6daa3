/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/shadow.c: see shadow.h. */
#include "tb/profile/shadow.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_PLACES 64

enum shadow_state shadow_state(const struct shadow *s, uint32_t line)
{
    return line < s->places ? s->lines[line].state : SHADOW_NEVER;
}

/* Takes the line out, for this reason. */
static void leave(struct shadow *s, uint32_t line, enum shadow_state why)
{
    struct shadow_line *l = &s->lines[line];
    if (line == s->newest)
        s->newest = l->older;
    else
        s->lines[l->newer].older = l->older;
    if (line == s->oldest)
        s->oldest = l->newer;
    else
        s->lines[l->older].newer = l->newer;
    l->state = why;
    s->count--;
}

/* Puts the line first. */
static void enter(struct shadow *s, uint32_t line)
{
    struct shadow_line *l = &s->lines[line];
    if (s->count)
        s->lines[s->newest].newer = line;
    else
        s->oldest = line;
    l->older = s->newest;
    l->state = SHADOW_HERE;
    s->newest = line;
    s->count++;
}

/* Makes room to know of the line. Returns 0 or -1. */
static int reserve(struct shadow *s, uint32_t line)
{
    uint32_t places = s->places ? s->places : LEAST_PLACES;
    while (places <= line)
        places *= 2;
    struct shadow_line *more = realloc(s->lines, places * sizeof *more);
    if (!more)
        return -1;
    memset(&more[s->places], 0, (places - s->places) * sizeof *more);
    s->lines = more;
    s->places = places;
    return 0;
}

int shadow_load(struct shadow *s, uint32_t line, int brings)
{
    if (line >= s->places && reserve(s, line))
        return -1;
    if (s->lines[line].state == SHADOW_HERE)
        leave(s, line, SHADOW_NEVER);
    else if (!brings)
        return 0;
    else if (s->count == s->capacity)
        leave(s, s->oldest, SHADOW_EVICTED);
    enter(s, line);
    return 0;
}

void shadow_bypass(struct shadow *s, uint32_t line)
{
    if (s->lines[line].state != SHADOW_HERE)
        s->lines[line].state = SHADOW_BYPASSED;
}

void shadow_write(struct shadow *s, uint32_t line)
{
    if (shadow_state(s, line) == SHADOW_HERE)
        leave(s, line, SHADOW_WRITTEN);
    else if (shadow_state(s, line) != SHADOW_NEVER)
        s->lines[line].state = SHADOW_WRITTEN;
}

void shadow_clear(struct shadow *s)
{
    free(s->lines);
    *s = (struct shadow){.capacity = s->capacity};
}
