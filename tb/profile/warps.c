/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/warps.c: see warps.h. */
#include "tb/profile/warps.h"

#include <stdlib.h>
#include <string.h>

int warps_init(struct warps *w, uint32_t queue)
{
    w->places = queue;
    w->issued = calloc(w->places, sizeof *w->issued);
    return w->issued ? 0 : -1;
}

static void forget(struct warps *w)
{
    for (unsigned i = 0; i < NUM_SLOTS; i++) {
        address_map_clear(&w->tenants[i].touched);
        free(w->tenants[i].touched_at);
        w->tenants[i] = (struct tenant){0};
    }
    free(w->trips);
    w->trips = NULL;
    w->first = w->count = 0;
}

void warps_free(struct warps *w)
{
    forget(w);
    free(w->issued);
}

int warps_begin(struct warps *w, const struct ptx_kernel *k)
{
    forget(w);
    w->kernel = k;
    w->kernels++;
    w->trips = calloc((size_t)NUM_SLOTS * k->num_loops + 1, sizeof *w->trips);
    return w->trips ? 0 : -1;
}

void warps_start(struct warps *w, const struct event *e)
{
    struct tenant *t = &w->tenants[e->of.warp_start.warp];
    address_map_clear(&t->touched);
    t->life = ++w->lives;
    t->block = w->kernels << 32 | e->of.warp_start.block; /* more than a grid has */
    t->last_pc = UINT64_MAX;
}

static int in_loop(const struct ptx_kernel *k, uint64_t pc, uint32_t loop)
{
    uint32_t around = pc < k->num_uops ? k->loop_of[pc] : 0;
    while (around && around != loop)
        around = k->loops[around - 1].outer;
    return around != 0;
}

static struct trips *trips_of(const struct warps *w, uint64_t warp, uint32_t loop)
{
    return &w->trips[warp * w->kernel->num_loops + loop - 1];
}

/* A loop goes on to its next trip if the warp comes from within; else it is entered, and what was
 * before is of no trip. (Loops that begin at the same instruction are one.) */
static void begin_trip(struct warps *w, const struct event *e)
{
    const uint64_t warp = e->of.issue.warp, from = w->tenants[warp].last_pc;
    const uint32_t loop = (uint32_t)e->of.issue.loop_begin;
    struct trips *t = trips_of(w, warp, loop);
    t->last_one = in_loop(w->kernel, from, loop) ? t->this_one : e->cycle;
    t->this_one = e->cycle;
}

/* What no lane executes is issued and makes no access: when the ring is full, its oldest is that,
 * and has left the queue. */
void warps_issue(struct warps *w, const struct event *e, int is_load)
{
    const uint64_t warp = e->of.issue.warp, pc = e->of.issue.pc;
    if (e->of.issue.loop_begin)
        begin_trip(w, e);
    w->tenants[warp].last_pc = pc;
    if (!is_load)
        return;
    const uint32_t loop = w->kernel->loop_of[pc];
    if (w->count == w->places) {
        w->first = (w->first + 1) % w->places;
        w->count--;
    }
    w->issued[(w->first + w->count++) % w->places] =
        (struct issued){.cycle = e->cycle,
                        .warp = warp,
                        .in_loop = loop != 0,
                        .trips = loop ? *trips_of(w, warp, loop) : (struct trips){0}};
}

const struct issued *warps_access(struct warps *w, const struct event *e)
{
    while (w->count) {
        const struct issued *oldest = &w->issued[w->first];
        w->first = (w->first + 1) % w->places;
        w->count--;
        if (oldest->cycle == e->of.access.issued && oldest->warp == e->of.access.warp)
            return oldest;
    }
    return NULL;
}

int warps_touch(struct warps *w, uint64_t warp, uint64_t cycle, uint64_t line, uint64_t *before)
{
    struct tenant *t = &w->tenants[warp];
    const uint32_t known = t->touched.count, number = address_number(&t->touched, line);
    uint64_t *room =
        number == NO_NUMBER ? NULL : address_room(t->touched_at, &t->places, number, sizeof *room);
    if (!room)
        return -1;
    t->touched_at = room;
    *before = number < known ? room[number] : 0;
    room[number] = cycle;
    return number < known;
}
