/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/events.h: the events of one SM, observed: what has happened by the registers of the
 * machine, against what was told (tb/events.def), cycle by cycle. */
#ifndef HEDDLE_TB_OBSERVE_EVENTS_H
#define HEDDLE_TB_OBSERVE_EVENTS_H

#include "tb/events.h"
#include "tb/observe/verdict.h"

#define EVENTS_WANTED (HEARS(last_block) | HEARS(complete) | HEARS(fetch) | HEARS(gpu_memory))
#define MAX_OBSERVED  512 /* events of an SM in one cycle */

struct events_observer {
    struct listener listener; /* to be a guest of the SM */
    struct event told[MAX_OBSERVED], happened[MAX_OBSERVED];
    unsigned num_told, num_happened;
};

/* `more`: events that are observed besides those that always are. */
void events_observe(struct events_observer *, uint32_t more);

/* It has happened in this cycle. Members that cannot be seen in registers are UNSEEN. */
#define UNSEEN UINT64_MAX
void events_happened(struct events_observer *, const struct event *);
#define happened(observer, name, ...)                                                              \
    events_happened(observer, &(struct event){.kind = EVENT_##name, .of.name = {__VA_ARGS__}})

/* The cycle ends. Returns 0, or 1: an event was not told, or has not happened. */
int events_differ(struct events_observer *, struct verdict *, uint64_t cycle);

/* The next one begins. */
void events_forget(struct events_observer *);

#endif
