/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/events.c: see events.h. */
#include "tb/observe/events.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What is always observed. kernel_start and kernel_end are the dispatcher's, reply carries a time, a store leaves no trace in L1D; others are
 * observed where a unit hears them (EVENTS_WANTED). */
#define OBSERVED                                                                                   \
    (HEARS(block_start) | HEARS(block_end) | HEARS(warp_start) | HEARS(warp_end) |                 \
     HEARS(barrier_wait) | HEARS(barrier_leave) | HEARS(issue) | HEARS(l1d_hit) |                  \
     HEARS(l1d_miss) | HEARS(access) | HEARS(l1d_bypass) | HEARS(l1d_evict) | HEARS(l1d_drop) |    \
     HEARS(l1d_fill) | HEARS(l1d_return))

/* All members of all kinds, as words. */
#define MAX_MEMBERS 12
static const unsigned num_members[] = {
#define MEMBER(name)                  +1
#define EVENT(name, members, meaning) 0 members,
#include "tb/events.def"
};
static const char *const member_names[] = {
#define MEMBER(name)                  #name " "
#define EVENT(name, members, meaning) "" members,
#include "tb/events.def"
};

/* The members of an event one after the other: each kind is a struct of words. */
static void members_of(const struct event *e, uint64_t members[MAX_MEMBERS])
{
    memset(members, 0, MAX_MEMBERS * sizeof *members);
    memcpy(members, &e->of, num_members[e->kind] * sizeof *members);
}

static void hear(void *context, const struct event *e)
{
    struct events_observer *o = context;
    if (o->num_told < MAX_OBSERVED)
        o->told[o->num_told++] = *e;
}

void events_observe(struct events_observer *o, uint32_t more)
{
    o->listener =
        (struct listener){.hears = OBSERVED | (more & EVENTS_WANTED), .hear = hear, .context = o};
}

void events_happened(struct events_observer *o, const struct event *e)
{
    if (o->num_happened < MAX_OBSERVED)
        o->happened[o->num_happened++] = *e;
}

/* Does an event agree with what was seen of it? */
static int agrees(const struct event *told, const struct event *seen)
{
    uint64_t is[MAX_MEMBERS], should[MAX_MEMBERS];
    members_of(told, is);
    members_of(seen, should);
    for (unsigned i = 0; i < num_members[seen->kind]; i++)
        if (should[i] != UNSEEN && is[i] != should[i])
            return 0;
    return told->kind == seen->kind;
}

/* "warp 3, pc 12" */
static void describe(const struct event *e, char *text, size_t size)
{
    const char *name = member_names[e->kind];
    uint64_t members[MAX_MEMBERS];
    size_t length = 0;
    members_of(e, members);
    text[0] = 0;
    for (unsigned i = 0; i < num_members[e->kind]; i++) {
        const int chars = (int)strcspn(name, " ");
        if (members[i] != UNSEEN && length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%.*s %" PRIu64,
                                       length ? ", " : "", chars, name, members[i]);
        name += chars + 1;
    }
}

int events_differ(struct events_observer *o, struct verdict *v, uint64_t cycle)
{
    char text[240];
    for (unsigned i = 0; i < o->num_happened; i++) {
        unsigned n = 0;
        while (n < o->num_told && !agrees(&o->told[n], &o->happened[i]))
            n++;
        if (n == o->num_told) {
            describe(&o->happened[i], text, sizeof text);
            return wrong(v, cycle, "event %s was not told: %s", event_name(o->happened[i].kind),
                         text);
        }
        o->told[n] = o->told[--o->num_told];
    }
    if (o->num_told) {
        describe(&o->told[0], text, sizeof text);
        return wrong(v, cycle, "event %s was told, but has not happened so: %s",
                     event_name(o->told[0].kind), text);
    }
    return 0;
}

void events_forget(struct events_observer *o)
{
    o->num_told = o->num_happened = 0;
}
