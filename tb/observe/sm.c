/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/sm.c: see sm.h. */
#include "tb/observe/sm.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tb/observe/lines.h"

/* A warp's number in the SM. */
static unsigned number_of(unsigned scheduler, unsigned slot)
{
    return scheduler * NUM_WARPS + slot;
}

static const struct block *block_of(const struct sm *sm, unsigned scheduler, unsigned slot)
{
    return &sm->blocks[sm->schedulers[scheduler].block[slot]];
}

/* The kernel of a warp, and its number. */
static const struct sm_kernel *kernel_at(const struct sm *sm, unsigned scheduler, unsigned slot)
{
    return block_of(sm, scheduler, slot)->kernel;
}

static unsigned kernel_number(const struct sm *sm, const struct sm_kernel *kernel)
{
    unsigned number = 0;
    while (&sm->kernels[number] != kernel)
        number++;
    return number;
}

static void remember_states(struct sm_observed *o)
{
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        memcpy(o->states[i], o->sm->schedulers[i].state, sizeof o->states[i]);
}

/* The contexts that have slots which went from one state to another since it looked. */
static uint64_t contexts_of(const struct sm_observed *o, unsigned from, unsigned to)
{
    uint64_t contexts = 0;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        for (unsigned slot = 0; slot < NUM_WARPS; slot++)
            if (o->states[i][slot] == from && o->sm->schedulers[i].state[slot] == to)
                contexts |= UINT64_C(1) << o->sm->schedulers[i].block[slot];
    return contexts;
}

/* Thread blocks are numbered x fastest. */
static int ctaid_wrong(struct sm_observed *o, uint64_t cycle, const struct block *b)
{
    const uint32_t *grid = b->kernel->launch->grid, *is = b->exec.ctaid;
    const uint64_t should[3] = {b->linear_id % grid[0], b->linear_id / grid[0] % grid[1],
                                b->linear_id / grid[0] / grid[1]};
    if (is[0] == should[0] && is[1] == should[1] && is[2] == should[2])
        return 0;
    return wrong(&o->verdict, cycle,
                 "ctaid of block %" PRIu64 " is (%u, %u, %u); it should be (%" PRIu64 ", %" PRIu64
                 ", %" PRIu64 ")",
                 b->linear_id, is[0], is[1], is[2], should[0], should[1], should[2]);
}

/* Warp j of a block belongs to scheduler j modulo their number. */
static int placed_wrong(struct sm_observed *o, uint64_t cycle, unsigned context)
{
    const uint32_t should = o->sm->blocks[context].kernel->shape.warps;
    uint64_t there = 0, warps = 0;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        for (unsigned slot = 0; slot < NUM_WARPS; slot++) {
            const struct scheduler *sc = &o->sm->schedulers[i];
            if (sc->state[slot] == WARP_FREE || sc->block[slot] != context)
                continue;
            const unsigned warp = sc->warps[slot].warp_in_block;
            warps++;
            there += warp % NUM_SCHEDULERS == i && warp < should;
        }
    if (there == should && warps == there)
        return 0;
    return wrong(&o->verdict, cycle,
                 "block %" PRIu64 " has %" PRIu64 " warps, %" PRIu64
                 " of them where they belong, of %u",
                 o->sm->blocks[context].linear_id, warps, there, should);
}

/* Blocks have come and replies have arrived: nobody has had a turn yet. */
static int arrived(struct sm_observed *o, uint64_t cycle)
{
    for (uint64_t rest = contexts_of(o, WARP_FREE, WARP_START); rest; rest &= rest - 1) {
        const unsigned context = (unsigned)__builtin_ctzll(rest);
        const struct block *b = &o->sm->blocks[context];
        happened(&o->events, block_start, .block = b->linear_id, .context = context,
                 .kernel = (uint64_t)(b->kernel - o->sm->kernels));
        if (ctaid_wrong(o, cycle, b) || placed_wrong(o, cycle, context))
            return 1;
    }
    l1d_arrived(&o->l1d, &o->events);
    remember_states(o);
    return 0;
}

/* What the GPU has to tell. */
static void news_happened(struct sm_observed *o, uint64_t cycle)
{
    const struct gpu_observed *g = o->units.gpu;
    const uint32_t hears = o->events.listener.hears;
    if (hears & HEARS(last_block) && g->last_block == cycle)
        happened(&o->events, last_block);
    if (hears & HEARS(gpu_memory) && g->memory_since == cycle)
        happened(&o->events, gpu_memory, .latency = g->memory.latency,
                 .l2_missed = g->memory.l2_missed, .in_flight = g->memory.in_flight);
}

static int cycle_begins(void *context, uint64_t cycle)
{
    struct sm_observed *o = context;
    o->verdict.scheduler = -1;
    if (units_rested(&o->units, cycle))
        return 1;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        memcpy(o->began[i], o->sm->schedulers[i].state, sizeof o->began[i]);
    news_happened(o, cycle);
    o->served = o->sm->lsu.apart ? o->sm->controls[0].serve : 0;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        o->verdict.scheduler = (int)i;
        if (scheduler_rested(&o->schedulers[i], cycle))
            return 1;
    }
    o->turns = 0;
    return 0;
}

static int turn(void *context, unsigned scheduler, uint64_t cycle)
{
    struct sm_observed *o = context;
    o->verdict.scheduler = -1;
    if (!o->turns++ && arrived(o, cycle))
        return 1;
    o->verdict.scheduler = (int)scheduler;
    return scheduler_turn(&o->schedulers[scheduler], cycle);
}

/* An instruction of the slot has joined its queue of the load/store unit. */
static void queued(struct sm_observed *o, unsigned scheduler, unsigned slot, int pollute)
{
    const struct sm *sm = o->sm;
    const unsigned kernel = kernel_number(sm, kernel_at(sm, scheduler, slot));
    struct queue_observed *q = &o->queues[sm->lsu.apart ? kernel : 0];
    q->pollute[(q->first + q->count++) % o->room] = (uint8_t)pollute;
}

static void issue_happened(struct sm_observed *o, unsigned scheduler, unsigned slot, uint64_t cycle)
{
    const struct scheduler_observer *s = &o->schedulers[scheduler];
    const struct scheduler *sc = &o->sm->schedulers[scheduler];
    const struct steered *by = gpu_steered(o->units.gpu, &o->at, cycle);
    if (by->controls.count == 1) {
        o->counted = o->rose == by->rose ? o->counted + 1 : 1;
        o->rose = by->rose;
    }
    const uint32_t pc = s->before[slot].pc;
    const struct sm_kernel *kernel = kernel_at(o->sm, scheduler, slot);
    const struct place *places = o->places[kernel_number(o->sm, kernel)];
    const struct uop *u = &kernel->launch->kernel->uops[pc];
    const unsigned class = u->klass == CLASS_CTRL ? 0 : u->klass;
    const uint32_t next_pc = sc->warps[slot].pc, end = kernel->launch->kernel->num_uops;
    const struct place *is = &places[pc], *next = &places[next_pc < end ? next_pc : end];
    happened(&o->events, issue, .warp = number_of(scheduler, slot), .pc = pc, .next_pc = next_pc,
             .issue_class = class, .active = s->before[slot].active, .load = is->load,
             .loop_begin = is->begins, .loop_end = is->ends, .loop_last = is->last,
             .loop = next->around, .next_loop = next->behind);
}

static int turned(void *context, unsigned scheduler, uint64_t cycle)
{
    struct sm_observed *o = context;
    const struct scheduler *sc = &o->sm->schedulers[scheduler];
    struct scheduler_observer *s = &o->schedulers[scheduler];
    if (scheduler_turned(s, cycle))
        return 1;
    for (unsigned slot = 0; slot < NUM_WARPS; slot++) {
        const unsigned from = o->states[scheduler][slot], to = sc->state[slot];
        if (from == WARP_START && to == WARP_RUN) {
            if (l1d_begins(&o->l1d, &o->verdict, cycle, number_of(scheduler, slot)))
                return 1;
            happened(&o->events, warp_start, .warp = number_of(scheduler, slot),
                     .block = block_of(o->sm, scheduler, slot)->linear_id,
                     .kernel = kernel_number(o->sm, kernel_at(o->sm, scheduler, slot)));
        } else if (from == WARP_RUN && to == WARP_DONE)
            happened(&o->events, warp_end, .warp = number_of(scheduler, slot));
        else if (from == WARP_RUN && to == WARP_BARRIER)
            happened(&o->events, barrier_wait, .warp = number_of(scheduler, slot));
    }
    for (uint64_t left = s->issued; left; left &= left - 1)
        issue_happened(o, scheduler, (unsigned)__builtin_ctzll(left), cycle);
    if (s->to_memory) {
        const unsigned slot = (unsigned)__builtin_ctzll(s->issued & s->wants_memory);
        queued(o, scheduler, slot, s->controls.pollute >> slot & 1);
    }
    o->to_memory += (unsigned)s->to_memory;
    o->units.action[scheduler] = s->controls.action;
    memcpy(o->fetch[scheduler].fetched, sc->fetched, sizeof sc->fetched);
    o->fetch[scheduler].awaited = sc->awaited;
    o->fetch[scheduler].came = sc->came;
    memcpy(o->states[scheduler], sc->state, sizeof o->states[scheduler]);
    return 0;
}

/* The head of the load/store unit has gone to L1D, or to the cache of constants. */
static void head_opened(struct sm_observed *o, const struct lsu_entry *e, uint32_t load,
                        uint64_t cycle)
{
    const struct exec_access *a = &e->access;
    const struct sm_kernel *kernel = kernel_at(o->sm, e->warp / NUM_WARPS, e->warp % NUM_WARPS);
    const struct place *is = &o->places[kernel_number(o->sm, kernel)][e->uop];
    const int loads = kernel->launch->kernel->uops[e->uop].op == U_LD;
    const int is_constant = a->space == SPACE_CONST || a->space == SPACE_PARAM;
    if (!a->is_store || a->is_atomic)
        traffic_opened(&o->traffic, load, is_constant, cycle);
    if (is_constant)
        return;
    const struct seen_lines lines = seen_lines(o->sm, kernel, e->warp, a);
    happened(&o->events, access, .warp = e->warp, .pc = e->uop, .issued = e->issued,
             .lines = lines.count, .line = lines.first, .active = a->mask,
             .load = loads ? is->load : 0, .loop = is->around);
}

/* Where kernels have queues apart the load/store unit works for the one that is granted, and no other. */
static int served_wrong(struct sm_observed *o, unsigned number, uint64_t cycle)
{
    const struct queue_observed *before = &o->queues[number];
    const struct lsu_queue *q = &o->sm->lsu.queues[number];
    const int works = q->count < before->count || q->open != before->open ||
                      (q->stalled && q->failed == cycle) ||
                      (q->open && q->next_line != before->next_line);
    if (!o->sm->lsu.apart || works == (o->served == number))
        return 0;
    return wrong(&o->verdict, cycle,
                 "the load/store unit works %sfor kernel %u; granted: %" PRIu64 " (%d: none)",
                 works ? "" : "not ", number, o->served, NUM_KERNELS);
}

/* The load/store unit has made at most one access, for the instruction that was the oldest of the queue that it serves. */
static int memory_wrong(struct sm_observed *o, uint64_t cycle)
{
    o->final = 0;
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        if (served_wrong(o, i, cycle))
            return 1;
    if (o->served >= NUM_KERNELS || !o->queues[o->served].count)
        return 0;
    struct queue_observed *was = &o->queues[o->served];
    const struct lsu_queue *q = &o->sm->lsu.queues[o->served];
    const struct lsu_entry *e =
        &q->entries[(q->first + o->room - (was->count - q->count)) % o->room];
    const int done = q->count < was->count;
    if (!was->open && (done || q->open) && e->access.mask && e->access.space != SPACE_SHARED)
        head_opened(o, e, q->load, cycle);
    was->open = !done && q->open;
    was->next_line = q->next_line;
    const int failed = l1d_accessed(&o->l1d, &o->events, &o->verdict, cycle, e->warp, e->uop,
                                    was->pollute[was->first]);
    o->final = done;
    if (done) {
        was->first = (was->first + 1) % o->room;
        was->count--;
    }
    return failed;
}

/* Fetches that have looked into the instruction cache: one that is on its way now found its line, unless it has waited for it; one that
 * waits now did not. */
static void fetches_happened(struct sm_observed *o)
{
    for (unsigned i = 0;
         i < NUM_SCHEDULERS && o->events.listener.hears & HEARS(fetch) && o->sm->l1i; i++)
        for (unsigned slot = 0; slot < NUM_WARPS; slot++) {
            const struct scheduler *sc = &o->sm->schedulers[i];
            const uint64_t bit = UINT64_C(1) << slot;
            const int goes = sc->fetched[slot] > o->fetch[i].fetched[slot];
            if (goes && !(o->fetch[i].came & bit))
                happened(&o->events, fetch, .warp = number_of(i, slot), .hit = 1);
            if (sc->awaited & ~o->fetch[i].awaited & bit)
                happened(&o->events, fetch, .warp = number_of(i, slot), .hit = 0);
        }
}

static int stepped(void *context, uint64_t cycle)
{
    struct sm_observed *o = context;
    o->verdict.scheduler = -1;
    if (memory_wrong(o, cycle))
        return 1;
    traffic_stepped(&o->traffic, &o->events, o->to_memory, cycle);
    o->to_memory = 0;
    fetches_happened(o);
    for (uint64_t rest = contexts_of(o, WARP_DONE, WARP_FREE); rest; rest &= rest - 1) {
        const unsigned number = (unsigned)__builtin_ctzll(rest);
        const unsigned kernel = kernel_number(o->sm, o->sm->blocks[number].kernel);
        o->ended[kernel]++;
        happened(&o->events, block_end, .block = o->sm->blocks[number].linear_id, .context = number,
                 .kernel = kernel);
    }
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        for (unsigned slot = 0; slot < NUM_WARPS; slot++)
            if (o->states[i][slot] == WARP_BARRIER && o->sm->schedulers[i].state[slot] == WARP_RUN)
                happened(&o->events, barrier_leave, .warp = number_of(i, slot));
    remember_states(o);
    if (events_differ(&o->events, &o->verdict, cycle) ||
        units_stepped(&o->units, cycle, &o->events, o->final))
        return 1;
    events_forget(&o->events);
    return 0;
}

int sm_observed_open(struct sm_observed *o, const struct config *c, const struct plan *plans,
                     struct sm *sm, unsigned index, const struct gpu_observed *gpu)
{
    int failed = 0;
    *o = (struct sm_observed){.sm = sm, .room = sm->lsu.places + 1};
    o->verdict = (struct verdict){.sm = (int)index, .scheduler = -1};
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        failed |= !(o->queues[i].pollute = calloc(o->room, 1));
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        failed |= scheduler_observe(&o->schedulers[i], c, &plans[SCOPE_SCHEDULER], sm,
                                    &sm->schedulers[i], &o->verdict);
    failed |= units_observe(&o->units, c, &plans[SCOPE_SM], sm, gpu, &o->verdict);
    failed |= l1d_observe(&o->l1d, sm->l1d) | traffic_observe(&o->traffic, sm);
    events_observe(&o->events, sm->rack.hears);
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        o->schedulers[i].registers.began = o->began;
    o->observer = (struct sm_observer){o, cycle_begins, turn, turned, stepped};
    sm->observer = &o->observer;
    sm_listen(sm, &o->events.listener);
    return failed ? -1 : 0;
}

void sm_observed_close(struct sm_observed *o)
{
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        scheduler_observer_free(&o->schedulers[i]);
    units_observer_free(&o->units);
    l1d_observer_free(&o->l1d);
    traffic_observer_free(&o->traffic);
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        free(o->queues[i].pollute);
}

uint64_t sm_observed_counted(const struct sm_observed *o, const struct gpu_observed *gpu)
{
    return gpu->num_steered && o->rose == gpu->steered[gpu->num_steered - 1].rose ? o->counted : 0;
}

void sm_observed_starts(struct sm_observed *o, unsigned kernel, int alone,
                        const struct place *places, uint64_t cycle)
{
    o->places[kernel] = places;
    o->units.places = o->places[0]; /* units that hear of them know one kernel */
    if (!alone)
        return;
    traffic_starts(&o->traffic);
    o->to_memory = 0;
    o->counted = o->rose = o->at = 0;
    for (unsigned i = 0; i < NUM_KERNELS; i++) {
        o->queues[i].first = o->queues[i].count = 0;
        o->queues[i].open = 0;
    }
    events_forget(&o->events);
    units_start(&o->units, cycle);
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        scheduler_starts(&o->schedulers[i], cycle);
    l1d_starts(&o->l1d);
    remember_states(o);
}
