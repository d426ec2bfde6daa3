/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/kmu/kmu_test.c: the C reference against the rule, restated without any memory but a
 * diary: what was started, given up, placed, ended and over, in order. In every cycle all is counted
 * anew from its first line on. Nothing is shared with kmu.c. That one kernel alone is served as by
 * `dispatch` is alone_test.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/kmu/kmu.h"
#include "cosim/stimulus.h"

void kmu_stimulus(struct stimulus *, void *);

#define NOBODY (-1)

/* The rule's only memory. */
enum what { STARTED, GIVEN_UP, PLACED, ENDED, OVER };
struct line {
    enum what what;
    int kernel, sm;
    uint64_t first, blocks;
};
struct diary {
    struct line *lines;
    size_t count, space;
};

static void note(struct diary *d, struct line line)
{
    if (d->count == d->space) {
        d->space = d->space ? 2 * d->space : 64;
        d->lines = realloc(d->lines, d->space * sizeof *d->lines);
        assert_non_null(d->lines);
    }
    d->lines[d->count++] = line;
}

/* What the diary says of a kernel. */
struct account {
    int runs;           /* it was started and is not over */
    uint64_t todo;      /* blocks that still need an SM */
    uint64_t number;    /* of the next of them */
    int before;         /* the SM that got the one before */
    long held[NUM_SMS]; /* its blocks on each SM */
    long all;           /* on all of them */
};

static struct account account(const struct diary *d, int kernel)
{
    struct account a = {.before = 0};
    for (const struct line *l = d->lines; l < d->lines + d->count; l++) {
        if (l->kernel != kernel)
            continue;
        switch (l->what) {
        case STARTED:
            a.runs = 1;
            a.todo = l->blocks;
            a.number = l->first;
            a.before = NUM_SMS - 1;
            break;
        case GIVEN_UP: a.todo = 0; break;
        case PLACED:
            a.todo--;
            a.number++;
            if (BLOCK_BITS < 64)
                a.number %= UINT64_C(1) << BLOCK_BITS % 64;
            a.before = l->sm;
            a.held[l->sm]++;
            a.all++;
            break;
        case ENDED:
            a.held[l->sm]--;
            a.all--;
            break;
        case OVER: a.runs = 0; break;
        }
    }
    return a;
}

/* Who was served least recently: the kernel that did not get the last block. */
static int other_than_last(const struct diary *d)
{
    for (size_t n = d->count; n-- > 0;)
        if (d->lines[n].what == PLACED)
            return !d->lines[n].kernel;
    return 0;
}

static int has(const uint64_t *set, int at)
{
    return (int)(set[at / 64] >> at % 64 & 1);
}

static int said(uint64_t mask, int kernel)
{
    return (int)(mask >> kernel & 1);
}

/* Does the kernel hand out blocks in this cycle? */
static int hands_out(const struct account *a, const struct kmu_in *in, int kernel)
{
    return a->todo > 0 && !said(in->stop, kernel);
}

/* The SM that the kernel's next block would go to if it were its turn. `a` is of both kernels, and knows
 * already which blocks have ended. */
static int goes_to(const struct account *a, const struct kmu_in *in, int kernel)
{
    const struct account *mine = &a[kernel];
    int sm = mine->before;
    if (!hands_out(mine, in, kernel))
        return NOBODY;
    for (int asked = 0; asked < NUM_SMS; asked++) {
        sm = sm == NUM_SMS - 1 ? 0 : sm + 1;
        if (!has(in->may_use, kernel * NUM_SMS + sm) || !has(in->room, kernel * NUM_SMS + sm))
            continue;
        if (mine->held[sm] >= SM_BLOCKS)
            continue;
        if (hands_out(&a[!kernel], in, !kernel) && mine->held[sm] >= (long)in->quota[kernel])
            continue;
        return sm;
    }
    return NOBODY;
}

/* One cycle of the rule: what must come out. It is written down what happened. */
static struct kmu_out plain_cycle(struct diary *d, const struct kmu_in *in)
{
    struct account a[2] = {account(d, 0), account(d, 1)};
    const struct account before[2] = {a[0], a[1]};
    for (int k = 0; k < 2; k++)
        for (int sm = 0; sm < NUM_SMS; sm++)
            if (has(in->ended, k * NUM_SMS + sm) && a[k].held[sm])
                note(d, (struct line){.what = ENDED, .kernel = k, .sm = sm});
    for (int k = 0; k < 2; k++)
        a[k] = account(d, k);

    const int to[2] = {goes_to(a, in, 0), goes_to(a, in, 1)};
    int kernel = NOBODY;
    if (to[0] != NOBODY && to[1] != NOBODY)
        kernel = other_than_last(d);
    else if (to[0] != NOBODY || to[1] != NOBODY)
        kernel = to[1] != NOBODY;

    struct kmu_out out = {.place_block = a[0].number};
    if (kernel != NOBODY) {
        out.place_valid = 1;
        out.place_kernel = (uint64_t)kernel;
        out.place_sm = (uint64_t)to[kernel];
        out.place_block = a[kernel].number;
        note(d, (struct line){.what = PLACED, .kernel = kernel, .sm = to[kernel]});
    }
    for (int k = 0; k < 2; k++)
        if (!before[k].runs) {
            if (said(in->start, k) && in->blocks[k])
                note(d, (struct line){.what = STARTED,
                                      .kernel = k,
                                      .first = in->first[k],
                                      .blocks = in->blocks[k]});
        } else if (!before[k].todo && !a[k].all) {
            out.done |= UINT64_C(1) << k;
            note(d, (struct line){.what = OVER, .kernel = k});
        } else if (said(in->stop, k))
            note(d, (struct line){.what = GIVEN_UP, .kernel = k});
    return out;
}

struct bench {
    struct kmu_state s;
    struct diary d;
    struct kmu_in in;
    struct kmu_out out;
};

/* Steps both, compares outputs and what each holds. */
static void step(struct bench *b)
{
    memset(&b->out, 0xff, sizeof b->out);
    kmu_comb(&b->s, &b->in, &b->out);
    const struct kmu_out expected = plain_cycle(&b->d, &b->in);
    assert_int_equal(b->out.place_valid, expected.place_valid);
    assert_int_equal(b->out.place_kernel, expected.place_kernel);
    assert_int_equal(b->out.place_sm, expected.place_sm);
    assert_int_equal(b->out.place_block, expected.place_block);
    assert_int_equal(b->out.done, expected.done);
    kmu_tick(&b->s, &b->in, &b->out);
    for (int k = 0; k < 2; k++) {
        const struct account a = account(&b->d, k);
        for (int sm = 0; sm < NUM_SMS; sm++)
            assert_int_equal(b->s.resident[k * NUM_SMS + sm], a.held[sm]);
        assert_int_equal(b->s.left[k], a.todo);
        assert_int_equal(b->s.next[k], a.number);
        assert_int_equal(b->s.last[k], a.before);
        assert_int_equal(k ? b->s.state_1 : b->s.state_0, !a.runs  ? KMU_IDLE
                                                          : a.todo ? KMU_SEARCH
                                                                   : KMU_DRAIN);
    }
    assert_int_equal(b->s.turn, other_than_last(&b->d));
}

/* All SMs are there for both kernels, and all have room. */
static void open_bench(struct bench *b, unsigned quota_0, unsigned quota_1)
{
    memset(b, 0, sizeof *b);
    memset(&b->s, 0xff, sizeof b->s);
    kmu_reset(&b->s);
    b->in.quota[0] = quota_0;
    b->in.quota[1] = quota_1;
    for (unsigned at = 0; at < 2 * NUM_SMS; at++) {
        bit_set(b->in.may_use, at, 1);
        bit_set(b->in.room, at, 1);
    }
}

static void close_bench(struct bench *b)
{
    free(b->d.lines);
}

static void start(struct bench *b, int kernel, uint64_t first, uint64_t blocks)
{
    b->in.start = UINT64_C(1) << kernel;
    b->in.first[kernel] = first;
    b->in.blocks[kernel] = blocks;
    step(b);
    b->in.start = 0;
}

static void start_both(struct bench *b, uint64_t blocks_0, uint64_t blocks_1)
{
    b->in.start = 3;
    b->in.first[0] = b->in.first[1] = 0;
    b->in.blocks[0] = blocks_0;
    b->in.blocks[1] = blocks_1;
    step(b);
    b->in.start = 0;
}

/* One cycle; returns who got a block where, or NOBODY. */
#define AT(kernel, sm) ((kernel)*NUM_SMS + (sm))
static int cycle(struct bench *b)
{
    step(b);
    return b->out.place_valid ? AT((int)b->out.place_kernel, (int)b->out.place_sm) : NOBODY;
}

/* One cycle in which a block of a kernel ends on an SM. */
static int ends(struct bench *b, int kernel, int sm)
{
    bit_set(b->in.ended, (unsigned)AT(kernel, sm), 1);
    const int placed = cycle(b);
    memset(b->in.ended, 0, sizeof b->in.ended);
    return placed;
}

static void random_inputs(void **unused)
{
    (void)unused;
    long placed[2] = {0}, both = 0, lent = 0, waited = 0, over = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct bench b;
        struct stimulus stimulus = {.random = seed * 77777, .state = &b.s};
        open_bench(&b, 0, 0);
        for (stimulus.cycle = 0; stimulus.cycle < 2000; stimulus.cycle++) {
            kmu_stimulus(&stimulus, &b.in);
            const struct account a[2] = {account(&b.d, 0), account(&b.d, 1)};
            step(&b);
            both += a[0].todo && a[1].todo;
            waited += (a[0].todo || a[1].todo) && !b.out.place_valid;
            over += b.out.done != 0;
            if (!b.out.place_valid)
                continue;
            const unsigned k = (unsigned)b.out.place_kernel;
            placed[k]++;
            lent += a[k].held[b.out.place_sm] > (long)b.in.quota[k];
        }
        close_bench(&b);
    }
    /* The comparison saw both kernels at once, placing and waiting, quotas lent, many kernels end. */
    assert_true(placed[0] > 5000 && placed[1] > 5000);
    assert_true(both > 10000 && waited > 10000 && lent > 200 && over > 200);
}

static void two_kernels_alternate(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, 1, 1);
    start_both(&b, 4 * NUM_SMS, 4 * NUM_SMS);
    for (int n = 0; n < 2 * NUM_SMS; n++)
        assert_int_equal(cycle(&b), AT(n % 2, n / 2));
    assert_int_equal(cycle(&b), NOBODY);        /* the quotas are full */
    assert_int_equal(ends(&b, 1, 1), AT(1, 1)); /* a context is given away as it becomes free */
    assert_int_equal(ends(&b, 0, 1), AT(0, 1));
    close_bench(&b);
}

/* The kernel that waited goes first, however often the other was placed meanwhile. */
static void who_waited_goes_first(void **unused)
{
    (void)unused;
    for (int late = 0; late < 2; late++) {
        struct bench b;
        open_bench(&b, SM_BLOCKS, SM_BLOCKS);
        start(&b, !late, 0, 100);
        assert_int_equal(cycle(&b), AT(!late, 0));
        assert_int_equal(cycle(&b), AT(!late, 1));
        start(&b, late, 0, 100); /* another block of the first */
        assert_int_equal(b.out.place_kernel, !late);
        assert_int_equal(cycle(&b) / NUM_SMS, late);
        assert_int_equal(cycle(&b) / NUM_SMS, !late);
        assert_int_equal(cycle(&b) / NUM_SMS, late);
        close_bench(&b);
    }
}

/* A kernel that cannot go anywhere does not hold up the other. */
static void no_cycle_is_lost(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, 0, SM_BLOCKS);
    start_both(&b, 100, 100);
    for (int n = 0; n < 2 * NUM_SMS; n++)
        assert_int_equal(cycle(&b), AT(1, n % NUM_SMS));
    close_bench(&b);
}

/* A kernel out of blocks lends its quota; the quota comes back as blocks end, none is stopped. */
static void quotas_are_lent(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, 1, 1);
    start(&b, 0, 0, 1000);
    for (int n = 0; n < NUM_SMS * SM_BLOCKS; n++)
        assert_int_equal(cycle(&b), AT(0, n % NUM_SMS));
    assert_int_equal(cycle(&b), NOBODY); /* an SM holds no more */
    start(&b, 1, 0, NUM_SMS);
    for (unsigned sm = 0; sm < NUM_SMS; sm++) /* SMs are full, as the machine knows */
        bit_set(b.in.room, (unsigned)AT(1, sm), 0);
    assert_int_equal(cycle(&b), NOBODY);
    for (int sm = 0; sm < NUM_SMS; sm++) {
        bit_set(b.in.room, (unsigned)AT(1, sm), 1);
        assert_int_equal(ends(&b, 0, sm), AT(1, sm)); /* kernel 0 holds more than its quota */
        bit_set(b.in.room, (unsigned)AT(1, sm), 0);
    }
    assert_int_equal(b.s.state_1,
                     KMU_DRAIN); /* it has handed out all: what it does not use is lent again */
    assert_int_equal(cycle(&b), AT(0, 0));
    close_bench(&b);
}

/* A kernel that is given up has no block to hand out: in the same cycle its quota is lent. */
static void a_kernel_that_is_given_up(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, 1, 1);
    start_both(&b, 100, 100);
    for (int n = 0; n < 2 * NUM_SMS; n++)
        cycle(&b);
    assert_int_equal(cycle(&b), NOBODY);
    b.in.stop = 2;
    assert_int_equal(cycle(&b), AT(0, 0));
    b.in.stop = 0;
    assert_int_equal(b.s.left[1], 0);
    assert_int_equal(b.s.state_1, KMU_DRAIN);
    for (int sm = 0; sm < NUM_SMS; sm++) {
        assert_int_equal(b.out.done, 0);
        ends(&b, 1, sm);
    }
    assert_int_equal(b.out.done, 2);
    assert_int_equal(b.s.state_1, KMU_IDLE);
    assert_int_equal(b.s.state_0, KMU_SEARCH);
    close_bench(&b);
}

/* Each kernel has SMs of its own: the partition between cores. */
static void sms_of_their_own(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, SM_BLOCKS, SM_BLOCKS);
    for (unsigned sm = 0; sm < NUM_SMS; sm++) {
        bit_set(b.in.may_use, (unsigned)AT(0, sm), sm < NUM_SMS / 2);
        bit_set(b.in.may_use, (unsigned)AT(1, sm), sm >= NUM_SMS / 2);
    }
    start_both(&b, 1000, 1);
    assert_int_equal(cycle(&b), AT(0, 0));
    assert_int_equal(cycle(&b), AT(1, NUM_SMS / 2));
    while (cycle(&b) != NOBODY) /* what is lent are blocks per SM, not SMs */
        assert_int_equal(b.out.place_kernel, 0);
    for (int sm = 0; sm < NUM_SMS; sm++)
        assert_int_equal(b.s.resident[AT(0, sm)], sm < NUM_SMS / 2 ? SM_BLOCKS : 0);
    close_bench(&b);
}

/* Each kernel starts, and is over, by itself; a start while it runs is refused. */
static void kernels_come_and_go(void **unused)
{
    (void)unused;
    struct bench b;
    open_bench(&b, SM_BLOCKS, SM_BLOCKS);
    start(&b, 1, 7, 0); /* a grid without blocks does not start */
    assert_int_equal(b.s.state_1, KMU_IDLE);
    start(&b, 1, 7, 2);
    assert_int_equal(cycle(&b), AT(1, 0));
    assert_int_equal(b.out.place_block, 7);
    start(&b, 1, 100, 50);
    assert_int_equal(b.out.place_block, 8);
    assert_int_equal(b.s.state_1, KMU_DRAIN);
    start(&b, 1, 100, 50); /* blocks of the old one still run */
    assert_int_equal(b.s.state_1, KMU_DRAIN);
    assert_int_equal(ends(&b, 0, 0), NOBODY); /* not this kernel's */
    assert_int_equal(b.s.resident[AT(1, 0)], 1);
    ends(&b, 1, 0);
    assert_int_equal(b.out.done, 0);
    ends(&b, 1, 1);
    assert_int_equal(b.out.done, 2);
    start(&b, 1, 0, 3); /* again: what software calls a reissue */
    assert_int_equal(cycle(&b), AT(1, 0));
    assert_int_equal(b.out.place_block, 0);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_inputs),         cmocka_unit_test(two_kernels_alternate),
        cmocka_unit_test(who_waited_goes_first), cmocka_unit_test(no_cycle_is_lost),
        cmocka_unit_test(quotas_are_lent),       cmocka_unit_test(a_kernel_that_is_given_up),
        cmocka_unit_test(sms_of_their_own),      cmocka_unit_test(kernels_come_and_go),
    };
    return cmocka_run_group_tests_name("cmodel/kmu", tests, NULL, NULL);
}
