/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/lsu.c: the load/store unit of an SM: a queue of instructions, served in order.
 *
 * A shared memory access takes the unit for as many cycles as its bank conflicts need passes, and
 * comes back after its latency. A constant access takes it for one cycle per distinct word, then
 * looks up its lines in L1C, one per cycle. Global and local accesses are coalesced into lines; one
 * goes to L1D in l1d.interval cycles, the time in which the lanes take it. A reservation failure
 * keeps the head, and so the whole unit, waiting; the cache counts it by cause. A load or atomic
 * ends when its last line has arrived, a store when its last line has been sent.
 */
#include <stdlib.h>

#include "tb/sm/sm_state.h"

#define NO_LOAD UINT32_MAX
/* Where physical addresses begin: those of local memory beyond all of tb/mem/gmem.h, of each kernel apart;
 * those of global memory where its address space is. */
#define LOCAL_BASE(kernel) (UINT64_C(0x8000000000000000) | (uint64_t)(kernel) << 56)
#define SPACE_BASE(space)  ((uint64_t)(space) << 56)

int lsu_init(struct sm *sm, const struct config *c)
{
    struct lsu *l = &sm->lsu;
    l->places = (uint32_t)c->mem_queue;
    /* The head; the lines in the hit pipelines; the requests that all MSHRs hold, or none does. */
    l->num_loads = 3 +
                   (uint32_t)(c->l1d_hit_latency + c->mem_const_latency +
                              c->l1d_mshrs * c->l1d_mshr_merge + c->l1c_mshrs * c->l1c_mshr_merge) +
                   memory_untracked(c);
    l->interval = (uint64_t)c->l1d_interval;
    l->first_l1c_tag = (uint32_t)c->l1d_mshrs;
    l->num_l1c_tags = (uint32_t)c->l1c_mshrs;
    l->first_l1i_tag = l->first_l1c_tag + l->num_l1c_tags;
    l->num_l1i_tags = c->l1i_sets ? (uint32_t)c->l1i_mshrs : 0;
    l->queue = calloc(l->places + 1, sizeof *l->queue);
    l->loads = calloc(l->num_loads, sizeof *l->loads);
    if (!l->queue || !l->loads || delay_init(&l->shared, c->mem_shared_latency) ||
        delay_init(&l->constant, c->mem_const_latency) || delay_init(&l->hit, c->l1d_hit_latency))
        return -1;
    lsu_reset(l);
    return 0;
}

void lsu_free(struct lsu *l)
{
    free(l->queue);
    free(l->loads);
    free(l->shared.entries);
    free(l->constant.entries);
    free(l->hit.entries);
}

void lsu_reset(struct lsu *l)
{
    l->first = l->count = 0;
    l->head_open = 0;
    l->stalled = NULL;
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
        uint32_t count = l1_fill(cache, cycle, tag, &waiters);
        for (uint32_t i = 0; i < count; i++)
            line_arrived(sm, (uint32_t)waiters[i], cycle);
        l->retry = 1;
    }
    while (delay_pop(&l->hit, cycle, &e))
        line_arrived(sm, e.what, cycle);
    while (delay_pop(&l->shared, cycle, &e))
        sm_complete(sm, e.what, e.detail, cycle);
    while (delay_pop(&l->constant, cycle, &e))
        line_arrived(sm, e.what, cycle);
}

static void pop(struct sm *sm)
{
    struct lsu *l = &sm->lsu;
    if (lsu_full(l))
        issue_touch_all(sm); /* it has room again */
    l->first = (l->first + 1) % (l->places + 1);
    l->count--;
    l->head_open = 0;
}

/* Whether the access goes to L1C, else to L1D. */
static int in_constant_cache(const struct exec_access *a)
{
    return a->space == SPACE_CONST || a->space == SPACE_PARAM;
}

/* Tells the lines of the head. */
static void tell_access(struct sm *sm, const struct lsu_entry *e, uint64_t cycle)
{
    const struct line_list *lines = &sm->lsu.lines;
    const struct landmark *marks = kernel_of_warp(sm, e->warp)->landmarks;
    const int load = !e->access.is_store && !e->access.is_atomic;
    tell(&sm->listener, cycle, access, .warp = e->warp, .pc = e->uop, .issued = e->issued,
         .lines = lines->count, .line = lines->line[0], .active = e->access.mask,
         .load = load ? marks[e->uop].load : 0, .loop = marks[e->uop].loop);
}

/* The head's lines in global or constant memory, where its kernel's address space lies. */
static void coalesce(struct lsu *l, const struct exec_access *a, uint32_t line_bytes,
                     uint32_t space)
{
    coalesce_global(&l->lines, a->address, a->mask, a->bytes, line_bytes);
    for (uint32_t i = 0; space && i < l->lines.count; i++)
        l->lines.line[i] += SPACE_BASE(space);
}

/* Finds the lines of the head. A load or atomic waits for them and, until all are requested, for
 * the head itself. Returns for how many cycles the unit is busy before it can access the first. */
static uint32_t open_head(struct sm *sm, const struct lsu_entry *e, uint64_t cycle)
{
    struct lsu *l = &sm->lsu;
    const struct exec_access *a = &e->access;
    const struct sm_kernel *k = kernel_of_warp(sm, e->warp);
    uint32_t busy = 0;
    if (a->space == SPACE_LOCAL) {
        uint64_t stride = ((uint64_t)k->launch->kernel->local_bytes + 3) / 4 * 4 * WARP_LANES;
        uint64_t base =
            LOCAL_BASE(k - sm->kernels) + ((uint64_t)sm->index * NUM_SLOTS + e->warp) * stride;
        coalesce_local(&l->lines, base, a->address, a->mask, a->bytes, sm->line_bytes);
    } else if (a->space == SPACE_GLOBAL) {
        coalesce(l, a, sm->line_bytes, k->shape.space);
    } else {
        /* One bank: the constant cache sends one word to all lanes at a time. */
        busy = coalesce_banks(a->address, a->mask, 1, 1, 0) - 1;
        coalesce(l, a, sm->const_line_bytes, k->shape.space);
    }
    const int constant = in_constant_cache(a);
    if (!constant)
        tell_access(sm, e, cycle);
    l->next_line = 0;
    l->head_open = 1;
    if (a->is_store && !a->is_atomic)
        return busy;
    l->load = l->first_free_load;
    l->first_free_load = l->loads[l->load].next_free;
    l->loads[l->load] = (struct lsu_load){
        .warp = e->warp, .uop = e->uop, .lines = 1, .since = cycle, .constant = constant};
    return busy;
}

/* Sends the head's next line to its cache. */
static enum l1_result access_line(struct sm *sm, const struct lsu_entry *e, uint64_t cycle)
{
    struct lsu *l = &sm->lsu;
    const uint64_t line = l->lines.line[l->next_line];
    const uint8_t sectors = l->lines.sectors[l->next_line];
    const int constant = in_constant_cache(&e->access);
    struct l1 *cache = constant ? sm->l1c : sm->l1d;
    enum l1_result result;
    if (e->access.is_atomic)
        result = l1_atomic(cache, cycle, line, sectors, l->load, &l->cause);
    else if (e->access.is_store)
        result = l1_store(cache, cycle, line, sectors, &l->cause);
    else
        result = l1_load(cache, cycle, line, sectors, &(struct l1_user){e->warp, e->uop, l->load},
                         constant || e->pollute, &l->cause);
    l->stalled = result == L1_FAILED ? cache : NULL;
    l->retry = 0;
    if (result != L1_FAILED && !constant)
        l->free = cycle + l->interval;
    if (result != L1_FAILED && (!e->access.is_store || e->access.is_atomic))
        l->loads[l->load].lines++;
    /* Data on its way may come at once: a load that merges waits for it and, like a hit, for the
     * pipeline. (So no load ends before its window: see struct exec_later.) */
    if (result == L1_MERGED)
        l->loads[l->load].lines++;
    if (result == L1_HIT || result == L1_MERGED)
        delay_push(constant ? &l->constant : &l->hit, cycle, l->load, 0);
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
    if (l->stalled && l->cause != L1_FAIL_queue_full && !l->retry) {
        l1_counters(l->stalled)->failures[l->cause]++;
        return;
    }
    const struct lsu_entry *e = &l->queue[l->first];
    const struct exec_access *a = &e->access;
    if (!a->mask || a->space == SPACE_SHARED) {
        access_shared(sm, e, cycle);
        pop(sm);
        return;
    }
    if (!l->head_open) {
        const uint32_t busy = open_head(sm, e, cycle);
        kernel_of_warp(sm, e->warp)->counters.constant_conflicts += busy;
        l->free = cycle + busy;
        if (busy)
            return;
    }
    if (access_line(sm, e, cycle) == L1_FAILED || ++l->next_line < l->lines.count)
        return;
    if (a->is_store && !a->is_atomic)
        sm_complete(sm, e->warp, e->uop, cycle);
    else
        line_arrived(sm, l->load, cycle);
    pop(sm);
}

uint64_t lsu_next(const struct lsu *l, uint64_t cycle)
{
    uint64_t next = l->hit.next;
    next = l->shared.next < next ? l->shared.next : next;
    next = l->constant.next < next ? l->constant.next : next;
    if (!l->count || l->stalled)
        return next;
    const uint64_t head = l->free > cycle + 1 ? l->free : cycle + 1;
    return head < next ? head : next;
}
