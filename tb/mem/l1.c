/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/l1.c: see l1.h.
 *
 * A miss reserves three things at once or nothing: a way (the least recently used that is not
 * itself reserved), an MSHR, and a place in the miss queue. Until its line arrives the way is
 * RESERVED and cannot be replaced; further loads of the line merge into its MSHR and count as
 * misses. A store to a line on its way goes to memory and marks the way so that it does not stay;
 * loads that follow may still merge, which hardware would send again. A miss that bypasses the
 * cache needs no way; loads of its line merge with it, polluting or not. */
#include "tb/mem/l1.h"

#include <stdlib.h>
#include <string.h>

#include "tb/mem/mshr.h"
#include "tb/mem/tags.h"

struct l1 {
    struct tags tags;
    struct mshrs mshrs;
    uint32_t bypassing; /* MSHRs of loads without a way: they must be searched for */
    uint32_t first_tag;
    uint32_t line_bytes;
    uint32_t sectors_of_memory; /* in a line of the memory, which may be longer */
    struct memory *memory;
    const struct listener *listener;
    unsigned port;
    struct l1_counters counters;
};

static const struct listener nobody;

/* An MSHR of an atomic holds no line that a load could wait for. */
#define ATOMIC_LINE NO_LINE

struct shape {
    int64_t sets, ways, line, mshrs, merge;
    int hashed;
    uint32_t first_tag;
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
    l->line_bytes = (uint32_t)s->line;
    l->sectors_of_memory = (uint32_t)c->l1d_line / SECTOR_BYTES;
    if (tags_init(&l->tags, (uint64_t)s->sets, (uint32_t)s->ways, l->line_bytes, s->hashed) |
        mshrs_init(&l->mshrs, (uint32_t)s->mshrs, (uint32_t)s->merge)) {
        l1_free(l);
        return NULL;
    }
    l1_reset(l, 0);
    return l;
}

struct l1 *l1d_new(const struct config *c, struct memory *memory, unsigned port,
                   const struct listener *listener)
{
    const struct shape s = {c->l1d_sets,
                            c->l1d_ways,
                            c->l1d_line,
                            c->l1d_mshrs,
                            c->l1d_mshr_merge,
                            !strcmp(c->l1d_index, "hashed"),
                            0};
    return new (c, &s, memory, port, listener);
}

struct l1 *l1c_new(const struct config *c, struct memory *memory, unsigned port)
{
    const struct shape s = {c->l1c_sets,       c->l1c_ways, c->l1c_line,           c->l1c_mshrs,
                            c->l1c_mshr_merge, 0,           (uint32_t)c->l1d_mshrs};
    return new (c, &s, memory, port, &nobody);
}

void l1_free(struct l1 *l)
{
    if (!l)
        return;
    tags_free(&l->tags);
    mshrs_free(&l->mshrs);
    free(l);
}

void l1_reset(struct l1 *l, uint64_t cycle)
{
    tags_reset(&l->tags);
    mshrs_reset(&l->mshrs);
    l->mshrs.since = cycle;
    l->mshrs.occupancy = 0;
    l->bypassing = 0;
    l->counters = (struct l1_counters){0};
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
                 uint8_t sectors, uint32_t mshr)
{
    memory_send(l->memory, l->port, cycle,
                &(struct memory_request){.address = line,
                                         .kind = (uint8_t)kind,
                                         .sectors = sectors,
                                         .tag = (uint16_t)(l->first_tag + mshr)});
}

static enum l1_result merge(struct l1 *l, uint64_t cycle, uint32_t mshr, const struct l1_user *u,
                            enum l1_failure *failure)
{
    const struct mshr *e = &l->mshrs.entries[mshr];
    if (mshrs_merge(&l->mshrs, mshr, u->waiter))
        return fail(l, L1_FAIL_merge_full, failure);
    if (e->way >= 0)
        tags_touch(&l->tags, e->way);
    l->counters.accesses++;
    l->counters.misses++;
    l->counters.mshr_merged++;
    tell(l->listener, cycle, l1d_miss, .line = e->line, .warp = u->warp, .pc = u->pc, .merged = 1);
    return L1_MERGED;
}

/* The MSHR of a load of this line that bypasses the cache, or NO_MSHR. */
static uint32_t find_bypass(const struct l1 *l, uint64_t line)
{
    for (uint32_t i = 0; i < l->mshrs.count; i++)
        if (l->mshrs.entries[i].line == line && l->mshrs.entries[i].num_waiters)
            return i;
    return NO_MSHR;
}

static enum l1_result hit(struct l1 *l, uint64_t cycle, int64_t way, const struct l1_user *u)
{
    const unsigned owner = l->tags.ways[way].warp;
    const int own = owner == u->warp;
    tags_touch(&l->tags, way);
    l->counters.accesses++;
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
    struct way *w = tags_reserve(&l->tags, way, line);
    w->warp = (uint16_t)warp;
    w->mshr = mshr;
}

enum l1_result l1_load(struct l1 *l, uint64_t cycle, uint64_t line, const struct l1_user *u,
                       int pollute, enum l1_failure *failure)
{
    int64_t way = tags_find(&l->tags, line);
    if (way >= 0 && tags_reserved(&l->tags, way))
        return merge(l, cycle, l->tags.ways[way].mshr, u, failure);
    if (way >= 0)
        return hit(l, cycle, way, u);
    if (l->bypassing) {
        uint32_t mshr = find_bypass(l, line);
        if (mshr != NO_MSHR)
            return merge(l, cycle, mshr, u, failure);
    }
    if (pollute && (way = tags_victim(&l->tags, line)) < 0)
        return fail(l, L1_FAIL_no_way, failure);
    if (mshrs_full(&l->mshrs))
        return fail(l, L1_FAIL_no_mshr, failure);
    if (!memory_room(l->memory, l->port, cycle))
        return fail(l, L1_FAIL_queue_full, failure);
    l->counters.accesses++;
    l->counters.misses++;
    tell(l->listener, cycle, l1d_miss, .line = line, .warp = u->warp, .pc = u->pc, .merged = 0);
    uint32_t mshr = mshrs_take(&l->mshrs, cycle, line, way, u->waiter);
    if (pollute) {
        reserve(l, cycle, line, way, u->warp, mshr);
    } else {
        l->counters.bypassed++;
        l->bypassing++;
        tell(l->listener, cycle, l1d_bypass, .line = line, .warp = u->warp, .pc = u->pc);
    }
    send(l, cycle, MEMORY_READ, line, all_sectors(l, line), mshr);
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
    tags_drop(&l->tags, way);
    return 1;
}

enum l1_result l1_store(struct l1 *l, uint64_t cycle, uint64_t line, uint8_t sectors,
                        enum l1_failure *failure)
{
    if (!memory_room(l->memory, l->port, cycle))
        return fail(l, L1_FAIL_queue_full, failure);
    l->counters.stores++;
    l->counters.store_evictions += (uint64_t)drop(l, cycle, line);
    send(l, cycle, MEMORY_WRITE, line, sectors, 0);
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
    l->counters.atomic_evictions += (uint64_t)drop(l, cycle, line);
    send(l, cycle, MEMORY_ATOMIC, line, sectors,
         mshrs_take(&l->mshrs, cycle, ATOMIC_LINE, -1, waiter));
    return L1_SENT;
}

uint32_t l1_fill(struct l1 *l, uint64_t cycle, uint32_t tag, const uint64_t **waiters)
{
    struct mshr *e = &l->mshrs.entries[tag - l->first_tag];
    const uint32_t count = e->num_waiters;
    if (e->way >= 0 && l->tags.ways[e->way].stale)
        tags_drop(&l->tags, e->way);
    else if (e->way >= 0) {
        tags_fill(&l->tags, e->way);
        tell(l->listener, cycle, l1d_fill, .line = e->line, .owner = l->tags.ways[e->way].warp);
    } else if (e->line != ATOMIC_LINE)
        l->bypassing--;
    e->num_waiters = 0;
    *waiters = mshrs_give_back(&l->mshrs, cycle, tag - l->first_tag);
    return count;
}

void l1_account(struct l1 *l, uint64_t cycle)
{
    mshrs_account(&l->mshrs, cycle);
    l->counters.mshr_occupancy = l->mshrs.occupancy;
}

struct l1_counters *l1_counters(struct l1 *l)
{
    return &l->counters;
}
