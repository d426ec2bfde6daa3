/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/l1d.c: see l1d.h.
 *
 * A miss reserves three things at once or nothing: a way (the least recently used that is not
 * itself reserved), an MSHR, and a place in the miss queue. Until its line arrives the way is
 * RESERVED and cannot be replaced; further loads of the line merge into its MSHR and count as
 * misses. A store to a line on its way goes to memory and marks the way so that it does not stay;
 * loads that follow may still merge, which hardware would send again. */
#include "tb/mem/l1d.h"

#include <stdlib.h>
#include <string.h>

#define NO_MSHR UINT32_MAX

enum way_state { WAY_INVALID, WAY_VALID, WAY_RESERVED };

struct way {
    uint64_t line;
    uint64_t used; /* number of the last access: the smallest is the least recently used */
    uint32_t mshr; /* while RESERVED */
    uint16_t warp; /* that brought the line */
    uint8_t state; /* enum way_state */
    uint8_t stale; /* written while RESERVED: becomes INVALID when it arrives */
};

struct mshr {
    struct way *way; /* NULL: an atomic */
    uint32_t num_waiters;
    uint32_t next_free;
};

struct l1d {
    struct way *ways; /* set after set */
    struct mshr *mshrs;
    uint32_t *waiters; /* mshr_merge for each MSHR */
    uint32_t first_free;
    uint32_t num_sets, num_ways, num_mshrs, merge, line_bytes, line_shift;
    uint64_t now; /* accesses so far */
    struct memory *memory;
    unsigned port;
    struct l1d_counters counters;
};

struct l1d *l1d_new(const struct config *c, struct memory *memory, unsigned port)
{
    struct l1d *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->num_sets = (uint32_t)c->l1d_sets;
    d->num_ways = (uint32_t)c->l1d_ways;
    d->num_mshrs = (uint32_t)c->l1d_mshrs;
    d->merge = (uint32_t)c->l1d_mshr_merge;
    d->line_bytes = (uint32_t)c->l1d_line;
    d->line_shift = (uint32_t)__builtin_ctz(d->line_bytes);
    d->memory = memory;
    d->port = port;
    d->ways = calloc((size_t)d->num_sets * d->num_ways, sizeof *d->ways);
    d->mshrs = calloc(d->num_mshrs, sizeof *d->mshrs);
    d->waiters = calloc((size_t)d->num_mshrs * d->merge, sizeof *d->waiters);
    if (!d->ways || !d->mshrs || !d->waiters) {
        l1d_free(d);
        return NULL;
    }
    l1d_reset(d);
    return d;
}

void l1d_free(struct l1d *d)
{
    if (!d)
        return;
    free(d->ways);
    free(d->mshrs);
    free(d->waiters);
    free(d);
}

void l1d_reset(struct l1d *d)
{
    memset(d->ways, 0, (size_t)d->num_sets * d->num_ways * sizeof *d->ways);
    for (uint32_t i = 0; i < d->num_mshrs; i++)
        d->mshrs[i].next_free = i + 1 < d->num_mshrs ? i + 1 : NO_MSHR;
    d->first_free = 0;
    d->now = 0;
    d->counters = (struct l1d_counters){0};
}

static struct way *set_of(struct l1d *d, uint64_t line)
{
    return &d->ways[(line >> d->line_shift & (d->num_sets - 1)) * d->num_ways];
}

static struct way *find(struct l1d *d, uint64_t line)
{
    struct way *set = set_of(d, line);
    for (uint32_t i = 0; i < d->num_ways; i++)
        if (set[i].state != WAY_INVALID && set[i].line == line)
            return &set[i];
    return NULL;
}

/* The way a miss replaces: an invalid one, else the least recently used valid one; NULL: all are
 * reserved. */
static struct way *victim(struct l1d *d, uint64_t line)
{
    struct way *set = set_of(d, line), *oldest = NULL;
    for (uint32_t i = 0; i < d->num_ways; i++) {
        if (set[i].state == WAY_INVALID)
            return &set[i];
        if (set[i].state == WAY_VALID && (!oldest || set[i].used < oldest->used))
            oldest = &set[i];
    }
    return oldest;
}

static enum l1d_result fail(struct l1d *d, enum l1d_failure cause, enum l1d_failure *failure)
{
    d->counters.failures[cause]++;
    *failure = cause;
    return L1D_FAILED;
}

/* Takes a free MSHR, which exists, with its first waiter. */
static uint32_t take_mshr(struct l1d *d, struct way *way, uint32_t waiter)
{
    uint32_t number = d->first_free;
    struct mshr *mshr = &d->mshrs[number];
    d->first_free = mshr->next_free;
    mshr->way = way;
    mshr->num_waiters = 1;
    d->waiters[(size_t)number * d->merge] = waiter;
    return number;
}

static enum l1d_result merge(struct l1d *d, struct way *way, uint32_t waiter,
                             enum l1d_failure *failure)
{
    struct mshr *mshr = &d->mshrs[way->mshr];
    if (mshr->num_waiters == d->merge)
        return fail(d, L1D_FAIL_merge_full, failure);
    d->waiters[(size_t)way->mshr * d->merge + mshr->num_waiters++] = waiter;
    way->used = ++d->now;
    d->counters.accesses++;
    d->counters.misses++;
    d->counters.mshr_merged++;
    return L1D_MISS;
}

enum l1d_result l1d_load(struct l1d *d, uint64_t cycle, uint64_t line, unsigned warp,
                         uint32_t waiter, enum l1d_failure *failure)
{
    struct way *way = find(d, line);
    if (way && way->state == WAY_RESERVED)
        return merge(d, way, waiter, failure);
    if (way) {
        way->used = ++d->now;
        d->counters.accesses++;
        d->counters.hits++;
        d->counters.hits_intra_warp += way->warp == warp;
        d->counters.hits_inter_warp += way->warp != warp;
        return L1D_HIT;
    }
    way = victim(d, line);
    if (!way)
        return fail(d, L1D_FAIL_no_way, failure);
    if (d->first_free == NO_MSHR)
        return fail(d, L1D_FAIL_no_mshr, failure);
    if (!memory_room(d->memory, d->port, cycle))
        return fail(d, L1D_FAIL_queue_full, failure);
    d->counters.accesses++;
    d->counters.misses++;
    d->counters.evictions += way->state == WAY_VALID;
    *way =
        (struct way){.line = line, .used = ++d->now, .warp = (uint16_t)warp, .state = WAY_RESERVED};
    way->mshr = take_mshr(d, way, waiter);
    memory_send(d->memory, d->port, cycle,
                &(struct memory_request){MEMORY_READ, line, d->line_bytes, way->mshr});
    return L1D_MISS;
}

/* Drops a line that is about to change at the memory. Returns whether it was valid. */
static int evict(struct l1d *d, uint64_t line)
{
    struct way *way = find(d, line);
    if (way && way->state == WAY_RESERVED)
        way->stale = 1;
    if (!way || way->state != WAY_VALID)
        return 0;
    way->state = WAY_INVALID;
    return 1;
}

enum l1d_result l1d_store(struct l1d *d, uint64_t cycle, uint64_t line, uint32_t bytes,
                          enum l1d_failure *failure)
{
    if (!memory_room(d->memory, d->port, cycle))
        return fail(d, L1D_FAIL_queue_full, failure);
    d->counters.stores++;
    d->counters.store_evictions += (uint64_t)evict(d, line);
    memory_send(d->memory, d->port, cycle, &(struct memory_request){MEMORY_WRITE, line, bytes, 0});
    return L1D_SENT;
}

enum l1d_result l1d_atomic(struct l1d *d, uint64_t cycle, uint64_t line, uint32_t bytes,
                           uint32_t waiter, enum l1d_failure *failure)
{
    if (d->first_free == NO_MSHR)
        return fail(d, L1D_FAIL_no_mshr, failure);
    if (!memory_room(d->memory, d->port, cycle))
        return fail(d, L1D_FAIL_queue_full, failure);
    d->counters.atomics++;
    d->counters.atomic_evictions += (uint64_t)evict(d, line);
    memory_send(d->memory, d->port, cycle,
                &(struct memory_request){MEMORY_ATOMIC, line, bytes, take_mshr(d, NULL, waiter)});
    return L1D_SENT;
}

uint32_t l1d_fill(struct l1d *d, uint32_t tag, const uint32_t **waiters)
{
    struct mshr *mshr = &d->mshrs[tag];
    if (mshr->way)
        mshr->way->state = mshr->way->stale ? WAY_INVALID : WAY_VALID;
    mshr->next_free = d->first_free;
    d->first_free = tag;
    *waiters = &d->waiters[(size_t)tag * d->merge];
    return mshr->num_waiters;
}

struct l1d_counters *l1d_counters(struct l1d *d)
{
    return &d->counters;
}
