/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/rlws_state.c: what the unit that counts RLWS's attributes is to be shown (rtl/rlws_state/README.md). */
#include "cmodel/rlws_state/rlws_state.h"

#include <string.h>

#include "tb/observe/observer.h"
#include "tb/observe/program.h"
#include "tb/sm/sm_state.h"

struct memory {
    uint64_t load; /* of the access that is under way */
    uint64_t latency, l2_missed, in_flight;
};

/* Ranges of table II; misses are counted in percent, and theirs are the buckets that shrink. */
static double range_of(int64_t attribute)
{
    static const double others[] = {[22] = 24,  [27] = 40,  [28] = 100, [29] = 100,
                                    [30] = 100, [31] = 100, [32] = 800, [33] = 600};
    if (attribute < 9)
        return 1;
    return attribute < 34 && others[attribute] > 0 ? others[attribute] : NUM_WARPS;
}

/* Where bucket j of n begins: sizes go as 1, 2, ... n, or as n, ... 2, 1; no bucket begins at 0. */
static uint64_t edge_of(int64_t attribute, int64_t n, int64_t j)
{
    const int shrinks = attribute >= 28 && attribute <= 30;
    double parts = 0, before = 0;
    if (attribute == 34 || j >= n)
        return 1023;
    for (int64_t i = 0; i < n; i++) {
        const double size = (double)(shrinks ? n - i : i + 1);
        parts += size;
        before += i < j ? size : 0;
    }
    const double exact = range_of(attribute) * before / parts;
    uint64_t least = 1;
    if (shrinks) /* cut from the end */
        while ((double)least < exact - 1e-9)
            least++;
    else
        while ((double)(least + 1) <= exact + 1e-9)
            least++;
    return least;
}

static void settings(const struct config *c, struct rlws_state_in *in)
{
    const int meta = !strcmp(c->run_sched, "rlws-ms");
    const int64_t *attribute = meta ? &c->rlws_ms_attribute1 : &c->rlws_attribute1,
                  *buckets = meta ? &c->rlws_ms_buckets1 : &c->rlws_buckets1;
    for (unsigned i = 0; i < 8; i++) {
        in->attribute[i] = (uint64_t)attribute[i];
        for (unsigned j = 1; j <= 7; j++)
            in->edges[i * 7 + j - 1] = edge_of(attribute[i], buckets[i], j);
    }
}

static void slot_is(const struct sm_seen *seen, unsigned k, unsigned slot, struct rlws_state_in *in)
{
    const struct sm *sm = seen->sm;
    const struct scheduler *sc = &sm->schedulers[k];
    const unsigned warp = k * NUM_WARPS + slot, state = sc->state[slot];
    bit_set(in->occupied, warp, state != WARP_FREE);
    bit_set(in->running, warp, state == WARP_RUN);
    bit_set(in->at_barrier, warp, state == WARP_BARRIER);
    bit_set(in->done, warp, state == WARP_DONE);
    bit_set(in->buffered, warp, sc->in_buffer[slot] != 0);
    in->block[warp] = state == WARP_FREE ? 0 : sc->block[slot];
    if ((state != WARP_RUN && state != WARP_BARRIER) || !sm->kernels[0].launch)
        return;
    const struct exec_warp *w = &sc->warps[slot];
    const struct uop *u = &sm->kernels[0].launch->kernel->uops[w->pc];
    const uint64_t load = seen->places[w->pc].load;
    bit_set(in->clear, warp, !touches(&sm->kernels[0], warp, u, PENDING));
    bit_set(in->split, warp, w->active != ~w->exited);
    bit_set(in->next_sfu, warp, u->klass == CLASS_SFU);
    bit_set(in->next_gmem, warp, u->klass == CLASS_GMEM);
    bit_set(in->next_stcmem, warp, u->klass == CLASS_STCMEM);
    bit_set(in->next_sp, warp,
            u->klass != CLASS_SFU && u->klass != CLASS_GMEM && u->klass != CLASS_STCMEM);
    in->next_load[warp] = load < 1u << LOAD_BITS ? load : 0;
}

static void happened_to(const struct event *e, struct memory *m, struct rlws_state_in *in)
{
    unsigned k;
    switch (e->kind) {
    case EVENT_last_block: in->last_block = 1; return;
    case EVENT_block_end: in->block_end = 1; return;
    case EVENT_complete: in->completed++; return;
    case EVENT_access: m->load = e->of.access.load; return;
    case EVENT_l1d_hit: in->access = 1; return;
    case EVENT_l1d_miss:
        in->access = in->miss = 1;
        in->missed_load = m->load < 1u << LOAD_BITS ? m->load : 0;
        return;
    case EVENT_issue:
        k = (unsigned)e->of.issue.warp / NUM_WARPS;
        bit_set(in->issued, k, 1);
        in->issue_class[k] = e->of.issue.issue_class;
        in->issued_warp[k] = e->of.issue.warp - k * NUM_WARPS;
        return;
    case EVENT_fetch:
        k = (unsigned)e->of.fetch.warp / NUM_WARPS;
        bit_set(in->fetch, k, 1);
        bit_set(in->fetch_miss, k, e->of.fetch.hit == 0);
        return;
    case EVENT_gpu_memory:
        m->latency = e->of.gpu_memory.latency;
        m->l2_missed = e->of.gpu_memory.l2_missed;
        m->in_flight = e->of.gpu_memory.in_flight;
        return;
    default: return;
    }
}

static void expect(const struct config *c, const struct sm_seen *seen, void *input)
{
    struct memory *m = seen->memory;
    const struct sm *sm = seen->sm;
    struct rlws_state_in *in = input;
    memset(in, 0, sizeof *in);
    settings(c, in);
    if (seen->starts) {
        in->start = 1;
        m->latency = m->l2_missed = m->in_flight = 0;
    }
    for (unsigned i = 0; i < seen->num_events; i++)
        happened_to(&seen->events[i], m, in);
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
        bit_set(in->takes_sp, k, seen->cycle + 1 >= sm->schedulers[k].sp_free);
        for (unsigned slot = 0; slot < NUM_WARPS; slot++)
            slot_is(seen, k, slot, in);
    }
    in->takes_sfu = seen->cycle + 1 >= sm->sfu_free;
    in->takes_mem = seen->cycle + 1 >= sm->mem_free && sm->lsu.count < sm->lsu.places;
    in->agml = m->latency > 1022 ? 1022 : m->latency;
    in->l2mp = m->l2_missed > 100 ? 100 : m->l2_missed;
    in->gnmie = m->in_flight > 1022 ? 1022 : m->in_flight;
}

const struct observer rlws_state_observer = {
    .stem = "rlws_state", .memory = sizeof(struct memory), .expect_sm = expect};
