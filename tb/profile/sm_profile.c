/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/sm_profile.c: see sm_profile.h.
 *
 * A load is followed from its issue, where the trips of its loop are known, to its access, when the
 * warp may be elsewhere; the events of L1D after an access, up to the next, are those of its lines.
 */
#include "tb/profile/sm_profile.h"

#include <stdlib.h>
#include <string.h>

#include "tb/profile/address_map.h"
#include "tb/profile/reuse.h"
#include "tb/profile/shadow.h"
#include "tb/units/view.h"

/* A warp, as long as it has its slot. `life` is a number of its own in the SM, from 1. */
struct tenant {
    uint64_t life, block;
    uint64_t last_pc;           /* issued */
    struct address_map touched; /* lines */
    uint64_t *touched_at;       /* by number in `touched`: the cycle of issue of the last touch */
    uint32_t places;            /* of touched_at */
};

/* Who touches a line. A life of 0: nobody has. */
struct toucher {
    uint64_t life, block;
};

/* A line that a load has touched. */
struct line {
    struct toucher brought_by, last;
};

/* Cycles in which trips of a loop began, of one warp: what was issued before the last one was in an
 * earlier trip, or outside. */
struct trips {
    uint64_t this_one, last_one;
};

/* An instruction between issue and access. */
struct issued {
    uint64_t cycle, warp;
    int in_loop;
    struct trips trips; /* of its innermost loop */
};

struct sm_profile {
    struct listener listener;
    const struct kernel_loads *kernel;
    struct load_profile *loads;
    struct address_map lines;
    struct line *line; /* by number in `lines` */
    uint32_t line_places;
    struct reuse reuse;
    struct shadow shadow;
    struct sharing sharing;
    struct tenant tenants[NUM_SLOTS];
    uint64_t lives;
    struct trips *trips; /* by warp, loop */
    struct issued *issued;
    uint32_t first_issued, num_issued, most_issued; /* a ring: the load/store unit's queue */
    struct issued now;                              /* the access that is going on */
    int lost;                                       /* no memory */
};

enum kinship { SAME_WARP, SAME_BLOCK, OTHER_BLOCK };

static enum kinship kinship(const struct toucher *a, const struct tenant *b)
{
    if (a->life == b->life)
        return SAME_WARP;
    return a->life && a->block == b->block ? SAME_BLOCK : OTHER_BLOCK;
}

static void on_warp_start(struct sm_profile *p, const struct event *e)
{
    struct tenant *t = &p->tenants[e->of.warp_start.warp];
    address_map_clear(&t->touched);
    t->life = ++p->lives;
    t->block = e->of.warp_start.block;
    t->last_pc = UINT64_MAX;
}

static int in_loop(const struct ptx_kernel *k, uint64_t pc, uint32_t loop)
{
    uint32_t around = pc < k->num_uops ? k->loop_of[pc] : 0;
    while (around && around != loop)
        around = k->loops[around - 1].outer;
    return around != 0;
}

static struct trips *trips_of(const struct sm_profile *p, uint64_t warp, uint32_t loop)
{
    return &p->trips[warp * p->kernel->kernel->num_loops + loop - 1];
}

/* A loop goes on to its next trip if the warp comes from within; else it is entered, and what was
 * before is of no trip. (Loops that begin at the same instruction are one.) */
static void begin_trip(struct sm_profile *p, const struct event *e)
{
    const uint64_t warp = e->of.issue.warp, from = p->tenants[warp].last_pc;
    const uint32_t loop = (uint32_t)e->of.issue.loop_begin;
    struct trips *t = trips_of(p, warp, loop);
    t->last_one = in_loop(p->kernel->kernel, from, loop) ? t->this_one : e->cycle;
    t->this_one = e->cycle;
}

/* What no lane executes is issued and makes no access: when the ring is full, its oldest is that. */
static void on_issue(struct sm_profile *p, const struct event *e)
{
    const uint64_t warp = e->of.issue.warp, pc = e->of.issue.pc;
    const uint32_t load = p->kernel->load_at[pc];
    if (e->of.issue.loop_begin)
        begin_trip(p, e);
    p->tenants[warp].last_pc = pc;
    if (load == NO_LOAD_NUMBER)
        return;
    const uint32_t loop = p->kernel->kernel->loop_of[pc];
    if (p->num_issued == p->most_issued) {
        p->first_issued = (p->first_issued + 1) % p->most_issued;
        p->num_issued--;
    }
    p->issued[(p->first_issued + p->num_issued++) % p->most_issued] =
        (struct issued){.cycle = e->cycle,
                        .warp = warp,
                        .in_loop = loop != 0,
                        .trips = loop ? *trips_of(p, warp, loop) : (struct trips){0}};
}

static void on_access(struct sm_profile *p, const struct event *e)
{
    const uint64_t lines = e->of.access.lines;
    const uint32_t load = p->kernel->load_at[e->of.access.pc];
    if (load == NO_LOAD_NUMBER)
        return;
    do {
        if (!p->num_issued) {
            p->lost = 1;
            return;
        }
        p->now = p->issued[p->first_issued];
        p->first_issued = (p->first_issued + 1) % p->most_issued;
        p->num_issued--;
    } while (p->now.cycle != e->of.access.issued || p->now.warp != e->of.access.warp);
    struct load_profile *l = &p->loads[load];
    const unsigned lanes = (unsigned)__builtin_popcountll(e->of.access.active);
    l->executions++;
    l->lanes += lanes;
    l->converged += lines <= 2;
    l->diverged += lines > 2 && lines == lanes;
    l->shapes[lanes][lines < MOST_SHAPE_LINES ? lines : MOST_SHAPE_LINES]++;
}

/* Counts how far the last touch is, and whose it was. */
static void count_reuse(struct load_profile *l, enum kinship whose, const struct distance *d)
{
    struct {
        uint64_t *reuses, *lines, *accesses;
    } const of[] = {
        [SAME_WARP] = {&l->reuses_intra_warp, &l->lines_intra_warp, &l->accesses_intra_warp},
        [SAME_BLOCK] = {&l->reuses_inter_warp, &l->lines_inter_warp, &l->accesses_inter_warp},
        [OTHER_BLOCK] = {&l->reuses_inter_block, &l->lines_inter_block, &l->accesses_inter_block},
    };
    ++*of[whose].reuses;
    *of[whose].lines += d->lines;
    *of[whose].accesses += d->accesses;
    l->distances[d->lines ? 64 - __builtin_clzll(d->lines) : 0]++;
}

/* The warp touches the line; *before is the cycle of issue of its own last touch, if there was one.
 * Returns 1: there was; 0; or -1: no memory. */
static int touch_own(struct tenant *t, const struct sm_profile *p, uint64_t line, uint64_t *before)
{
    const uint32_t known = t->touched.count, number = address_number(&t->touched, line);
    if (number == NO_NUMBER)
        return -1;
    if (t->touched.count > t->places) {
        const uint32_t places = t->places ? 2 * t->places : 16;
        uint64_t *more = realloc(t->touched_at, places * sizeof *more);
        if (!more)
            return -1;
        t->touched_at = more;
        t->places = places;
    }
    *before = number < known ? t->touched_at[number] : 0;
    t->touched_at[number] = p->now.cycle;
    return number < known;
}

/* Where a load's line is known; NULL: no memory. */
static struct line *line_of(struct sm_profile *p, uint64_t address, uint32_t *number)
{
    *number = address_number(&p->lines, address);
    if (*number == NO_NUMBER)
        return NULL;
    if (*number >= p->line_places) {
        const uint32_t places = p->line_places ? 2 * p->line_places : 64;
        struct line *more = realloc(p->line, places * sizeof *more);
        if (!more)
            return NULL;
        memset(&more[p->line_places], 0, (places - p->line_places) * sizeof *more);
        p->line = more;
        p->line_places = places;
    }
    return &p->line[*number];
}

/* What every access of a load does: it touches the line. NULL: no memory. */
static struct line *touch(struct sm_profile *p, struct load_profile *l, uint64_t address,
                          uint64_t warp, uint32_t *number, uint64_t *own_before)
{
    struct tenant *t = &p->tenants[warp];
    struct line *line = line_of(p, address, number);
    struct distance distance;
    const int reused = line ? reuse_touch(&p->reuse, *number, &distance) : -1;
    if (reused < 0 || touch_own(t, p, address, own_before) < 0 ||
        sharing_touch(&p->sharing, address, t->block, t->life))
        return NULL;
    l->accesses++;
    if (reused)
        count_reuse(l, kinship(&line->last, t), &distance);
    line->last = (struct toucher){t->life, t->block};
    return line;
}

/* A hit on a line that the warp has brought, by the trip of its last touch. */
static void count_trip(struct load_profile *l, const struct sm_profile *p, uint64_t before)
{
    if (!p->now.in_loop)
        return;
    if (before >= p->now.trips.this_one)
        l->this_trip++;
    else if (before >= p->now.trips.last_one)
        l->last_trip++;
    else
        l->earlier++;
}

static int hit(struct sm_profile *p, const struct event *e)
{
    struct load_profile *l = &p->loads[p->kernel->load_at[e->of.l1d_hit.pc]];
    uint32_t number;
    uint64_t before;
    const struct line *line = touch(p, l, e->of.l1d_hit.line, e->of.l1d_hit.warp, &number, &before);
    if (!line || shadow_load(&p->shadow, number, 1))
        return -1;
    l->hits++;
    switch (kinship(&line->brought_by, &p->tenants[e->of.l1d_hit.warp])) {
    case SAME_WARP:
        l->hits_intra_warp++;
        count_trip(l, p, before);
        break;
    case SAME_BLOCK: l->hits_inter_warp++; break;
    case OTHER_BLOCK: l->hits_inter_block++; break;
    }
    return 0;
}

static void count_miss(struct load_profile *l, enum shadow_state state)
{
    switch (state) {
    case SHADOW_NEVER: l->misses_cold++; break;
    case SHADOW_HERE: l->misses_conflict++; break;
    case SHADOW_EVICTED: l->misses_capacity++; break;
    case SHADOW_WRITTEN: l->misses_written++; break;
    default: l->misses_bypassed++; break;
    }
}

static int miss(struct sm_profile *p, const struct event *e)
{
    const int merged = e->of.l1d_miss.merged != 0, bypass = e->of.l1d_miss.bypass != 0;
    struct load_profile *l = &p->loads[p->kernel->load_at[e->of.l1d_miss.pc]];
    const struct tenant *t = &p->tenants[e->of.l1d_miss.warp];
    uint32_t number;
    uint64_t before;
    struct line *line = touch(p, l, e->of.l1d_miss.line, e->of.l1d_miss.warp, &number, &before);
    if (!line)
        return -1;
    l->misses++;
    if (merged)
        l->misses_merged++;
    else
        count_miss(l, shadow_state(&p->shadow, number));
    if (shadow_load(&p->shadow, number, !merged && !bypass))
        return -1;
    if (!merged && bypass)
        shadow_bypass(&p->shadow, number);
    if (!merged && !bypass)
        line->brought_by = (struct toucher){t->life, t->block};
    return 0;
}

static void write(struct sm_profile *p, uint64_t address)
{
    const uint32_t number = address_find(&p->lines, address);
    if (number != NO_NUMBER)
        shadow_write(&p->shadow, number);
}

static void hear(void *context, const struct event *e)
{
    struct sm_profile *p = context;
    if (p->lost || !p->kernel)
        return;
    switch (e->kind) {
    case EVENT_warp_start: on_warp_start(p, e); break;
    case EVENT_issue: on_issue(p, e); break;
    case EVENT_access: on_access(p, e); break;
    case EVENT_l1d_hit: p->lost = hit(p, e) != 0; break;
    case EVENT_l1d_miss: p->lost = miss(p, e) != 0; break;
    case EVENT_l1d_write: write(p, e->of.l1d_write.line); break;
    default: break;
    }
}

struct sm_profile *sm_profile_new(const struct config *c)
{
    struct sm_profile *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->listener = (struct listener){.hears = HEARS(warp_start) | HEARS(issue) | HEARS(access) |
                                             HEARS(l1d_hit) | HEARS(l1d_miss) | HEARS(l1d_write),
                                    .hear = hear,
                                    .context = p};
    p->shadow.capacity = (uint32_t)(c->l1d_sets * c->l1d_ways);
    p->most_issued = (uint32_t)c->mem_queue + 2;
    p->issued = calloc(p->most_issued, sizeof *p->issued);
    if (p->issued)
        return p;
    sm_profile_free(p);
    return NULL;
}

/* Forgets the lines and the warps. */
static void forget(struct sm_profile *p)
{
    address_map_clear(&p->lines);
    reuse_clear(&p->reuse);
    shadow_clear(&p->shadow);
    sharing_clear(&p->sharing);
    free(p->line);
    p->line = NULL;
    p->line_places = 0;
    for (unsigned i = 0; i < NUM_SLOTS; i++) {
        address_map_clear(&p->tenants[i].touched);
        free(p->tenants[i].touched_at);
        p->tenants[i] = (struct tenant){0};
    }
    p->lives = 0;
    p->first_issued = p->num_issued = 0;
}

void sm_profile_free(struct sm_profile *p)
{
    if (!p)
        return;
    forget(p);
    free(p->loads);
    free(p->trips);
    free(p->issued);
    free(p);
}

struct listener *sm_profile_listener(struct sm_profile *p)
{
    return &p->listener;
}

int sm_profile_begin(struct sm_profile *p, const struct kernel_loads *k)
{
    forget(p);
    free(p->loads);
    free(p->trips);
    p->loads = calloc(k->num_loads + 1u, sizeof *p->loads);
    p->trips = calloc((size_t)NUM_SLOTS * k->kernel->num_loops + 1, sizeof *p->trips);
    p->kernel = p->loads && p->trips ? k : NULL;
    p->lost = !p->kernel;
    return -p->lost;
}

/* These structs hold counts and nothing else, so two are added word by word. */
static void add(struct load_profile *sum, const struct load_profile *term)
{
    for (size_t i = 0; i < sizeof *sum / sizeof(uint64_t); i++)
        ((uint64_t *)sum)[i] += ((const uint64_t *)term)[i];
}

int sm_profile_end(struct sm_profile *p, struct load_profile *sums)
{
    for (uint32_t i = 0; p->kernel && i < p->kernel->num_loads; i++)
        add(&sums[i], &p->loads[i]);
    p->kernel = NULL;
    return -p->lost;
}

const struct sharing *sm_profile_sharing(const struct sm_profile *p)
{
    return &p->sharing;
}
