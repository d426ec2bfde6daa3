/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/l1_model.h: a first-level cache restated: each set is a list, most recently used
 * first; lines on their way carry the list of who waits. And the memory behind it, played by the
 * test. */
#ifndef HEDDLE_TESTS_TB_MEM_L1_MODEL_H
#define HEDDLE_TESTS_TB_MEM_L1_MODEL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tb/mem/l1.h"
#include "tb/mem/tags.h"
#include "tests/tb/mem/random.h"
#include "tests/tb/test_config.h"

#define MAX_SETS    64
#define MAX_WAYS    4
#define MAX_WAITERS 16
#define MAX_FETCHES 1024
#define PORT        3

/* The memory: what has been sent and is not answered. */
struct sent {
    struct memory_request request;
    uint32_t answers; /* index of the model's fetch */
};
static struct {
    int room;
    uint64_t cycle;                /* in which something may be sent */
    struct memory_request last;    /* sent */
    unsigned num_sent;             /* in this access */
    struct sent open[MAX_FETCHES]; /* reads and atomics */
    unsigned num_open;
} outside;

int memory_room(struct memory *m, unsigned port, uint64_t cycle)
{
    (void)m;
    assert_int_equal(port, PORT);
    assert_int_equal(cycle, outside.cycle);
    return outside.room;
}

void memory_send(struct memory *m, unsigned port, uint64_t cycle, const struct memory_request *r)
{
    assert_true(memory_room(m, port, cycle));
    outside.last = *r;
    outside.num_sent++;
}

struct fetch { /* of a line, or an atomic */
    int used, atomic, bypass, untracked;
    uint64_t line;
    uint8_t sectors; /* of a bypass */
    uint64_t number; /* in the order in which they began */
    uint32_t waiters[MAX_WAITERS];
    unsigned num_waiters;
};

struct line {
    uint64_t address;
    unsigned warp;
    int spoiled;
    struct fetch *coming; /* NULL: it is here */
};

struct shape {
    unsigned sets, ways, line, mshrs, merge;
    int index;
    enum { DATA, CONSTANTS, CODE } holds;
    int no_mshr;        /* loads that bypass the cache hold none */
    unsigned room;      /* of 8 cycles have room in the miss queue */
    unsigned busy;      /* of 8 cycles have an access */
    unsigned answering; /* of 64 cycles have an answer */
};

/* The cache, of that shape. */
static struct l1 *open_l1(const struct shape *s, const struct listener *listener)
{
    struct config c = test_config();
    if (s->holds == CODE) {
        c.l1i_sets = s->sets, c.l1i_ways = s->ways, c.l1i_line = s->line;
        c.l1i_mshrs = s->mshrs, c.l1i_mshr_merge = s->merge;
        return l1i_new(&c, NULL, PORT);
    }
    if (s->holds == CONSTANTS) {
        c.l1c_sets = s->sets, c.l1c_ways = s->ways, c.l1c_line = s->line;
        c.l1c_mshrs = s->mshrs, c.l1c_mshr_merge = s->merge;
        return l1c_new(&c, NULL, PORT);
    }
    c.l1d_sets = s->sets, c.l1d_ways = s->ways, c.l1d_line = s->line;
    c.l1d_mshrs = s->mshrs, c.l1d_mshr_merge = s->merge;
    c.l1d_bypass_mshr = !s->no_mshr;
    strcpy(c.l1d_index, s->index == TAGS_HASHED  ? "hashed"
                        : s->index == TAGS_FERMI ? "fermi"
                                                 : "linear");
    return l1d_new(&c, NULL, PORT, listener);
}

struct model {
    const struct shape *shape;
    struct line sets[MAX_SETS][MAX_WAYS]; /* [0] is the most recently used */
    unsigned held[MAX_SETS];
    struct fetch fetches[MAX_FETCHES];
    uint64_t begun;
    struct l1_counters counters;
    struct space_counters spaces[MEMORY_SPACES];
};

/* Linear: the low bits of the line's number. Hashed: bit i is the parity of the bits i, i + n and
 * i + 2n of it, n bits numbering a set. Fermi: address bits 7 to 11, each the parity with another,
 * of which they list 13, 14, 15, 17, 19; with 64 sets bit 12 is the highest. */
static unsigned set_number(const struct shape *s, uint64_t address)
{
    const uint64_t number = address / s->line;
    unsigned bits = 0, set = 0;
    if (s->index == TAGS_LINEAR)
        return (unsigned)(number % s->sets);
    if (s->index == TAGS_FERMI) {
        static const unsigned partner[] = {13, 14, 15, 17, 19};
        for (unsigned i = 0; i < 5; i++)
            set += (unsigned)((address >> (7 + i) ^ address >> partner[i]) & 1) << i;
        return s->sets == 64 ? set + (unsigned)(address >> 12 & 1) * 32 : set;
    }
    while (1u << bits < s->sets)
        bits++;
    for (unsigned i = 0; i < bits; i++)
        set |= (number >> i & 1) ^ (number >> (i + bits) & 1) ^ (number >> (i + 2 * bits) & 1)
                   ? 1u << i
                   : 0;
    return set;
}

static int position(const struct model *m, uint64_t line)
{
    const unsigned s = set_number(m->shape, line);
    for (unsigned i = 0; i < m->held[s]; i++)
        if (m->sets[s][i].address == line)
            return (int)i;
    return -1;
}

static struct line *to_front(struct model *m, unsigned s, unsigned from)
{
    const struct line moved = m->sets[s][from];
    memmove(&m->sets[s][1], &m->sets[s][0], from * sizeof moved);
    m->sets[s][0] = moved;
    return &m->sets[s][0];
}

static void drop(struct model *m, unsigned s, unsigned at)
{
    memmove(&m->sets[s][at], &m->sets[s][at + 1], (m->held[s] - at - 1) * sizeof m->sets[s][0]);
    m->held[s]--;
}

/* A place for one, of which there are so many of its kind. */
static struct fetch *free_fetch(struct model *m, int untracked)
{
    const unsigned most = untracked ? m->shape->mshrs * m->shape->merge : m->shape->mshrs;
    struct fetch *free = NULL;
    unsigned used = 0;
    for (unsigned i = 0; i < MAX_FETCHES; i++) {
        used += m->fetches[i].used && m->fetches[i].untracked == untracked;
        free = m->fetches[i].used ? free : &m->fetches[i];
    }
    return used < most ? free : NULL;
}

static enum l1_result refuse(struct model *m, enum l1_failure cause, enum l1_failure *out)
{
    m->counters.failures[cause]++;
    *out = cause;
    return L1_FAILED;
}

static struct space_counters *counts_of(struct model *m, uint64_t line)
{
    return &m->spaces[line >> 56 & 1];
}

static enum l1_result join(struct model *m, struct fetch *f, uint64_t line, uint32_t waiter,
                           enum l1_failure *cause)
{
    if (f->num_waiters == m->shape->merge)
        return refuse(m, L1_FAIL_merge_full, cause);
    f->waiters[f->num_waiters++] = waiter;
    m->counters.accesses++, m->counters.misses++, m->counters.mshr_merged++;
    counts_of(m, line)->accesses++, counts_of(m, line)->misses++, counts_of(m, line)->mshr_merged++;
    return L1_MERGED;
}

static enum l1_result model_load(struct model *m, uint64_t line, uint8_t sectors, unsigned warp,
                                 int pollute, uint32_t waiter, struct fetch **sent,
                                 enum l1_failure *cause)
{
    const unsigned s = set_number(m->shape, line);
    const int at = position(m, line);
    if (at >= 0 && m->sets[s][at].coming) {
        const enum l1_result result = join(m, m->sets[s][at].coming, line, waiter, cause);
        if (result == L1_MERGED)
            to_front(m, s, (unsigned)at);
        return result;
    }
    if (at >= 0) {
        const struct line *l = to_front(m, s, (unsigned)at);
        m->counters.accesses++, m->counters.hits++;
        counts_of(m, line)->accesses++;
        *(l->warp == warp ? &m->counters.hits_intra_warp : &m->counters.hits_inter_warp) += 1;
        return L1_HIT;
    }
    struct fetch *first = NULL; /* that brings all of the sectors past the cache */
    for (unsigned i = 0; i < MAX_FETCHES; i++) {
        struct fetch *f = &m->fetches[i];
        if (f->used && f->bypass && !f->untracked && f->line == line &&
            (f->sectors & sectors) == sectors && (!first || f->number < first->number))
            first = f;
    }
    if (first)
        return join(m, first, line, waiter, cause);
    int out = -1; /* the last in the list that is not coming */
    for (unsigned i = 0; i < m->held[s]; i++)
        if (!m->sets[s][i].coming)
            out = (int)i;
    const int space = m->held[s] < m->shape->ways;
    const int untracked = !pollute && m->shape->no_mshr;
    struct fetch *f = free_fetch(m, untracked);
    if (pollute && !space && out < 0)
        return refuse(m, L1_FAIL_no_way, cause);
    if (!f)
        return refuse(m, L1_FAIL_no_mshr, cause);
    if (!outside.room)
        return refuse(m, L1_FAIL_queue_full, cause);
    *f = (struct fetch){.used = 1,
                        .bypass = !pollute,
                        .untracked = untracked,
                        .number = ++m->begun,
                        .line = line,
                        .sectors = sectors,
                        .waiters = {waiter},
                        .num_waiters = 1};
    if (pollute && !space) {
        drop(m, s, (unsigned)out);
        m->counters.evictions++;
    }
    if (pollute) {
        m->sets[s][m->held[s]++] = (struct line){.address = line, .warp = warp, .coming = f};
        to_front(m, s, m->held[s] - 1);
    }
    m->counters.accesses++, m->counters.misses++;
    counts_of(m, line)->accesses++, counts_of(m, line)->misses++;
    m->counters.bypassed += (uint64_t)!pollute;
    *sent = f;
    return L1_MISS;
}

/* The line changes at the memory. Returns whether it was here. */
static int model_evict(struct model *m, uint64_t line)
{
    const unsigned s = set_number(m->shape, line);
    const int at = position(m, line);
    if (at < 0)
        return 0;
    if (m->sets[s][at].coming) {
        m->sets[s][at].spoiled = 1;
        return 0;
    }
    drop(m, s, (unsigned)at);
    return 1;
}

static enum l1_result model_store(struct model *m, uint64_t line, enum l1_failure *cause)
{
    if (!outside.room)
        return refuse(m, L1_FAIL_queue_full, cause);
    m->counters.stores++;
    m->counters.store_evictions += (uint64_t)model_evict(m, line);
    return L1_SENT;
}

static enum l1_result model_atomic(struct model *m, uint64_t line, uint32_t waiter,
                                   struct fetch **sent, enum l1_failure *cause)
{
    struct fetch *f = free_fetch(m, 0);
    if (!f)
        return refuse(m, L1_FAIL_no_mshr, cause);
    if (!outside.room)
        return refuse(m, L1_FAIL_queue_full, cause);
    *f = (struct fetch){.used = 1, .atomic = 1, .waiters = {waiter}, .num_waiters = 1};
    m->counters.atomics++;
    m->counters.atomic_evictions += (uint64_t)model_evict(m, line);
    *sent = f;
    return L1_SENT;
}

/* The answer to a fetch has come. */
static void model_fill(struct model *m, struct fetch *f)
{
    const unsigned s = set_number(m->shape, f->line);
    f->used = 0;
    if (f->atomic || f->bypass)
        return;
    const int at = position(m, f->line);
    assert_true(at >= 0 && m->sets[s][at].coming == f);
    m->sets[s][at].coming = NULL;
    if (m->sets[s][at].spoiled)
        drop(m, s, (unsigned)at);
}

/* A cycle has passed, in which the cache held these lines. */
static void model_cycle(struct model *m)
{
    for (unsigned s = 0; s < m->shape->sets; s++)
        for (unsigned i = 0; i < m->held[s]; i++)
            counts_of(m, m->sets[s][i].address)->line_cycles++;
}

#endif
