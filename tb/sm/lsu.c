/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/lsu.c: the load/store unit of an SM: a queue of instructions, served in order.
 *
 * Shared and constant accesses take it for one cycle and come back after their latency. Global and
 * local accesses are coalesced into lines; one line goes to the L1 data cache in a cycle. A
 * reservation failure keeps the head, and so the whole unit, waiting; the cache counts it by cause.
 * A load or atomic ends when its last line has arrived, a store when its last line has been sent.
 */
#include <stdlib.h>

#include "tb/sm/sm_state.h"

#define NO_LOAD UINT32_MAX
#define LOCAL_BASE                                                                                 \
    UINT64_C(0x8000000000000000) /* physical addresses of local memory, beyond all of              \
                                    tb/mem/gmem.h's */

int lsu_init(struct sm *sm, const struct config *c)
{
    struct lsu *l = &sm->lsu;
    l->places = (uint32_t)c->mem_queue;
    /* The head; the lines in the hit pipeline; the requests that all MSHRs hold. */
    l->num_loads =
        1 + (uint32_t)c->l1d_hit_latency + 1 + (uint32_t)(c->l1d_mshrs * c->l1d_mshr_merge);
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
    l->head_open = l->stalled = 0;
    delay_clear(&l->shared);
    delay_clear(&l->constant);
    delay_clear(&l->hit);
    for (uint32_t i = 0; i < l->num_loads; i++)
        l->loads[i].next_free = i + 1 < l->num_loads ? i + 1 : NO_LOAD;
    l->first_free_load = 0;
}

/* One of the lines that a load waits for is here. */
static void line_arrived(struct sm *sm, uint32_t number)
{
    struct lsu_load *load = &sm->lsu.loads[number];
    if (--load->lines)
        return;
    load->next_free = sm->lsu.first_free_load;
    sm->lsu.first_free_load = number;
    sm_complete(sm, load->warp, load->uop);
}

void lsu_arrive(struct sm *sm, uint64_t cycle)
{
    struct lsu *l = &sm->lsu;
    struct delay_entry e;
    uint32_t tag;
    while (memory_receive(sm->memory, sm->index, cycle, &tag)) {
        const uint32_t *waiters;
        uint32_t count = l1d_fill(sm->l1d, tag, &waiters);
        for (uint32_t i = 0; i < count; i++)
            line_arrived(sm, waiters[i]);
    }
    while (delay_pop(&l->hit, cycle, &e))
        line_arrived(sm, e.what);
    while (delay_pop(&l->shared, cycle, &e))
        sm_complete(sm, e.what, e.detail);
    while (delay_pop(&l->constant, cycle, &e))
        sm_complete(sm, e.what, e.detail);
}

static void pop(struct lsu *l)
{
    l->first = (l->first + 1) % (l->places + 1);
    l->count--;
    l->head_open = 0;
}

/* Finds the lines of the head. A load or atomic waits for them and, until all are requested, for
 * the head itself. */
static void open_head(struct sm *sm, const struct lsu_entry *e)
{
    struct lsu *l = &sm->lsu;
    const struct exec_access *a = &e->access;
    if (a->space == SPACE_LOCAL) {
        uint64_t stride = ((uint64_t)sm->launch->kernel->local_bytes + 3) / 4 * 4 * WARP_LANES;
        uint64_t base = LOCAL_BASE + ((uint64_t)sm->index * NUM_SLOTS + e->warp) * stride;
        coalesce_local(&l->lines, base, a->address, a->mask, a->bytes, sm->line_bytes);
    } else {
        coalesce_global(&l->lines, a->address, a->mask, a->bytes, sm->line_bytes);
    }
    l->next_line = 0;
    l->head_open = 1;
    if (a->is_store && !a->is_atomic)
        return;
    l->load = l->first_free_load;
    l->first_free_load = l->loads[l->load].next_free;
    l->loads[l->load] = (struct lsu_load){.warp = e->warp, .uop = e->uop, .lines = 1};
}

static enum l1d_result access_line(struct sm *sm, const struct lsu_entry *e, uint64_t cycle)
{
    struct lsu *l = &sm->lsu;
    uint64_t line = l->lines.line[l->next_line];
    uint32_t bytes = (uint32_t)__builtin_popcount(l->lines.sectors[l->next_line]) * SECTOR_BYTES;
    enum l1d_result result;
    if (e->access.is_atomic)
        result = l1d_atomic(sm->l1d, cycle, line, bytes, l->load, &l->cause);
    else if (e->access.is_store)
        return l1d_store(sm->l1d, cycle, line, bytes, &l->cause);
    else
        result = l1d_load(sm->l1d, cycle, line, e->warp, l->load, &l->cause);
    if (result != L1D_FAILED)
        l->loads[l->load].lines++;
    if (result == L1D_HIT)
        delay_push(&l->hit, cycle, l->load, 0);
    return result;
}

/* Accesses that stay in the SM. Also those without any lane: they come back like shared memory's.
 */
static void access_on_chip(struct sm *sm, const struct lsu_entry *e, uint64_t cycle)
{
    struct lsu *l = &sm->lsu;
    if (sm->launch->kernel->uops[e->uop].num_writes)
        delay_push(e->access.space == SPACE_CONST ? &l->constant : &l->shared, cycle, e->warp,
                   e->uop);
    else
        sm_complete(sm, e->warp, e->uop);
}

void lsu_step(struct sm *sm, uint64_t cycle)
{
    struct lsu *l = &sm->lsu;
    l->stalled = 0;
    if (!l->count)
        return;
    const struct lsu_entry *e = &l->queue[l->first];
    const struct exec_access *a = &e->access;
    if (!a->mask || (a->space != SPACE_GLOBAL && a->space != SPACE_LOCAL)) {
        access_on_chip(sm, e, cycle);
        pop(l);
        return;
    }
    if (!l->head_open)
        open_head(sm, e);
    if (access_line(sm, e, cycle) == L1D_FAILED) {
        l->stalled = 1;
        return;
    }
    if (++l->next_line < l->lines.count)
        return;
    if (a->is_store && !a->is_atomic)
        sm_complete(sm, e->warp, e->uop);
    else
        line_arrived(sm, l->load);
    pop(l);
}

uint64_t lsu_next(const struct lsu *l, uint64_t cycle)
{
    if (l->count && !l->stalled)
        return cycle + 1;
    uint64_t next = l->hit.next;
    next = l->shared.next < next ? l->shared.next : next;
    return l->constant.next < next ? l->constant.next : next;
}
