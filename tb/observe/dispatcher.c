/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/dispatcher.c: see dispatcher.h. */
#include "tb/observe/dispatcher.h"

#include <inttypes.h>
#include <string.h>

/* A block that is on its way to an SM, the oldest is number 0. */
static const struct placement *placement(const struct sm *sm, unsigned number)
{
    return &sm->placements[(sm->first_placement + number) % MAX_BLOCKS];
}

/* Blocks of a kernel on an SM: those that have slots, and those on their way. */
static uint64_t blocks_of(const struct sm *sm, unsigned kernel)
{
    uint64_t contexts = 0, blocks = 0;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        for (unsigned slot = 0; slot < NUM_WARPS; slot++)
            if (sm->schedulers[i].state[slot] != WARP_FREE)
                contexts |= UINT64_C(1) << sm->schedulers[i].block[slot];
    for (uint64_t rest = contexts; rest; rest &= rest - 1)
        blocks += sm->blocks[__builtin_ctzll(rest)].kernel == &sm->kernels[kernel];
    for (unsigned i = 0; i < sm->num_placements; i++)
        blocks += placement(sm, i)->kernel == kernel;
    return blocks;
}

/* Blocks of a kernel that an SM should have. */
static uint64_t held(const struct dispatcher_observed *o, unsigned kernel, unsigned sm)
{
    return o->gpu.kernels[kernel].held[sm] + o->reported[kernel][sm] - o->sms[sm].ended[kernel];
}

/* Are all blocks of all kernels that run handed out? */
static int all_handed_out(const struct dispatcher_observed *o)
{
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        if (o->gpu.kernels[k].occupancy && o->handed_out[k] < o->gpu.kernels[k].blocks)
            return 0;
    return 1;
}

/* Has each SM the blocks that were chosen for it, this cycle's as the last? */
static int placed_wrong(struct dispatcher_observed *o, uint64_t cycle, const struct chosen *c)
{
    if (c->valid) {
        o->handed_out[c->kernel]++;
        if (all_handed_out(o))
            o->gpu.last_block = cycle;
    }
    for (unsigned i = 0; i < NUM_SMS; i++)
        for (unsigned k = 0; k < NUM_KERNELS; k++) {
            const uint64_t should = held(o, k, i), has = blocks_of(o->sms[i].sm, k);
            if (has != should)
                return wrong(&o->verdict, cycle,
                             "sm %u has %" PRIu64 " blocks of kernel %u"
                             "; by the units' outputs it should have %" PRIu64,
                             i, has, k, should);
        }
    if (!c->valid)
        return 0;
    const struct sm *sm = o->sms[c->sm].sm;
    const struct placement *last = placement(sm, sm->num_placements - 1);
    if (last->kernel == c->kernel && last->linear_id == c->block && last->cycle == cycle)
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

void dispatcher_observed_starts(struct dispatcher_observed *o, unsigned kernel,
                                const struct occupancy *occupancy, uint64_t blocks,
                                const struct block_groups *groups, uint64_t cycle)
{
    if (!gpu_observed_busy(&o->gpu))
        o->l2 = memory_l2_served(o->sms[0].sm->memory);
    gpu_observed_starts(&o->gpu, kernel, occupancy, blocks, groups, cycle);
    for (unsigned i = 0; i < NUM_SMS; i++)
        o->reported[kernel][i] = o->sms[i].ended[kernel];
    o->handed_out[kernel] = 0;
}

/* What memory is like for all SMs, by what their observers have seen come and go. */
static void find_memory(struct dispatcher_observed *o)
{
    const struct l2_served l2 = memory_l2_served(o->sms[0].sm->memory);
    const uint64_t accesses = l2.accesses - o->l2.accesses, misses = l2.misses - o->l2.misses;
    struct gpu_memory now = {0};
    uint64_t replies = 0, blocks = 0;
    for (unsigned k = 0; k < NUM_KERNELS; k++)
        if (o->gpu.kernels[k].occupancy)
            blocks += o->gpu.kernels[k].blocks - o->handed_out[k];
    for (unsigned i = 0; i < NUM_SMS; i++) {
        for (unsigned k = 0; k < NUM_KERNELS; k++)
            blocks += held(o, k, i);
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
        for (unsigned k = 0; k < NUM_KERNELS; k++) {
            gpu_observed_ended(&o->gpu, k, i, o->sms[i].ended[k] - o->reported[k][i]);
            o->reported[k][i] = o->sms[i].ended[k];
        }
        o->gpu.counted[i] = sm_observed_counted(&o->sms[i], &o->gpu);
    }
    if (o->sms[0].traffic.lsu)
        find_memory(o);
}

void dispatcher_observed_stopped(struct dispatcher_observed *o)
{
    gpu_observed_stopped(&o->gpu);
}
