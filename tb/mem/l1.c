/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/l1.c: see l1.h.
 *
 * A miss reserves three things at once or nothing: a way (the least recently used that is not
 * itself reserved), an MSHR, and a place in the miss queue. Until its line arrives the way is
 * RESERVED and cannot be replaced; further loads of the line merge into its MSHR and count as
 * misses. A store to a line on its way goes to memory and marks the way so that it does not stay;
 * loads that follow may still merge, which hardware would send again. A miss that bypasses the
 * cache needs no way and brings only the sectors that were asked for; a load that needs no others
 * merges with it, polluting or not. */
#include "tb/mem/l1.h"

#include <stdlib.h>
#include <string.h>

#include "tb/mem/l1_state.h"

static const struct listener nobody;

struct shape {
    int64_t sets, ways, line, mshrs, merge;
    enum tags_index index;
    uint32_t first_tag, untracked;
    int keeps;
};

static struct l1 *new (const struct config *c, const struct shape *s, struct memory *memory,
                       unsigned port, const struct listener *listener)
{
    struct l1 *l = lines_alloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->memory = memory;
    l->listener = listener;
    l->port = port;
    l->first_tag = s->first_tag;
    l->first_untracked = memory_tags(c) - memory_untracked(c);
    l->keeps = s->keeps;
    l->line_bytes = (uint32_t)s->line;
    l->sectors_of_memory = (uint32_t)c->l1d_line / SECTOR_BYTES;
    if (tags_init(&l->tags, (uint64_t)s->sets, (uint32_t)s->ways, l->line_bytes, s->index) |
        mshrs_init(&l->mshrs, (uint32_t)s->mshrs, (uint32_t)s->merge) |
        mshrs_init(&l->untracked, s->untracked, 1)) {
        l1_free(l);
        return NULL;
    }
    tags_reset(&l->tags);
    l1_reset(l, 0);
    return l;
}

static enum tags_index l1d_index(const struct config *c)
{
    return !strcmp(c->l1d_index, "hashed")  ? TAGS_HASHED
           : !strcmp(c->l1d_index, "fermi") ? TAGS_FERMI
                                            : TAGS_LINEAR;
}

void l1d_shape(const struct config *c, struct tags *t)
{
    tags_shape(t, (uint64_t)c->l1d_sets, (uint32_t)c->l1d_ways, (uint32_t)c->l1d_line,
               l1d_index(c));
}

struct l1 *l1d_new(const struct config *c, struct memory *memory, unsigned port,
                   const struct listener *listener)
{
    const struct shape s = {.sets = c->l1d_sets,
                            .ways = c->l1d_ways,
                            .line = c->l1d_line,
                            .mshrs = c->l1d_mshrs,
                            .merge = c->l1d_mshr_merge,
                            .index = l1d_index(c),
                            .untracked = memory_untracked(c),
                            .keeps = c->l1d_keep != 0};
    return new (c, &s, memory, port, listener);
}

struct l1 *l1c_new(const struct config *c, struct memory *memory, unsigned port)
{
    const struct shape s = {.sets = c->l1c_sets,
                            .ways = c->l1c_ways,
                            .line = c->l1c_line,
                            .mshrs = c->l1c_mshrs,
                            .merge = c->l1c_mshr_merge,
                            .first_tag = (uint32_t)c->l1d_mshrs};
    return new (c, &s, memory, port, &nobody);
}

struct l1 *l1i_new(const struct config *c, struct memory *memory, unsigned port)
{
    const struct shape s = {.sets = c->l1i_sets,
                            .ways = c->l1i_ways,
                            .line = c->l1i_line,
                            .mshrs = c->l1i_mshrs,
                            .merge = c->l1i_mshr_merge,
                            .first_tag = (uint32_t)(c->l1d_mshrs + c->l1c_mshrs),
                            .keeps = c->l1i_keep != 0};
    return new (c, &s, memory, port, &nobody);
}

void l1_free(struct l1 *l)
{
    if (!l)
        return;
    tags_free(&l->tags);
    mshrs_free(&l->mshrs);
    mshrs_free(&l->untracked);
    lines_free(l);
}

static unsigned way_space(const struct l1 *l, int64_t way)
{
    const uint64_t line = l->tags.lines[way];
    return line == NO_LINE ? NO_SPACE : space_of(line);
}

void l1_reset(struct l1 *l, uint64_t cycle)
{
    if (l->keeps)
        tags_forget_reserved(&l->tags);
    else
        tags_reset(&l->tags);
    mshrs_reset(&l->mshrs);
    mshrs_reset(&l->untracked);
    l->mshrs.since = cycle;
    l->mshrs.occupancy = 0;
    l->waiting = 0;
    l->since = cycle;
    l->bypassing = 0;
    l->counters = (struct l1_counters){0};
    l->spaces = (struct spaces){.since = cycle};
    for (uint64_t i = 0; i < l->tags.num_sets * l->tags.num_ways; i++)
        spaces_move(&l->spaces, cycle, NO_SPACE, way_space(l, (int64_t)i));
}

/* Brings the sum of loads that wait up to all cycles before this one, and changes their number. */
static void change_waiting(struct l1 *l, uint64_t cycle, int64_t change)
{
    l->counters.waited += l->waiting * (cycle - l->since);
    l->since = cycle;
    l->waiting += (uint64_t)change;
}

/* The way's line is there no more. */
static void let_go(struct l1 *l, uint64_t cycle, int64_t way)
{
    spaces_move(&l->spaces, cycle, way_space(l, way), NO_SPACE);
    tags_drop(&l->tags, way);
}

/* A load of the line is served. */
static struct space_counters *count(struct l1 *l, uint64_t line)
{
    struct space_counters *of = &l->spaces.counters[space_of(line)];
    l->counters.accesses++;
    of->accesses++;
    return of;
}

static void count_miss(struct l1 *l, uint64_t line, int merged)
{
    struct space_counters *of = count(l, line);
    l->counters.misses++;
    of->misses++;
    l->counters.mshr_merged += (uint64_t)merged;
    of->mshr_merged += (uint64_t)merged;
}

static enum l1_result fail(struct l1 *l, enum l1_failure cause, enum l1_failure *failure)
{
    l->counters.failures[cause]++;
    *failure = cause;
    return L1_FAILED;
}

/* The sectors of a whole line, as the memory numbers them. */
static uint8_t all_sectors(const struct l1 *l, uint64_t line)
{
    uint32_t first = (uint32_t)(line / SECTOR_BYTES) & (l->sectors_of_memory - 1);
    return (uint8_t)(((1u << l->line_bytes / SECTOR_BYTES) - 1) << first);
}

static void send(struct l1 *l, uint64_t cycle, enum memory_kind kind, uint64_t line,
                 uint8_t sectors, uint32_t tag)
{
    memory_send(
        l->memory, l->port, cycle,
        &(struct memory_request){
            .address = line, .kind = (uint8_t)kind, .sectors = sectors, .tag = (uint16_t)tag});
}

static enum l1_result merge(struct l1 *l, uint64_t cycle, uint32_t mshr, const struct l1_user *u,
                            enum l1_failure *failure)
{
    const struct mshr *e = &l->mshrs.entries[mshr];
    if (mshrs_merge(&l->mshrs, mshr, u->waiter))
        return fail(l, L1_FAIL_merge_full, failure);
    change_waiting(l, cycle, 1);
    if (e->way >= 0)
        tags_touch(&l->tags, e->way);
    count_miss(l, e->line, 1);
    tell(l->listener, cycle, l1d_miss, .line = e->line, .warp = u->warp, .pc = u->pc, .merged = 1,
         .bypass = e->way < 0);
    return L1_MERGED;
}

/* The MSHR of the first load that brings these sectors past the cache, or NO_MSHR. */
static uint32_t find_bypass(const struct l1 *l, uint64_t line, uint8_t sectors)
{
    uint32_t found = NO_MSHR;
    uint64_t first = NEVER;
    for (uint32_t i = 0; i < l->mshrs.count; i++) {
        const struct mshr *e = &l->mshrs.entries[i];
        if (e->line == line && e->num_waiters && !(sectors & ~e->sectors) && e->asked < first) {
            found = i;
            first = e->asked;
        }
    }
    return found;
}

static enum l1_result hit(struct l1 *l, uint64_t cycle, int64_t way, const struct l1_user *u)
{
    const unsigned owner = l->tags.ways[way].warp;
    const int own = owner == u->warp;
    tags_touch(&l->tags, way);
    count(l, l->tags.lines[way]);
    l->counters.hits++;
    l->counters.hits_intra_warp += (uint64_t)own;
    l->counters.hits_inter_warp += (uint64_t)!own;
    tell(l->listener, cycle, l1d_hit, .line = l->tags.lines[way], .warp = u->warp, .pc = u->pc,
         .owner = owner);
    return L1_HIT;
}

/* Gives the way to the line, whose load has been told. */
static void reserve(struct l1 *l, uint64_t cycle, uint64_t line, int64_t way, unsigned warp,
                    uint32_t mshr)
{
    if (tags_valid(&l->tags, way)) {
        l->counters.evictions++;
        tell(l->listener, cycle, l1d_evict, .line = l->tags.lines[way],
             .owner = l->tags.ways[way].warp);
    }
    spaces_move(&l->spaces, cycle, way_space(l, way), space_of(line));
    struct way *w = tags_reserve(&l->tags, way, line);
    w->warp = (uint16_t)warp;
    w->mshr = mshr;
}

/* A load past the cache has been told: takes what it waits in. Returns its tag. */
static uint32_t bypass(struct l1 *l, uint64_t cycle, struct mshrs *m, uint64_t line,
                       uint8_t sectors, const struct l1_user *u)
{
    const uint32_t number = mshrs_take(m, cycle, line, -1, u->waiter);
    m->entries[number].sectors = sectors;
    m->entries[number].asked = cycle;
    l->counters.bypassed++;
    tell(l->listener, cycle, l1d_bypass, .line = line, .warp = u->warp, .pc = u->pc);
    if (m == &l->untracked)
        return l->first_untracked + number;
    l->bypassing++;
    return l->first_tag + number;
}

enum l1_result l1_load(struct l1 *l, uint64_t cycle, uint64_t line, uint8_t sectors,
                       const struct l1_user *u, int pollute, enum l1_failure *failure)
{
    int64_t way = tags_find(&l->tags, line);
    if (way >= 0 && tags_reserved(&l->tags, way))
        return merge(l, cycle, l->tags.ways[way].mshr, u, failure);
    if (way >= 0)
        return hit(l, cycle, way, u);
    if (l->bypassing) {
        uint32_t mshr = find_bypass(l, line, sectors);
        if (mshr != NO_MSHR)
            return merge(l, cycle, mshr, u, failure);
    }
    if (pollute && (way = tags_victim(&l->tags, line)) < 0)
        return fail(l, L1_FAIL_no_way, failure);
    struct mshrs *mshrs = !pollute && l->untracked.count ? &l->untracked : &l->mshrs;
    if (mshrs_full(mshrs))
        return fail(l, L1_FAIL_no_mshr, failure);
    if (!memory_room(l->memory, l->port, cycle))
        return fail(l, L1_FAIL_queue_full, failure);
    change_waiting(l, cycle, 1);
    count_miss(l, line, 0);
    tell(l->listener, cycle, l1d_miss, .line = line, .warp = u->warp, .pc = u->pc, .merged = 0,
         .bypass = !pollute);
    if (!pollute) {
        send(l, cycle, MEMORY_READ, line, sectors, bypass(l, cycle, mshrs, line, sectors, u));
        return L1_MISS;
    }
    const uint32_t number = mshrs_take(mshrs, cycle, line, way, u->waiter);
    mshrs->entries[number].sectors = 0; /* its way is found by its line */
    reserve(l, cycle, line, way, u->warp, number);
    send(l, cycle, MEMORY_READ, line, all_sectors(l, line), l->first_tag + number);
    return L1_MISS;
}

/* Drops a line that is about to change at the memory. Returns whether it was valid. */
static int drop(struct l1 *l, uint64_t cycle, uint64_t line)
{
    int64_t way = tags_find(&l->tags, line);
    if (way < 0)
        return 0;
    if (tags_reserved(&l->tags, way)) {
        l->tags.ways[way].stale = 1;
        return 0;
    }
    tell(l->listener, cycle, l1d_drop, .line = line, .owner = l->tags.ways[way].warp);
    let_go(l, cycle, way);
    return 1;
}

enum l1_result l1_store(struct l1 *l, uint64_t cycle, uint64_t line, uint8_t sectors,
                        enum l1_failure *failure)
{
    if (!memory_room(l->memory, l->port, cycle))
        return fail(l, L1_FAIL_queue_full, failure);
    l->counters.stores++;
    tell(l->listener, cycle, l1d_write, .line = line);
    l->counters.store_evictions += (uint64_t)drop(l, cycle, line);
    send(l, cycle, MEMORY_WRITE, line, sectors, l->first_tag);
    return L1_SENT;
}

enum l1_result l1_atomic(struct l1 *l, uint64_t cycle, uint64_t line, uint8_t sectors,
                         uint32_t waiter, enum l1_failure *failure)
{
    if (mshrs_full(&l->mshrs))
        return fail(l, L1_FAIL_no_mshr, failure);
    if (!memory_room(l->memory, l->port, cycle))
        return fail(l, L1_FAIL_queue_full, failure);
    l->counters.atomics++;
    tell(l->listener, cycle, l1d_write, .line = line);
    l->counters.atomic_evictions += (uint64_t)drop(l, cycle, line);
    send(l, cycle, MEMORY_ATOMIC, line, sectors,
         l->first_tag + mshrs_take(&l->mshrs, cycle, ATOMIC_LINE, -1, waiter));
    return L1_SENT;
}

int l1_unblocks(const struct l1 *l, uint32_t tag, uint64_t line, enum l1_failure cause)
{
    if (tag >= l->first_untracked)
        return cause == L1_FAIL_no_mshr;
    const struct mshr *e = &l->mshrs.entries[tag - l->first_tag];
    switch (cause) {
    case L1_FAIL_no_way:
        return e->way >= 0 && tags_set(&l->tags, e->line) == tags_set(&l->tags, line);
    case L1_FAIL_merge_full: return e->line == line;
    default: return 1;
    }
}

uint32_t l1_fill(struct l1 *l, uint64_t cycle, uint32_t tag, const uint64_t **waiters)
{
    if (tag >= l->first_untracked) {
        change_waiting(l, cycle, -1);
        tell(l->listener, cycle, l1d_return,
             .line = l->untracked.entries[tag - l->first_untracked].line, .loads = 1);
        *waiters = mshrs_give_back(&l->untracked, cycle, tag - l->first_untracked);
        return 1;
    }
    struct mshr *e = &l->mshrs.entries[tag - l->first_tag];
    const uint32_t count = e->num_waiters;
    change_waiting(l, cycle, e->line != ATOMIC_LINE ? -(int64_t)count : 0);
    if (e->way >= 0 && l->tags.ways[e->way].stale)
        let_go(l, cycle, e->way);
    else if (e->way >= 0) {
        tags_fill(&l->tags, e->way);
        tell(l->listener, cycle, l1d_fill, .line = e->line, .owner = l->tags.ways[e->way].warp);
    } else if (e->line != ATOMIC_LINE)
        l->bypassing--;
    if (e->line != ATOMIC_LINE)
        tell(l->listener, cycle, l1d_return, .line = e->line, .loads = count);
    e->num_waiters = 0;
    *waiters = mshrs_give_back(&l->mshrs, cycle, tag - l->first_tag);
    return count;
}

int l1_has(const struct l1 *l, uint64_t line)
{
    const int64_t way = tags_find(&l->tags, line);
    return way >= 0 && !tags_reserved(&l->tags, way);
}

void l1_disown(struct l1 *l, unsigned warp)
{
    tags_disown(&l->tags, warp);
}

void l1_account(struct l1 *l, uint64_t cycle)
{
    mshrs_account(&l->mshrs, cycle);
    change_waiting(l, cycle, 0);
    spaces_account(&l->spaces, cycle);
    l->counters.mshr_occupancy = l->mshrs.occupancy;
}

struct l1_counters *l1_counters(struct l1 *l)
{
    return &l->counters;
}

const struct space_counters *l1_spaces(const struct l1 *l)
{
    return l->spaces.counters;
}
