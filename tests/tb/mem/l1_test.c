/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/mem/l1d_test.c: tests tb/mem/l1d.c against a dumb restatement: each set is a list, most
 * recently used first; lines on their way carry the list of who waits. Accesses are random; result,
 * cause of failure, order of the waiters and all counts must agree in every cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tb/mem/l1.h"
#include "tests/tb/test_config.h"

#define MAX_SETS    8
#define MAX_WAYS    4
#define MAX_WAITERS 16
#define MAX_REPLIES 64

struct model_line {
    uint64_t address;
    unsigned warp;
    int coming, spoiled, atomic;
    uint32_t waiters[MAX_WAITERS];
    unsigned num_waiters;
};

struct model_reply {
    uint64_t due;
    int atomic;
    uint64_t address; /* of a read */
    uint32_t waiter;  /* of an atomic */
};

struct model {
    const struct config *c;
    struct model_line sets[MAX_SETS][MAX_WAYS]; /* [0] is the most recently used */
    unsigned held[MAX_SETS];
    struct model_reply replies[MAX_REPLIES];
    unsigned num_replies;
    uint64_t bus_free;
    uint64_t waiting[1024]; /* when each request leaves the miss queue */
    unsigned num_waiting;
    struct l1_counters counters;
};

static unsigned set_number(const struct model *m, uint64_t line)
{
    return (unsigned)(line / (uint64_t)m->c->l1d_line % (uint64_t)m->c->l1d_sets);
}

static int position(const struct model *m, uint64_t line)
{
    unsigned s = set_number(m, line);
    for (unsigned i = 0; i < m->held[s]; i++)
        if (m->sets[s][i].address == line)
            return (int)i;
    return -1;
}

static struct model_line *to_front(struct model *m, unsigned s, unsigned from)
{
    struct model_line moved = m->sets[s][from];
    memmove(&m->sets[s][1], &m->sets[s][0], from * sizeof moved);
    m->sets[s][0] = moved;
    return &m->sets[s][0];
}

static void drop(struct model *m, unsigned s, unsigned at)
{
    memmove(&m->sets[s][at], &m->sets[s][at + 1], (m->held[s] - at - 1) * sizeof m->sets[s][0]);
    m->held[s]--;
}

static int queue_full(struct model *m, uint64_t cycle)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < m->num_waiting; i++)
        if (m->waiting[i] > cycle)
            m->waiting[kept++] = m->waiting[i];
    m->num_waiting = kept;
    return (int64_t)kept == m->c->l1d_miss_queue;
}

/* The bus is busy for bytes / rate cycles, a whole number in these tests. */
static void model_send(struct model *m, uint64_t cycle, uint32_t bytes,
                       const struct model_reply *reply)
{
    uint64_t begin = m->bus_free > cycle ? m->bus_free : cycle;
    m->bus_free = begin + bytes / (uint64_t)m->c->dram_bytes_per_cycle;
    m->waiting[m->num_waiting++] = begin;
    if (!reply)
        return;
    m->replies[m->num_replies] = *reply;
    m->replies[m->num_replies++].due = begin + (uint64_t)m->c->dram_latency;
}

static int refuse(struct model *m, enum l1_failure cause, enum l1_failure *out)
{
    m->counters.failures[cause]++;
    *out = cause;
    return L1_FAILED;
}

static enum l1_result model_load(struct model *m, uint64_t cycle, uint64_t line, unsigned warp,
                                  uint32_t waiter, enum l1_failure *cause)
{
    unsigned s = set_number(m, line);
    int at = position(m, line);
    if (at >= 0 && m->sets[s][at].coming) {
        struct model_line *l = &m->sets[s][at];
        if (l->num_waiters == (unsigned)m->c->l1d_mshr_merge)
            return refuse(m, L1_FAIL_merge_full, cause);
        l->waiters[l->num_waiters++] = waiter;
        to_front(m, s, (unsigned)at);
        m->counters.accesses++, m->counters.misses++, m->counters.mshr_merged++;
        return L1_MISS;
    }
    if (at >= 0) {
        struct model_line *l = to_front(m, s, (unsigned)at);
        m->counters.accesses++, m->counters.hits++;
        *(l->warp == warp ? &m->counters.hits_intra_warp : &m->counters.hits_inter_warp) += 1;
        return L1_HIT;
    }
    int out = -1; /* the last in the list that is not coming */
    for (unsigned i = 0; i < m->held[s]; i++)
        if (!m->sets[s][i].coming)
            out = (int)i;
    int space = m->held[s] < (unsigned)m->c->l1d_ways;
    if (!space && out < 0)
        return refuse(m, L1_FAIL_no_way, cause);
    if (m->num_replies == (unsigned)m->c->l1d_mshrs)
        return refuse(m, L1_FAIL_no_mshr, cause);
    if (queue_full(m, cycle))
        return refuse(m, L1_FAIL_queue_full, cause);
    if (!space) {
        drop(m, s, (unsigned)out);
        m->counters.evictions++;
    }
    m->sets[s][m->held[s]++] = (struct model_line){
        .address = line, .warp = warp, .coming = 1, .waiters = {waiter}, .num_waiters = 1};
    to_front(m, s, m->held[s] - 1);
    m->counters.accesses++, m->counters.misses++;
    model_send(m, cycle, (uint32_t)m->c->l1d_line, &(struct model_reply){.address = line});
    return L1_MISS;
}

static int model_evict(struct model *m, uint64_t line)
{
    unsigned s = set_number(m, line);
    int at = position(m, line);
    if (at < 0)
        return 0;
    if (m->sets[s][at].coming) {
        m->sets[s][at].spoiled = 1;
        return 0;
    }
    drop(m, s, (unsigned)at);
    return 1;
}

static enum l1_result model_store(struct model *m, uint64_t cycle, uint64_t line,
                                   enum l1_failure *cause)
{
    if (queue_full(m, cycle))
        return refuse(m, L1_FAIL_queue_full, cause);
    m->counters.stores++;
    m->counters.store_evictions += (uint64_t)model_evict(m, line);
    model_send(m, cycle, 32, NULL);
    return L1_SENT;
}

static enum l1_result model_atomic(struct model *m, uint64_t cycle, uint64_t line, uint32_t waiter,
                                    enum l1_failure *cause)
{
    if (m->num_replies == (unsigned)m->c->l1d_mshrs)
        return refuse(m, L1_FAIL_no_mshr, cause);
    if (queue_full(m, cycle))
        return refuse(m, L1_FAIL_queue_full, cause);
    m->counters.atomics++;
    m->counters.atomic_evictions += (uint64_t)model_evict(m, line);
    model_send(m, cycle, 32, &(struct model_reply){.atomic = 1, .waiter = waiter});
    return L1_SENT;
}

/* The waiters of the reply that is due, if one is; returns their number. */
static unsigned model_receive(struct model *m, uint64_t cycle, uint32_t *waiters)
{
    if (!m->num_replies || m->replies[0].due > cycle)
        return 0;
    struct model_reply r = m->replies[0];
    memmove(&m->replies[0], &m->replies[1], --m->num_replies * sizeof r);
    if (r.atomic) {
        waiters[0] = r.waiter;
        return 1;
    }
    unsigned s = set_number(m, r.address);
    int at = position(m, r.address);
    struct model_line *l = &m->sets[s][at];
    unsigned count = l->num_waiters;
    memcpy(waiters, l->waiters, count * sizeof *waiters);
    l->coming = 0;
    if (l->spoiled)
        drop(m, s, (unsigned)at);
    return count;
}

static uint64_t seed;
static uint32_t below(uint32_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % n;
}

static void compare_replies(struct model *m, struct memory *memory, struct l1d *d, uint64_t cycle)
{
    uint32_t expected[MAX_WAITERS], tag;
    const uint32_t *waiters;
    while (memory_receive(memory, 0, cycle, &tag)) {
        unsigned count = model_receive(m, cycle, expected);
        assert_int_equal(l1d_fill(d, tag, &waiters), count);
        assert_memory_equal(waiters, expected, count * sizeof *expected);
    }
    assert_int_equal(model_receive(m, cycle, expected), 0);
}

static void compare_access(struct model *m, struct l1d *d, uint64_t cycle, uint32_t waiter)
{
    uint64_t line = below(40) * (uint64_t)m->c->l1d_line;
    unsigned warp = below(3), what = below(10);
    enum l1_failure cause = NUM_L1_FAILURES, expected_cause = NUM_L1_FAILURES;
    enum l1_result result, expected;
    if (what == 0) {
        result = l1d_store(d, cycle, line, 32, &cause);
        expected = model_store(m, cycle, line, &expected_cause);
    } else if (what == 1) {
        result = l1d_atomic(d, cycle, line, 32, waiter, &cause);
        expected = model_atomic(m, cycle, line, waiter, &expected_cause);
    } else {
        result = l1d_load(d, cycle, line, warp, waiter, &cause);
        expected = model_load(m, cycle, line, warp, waiter, &expected_cause);
    }
    assert_int_equal(result, expected);
    assert_int_equal(cause, expected_cause);
}

/* One long random run. `busy` of 8 cycles have an access. */
static void random_run(struct config c, unsigned busy, struct l1_counters *total)
{
    struct model m = {.c = &c};
    struct memory *memory = memory_new(&c, 1);
    struct l1d *d = l1d_new(&c, memory, 0);
    assert_non_null(d);
    for (uint64_t cycle = 0; cycle < 50000; cycle++) {
        compare_replies(&m, memory, d, cycle);
        if (below(8) < busy)
            compare_access(&m, d, cycle, (uint32_t)cycle);
    }
    assert_memory_equal(l1_counters(d), &m.counters, sizeof m.counters);
    assert_int_equal(m.counters.hits + m.counters.misses, m.counters.accesses);
    assert_int_equal(m.counters.hits_intra_warp + m.counters.hits_inter_warp, m.counters.hits);
    for (size_t i = 0; i < sizeof *total / sizeof(uint64_t); i++)
        ((uint64_t *)total)[i] += ((uint64_t *)&m.counters)[i];
    l1d_free(d);
    memory_free(memory);
}

static void random_accesses(void **state)
{
    (void)state;
    static const struct {
        int64_t sets, ways, mshrs, merge, queue, latency, rate;
        unsigned busy;
    } shapes[] = {
        {8, 4, 32, 8, 8, 20, 128, 4}, {4, 2, 6, 3, 2, 30, 32, 6},   {1, 4, 16, 2, 4, 60, 128, 7},
        {8, 1, 4, 16, 1, 10, 16, 2},  {2, 4, 64, 16, 16, 90, 8, 8}, {8, 4, 3, 8, 8, 50, 128, 8},
    };
    struct l1_counters total = {0};
    seed = 1;
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct config c = test_config();
        c.l1d_sets = shapes[i].sets, c.l1d_ways = shapes[i].ways, c.l1d_mshrs = shapes[i].mshrs;
        c.l1d_mshr_merge = shapes[i].merge, c.l1d_miss_queue = shapes[i].queue;
        c.dram_latency = shapes[i].latency, c.dram_bytes_per_cycle = shapes[i].rate;
        random_run(c, shapes[i].busy, &total);
    }
    for (size_t i = 0; i < sizeof total / sizeof(uint64_t);
         i++) /* nothing that is counted stayed untested */
        assert_true(((uint64_t *)&total)[i] > 100);
}

/* A line that is written while on its way answers who waits, and does not stay. */
static void store_to_coming_line(void **state)
{
    (void)state;
    struct config c = test_config();
    struct memory *memory = memory_new(&c, 1);
    struct l1d *d = l1d_new(&c, memory, 0);
    enum l1_failure cause;
    const uint32_t *waiters;
    uint32_t tag;
    assert_int_equal(l1d_load(d, 10, 0x1000, 5, 77, &cause), L1_MISS);
    assert_int_equal(l1d_store(d, 11, 0x1000, 32, &cause), L1_SENT);
    assert_false(memory_receive(memory, 0, 409, &tag));
    assert_true(memory_receive(memory, 0, 410, &tag));
    assert_int_equal(l1d_fill(d, tag, &waiters), 1);
    assert_int_equal(waiters[0], 77);
    assert_int_equal(l1d_load(d, 411, 0x1000, 5, 78, &cause), L1_MISS);
    l1d_free(d);
    memory_free(memory);
}

static void reset_forgets(void **state)
{
    (void)state;
    struct config c = test_config();
    struct memory *memory = memory_new(&c, 1);
    struct l1d *d = l1d_new(&c, memory, 0);
    enum l1_failure cause;
    const uint32_t *waiters;
    uint32_t tag;
    l1d_load(d, 0, 0x80, 0, 1, &cause);
    assert_true(memory_receive(memory, 0, 400, &tag));
    l1d_fill(d, tag, &waiters);
    assert_int_equal(l1d_load(d, 401, 0x80, 0, 1, &cause), L1_HIT);
    l1d_reset(d);
    assert_int_equal(l1_counters(d)->accesses, 0);
    assert_int_equal(l1d_load(d, 402, 0x80, 0, 1, &cause), L1_MISS);
    l1d_free(d);
    memory_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_accesses),
        cmocka_unit_test(store_to_coming_line),
        cmocka_unit_test(reset_forgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
