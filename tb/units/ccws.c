/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/ccws.c: the lost-locality scores of an SM (Rogers, O'Connor, Aamodt: CCWS, as DAWS
 * compares with it: 3.3, 7, table 3). Behind `vta` in the policy, whose hits name the warp that has
 * lost. */
#include "cmodel/ccws/ccws.h"

#include <string.h>

#include "cmodel/vta/vta.h"
#include "tb/units/socket.h"

struct memory {
    const struct plug *vta;
    struct ccws_in heard;    /* in this cycle */
    uint64_t hits, unscored; /* what was found in this kernel */
};

static void open(struct plug *p, const struct config *c)
{
    (void)c;
    ((struct memory *)p->memory)->vta = plug_find(p, "vta");
}

static void hear(struct plug *p, const struct event *e)
{
    struct ccws_in *in = &((struct memory *)p->memory)->heard;
    switch (e->kind) {
    case EVENT_kernel_start: in->start = 1; break;
    case EVENT_warp_start: bit_set(in->fresh, (unsigned)e->of.warp_start.warp, 1); break;
    default: in->issued++;
    }
}

/* A hit that still waits for the divider is replaced by one of another warp. */
static void find(struct memory *m, const struct ccws_state *s, const struct ccws_in *in)
{
    if (in->start)
        m->hits = m->unscored = 0;
    m->hits += in->hit;
    m->unscored += in->hit && s->scoring && s->asked && s->asked_warp != in->hit_warp;
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    struct memory *m = p->memory;
    const struct vta_in *asked = m->vta->in;
    const struct vta_out *vta = m->vta->out;
    struct ccws_in *in = input;
    (void)controls;
    *in = m->heard;
    memset(&m->heard, 0, sizeof m->heard);
    in->hit = vta->hit;
    in->hit_warp = vta->hit ? asked->miss_warp : 0;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        const struct scheduler_view *s = view->sm->schedulers[i];
        bits_set(in->living, i * NUM_WARPS, NUM_WARPS, s->running | s->at_barrier);
    }
    find(m, plug_state(p), in);
    return in->start || in->hit || in->issued || bits_any(in->fresh, NUM_SLOTS);
}

static void count(const struct plug *p, struct found *found)
{
    const struct memory *m = p->memory;
    found->lost_hits += m->hits;
    found->lost_unscored += m->unscored;
}

static void apply(const struct plug *p, void *controls)
{
    const struct ccws_out *out = p->out;
    withhold_loads(controls, out->allow_load);
}

const struct socket ccws_socket = {.stem = "ccws",
                                   .scope = SCOPE_SM,
                                   .hears = HEARS(kernel_start) | HEARS(warp_start) | HEARS(issue),
                                   .memory = sizeof(struct memory),
                                   .open = open,
                                   .hear = hear,
                                   .gather = gather,
                                   .count = count,
                                   .apply = apply};
