/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/l2_model.h: an L2 bank restated, cycle by cycle: each set is a list, most recently
 * used first; lines on their way carry the list of who waits. And the DRAM channel behind it,
 * played by the test. */
#ifndef HEDDLE_TESTS_TB_MEM_L2_MODEL_H
#define HEDDLE_TESTS_TB_MEM_L2_MODEL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tb/mem/l2.h"
#include "tests/tb/mem/random.h"
#include "tests/tb/test_config.h"

#define MAX_SETS    7
#define MAX_WAYS    4
#define MAX_WAITERS 8
#define MAX_ASKED   16 /* of DRAM in a cycle: what is replaced, what is fetched */
#define MAX_OPEN    64
#define MAX_ANSWERS 1024
#define NUMBER      1 /* among the banks of its channel */

/* What has been asked of DRAM in this cycle. */
struct asked {
    uint64_t address;
    uint32_t bytes, owner;
    int is_write;
};
static struct asked asked[MAX_ASKED];
static unsigned num_asked;

void dram_send(struct dram *d, uint64_t cycle, uint64_t address, uint32_t bytes, int is_write,
               uint32_t owner)
{
    (void)cycle;
    assert_in_range(++d->count, 1, d->places);
    asked[num_asked++] = (struct asked){address, bytes, owner, is_write};
}

struct line {
    uint64_t address;
    uint8_t valid, dirty, space;
    int coming;
    uint32_t owner; /* as it was asked for */
    struct packet waiters[MAX_WAITERS];
    unsigned num_waiters;
};

struct shape {
    unsigned sets, ways, mshrs, merge, interval, latency, neighbours, queue;
    unsigned busy;    /* of 16 cycles bring a request */
    unsigned serving; /* of 64 cycles the channel takes a request, and answers one */
};

struct model {
    const struct shape *shape;
    struct line sets[MAX_SETS][MAX_WAYS]; /* [0] is the most recently used */
    unsigned held[MAX_SETS], fetching;
    struct asked asks[MAX_ASKED]; /* in this cycle */
    unsigned num_asks, room;      /* places in the channel's queue, before this cycle */
    struct packet answers[MAX_ANSWERS];
    unsigned first_answer, num_answers;
    uint64_t free;
    struct l2_counters counters;
    struct space_counters spaces[MEMORY_SPACES];
};

static unsigned set_number(const struct model *m, uint64_t line)
{
    return (unsigned)(line / 128 % m->shape->sets);
}

static struct line *to_front(struct model *m, unsigned s, unsigned from)
{
    const struct line moved = m->sets[s][from];
    memmove(&m->sets[s][1], &m->sets[s][0], from * sizeof moved);
    m->sets[s][0] = moved;
    return &m->sets[s][0];
}

/* The line, made the most recently used; or NULL. */
static struct line *find(struct model *m, uint64_t address)
{
    const unsigned s = set_number(m, address);
    for (unsigned i = 0; i < m->held[s]; i++)
        if (m->sets[s][i].address == address)
            return to_front(m, s, i);
    return NULL;
}

static unsigned bytes_of(uint8_t sectors)
{
    unsigned bytes = 0;
    for (unsigned i = 0; i < 4; i++)
        bytes += sectors >> i & 1 ? 32 : 0;
    return bytes;
}

/* Chunks of 256 bytes go to the channel's banks in turn. */
static uint64_t channel_address(const struct model *m, uint64_t line)
{
    const uint64_t chunk = line / 256;
    return (chunk * m->shape->neighbours + NUMBER) * 256 + line % 256;
}

static void ask(struct model *m, uint64_t line, uint32_t bytes, int is_write)
{
    m->asks[m->num_asks++] = (struct asked){channel_address(m, line), bytes, 0, is_write};
}

static void answer(struct model *m, uint64_t cycle, const struct packet *p)
{
    assert_true(m->num_answers - m->first_answer < MAX_ANSWERS);
    struct packet *a = &m->answers[m->num_answers++ % MAX_ANSWERS];
    *a = *p;
    a->due = cycle + m->shape->latency;
}

/* A new line at the front of its set, or NULL and one more cycle of a cause. */
static struct line *allocate(struct model *m, uint64_t address, int fetch)
{
    const unsigned s = set_number(m, address);
    int out = -1; /* the last in the list that is not coming */
    for (unsigned i = 0; i < m->held[s]; i++)
        if (!m->sets[s][i].coming)
            out = (int)i;
    const int space = m->held[s] < m->shape->ways;
    const int dirty = !space && out >= 0 && m->sets[s][out].dirty;
    if (!space && out < 0) {
        m->counters.stalled_no_way++;
        return NULL;
    }
    if (fetch && m->fetching == m->shape->mshrs) {
        m->counters.stalled_no_mshr++;
        return NULL;
    }
    if (m->room < (unsigned)(fetch + dirty)) {
        m->counters.stalled_dram_full++;
        return NULL;
    }
    if (!space) {
        const struct line old = m->sets[s][out];
        if (dirty)
            ask(m, old.address, bytes_of(old.dirty), 1);
        m->counters.evictions++;
        m->counters.writebacks += (uint64_t)dirty;
        memmove(&m->sets[s][out], &m->sets[s][out + 1],
                (m->held[s] - (unsigned)out - 1) * sizeof old);
        m->held[s]--;
    }
    m->sets[s][m->held[s]] = (struct line){.address = address};
    return to_front(m, s, m->held[s]++);
}

static int write_sectors(struct model *m, const struct packet *p)
{
    struct line *l = find(m, p->line);
    const int hit = l != NULL;
    if (!l && !(l = allocate(m, p->line, 0)))
        return 0;
    l->space = p->space;
    m->spaces[p->space].misses += (uint64_t)!hit;
    l->valid |= p->sectors;
    l->dirty |= p->sectors;
    m->counters.hits += (uint64_t)hit;
    m->counters.misses += (uint64_t)!hit;
    return 1;
}

static void fetch(struct model *m, struct line *l, const struct packet *p)
{
    l->coming = 1;
    l->waiters[0] = *p;
    l->num_waiters = 1;
    m->fetching++;
    ask(m, l->address, 128, 0);
    m->counters.misses++;
    l->space = p->space;
    m->spaces[p->space].misses++;
}

/* Looks for a line without counting that as a use. */
static struct line *peek(struct model *m, uint64_t address)
{
    const unsigned s = set_number(m, address);
    for (unsigned i = 0; i < m->held[s]; i++)
        if (m->sets[s][i].address == address)
            return &m->sets[s][i];
    return NULL;
}

static int read_sectors(struct model *m, uint64_t cycle, const struct packet *p)
{
    struct line *l = peek(m, p->line);
    if (l && l->coming) {
        if (l->num_waiters == m->shape->merge) {
            m->counters.stalled_merge_full++;
            return 0;
        }
        l = find(m, p->line);
        l->waiters[l->num_waiters++] = *p;
        m->counters.misses++;
        m->counters.mshr_merged++;
        m->spaces[p->space].misses++;
        m->spaces[p->space].mshr_merged++;
        return 1;
    }
    if (l && (l->valid & p->sectors) == p->sectors) {
        l = find(m, p->line);
        if (p->kind == MEMORY_ATOMIC)
            l->dirty |= p->sectors;
        m->counters.hits++;
        m->counters.read_hits += p->kind == MEMORY_READ;
        answer(m, cycle, p);
        return 1;
    }
    if (l && m->fetching == m->shape->mshrs) {
        m->counters.stalled_no_mshr++;
        return 0;
    }
    if (l && m->room < 1) {
        m->counters.stalled_dram_full++;
        return 0;
    }
    l = l ? find(m, p->line) : allocate(m, p->line, 1);
    if (l)
        fetch(m, l, p);
    return l != NULL;
}

/* The first request in this cycle. Returns whether it was served. */
static int model_step(struct model *m, uint64_t cycle, const struct packet *p)
{
    m->num_asks = 0;
    if (cycle < m->free)
        return 0;
    if (!(p->kind == MEMORY_WRITE ? write_sectors(m, p) : read_sectors(m, cycle, p)))
        return 0;
    m->counters.accesses++;
    m->counters.reads += p->kind == MEMORY_READ;
    m->spaces[p->space].accesses++;
    m->free = cycle + m->shape->interval;
    return 1;
}

/* At the end of a cycle: the lines of each space, whatever they wait for. */
static void model_count_lines(struct model *m)
{
    for (unsigned s = 0; s < m->shape->sets; s++)
        for (unsigned i = 0; i < m->held[s]; i++)
            m->spaces[m->sets[s][i].space].line_cycles++;
}

static void model_fill(struct model *m, uint64_t cycle, uint32_t owner)
{
    for (unsigned s = 0; s < m->shape->sets; s++)
        for (unsigned i = 0; i < m->held[s]; i++) {
            struct line *l = &m->sets[s][i];
            if (!l->coming || l->owner != owner)
                continue;
            l->coming = 0;
            l->valid = 0xf;
            m->fetching--;
            for (unsigned j = 0; j < l->num_waiters; j++) {
                if (l->waiters[j].kind == MEMORY_ATOMIC)
                    l->dirty |= l->waiters[j].sectors;
                answer(m, cycle, &l->waiters[j]);
            }
            return;
        }
    fail_msg("nobody waits for %u", owner);
}

#endif
