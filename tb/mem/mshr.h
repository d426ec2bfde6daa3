/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/mshr.h: miss status holding registers: each holds a line in flight and the loads that wait
 * for it. L1D, constant cache and L2 share it. */
#ifndef HEDDLE_TB_MEM_MSHR_H
#define HEDDLE_TB_MEM_MSHR_H

#include "tb/mem/lines.h"
#include <stdint.h>

#define NO_MSHR UINT32_MAX

struct mshr {
    uint64_t line;
    int64_t way; /* that is reserved for the line; -1: none */
    uint32_t num_waiters;
    uint32_t next_free;
    uint8_t sectors; /* asked for, and when: the user's */
    uint64_t asked;
};

struct mshrs {
    struct mshr *entries;
    uint64_t *waiters; /* `merge` for each MSHR; the user's */
    uint32_t count, merge, first_free, used;
    uint64_t occupancy, since; /* sum over cycles before `since` of the MSHRs in use */
};

static inline void mshrs_reset(struct mshrs *m)
{
    for (uint32_t i = 0; i < m->count; i++) {
        m->entries[i].next_free = i + 1 < m->count ? i + 1 : NO_MSHR;
        m->entries[i].num_waiters = 0;
    }
    m->first_free = m->used = 0;
}

/* Returns 0, or -1: no memory. */
static inline int mshrs_init(struct mshrs *m, uint32_t count, uint32_t merge)
{
    m->count = count;
    m->merge = merge;
    m->entries = lines_alloc(count, sizeof *m->entries);
    m->waiters = lines_alloc((size_t)count * merge, sizeof *m->waiters);
    if (!m->entries || !m->waiters)
        return -1;
    mshrs_reset(m);
    return 0;
}

static inline void mshrs_free(struct mshrs *m)
{
    lines_free(m->entries);
    lines_free(m->waiters);
}

/* Brings the sum of MSHRs in use up to all cycles before this one. */
static inline void mshrs_account(struct mshrs *m, uint64_t cycle)
{
    m->occupancy += m->used * (cycle - m->since);
    m->since = cycle;
}

static inline int mshrs_full(const struct mshrs *m)
{
    return m->first_free == NO_MSHR;
}

/* Takes a free MSHR, which must exist, for a line, its way or -1, and its first waiter. */
static inline uint32_t mshrs_take(struct mshrs *m, uint64_t cycle, uint64_t line, int64_t way,
                                  uint64_t waiter)
{
    uint32_t number = m->first_free;
    struct mshr *e = &m->entries[number];
    mshrs_account(m, cycle);
    m->used++;
    m->first_free = e->next_free;
    e->line = line;
    e->way = way;
    e->num_waiters = 1;
    m->waiters[(size_t)number * m->merge] = waiter;
    return number;
}

/* One more waiter. Returns 0, or -1: the MSHR holds no more. */
static inline int mshrs_merge(struct mshrs *m, uint32_t number, uint64_t waiter)
{
    struct mshr *e = &m->entries[number];
    if (e->num_waiters == m->merge)
        return -1;
    m->waiters[(size_t)number * m->merge + e->num_waiters++] = waiter;
    return 0;
}

/* Its line has come: returns the waiters, e->num_waiters of them, in the order in which they came;
 * they stay readable until the next mshrs_take. */
static inline const uint64_t *mshrs_give_back(struct mshrs *m, uint64_t cycle, uint32_t number)
{
    mshrs_account(m, cycle);
    m->used--;
    m->entries[number].next_free = m->first_free;
    m->first_free = number;
    return &m->waiters[(size_t)number * m->merge];
}

#endif
