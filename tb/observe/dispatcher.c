/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/dispatcher.c: see dispatcher.h. */
#include "tb/observe/dispatcher.h"

#include <inttypes.h>
#include <string.h>

/* Blocks of an SM: those that have slots, and those on their way. */
static uint64_t blocks_of(const struct sm *sm)
{
    uint64_t contexts = 0;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        for (unsigned slot = 0; slot < NUM_WARPS; slot++)
            if (sm->schedulers[i].state[slot] != WARP_FREE)
                contexts |= UINT64_C(1) << sm->schedulers[i].block[slot];
    return (uint64_t)__builtin_popcountll(contexts) + sm->num_placements;
}

/* Blocks that an SM should have. */
static uint64_t held(const struct dispatcher_observed *o, unsigned sm)
{
    return o->gpu.held[sm] + o->reported[sm] - o->sms[sm].ended;
}

/* Has each SM the blocks that were chosen for it, this cycle's as the last? */
static int placed_wrong(struct dispatcher_observed *o, uint64_t cycle, const struct chosen *c)
{
    if (c->valid && ++o->handed_out == o->gpu.blocks)
        o->gpu.last_block = cycle;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        const uint64_t should = held(o, i), has = blocks_of(o->sms[i].sm);
        if (has != should)
            return wrong(&o->verdict, cycle,
                         "sm %u has %" PRIu64
                         " blocks; by the units' outputs it should have %" PRIu64,
                         i, has, should);
    }
    if (!c->valid)
        return 0;
    const struct sm *sm = o->sms[c->sm].sm;
    const struct placement *last =
        &sm->placements[(sm->first_placement + sm->num_placements - 1) % MAX_BLOCKS];
    if (last->linear_id == c->block && last->cycle == cycle)
        return 0;
    return wrong(&o->verdict, cycle,
                 "sm %" PRIu64 " receives block %" PRIu64 " in cycle %" PRIu64
                 "; the units have chosen block %" PRIu64 " for this cycle",
                 c->sm, last->linear_id, last->cycle, c->block);
}

static int asked(void *context, uint64_t cycle)
{
    struct dispatcher_observed *o = context;
    return gpu_observed_asked(&o->gpu, cycle) || placed_wrong(o, cycle, &o->gpu.chosen);
}

static int ran(void *context, uint64_t until)
{
    struct dispatcher_observed *o = context;
    return gpu_observed_rested(&o->gpu, until);
}

int dispatcher_observed_open(struct dispatcher_observed *o, const struct config *c,
                             const struct plan *plan, struct dispatcher *d, const struct sm *sm,
                             const struct sm_observed *sms)
{
    *o = (struct dispatcher_observed){.dispatcher = d,
                                      .sms = sms,
                                      .verdict = {.sm = -1, .scheduler = -1},
                                      .observer = {o, asked, ran}};
    d->observer = &o->observer;
    return gpu_observed_open(&o->gpu, c, plan, d, sm, &o->verdict);
}

void dispatcher_observed_close(struct dispatcher_observed *o)
{
    gpu_observed_close(&o->gpu);
}

void dispatcher_observed_starts(struct dispatcher_observed *o, uint64_t blocks, uint64_t room,
                                const struct block_groups *groups, uint64_t cycle)
{
    gpu_observed_starts(&o->gpu, blocks, room, groups, cycle);
    for (unsigned i = 0; i < NUM_SMS; i++)
        o->reported[i] = o->sms[i].ended;
    o->handed_out = 0;
    o->l2 = memory_l2_served(o->sms[0].sm->memory);
}

/* What memory is like for all SMs, by what their observers have seen come and go. */
static void find_memory(struct dispatcher_observed *o)
{
    const struct l2_served l2 = memory_l2_served(o->sms[0].sm->memory);
    const uint64_t accesses = l2.accesses - o->l2.accesses, misses = l2.misses - o->l2.misses;
    struct gpu_memory now = {0};
    uint64_t replies = 0, blocks = o->gpu.blocks - o->handed_out;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        blocks += held(o, i);
        const struct traffic_observer *t = &o->sms[i].traffic;
        now.latency += t->cycles;
        replies += t->replies;
        now.in_flight += t->in_flight;
    }
    now.latency = replies ? now.latency / replies : 0;
    now.l2_missed = accesses ? misses * 100 / accesses : 0;
    if (!blocks || !memcmp(&now, &o->gpu.memory, sizeof now))
        return; /* nothing is told any more when all blocks have ended */
    o->gpu.memory = now;
    o->gpu.memory_since = o->dispatcher->cycle;
}

void dispatcher_observed_window(struct dispatcher_observed *o)
{
    for (unsigned i = 0; i < NUM_SMS; i++) {
        gpu_observed_ended(&o->gpu, i, o->sms[i].ended - o->reported[i]);
        o->reported[i] = o->sms[i].ended;
        o->gpu.counted[i] = sm_observed_counted(&o->sms[i], &o->gpu);
    }
    if (o->sms[0].traffic.lsu)
        find_memory(o);
}

void dispatcher_observed_stopped(struct dispatcher_observed *o)
{
    gpu_observed_stopped(&o->gpu);
}
