/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/l1_test.c: tests tb/mem/l1.c, with the test in place of the memory behind it,
 * against a dumb restatement: each set is a list, most recently used first; lines on their way
 * carry the list of who waits. Accesses are random, answers come in any order; results, causes of
 * failure, requests, the order of waiters and all counts must agree in every cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tb/mem/l1.h"
#include "tests/tb/mem/random.h"
#include "tests/tb/test_config.h"

#define MAX_SETS    16
#define MAX_WAYS    4
#define MAX_WAITERS 16
#define MAX_MSHRS   64
#define PORT        3

/* The memory: what has been sent and is not answered. */
struct sent {
    struct memory_request request;
    uint32_t answers; /* index of the model's fetch */
};
static struct {
    int room;
    uint64_t cycle;              /* in which something may be sent */
    struct memory_request last;  /* sent */
    unsigned num_sent;           /* in this access */
    struct sent open[MAX_MSHRS]; /* reads and atomics */
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
    int used, atomic, bypass;
    uint64_t line;
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
    int hashed, constant;
    unsigned room;      /* of 8 cycles have room in the miss queue */
    unsigned busy;      /* of 8 cycles have an access */
    unsigned answering; /* of 64 cycles have an answer */
};

struct model {
    const struct shape *shape;
    struct line sets[MAX_SETS][MAX_WAYS]; /* [0] is the most recently used */
    unsigned held[MAX_SETS];
    struct fetch fetches[MAX_MSHRS];
    struct l1_counters counters;
};

/* Linear: the low bits of the line's number. Hashed: bit i is the parity of the bits i, i + n and
 * i + 2n of it, n bits numbering a set. */
static unsigned set_number(const struct shape *s, uint64_t address)
{
    const uint64_t number = address / s->line;
    unsigned bits = 0, set = 0;
    if (!s->hashed)
        return (unsigned)(number % s->sets);
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

static struct fetch *free_fetch(struct model *m)
{
    for (unsigned i = 0; i < m->shape->mshrs; i++)
        if (!m->fetches[i].used)
            return &m->fetches[i];
    return NULL;
}

static enum l1_result refuse(struct model *m, enum l1_failure cause, enum l1_failure *out)
{
    m->counters.failures[cause]++;
    *out = cause;
    return L1_FAILED;
}

static enum l1_result join(struct model *m, struct fetch *f, uint32_t waiter,
                           enum l1_failure *cause)
{
    if (f->num_waiters == m->shape->merge)
        return refuse(m, L1_FAIL_merge_full, cause);
    f->waiters[f->num_waiters++] = waiter;
    m->counters.accesses++, m->counters.misses++, m->counters.mshr_merged++;
    return L1_MISS;
}

static enum l1_result model_load(struct model *m, uint64_t line, unsigned warp, int pollute,
                                 uint32_t waiter, struct fetch **sent, enum l1_failure *cause)
{
    const unsigned s = set_number(m->shape, line);
    const int at = position(m, line);
    if (at >= 0 && m->sets[s][at].coming) {
        const enum l1_result result = join(m, m->sets[s][at].coming, waiter, cause);
        if (result == L1_MISS)
            to_front(m, s, (unsigned)at);
        return result;
    }
    if (at >= 0) {
        const struct line *l = to_front(m, s, (unsigned)at);
        m->counters.accesses++, m->counters.hits++;
        *(l->warp == warp ? &m->counters.hits_intra_warp : &m->counters.hits_inter_warp) += 1;
        return L1_HIT;
    }
    for (unsigned i = 0; i < m->shape->mshrs; i++)
        if (m->fetches[i].used && m->fetches[i].bypass && m->fetches[i].line == line)
            return join(m, &m->fetches[i], waiter, cause);
    int out = -1; /* the last in the list that is not coming */
    for (unsigned i = 0; i < m->held[s]; i++)
        if (!m->sets[s][i].coming)
            out = (int)i;
    const int space = m->held[s] < m->shape->ways;
    struct fetch *f = free_fetch(m);
    if (pollute && !space && out < 0)
        return refuse(m, L1_FAIL_no_way, cause);
    if (!f)
        return refuse(m, L1_FAIL_no_mshr, cause);
    if (!outside.room)
        return refuse(m, L1_FAIL_queue_full, cause);
    *f = (struct fetch){
        .used = 1, .bypass = !pollute, .line = line, .waiters = {waiter}, .num_waiters = 1};
    if (pollute && !space) {
        drop(m, s, (unsigned)out);
        m->counters.evictions++;
    }
    if (pollute) {
        m->sets[s][m->held[s]++] = (struct line){.address = line, .warp = warp, .coming = f};
        to_front(m, s, m->held[s] - 1);
    }
    m->counters.accesses++, m->counters.misses++;
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
    struct fetch *f = free_fetch(m);
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

/* Answers one of the open requests, whichever. */
static void answer(struct model *m, struct l1 *l, uint64_t cycle)
{
    if (!outside.num_open)
        return;
    const unsigned chosen = below(outside.num_open);
    const struct sent sent = outside.open[chosen];
    struct fetch *f = &m->fetches[sent.answers];
    const uint64_t *waiters;
    outside.open[chosen] = outside.open[--outside.num_open];
    assert_int_equal(l1_fill(l, cycle, sent.request.tag, &waiters), f->num_waiters);
    for (unsigned i = 0; i < f->num_waiters; i++)
        assert_int_equal(waiters[i], f->waiters[i]);
    model_fill(m, f);
}

/* Bit i: bytes 32i to 32i+31 of a line of the memory, which is as long as one of L1D. */
static uint8_t sectors_of(const struct shape *s, uint64_t line)
{
    uint8_t sectors = 0;
    for (uint64_t byte = line; byte < line + s->line; byte += 32)
        sectors |= (uint8_t)(1u << byte % (s->constant ? 128 : s->line) / 32);
    return sectors;
}

static void check_request(const struct shape *s, enum memory_kind kind, uint64_t line,
                          uint8_t sectors, const struct model *m, const struct fetch *f)
{
    const struct memory_request *r = &outside.last;
    const unsigned first = s->constant ? (unsigned)test_config().l1d_mshrs : 0;
    assert_int_equal(outside.num_sent, 1);
    assert_int_equal(r->kind, kind);
    assert_int_equal(r->address, line);
    assert_int_equal(r->sectors, sectors);
    if (!f)
        return;
    assert_in_range(r->tag, first, first + s->mshrs - 1);
    for (unsigned i = 0; i < outside.num_open; i++)
        assert_int_not_equal(outside.open[i].request.tag, r->tag);
    outside.open[outside.num_open++] = (struct sent){*r, (uint32_t)(f - m->fetches)};
}

/* One random access to both. */
static void access_line(struct model *m, struct l1 *l, uint64_t cycle, uint32_t waiter)
{
    static const uint32_t far[] = {0, 1 << 14, 5 << 15, 9 << 19};
    const struct shape *s = m->shape;
    const uint64_t line = (below(24) + far[below(4)]) * (uint64_t)s->line;
    const uint8_t sectors = (uint8_t)(1 + below(15));
    const unsigned warp = below(3), what = s->constant ? 9 : below(10);
    const int pollute = s->constant || below(4);
    enum l1_failure cause = NUM_L1_FAILURES, expected_cause = NUM_L1_FAILURES;
    enum l1_result result, expected;
    struct fetch *sent = NULL;
    outside.num_sent = 0;
    if (what == 0) {
        result = l1_store(l, cycle, line, sectors, &cause);
        expected = model_store(m, line, &expected_cause);
    } else if (what == 1) {
        result = l1_atomic(l, cycle, line, sectors, waiter, &cause);
        expected = model_atomic(m, line, waiter, &sent, &expected_cause);
    } else {
        result = l1_load(l, cycle, line, warp, pollute, waiter, &cause);
        expected = model_load(m, line, warp, pollute, waiter, &sent, &expected_cause);
    }
    assert_int_equal(result, expected);
    assert_int_equal(cause, expected_cause);
    if (sent || result == L1_SENT)
        check_request(s,
                      what == 0   ? MEMORY_WRITE
                      : what == 1 ? MEMORY_ATOMIC
                                  : MEMORY_READ,
                      line, what < 2 ? sectors : sectors_of(s, line), m, sent);
    else
        assert_int_equal(outside.num_sent, 0);
}

static struct l1 *open_l1(const struct shape *s)
{
    struct config c = test_config();
    if (s->constant) {
        c.l1c_sets = s->sets, c.l1c_ways = s->ways, c.l1c_line = s->line;
        c.l1c_mshrs = s->mshrs, c.l1c_mshr_merge = s->merge;
        return l1c_new(&c, NULL, PORT);
    }
    c.l1d_sets = s->sets, c.l1d_ways = s->ways, c.l1d_line = s->line;
    c.l1d_mshrs = s->mshrs, c.l1d_mshr_merge = s->merge;
    strcpy(c.l1d_index, s->hashed ? "hashed" : "linear");
    return l1d_new(&c, NULL, PORT);
}

/* One long random run, that begins as a kernel does, in mid-traffic of the one before. */
static void random_run(const struct shape *shape, struct l1_counters *total)
{
    struct l1 *l = open_l1(shape);
    uint64_t cycle = 0;
    assert_non_null(l);
    for (unsigned kernel = 0; kernel < 2; kernel++) {
        struct model m = {.shape = shape};
        outside.num_open = 0;
        l1_reset(l, cycle);
        for (const uint64_t end = cycle + 50000; cycle < end; cycle++) {
            outside.cycle = cycle;
            outside.room = below(8) < shape->room;
            if (below(64) < shape->answering)
                answer(&m, l, cycle);
            if (below(8) < shape->busy)
                access_line(&m, l, cycle, (uint32_t)cycle);
            m.counters.mshr_occupancy += outside.num_open;
        }
        l1_account(l, cycle);
        assert_memory_equal(l1_counters(l), &m.counters, sizeof m.counters);
        assert_int_equal(m.counters.hits + m.counters.misses, m.counters.accesses);
        assert_int_equal(m.counters.hits_intra_warp + m.counters.hits_inter_warp, m.counters.hits);
        ADD_COUNTS(*total, m.counters);
    }
    l1_free(l);
}

static void random_accesses(void **state)
{
    (void)state;
    static const struct shape shapes[] = {
        {8, 4, 128, 32, 8, 0, 0, 8, 4, 20},  {4, 2, 128, 6, 3, 0, 0, 6, 6, 20},
        {1, 4, 128, 16, 2, 0, 0, 7, 7, 30},  {8, 1, 128, 4, 16, 1, 0, 8, 2, 10},
        {2, 4, 128, 64, 16, 1, 0, 2, 8, 16}, {16, 4, 128, 3, 8, 1, 0, 8, 8, 30},
        {16, 2, 64, 8, 8, 1, 0, 7, 5, 30},   {1, 2, 128, 8, 4, 1, 0, 7, 5, 30},
    };
    struct l1_counters total = {0};
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        random_run(&shapes[i], &total);
    ASSERT_ALL_REACHED(total, 100);
}

/* The constant cache: lines shorter than the memory's, loads only, tags behind those of L1D. */
static void random_constants(void **state)
{
    (void)state;
    static const struct shape shapes[] = {
        {8, 2, 64, 4, 4, 0, 1, 7, 6, 20},
        {4, 1, 32, 2, 8, 0, 1, 7, 6, 20},
        {2, 4, 128, 8, 2, 0, 1, 4, 8, 20},
    };
    struct l1_counters total = {0};
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        random_run(&shapes[i], &total);
    assert_true(total.hits > 1000 && total.mshr_merged > 1000 && total.evictions > 1000);
    assert_int_equal(total.stores + total.atomics + total.bypassed, 0);
}

/* Lines a power of two apart: linear, they fall into one set and push each other out; hashed, as
 * many stay as the cache holds. */
static void hashing_spreads_strides(void **state)
{
    (void)state;
    for (int hashed = 0; hashed < 2; hashed++) {
        const struct shape s = {16, 4, 128, 32, 8, hashed, 0, 8, 8, 64};
        struct l1 *l = open_l1(&s);
        enum l1_failure cause;
        const uint64_t *waiters;
        outside.room = 1;
        outside.cycle = 0;
        for (unsigned round = 0; round < 2; round++)
            for (uint64_t i = 0; i < 16; i++)
                if (l1_load(l, 0, i * 16 * 128, 0, 1, 0, &cause) == L1_MISS)
                    l1_fill(l, 0, outside.last.tag, &waiters);
        assert_int_equal(l1_counters(l)->hits, hashed ? 16 : 0);
        l1_free(l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_accesses),
        cmocka_unit_test(random_constants),
        cmocka_unit_test(hashing_spreads_strides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
