/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/lsu.c: the load/store unit of an SM: a queue of instructions, served in order; or a queue of each
 * kernel, of which a unit says in each cycle which one is served (queues.c).
 *
 * A shared memory access takes the unit for as many cycles as its bank conflicts need passes, and
 * comes back after its latency. A constant access takes it for one cycle per distinct word, then
 * looks up its lines in L1C, one per cycle. Global and local accesses are coalesced into lines; one
 * goes to L1D in l1d.interval cycles, the time in which the lanes take it. A reservation failure
 * keeps the head, and so its whole queue, waiting; the cache counts it by cause. A load or atomic
 * ends when its last line has arrived, a store when its last line has been sent.
 */
#include <stdlib.h>

#include "tb/sm/sm_state.h"

#define NO_LOAD UINT32_MAX
/* Where physical addresses begin: those of local memory beyond all of tb/mem/gmem.h, of each kernel apart;
 * those of global memory where its address space is. */
#define LOCAL_BASE(kernel) (UINT64_C(0x8000000000000000) | (uint64_t)(kernel) << SPACE_SHIFT)
#define SPACE_BASE(space)  ((uint64_t)(space) << SPACE_SHIFT)

int lsu_init(struct sm *sm, const struct config *c)
{
    struct lsu *l = &sm->lsu;
    l->apart = sm->rack.queue ? ~UINT64_C(0) : 0;
    l->places = l->apart ? sm->rack.queue + 1 : (uint32_t)c->mem_queue;
    /* The heads; the lines in the hit pipelines; the requests that all MSHRs hold, or none does. */
    l->num_loads = 2 + NUM_KERNELS +
                   (uint32_t)(c->l1d_hit_latency + c->mem_const_latency +
                              c->l1d_mshrs * c->l1d_mshr_merge + c->l1c_mshrs * c->l1c_mshr_merge) +
                   memory_untracked(c);
    l->interval = (uint64_t)c->l1d_interval;
    l->first_l1c_tag = (uint32_t)c->l1d_mshrs;
    l->num_l1c_tags = (uint32_t)c->l1c_mshrs;
    l->first_l1i_tag = l->first_l1c_tag + l->num_l1c_tags;
    l->num_l1i_tags = c->l1i_sets ? (uint32_t)c->l1i_mshrs : 0;
    l->loads = calloc(l->num_loads, sizeof *l->loads);
    for (unsigned i = 0; i < (l->apart ? NUM_KERNELS : 1); i++)
        if (!(l->queues[i].entries = calloc(l->places + 1, sizeof *l->queues[i].entries)))
            return -1;
    if (!l->loads || delay_init(&l->shared, c->mem_shared_latency) ||
        delay_init(&l->constant, c->mem_const_latency) || delay_init(&l->hit, c->l1d_hit_latency))
        return -1;
    lsu_reset(l);
    return 0;
}

void lsu_free(struct lsu *l)
{
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        free(l->queues[i].entries);
    free(l->loads);
    free(l->shared.entries);
    free(l->constant.entries);
    free(l->hit.entries);
}

void lsu_reset(struct lsu *l)
{
    for (unsigned i = 0; i < NUM_KERNELS; i++) {
        struct lsu_queue *q = &l->queues[i];
        q->first = q->count = 0;
        q->open = q->found = 0;
        q->stalled = NULL;
    }
    l->count = 0;
    l->free = 0;
    delay_clear(&l->shared);
    delay_clear(&l->constant);
    delay_clear(&l->hit);
    for (uint32_t i = 0; i < l->num_loads; i++)
        l->loads[i].next_free = i + 1 < l->num_loads ? i + 1 : NO_LOAD;
    l->first_free_load = 0;
}

/* One of the lines that a load waits for is here. */
static void line_arrived(struct sm *sm, uint32_t number, uint64_t cycle)
{
    struct lsu_load *load = &sm->lsu.loads[number];
    if (--load->lines)
        return;
    if (!load->constant) {
        sm->replies.count++;
        sm->replies.cycles += cycle - load->since;
        tell(&sm->listener, cycle, reply, .warp = load->warp, .pc = load->uop,
             .latency = cycle - load->since);
    }
    load->next_free = sm->lsu.first_free_load;
    sm->lsu.first_free_load = number;
    sm_complete(sm, load->warp, load->uop, cycle);
}

/* A reply has come: a head whose access has failed tries again if that may help it. Where queues are apart the
 * other head may have changed the cache as well, and their unit goes by replies: any one counts. */
static void unblock(struct lsu *l, const struct l1 *cache, uint32_t tag)
{
    for (unsigned i = 0; i < NUM_KERNELS; i++) {
        struct lsu_queue *q = &l->queues[i];
        if (l->apart ||
            (q->stalled == cache && l1_unblocks(cache, tag, q->lines.line[q->next_line], q->cause)))
            q->retry = 1;
    }
}

void lsu_arrive(struct sm *sm, uint64_t cycle)
{
    struct lsu *l = &sm->lsu;
    struct delay_entry e;
    uint32_t tag;
    while (memory_receive(sm->memory, sm->index, cycle, &tag)) {
        const uint64_t *waiters;
        if (tag - l->first_l1i_tag < l->num_l1i_tags) {
            ibuffer_fill(sm, tag, cycle);
            continue;
        }
        struct l1 *cache = tag - l->first_l1c_tag < l->num_l1c_tags ? sm->l1c : sm->l1d;
        unblock(l, cache, tag);
        uint32_t count = l1_fill(cache, cycle, tag, &waiters);
        for (uint32_t i = 0; i < count; i++)
            line_arrived(sm, (uint32_t)waiters[i], cycle);
    }
    while (delay_pop(&l->hit, cycle, &e))
        line_arrived(sm, e.what, cycle);
    while (delay_pop(&l->shared, cycle, &e))
        sm_complete(sm, e.what, e.detail, cycle);
    while (delay_pop(&l->constant, cycle, &e))
        line_arrived(sm, e.what, cycle);
}

/* The one queue is full, or has room again. */
static void crowd(struct sm *sm, uint64_t slots)
{
    issue_touch_all(sm, ALL_WARPS);
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        sm->schedulers[i].crowded = slots;
}

void lsu_push(struct sm *sm, struct lsu_queue *q, uint64_t cycle)
{
    struct lsu *l = &sm->lsu;
    q->count++;
    l->count++;
    if (q->count < l->places)
        return;
    if (!l->apart)
        crowd(sm, ALL_WARPS);
    else if (q->count > l->places)
        queues_overflow(sm, q, cycle);
}

static void pop(struct sm *sm, struct lsu_queue *q)
{
    struct lsu *l = &sm->lsu;
    if (q->count == l->places && !l->apart)
        crowd(sm, 0);
    q->first = q->first == l->places ? 0 : q->first + 1;
    q->count--;
    l->count--;
    q->open = q->found = 0;
}

enum memory_path lsu_path(const struct exec_access *a)
{
    if (!a->mask || a->space == SPACE_SHARED)
        return PATH_SHARED;
    return a->space == SPACE_CONST || a->space == SPACE_PARAM ? PATH_CONSTANT : PATH_L1D;
}

/* Tells the lines of the head. */
static void tell_access(struct sm *sm, const struct lsu_queue *q, uint64_t cycle)
{
    const struct lsu_entry *e = &q->entries[q->first];
    const struct line_list *lines = &q->lines;
    const struct landmark *marks = kernel_of_warp(sm, e->warp)->landmarks;
    const int load = !e->access.is_store && !e->access.is_atomic;
    tell(&sm->listener, cycle, access, .warp = e->warp, .pc = e->uop, .issued = e->issued,
         .lines = lines->count, .line = lines->line[0], .active = e->access.mask,
         .load = load ? marks[e->uop].load : 0, .loop = marks[e->uop].loop);
}

/* The head's lines in global or constant memory, where its kernel's address space lies. */
static void coalesce(struct lsu_queue *q, const struct exec_access *a, uint32_t line_bytes,
                     uint32_t space)
{
    coalesce_global(&q->lines, a->address, a->mask, a->bytes, line_bytes);
    for (uint32_t i = 0; space && i < q->lines.count; i++)
        q->lines.line[i] += SPACE_BASE(space);
}

void lsu_find_lines(const struct sm *sm, struct lsu_queue *q)
{
    const struct lsu_entry *e = &q->entries[q->first];
    const struct exec_access *a = &e->access;
    const struct sm_kernel *k = kernel_of_warp(sm, e->warp);
    if (q->found || lsu_path(a) == PATH_SHARED)
        return;
    q->found = 1;
    q->next_line = 0;
    if (a->space == SPACE_LOCAL) {
        uint64_t stride = ((uint64_t)k->launch->kernel->local_bytes + 3) / 4 * 4 * WARP_LANES;
        uint64_t base =
            LOCAL_BASE(k - sm->kernels) + ((uint64_t)sm->index * NUM_SLOTS + e->warp) * stride;
        coalesce_local(&q->lines, base, a->address, a->mask, a->bytes, sm->line_bytes);
    } else
        coalesce(q, a, a->space == SPACE_GLOBAL ? sm->line_bytes : sm->const_line_bytes,
                 k->shape.space);
}

/* Begins the head. A load or atomic waits for its lines and, until all are requested, for
 * the head itself. Returns for how many cycles the unit is busy before it can access the first. */
static uint32_t open_head(struct sm *sm, struct lsu_queue *q, uint64_t cycle)
{
    struct lsu *l = &sm->lsu;
    const struct lsu_entry *e = &q->entries[q->first];
    const struct exec_access *a = &e->access;
    const int constant = lsu_path(a) == PATH_CONSTANT;
    lsu_find_lines(sm, q);
    if (!constant)
        tell_access(sm, q, cycle);
    q->open = 1;
    if (!a->is_store || a->is_atomic) {
        q->load = l->first_free_load;
        l->first_free_load = l->loads[q->load].next_free;
        l->loads[q->load] = (struct lsu_load){
            .warp = e->warp, .uop = e->uop, .lines = 1, .since = cycle, .constant = constant};
    }
    /* One bank: the constant cache sends one word to all lanes at a time. */
    return constant ? coalesce_banks(a->address, a->mask, 1, 1, 0) - 1 : 0;
}

/* Cycles in which a head has waited after its last access has failed, before this one. */
static void count_failures(struct lsu_queue *q, uint64_t cycle)
{
    if (q->stalled)
        l1_counters(q->stalled)->failures[q->cause] += cycle - q->failed - 1;
    q->stalled = NULL;
}

void lsu_account(struct sm *sm, uint64_t cycle)
{
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        count_failures(&sm->lsu.queues[i], cycle);
}

/* Sends the head's next line to its cache. */
static enum l1_result access_line(struct sm *sm, struct lsu_queue *q, uint64_t cycle)
{
    struct lsu *l = &sm->lsu;
    const struct lsu_entry *e = &q->entries[q->first];
    const uint64_t line = q->lines.line[q->next_line];
    const uint8_t sectors = q->lines.sectors[q->next_line];
    const int constant = lsu_path(&e->access) == PATH_CONSTANT;
    struct l1 *cache = constant ? sm->l1c : sm->l1d;
    enum l1_result result;
    count_failures(q, cycle);
    if (e->access.is_atomic)
        result = l1_atomic(cache, cycle, line, sectors, q->load, &q->cause);
    else if (e->access.is_store)
        result = l1_store(cache, cycle, line, sectors, &q->cause);
    else
        result = l1_load(cache, cycle, line, sectors, &(struct l1_user){e->warp, e->uop, q->load},
                         constant || e->pollute, &q->cause);
    q->stalled = result == L1_FAILED ? cache : NULL;
    q->failed = cycle;
    q->retry = 0;
    if (result != L1_FAILED && !constant)
        l->free = cycle + l->interval;
    if (result != L1_FAILED && (!e->access.is_store || e->access.is_atomic))
        l->loads[q->load].lines++;
    /* Data on its way may come at once: a load that merges waits for it and, like a hit, for the
     * pipeline. (So no load ends before its window: see struct exec_later.) */
    if (result == L1_MERGED)
        l->loads[q->load].lines++;
    if (result == L1_HIT || result == L1_MERGED)
        delay_push(constant ? &l->constant : &l->hit, cycle, q->load, 0);
    return result;
}

/* Shared memory, and accesses without any lane, which come back like it. */
static void access_shared(struct sm *sm, const struct lsu_entry *e, uint64_t cycle)
{
    struct lsu *l = &sm->lsu;
    const struct exec_access *a = &e->access;
    struct sm_kernel *k = kernel_of_warp(sm, e->warp);
    const uint32_t passes =
        a->mask ? coalesce_banks(a->address, a->mask, a->bytes, sm->shared_banks, a->is_atomic) : 1;
    const uint64_t last = cycle + passes - 1;
    k->counters.shared_accesses += a->mask != 0;
    k->counters.shared_conflicts += passes - 1;
    l->free = last + 1;
    if (k->launch->kernel->uops[e->uop].num_writes)
        delay_push(&l->shared, last, e->warp, e->uop);
    else
        sm_complete(sm, e->warp, e->uop, cycle);
}

void lsu_step(struct sm *sm, uint64_t cycle)
{
    struct lsu *l = &sm->lsu;
    struct lsu_queue *q = l->apart ? queues_served(sm, cycle) : &l->queues[0];
    if (!q || (q->stalled && q->cause != L1_FAIL_queue_full && !q->retry))
        return;
    const struct lsu_entry *e = &q->entries[q->first];
    const struct exec_access *a = &e->access;
    if (lsu_path(a) == PATH_SHARED) {
        access_shared(sm, e, cycle);
        pop(sm, q);
        return;
    }
    if (!q->open) {
        const uint32_t busy = open_head(sm, q, cycle);
        kernel_of_warp(sm, e->warp)->counters.constant_conflicts += busy;
        l->free = cycle + busy;
        if (busy)
            return;
    }
    if (access_line(sm, q, cycle) == L1_FAILED || ++q->next_line < q->lines.count)
        return;
    if (a->is_store && !a->is_atomic)
        sm_complete(sm, e->warp, e->uop, cycle);
    else
        line_arrived(sm, q->load, cycle);
    pop(sm, q);
}

uint64_t lsu_next(const struct sm *sm, uint64_t cycle)
{
    const struct lsu *l = &sm->lsu;
    const uint64_t next = lsu_results(l);
    uint64_t head;
    if (!l->count)
        return next;
    if (l->apart)
        head = queues_next(sm, cycle);
    else if (l->queues[0].stalled)
        return next;
    else
        head = l->free > cycle + 1 ? l->free : cycle + 1;
    return head < next ? head : next;
}
