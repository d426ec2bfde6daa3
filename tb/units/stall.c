/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/stall.c: where the cycles of a scheduler's warps go (thesis 6.3). It looks on: it is asked in every cycle, behind the unit
 * that grants, and steers nothing. Its counts wrap; how often they have is counted here, as software would. */
#include "cmodel/stall/stall.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tb/units/socket.h"

struct memory {
    uint64_t overlap;
    uint64_t start;                    /* a kernel starts, which the unit is to be told */
    uint64_t wraps[NUM_STALL_CLASSES]; /* before the last cycle in which it was asked */
};

static int used(const struct config *c)
{
    return c->stall_count != 0;
}

static void open(struct plug *p, const struct config *c)
{
    ((struct memory *)p->memory)->overlap =
        strcmp(c->cpi_overlap, "active") ? stall_overlap_first : stall_overlap_active;
}

static void hear(struct plug *p, const struct event *e)
{
    (void)e;
    ((struct memory *)p->memory)->start = 1;
}

/* Has the count wrapped at the last clock edge? */
static uint64_t wrapped(const struct plug *p, enum stall_class class)
{
    return ((const struct stall_out *)p->out)->wraps >> class & 1;
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    const struct scheduler_view *s = view->scheduler;
    const uint64_t grant = ((const struct controls *)controls)->grant,
                   ready = s->ready[ISSUE_SP] | s->ready[ISSUE_SFU] | s->ready[ISSUE_GMEM] |
                           s->ready[ISSUE_STCMEM],
                   wants = s->running & s->buffered; /* has a next instruction */
    struct memory *m = p->memory;
    struct stall_in *in = input;
    for (unsigned i = 0; i < NUM_STALL_CLASSES; i++)
        m->wraps[i] = m->start ? 0 : m->wraps[i] + wrapped(p, i);
    in->start = m->start;
    m->start = 0;
    in->overlap = m->overlap;
    in->resident = s->occupied;
    in->issued = grant == NO_CHOICE ? 0 : grant & ready; /* a late grant may fail */
    in->at_barrier = s->at_barrier;
    in->done = s->done;
    in->buffered = s->buffered;
    in->jumping = s->jumping;
    in->clear = s->clear & wants;
    in->blocked_by_load = s->blocked_by_load & wants & ~s->clear;
    for (unsigned slot = 0; slot < NUM_WARPS; slot++) {
        const uint64_t *class = s->next_class, warp = UINT64_C(1) << slot & wants;
        in->pipe[slot] = class[ISSUE_SFU] & warp      ? stall_pipe_sfu
                         : class[ISSUE_GMEM] & warp   ? stall_pipe_gmem
                         : class[ISSUE_STCMEM] & warp ? stall_pipe_stcmem
                                                      : stall_pipe_sp;
    }
    in->takes = (s->takes >> ISSUE_SP & 1) | (s->takes >> ISSUE_SFU & 1) << 1 |
                (s->takes >> ISSUE_GMEM & 1) << 2;
    return in->start != 0;
}

/* The whole count, of the kernel that has started last. */
static uint64_t total(const struct plug *p, enum stall_class class)
{
    const struct memory *m = p->memory;
    const struct stall_state *s = plug_state(p);
    if (m->start) /* and of which it has seen no cycle */
        return 0;
    return ((m->wraps[class] + wrapped(p, class)) << STALL_COUNT_BITS) + s->count[class];
}

static void count(const struct plug *p, struct found *found)
{
#define CPI_CLASS(name, meaning) found->stall_##name += total(p, STALL_##name);
#include "tb/sm/cpi.def"
#undef CPI_CLASS
}

static int audit(const struct plug *p, const struct warp_cycles *machine, char *why, size_t size)
{
    static const char *const names[] = {
#define CPI_CLASS(name, meaning) [STALL_##name] = #name,
#include "tb/sm/cpi.def"
#undef CPI_CLASS
    };
    const uint64_t expected[] = {
#define CPI_CLASS(name, meaning) [STALL_##name] = machine->name,
#include "tb/sm/cpi.def"
#undef CPI_CLASS
    };
    for (unsigned i = 0; i < NUM_STALL_CLASSES; i++) {
        if (total(p, i) == expected[i])
            continue;
        snprintf(why, size, "class %s: it has counted %" PRIu64 " cycles, the machine %" PRIu64,
                 names[i], total(p, i), expected[i]);
        return 1;
    }
    return 0;
}

const struct socket stall_socket = {.stem = "stall",
                                    .scope = SCOPE_SCHEDULER,
                                    .several = 1,
                                    .hears = HEARS(kernel_start),
                                    .memory = sizeof(struct memory),
                                    .last = 1,
                                    .used = used,
                                    .open = open,
                                    .hear = hear,
                                    .gather = gather,
                                    .count = count,
                                    .audit = audit};
