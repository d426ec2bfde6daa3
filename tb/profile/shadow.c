/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/shadow.c: see shadow.h. */
#include "tb/profile/shadow.h"

#include <stdlib.h>

#include "tb/profile/address_map.h"

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

int shadow_load(struct shadow *s, uint32_t line, int brings)
{
    struct shadow_line *room = address_room(s->lines, &s->places, line, sizeof *room);
    if (!room)
        return -1;
    s->lines = room;
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
