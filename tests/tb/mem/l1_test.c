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

#include "tests/tb/mem/l1_model.h"

/* The cache as its events alone tell it: the valid lines and who has brought them. */
static struct told {
    struct {
        uint64_t line, owner;
    } valid[256];
    unsigned num_valid;
    uint64_t counts[NUM_EVENTS], merged, own, returned;
    uint64_t cycle, loader; /* of the access that is going on */
} told;

/* The place of a valid line, which must be there, brought by that owner. */
static unsigned valid_place(uint64_t line, uint64_t owner)
{
    unsigned i = 0;
    while (i < told.num_valid && told.valid[i].line != line)
        i++;
    assert_true(i < told.num_valid);
    assert_int_equal(told.valid[i].owner, owner);
    return i;
}

static void leaves(uint64_t line, uint64_t owner)
{
    const unsigned i = valid_place(line, owner);
    told.valid[i] = told.valid[--told.num_valid];
}

static void hear(void *context, const struct event *e)
{
    (void)context;
    told.counts[e->kind]++;
    assert_int_equal(e->sm, 7);
    assert_int_equal(e->cycle, told.cycle);
    switch (e->kind) {
    case EVENT_l1d_hit:
        valid_place(e->of.l1d_hit.line, e->of.l1d_hit.owner);
        assert_int_equal(e->of.l1d_hit.warp, told.loader);
        assert_int_equal(e->of.l1d_hit.pc, told.loader + 100);
        told.own += e->of.l1d_hit.owner == e->of.l1d_hit.warp;
        break;
    case EVENT_l1d_miss:
        assert_int_equal(e->of.l1d_miss.warp, told.loader);
        assert_int_equal(e->of.l1d_miss.pc, told.loader + 100);
        for (unsigned i = 0; i < told.num_valid; i++)
            assert_true(told.valid[i].line != e->of.l1d_miss.line);
        told.merged += e->of.l1d_miss.merged;
        break;
    case EVENT_l1d_evict: leaves(e->of.l1d_evict.line, e->of.l1d_evict.owner); break;
    case EVENT_l1d_drop: leaves(e->of.l1d_drop.line, e->of.l1d_drop.owner); break;
    case EVENT_l1d_fill:
        told.valid[told.num_valid].line = e->of.l1d_fill.line;
        told.valid[told.num_valid++].owner = e->of.l1d_fill.owner;
        break;
    case EVENT_l1d_return: told.returned += e->of.l1d_return.loads; break;
    case EVENT_l1d_write: break;
    default: assert_int_equal(e->kind, EVENT_l1d_bypass);
    }
}

static const struct listener listener = {.hears = UINT32_MAX, .sm = 7, .hear = hear};

/* What was told is what was counted. */
static void check_told(const struct l1_counters *c, int silent)
{
    assert_int_equal(told.counts[EVENT_l1d_hit], silent ? 0 : c->hits);
    assert_int_equal(told.counts[EVENT_l1d_miss], silent ? 0 : c->misses);
    assert_int_equal(told.merged, silent ? 0 : c->mshr_merged);
    assert_true(told.returned <= (silent ? 0 : c->misses));
    assert_int_equal(told.own, silent ? 0 : c->hits_intra_warp);
    assert_int_equal(told.counts[EVENT_l1d_bypass], c->bypassed);
    assert_int_equal(told.counts[EVENT_l1d_evict], silent ? 0 : c->evictions);
    assert_int_equal(told.counts[EVENT_l1d_write], c->stores + c->atomics);
    assert_int_equal(told.counts[EVENT_l1d_drop], c->store_evictions + c->atomic_evictions);
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
        sectors |= (uint8_t)(1u << byte % (s->holds ? 128 : s->line) / 32);
    return sectors;
}

static void check_request(const struct shape *s, enum memory_kind kind, uint64_t line,
                          uint8_t sectors, const struct model *m, const struct fetch *f)
{
    const struct memory_request *r = &outside.last;
    const struct config c = test_config();
    const unsigned before_constants = (unsigned)c.l1d_mshrs,
                   before_code = before_constants + (unsigned)c.l1c_mshrs;
    const unsigned first = s->holds == CONSTANTS ? before_constants
                           : s->holds == CODE    ? before_code
                           : f && f->untracked   ? s->mshrs + (unsigned)c.l1c_mshrs
                                                 : 0;
    assert_int_equal(outside.num_sent, 1);
    assert_int_equal(r->kind, kind);
    assert_int_equal(r->address, line);
    assert_int_equal(r->sectors, sectors);
    if (!f)
        return;
    assert_in_range(r->tag, first, first + s->mshrs * (f->untracked ? s->merge : 1) - 1);
    for (unsigned i = 0; i < outside.num_open; i++)
        assert_int_not_equal(outside.open[i].request.tag, r->tag);
    outside.open[outside.num_open++] = (struct sent){*r, (uint32_t)(f - m->fetches)};
}

/* One random access to both. */
static void access_line(struct model *m, struct l1 *l, uint64_t cycle, uint32_t waiter)
{
    static const uint32_t far[] = {0, 1 << 14, 5 << 15, 9 << 19};
    const struct shape *s = m->shape;
    const uint64_t line =
        (below(24) + far[below(4)]) * (uint64_t)s->line + ((uint64_t)below(2) << SPACE_SHIFT);
    /* A load asks for sectors that its line has. */
    const uint8_t all = sectors_of(s, line), some = (uint8_t)(1 + below(15)) & all,
                  sectors = some ? some : all;
    const unsigned warp = below(3), what = s->holds ? 9 : below(10);
    const int pollute = s->holds || below(4);
    enum l1_failure cause = NUM_L1_FAILURES, expected_cause = NUM_L1_FAILURES;
    enum l1_result result, expected;
    struct fetch *sent = NULL;
    outside.num_sent = 0;
    told.loader = warp;
    if (what == 0) {
        result = l1_store(l, cycle, line, sectors, &cause);
        expected = model_store(m, line, &expected_cause);
    } else if (what == 1) {
        result = l1_atomic(l, cycle, line, sectors, waiter, &cause);
        expected = model_atomic(m, line, waiter, &sent, &expected_cause);
    } else {
        result = l1_load(l, cycle, line, sectors, &(struct l1_user){warp, warp + 100, waiter},
                         pollute, &cause);
        expected = model_load(m, line, sectors, warp, pollute, waiter, &sent, &expected_cause);
    }
    assert_int_equal(result, expected);
    assert_int_equal(cause, expected_cause);
    if (sent || result == L1_SENT)
        check_request(s,
                      what == 0   ? MEMORY_WRITE
                      : what == 1 ? MEMORY_ATOMIC
                                  : MEMORY_READ,
                      line, what < 2 || !pollute ? sectors : all, m, sent);
    else
        assert_int_equal(outside.num_sent, 0);
}

/* One long random run, that begins as a kernel does, in mid-traffic of the one before. */
static void random_run(const struct shape *shape, struct l1_counters *total)
{
    struct l1 *l = open_l1(shape, &listener);
    uint64_t cycle = 0;
    assert_non_null(l);
    for (unsigned kernel = 0; kernel < 2; kernel++) {
        struct model m = {.shape = shape};
        outside.num_open = 0;
        told = (struct told){0};
        l1_reset(l, cycle);
        for (const uint64_t end = cycle + 50000; cycle < end; cycle++) {
            outside.cycle = told.cycle = cycle;
            outside.room = below(8) < shape->room;
            if (below(64) < shape->answering)
                answer(&m, l, cycle);
            if (below(8) < shape->busy)
                access_line(&m, l, cycle, (uint32_t)cycle);
            for (unsigned i = 0; i < outside.num_open; i++) {
                const struct fetch *f = &m.fetches[outside.open[i].answers];
                m.counters.mshr_occupancy += !f->untracked;
                m.counters.waited += f->atomic ? 0 : f->num_waiters;
            }
            model_cycle(&m);
        }
        l1_account(l, cycle);
        assert_memory_equal(l1_counters(l), &m.counters, sizeof m.counters);
        assert_memory_equal(l1_spaces(l), m.spaces, sizeof m.spaces);
        assert_int_equal(m.counters.hits + m.counters.misses, m.counters.accesses);
        assert_int_equal(m.counters.hits_intra_warp + m.counters.hits_inter_warp, m.counters.hits);
        check_told(&m.counters, shape->holds != DATA);
        ADD_COUNTS(*total, m.counters);
    }
    l1_free(l);
}

static void random_accesses(void **state)
{
    (void)state;
    static const struct shape shapes[] = {
        {8, 4, 128, 32, 8, 0, 0, 0, 8, 4, 20},  {4, 2, 128, 6, 3, 0, 0, 0, 6, 6, 20},
        {1, 4, 128, 16, 2, 0, 0, 0, 7, 7, 30},  {8, 1, 128, 4, 16, 1, 0, 0, 8, 2, 10},
        {2, 4, 128, 64, 16, 1, 0, 0, 2, 8, 16}, {16, 4, 128, 3, 8, 1, 0, 0, 8, 8, 30},
        {16, 2, 64, 8, 8, 1, 0, 0, 7, 5, 30},   {1, 2, 128, 8, 4, 1, 0, 0, 7, 5, 30},
        {4, 2, 128, 6, 3, 0, 0, 1, 6, 6, 20},   {2, 4, 128, 8, 4, 1, 0, 1, 7, 8, 16},
        {32, 2, 128, 8, 4, 2, 0, 0, 7, 5, 30},  {64, 1, 128, 16, 4, 2, 0, 1, 7, 6, 30},
    };
    struct l1_counters total = {0};
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        random_run(&shapes[i], &total);
    ASSERT_ALL_REACHED(total, 100);
}

/* The caches of constants and of instructions: lines shorter than the memory's, loads only, tags behind
 * those of L1D. */
static void random_constants_and_code(void **state)
{
    (void)state;
    for (int holds = CONSTANTS; holds <= CODE; holds++) {
        const struct shape shapes[] = {
            {8, 2, 64, 4, 4, 0, holds, 0, 7, 6, 20},
            {4, 1, 32, 2, 8, 0, holds, 0, 7, 6, 20},
            {2, 4, 128, 8, 2, 0, holds, 0, 4, 8, 20},
        };
        struct l1_counters total = {0};
        for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
            random_run(&shapes[i], &total);
        assert_true(total.hits > 1000 && total.mshr_merged > 1000 && total.evictions > 1000);
        assert_int_equal(total.stores + total.atomics + total.bypassed, 0);
    }
}

/* A load that has failed stands in the way of all others, as in the load/store unit, and tries again after each answer. Where the
 * cache says that an answer does not help, it fails again by the same cause; where a way was wanting and the answer is said to help,
 * one has become free. */
static void blocked_run(const struct shape *shape, uint64_t helped[2][NUM_L1_FAILURES])
{
    static const struct listener nobody;
    struct l1 *l = open_l1(shape, &nobody);
    const struct l1_user user = {0, 100, 0};
    uint64_t line = 0;
    uint8_t sectors = 0;
    int pollute = 0;
    enum l1_failure cause = NUM_L1_FAILURES; /* by which the last one has failed */
    outside.num_open = 0;
    outside.room = 1;
    for (unsigned step = 0; step < 50000; step++) {
        int helps = -1; /* nothing has come */
        outside.cycle = step;
        if (outside.num_open && (cause != NUM_L1_FAILURES || below(64) < shape->answering)) {
            const uint64_t *waiters;
            struct sent *chosen = &outside.open[below(outside.num_open)];
            if (cause != NUM_L1_FAILURES)
                helps = l1_unblocks(l, chosen->request.tag, line, cause);
            l1_fill(l, step, chosen->request.tag, &waiters);
            *chosen = outside.open[--outside.num_open];
        }
        if (cause == NUM_L1_FAILURES) {
            line = below(24) * (uint64_t)shape->line;
            sectors = (uint8_t)(1 + below(15));
            pollute = shape->holds || below(4);
        }
        const enum l1_failure before = cause;
        cause = NUM_L1_FAILURES;
        outside.num_sent = 0;
        const enum l1_result result = l1_load(l, step, line, sectors, &user, pollute, &cause);
        assert_true((result == L1_FAILED) == (cause != NUM_L1_FAILURES));
        if (result == L1_MISS)
            outside.open[outside.num_open++].request = outside.last;
        if (helps < 0)
            continue;
        helped[helps][before]++;
        if (!helps)
            assert_int_equal(cause, before);
        else if (before == L1_FAIL_no_way)
            assert_int_not_equal(cause, L1_FAIL_no_way);
    }
    l1_free(l);
}

static void says_what_helps(void **state)
{
    (void)state;
    static const struct shape shapes[] = {
        {8, 4, 128, 64, 8, 0, 0, 0, 8, 8, 8},        {4, 2, 128, 64, 2, 1, 0, 0, 8, 8, 8},
        {32, 1, 128, 16, 4, 2, 0, 0, 8, 8, 8},       {4, 2, 128, 6, 3, 0, 0, 1, 8, 8, 8},
        {4, 2, 32, 16, 2, 0, CONSTANTS, 0, 8, 8, 8}, {4, 1, 128, 16, 2, 0, CODE, 0, 8, 8, 8},
        {8, 4, 128, 2, 1, 0, 0, 1, 8, 8, 2},
    };
    uint64_t helped[2][NUM_L1_FAILURES] = {{0}};
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        blocked_run(&shapes[i], helped);
    for (int helps = 0; helps < 2; helps++) {
        assert_true(helped[helps][L1_FAIL_no_way] > 1000);
        assert_true(helped[helps][L1_FAIL_merge_full] > 1000);
    }
    assert_true(helped[1][L1_FAIL_no_mshr] > 1000);
}

/* Lines a power of two apart: linear, they fall into one set and push each other out; hashed, as
 * many stay as the cache holds. */
static void hashing_spreads_strides(void **state)
{
    (void)state;
    for (int hashed = 0; hashed < 2; hashed++) {
        told = (struct told){0};
        const struct shape s = {16, 4, 128, 32, 8, hashed, 0, 0, 8, 8, 64};
        struct l1 *l = open_l1(&s, &listener);
        enum l1_failure cause;
        const uint64_t *waiters;
        outside.room = 1;
        outside.cycle = 0;
        for (unsigned round = 0; round < 2; round++)
            for (uint64_t i = 0; i < 16; i++)
                if (l1_load(l, 0, i * 16 * 128, 1, &(struct l1_user){0, 100, 0}, 1, &cause) ==
                    L1_MISS)
                    l1_fill(l, 0, outside.last.tag, &waiters);
        assert_int_equal(l1_counters(l)->hits, hashed ? 16 : 0);
        l1_free(l);
    }
}

/* A line that is here when a kernel ends is found by the next one only if l1d.keep says so; one that
 * is on its way never is. */
static void keeps_lines_or_not(void **state)
{
    (void)state;
    for (int keep = 0; keep < 2; keep++) {
        struct config c = test_config();
        const uint64_t *waiters;
        enum l1_failure cause;
        c.l1d_keep = keep;
        told = (struct told){0};
        struct l1 *l = l1d_new(&c, NULL, PORT, &listener);
        const struct l1_user user = {0, 100, 0};
        outside.room = 1;
        outside.cycle = 0;
        assert_int_equal(l1_load(l, 0, 0, 1, &user, 1, &cause), L1_MISS);
        l1_fill(l, 0, outside.last.tag, &waiters);
        assert_int_equal(l1_load(l, 0, 128, 1, &user, 1, &cause), L1_MISS);
        l1_reset(l, 0);
        told = (struct told){0};
        if (keep)
            told.valid[told.num_valid++].line = 0;
        assert_int_equal(l1_load(l, 0, 0, 1, &user, 1, &cause), keep ? L1_HIT : L1_MISS);
        assert_int_equal(l1_load(l, 0, 128, 1, &user, 1, &cause), L1_MISS);
        assert_int_equal(l1_counters(l)->accesses, 2);
        l1_free(l);
    }
}

/* What a warp has brought, or waits for, is nobody's once its slot has a new one; the rest stays its
 * owners'. */
static void new_warp_owns_nothing(void **state)
{
    (void)state;
    struct config c = test_config();
    const uint64_t *waiters;
    enum l1_failure cause;
    told = (struct told){.loader = 3};
    struct l1 *l = l1d_new(&c, NULL, PORT, &listener);
    const struct l1_user old = {3, 103, 0}, other = {4, 104, 0};
    outside.room = 1;
    outside.cycle = 0;
    assert_int_equal(l1_load(l, 0, 0, 1, &old, 1, &cause), L1_MISS);
    l1_fill(l, 0, outside.last.tag, &waiters);
    assert_int_equal(l1_load(l, 0, 128, 1, &old, 1, &cause), L1_MISS);
    const uint32_t tag = outside.last.tag;
    told.loader = 4;
    assert_int_equal(l1_load(l, 0, 256, 1, &other, 1, &cause), L1_MISS);
    l1_fill(l, 0, outside.last.tag, &waiters);
    l1_disown(l, 3);
    l1_fill(l, 0, tag, &waiters);
    assert_int_equal(told.num_valid, 3);
    assert_int_equal(told.valid[2].owner, NOBODY);
    told.valid[0].owner = NOBODY;
    told.loader = 3;
    for (uint64_t line = 0; line <= 256; line += 128)
        assert_int_equal(l1_load(l, 0, line, 1, &old, 1, &cause), L1_HIT);
    assert_int_equal(l1_counters(l)->hits_intra_warp, 0);
    told.loader = 4;
    assert_int_equal(l1_load(l, 0, 256, 1, &other, 1, &cause), L1_HIT);
    assert_int_equal(l1_counters(l)->hits_intra_warp, 1);
    l1_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_accesses),    cmocka_unit_test(random_constants_and_code),
        cmocka_unit_test(says_what_helps),    cmocka_unit_test(hashing_spreads_strides),
        cmocka_unit_test(keeps_lines_or_not), cmocka_unit_test(new_warp_owns_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
