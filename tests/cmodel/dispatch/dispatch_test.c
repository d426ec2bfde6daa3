/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/dispatch/dispatch_test.c: the C reference against PAVER's words, restated as plainly
 * as they are written: "LRR scheduler selects one SM at a time, and assigns a TB in a sequential
 * order"; BCS "schedules two neighboring TBs at the same time", "only if the SM has enough
 * resources to fit in two new TBs" (6.1). Nothing is shared with dispatch.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/dispatch/dispatch.h"
#include "cosim/stimulus.h"

void dispatch_stimulus(struct stimulus *, void *);

#define NOBODY (-1)

/* The rules' own memory. */
struct plain {
    int kernel;      /* one is being worked on */
    uint64_t todo;   /* blocks that still need an SM */
    uint64_t number; /* of the next of them */
    int before;      /* the SM that was served before */
    int partner;     /* the SM that has the first half of a pair and gets the second, or NOBODY */
    long held[NUM_SMS]; /* blocks on each SM */
};

static int has(const uint64_t *set, int sm)
{
    return (int)(set[sm / 64] >> sm % 64 & 1);
}

/* Can this SM take `wanted` new blocks, now that blocks have ended? */
static int fits(const struct plain *p, const struct dispatch_in *in, int sm, long wanted)
{
    return has(in->allow, sm) && p->held[sm] + wanted <= (long)in->limit;
}

/* The SM that gets the next block. `p` knows already which blocks have ended. */
static int plain_choice(const struct plain *p, const struct dispatch_in *in, long *wanted)
{
    *wanted = 1;
    if (!p->todo || in->stop)
        return NOBODY;
    if (p->partner != NOBODY)
        return fits(p, in, p->partner, 1) ? p->partner : NOBODY;
    if (in->policy == 1 && p->todo > 1 && in->limit > 1) /* two that can be together at all */
        *wanted = 2;
    int sm = p->before;
    for (int asked = 0; asked < NUM_SMS; asked++) {
        sm = sm == NUM_SMS - 1 ? 0 : sm + 1;
        if (fits(p, in, sm, *wanted))
            return sm;
    }
    return NOBODY;
}

static long held(const struct plain *p)
{
    long sum = 0;
    for (int sm = 0; sm < NUM_SMS; sm++)
        sum += p->held[sm];
    return sum;
}

/* One cycle of the rules: what must come out. */
static struct dispatch_out plain_cycle(struct plain *p, const struct dispatch_in *in)
{
    struct dispatch_out out = {.place_block = p->number};
    long wanted;
    for (int sm = 0; sm < NUM_SMS; sm++)
        if (has(in->ended, sm) && p->held[sm])
            p->held[sm]--;
    const int sm = plain_choice(p, in, &wanted);
    if (in->stop) {
        p->todo = 0;
        p->partner = NOBODY;
    }
    if (sm != NOBODY) {
        out.place_valid = 1;
        out.place_sm = (uint64_t)sm;
        p->held[sm]++;
        p->before = sm;
        p->partner = wanted == 2 ? sm : NOBODY;
        p->todo--;
        p->number =
            BLOCK_BITS == 64 ? p->number + 1 : (p->number + 1) % (UINT64_C(1) << BLOCK_BITS % 64);
    } else if (!p->kernel && in->start && in->blocks) {
        p->kernel = 1;
        p->todo = in->blocks;
        p->number = in->first;
        p->before = NUM_SMS - 1;
        p->partner = NOBODY;
    }
    return out;
}

/* A kernel is over when nothing was left to place before the cycle and nothing is held after it. */
static uint64_t plain_done(struct plain *p, uint64_t todo_before)
{
    if (!p->kernel || todo_before || p->todo || held(p))
        return 0;
    p->kernel = 0;
    return 1;
}

struct bench {
    struct dispatch_state s;
    struct plain p;
    struct dispatch_in in;
    struct dispatch_out out;
};

/* Steps both, compares outputs and what each holds. */
static void step(struct bench *b)
{
    const uint64_t todo = b->p.todo;
    memset(&b->out, 0xff, sizeof b->out);
    dispatch_comb(&b->s, &b->in, &b->out);
    struct dispatch_out expected = plain_cycle(&b->p, &b->in);
    expected.done = plain_done(&b->p, todo);
    assert_int_equal(b->out.place_valid, expected.place_valid);
    assert_int_equal(b->out.place_sm, expected.place_sm);
    assert_int_equal(b->out.place_block, expected.place_block);
    assert_int_equal(b->out.done, expected.done);
    dispatch_tick(&b->s, &b->in, &b->out);
    for (int sm = 0; sm < NUM_SMS; sm++)
        assert_int_equal(b->s.resident[sm], b->p.held[sm]);
    assert_int_equal(b->s.left, b->p.todo);
}

static void open_bench(struct bench *b, unsigned policy, unsigned limit)
{
    memset(b, 0, sizeof *b);
    b->p.partner = NOBODY;
    dispatch_reset(&b->s);
    b->in.policy = policy;
    b->in.limit = limit;
    memset(b->in.allow, 0xff, sizeof b->in.allow);
}

static void start(struct bench *b, uint64_t first, uint64_t blocks)
{
    b->in.start = 1;
    b->in.first = first;
    b->in.blocks = blocks;
    step(b);
    b->in.start = 0;
}

/* One cycle in which a block ends on each SM of a list that NOBODY ends. Returns the SM that got
 * one, or NOBODY. */
static int cycle(struct bench *b, const int *ended)
{
    memset(b->in.ended, 0, sizeof b->in.ended);
    for (; ended && *ended != NOBODY; ended++)
        b->in.ended[*ended / 64] |= UINT64_C(1) << *ended % 64;
    step(b);
    memset(b->in.ended, 0, sizeof b->in.ended);
    return b->out.place_valid ? (int)b->out.place_sm : NOBODY;
}
#define ENDS(...) ((const int[]){__VA_ARGS__, NOBODY})

static void random_inputs(void **unused)
{
    (void)unused;
    long placed[2] = {0}, waited[2] = {0}, over = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct bench b;
        struct stimulus stimulus = {.random = seed * 77777, .state = &b.s};
        open_bench(&b, 0, 0);
        for (stimulus.cycle = 0; stimulus.cycle < 20000; stimulus.cycle++) {
            dispatch_stimulus(&stimulus, &b.in);
            const uint64_t todo = b.p.todo;
            step(&b);
            *(b.out.place_valid ? &placed[b.in.policy] : &waited[b.in.policy]) += 1;
            if (b.out.place_valid)
                assert_true(todo > 0);
            over += (long)b.out.done;
        }
    }
    /* The comparison saw both policies act and wait, and many kernels end. */
    for (int policy = 0; policy < 2; policy++)
        assert_true(placed[policy] > 10000 && waited[policy] > 10000);
    assert_true(over > 500);
}

static void lrr_goes_round(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, dispatch_policy_lrr, 2);
    start(&b, 0, 4 * NUM_SMS);
    for (int n = 0; n < 2 * NUM_SMS; n++) {
        assert_int_equal(b.p.number, n);
        assert_int_equal(cycle(&b, NULL), n % NUM_SMS);
    }
    assert_int_equal(cycle(&b, NULL), NOBODY); /* full */
    assert_int_equal(cycle(&b, ENDS(1)), 1);   /* a context is given away as it becomes free */
    assert_int_equal(cycle(&b, NULL), NOBODY);
    assert_int_equal(cycle(&b, ENDS(0, 1)), 0); /* after 1 comes 0 again where there is no other */
    assert_int_equal(cycle(&b, NULL), 1);
}

static void a_grid_smaller_than_the_gpu(void **unused)
{
    (void)unused;
    struct bench b;
    for (unsigned policy = 0; policy < 2; policy++) {
        open_bench(&b, policy, SM_BLOCKS);
        start(&b, 0, 1);
        assert_int_equal(cycle(&b, NULL), 0);
        assert_int_equal(b.s.state, DISPATCH_DRAIN);
        assert_int_equal(cycle(&b, NULL), NOBODY);
        assert_int_equal(cycle(&b, ENDS(1)), NOBODY); /* not where it is */
        assert_int_equal(b.out.done, 0);
        assert_int_equal(cycle(&b, ENDS(0)), NOBODY);
        assert_int_equal(b.out.done, 1);
        assert_int_equal(b.s.state, DISPATCH_IDLE);
    }
}

static void bcs_pairs(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, dispatch_policy_bcs, 2);
    start(&b, 0, 2 * NUM_SMS + 3);
    for (int n = 0; n < 2 * NUM_SMS; n++)
        assert_int_equal(cycle(&b, NULL), n / 2);
    assert_int_equal(cycle(&b, ENDS(0)), NOBODY); /* one free context does not do */
    assert_int_equal(cycle(&b, ENDS(1)), NOBODY); /* nor two on different SMs */
    assert_int_equal(cycle(&b, ENDS(1)), 1);
    assert_int_equal(cycle(&b, NULL), 1);
    assert_int_equal(cycle(&b, NULL), 0); /* the last block has no partner: one context does */
    assert_int_equal(b.s.state, DISPATCH_DRAIN);
}

/* "If the maximum thread block (TB) per SM limit is an odd number, it leads to thread block
 * throttling": with three contexts a SM runs two blocks (6.3). */
static void bcs_wastes_the_odd_context(void **unused)
{
    (void)unused;
    struct bench b;
    for (unsigned limit = 1; limit <= SM_BLOCKS; limit++)
        for (unsigned policy = 0; policy < 2; policy++) {
            open_bench(&b, policy, limit);
            start(&b, 0, 10 * NUM_SMS * SM_BLOCKS);
            while (cycle(&b, NULL) != NOBODY)
                ;
            const int wasted = policy == dispatch_policy_bcs && limit > 1 && limit % 2;
            for (int sm = 0; sm < NUM_SMS; sm++)
                assert_int_equal(b.p.held[sm], limit - (unsigned)wasted);
        }
}

/* No SM ever has two free contexts: pairs would wait for ever, so blocks go alone. */
static void bcs_with_one_context(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, dispatch_policy_bcs, 1);
    start(&b, 0, NUM_SMS + 2);
    for (int n = 0; n < NUM_SMS; n++)
        assert_int_equal(cycle(&b, NULL), n);
    assert_int_equal(cycle(&b, NULL), NOBODY);
    assert_int_equal(cycle(&b, ENDS(1)), 1);
    assert_int_equal(cycle(&b, ENDS(1)), 1);
    assert_int_equal(b.s.state, DISPATCH_DRAIN);
}

static void one_sm_alone(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, dispatch_policy_lrr, 2);
    memset(b.in.allow, 0, sizeof b.in.allow);
    b.in.allow[0] = 2;
    start(&b, 7, 4);
    assert_int_equal(cycle(&b, NULL), 1);
    assert_int_equal(b.out.place_block, 7);
    assert_int_equal(cycle(&b, NULL), 1);
    assert_int_equal(cycle(&b, NULL), NOBODY);
    assert_int_equal(cycle(&b, ENDS(1)), 1);
    assert_int_equal(cycle(&b, ENDS(1)), 1);
    assert_int_equal(b.out.place_block, 10);
}

/* Blocks end on every SM in one cycle, over and over: none is lost, one a cycle is placed. */
static void all_sms_at_once(void **unused)
{
    (void)unused;
    int everywhere[NUM_SMS + 1];
    struct bench b;
    for (int sm = 0; sm < NUM_SMS; sm++)
        everywhere[sm] = sm;
    everywhere[NUM_SMS] = NOBODY;
    open_bench(&b, dispatch_policy_lrr, SM_BLOCKS);
    start(&b, 0, 100);
    for (int n = 0; n < 100; n++)
        assert_int_equal(cycle(&b, everywhere), n % NUM_SMS);
    assert_int_equal(cycle(&b, everywhere), NOBODY);
    assert_int_equal(b.out.done, 1);
}

static void start_while_busy_is_refused(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, dispatch_policy_lrr, 1);
    start(&b, 0, 0); /* nor does a grid without blocks start */
    assert_int_equal(b.s.state, DISPATCH_IDLE);
    start(&b, 0, 3);
    start(&b, 100, 50);
    assert_int_equal(b.out.place_block, 0);
    assert_int_equal(b.s.left, 2);
    cycle(&b, NULL);
    cycle(&b, ENDS(0, 1));
    assert_int_equal(b.s.state, DISPATCH_DRAIN);
    start(&b, 100, 50); /* blocks of the old kernel still run */
    assert_int_equal(b.s.left, 0);
    assert_int_equal(b.s.state, DISPATCH_DRAIN);
}

static void a_kernel_that_is_given_up(void **unused)
{
    (void)unused;
    struct bench b;
    for (int placed = 0; placed < 3; placed++) {
        open_bench(&b, dispatch_policy_bcs, 2);
        start(&b, 0, 100);
        for (int n = 0; n < placed; n++)
            assert_int_equal(cycle(&b, NULL), n / 2);
        b.in.stop = 1;
        assert_int_equal(cycle(&b, NULL), NOBODY);
        b.in.stop = 0;
        assert_int_equal(b.s.state, DISPATCH_DRAIN);
        for (int n = 0; n < placed; n++) {
            assert_int_equal(b.out.done, 0);
            assert_int_equal(cycle(&b, ENDS(0)), NOBODY);
        }
        if (!placed)
            cycle(&b, NULL);
        assert_int_equal(b.out.done, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_inputs),
        cmocka_unit_test(lrr_goes_round),
        cmocka_unit_test(a_grid_smaller_than_the_gpu),
        cmocka_unit_test(bcs_pairs),
        cmocka_unit_test(bcs_wastes_the_odd_context),
        cmocka_unit_test(bcs_with_one_context),
        cmocka_unit_test(one_sm_alone),
        cmocka_unit_test(all_sms_at_once),
        cmocka_unit_test(start_while_busy_is_refused),
        cmocka_unit_test(a_kernel_that_is_given_up),
    };
    return cmocka_run_group_tests_name("cmodel/dispatch", tests, NULL, NULL);
}
