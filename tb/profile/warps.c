/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/warps.c: see warps.h. */
#include "tb/profile/warps.h"

#include <stdlib.h>
#include <string.h>

int warps_init(struct warps *w, uint32_t queue)
{
    w->places = queue;
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        if (!(w->kernels[i].issued = calloc(w->places, sizeof *w->kernels[i].issued)))
            return -1;
    return 0;
}

static void leave(struct kernel_warps *k)
{
    free(k->trips);
    k->trips = NULL;
    k->first = k->count = 0;
}

void warps_forget(struct warps *w)
{
    for (unsigned i = 0; i < NUM_SLOTS; i++) {
        address_map_clear(&w->tenants[i].touched);
        free(w->tenants[i].touched_at);
        w->tenants[i] = (struct tenant){0};
    }
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        leave(&w->kernels[i]);
}

void warps_free(struct warps *w)
{
    warps_forget(w);
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        free(w->kernels[i].issued);
}

int warps_begin(struct warps *w, unsigned number, const struct ptx_kernel *kernel)
{
    struct kernel_warps *k = &w->kernels[number];
    leave(k);
    k->kernel = kernel;
    k->launch = ++w->launches;
    k->trips = calloc((size_t)NUM_SLOTS * kernel->num_loops + 1, sizeof *k->trips);
    return k->trips ? 0 : -1;
}

void warps_start(struct warps *w, const struct event *e)
{
    struct tenant *t = &w->tenants[e->of.warp_start.warp];
    address_map_clear(&t->touched);
    t->life = ++w->lives;
    t->kernel = (unsigned)e->of.warp_start.kernel;
    t->block =
        w->kernels[t->kernel].launch << 32 | e->of.warp_start.block; /* more than a grid has */
    t->last_pc = UINT64_MAX;
}

static int in_loop(const struct ptx_kernel *k, uint64_t pc, uint32_t loop)
{
    uint32_t around = pc < k->num_uops ? k->loop_of[pc] : 0;
    while (around && around != loop)
        around = k->loops[around - 1].outer;
    return around != 0;
}

static struct trips *trips_of(const struct kernel_warps *k, uint64_t warp, uint32_t loop)
{
    return &k->trips[warp * k->kernel->num_loops + loop - 1];
}

/* A loop goes on to its next trip if the warp comes from within; else it is entered, and what was
 * before is of no trip. (Loops that begin at the same instruction are one.) */
static void begin_trip(const struct kernel_warps *k, uint64_t from, const struct event *e)
{
    const uint32_t loop = (uint32_t)e->of.issue.loop_begin;
    struct trips *t = trips_of(k, e->of.issue.warp, loop);
    t->last_one = in_loop(k->kernel, from, loop) ? t->this_one : e->cycle;
    t->this_one = e->cycle;
}

/* What no lane executes is issued and makes no access: when the ring is full, its oldest is that,
 * and has left the queue. */
void warps_issue(struct warps *w, const struct event *e, int is_load)
{
    const uint64_t warp = e->of.issue.warp, pc = e->of.issue.pc;
    struct tenant *t = &w->tenants[warp];
    struct kernel_warps *k = &w->kernels[t->kernel];
    if (e->of.issue.loop_begin)
        begin_trip(k, t->last_pc, e);
    t->last_pc = pc;
    if (!is_load)
        return;
    const uint32_t loop = k->kernel->loop_of[pc];
    if (k->count == w->places) {
        k->first = (k->first + 1) % w->places;
        k->count--;
    }
    k->issued[(k->first + k->count++) % w->places] =
        (struct issued){.cycle = e->cycle,
                        .warp = warp,
                        .in_loop = loop != 0,
                        .trips = loop ? *trips_of(k, warp, loop) : (struct trips){0}};
}

const struct issued *warps_access(struct warps *w, const struct event *e)
{
    struct kernel_warps *k = &w->kernels[w->tenants[e->of.access.warp].kernel];
    while (k->count) {
        const struct issued *oldest = &k->issued[k->first];
        k->first = (k->first + 1) % w->places;
        k->count--;
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
