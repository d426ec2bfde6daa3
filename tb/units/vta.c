/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/vta.c: the victim tags of an SM (DAWS 3.3, table 3). They hear which lines leave L1D, and
 * whose they were, and which loads miss; they steer nothing: other units read their output. L1D makes
 * one access per cycle, so at most one load misses and at most one line leaves. */
#include "cmodel/vta/vta.h"

#include <string.h>

#include "tb/units/socket.h"

struct memory {
    uint64_t line_bytes;
    struct vta_in heard; /* in this cycle */
};

static void open(struct plug *p, const struct config *c)
{
    ((struct memory *)p->memory)->line_bytes = (uint64_t)c->l1d_line;
}

/* The low bits of a line's number: as many as a tag compares. */
static uint64_t line_number(const struct memory *m, uint64_t address)
{
    const uint64_t line = address / m->line_bytes;
    return bits_get(&line, 0, LINE_BITS);
}

static void hear(struct plug *p, const struct event *e)
{
    struct memory *m = p->memory;
    struct vta_in *in = &m->heard;
    switch (e->kind) {
    case EVENT_kernel_start: in->start = 1; break;
    case EVENT_warp_start: bit_set(in->fresh, (unsigned)e->of.warp_start.warp, 1); break;
    case EVENT_l1d_miss: /* one that finds its line on its way has lost nothing */
        in->miss = !e->of.l1d_miss.merged;
        in->miss_line = line_number(m, e->of.l1d_miss.line);
        in->miss_warp = e->of.l1d_miss.warp;
        break;
    default:
        in->evict = e->of.l1d_evict.owner < NUM_SLOTS; /* it has not ended */
        in->evict_line = line_number(m, e->of.l1d_evict.line);
        in->owner = in->evict ? e->of.l1d_evict.owner : 0;
    }
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    struct memory *m = p->memory;
    struct vta_in *in = input;
    (void)view;
    (void)controls;
    *in = m->heard;
    memset(&m->heard, 0, sizeof m->heard);
    return in->start || in->miss || in->evict || bits_any(in->fresh, NUM_SLOTS);
}

const struct socket vta_socket = {.stem = "vta",
                                  .scope = SCOPE_SM,
                                  .hears = HEARS(kernel_start) | HEARS(warp_start) |
                                           HEARS(l1d_miss) | HEARS(l1d_evict),
                                  .memory = sizeof(struct memory),
                                  .open = open,
                                  .hear = hear,
                                  .gather = gather};
