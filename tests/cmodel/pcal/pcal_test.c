/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/pcal/pcal_test.c: the C reference against the rule as plain.h restates it, under random inputs: which pairs each sample
 * has, how long it and the warm-up before it are, where the search ends; and the example of Poise's figure 2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/pcal/pcal.h"
#include "cosim/stimulus.h"
#include "tests/cmodel/pcal/plain.h"

void pcal_stimulus(struct stimulus *, void *);

enum { IDLE, DEAL, WARM, SAMPLE, WAIT, READ, DECIDE, HOLD }; /* fsm/pcal.def, written again */

#define TIME(t) ((t) & ((UINT64_C(1) << PCAL_SAMPLE_BITS) - 1))

static struct bench {
    struct pcal_state s;
    struct pcal_in in;
    struct pcal_out out, before;
    struct plain p;
    int kernel, changed;        /* one has begun; a setting or a count has changed meanwhile */
    long same, counted, waited; /* cycles with these pairs; of count; since it fell */
    struct pcal_in settings;    /* of this kernel, with the counts of the last sample */
    unsigned held, moved, rounds, climbed, stayed, all_idle, held_at_once;
} bench;

static long cycles(uint64_t v)
{
    return v ? (long)v : 1;
}

static int same_pairs(const struct pcal_out *a, const struct pcal_out *b)
{
    return a->vital == b->vital && !memcmp(a->polluters, b->polluters, sizeof a->polluters);
}

static void assert_pairs(const struct pcal_out *out, const struct plain_sample *should)
{
    assert_int_equal(out->vital, should->n);
    for (unsigned i = 0; i < NUM_SMS; i++)
        assert_int_equal(out->polluters[i], should->p[i]);
}

/* 1 <= p <= N <= W, whatever happens. */
static void assert_bounds(const struct bench *b)
{
    const uint64_t w = b->kernel ? (uint64_t)b->p.w : NUM_WARPS;
    assert_in_range(b->out.vital, 1, w);
    for (unsigned i = 0; i < NUM_SMS; i++)
        assert_in_range(b->out.polluters[i], 1, b->out.vital);
}

static void kernel_begins(struct bench *b)
{
    const struct pcal_in *in = &b->in;
    const int w = in->warps < 1 ? 1 : in->warps > NUM_WARPS ? NUM_WARPS : (int)in->warps;
    b->p = (struct plain){.w = w,
                          .start_n = in->start_n < 1 || (int)in->start_n > w ? w : (int)in->start_n,
                          .stride = (int)in->stride};
    b->kernel = 1;
    b->changed = 0;
    b->settings = *in;
    b->same = b->counted = b->waited = 0;
    assert_int_equal(b->s.state, DEAL);
}

/* The SMs begin to count: at the pairs that the search asks for. */
static void sample_begins(struct bench *b)
{
    struct plain_search search;
    play(&search, &b->p);
    assert_true(search.open);
    assert_pairs(&b->out, &search.asks);
    assert_true(b->same >= cycles(b->in.warmup));
    b->moved += b->p.num_samples > 0;
}

/* Their counts are added up from this cycle on. */
static void sample_is_read(struct bench *b)
{
    struct plain_sample *s = &b->p.samples[b->p.num_samples++];
    assert_true(b->p.num_samples < MOST_SAMPLES);
    assert_int_equal(b->counted, cycles(b->in.sample));
    assert_int_equal(b->waited, cycles(b->in.late));
    s->n = (int)b->out.vital;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        s->p[i] = (int)b->out.polluters[i];
        s->issued[i] = (long)b->in.issued[i];
    }
    memcpy(b->settings.issued, b->in.issued, sizeof b->in.issued);
    b->counted = 0;
}

static void search_ends(struct bench *b)
{
    struct plain_search search;
    play(&search, &b->p);
    assert_false(search.open);
    assert_pairs(&b->out, &search.asks);
    b->held++;
    b->held_at_once += !b->p.stride;
    b->rounds += b->p.start_n > NUM_SMS;
    b->climbed += abs(search.asks.n - b->p.start_n) > b->p.stride;
    b->stayed += search.asks.n == b->p.start_n;
    b->all_idle += search.asks.p[0] == b->p.start_n;
}

static int settings_change(const struct bench *b)
{
    const struct pcal_in *a = &b->in, *s = &b->settings;
    return a->warmup != s->warmup || a->sample != s->sample || a->late != s->late ||
           a->stride != s->stride ||
           ((b->s.state == READ || b->s.state == DECIDE) && b->counted == 0 &&
            memcmp(a->issued, s->issued, sizeof a->issued) != 0);
}

static void cycle(struct bench *b)
{
    const unsigned from = (unsigned)b->s.state;
    pcal_comb(&b->s, &b->in, &b->out);
    assert_int_equal(b->out.count, from == SAMPLE);
    assert_bounds(b);
    b->same = same_pairs(&b->out, &b->before) ? b->same + 1 : 0;
    b->changed |= b->kernel && settings_change(b);
    if (b->kernel && !b->changed) {
        if (b->out.count && !b->before.count)
            sample_begins(b);
        if (b->out.count || b->counted)
            assert_true(b->same > b->counted + b->waited);
        if (from == READ && b->counted)
            sample_is_read(b);
        b->waited = from == WAIT ? b->waited + 1 : 0;
        b->counted += b->out.count;
        if (from == HOLD && b->before.settled == 0)
            search_ends(b);
    }
    const struct pcal_state before = b->s;
    pcal_tick(&b->s, &b->in, &b->out);
    if (b->in.start)
        kernel_begins(b);
    else if (b->out.settled)
        assert_memory_equal(&before, &b->s, sizeof before);
    b->before = b->out;
}

static void open_bench(void)
{
    memset(&bench, 0, sizeof bench);
    pcal_reset(&bench.s);
}

static void random_sequences(void **unused)
{
    (void)unused;
    unsigned held = 0, moved = 0, rounds = 0, climbed = 0, stayed = 0, all_idle = 0, at_once = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct stimulus s = stimulus_start(seed);
        open_bench();
        s.state = &bench.s;
        for (; s.cycle < 150000; stimulus_next(&s)) {
            pcal_stimulus(&s, &bench.in);
            bench.in.clock = TIME(s.clock);
            cycle(&bench);
        }
        held += bench.held;
        moved += bench.moved;
        rounds += bench.rounds;
        climbed += bench.climbed;
        stayed += bench.stayed;
        all_idle += bench.all_idle;
        at_once += bench.held_at_once;
    }
    print_message(
        "searches ended %u, of them after several samples of p %u, more than a stride away %u, "
        "at N_swl %u, with p as it was %u, without a stride %u; samples behind the first %u\n",
        held, rounds, climbed, stayed, all_idle, at_once, moved);
    assert_true(held > 300 && climbed > 10 && stayed > 50 && all_idle > 20 && at_once > 20);
    assert_true(moved > 1000 && (NUM_SMS >= NUM_WARPS || rounds > 50));
}

/* Runs a kernel to its end with what `performance` says of each pair. Returns how many samples were taken. */
static int search(uint64_t w, uint64_t start_n, uint64_t stride,
                  uint64_t (*performance)(uint64_t n, uint64_t p, unsigned sm))
{
    struct bench *b = &bench;
    int samples = 0;
    open_bench();
    b->in = (struct pcal_in){.start = 1, .warps = w, .start_n = start_n, .stride = stride};
    b->in.warmup = b->in.sample = b->in.late = 2;
    do {
        cycle(b);
        b->in.start = 0;
        b->in.clock = TIME(b->in.clock + 1);
        if (b->s.state == SAMPLE)
            for (unsigned i = 0; i < NUM_SMS; i++)
                b->in.issued[i] = performance(b->s.n, b->s.p[i], i);
        samples += b->s.state == DECIDE && b->s.sm == 0;
    } while (b->s.state != HOLD);
    cycle(b); /* it is asked once more */
    return b->p.num_samples;
}

/* Poise figure 2, in words: p = 1 is better; at p = 1 there is a peak at N = 2, a valley behind it, and a
 * higher peak at N = 15. (Machines with fewer warps have no second peak.) */
static uint64_t figure_2(uint64_t n, uint64_t p, unsigned sm)
{
    (void)sm;
    return p != 1 ? 107 : n == 2 ? 135 : n < 7 ? 120 - 2 * n : 100 + 3 * n;
}

static void a_climb_ends_at_the_nearest_peak(void **unused)
{
    (void)unused;
    for (uint64_t stride = 1; stride <= 2; stride++) {
        search(NUM_WARPS, 2, stride, figure_2);
        assert_int_equal(bench.out.vital, 2);
        for (unsigned i = 0; i < NUM_SMS; i++)
            assert_int_equal(bench.out.polluters[i], 1);
    }
}

static uint64_t more_is_better(uint64_t n, uint64_t p, unsigned sm)
{
    (void)sm;
    return 1 + n + 100 * p;
}

static void as_far_as_the_kernel_has_warps(void **unused)
{
    (void)unused;
    search(NUM_WARPS - 1, 2, 1, more_is_better);
    assert_int_equal(bench.out.vital, NUM_WARPS - 1);
    assert_int_equal(bench.out.polluters[0], 2);
}

static uint64_t less_is_better(uint64_t n, uint64_t p, unsigned sm)
{
    (void)sm;
    return 1000 - n - 10 * (p > 1);
}

static void not_below_p(void **unused)
{
    (void)unused;
    search(NUM_WARPS, 0, 1, less_is_better);
    assert_int_equal(bench.out.vital, 1);
    assert_int_equal(bench.out.polluters[NUM_SMS - 1], 1);
}

static uint64_t nothing_at_all(uint64_t n, uint64_t p, unsigned sm)
{
    (void)n;
    (void)p;
    (void)sm;
    return 0;
}

static void without_work_nothing_is_decided(void **unused)
{
    (void)unused;
    search(NUM_WARPS, 3, 1, nothing_at_all);
    assert_int_equal(bench.out.vital, 3);
    assert_int_equal(bench.out.polluters[0], 3);
}

/* SM 0 has p = 1 in the first sample. */
static uint64_t sm_0_has_run_out(uint64_t n, uint64_t p, unsigned sm)
{
    (void)n;
    return sm == 0 ? 0 : p == 1 ? 1000 : 500;
}

static void an_idle_sm_takes_its_p_out(void **unused)
{
    (void)unused;
    search(NUM_WARPS, 2, 0, sm_0_has_run_out);
    assert_int_equal(bench.out.polluters[0], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sequences),
        cmocka_unit_test(a_climb_ends_at_the_nearest_peak),
        cmocka_unit_test(as_far_as_the_kernel_has_warps),
        cmocka_unit_test(not_below_p),
        cmocka_unit_test(without_work_nothing_is_decided),
        cmocka_unit_test(an_idle_sm_takes_its_p_out),
    };
    return cmocka_run_group_tests_name("cmodel/pcal", tests, NULL, NULL);
}
