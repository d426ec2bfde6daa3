/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/evictor.c: the evictor in an SM. It hears which warps lose lines of L1D and which slots
 * get new warps, and withholds loads from the warp that loses most. L1D accesses one line per cycle,
 * so at most one leaves. */
#include "cmodel/evictor/evictor.h"

#include <string.h>

#include "tb/units/socket.h"

struct memory {
    uint64_t threshold;
    struct evictor_in heard; /* in this cycle */
};

static int used(const struct config *c)
{
    return c->evictor_threshold != 0;
}

static void open(struct plug *p, const struct config *c)
{
    ((struct memory *)p->memory)->threshold = (uint64_t)c->evictor_threshold;
}

static void hear(struct plug *p, const struct event *e)
{
    struct evictor_in *in = &((struct memory *)p->memory)->heard;
    if (e->kind == EVENT_kernel_start) {
        in->start = 1;
    } else if (e->kind == EVENT_warp_start) {
        bit_set(in->fresh, (unsigned)e->of.warp_start.warp, 1);
    } else if (e->of.l1d_evict.owner < NUM_SLOTS) { /* it has not ended */
        in->evict = 1;
        in->owner = e->of.l1d_evict.owner;
    }
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    struct memory *m = p->memory;
    struct evictor_in *in = input;
    (void)controls;
    *in = m->heard;
    memset(&m->heard, 0, sizeof m->heard);
    in->threshold = m->threshold;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        bits_set(in->running, i * NUM_WARPS, NUM_WARPS, view->sm->schedulers[i]->running);
    return in->start || in->evict || bits_any(in->fresh, NUM_SLOTS);
}

static void apply(const struct plug *p, void *controls)
{
    const struct evictor_out *out = p->out;
    withhold_loads(controls, out->allow_load);
}

const struct socket evictor_socket = {.stem = "evictor",
                                      .scope = SCOPE_SM,
                                      .hears = HEARS(kernel_start) | HEARS(warp_start) |
                                               HEARS(l1d_evict),
                                      .memory = sizeof(struct memory),
                                      .used = used,
                                      .open = open,
                                      .hear = hear,
                                      .gather = gather,
                                      .apply = apply};
