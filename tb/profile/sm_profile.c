/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/sm_profile.c: see sm_profile.h.
 *
 * The events of L1D after a load's access, up to the next access, are those of its lines. */
#include "tb/profile/sm_profile.h"

#include <stdlib.h>
#include <string.h>

#include "hw.h"
#include "tb/profile/address_map.h"
#include "tb/profile/reuse.h"
#include "tb/profile/shadow.h"
#include "tb/profile/warps.h"

/* Who touches a line. A life of 0: nobody has. */
struct toucher {
    uint64_t life, block;
};

/* A line that a load has touched. */
struct line {
    struct toucher brought_by, last;
};

/* A kernel that runs, or none. */
struct followed {
    const struct kernel_loads *kernel; /* NULL: none */
    struct load_profile *loads;
    struct sharing sharing;
    struct issued now; /* the access that is going on */
    int reusing;       /* it has accessed a line that its warp had accessed before */
};

struct sm_profile {
    struct listener listener;
    struct followed kernels[NUM_KERNELS];
    struct address_map lines;
    struct line *line; /* by number in `lines` */
    uint32_t line_places;
    struct reuse reuse;
    struct shadow shadow;
    struct warps warps;
    int keeps; /* lines are known from kernel to kernel, as L1D keeps them */
    int lost;  /* no memory */
};

enum kinship { SAME_WARP, SAME_BLOCK, OTHER_BLOCK };

static enum kinship kinship(const struct toucher *a, const struct tenant *b)
{
    if (a->life == b->life)
        return SAME_WARP;
    return a->life && a->block == b->block ? SAME_BLOCK : OTHER_BLOCK;
}

/* Whose warp it is. */
static struct followed *of_warp(struct sm_profile *p, uint64_t warp)
{
    return &p->kernels[p->warps.tenants[warp].kernel];
}

static void on_issue(struct sm_profile *p, const struct event *e)
{
    const struct followed *f = of_warp(p, e->of.issue.warp);
    warps_issue(&p->warps, e, f->kernel->load_at[e->of.issue.pc] != NO_LOAD_NUMBER);
}

static void on_access(struct sm_profile *p, const struct event *e)
{
    struct followed *f = of_warp(p, e->of.access.warp);
    const uint64_t lines = e->of.access.lines;
    const uint32_t load = f->kernel->load_at[e->of.access.pc];
    if (load == NO_LOAD_NUMBER)
        return;
    const struct issued *now = warps_access(&p->warps, e);
    if (!now) {
        p->lost = 1;
        return;
    }
    f->now = *now;
    f->reusing = 0;
    struct load_profile *l = &f->loads[load];
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

/* Where a load's line is known; NULL: no memory. */
static struct line *line_of(struct sm_profile *p, uint64_t address, uint32_t *number)
{
    *number = address_number(&p->lines, address);
    if (*number == NO_NUMBER)
        return NULL;
    struct line *room = address_room(p->line, &p->line_places, *number, sizeof *room);
    if (!room)
        return NULL;
    p->line = room;
    return &p->line[*number];
}

/* What every access of a load does: it touches the line. NULL: no memory. */
static struct line *touch(struct sm_profile *p, struct load_profile *l, uint64_t address,
                          uint64_t warp, uint32_t *number, uint64_t *own_before)
{
    const struct tenant *t = &p->warps.tenants[warp];
    struct followed *f = of_warp(p, warp);
    struct line *line = line_of(p, address, number);
    struct distance distance;
    const int reused = line ? reuse_touch(&p->reuse, *number, &distance) : -1;
    const int own = warps_touch(&p->warps, warp, f->now.cycle, address, own_before);
    if (reused < 0 || own < 0 || sharing_touch(&f->sharing, address, t->block, t->life))
        return NULL;
    l->accesses++;
    l->executions_reusing += (uint64_t)(own && !f->reusing);
    f->reusing |= own;
    if (reused)
        count_reuse(l, kinship(&line->last, t), &distance);
    line->last = (struct toucher){t->life, t->block};
    return line;
}

/* A hit on a line that the warp has brought, by the trip of its last touch. */
static void count_trip(struct load_profile *l, const struct issued *now, uint64_t before)
{
    if (!now->in_loop)
        return;
    if (before >= now->trips.this_one)
        l->this_trip++;
    else if (before >= now->trips.last_one)
        l->last_trip++;
    else
        l->earlier++;
}

static int hit(struct sm_profile *p, const struct event *e)
{
    struct followed *f = of_warp(p, e->of.l1d_hit.warp);
    struct load_profile *l = &f->loads[f->kernel->load_at[e->of.l1d_hit.pc]];
    uint32_t number;
    uint64_t before;
    const struct line *line = touch(p, l, e->of.l1d_hit.line, e->of.l1d_hit.warp, &number, &before);
    if (!line || shadow_load(&p->shadow, number, 1))
        return -1;
    l->hits++;
    switch (kinship(&line->brought_by, &p->warps.tenants[e->of.l1d_hit.warp])) {
    case SAME_WARP:
        l->hits_intra_warp++;
        count_trip(l, &f->now, before);
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
    struct followed *f = of_warp(p, e->of.l1d_miss.warp);
    struct load_profile *l = &f->loads[f->kernel->load_at[e->of.l1d_miss.pc]];
    const struct tenant *t = &p->warps.tenants[e->of.l1d_miss.warp];
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

static int runs(const struct sm_profile *p)
{
    int any = 0;
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        any |= p->kernels[i].kernel != NULL;
    return any;
}

static void hear(void *context, const struct event *e)
{
    struct sm_profile *p = context;
    if (p->lost || !runs(p))
        return;
    switch (e->kind) {
    case EVENT_warp_start: warps_start(&p->warps, e); break;
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
    p->keeps = c->l1d_keep != 0;
    p->shadow.capacity = (uint32_t)(c->l1d_sets * c->l1d_ways);
    const uint32_t apart = PMIQ_DEPTH + 1, together = (uint32_t)c->mem_queue; /* lsu_init */
    if (!warps_init(&p->warps, together > apart ? together : apart))
        return p;
    sm_profile_free(p);
    return NULL;
}

/* Forgets the lines. */
static void forget(struct sm_profile *p)
{
    address_map_clear(&p->lines);
    reuse_clear(&p->reuse);
    shadow_clear(&p->shadow);
    free(p->line);
    p->line = NULL;
    p->line_places = 0;
}

void sm_profile_free(struct sm_profile *p)
{
    if (!p)
        return;
    forget(p);
    for (unsigned i = 0; i < NUM_KERNELS; i++) {
        sharing_clear(&p->kernels[i].sharing);
        free(p->kernels[i].loads);
    }
    warps_free(&p->warps);
    free(p);
}

struct listener *sm_profile_listener(struct sm_profile *p)
{
    return &p->listener;
}

int sm_profile_begin(struct sm_profile *p, unsigned number, const struct kernel_loads *k)
{
    struct followed *f = &p->kernels[number];
    if (!runs(p)) {
        if (!p->keeps)
            forget(p);
        warps_forget(&p->warps);
        p->lost = 0;
    }
    sharing_clear(&f->sharing);
    free(f->loads);
    f->loads = calloc(k->num_loads + 1u, sizeof *f->loads);
    f->kernel = f->loads && !warps_begin(&p->warps, number, k->kernel) ? k : NULL;
    p->lost |= !f->kernel;
    return -p->lost;
}

/* These structs hold counts and nothing else. */
void load_profile_add(struct load_profile *sum, const struct load_profile *term)
{
    for (size_t i = 0; i < sizeof *sum / sizeof(uint64_t); i++)
        ((uint64_t *)sum)[i] += ((const uint64_t *)term)[i];
}

int sm_profile_end(struct sm_profile *p, unsigned number, struct load_profile *sums)
{
    struct followed *f = &p->kernels[number];
    for (uint32_t i = 0; f->kernel && i < f->kernel->num_loads; i++)
        load_profile_add(&sums[i], &f->loads[i]);
    f->kernel = NULL;
    return -p->lost;
}

const struct sharing *sm_profile_sharing(const struct sm_profile *p, unsigned number)
{
    return &p->kernels[number].sharing;
}
