/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/paver_steal/paver_steal_test.c: the C reference against PAVER's algorithm 2, restated with a table of what was seen of
 * each SM, loops over it, and a division. There is no state machine: a search has lasted so many cycles. Nothing is shared with
 * paver_steal.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/paver_steal/paver_steal.h"
#include "cosim/stimulus.h"

void paver_steal_stimulus(struct stimulus *, void *);

enum { IDLE, SCAN, DIVIDE, DECIDE }; /* fsm/paver_steal.def, written again */

#define MOST (~UINT64_C(0) >> (64 - PAVER_TB_BITS))
/* Cycles of a search: it begins, each SM is seen, each bit is found, it is decided, it is given. */
#define SEEN    (NUM_SMS)
#define DIVIDED (SEEN + PAVER_TB_BITS)
#define DECIDED (DIVIDED + 1)
#define GIVEN   (DECIDED + 1)

/* The rule's own memory. */
struct plain {
    int cycle;                 /* of a search; 0: there is none */
    uint64_t waiting[NUM_SMS]; /* of each SM that was seen */
    int recipient;             /* the one that steals, or stole last */
};

/* Algorithm 2, lines 3 to 10, over the SMs seen so far. */
static int most_waiting(const struct plain *p, int sms, uint64_t *max)
{
    int donor = 0;
    *max = 0;
    for (int sm = 0; sm < sms; sm++)
        if (p->waiting[sm] > *max) {
            *max = p->waiting[sm];
            donor = sm;
        }
    return donor;
}

/* In a register as wide as a number of blocks is: all blocks of a kernel are no more. */
static uint64_t sum(const struct plain *p, int sms)
{
    uint64_t sum = 0;
    for (int sm = 0; sm < sms; sm++)
        sum += p->waiting[sm];
    return sum & MOST;
}

/* Lines 11 and 12. */
static uint64_t stolen(const struct plain *p)
{
    uint64_t max;
    most_waiting(p, NUM_SMS, &max);
    return max - sum(p, NUM_SMS) / NUM_SMS;
}

static int has(const uint64_t *set, int sm)
{
    return (int)(set[sm / 64] >> sm % 64 & 1);
}

/* The next one that has room, after that which stole last, or -1. */
static int next_recipient(const struct plain *p, const struct paver_steal_in *in)
{
    int sm = p->recipient;
    for (int tried = 0; tried < NUM_SMS; tried++) {
        sm = sm == NUM_SMS - 1 ? 0 : sm + 1;
        if (has(in->recipients, sm))
            return sm;
    }
    return -1;
}

static int begins(const struct plain *p, const struct paver_steal_in *in)
{
    return !p->cycle && in->steal && in->busy && next_recipient(p, in) >= 0;
}

/* What the registers mean in this cycle. */
static void assert_registers(const struct paver_steal_state *s, const struct plain *p)
{
    const int sms = p->cycle - 1 < NUM_SMS ? p->cycle - 1 : NUM_SMS;
    uint64_t max;
    const int donor = most_waiting(p, sms, &max);
    assert_int_equal(s->give, p->cycle == GIVEN);
    assert_int_equal(s->recipient, p->recipient);
    assert_int_equal(s->state, p->cycle == 0 || p->cycle == GIVEN ? IDLE
                               : p->cycle <= SEEN                 ? SCAN
                               : p->cycle <= DIVIDED              ? DIVIDE
                                                                  : DECIDE);
    if (!p->cycle)
        return;
    if (p->cycle <= SEEN)
        assert_int_equal(s->look, p->cycle - 1);
    if (p->cycle <= SEEN + 1)
        assert_int_equal(s->average, sum(p, sms));
    if (p->cycle > SEEN && p->cycle <= DIVIDED)
        assert_int_equal(s->step, p->cycle - SEEN - 1);
    if (max)
        assert_int_equal(s->donor, donor);
    if (p->cycle <= DECIDED)
        assert_int_equal(s->max, max);
    if (p->cycle == DECIDED) {
        assert_int_equal(s->average, sum(p, NUM_SMS) / NUM_SMS);
        assert_int_equal(s->remainder, sum(p, NUM_SMS) % NUM_SMS);
    }
    if (p->cycle == GIVEN) {
        assert_int_equal(s->look, donor);
        assert_int_equal(s->count, stolen(p));
    }
}

static void plain_tick(struct plain *p, const struct paver_steal_in *in)
{
    uint64_t max;
    if (begins(p, in)) {
        p->recipient = next_recipient(p, in);
        p->cycle = 1;
        return;
    }
    if (!p->cycle)
        return;
    if (p->cycle <= SEEN)
        p->waiting[p->cycle - 1] = in->waiting;
    if (p->cycle == SEEN) {
        most_waiting(p, NUM_SMS, &max);
        p->cycle = max ? SEEN + 1 : 0;
    } else
        p->cycle = p->cycle == GIVEN ? 0 : p->cycle + 1;
}

static struct bench {
    struct paver_steal_state s;
    struct paver_steal_in in;
    struct paver_steal_out out;
    struct plain p;
} bench;

/* Steps both, compares what they show. */
static void step(struct bench *b)
{
    memset(&b->out, 0xff, sizeof b->out);
    paver_steal_comb(&b->s, &b->in, &b->out);
    assert_int_equal(b->out.settled, !b->p.cycle && !begins(&b->p, &b->in));
    const struct paver_steal_state before = b->s;
    paver_steal_tick(&b->s, &b->in, &b->out);
    plain_tick(&b->p, &b->in);
    if (b->out.settled)
        assert_memory_equal(&before, &b->s, sizeof before);
    assert_registers(&b->s, &b->p);
}

static struct bench *open_bench(void)
{
    memset(&bench, 0, sizeof bench);
    memset(&bench.s, 0xff, sizeof bench.s);
    paver_steal_reset(&bench.s);
    bench.p.recipient = (int)bench.s.recipient;
    assert_registers(&bench.s, &bench.p);
    bench.in.steal = bench.in.busy = 1;
    return &bench;
}

static void random_inputs(void **unused)
{
    (void)unused;
    long gives = 0, none = 0, ties = 0, wraps = 0, nothing = 0, alike = 0, settled = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct stimulus s = stimulus_start(seed);
        struct bench *b = open_bench();
        s.state = &b->s;
        for (; s.cycle < 40000; stimulus_next(&s)) {
            paver_steal_stimulus(&s, &b->in);
            const int searching = b->p.cycle == SEEN;
            step(b);
            settled += (long)b->out.settled;
            none += searching && !b->p.cycle;
            if (b->p.cycle != GIVEN)
                continue;
            long most = 0;
            uint64_t all = 0;
            for (int sm = 0; sm < NUM_SMS; sm++) {
                most += b->p.waiting[sm] == b->s.max;
                all += b->p.waiting[sm];
            }
            gives++;
            ties += most > 1;
            alike += most == NUM_SMS;
            wraps += all > MOST;
            nothing += !b->s.count;
        }
    }
    print_message("gifts %ld (ties %ld, all alike %ld, sum too large %ld, of no block %ld), "
                  "nothing waits %ld, settled %ld\n",
                  gives, ties, alike, wraps, nothing, none, settled);
    assert_true(gives > 1000 && ties > 200 && wraps > 50 && none > 100 && settled > 10000);
}

/* One search: what waits on each SM. Returns the count; the donor is b->s.look. */
static uint64_t search(struct bench *b, const uint64_t *waiting)
{
    int cycles = 0;
    do {
        b->in.waiting = b->s.state == SCAN ? waiting[b->s.look] : MOST;
        step(b);
        cycles++;
    } while (!b->s.give && b->s.state != IDLE);
    assert_int_equal(cycles, b->s.give ? 1 + NUM_SMS + PAVER_TB_BITS + 1 : 1 + NUM_SMS);
    return b->s.count;
}

static void all_may_receive(struct bench *b)
{
    for (unsigned sm = 0; sm < NUM_SMS; sm++)
        bit_set(b->in.recipients, sm, 1);
}

/* Four blocks on one SM, none on the others: it keeps the average. */
static void the_most_less_the_average(void **unused)
{
    (void)unused;
    uint64_t waiting[NUM_SMS] = {0};
    for (int donor = 0; donor < NUM_SMS; donor++) {
        struct bench *b = open_bench();
        all_may_receive(b);
        memset(waiting, 0, sizeof waiting);
        waiting[donor] = 4;
        assert_int_equal(search(b, waiting), 4 - 4 / NUM_SMS);
        assert_int_equal(b->s.look, donor);
        b->in.busy = 0;
        step(b);
        assert_int_equal(b->s.give, 0); /* for one cycle */
        step(b);
        assert_int_equal(b->out.settled, 1);
    }
}

static void of_several_the_lowest_gives(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    uint64_t waiting[NUM_SMS] = {0};
    all_may_receive(b);
    for (int first = 0; first < NUM_SMS; first++) {
        for (int sm = 0; sm < NUM_SMS; sm++)
            waiting[sm] = sm < first ? 8 : 9;
        assert_int_equal(search(b, waiting), first ? 1 : 0);
        assert_int_equal(b->s.look, first);
        step(b);
    }
}

/* Nobody has more than the others: the count is 0. */
static void all_alike(void **unused)
{
    (void)unused;
    uint64_t waiting[NUM_SMS];
    for (uint64_t n = 1; n * NUM_SMS <= MOST; n += n) {
        struct bench *b = open_bench();
        all_may_receive(b);
        for (int sm = 0; sm < NUM_SMS; sm++)
            waiting[sm] = n;
        assert_int_equal(search(b, waiting), 0);
        assert_int_equal(b->s.look, 0);
    }
}

static void nothing_waits(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    const uint64_t waiting[NUM_SMS] = {0};
    all_may_receive(b);
    search(b, waiting);
    assert_int_equal(b->s.give, 0);
    assert_int_equal(b->s.state, IDLE);
    search(b, waiting); /* and again at once */
}

/* More than a kernel has: the sum is what is left of it. */
static void a_sum_that_wraps(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    uint64_t waiting[NUM_SMS];
    all_may_receive(b);
    for (int sm = 0; sm < NUM_SMS; sm++)
        waiting[sm] = MOST;
    assert_int_equal(search(b, waiting), MOST - (MOST - (NUM_SMS - 1)) / NUM_SMS);
    step(b);
    memset(waiting, 0, sizeof waiting);
    waiting[0] = MOST; /* sums to 0, and yet blocks wait */
    waiting[NUM_SMS - 1] = 1;
    assert_int_equal(search(b, waiting), MOST);
    assert_int_equal(b->s.look, 0);
}

/* Every bit of the average: sums at, below and above multiples of the number of SMs. */
static void averages(void **unused)
{
    (void)unused;
    uint64_t waiting[NUM_SMS] = {0};
    for (int bit = 0; bit < PAVER_TB_BITS; bit++)
        for (int d = -1; d <= 1; d++) {
            const uint64_t total = ((UINT64_C(1) << bit) * NUM_SMS + (uint64_t)d) & MOST;
            struct bench *b = open_bench();
            if (!total)
                continue;
            all_may_receive(b);
            waiting[NUM_SMS - 1] = total;
            assert_int_equal(search(b, waiting), total - total / NUM_SMS);
        }
}

static void recipients_in_turn(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    const uint64_t waiting[NUM_SMS] = {3};
    all_may_receive(b);
    search(b, waiting);
    for (int turn = 0; turn < 2 * NUM_SMS; turn++) {
        const uint64_t before = b->s.recipient;
        step(b);
        search(b, waiting);
        assert_int_equal(b->s.recipient, (before + 1) % NUM_SMS);
    }
    step(b);
    for (unsigned sm = 0; sm < NUM_SMS; sm++)
        bit_set(b->in.recipients, sm, sm == 1);
    for (int again = 0; again < 2; again++) {
        search(b, waiting);
        assert_int_equal(b->s.recipient, 1);
        step(b);
    }
}

static void nobody_to_steal_for_or_from(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    b->in.waiting = 5;
    for (int what = 0; what < 7; what++) { /* not all three */
        memset(b->in.recipients, 0, sizeof b->in.recipients);
        b->in.steal = (uint64_t)what & 1;
        b->in.busy = (uint64_t)what >> 1 & 1;
        bit_set(b->in.recipients, NUM_SMS - 1, what >> 2 & 1);
        step(b);
        assert_int_equal(b->out.settled, 1);
        assert_int_equal(b->s.state, IDLE);
    }
}

/* What was begun is not given up. */
static void it_goes_on_when_all_have_gone(void **unused)
{
    (void)unused;
    struct bench *b = open_bench();
    const uint64_t waiting[NUM_SMS] = {3};
    all_may_receive(b);
    step(b);
    b->in.steal = b->in.busy = 0;
    memset(b->in.recipients, 0, sizeof b->in.recipients);
    while (b->s.state != IDLE) {
        b->in.waiting = waiting[b->s.look];
        step(b);
    }
    assert_int_equal(b->s.give, 1);
    assert_int_equal(b->s.count, 3 - 3 / NUM_SMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_inputs),
        cmocka_unit_test(the_most_less_the_average),
        cmocka_unit_test(of_several_the_lowest_gives),
        cmocka_unit_test(all_alike),
        cmocka_unit_test(nothing_waits),
        cmocka_unit_test(a_sum_that_wraps),
        cmocka_unit_test(averages),
        cmocka_unit_test(recipients_in_turn),
        cmocka_unit_test(nobody_to_steal_for_or_from),
        cmocka_unit_test(it_goes_on_when_all_have_gone),
    };
    return cmocka_run_group_tests_name("cmodel/paver_steal", tests, NULL, NULL);
}
