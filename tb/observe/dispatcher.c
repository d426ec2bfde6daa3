/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/dispatcher.c: see dispatcher.h. What the unit is to be shown: rtl/dispatch/README.md. */
#include "tb/observe/dispatcher.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The inputs of a cycle. Of each SM the unit hears of one block per cycle. */
static void expect(struct dispatcher_observed *o, uint64_t cycle)
{
    struct dispatch_in *in = &o->in;
    memset(in, 0, sizeof *in);
    in->policy = !strcmp(o->config->run_dispatch, "bcs");
    in->start = cycle == o->start;
    in->blocks = o->blocks;
    in->limit = o->room;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        bit_set(in->allow, i, 1);
        if (o->untold[i]) {
            o->untold[i]--;
            bit_set(in->ended, i, 1);
        }
    }
}

/* A cycle of the shadow. Returns what the machine is to do in it: what the unit chose `delay` cycles
 * ago. */
static const struct chosen *step(struct dispatcher_observed *o)
{
    const uint64_t ring = o->delay + 1, cycle = o->next++;
    expect(o, cycle);
    dispatch_comb(&o->state, &o->in, &o->out);
    dispatch_tick(&o->state, &o->in, &o->out);
    o->late[cycle % ring] =
        (struct chosen){(int)o->out.place_valid, o->out.place_sm, o->out.place_block};
    return &o->late[(cycle + 1) % ring];
}

static const struct unit *unit_of_it(const struct dispatcher_observed *o)
{
    return unit_of(o->plug->unit);
}

static int registers_differ(struct dispatcher_observed *o, uint64_t cycle)
{
    return fields_differ(&o->verdict, cycle, unit_of_it(o), FIELD_STATE, &o->state,
                         plug_state(o->plug));
}

/* The cycles before this one, in which the machine's unit was not asked. */
static int rested(struct dispatcher_observed *o, uint64_t cycle)
{
    while (o->next < cycle) {
        const struct chosen *c = step(o);
        if (c->valid)
            return wrong(&o->verdict, o->next - 1,
                         "the cycle was left out, but block %" PRIu64
                         " should have gone to sm %" PRIu64,
                         c->block, c->sm);
    }
    return 0;
}

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

/* Has each SM the blocks that were chosen for it, this cycle's as the last? */
static int placed_wrong(struct dispatcher_observed *o, uint64_t cycle, const struct chosen *c)
{
    if (c->valid) {
        o->placed[c->sm]++;
        if (++o->handed_out == o->blocks)
            o->gpu.last_block = cycle;
    }
    for (unsigned i = 0; i < NUM_SMS; i++) {
        const uint64_t should = o->placed[i] - o->sms[i].ended, has = blocks_of(o->sms[i].sm);
        if (has != should)
            return wrong(&o->verdict, cycle,
                         "sm %u has %" PRIu64
                         " blocks; by dispatch's outputs it should have %" PRIu64,
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
                 "; dispatch has chosen block %" PRIu64 " for this cycle",
                 c->sm, last->linear_id, last->cycle, c->block);
}

static int asked(void *context, uint64_t cycle)
{
    struct dispatcher_observed *o = context;
    if (gpu_observed_asked(&o->gpu, cycle) || rested(o, cycle))
        return 1;
    const struct chosen *chosen = step(o);
    return fields_differ(&o->verdict, cycle, unit_of_it(o), FIELD_IN, &o->in, o->plug->in) ||
           registers_differ(o, cycle) || placed_wrong(o, cycle, chosen);
}

static int ran(void *context, uint64_t until)
{
    struct dispatcher_observed *o = context;
    return gpu_observed_rested(&o->gpu, until) || rested(o, until) ||
           registers_differ(o, until - 1);
}

int dispatcher_observed_open(struct dispatcher_observed *o, const struct config *c,
                             const struct plan *plan, struct dispatcher *d, const struct sm *sm,
                             const struct sm_observed *sms)
{
    *o = (struct dispatcher_observed){.config = c,
                                      .dispatcher = d,
                                      .sms = sms,
                                      .start = UINT64_MAX,
                                      .verdict = {.sm = -1, .scheduler = -1},
                                      .observer = {o, asked, ran}};
    if (gpu_observed_open(&o->gpu, c, plan, d, sm, &o->verdict))
        return -1;
    unsigned i = 0;
    while (strcmp(plan->units[i].socket->stem, "dispatch") != 0)
        i++;
    o->plug = &d->rack.plugs[i];
    o->delay = plan->units[i].delay;
    o->late = calloc(o->delay + 1, sizeof *o->late);
    dispatch_reset(&o->state);
    d->observer = &o->observer;
    return o->late ? 0 : -1;
}

void dispatcher_observed_close(struct dispatcher_observed *o)
{
    gpu_observed_close(&o->gpu);
    free(o->late);
}

void dispatcher_observed_starts(struct dispatcher_observed *o, uint64_t blocks, uint64_t room,
                                uint64_t cycle)
{
    gpu_observed_starts(&o->gpu, cycle);
    o->blocks = blocks;
    o->room = room;
    o->next = o->start = cycle;
    memset(o->untold, 0, sizeof o->untold);
    memset(o->late, 0, (o->delay + 1) * sizeof *o->late);
    for (unsigned i = 0; i < NUM_SMS; i++)
        o->placed[i] = o->reported[i] = o->sms[i].ended;
    o->handed_out = 0;
    o->l2 = memory_l2_served(o->sms[0].sm->memory);
}

/* What memory is like for all SMs, by what their observers have seen come and go. */
static void find_memory(struct dispatcher_observed *o)
{
    const struct l2_served l2 = memory_l2_served(o->sms[0].sm->memory);
    const uint64_t accesses = l2.accesses - o->l2.accesses, misses = l2.misses - o->l2.misses;
    struct gpu_memory now = {0};
    uint64_t replies = 0, blocks = o->blocks - o->handed_out;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        blocks += o->placed[i] - o->sms[i].ended;
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
        o->untold[i] += o->sms[i].ended - o->reported[i];
        o->reported[i] = o->sms[i].ended;
        o->gpu.counted[i] = sm_observed_counted(&o->sms[i], &o->gpu);
    }
    if (o->sms[0].traffic.lsu)
        find_memory(o);
}

void dispatcher_observed_stopped(struct dispatcher_observed *o)
{
    memcpy(&o->state, plug_state(o->plug), sizeof o->state);
    gpu_observed_stopped(&o->gpu);
}
