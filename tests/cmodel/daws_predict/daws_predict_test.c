/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/daws_predict/daws_predict_test.c: the C reference against the rule as plain.h restates
 * it, under random inputs; and against the decisions of figures 1 and 6 of DAWS, step by step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/daws_predict/daws_predict.h"
#include "cosim/stimulus.h"
#include "tests/cmodel/daws_predict/plain.h"

void daws_predict_stimulus(struct stimulus *, void *);

struct bench {
    struct daws_predict_state s;
    struct plain p;
    struct daws_predict_in in;
    struct daws_predict_out out;
};
static struct bench bench;

static struct bench *open_bench(void)
{
    memset(&bench, 0, sizeof bench);
    daws_predict_reset(&bench.s);
    plain_reset(&bench.p);
    memset(bench.in.running, 0xff, sizeof bench.in.running);
    return &bench;
}

/* Both go one cycle; outputs and footprints are compared. */
static void step(struct bench *b)
{
    daws_predict_comb(&b->s, &b->in, &b->out);
    int left = 0;
    for (int i = 0; i < SLOTS; i++) {
        const struct plain_warp *w = &b->p.warps[i];
        assert_int_equal(has(b->out.allow_load, i), b->p.allow[i]);
        assert_int_equal(b->s.predicted[i], lines_of(w));
        assert_int_equal(b->s.outer[i], w->count ? w->begun[0].loop : 0);
        assert_int_equal(b->s.last[i], w->count ? w->begun[0].last : 0);
        left |= !has(b->in.running, i) && (w->count || w->going_to);
    }
    assert_int_equal(b->out.settled, b->p.began == NEVER && !left);
    daws_predict_tick(&b->s, &b->in, &b->out);
    plain_edge(&b->p, &b->in);
}

static void check_order(const struct bench *b)
{
    for (int i = 0; i < SLOTS; i++) {
        assert_int_equal(b->s.order[elders(&b->p, i)], i);
        assert_int_equal(b->s.inner[i], inner_of(&b->p.warps[i]));
    }
}

static void random_sequences(void **unused)
{
    (void)unused;
    unsigned throttled = 0, unthrottled = 0, nests = 0, outside = 0, none_may = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct stimulus s = stimulus_start(seed);
        struct bench *b = open_bench();
        s.state = &b->s;
        for (; s.cycle < 8000; stimulus_next(&s)) {
            daws_predict_stimulus(&s, &b->in);
            step(b);
            if (s.cycle % 16 == 0)
                check_order(b);
            int may = 0, runs = 0, above = 0;
            for (int i = 0; i < SLOTS; i++) {
                may |= has(b->in.running, i) && has(b->out.allow_load, i);
                runs |= has(b->in.running, i);
                throttled += !has(b->out.allow_load, i);
                above |= b->s.predicted[i] > b->in.effective;
                nests += b->s.inner[i] > b->s.outer[i];
                outside += !b->s.outer[i] && b->s.predicted[i] && !has(b->out.allow_load, i);
            }
            unthrottled += above && b->out.settled;
            none_may += b->out.settled && runs && !may;
        }
    }
    assert_int_equal(none_may, 0);
    /* The sequences were such that everything occurred. */
    assert_true(throttled > 1000 && unthrottled > 100 && nests > 1000 && outside > 1000);
}

/* No more issues, until the passes are over. Returns how many cycles that took. */
static int settle(struct bench *b)
{
    int cycles = 0;
    memset(b->in.issue, 0, sizeof b->in.issue);
    memset(b->in.fresh, 0, sizeof b->in.fresh);
    do {
        step(b);
        assert_true(++cycles <= 2 * PASS + 1);
    } while (!b->out.settled);
    return cycles - 1;
}

/* Warp `slot` issues the first instruction of `begin` (0: another one) and goes on in `loop`. */
static void issue(struct bench *b, int slot, unsigned begin, unsigned last, unsigned lines,
                  unsigned loop)
{
    const int c = slot / NUM_WARPS;
    memset(b->in.issue, 0, sizeof b->in.issue);
    bit_set(b->in.issue, (unsigned)c, 1);
    b->in.warp[c] = (uint64_t)(slot % NUM_WARPS);
    b->in.loop_begin[c] = begin;
    b->in.loop_last[c] = last;
    b->in.footprint[c] = lines;
    b->in.loop[c] = loop;
    step(b);
}

/* It goes on outside all loops, and loop `next` comes. */
static void issue_outside(struct bench *b, int slot, unsigned next, unsigned lines)
{
    const int c = slot / NUM_WARPS;
    b->in.next_loop[c] = next;
    b->in.closest[c] = lines;
    issue(b, slot, 0, 0, 0, 0);
}

static int may_load(const struct bench *b, int slot)
{
    return has(b->out.allow_load, slot);
}

/* Figure 1: a cache of 4 lines, all of which count, and warps of 4 lanes. */
static void figure_1(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    b->in.effective = 4;
    issue_outside(b, 0, 1, 4);
    issue_outside(b, 1, 1, 3);
    settle(b);
    assert_true(may_load(b, 0) && may_load(b, 1)); /* nobody is in a loop */
    issue(b, 0, 1, 1, 4, 1);
    settle(b);
    assert_true(may_load(b, 0));  /* time 0: its 4 lines are all that there are */
    assert_false(may_load(b, 1)); /* time 1: before it has entered the loop */
    for (int trip = 1; trip < 33; trip++)
        issue(b, 0, 1, 1, 4, 1);
    settle(b);
    assert_false(may_load(b, 1));
    issue(b, 0, 1, 1, 1, 1); /* time 2: three lanes have left the loop */
    settle(b);
    assert_true(may_load(b, 0) && may_load(b, 1));
    issue(b, 1, 1, 1, 3, 1);
    settle(b);
    assert_true(may_load(b, 0) && may_load(b, 1));
    issue(b, 1, 1, 1, 4, 1); /* one lane more would not fit; the older warp keeps its lines */
    settle(b);
    assert_true(may_load(b, 0));
    assert_false(may_load(b, 1));
}

/* Figure 6: a loop with one diverged load; 64 lines may be used. */
static void figure_6(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    b->in.effective = 64;
    for (int w = 0; w < 3; w++)
        assert_true(b->s.predicted[w] == 0 && b->p.allow[w]); /* T0 */
    issue(b, 0, 2, 2, 32, 2);
    settle(b);
    assert_true(may_load(b, 0) && may_load(b, 1) && may_load(b, 2)); /* T1: 32 */
    issue(b, 1, 2, 2, 16, 2);
    settle(b);
    assert_true(may_load(b, 0) && may_load(b, 1) && may_load(b, 2)); /* T2: 48 */
    issue(b, 2, 2, 2, 32, 2);
    settle(b);
    assert_true(may_load(b, 0) && may_load(b, 1));
    assert_false(may_load(b, 2)); /* T3: 80 */
    issue(b, 0, 2, 2, 16, 2);
    settle(b);
    assert_true(may_load(b, 0) && may_load(b, 1) && may_load(b, 2)); /* T4: 64 */
    issue(b, 0, 0, 0, 0, 0);
    settle(b);
    assert_int_equal(b->s.predicted[0], 0); /* it has left the loop */
}

/* 5.1.3: the entry of an inner loop outlives it, and is computed anew when the outer one begins. */
static void inner_loops(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    issue(b, 0, 1, 2, 0, 1); /* outer loop without loads of its own */
    assert_true(b->s.outer[0] == 1 && b->s.last[0] == 2 && b->s.predicted[0] == 0);
    issue(b, 0, 2, 2, 20, 2);
    assert_true(b->s.predicted[0] == 20 && b->s.inner[0] == 2 && b->s.outer[0] == 1);
    issue(b, 0, 2, 2, 1, 1); /* the last lane leaves the inner loop */
    assert_true(b->s.predicted[0] == 1 && b->s.inner[0] == 2);
    issue(b, 0, 1, 2, 18, 1); /* 18 lanes begin the outer one again: of the inner one's loads */
    assert_true(b->s.predicted[0] == 18 && b->s.inner[0] == 2);
    issue(b, 0, 1, 2, 0, 1); /* nothing is known: nothing changes */
    assert_true(b->s.predicted[0] == 18);
    issue(b, 0, 0, 0, 0, 3); /* a loop behind the nest */
    assert_true(b->s.predicted[0] == 0 && b->s.inner[0] == 0 && b->s.outer[0] == 0);
    issue(b, 0, 3, 3, 5, 3);
    assert_true(b->s.predicted[0] == 5 && b->s.outer[0] == 3);
}

/* 5.1: "cleared while a warp waits at a barrier"; and 5.1.2, the closest loop. */
static void barriers_and_closest_loops(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    b->in.effective = 10;
    issue(b, 0, 1, 1, 8, 1);
    issue_outside(b, 1, 1, 4);
    issue_outside(b, 2, 0, 4); /* no loop comes */
    settle(b);
    assert_true(may_load(b, 0) && !may_load(b, 1) && !may_load(b, 2));
    assert_int_equal(b->s.predicted[2], 0);
    issue(b, 1, 0, 0, 0, 1); /* it comes to the loop, and is as if in it */
    assert_int_equal(b->s.predicted[1], 4);
    bit_set(b->in.running, 0, 0);
    settle(b);
    assert_int_equal(b->s.predicted[0], 0);
    assert_true(may_load(b, 1) && may_load(b, 2)); /* nobody is in a loop */
    bit_set(b->in.running, 0, 1);
    issue(b, 0, 0, 0, 0, 1);
    assert_int_equal(b->s.outer[0], 0); /* it goes on in its loop, but must begin it */
    issue(b, 0, 1, 1, 8, 1);
    settle(b);
    assert_false(may_load(b, 1));
    b->in.start = 1;
    step(b);
    b->in.start = 0;
    step(b);
    assert_true(may_load(b, 1) && b->s.predicted[0] == 0);
}

/* One warp above the limit by itself: nobody is throttled. */
static void one_too_large(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    b->in.effective = 10;
    issue(b, 0, 1, 1, 10, 1);
    issue(b, 1, 1, 1, 10, 1);
    settle(b);
    assert_true(may_load(b, 0) && !may_load(b, 1) && !may_load(b, SLOTS - 1));
    issue(b, SLOTS - 1, 1, 1, 11, 1);
    settle(b);
    for (int i = 0; i < SLOTS; i++)
        assert_true(may_load(b, i));
    issue(b, SLOTS - 1, 1, 1, 1, 1);
    settle(b);
    assert_true(may_load(b, 0) && !may_load(b, 1) && !may_load(b, SLOTS - 1));
}

/* The oldest go first, whatever their slots; a new tenant is the youngest and has no footprint. */
static void age(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    b->in.effective = 12;
    for (int i = 0; i < 3; i++)
        issue(b, i, 1, 1, 6, 1);
    settle(b);
    assert_true(may_load(b, 0) && may_load(b, 1) && !may_load(b, 2));
    bit_set(b->in.fresh, 0, 1);
    bit_set(b->in.fresh, SLOTS - 1, 1);
    memset(b->in.issue, 0, sizeof b->in.issue);
    step(b);
    assert_int_equal(settle(b), PASS);
    assert_true(may_load(b, 0) && may_load(b, 1) && may_load(b, 2));
    assert_int_equal(b->s.predicted[0], 0);
    issue(b, 0, 1, 1, 6, 1);
    settle(b);
    assert_true(!may_load(b, 0) && may_load(b, 1) && may_load(b, 2));
    check_order(b);
    assert_int_equal(b->s.order[SLOTS - 1], NUM_SCHEDULERS > 1 ? SLOTS - 1 : 0);
}

/* A change is in force after a pass, or two if one is under way. */
static void lateness(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    issue(b, 0, 1, 1, 1, 1);
    assert_int_equal(settle(b), PASS);
    issue(b, 0, 1, 1, 2, 1);
    issue(b, 0, 1, 1, 3, 1); /* in the first cycle of the pass */
    assert_int_equal(settle(b), 2 * PASS - 1);
    issue(b, 0, 1, 1, 3, 1);
    assert_int_equal(settle(b), 0); /* nothing has changed */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sequences),
        cmocka_unit_test(figure_1),
        cmocka_unit_test(figure_6),
        cmocka_unit_test(inner_loops),
        cmocka_unit_test(age),
        cmocka_unit_test(barriers_and_closest_loops),
        cmocka_unit_test(one_too_large),
        cmocka_unit_test(lateness),
    };
    return cmocka_run_group_tests_name("cmodel/daws_predict", tests, NULL, NULL);
}
