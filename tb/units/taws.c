/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/taws.c: which thread block of an SM goes before which, and what each has issued last (thesis 7.2, 7.3). Levels are those at the end
 * of the cycle, and the registers steer taws_act of each scheduler from the next one on. */
#include "cmodel/taws/taws.h"

#include <string.h>

#include "tb/units/socket.h"

struct memory {
    uint64_t greedy;
    struct taws_in heard; /* in this cycle */
};

static void open(struct plug *p, const struct config *c)
{
    ((struct memory *)p->memory)->greedy = (uint64_t)c->taws_greedy;
}

static void hear(struct plug *p, const struct event *e)
{
    struct taws_in *in = &((struct memory *)p->memory)->heard;
    switch (e->kind) {
    case EVENT_block_start:
        in->start = 1;
        in->start_block = e->of.block_start.context;
        break;
    case EVENT_warp_start: bit_set(in->fresh, (unsigned)e->of.warp_start.warp, 1); break;
    default: {
        const unsigned k = (unsigned)(e->of.issue.warp / NUM_WARPS);
        bit_set(in->issued, k, 1);
        in->issued_warp[k] = e->of.issue.warp % NUM_WARPS;
    }
    }
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    struct memory *m = p->memory;
    struct taws_in *in = input;
    (void)controls;
    *in = m->heard;
    memset(&m->heard, 0, sizeof m->heard);
    in->greedy = m->greedy;
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
        const struct scheduler_view *s = view->sm->schedulers[k];
        bits_set(in->stalled, k * NUM_WARPS, NUM_WARPS, s->at_barrier | s->done);
        for (unsigned slot = 0; slot < NUM_WARPS; slot++)
            in->block[k * NUM_WARPS + slot] = s->contexts[slot];
    }
    return in->start || bits_any(in->issued, NUM_SCHEDULERS) || bits_any(in->fresh, NUM_SLOTS);
}

static void apply(const struct plug *p, void *controls)
{
    const struct taws_state *s = plug_state(p);
    struct controls *c = controls;
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
        uint64_t held[HELD_WORDS];
        memset(held, 0xff, sizeof held);
        for (unsigned b = 0; b < SM_BLOCKS; b++)
            if (bit_get(s->held_valid, k * SM_BLOCKS + b))
                bits_set(held, b * HELD_BITS, HELD_BITS, s->held[k * SM_BLOCKS + b]);
        memcpy(c[k].held, held, sizeof held);
        memcpy(c[k].ahead, s->ahead, sizeof s->ahead);
    }
}

const struct socket taws_socket = {.stem = "taws",
                                   .scope = SCOPE_SM,
                                   .several = 1,
                                   .hears = HEARS(block_start) | HEARS(warp_start) | HEARS(issue),
                                   .memory = sizeof(struct memory),
                                   .open = open,
                                   .hear = hear,
                                   .gather = gather,
                                   .apply = apply};
