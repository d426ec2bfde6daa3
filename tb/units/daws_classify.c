/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/daws_classify.c: the load classification of an SM (DAWS 5.2). It stands behind `vta` in the
 * policy, whose hits say that a load has lost locality, and before `daws_predict`, which takes its
 * footprints in the same cycle and tells it which loop a warp's prediction is of. */
#include "cmodel/daws_classify/daws_classify.h"

#include <string.h>

#include "cmodel/daws_predict/daws_predict.h"
#include "cmodel/vta/vta.h"
#include "tb/units/loop_number.h"
#include "tb/units/socket.h"

struct memory {
    const struct plug *vta, *predict;
    uint64_t line_bytes;
    int all_lanes;
    struct daws_classify_in heard; /* in this cycle */
    /* Of the load that accesses L1D: */
    uint64_t loop, warp;
    uint64_t lines; /* that are still to come */
    int local;      /* a line of it had intra-warp locality */
    int looked;     /* a line has been looked up in this cycle */
    /* For statistics: */
    uint64_t fed;                          /* loop of the last feedback, or 0 */
    uint64_t found[UNKNOWN_LOOP / 64 + 1]; /* loops whose counter was positive, by number */
};

static void open(struct plug *p, const struct config *c)
{
    struct memory *m = p->memory;
    m->vta = plug_find(p, "vta");
    m->predict = plug_find(p, "daws_predict");
    m->line_bytes = (uint64_t)c->l1d_line;
    m->all_lanes = c->daws_classify_all_lanes != 0;
}

static void hear_issue(struct memory *m, const struct event *e)
{
    struct daws_classify_in *in = &m->heard;
    const unsigned s = (unsigned)e->of.issue.warp / NUM_WARPS;
    bit_set(in->issue, s, 1);
    in->warp[s] = e->of.issue.warp % NUM_WARPS;
    in->active[s] = m->all_lanes ? 32 : (uint64_t)__builtin_popcountll(e->of.issue.active);
    in->loop_begin[s] = known_loop(e->of.issue.loop_begin);
    in->loop_last[s] = loop_number(e->of.issue.loop_last);
    in->loop_end[s] = loop_number(e->of.issue.loop_end);
    in->loop[s] = loop_number(e->of.issue.loop);
    in->next_loop[s] = loop_number(e->of.issue.next_loop);
}

static void hear_access(struct memory *m, const struct event *e)
{
    struct daws_classify_in *in = &m->heard;
    const uint64_t load = e->of.access.load, line = e->of.access.line / m->line_bytes;
    m->loop = loop_number(e->of.access.loop);
    m->lines = e->of.access.lines;
    m->local = 0;
    if (!load)
        return;
    in->access = 1;
    in->access_warp = e->of.access.warp;
    in->access_load = load < UINT64_C(1) << LOAD_BITS ? load : 0;
    in->access_loop = m->loop;
    in->access_active = (uint64_t)__builtin_popcountll(e->of.access.active);
    in->access_lines = e->of.access.lines < 63 ? e->of.access.lines : 63;
    in->access_line = bits_get(&line, 0, LINE_BITS);
}

/* A line of the load that accesses L1D has been looked up. */
static void look(struct memory *m, uint64_t warp, int own)
{
    m->looked = 1;
    m->warp = warp;
    m->local |= own;
    m->lines--;
}

static void hear(struct plug *p, const struct event *e)
{
    struct memory *m = p->memory;
    struct daws_classify_in *in = &m->heard;
    switch (e->kind) {
    case EVENT_kernel_start: in->start = 1; break;
    case EVENT_warp_start: bit_set(in->fresh, (unsigned)e->of.warp_start.warp, 1); break;
    case EVENT_issue: hear_issue(m, e); break;
    case EVENT_access: hear_access(m, e); break;
    case EVENT_l1d_hit:
        look(m, e->of.l1d_hit.warp, e->of.l1d_hit.owner == e->of.l1d_hit.warp);
        break;
    default: look(m, e->of.l1d_miss.warp, 0);
    }
}

/* The feedback of memory (DAWS 5.2.1): with its last line a load tells whether it has intra-warp
 * locality: any line that its warp had brought, which was still there, or was lost. */
static void feed_back(struct memory *m, struct daws_classify_in *in)
{
    if (m->looked && !m->lines) {
        in->feedback = 1;
        in->feedback_warp = m->warp;
        in->feedback_loop = m->loop;
        in->feedback_local = (uint64_t)m->local;
        m->fed = m->loop;
    }
    m->looked = 0;
}

/* What the last feedback has made of its loop's counter, which has six bits. */
static void look_back(const struct plug *p)
{
    struct memory *m = p->memory;
    const struct daws_classify_state *s = plug_state(p);
    const int64_t counter = m->fed ? (int64_t)(s->locality[m->fed - 1] << (64 - 6)) : 0;
    if (counter > 0)
        bit_set(m->found, (unsigned)m->fed, 1);
    m->fed = 0;
}

static void count(const struct plug *p, struct found *found)
{
    struct memory *m = p->memory;
    look_back(p);
    for (unsigned loop = 1; loop < UNKNOWN_LOOP; loop++)
        found->loops_with_locality += (uint64_t)bit_get(m->found, loop);
    memset(m->found, 0, sizeof m->found);
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    struct memory *m = p->memory;
    const struct vta_out *vta = m->vta->out;
    const struct daws_predict_state *predict = plug_state(m->predict);
    struct daws_classify_in *in = input;
    (void)view;
    (void)controls;
    look_back(p);
    *in = m->heard;
    memset(&m->heard, 0, sizeof m->heard);
    m->local |= (int)vta->hit;
    feed_back(m, in);
    for (unsigned s = 0; s < NUM_SCHEDULERS; s++)
        in->inner[s] = bit_get(in->issue, s) ? predict->inner[s * NUM_WARPS + in->warp[s]] : 0;
    return in->start || in->access || in->feedback || bits_any(in->fresh, NUM_SLOTS) ||
           bits_any(in->issue, NUM_SCHEDULERS);
}

const struct socket daws_classify_socket = {.stem = "daws_classify",
                                            .scope = SCOPE_SM,
                                            .hears = HEARS(kernel_start) | HEARS(warp_start) |
                                                     HEARS(issue) | HEARS(access) | HEARS(l1d_hit) |
                                                     HEARS(l1d_miss),
                                            .memory = sizeof(struct memory),
                                            .open = open,
                                            .hear = hear,
                                            .gather = gather,
                                            .count = count};
