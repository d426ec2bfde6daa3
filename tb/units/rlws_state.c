/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/rlws_state.c: what the learner of RLWS sees of an SM (RLWS IV-B). Levels are those at the end of the cycle, in which the schedulers
 * act in the next one. */
#include "cmodel/rlws_state/rlws_state.h"

#include <string.h>

#include "tb/units/rlws_design.h"
#include "tb/units/socket.h"

#define MOST_PERCENT 100
#define MOST_NUMBER  1022 /* 1023 is the edge of a bucket that there is not */

struct memory {
    struct rlws_state_in settings;
    struct rlws_state_in heard;             /* in this cycle, with the settings */
    uint64_t load;                          /* of the access that is under way */
    uint64_t latency, l2_missed, in_flight; /* as told last */
};

static void open(struct plug *p, const struct config *c)
{
    struct memory *m = p->memory;
    const struct rlws_design d = rlws_design_of(c);
    for (unsigned i = 0; i < RLWS_SLOTS; i++) {
        m->settings.attribute[i] = (uint64_t)d.attribute[i];
        rlws_edges(d.attribute[i], d.buckets[i], &m->settings.edges[i * RLWS_EDGES]);
    }
    m->heard = m->settings;
}

/* A load's number, or 0: it is above those that the unit knows. */
static uint64_t known(uint64_t load)
{
    return load >> LOAD_BITS ? 0 : load;
}

static uint64_t at_most(uint64_t value, uint64_t most)
{
    return value < most ? value : most;
}

static void issued(struct rlws_state_in *in, uint64_t warp, uint64_t issue_class)
{
    const unsigned k = (unsigned)(warp / NUM_WARPS);
    bit_set(in->issued, k, 1);
    in->issue_class[k] = issue_class;
    in->issued_warp[k] = warp % NUM_WARPS;
}

static void hear(struct plug *p, const struct event *e)
{
    struct memory *m = p->memory;
    struct rlws_state_in *in = &m->heard;
    switch (e->kind) {
    case EVENT_kernel_start:
        in->start = 1;
        m->latency = m->l2_missed = m->in_flight = 0;
        break;
    case EVENT_last_block: in->last_block = 1; break;
    case EVENT_block_end: in->block_end = 1; break;
    case EVENT_issue: issued(in, e->of.issue.warp, e->of.issue.issue_class); break;
    case EVENT_complete: in->completed++; break;
    case EVENT_access: m->load = e->of.access.load; break;
    case EVENT_l1d_hit: in->access = 1; break;
    case EVENT_l1d_miss:
        in->access = in->miss = 1;
        in->missed_load = known(m->load);
        break;
    case EVENT_fetch:
        bit_set(in->fetch, (unsigned)(e->of.fetch.warp / NUM_WARPS), 1);
        bit_set(in->fetch_miss, (unsigned)(e->of.fetch.warp / NUM_WARPS), !e->of.fetch.hit);
        break;
    default:
        m->latency = e->of.gpu_memory.latency;
        m->l2_missed = e->of.gpu_memory.l2_missed;
        m->in_flight = e->of.gpu_memory.in_flight;
    }
}

/* The levels of one scheduler. */
static void look(struct rlws_state_in *in, const struct scheduler_view *v, unsigned k)
{
    const unsigned first = k * NUM_WARPS;
    const uint64_t begun = v->running | v->at_barrier; /* only they have a next instruction */
    bits_set(in->occupied, first, NUM_WARPS, v->occupied);
    bits_set(in->running, first, NUM_WARPS, v->running);
    bits_set(in->at_barrier, first, NUM_WARPS, v->at_barrier);
    bits_set(in->done, first, NUM_WARPS, v->done);
    bits_set(in->buffered, first, NUM_WARPS, v->buffered);
    bits_set(in->clear, first, NUM_WARPS, v->clear & begun);
    bits_set(in->split, first, NUM_WARPS, v->split & begun);
    bits_set(in->next_sp, first, NUM_WARPS, v->next_class[ISSUE_SP] & begun);
    bits_set(in->next_sfu, first, NUM_WARPS, v->next_class[ISSUE_SFU] & begun);
    bits_set(in->next_gmem, first, NUM_WARPS, v->next_class[ISSUE_GMEM] & begun);
    bits_set(in->next_stcmem, first, NUM_WARPS, v->next_class[ISSUE_STCMEM] & begun);
    for (unsigned slot = 0; slot < NUM_WARPS; slot++) {
        in->next_load[first + slot] = begun >> slot & 1 ? known(v->next_load[slot]) : 0;
        in->block[first + slot] = v->occupied >> slot & 1 ? v->contexts[slot] : 0;
    }
    bit_set(in->takes_sp, k, v->takes >> ISSUE_SP & 1);
    in->takes_sfu = v->takes >> ISSUE_SFU & 1;
    in->takes_mem = v->takes >> ISSUE_GMEM & 1;
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    struct memory *m = p->memory;
    struct rlws_state_in *in = input;
    (void)controls;
    *in = m->heard;
    m->heard = m->settings;
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++)
        look(in, view->sm->schedulers[k], k);
    in->agml = at_most(m->latency, MOST_NUMBER);
    in->l2mp = at_most(m->l2_missed, MOST_PERCENT);
    in->gnmie = at_most(m->in_flight, MOST_NUMBER);
    return in->start || in->last_block || in->block_end || in->completed || in->access ||
           bits_any(in->issued, NUM_SCHEDULERS) || bits_any(in->fetch, NUM_SCHEDULERS);
}

const struct socket rlws_state_socket = {
    .stem = "rlws_state",
    .scope = SCOPE_SM,
    .hears = HEARS(kernel_start) | HEARS(last_block) | HEARS(block_end) | HEARS(issue) |
             HEARS(complete) | HEARS(access) | HEARS(l1d_hit) | HEARS(l1d_miss) | HEARS(fetch) |
             HEARS(gpu_memory),
    .memory = sizeof(struct memory),
    .open = open,
    .hear = hear,
    .gather = gather};
