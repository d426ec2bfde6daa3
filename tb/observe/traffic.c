/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/traffic.c: see traffic.h. */
#include "tb/observe/traffic.h"

#include <stdlib.h>
#include <string.h>

int traffic_observe(struct traffic_observer *o, const struct sm *sm)
{
    *o = (struct traffic_observer){0};
    if (!(sm->rack.hears & HEARS(complete)))
        return 0;
    o->lsu = &sm->lsu;
    o->since = malloc(sm->lsu.num_loads * sizeof *o->since);
    o->is_free = malloc(sm->lsu.num_loads);
    if (!o->since || !o->is_free)
        return -1;
    traffic_starts(o);
    return 0;
}

void traffic_observer_free(struct traffic_observer *o)
{
    free(o->since);
    free(o->is_free);
}

void traffic_starts(struct traffic_observer *o)
{
    o->in_flight = o->replies = o->cycles = 0;
    if (o->lsu)
        memset(o->since, 0xff, o->lsu->num_loads * sizeof *o->since);
}

static void came_back(struct traffic_observer *o, uint32_t load, uint64_t cycle)
{
    if (o->since[load] == UNSEEN)
        return;
    o->replies++;
    o->cycles += cycle - o->since[load];
    o->since[load] = UNSEEN;
}

void traffic_opened(struct traffic_observer *o, uint32_t load, int is_constant, uint64_t cycle)
{
    if (!o->lsu)
        return;
    came_back(o, load, cycle); /* its place is another's that has gone in this very cycle */
    o->since[load] = is_constant ? UNSEEN : cycle;
}

/* Of the places of loads, how many are in use. */
static uint64_t find_free(struct traffic_observer *o)
{
    const struct lsu *l = o->lsu;
    uint64_t used = l->num_loads;
    memset(o->is_free, 0, l->num_loads);
    for (uint32_t i = l->first_free_load; i < l->num_loads; i = l->loads[i].next_free) {
        o->is_free[i] = 1;
        used--;
    }
    return used;
}

/* In the queue; in the pipeline of shared memory; as a load whose lines are all asked for. */
static uint64_t under_way(const struct lsu *l, uint64_t loads)
{
    uint64_t twice = 0; /* heads that are loads */
    for (unsigned i = 0; i < NUM_KERNELS; i++) {
        const struct lsu_queue *q = &l->queues[i];
        if (q->count && q->open) {
            const struct exec_access *a = &q->entries[q->first].access;
            twice += !a->is_store || a->is_atomic;
        }
    }
    return l->count + (l->shared.end - l->shared.first) + loads - twice;
}

void traffic_stepped(struct traffic_observer *o, struct events_observer *events, unsigned issued,
                     uint64_t cycle)
{
    if (!o->lsu)
        return;
    const uint64_t now = under_way(o->lsu, find_free(o));
    for (uint64_t before = o->in_flight + issued; before > now; before--)
        happened(events, complete, .warp = UNSEEN, .pc = UNSEEN);
    o->in_flight = now;
    for (uint32_t i = 0; i < o->lsu->num_loads; i++)
        if (o->is_free[i])
            came_back(o, i, cycle);
}
