/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/registers.c: see registers.h. One warp after the other, as a textbook would say it. */
#include "tb/observe/registers.h"

#include <string.h>

int touches(const struct sm_kernel *k, unsigned warp, const struct uop *u, unsigned how)
{
    const uint8_t *row = k->pending + (size_t)warp * k->launch->kernel->num_regs;
    for (unsigned i = 0; i < u->num_reads; i++)
        if (row[u->reads[i]] & how)
            return 1;
    for (unsigned i = 0; i < u->num_writes; i++)
        if (row[u->writes[i]] & how)
            return 1;
    return 0;
}

/* Parameters of calls lie in local memory, but go through SP. */
static int reads_memory(const struct uop *u)
{
    return (u->op == U_LD || u->op == U_ATOM) && u->klass != CLASS_SP &&
           (u->space == SPACE_GLOBAL || u->space == SPACE_LOCAL || u->space == SPACE_GENERIC);
}

/* Where kernels have queues apart the one that has begun, or does so in this cycle, has left its place. */
int has_room(const struct sm *sm, const struct sm_kernel *k)
{
    const unsigned number = (unsigned)(k - sm->kernels);
    const struct lsu_queue *q = &sm->lsu.queues[number];
    if (!sm->lsu.apart)
        return sm->lsu.count < sm->lsu.places;
    const int begins = sm->controls[0].serve == number && sm->controls[0].begin != NO_CHOICE;
    return q->count - (uint32_t)(q->open || begins) < sm->lsu.places - 1;
}

/* The pipeline of an instruction, as a number of registers.ready; -1: it takes none in this cycle. */
static int pipeline(const struct sm *sm, const struct scheduler *sc, const struct sm_kernel *k,
                    const struct uop *u, uint64_t cycle)
{
    if (sm->alternate && cycle % NUM_SCHEDULERS != sc->index)
        return -1; /* another scheduler's turn */
    switch (u->klass) {
    case CLASS_SFU: return cycle >= sm->sfu_free ? 1 : -1;
    case CLASS_GMEM:
    case CLASS_STCMEM:
        if (cycle < sm->mem_free || !has_room(sm, k))
            return -1;
        return u->klass == CLASS_GMEM ? 2 : 3;
    default: return cycle >= sc->sp_free ? 0 : -1;
    }
}

/* Of two slots that wait for their start: whose block came first, or who comes first in it? */
static int starts_before(const struct sm *sm, const struct scheduler *sc, unsigned a, unsigned b)
{
    const struct block *of_a = &sm->blocks[sc->block[a]], *of_b = &sm->blocks[sc->block[b]];
    if (of_a->since != of_b->since)
        return of_a->since < of_b->since;
    return sc->warps[a].warp_in_block < sc->warps[b].warp_in_block;
}

static void find_siblings(struct registers *r, const struct sm *sm, const struct scheduler *sc)
{
    uint64_t waiting = 0, done = 0; /* thread-block contexts that had such a warp */
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++)
        for (unsigned slot = 0; slot < NUM_WARPS; slot++) {
            const unsigned state = r->began[k][slot], context = sm->schedulers[k].block[slot];
            waiting |= (uint64_t)(state == WARP_BARRIER) << context;
            done |= (uint64_t)(state == WARP_DONE) << context;
        }
    r->sibling_waits = r->sibling_done = 0;
    for (unsigned slot = 0; slot < NUM_WARPS; slot++)
        if (sc->state[slot] == WARP_RUN) {
            r->sibling_waits |= (waiting >> sc->block[slot] & 1) << slot;
            r->sibling_done |= (done >> sc->block[slot] & 1) << slot;
        }
}

void registers_read(struct registers *r, const struct sm *sm, const struct scheduler *sc,
                    uint64_t cycle)
{
    find_siblings(r, sm, sc);
    r->sm = sm;
    r->scheduler = sc;
    r->cycle = cycle;
    r->running = r->load = r->blocked_by_load = 0;
    memset(r->ready, 0, sizeof r->ready);
    r->begins = NUM_WARPS;
    r->context = sc->block;
    for (unsigned slot = 0; slot < NUM_WARPS; slot++) {
        const uint64_t bit = UINT64_C(1) << slot;
        const unsigned state = sc->state[slot];
        if (state == WARP_START &&
            (r->begins == NUM_WARPS || starts_before(sm, sc, slot, r->begins)))
            r->begins = slot;
        if (state != WARP_RUN && state != WARP_BARRIER)
            continue;
        const struct sm_kernel *k = kernel_of(sc, slot);
        const unsigned warp = sc->index * NUM_WARPS + slot;
        const struct uop *u = &k->launch->kernel->uops[sc->warps[slot].pc];
        if (reads_memory(u))
            r->load |= bit;
        if (touches(k, warp, u, PENDING_LOAD))
            r->blocked_by_load |= bit;
        if (state == WARP_BARRIER)
            continue;
        r->running |= bit;
        const int takes = pipeline(sm, sc, k, u, cycle);
        if (takes >= 0 && sc->in_buffer[slot] > 0 && !touches(k, warp, u, PENDING))
            r->ready[takes] |= bit;
    }
}

struct signature signature_of(const struct scheduler *sc, unsigned slot)
{
    return (struct signature){.pc = sc->warps[slot].pc,
                              .flushes = sc->flushes[slot],
                              .state = sc->state[slot],
                              .in_buffer = sc->in_buffer[slot],
                              .active = sc->warps[slot].active};
}
