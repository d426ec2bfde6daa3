/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/active/active_test.c: the C reference against the rule in words: a list of active
 * warps and a queue of pending ones. Every cycle the active warps that wait long are moved to the end
 * of the queue; then, if one in the queue is awake, the queue's head is moved to the list until the
 * list is long enough. Here both are lists of numbers; nothing is shared with active.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/active/active.h"
#include "cosim/stimulus.h"

void active_stimulus(struct stimulus *, void *);

#define ALL_WARPS (~UINT64_C(0) >> (64 - NUM_WARPS))

struct list {
    unsigned warp[NUM_WARPS], length; /* the first is the head */
};

struct bench {
    struct active_state s;
    struct active_out out;
    struct list active, queue;
};

static void append(struct list *l, unsigned warp)
{
    assert_true(l->length < NUM_WARPS);
    l->warp[l->length++] = warp;
}

static void take(struct list *l, unsigned warp)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < l->length; i++)
        if (l->warp[i] != warp)
            l->warp[kept++] = l->warp[i];
    assert_int_equal(kept + 1, l->length);
    l->length = kept;
}

static uint64_t members(const struct list *l)
{
    uint64_t set = 0;
    for (unsigned i = 0; i < l->length; i++)
        set |= UINT64_C(1) << l->warp[i];
    return set;
}

static void open_bench(struct bench *b)
{
    memset(b, 0, sizeof *b);
    active_reset(&b->s);
    for (unsigned w = 0; w < NUM_WARPS; w++)
        append(&b->queue, w);
}

/* One cycle of the rule. Those that leave in the same cycle leave by number. */
static void plain_step(struct bench *b, const struct active_in *in, uint64_t *demoted,
                       uint64_t *promoted)
{
    int awake = 0;
    *demoted = *promoted = 0;
    for (unsigned w = 0; w < NUM_WARPS; w++)
        if ((members(&b->active) >> w & 1) && (in->long_wait >> w & 1)) {
            take(&b->active, w);
            append(&b->queue, w);
            *demoted |= UINT64_C(1) << w;
        }
    for (unsigned p = 0; p < b->queue.length; p++)
        awake += !(in->long_wait >> b->queue.warp[p] & 1);
    while (awake && b->active.length < in->limit && b->queue.length > 0) {
        const unsigned head = b->queue.warp[0];
        take(&b->queue, head);
        append(&b->active, head);
        *promoted |= UINT64_C(1) << head;
    }
}

/* The bits of a pair say who of two pending warps comes first. */
static void check_order(const struct bench *b)
{
    for (unsigned p = 0; p < b->queue.length; p++)
        for (unsigned q = p + 1; q < b->queue.length; q++) {
            const unsigned first = b->queue.warp[p], second = b->queue.warp[q];
            unsigned place = 0, low = first < second ? first : second;
            for (unsigned i = 0; i < low; i++)
                place += NUM_WARPS - 1 - i;
            place += (first < second ? second : first) - low - 1;
            assert_int_equal(bit_get(b->s.order, place), first < second);
        }
}

/* Both, compared. */
static void step(struct bench *b, uint64_t limit, uint64_t long_wait)
{
    const struct active_in in = {.limit = limit, .long_wait = long_wait};
    uint64_t demoted, promoted;
    memset(&b->out, 0xff, sizeof b->out);
    active_comb(&b->s, &in, &b->out);
    assert_true(b->out.allow == members(&b->active));
    plain_step(b, &in, &demoted, &promoted);
    assert_true(b->out.demoted == demoted);
    assert_true(b->out.promoted == promoted);
    active_tick(&b->s, &in, &b->out);
    assert_true(b->s.active == members(&b->active));
    check_order(b);
}

static void random_inputs(void **unused)
{
    (void)unused;
    unsigned swaps = 0, many = 0, back = 0, over = 0, full = 0, still = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct bench b;
        struct stimulus stimulus = {.random = seed * 424243, .state = &b.s};
        open_bench(&b);
        for (stimulus.cycle = 0; stimulus.cycle < 10000; stimulus.cycle++) {
            struct active_in in = {0};
            active_stimulus(&stimulus, &in);
            step(&b, in.limit, in.long_wait);
            swaps += b.out.demoted && b.out.promoted;
            many += __builtin_popcountll(b.out.demoted) > 1;
            back += (b.out.demoted & b.out.promoted) != 0;
            over += b.active.length > in.limit;
            full += b.queue.length == 0;
            still += !b.out.demoted && !b.out.promoted;
        }
    }
    assert_true(swaps > 1000 && many > 1000 && back > 100 && over > 100 && full > 100);
    assert_true(still > 1000);
}

static void the_first_by_number(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b);
    step(&b, 2, 0);
    assert_int_equal(b.out.allow, 0); /* the first cycle fills the list */
    assert_int_equal(b.out.promoted, 3);
    step(&b, 2, 0);
    assert_int_equal(b.out.allow, 3);
    assert_int_equal(b.out.promoted, 0);
}

/* Who waits leaves; the next is not asked whether it waits; who wakes waits for its turn. */
static void a_wait_makes_room(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b);
    step(&b, 1, 0);
    step(&b, 1, 7); /* 0 leaves; 1 comes although it waits */
    assert_int_equal(b.out.demoted, 1);
    assert_int_equal(b.out.promoted, 2);
    step(&b, 1, 6); /* 1 leaves; 0 is awake again, but 2 stands before it */
    assert_int_equal(b.out.allow, 2);
    assert_int_equal(b.out.promoted, 4);
}

static void nobody_is_put_out(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b);
    const uint64_t all_but_last = ALL_WARPS >> 1;
    step(&b, NUM_WARPS - 1, 0);
    step(&b, 1, 0); /* more are active than may be: they stay while they do not wait */
    step(&b, 1, 1);
    assert_true(b.out.allow == all_but_last);
    assert_int_equal(b.out.promoted, 0);
    step(&b, 1, 0);
    assert_true(b.out.allow == (all_but_last & ~UINT64_C(1)));
}

/* With room for all, all that do not wait are active; with none nobody ever is. */
static void room_for_all_or_none(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b);
    for (int cycle = 0; cycle < 4; cycle++)
        step(&b, (1u << CLOG2(NUM_WARPS + 1)) - 1, cycle >= 2 ? 5 : 0);
    assert_true(b.out.allow == (ALL_WARPS & ~UINT64_C(5)));
    open_bench(&b);
    for (int cycle = 0; cycle < 4; cycle++)
        step(&b, 0, 5);
    assert_int_equal(b.out.allow, 0);
}

/* The queue turns only while one in it is awake. */
static void the_queue_rests(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b);
    step(&b, 2, 0);
    step(&b, 2, ALL_WARPS); /* both leave, and nobody comes */
    assert_int_equal(b.out.demoted, 3);
    for (int cycle = 0; cycle < 3; cycle++) {
        step(&b, 2, ALL_WARPS);
        assert_int_equal(b.out.allow | b.out.demoted | b.out.promoted, 0);
    }
    step(&b, 2, ALL_WARPS & ~UINT64_C(8)); /* 3 wakes: 2 stands before it, and comes with it */
    assert_int_equal(b.out.promoted, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_inputs),        cmocka_unit_test(the_first_by_number),
        cmocka_unit_test(a_wait_makes_room),    cmocka_unit_test(nobody_is_put_out),
        cmocka_unit_test(room_for_all_or_none), cmocka_unit_test(the_queue_rests),
    };
    return cmocka_run_group_tests_name("cmodel/active", tests, NULL, NULL);
}
