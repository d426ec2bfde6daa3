/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/taws/taws_test.c: the C reference against thesis 7.2 and 7.3.1, restated: blocks have dates of
 * birth and are sorted; what a scheduler remembers is a list of notes. Nothing is shared with taws.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/taws/taws.h"
#include "cosim/stimulus.h"

void taws_stimulus(struct stimulus *, void *);

#define SLOTS (NUM_SCHEDULERS * NUM_WARPS)

struct thread_block {
    int context;
    long born;
    int stalled; /* of its warps, at a barrier or done */
};

struct note {
    int context, warp;
};

/* The rules' own memory. */
struct plain {
    struct thread_block blocks[SM_BLOCKS]; /* who goes before whom, the first first */
    long date;
    struct note notes[NUM_SCHEDULERS][SM_BLOCKS + 1];
    int count[NUM_SCHEDULERS]; /* of notes */
};

/* After a reset contexts are as old as their numbers say. */
static void plain_reset(struct plain *p)
{
    memset(p, 0, sizeof *p);
    for (int c = 0; c < SM_BLOCKS; c++)
        p->blocks[c] = (struct thread_block){.context = c, .born = p->date++};
}

/* "Giving higher priority to the thread block with the most warps stalls"; of two that have as many, to the
 * one that was born first. */
static int goes_before(const void *a, const void *b)
{
    const struct thread_block *one = a, *other = b;
    if (one->stalled != other->stalled)
        return other->stalled - one->stalled;
    return one->born < other->born ? -1 : 1;
}

static int is_stalled(const struct taws_in *in, int slot)
{
    return (int)(in->stalled[slot / 64] >> slot % 64 & 1);
}

static void plain_rank(struct plain *p, const struct taws_in *in)
{
    if (in->start)
        for (int b = 0; b < SM_BLOCKS; b++)
            if (p->blocks[b].context == (int)in->start_block)
                p->blocks[b].born = p->date++;
    for (int b = 0; b < SM_BLOCKS; b++) {
        p->blocks[b].stalled = 0;
        for (int slot = 0; slot < SLOTS; slot++)
            if ((int)in->block[slot] == p->blocks[b].context)
                p->blocks[b].stalled += is_stalled(in, slot);
    }
    qsort(p->blocks, SM_BLOCKS, sizeof *p->blocks, goes_before);
}

/* Takes out the notes of a context and those of a warp; those of a context or warp -1: none. */
static void strike(struct plain *p, int k, int context, int warp)
{
    int left = 0;
    for (int n = 0; n < p->count[k]; n++)
        if (p->notes[k][n].context != context && p->notes[k][n].warp != warp)
            p->notes[k][left++] = p->notes[k][n];
    p->count[k] = left;
}

static void plain_remember(struct plain *p, const struct taws_in *in, int k)
{
    const int warp = (int)in->issued_warp[k];
    if (in->issued[k / 64] >> k % 64 & 1) {
        const int context = warp < NUM_WARPS ? (int)in->block[k * NUM_WARPS + warp] : -1;
        if (in->greedy == 1)
            p->count[k] = 0;
        if (context >= 0 && context < SM_BLOCKS) {
            strike(p, k, context, -1);
            p->notes[k][p->count[k]++] = (struct note){context, warp};
        }
    }
    for (int w = 0; w < NUM_WARPS; w++) {
        const int slot = k * NUM_WARPS + w;
        if (in->fresh[slot / 64] >> slot % 64 & 1)
            strike(p, k, -1, w);
    }
}

/* The warp that is remembered, or -1. */
static int remembered(const struct plain *p, int k, int context)
{
    for (int n = 0; n < p->count[k]; n++)
        if (p->notes[k][n].context == context)
            return p->notes[k][n].warp;
    return -1;
}

static int held_of(const struct taws_state *s, int k, int context)
{
    const int entry = k * SM_BLOCKS + context;
    return s->held_valid[entry / 64] >> entry % 64 & 1 ? (int)s->held[entry] : -1;
}

/* How many bits are wrong? */
static int wrong(const struct taws_state *s, const struct plain *p)
{
    int wrong = 0, place[SM_BLOCKS], pair = 0;
    long born[SM_BLOCKS];
    for (int b = 0; b < SM_BLOCKS; b++) {
        place[p->blocks[b].context] = b;
        born[p->blocks[b].context] = p->blocks[b].born;
    }
    for (int i = 0; i < SM_BLOCKS; i++)
        for (int j = i + 1; j < SM_BLOCKS; j++, pair++) {
            wrong += (int)(s->ahead[pair / 64] >> pair % 64 & 1) != (place[i] < place[j]);
            wrong += (int)(s->older[pair / 64] >> pair % 64 & 1) != (born[i] < born[j]);
        }
    for (int k = 0; k < NUM_SCHEDULERS; k++)
        for (int c = 0; c < SM_BLOCKS; c++)
            wrong += held_of(s, k, c) != remembered(p, k, c);
    return wrong;
}

struct bench {
    struct taws_state s;
    struct plain p;
    struct taws_in in;
};

/* One cycle of both. Is the rank what it was? */
static int cycle(struct bench *b)
{
    struct taws_out out = {.settled = 2};
    int before[SM_BLOCKS], same = 1;
    const struct taws_state asked = b->s;
    for (int i = 0; i < SM_BLOCKS; i++)
        before[i] = b->p.blocks[i].context;
    taws_comb(&b->s, &b->in, &out);
    assert_memory_equal(&asked, &b->s, sizeof asked); /* asking moves nothing */
    taws_tick(&b->s, &b->in, &out);
    plain_rank(&b->p, &b->in);
    for (int k = 0; k < NUM_SCHEDULERS; k++)
        plain_remember(&b->p, &b->in, k);
    for (int i = 0; i < SM_BLOCKS; i++)
        same &= before[i] == b->p.blocks[i].context;
    assert_int_equal(out.settled, same);
    assert_int_equal(wrong(&b->s, &b->p), 0);
    return same;
}

static void open_bench(struct bench *b)
{
    memset(b, 0, sizeof *b);
    memset(&b->s, 0xff, sizeof b->s);
    taws_reset(&b->s);
    plain_reset(&b->p);
    assert_int_equal(wrong(&b->s, &b->p), 0);
}

static void random_inputs(void **unused)
{
    (void)unused;
    long settled = 0, ties = 0, forgotten = 0, kept = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct bench b;
        struct stimulus stimulus = stimulus_start(seed * 77777);
        open_bench(&b);
        stimulus.state = &b.s;
        for (; stimulus.cycle < 20000; stimulus_next(&stimulus)) {
            const int had = remembered(&b.p, 0, 1);
            taws_stimulus(&stimulus, &b.in);
            settled += cycle(&b);
            forgotten += had != -1 && remembered(&b.p, 0, 1) == -1;
            kept += b.p.count[0];
            for (int i = 1; i < SM_BLOCKS; i++)
                ties += b.p.blocks[i].stalled && b.p.blocks[i].stalled == b.p.blocks[i - 1].stalled;
        }
    }
    assert_in_range(settled, 100000, 399000); /* the comparison saw enough of each */
    assert_true(ties > 10000 && forgotten > 1000 && kept > 100000);
}

/* Directed cases. Slot w of block c: */
static void stall(struct bench *b, int slot, int block)
{
    b->in.block[slot] = (uint64_t)block;
    b->in.stalled[slot / 64] |= UINT64_C(1) << slot % 64;
}

static void start(struct bench *b, uint64_t context)
{
    b->in.start = 1;
    b->in.start_block = context;
    cycle(b);
    b->in.start = 0;
}

static int first(const struct bench *b)
{
    return b->p.blocks[0].context;
}

static void most_stalled_warps_go_first(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b);
    assert_true(cycle(&b)); /* nobody waits: by number */
    assert_int_equal(first(&b), 0);
    stall(&b, 0, 1);
    assert_false(cycle(&b)); /* in the next cycle it is so */
    assert_true(cycle(&b));
    assert_int_equal(first(&b), 1);
    stall(&b, SLOTS - 1, 0); /* a warp of another scheduler counts as much: the older of the two */
    cycle(&b);
    assert_int_equal(first(&b), 0);
    stall(&b, 1, 1);
    cycle(&b);
    assert_int_equal(first(&b), 1);
    memset(b.in.stalled, 0, sizeof b.in.stalled); /* the barrier opens */
    assert_false(cycle(&b));
    assert_int_equal(first(&b), 0);
}

static void who_starts_is_the_youngest(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b);
    start(&b, 0);
    assert_int_equal(first(&b), 1);
    assert_int_equal(b.p.blocks[SM_BLOCKS - 1].context, 0);
    start(&b, SM_BLOCKS - 1);
    assert_int_equal(b.p.blocks[SM_BLOCKS - 1].context, SM_BLOCKS - 1);
    for (int w = 0; w < NUM_WARPS; w++)
        stall(&b, w, 0);
    cycle(&b);
    assert_int_equal(first(&b),
                     0); /* of old warps in its slots, too: who says that they stall is asked */
    start(&b, 0);
    assert_int_equal(first(&b), 0); /* a start moves age, and age decides ties alone */
    memset(b.in.stalled, 0, sizeof b.in.stalled);
    cycle(&b);
    assert_int_equal(b.p.blocks[SM_BLOCKS - 1].context, 0);
}

static void issue(struct bench *b, int k, int warp, int block)
{
    if (warp < NUM_WARPS)
        b->in.block[k * NUM_WARPS + warp] = (uint64_t)block;
    b->in.issued[0] = UINT64_C(1) << k;
    b->in.issued_warp[k] = (uint64_t)warp;
    cycle(b);
    b->in.issued[0] = 0;
}

static void fresh(struct bench *b, int slot)
{
    b->in.fresh[slot / 64] = UINT64_C(1) << slot % 64;
    cycle(b);
    memset(b->in.fresh, 0, sizeof b->in.fresh);
}

static void each_block_has_its_last_warp(void **unused)
{
    (void)unused;
    struct bench b;
    const int k = NUM_SCHEDULERS - 1;
    open_bench(&b);
    issue(&b, k, 0, 0);
    issue(&b, k, 1, 1);
    assert_int_equal(held_of(&b.s, k, 0), 0);
    assert_int_equal(held_of(&b.s, k, 1), 1);
    issue(&b, k, NUM_WARPS - 1, 0);
    assert_int_equal(held_of(&b.s, k, 0), NUM_WARPS - 1);
    assert_int_equal(held_of(&b.s, k, 1), 1);
    if (k > 0)
        assert_int_equal(held_of(&b.s, 0, 0), -1); /* the other scheduler has issued nothing */
    b.in.greedy = taws_greedy_global;
    cycle(&b);
    assert_int_equal(held_of(&b.s, k, 1), 1); /* nothing is forgotten before something is issued */
    issue(&b, k, 0, 1);
    assert_int_equal(held_of(&b.s, k, 0), -1);
    assert_int_equal(held_of(&b.s, k, 1), 0);
}

static void a_new_warp_has_not_issued(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b);
    issue(&b, 0, 1, 0);
    issue(&b, 0, 1, 1); /* its number may be remembered twice */
    if (SM_BLOCKS > 2)
        issue(&b, 0, 0, 2);
    fresh(&b, 1);
    assert_int_equal(held_of(&b.s, 0, 0), -1);
    assert_int_equal(held_of(&b.s, 0, 1), -1);
    if (SM_BLOCKS > 2)
        assert_int_equal(held_of(&b.s, 0, 2), 0);
    b.in.fresh[0] = 2; /* what is told in the same cycle is forgotten, too */
    issue(&b, 0, 1, 1);
    b.in.fresh[0] = 0;
    assert_int_equal(held_of(&b.s, 0, 1), -1);
    if (NUM_SCHEDULERS > 1) {
        issue(&b, 0, 1, 1);
        fresh(&b, NUM_WARPS + 1); /* the same number of another scheduler */
        assert_int_equal(held_of(&b.s, 0, 1), 1);
    }
}

/* Numbers that are of nothing, where there are such. */
static void what_there_is_not(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b);
    issue(&b, 0, 0, 0);
    if (SM_BLOCKS < 1 << CLOG2(SM_BLOCKS)) {
        stall(&b, 1, SM_BLOCKS);
        start(&b, SM_BLOCKS);
        assert_true(cycle(&b));
        issue(&b, 0, 1, SM_BLOCKS);
        assert_int_equal(held_of(&b.s, 0, 0), 0);
    }
    if (NUM_WARPS < 1 << CLOG2(NUM_WARPS)) {
        issue(&b, 0, NUM_WARPS, 0);
        assert_int_equal(held_of(&b.s, 0, 0), 0);
        b.in.greedy = taws_greedy_global;
        issue(&b, 0, NUM_WARPS, 0);
        assert_int_equal(held_of(&b.s, 0, 0), -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_inputs),
        cmocka_unit_test(most_stalled_warps_go_first),
        cmocka_unit_test(who_starts_is_the_youngest),
        cmocka_unit_test(each_block_has_its_last_warp),
        cmocka_unit_test(a_new_warp_has_not_issued),
        cmocka_unit_test(what_there_is_not),
    };
    return cmocka_run_group_tests_name("cmodel/taws", tests, NULL, NULL);
}
