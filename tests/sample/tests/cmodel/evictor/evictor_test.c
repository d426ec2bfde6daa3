/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/evictor/evictor_test.c: the C reference against its rule, restated as a list of what
 * has happened: no counts are kept, they are counted anew from the list whenever one is wanted.
 * Nothing is shared with evictor.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/evictor/evictor.h"
#include "cosim/stimulus.h"

void evictor_stimulus(struct stimulus *, void *);

#define SLOTS  (NUM_SCHEDULERS * NUM_WARPS)
#define NOBODY (-1)
#define EVENTS 20000

/* The lines that have left, by owner, in the order of leaving; a line that is forgotten has no
 * owner any more. */
struct plain {
    int owners[EVENTS], length;
    int held;
};

static int lost(const struct plain *p, int warp)
{
    int lines = 0;
    for (int n = 0; n < p->length; n++)
        lines += p->owners[n] == warp;
    return lines > 255 ? 255 : lines;
}

static void forget(struct plain *p, int warp)
{
    for (int n = 0; n < p->length; n++)
        if (p->owners[n] == warp)
            p->owners[n] = NOBODY;
    if (p->held == warp)
        p->held = NOBODY;
}

static int has(const uint64_t *set, int warp)
{
    return (int)(set[warp / 64] >> warp % 64 & 1);
}

static int may_load(const struct plain *p, const struct evictor_in *in, int warp)
{
    if (warp != p->held)
        return 1;
    for (int other = 0; other < SLOTS; other++)
        if (other != warp && has(in->running, other))
            return 0;
    return 1;
}

static void plain_edge(struct plain *p, const struct evictor_in *in)
{
    const int owner = (int)in->owner;
    if (in->start) {
        p->length = 0;
        p->held = NOBODY;
        return;
    }
    for (int w = 0; w < SLOTS; w++)
        if (has(in->fresh, w))
            forget(p, w);
    if (!in->evict || owner >= SLOTS || has(in->fresh, owner))
        return;
    p->owners[p->length++] = owner;
    if (lost(p, owner) >= (int)in->threshold &&
        (p->held == NOBODY || lost(p, owner) > lost(p, p->held)))
        p->held = owner;
}

struct bench {
    struct evictor_state s;
    struct plain p;
    struct evictor_in in;
    struct evictor_out out;
};

static void open_bench(struct bench *b)
{
    memset(b, 0, sizeof *b);
    memset(b->s.count, 0x5a, sizeof b->s.count); /* SRAM holds anything */
    evictor_reset(&b->s);
    b->p.held = NOBODY;
}

/* Both go one cycle; outputs, who is held and all counts are compared. */
static void step(struct bench *b)
{
    evictor_comb(&b->s, &b->in, &b->out);
    for (int w = 0; w < SLOTS; w++)
        assert_int_equal(has(b->out.allow_load, w), may_load(&b->p, &b->in, w));
    evictor_tick(&b->s, &b->in, &b->out);
    plain_edge(&b->p, &b->in);
    assert_int_equal(b->s.held_valid, b->p.held != NOBODY);
    assert_int_equal(b->s.held, b->p.held == NOBODY ? 0 : b->p.held);
    assert_int_equal(b->s.most, b->p.held == NOBODY ? 0 : lost(&b->p, b->p.held));
}

static void check_counts(const struct bench *b)
{
    for (int w = 0; w < SLOTS; w++) {
        assert_int_equal(has(b->s.used, w), lost(&b->p, w) > 0);
        if (has(b->s.used, w))
            assert_int_equal(b->s.count[w], lost(&b->p, w));
    }
}

static void random_sequences(void **unused)
{
    (void)unused;
    static struct bench b;
    unsigned held = 0, alone = 0, saturated = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct stimulus s = stimulus_start(seed);
        open_bench(&b);
        s.state = &b.s;
        for (; s.cycle < 8000; stimulus_next(&s)) {
            evictor_stimulus(&s, &b.in);
            step(&b);
            if (s.cycle % 16 == 0)
                check_counts(&b);
            held += b.s.held_valid && !has(b.out.allow_load, (int)b.s.held);
            alone += b.s.held_valid && has(b.out.allow_load, (int)b.s.held);
            saturated += b.s.most == 255;
        }
    }
    /* The sequences were such that everything occurred. */
    assert_true(held > 1000 && alone > 1000 && saturated > 100);
}

static void evict(struct bench *b, unsigned owner, int times)
{
    b->in.evict = 1;
    b->in.owner = owner;
    while (times--)
        step(b);
    b->in.evict = 0;
}

static void the_worst_is_held(void **unused)
{
    (void)unused;
    static struct bench b;
    open_bench(&b);
    memset(b.in.running, 0xff, sizeof b.in.running);
    b.in.threshold = 3;
    evict(&b, 1, 2);
    assert_int_equal(b.s.held_valid, 0); /* below the threshold */
    evict(&b, 1, 1);
    assert_int_equal(b.s.held_valid, 1);
    assert_int_equal(b.s.held, 1);
    evict(&b, 2, 3);
    assert_int_equal(b.s.held, 1); /* as many are not more */
    evict(&b, 2, 1);
    assert_int_equal(b.s.held, 2);
    step(&b);
    assert_int_equal(has(b.out.allow_load, 1), 1);
    assert_int_equal(has(b.out.allow_load, 2), 0);
    memset(b.in.running, 0, sizeof b.in.running);
    bit_set(b.in.running, 2, 1); /* the others have ended or wait */
    step(&b);
    assert_int_equal(has(b.out.allow_load, 2), 1);
}

static void a_new_warp_begins_at_zero(void **unused)
{
    (void)unused;
    static struct bench b;
    open_bench(&b);
    b.in.threshold = 2;
    evict(&b, 1, 5);
    assert_int_equal(b.s.most, 5);
    bit_set(b.in.fresh, 1, 1);
    evict(&b, 1, 1); /* a line of the warp that has gone */
    bit_set(b.in.fresh, 1, 0);
    assert_int_equal(b.s.held_valid, 0);
    evict(&b, 1, 1);
    assert_int_equal(b.s.held_valid, 0);
    assert_int_equal(b.s.count[1], 1);
    evict(&b, 1, 1);
    assert_int_equal(b.s.most, 2);
    b.in.start = 1;
    evict(&b, 1, 1);
    assert_int_equal(b.s.held_valid, 0);
    assert_false(has(b.s.used, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sequences),
        cmocka_unit_test(the_worst_is_held),
        cmocka_unit_test(a_new_warp_begins_at_zero),
    };
    return cmocka_run_group_tests_name("cmodel/evictor", tests, NULL, NULL);
}
