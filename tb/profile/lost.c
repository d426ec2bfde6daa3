/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/lost.c: see lost.h. What is known of a line is known of each warp that has accessed it. */
#include "tb/profile/lost.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/vta/vta.h"
#include "tb/profile/address_map.h"
#include "tb/units/view.h"

/* A slot of the SM. `from`: withheld in a loop in every cycle from this one on; 0: it is not. */
struct slot {
    unsigned kernel; /* whose warp has it */
    int withheld, in_loop;
    uint64_t loop; /* around its next instruction */
    uint64_t from;
    uint64_t latest; /* the last cycle of the time before that; 0: there was none */
};

/* A warp and a line. */
struct pair {
    uint64_t accessed;  /* in which cycle last */
    int withheld, then; /* between that and the eviction; in the cycle of the eviction */
};

struct lost {
    struct listener listener;
    struct lost_counts counts[NUM_KERNELS];
    struct vta_state tags;
    struct slot slots[NUM_SLOTS];
    struct address_map known; /* of a line's number and a slot: its pair's number */
    struct pair *pairs;
    uint32_t places;
    uint64_t line_bytes;
    uint64_t loop[NUM_KERNELS]; /* of the load that accesses L1D */
    int no_memory;
};

static uint64_t line_of(const struct lost *l, uint64_t address)
{
    return address / l->line_bytes;
}

/* NULL: no memory. */
static struct pair *pair_of(struct lost *l, uint64_t address, uint64_t warp)
{
    const uint32_t number = address_number(&l->known, line_of(l, address) * NUM_SLOTS + warp);
    struct pair *room =
        number == NO_NUMBER ? NULL : address_room(l->pairs, &l->places, number, sizeof *room);
    l->no_memory |= !room;
    if (!room)
        return NULL;
    l->pairs = room;
    return &room[number];
}

/* What has happened in this cycle counts from the next one on. */
static void settle(struct slot *s, uint64_t cycle)
{
    const int both = s->withheld && s->in_loop;
    if (both && !s->from)
        s->from = cycle + 1;
    else if (!both && s->from) {
        if (s->from <= cycle)
            s->latest = cycle;
        s->from = 0;
    }
}

/* Was it withheld in a loop in a cycle from `since` on? */
static int was_withheld(const struct slot *s, uint64_t since, uint64_t cycle)
{
    const uint64_t latest = s->from && s->from <= cycle ? cycle : s->latest;
    return latest && latest >= since;
}

/* Asks the tags about one event. Returns whether it hits. */
static int ask(struct lost *l, const struct vta_in *in)
{
    struct vta_out out;
    vta_comb(&l->tags, in, &out);
    vta_tick(&l->tags, in, &out);
    return (int)out.hit;
}

static uint64_t number_in_tags(const struct lost *l, uint64_t address)
{
    const uint64_t line = line_of(l, address);
    return bits_get(&line, 0, LINE_BITS);
}

static void on_start(struct lost *l)
{
    ask(l, &(struct vta_in){.start = 1});
    address_map_clear(&l->known);
    free(l->pairs);
    l->pairs = NULL;
    l->places = 0;
    memset(l->loop, 0, sizeof l->loop);
}

static void on_warp_start(struct lost *l, const struct event *e)
{
    struct vta_in in = {0};
    struct slot *s = &l->slots[e->of.warp_start.warp];
    bit_set(in.fresh, (unsigned)e->of.warp_start.warp, 1);
    ask(l, &in);
    *s = (struct slot){.kernel = (unsigned)e->of.warp_start.kernel, .withheld = s->withheld};
}

static void on_issue(struct lost *l, const struct event *e)
{
    struct slot *s = &l->slots[e->of.issue.warp];
    s->in_loop = s->loop && e->of.issue.loop;
    s->loop = e->of.issue.loop;
    settle(s, e->cycle);
}

static void on_withheld(struct lost *l, uint64_t warp, int withheld, uint64_t cycle)
{
    l->slots[warp].withheld = withheld;
    settle(&l->slots[warp], cycle);
}

static void on_hit(struct lost *l, const struct event *e)
{
    struct pair *p = pair_of(l, e->of.l1d_hit.line, e->of.l1d_hit.warp);
    if (p)
        p->accessed = e->cycle;
}

/* As the unit's socket shows them: a line that is on its way is none that has been lost. */
static void on_miss(struct lost *l, const struct event *e)
{
    const uint64_t warp = e->of.l1d_miss.warp, line = e->of.l1d_miss.line;
    struct pair *p = pair_of(l, line, warp);
    if (!p)
        return;
    if (!e->of.l1d_miss.merged &&
        ask(l,
            &(struct vta_in){.miss = 1, .miss_line = number_in_tags(l, line), .miss_warp = warp})) {
        const struct slot *s = &l->slots[warp];
        struct lost_counts *counts = &l->counts[s->kernel];
        const int in_loop = l->loop[s->kernel] != 0;
        counts->locality++;
        counts->in_loops += (uint64_t)in_loop;
        counts->evicted_withheld += (uint64_t)(in_loop && p->withheld);
        counts->evicted_then += (uint64_t)(in_loop && p->then);
        counts->missed_withheld += (uint64_t)(in_loop && was_withheld(s, p->accessed, e->cycle));
    }
    p->accessed = e->cycle;
}

static void on_evict(struct lost *l, const struct event *e)
{
    const uint64_t owner = e->of.l1d_evict.owner, line = e->of.l1d_evict.line;
    struct pair *p = owner < NUM_SLOTS ? pair_of(l, line, owner) : NULL;
    if (!p)
        return;
    p->withheld = was_withheld(&l->slots[owner], p->accessed, e->cycle);
    p->then = was_withheld(&l->slots[owner], e->cycle, e->cycle);
    ask(l, &(struct vta_in){.evict = 1, .evict_line = number_in_tags(l, line), .owner = owner});
}

static void hear(void *context, const struct event *e)
{
    struct lost *l = context;
    switch (e->kind) {
    case EVENT_kernel_start: on_start(l); break;
    case EVENT_warp_start: on_warp_start(l, e); break;
    case EVENT_issue: on_issue(l, e); break;
    case EVENT_access: l->loop[l->slots[e->of.access.warp].kernel] = e->of.access.loop; break;
    case EVENT_l1d_hit: on_hit(l, e); break;
    case EVENT_l1d_miss: on_miss(l, e); break;
    case EVENT_l1d_evict: on_evict(l, e); break;
    case EVENT_withhold: on_withheld(l, e->of.withhold.warp, 1, e->cycle); break;
    case EVENT_admit: on_withheld(l, e->of.admit.warp, 0, e->cycle); break;
    default: break;
    }
}

struct lost *lost_new(const struct config *c)
{
    struct lost *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->listener =
        (struct listener){.hears = HEARS(kernel_start) | HEARS(warp_start) | HEARS(issue) |
                                   HEARS(access) | HEARS(l1d_hit) | HEARS(l1d_miss) |
                                   HEARS(l1d_evict) | HEARS(withhold) | HEARS(admit),
                          .hear = hear,
                          .context = l};
    l->line_bytes = (uint64_t)c->l1d_line;
    vta_reset(&l->tags);
    return l;
}

void lost_free(struct lost *l)
{
    if (!l)
        return;
    address_map_clear(&l->known);
    free(l->pairs);
    free(l);
}

struct listener *lost_listener(struct lost *l)
{
    return &l->listener;
}

int lost_take(struct lost *l, unsigned number, struct lost_counts *sums)
{
    lost_counts_add(sums, &l->counts[number]);
    l->counts[number] = (struct lost_counts){0};
    return l->no_memory ? -1 : 0;
}

void lost_counts_add(struct lost_counts *to, const struct lost_counts *from)
{
#define COUNTER(name, meaning) to->name += from->name;
#include "tb/profile/lost.def"
}
