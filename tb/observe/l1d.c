/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/l1d.c: see l1d.h. */
#include "tb/observe/l1d.h"

#include <inttypes.h>
#include <stdlib.h>

static uint64_t num_ways(const struct l1d_observer *o)
{
    return o->l1->tags.num_sets * o->l1->tags.num_ways;
}

static struct l1d_way way_at(const struct l1d_observer *o, uint64_t i)
{
    const struct tags *t = &o->l1->tags;
    return (struct l1d_way){t->lines[i], t->order[i], t->ways[i].warp};
}

/* A line is there and has come. */
static int holds(const struct l1d_way *w)
{
    return w->line != NO_LINE && w->order < RESERVED;
}

static void look(struct l1d_observer *o)
{
    const struct mshrs *u = &o->l1->untracked;
    for (uint64_t i = 0; i < num_ways(o); i++)
        o->ways[i] = way_at(o, i);
    for (uint32_t i = 0; i < o->l1->mshrs.count; i++)
        o->waiters[i] = o->l1->mshrs.entries[i].num_waiters;
    o->untracked = u->used;
    o->next_untracked = u->first_free;
}

int l1d_observe(struct l1d_observer *o, const struct l1 *l1)
{
    *o = (struct l1d_observer){.l1 = l1};
    o->ways = calloc(num_ways(o), sizeof *o->ways);
    o->waiters = calloc(l1->mshrs.count, sizeof *o->waiters);
    return o->ways && o->waiters ? 0 : -1;
}

void l1d_observer_free(struct l1d_observer *o)
{
    free(o->ways);
    free(o->waiters);
}

void l1d_starts(struct l1d_observer *o)
{
    look(o);
}

void l1d_arrived(struct l1d_observer *o, struct events_observer *events)
{
    for (uint64_t i = 0; i < num_ways(o); i++) {
        const struct l1d_way now = way_at(o, i), *before = &o->ways[i];
        if (before->line != NO_LINE && !holds(before) && holds(&now))
            happened(events, l1d_fill, .line = now.line, .owner = before->owner);
    }
    for (uint32_t i = 0; i < o->l1->mshrs.count; i++) {
        const struct mshr *m = &o->l1->mshrs.entries[i];
        if (o->waiters[i] && !m->num_waiters && m->line != ATOMIC_LINE)
            happened(events, l1d_return, .line = m->line, .loads = o->waiters[i]);
    }
    for (uint32_t i = o->l1->untracked.used; i < o->untracked; i++)
        happened(events, l1d_return, .line = UNSEEN, .loads = 1);
    look(o);
}

int l1d_begins(struct l1d_observer *o, struct verdict *v, uint64_t cycle, unsigned warp)
{
    for (uint64_t i = 0; i < num_ways(o); i++) {
        const struct l1d_way now = way_at(o, i);
        if (now.line != NO_LINE && now.owner == warp)
            return wrong(v, cycle, "L1D has line %#" PRIx64 " of warp %u, which has only begun",
                         now.line, warp);
        if (o->ways[i].owner == warp)
            o->ways[i].owner = NOBODY;
    }
    return 0;
}

/* What became of a line that a way held, or is to hold now. */
static int way_changed(struct l1d_observer *o, uint64_t i, struct events_observer *events,
                       struct verdict *v, uint64_t cycle, unsigned warp, uint32_t pc)
{
    const struct l1d_way now = way_at(o, i), *before = &o->ways[i];
    if (now.line == before->line) {
        if (holds(before) && now.order != before->order)
            happened(events, l1d_hit, .line = now.line, .warp = warp, .pc = pc,
                     .owner = before->owner);
        if (now.line != NO_LINE && now.owner != before->owner)
            return wrong(v, cycle, "L1D has line %#" PRIx64 " of warp %u; it is that of warp %u",
                         now.line, now.owner, before->owner);
        return 0;
    }
    if (holds(before) && now.line == NO_LINE)
        happened(events, l1d_drop, .line = before->line, .owner = before->owner);
    else if (holds(before))
        happened(events, l1d_evict, .line = before->line, .owner = before->owner);
    if (now.line != NO_LINE && now.owner != warp)
        return wrong(v, cycle, "L1D keeps line %#" PRIx64 " for warp %u, but warp %u has missed it",
                     now.line, now.owner, warp);
    return 0;
}

/* A load has missed, and takes a way or none. */
static int missed(struct events_observer *events, struct verdict *v, uint64_t cycle, unsigned warp,
                  uint32_t pc, int pollute, const struct mshr *m)
{
    const int bypass = m->way < 0;
    happened(events, l1d_miss, .line = m->line, .warp = warp, .pc = pc, .merged = 0,
             .bypass = (uint64_t)bypass);
    if (bypass)
        happened(events, l1d_bypass, .line = m->line, .warp = warp, .pc = pc);
    if (bypass != pollute)
        return 0;
    return wrong(v, cycle,
                 "a load of warp %u at pc %u %s line of L1D, but its pollute was %d when it issued",
                 warp, pc, bypass ? "reserves no" : "reserves a", pollute);
}

int l1d_accessed(struct l1d_observer *o, struct events_observer *events, struct verdict *v,
                 uint64_t cycle, unsigned warp, uint32_t pc, int pollute)
{
    const struct l1 *l1 = o->l1;
    int failed = 0;
    for (uint64_t i = 0; i < num_ways(o); i++)
        failed |= way_changed(o, i, events, v, cycle, warp, pc);
    for (uint32_t i = 0; i < l1->mshrs.count; i++) {
        const struct mshr *m = &l1->mshrs.entries[i];
        if (m->num_waiters == o->waiters[i] || m->line == ATOMIC_LINE)
            continue;
        o->misses++;
        if (!o->waiters[i])
            failed |= missed(events, v, cycle, warp, pc, pollute, m);
        else
            happened(events, l1d_miss, .line = m->line, .warp = warp, .pc = pc, .merged = 1,
                     .bypass = m->way < 0);
    }
    if (l1->untracked.used > o->untracked) {
        o->misses++;
        failed |=
            missed(events, v, cycle, warp, pc, pollute, &l1->untracked.entries[o->next_untracked]);
    }
    look(o);
    return failed;
}
