/* SPDX-License-Identifier: Apache-2.0 */
/* tb/events.c: see events.h. */
#include "tb/events.h"

#include <stdlib.h>

void event_keep(struct event_list *l, const struct event *e)
{
    if (l->count == l->places) {
        const uint32_t places = l->places ? 2 * l->places : 64;
        struct event *more = realloc(l->events, places * sizeof *more);
        if (!more) {
            l->lost = 1;
            return;
        }
        l->events = more;
        l->places = places;
    }
    l->events[l->count++] = *e;
}

void event_list_free(struct event_list *l)
{
    free(l->events);
    *l = (struct event_list){0};
}

const char *event_name(enum event_kind kind)
{
    static const char *const names[] = {
#define EVENT(name, members, meaning) #name,
#include "tb/events.def"
    };
    return names[kind];
}

const char *event_meaning(enum event_kind kind)
{
    static const char *const meanings[] = {
#define EVENT(name, members, meaning) meaning,
#include "tb/events.def"
    };
    return meanings[kind];
}
