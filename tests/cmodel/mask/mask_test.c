/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/mask/mask_test.c: the C reference against the words of Poise VI-C: a queue of the
 * active warps in the order in which they became active; "vital ... is set as 1 for N oldest
 * warps", "pollute ... is set as 1 for p oldest warps". Here that queue is a list: who arrives goes
 * to its end, who leaves is taken out. The unit sees the order that wia's reference keeps. Nothing
 * is shared with mask.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/mask/mask.h"
#include "cmodel/wia/wia.h"
#include "cosim/stimulus.h"

#define ALL_WARPS (~UINT64_C(0) >> (64 - NUM_WARPS))

/* A scheduler: the paper's queue, and beside it what the unit is given. */
struct bench {
    int queue[NUM_WARPS], length; /* the oldest first */
    int away[NUM_WARPS];          /* in the queue, but at a barrier */
    unsigned n, p;
    struct wia_state wia;
    struct mask_out out;
};

static uint64_t first_of_queue(const struct bench *b, unsigned count)
{
    uint64_t set = 0;
    for (int place = 0; place < b->length; place++)
        if (!b->away[b->queue[place]] && count > 0) {
            set |= UINT64_C(1) << b->queue[place];
            count--;
        }
    return set;
}

/* One cycle with the bench as it is; both bits as the paper says. */
static void check(struct bench *b)
{
    struct mask_state none;
    struct mask_in in = {.n = b->n, .p = b->p};
    for (int place = 0; place < b->length; place++)
        if (!b->away[b->queue[place]])
            in.live |= UINT64_C(1) << b->queue[place];
    memcpy(in.order, b->wia.order, sizeof in.order);
    memset(&b->out, 0xff, sizeof b->out);
    mask_comb(&none, &in, &b->out);
    assert_int_equal(b->out.vital, first_of_queue(b, b->n));
    assert_int_equal(b->out.pollute, first_of_queue(b, b->p < b->n ? b->p : b->n));
}

static void leave(struct bench *b, int warp)
{
    int kept = 0;
    for (int place = 0; place < b->length; place++)
        if (b->queue[place] != warp)
            b->queue[kept++] = b->queue[place];
    b->length = kept;
}

/* The clock edge of a cycle in which `warp` is allocated: from the next one on it is there. */
static void arrive(struct bench *b, int warp)
{
    struct wia_in in = {.alloc = 1, .alloc_warp = (uint64_t)warp};
    struct wia_out out = {0};
    wia_tick(&b->wia, &in, &out);
    leave(b, warp);
    b->away[warp] = 0;
    b->queue[b->length++] = warp;
}

static void open_bench(struct bench *b, unsigned n, unsigned p)
{
    memset(b, 0, sizeof *b);
    wia_reset(&b->wia);
    b->n = n;
    b->p = p;
}

static void random_sequences(void **unused)
{
    (void)unused;
    unsigned full = 0, empty = 0, cut = 0, clamped = 0;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct bench b;
        struct stimulus r = {.random = seed * 1234567};
        open_bench(&b, 0, 0);
        for (int cycle = 0; cycle < 4000; cycle++) {
            int crowd = (int)(cycle / 500 % 4); /* from arrivals alone to departures alone */
            if (stimulus_once_in(&r, 3))
                b.n = (unsigned)stimulus_below(&r, NUM_WARPS + 1);
            if (stimulus_once_in(&r, 3))
                b.p = (unsigned)stimulus_below(&r, NUM_WARPS + 1);
            if (b.length && (int)stimulus_below(&r, 4) < crowd)
                leave(&b, b.queue[stimulus_below(&r, (uint64_t)b.length)]);
            if (b.length && stimulus_once_in(&r, 3))
                b.away[b.queue[stimulus_below(&r, (uint64_t)b.length)]] ^= 1;
            check(&b);
            if ((int)stimulus_below(&r, 4) >= crowd)
                arrive(&b, (int)stimulus_below(&r, NUM_WARPS));
            full += b.length == NUM_WARPS;
            empty += b.length == 0;
            cut += __builtin_popcountll(b.out.vital) < b.length;
            clamped += b.p > b.n && b.out.vital == b.out.pollute;
        }
    }
    /* The sequences were such that everything occurred. */
    assert_true(full > 10 && empty > 10 && cut > 10000 && clamped > 1000);
}

static uint64_t bits(int first, int count)
{
    return (count ? ~UINT64_C(0) >> (64 - count) : 0) << first;
}

static void first_tenants(struct bench *b, int count)
{
    for (int w = 0; w < count; w++)
        arrive(b, w);
}

static void the_oldest_are_vital(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, 2, 1);
    first_tenants(&b, NUM_WARPS);
    check(&b);
    assert_int_equal(b.out.vital, 3);
    assert_int_equal(b.out.pollute, 1);
    arrive(&b, 0); /* a new tenant under the oldest number is the youngest */
    check(&b);
    assert_int_equal(b.out.vital, 6);
    assert_int_equal(b.out.pollute, 2);
}

static void every_n_and_p(void **unused)
{
    (void)unused;
    struct bench b;
    for (int resident = 0; resident <= NUM_WARPS; resident++)
        for (unsigned n = 0; n <= NUM_WARPS; n++)
            for (unsigned p = 0; p <= NUM_WARPS; p++) {
                int vital = (int)n < resident ? (int)n : resident;
                int pollute = (int)p < vital ? (int)p : vital;
                open_bench(&b, n, p);
                first_tenants(&b, resident);
                check(&b);
                assert_int_equal(b.out.vital, bits(0, vital));
                assert_int_equal(b.out.pollute, bits(0, pollute));
            }
}

static void all_released_then_one(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, 1, 1);
    first_tenants(&b, NUM_WARPS);
    for (int w = 0; w < NUM_WARPS; w++)
        leave(&b, w);
    check(&b);
    assert_int_equal(b.out.vital, 0);
    arrive(&b, NUM_WARPS - 1);
    check(&b);
    assert_int_equal(b.out.vital, bits(NUM_WARPS - 1, 1));
    assert_int_equal(b.out.pollute, bits(NUM_WARPS - 1, 1));
}

/* A release, a barrier and a change of n and p count in the cycle in which they are seen; a warp
 * that is allocated in it counts from the next on, as the youngest. */
static void same_cycle(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, 2, 2);
    first_tenants(&b, 3);
    leave(&b, 0);
    check(&b);
    assert_int_equal(b.out.vital, bits(1, 2));
    b.n = 1, b.p = 0;
    arrive(&b, 0);
    check(&b);
    assert_int_equal(b.out.vital, bits(1, 1));
    assert_int_equal(b.out.pollute, 0);
    b.n = 3, b.p = 1;
    check(&b);
    assert_int_equal(b.out.vital, bits(0, 3));
    assert_int_equal(b.out.pollute, bits(1, 1));
    b.away[1] = 1; /* the oldest waits at a barrier: the next ones move up */
    b.n = 1;
    check(&b);
    assert_int_equal(b.out.vital, bits(2, 1));
    b.away[1] = 0; /* and it has its place back when the barrier opens */
    check(&b);
    assert_int_equal(b.out.vital, bits(1, 1));
}

/* Numbers that the port can carry but no warp count reaches mean all. */
static void beyond_the_last_warp(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, (1u << CLOG2(NUM_WARPS + 1)) - 1, (1u << CLOG2(NUM_WARPS + 1)) - 1);
    first_tenants(&b, NUM_WARPS);
    check(&b);
    assert_int_equal(b.out.vital, ALL_WARPS);
    assert_int_equal(b.out.pollute, ALL_WARPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sequences), cmocka_unit_test(the_oldest_are_vital),
        cmocka_unit_test(every_n_and_p),    cmocka_unit_test(all_released_then_one),
        cmocka_unit_test(same_cycle),       cmocka_unit_test(beyond_the_last_warp),
    };
    return cmocka_run_group_tests_name("cmodel/mask", tests, NULL, NULL);
}
