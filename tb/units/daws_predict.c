/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/daws_predict.c: the prediction table of an SM (DAWS 5.1), behind `daws_classify` or
 * `daws_table` in the policy, whose footprints it takes in the same cycle. */
#include "cmodel/daws_predict/daws_predict.h"

#include <string.h>

#include "cmodel/daws_classify/daws_classify.h"
#include "cmodel/daws_table/daws_table.h"
#include "tb/units/loop_number.h"
#include "tb/units/socket.h"

struct memory {
    const struct plug *classify, *table; /* one of them is there */
    uint64_t effective;
    struct daws_predict_in heard; /* in this cycle */
};

static void open(struct plug *p, const struct config *c)
{
    struct memory *m = p->memory;
    m->classify = plug_find(p, "daws_classify");
    m->table = plug_find(p, "daws_table");
    m->effective = (uint64_t)(c->l1d_sets * c->l1d_ways * c->daws_predict_effective / 100);
}

static void hear(struct plug *p, const struct event *e)
{
    struct daws_predict_in *in = &((struct memory *)p->memory)->heard;
    if (e->kind == EVENT_kernel_start) {
        in->start = 1;
    } else if (e->kind == EVENT_warp_start) {
        bit_set(in->fresh, (unsigned)e->of.warp_start.warp, 1);
    } else {
        const unsigned s = (unsigned)e->of.issue.warp / NUM_WARPS;
        bit_set(in->issue, s, 1);
        in->warp[s] = e->of.issue.warp % NUM_WARPS;
        in->loop_begin[s] = known_loop(e->of.issue.loop_begin);
        in->loop_last[s] = loop_number(e->of.issue.loop_last);
        in->loop[s] = loop_number(e->of.issue.loop);
        in->next_loop[s] = loop_number(e->of.issue.next_loop);
    }
}

/* The footprints of the unit before it. */
static void ask(const struct memory *m, const uint64_t **footprint, const uint64_t **closest)
{
    if (m->table) {
        const struct daws_table_out *out = m->table->out;
        *footprint = out->footprint;
        *closest = out->closest;
    } else {
        const struct daws_classify_out *out = m->classify->out;
        *footprint = out->footprint;
        *closest = out->closest;
    }
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    struct memory *m = p->memory;
    const uint64_t *footprint, *closest;
    struct daws_predict_in *in = input;
    (void)controls;
    *in = m->heard;
    memset(&m->heard, 0, sizeof m->heard);
    in->effective = m->effective;
    ask(m, &footprint, &closest);
    for (unsigned s = 0; s < NUM_SCHEDULERS; s++) {
        in->footprint[s] = bit_get(in->issue, s) ? footprint[s] : 0;
        in->closest[s] = bit_get(in->issue, s) ? closest[s] : 0;
        bits_set(in->running, s * NUM_WARPS, NUM_WARPS, view->sm->schedulers[s]->running);
    }
    return in->start || bits_any(in->fresh, NUM_SLOTS) || bits_any(in->issue, NUM_SCHEDULERS);
}

static void apply(const struct plug *p, void *controls)
{
    const struct daws_predict_out *out = p->out;
    withhold_loads(controls, out->allow_load);
}

const struct socket daws_predict_socket = {.stem = "daws_predict",
                                           .scope = SCOPE_SM,
                                           .hears = HEARS(kernel_start) | HEARS(warp_start) |
                                                    HEARS(issue),
                                           .memory = sizeof(struct memory),
                                           .open = open,
                                           .hear = hear,
                                           .gather = gather,
                                           .apply = apply};
