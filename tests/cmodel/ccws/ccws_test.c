/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/ccws/ccws_test.c: the C reference against the rule in words. Here each warp has a score,
 * a plain number that is counted down in every cycle; the warps are sorted by it in every cycle, and
 * added up. Nothing is shared with ccws.c: no time, no clock, no pass.
 *
 * The unit is late, so who may load is compared in two ways: with the rule of the same cycle, while
 * the unit rests; and while it works, with what the rule said in one of the last LATE cycles, counted
 * from the last warp that began. When a new score counts is the unit's choice, within LATE cycles,
 * and seen in its registers; its value, and which hits it is of, are worked out here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/ccws/ccws.h"
#include "cosim/stimulus.h"

void ccws_stimulus(struct stimulus *, void *);

#define SLOTS (NUM_SCHEDULERS * NUM_WARPS)
#define PASS  (2 + (CCWS_LOOKS ? (SLOTS + CCWS_LOOKS - 1) / CCWS_LOOKS : 1))
#define LATE  (2 * PASS + 2)
/* From the divider's beginning to the score: a step for each bit of the quotient, and a pass. */
#define SCORED (CCWS_HIT_BITS + CLOG2(SLOTS + 1) + CLOG2(CCWS_THROTTLE * CCWS_BASE + 1) + PASS + 1)

struct plain {
    long score[SLOTS];
    unsigned long hits, instructions;
    int waits, waiting, works, working; /* hits for the divider, their warps */
    long result;                        /* what the divider will find */
    int may[LATE][SLOTS];               /* the rule in the last cycles; the newest is first */
    int known;                          /* how many of them count */
    int worked;                         /* cycles since the divider began */
};

static int has(const uint64_t *set, int warp)
{
    return (int)(set[warp / 64] >> warp % 64 & 1);
}

static const long *sorted_scores;

static int by_score(const void *one, const void *other)
{
    const int a = *(const int *)one, b = *(const int *)other;
    if (sorted_scores[a] != sorted_scores[b])
        return sorted_scores[a] < sorted_scores[b] ? 1 : -1;
    return a - b;
}

/* The paper's rule: who may load with these scores. Dead warps may. */
static void rule(const long *score, const uint64_t *living, int *may)
{
    int order[SLOTS], count = 0;
    long sum = 0;
    for (int w = 0; w < SLOTS; w++) {
        may[w] = 1;
        if (has(living, w))
            order[count++] = w;
    }
    sorted_scores = score;
    qsort(order, (size_t)count, sizeof *order, by_score);
    for (int n = 0; n < count; n++) {
        sum += score[order[n]];
        may[order[n]] = n == 0 || sum <= (long)count * CCWS_BASE;
    }
}

static void plain_reset(struct plain *p)
{
    memset(p, 0, sizeof *p);
    for (int w = 0; w < SLOTS; w++)
        p->score[w] = CCWS_BASE;
}

static long new_score(const struct plain *p, const uint64_t *living)
{
    const long most = (1L << CCWS_SCORE_BITS) - 1;
    long count = 0, score = most;
    for (int w = 0; w < SLOTS; w++)
        count += has(living, w);
    if (p->instructions)
        score = CCWS_THROTTLE * (long)p->hits * (count * CCWS_BASE) / (long)p->instructions;
    return score < CCWS_BASE ? CCWS_BASE : score > most ? most : score;
}

/* What a cycle does to scores and counts; `stored`: the unit says that the divider's result counts
 * from now on. */
static void plain_edge(struct plain *p, const struct ccws_in *in, int stored)
{
    if (in->start) {
        plain_reset(p);
        return;
    }
    p->worked++;
    if (p->waits && has(in->fresh, p->waiting))
        p->waits = 0;
    if (p->works && has(in->fresh, p->working)) {
        p->works = 0;
    } else if (p->works && stored) {
        p->works = 0;
        p->score[p->working] = p->result;
    } else if (!p->works && p->waits) {
        p->works = 1;
        p->working = p->waiting;
        p->waits = 0;
        p->worked = 0;
        p->result = new_score(p, in->living);
    }
    for (int w = 0; w < SLOTS; w++)
        if (has(in->fresh, w))
            p->score[w] = CCWS_BASE;
        else if (p->score[w] > CCWS_BASE)
            p->score[w]--;
    if (in->hit && in->hit_warp < SLOTS) {
        p->hits++;
        if (!has(in->fresh, (int)in->hit_warp)) {
            p->waits = 1;
            p->waiting = (int)in->hit_warp;
        }
    }
    p->instructions += in->issued;
    if (p->hits >> CCWS_HIT_BITS || p->instructions >> CCWS_ISSUE_BITS) {
        p->hits >>= 1;
        p->instructions >>= 1;
    }
}

struct bench {
    struct ccws_state s;
    struct plain p;
    struct ccws_in in;
    struct ccws_out out;
    uint64_t lived[(SLOTS + 63) / 64];
    unsigned throttled, rests, late, stores, lost, alone, raised;
};

static void open_bench(struct bench *b)
{
    memset(b, 0, sizeof *b);
    ccws_reset(&b->s);
    plain_reset(&b->p);
}

static int is_rule(const struct bench *b, const int *may)
{
    for (int w = 0; w < SLOTS; w++)
        if (has(b->out.allow_load, w) != may[w])
            return 0;
    return 1;
}

static void check_outputs(struct bench *b)
{
    struct plain *p = &b->p;
    memmove(p->may[1], p->may[0], sizeof p->may - sizeof p->may[0]);
    rule(p->score, b->in.living, p->may[0]);
    p->known += p->known < LATE;
    int found = 0, through = 0;
    for (int n = 0; n < p->known && !found; n++)
        found = is_rule(b, p->may[n]);
    if (p->known == LATE)
        assert_true(found);
    if (!b->out.busy)
        assert_true(is_rule(b, p->may[0]));
    for (int w = 0; w < SLOTS; w++)
        through += has(b->in.living, w) && has(b->out.allow_load, w);
    b->rests += !b->out.busy;
    b->late += !is_rule(b, p->may[0]);
    b->alone += !b->out.busy && through == 1;
    for (int w = 0; w < SLOTS; w++)
        b->throttled += !b->out.busy && !has(b->out.allow_load, w);
}

/* Both go one cycle. A slot whose warp begins to live gets a new warp. */
static void step(struct bench *b)
{
    for (unsigned n = 0; n < sizeof b->lived / sizeof *b->lived; n++) {
        b->in.fresh[n] |= b->in.living[n] & ~b->lived[n];
        b->lived[n] = b->in.living[n];
    }
    memset(&b->out, 0xff, sizeof b->out);
    ccws_comb(&b->s, &b->in, &b->out);
    check_outputs(b);
    const int worked = (int)b->s.scoring, warp = (int)b->s.scoring_warp;
    ccws_tick(&b->s, &b->in, &b->out);
    const int stored = worked && !b->s.scoring && !b->in.start && !has(b->in.fresh, warp);
    if (worked) {
        assert_true(b->p.works && b->p.working == warp);
        assert_true(b->p.worked <= SCORED);
    }
    b->stores += (unsigned)stored;
    b->raised += stored && b->p.result > CCWS_BASE;
    b->lost += b->in.hit && b->p.waits;
    plain_edge(&b->p, &b->in, stored);
    assert_int_equal(b->s.hits, b->p.hits);
    assert_int_equal(b->s.instructions, b->p.instructions);
    if (b->in.start || bits_any(b->in.fresh, SLOTS))
        b->p.known = 0;
    b->in.clock = (b->in.clock + 1) & 0xffffffff;
}

static void random_sequences(void **unused)
{
    (void)unused;
    static struct bench b;
    unsigned throttled = 0, rests = 0, late = 0, stores = 0, alone = 0, lost = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct stimulus s = stimulus_start(seed);
        open_bench(&b);
        s.state = &b.s;
        const uint64_t clock = s.clock & 0xffffffff;
        b.in.clock = clock;
        for (; s.cycle < 12000; stimulus_next(&s)) {
            const uint64_t now = b.in.clock;
            ccws_stimulus(&s, &b.in);
            b.in.clock = now;
            step(&b);
        }
        throttled += b.throttled, rests += b.rests, late += b.late, stores += b.stores;
        alone += b.alone, lost += b.lost;
    }
    /* The sequences were such that everything occurred. */
    assert_true(throttled > 1000 && rests > 10000 && late > 1000 && stores > 500 && alone > 100);
    assert_true(lost > 1000);
}

static void quiet(struct bench *b, int cycles)
{
    b->in.hit = b->in.start = b->in.issued = 0;
    memset(b->in.fresh, 0, sizeof b->in.fresh);
    while (cycles--)
        step(b);
}

static void live(struct bench *b, unsigned number)
{
    open_bench(b);
    for (unsigned w = 0; w < number; w++)
        bit_set(b->in.living, w, 1);
    quiet(b, 1);
    quiet(b, LATE);
}

static void issue(struct bench *b, unsigned number)
{
    for (unsigned n = 0; n < number; n++) {
        b->in.issued = 1;
        step(b);
    }
    b->in.issued = 0;
}

static void lose(struct bench *b, unsigned warp)
{
    b->in.hit = 1;
    b->in.hit_warp = warp;
    step(b);
    b->in.hit = 0;
}

/* All at the base: the sum is the cutoff, and that is allowed. */
static void all_may_at_the_base(void **unused)
{
    (void)unused;
    static struct bench b;
    live(&b, SLOTS);
    assert_false(b.out.busy);
    for (int w = 0; w < SLOTS; w++)
        assert_true(has(b.out.allow_load, w));
}

/* One hit of 2 * K_THROTTLE instructions: the score is half the cutoff. Of four warps with scores 2,
 * 1, 1, 1 (times the base) the last does not fit; nor does it until the first is back at the base. */
static void half_the_cutoff(void **unused)
{
    (void)unused;
    static struct bench b;
    live(&b, 4);
    issue(&b, 2 * CCWS_THROTTLE);
    lose(&b, 2);
    quiet(&b, 1);
    assert_int_equal(b.p.result, 2 * CCWS_BASE);
    while (!b.stores)
        quiet(&b, 1);
    for (int w = 0; w < 4; w++)
        assert_int_equal(b.p.score[w], w == 2 ? 2 * CCWS_BASE - 1 : CCWS_BASE);
    if (CCWS_BASE > LATE) {
        quiet(&b, LATE);
        assert_true(has(b.out.allow_load, 2) && has(b.out.allow_load, 0) &&
                    has(b.out.allow_load, 1));
        assert_false(has(b.out.allow_load, 3));
    }
    quiet(&b, CCWS_BASE + LATE);
    assert_true(has(b.out.allow_load, 3));
    assert_int_equal(b.s.pending[0], 0);
}

/* A score above the cutoff leaves its warp alone; it may go on. When it ends all others may. */
static void one_alone(void **unused)
{
    (void)unused;
    static struct bench b;
    live(&b, SLOTS);
    lose(&b, 1); /* no instruction yet: the highest score */
    quiet(&b, SCORED + LATE);
    for (int w = 0; w < SLOTS; w++)
        assert_int_equal(has(b.out.allow_load, w), w == 1);
    bit_set(b.in.living, 1, 0);
    quiet(&b, LATE);
    for (int w = 0; w < SLOTS; w++)
        assert_true(has(b.out.allow_load, w));
}

static void a_new_warp_begins_at_the_base(void **unused)
{
    (void)unused;
    static struct bench b;
    live(&b, SLOTS);
    lose(&b, 1);
    quiet(&b, SCORED + LATE);
    bit_set(b.in.fresh, 1, 1);
    lose(&b, 1); /* of the warp that has gone */
    assert_int_equal(b.s.pending[0], 0);
    quiet(&b, LATE + SCORED);
    for (int w = 0; w < SLOTS; w++)
        assert_true(has(b.out.allow_load, w));
    assert_int_equal(b.s.hits, 2);
}

/* While the divider works the newest hit waits; the one between is counted only. */
static void the_newest_hit_waits(void **unused)
{
    (void)unused;
    static struct bench b;
    live(&b, SLOTS);
    issue(&b, 1);
    lose(&b, 0);
    quiet(&b, 2);
    lose(&b, 1);
    lose(&b, 2);
    assert_int_equal(b.s.hits, 3);
    while (b.stores < 2)
        quiet(&b, 1);
    assert_true(b.p.score[0] > CCWS_BASE && b.p.score[2] > CCWS_BASE);
    assert_int_equal(b.p.score[1], CCWS_BASE);
    quiet(&b, 2 * SCORED);
    assert_int_equal(b.stores, 2);
}

static void a_kernel_begins(void **unused)
{
    (void)unused;
    static struct bench b;
    live(&b, SLOTS);
    lose(&b, 1);
    quiet(&b, SCORED + LATE);
    b.in.start = 1;
    lose(&b, 2);
    assert_int_equal(b.s.hits, 0);
    b.in.start = 0;
    for (int n = 0; n < LATE; n++) {
        quiet(&b, 1);
        for (int w = 0; w < SLOTS; w++)
            assert_true(has(b.out.allow_load, w));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sequences),
        cmocka_unit_test(all_may_at_the_base),
        cmocka_unit_test(half_the_cutoff),
        cmocka_unit_test(one_alone),
        cmocka_unit_test(a_new_warp_begins_at_the_base),
        cmocka_unit_test(the_newest_hit_waits),
        cmocka_unit_test(a_kernel_begins),
    };
    return cmocka_run_group_tests_name("cmodel/ccws", tests, NULL, NULL);
}
