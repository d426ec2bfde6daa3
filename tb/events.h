/* SPDX-License-Identifier: Apache-2.0 */
/* tb/events.h: events of the machine, and what listens to them. Where nothing does, an event
 * costs a test of one bit. */
#ifndef HEDDLE_TB_EVENTS_H
#define HEDDLE_TB_EVENTS_H

#include <stdint.h>

enum event_kind {
#define EVENT(name, members, meaning) EVENT_##name,
#include "tb/events.def"
    NUM_EVENTS
};

_Static_assert(NUM_EVENTS <= 32, "a set of events is one word");

/* What has happened: event.of.l1d_evict.owner. */
struct event {
    enum event_kind kind;
    unsigned sm;
    uint64_t cycle;
    union {
#define MEMBER(name) uint64_t name;
#define EVENT(name, members, meaning)                                                              \
    struct {                                                                                       \
        members                                                                                    \
    } name;
#include "tb/events.def"
    } of;
};

/* A set of events. */
#define HEARS(name) (UINT32_C(1) << EVENT_##name)

/* What hears the events of one SM. */
struct listener {
    uint32_t hears; /* nothing else is told */
    unsigned sm;
    void (*hear)(void *context, const struct event *);
    void *context;
    const struct listener *next; /* in a list of them */
};

/* Tells an event, if it is listened to: tell(l, cycle, l1d_evict, .line = line, .owner = warp). */
#define tell(whom, when, name, ...)                                                                \
    do {                                                                                           \
        const struct listener *const told = (whom);                                                \
        if (__builtin_expect(told->hears & HEARS(name), 0))                                        \
            told->hear(told->context, &(struct event){.kind = EVENT_##name,                        \
                                                      .sm = told->sm,                              \
                                                      .cycle = (when),                             \
                                                      .of.name = {__VA_ARGS__}});                  \
    } while (0)

/* Events that are kept for later. */
struct event_list {
    struct event *events;
    uint32_t count, places;
    int lost; /* one found no memory */
};
void event_keep(struct event_list *, const struct event *);
void event_list_free(struct event_list *);

/* "l1d_evict" and what it means. */
const char *event_name(enum event_kind);
const char *event_meaning(enum event_kind);

#endif
