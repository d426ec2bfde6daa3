/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/daws_classify/daws_classify_test.c: the C reference against the rules of DAWS 5.2 as
 * plain.h restates them, in random sequences; directed cases; and figures 5 and 6 of the paper. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/daws_classify/daws_classify.h"
#include "cosim/stimulus.h"
#include "tests/cmodel/daws_classify/plain.h"

void daws_classify_stimulus(struct stimulus *, void *);

struct bench {
    struct daws_classify_state s;
    struct plain p;
    struct daws_classify_in in;
    struct daws_classify_out out;
};

static void open_bench(struct bench *b)
{
    memset(b, 0, sizeof *b);
    memset(b->s.ilrd, 0x5a, sizeof b->s.ilrd); /* SRAM holds anything */
    memset(b->s.ilrd_order, 0x5a, sizeof b->s.ilrd_order);
    daws_classify_reset(&b->s);
    plain_start(&b->p);
}

/* Both go one cycle; outputs, samplers and locality are compared. */
static void step(struct bench *b)
{
    daws_classify_comb(&b->s, &b->in, &b->out);
    for (int n = 0; n < NUM_SCHEDULERS; n++) {
        const int begin = (int)b->in.loop_begin[n], inner = (int)b->in.inner[n],
                  last = (int)b->in.loop_last[n], lanes = (int)b->in.active[n];
        const int asked = begin && in_loop(inner, begin + 1, last) ? inner : begin;
        assert_int_equal(b->out.footprint[n], plain_footprint(&b->p, asked, lanes));
        assert_int_equal(b->out.closest[n], plain_footprint(&b->p, (int)b->in.next_loop[n], lanes));
    }
    daws_classify_tick(&b->s, &b->in, &b->out);
    plain_edge(&b->p, &b->in);
    for (int l = 1; l <= LOOPS; l++) {
        assert_int_equal(b->s.last[l - 1] != 0, b->p.sampler[l] != NOBODY);
        if (b->p.sampler[l] != NOBODY) {
            assert_int_equal(b->s.sampler[l - 1], b->p.sampler[l]);
            assert_int_equal(b->s.last[l - 1], b->p.last[l]);
        }
        assert_int_equal(b->s.locality[l - 1], b->p.locality[l] & 63);
    }
}

/* All loops' footprints, and who has the same repetition id. */
static void check_tables(struct bench *b)
{
    struct daws_classify_in in = {0};
    struct daws_classify_out out;
    for (int l = 1; l <= LOOPS; l++)
        for (unsigned lanes = 0; lanes < 4; lanes++) {
            in.loop_begin[0] = (uint64_t)l;
            in.active[0] = lanes;
            daws_classify_comb(&b->s, &in, &out);
            assert_int_equal(out.footprint[0], plain_footprint(&b->p, l, (int)lanes));
        }
    for (int load = 1; load <= LOADS; load++) {
        int seen[LOADS + 1] = {0};
        assert_int_equal(b->s.load_loop[load - 1], b->p.loop_of[load]);
        assert_int_equal(b->s.divergence[load - 1], b->p.divergence[load]);
        if (b->p.loop_of[load] == 0)
            continue;
        visit(&b->p, load, seen);
        for (int other = 1; other <= LOADS; other++)
            if (b->p.loop_of[other])
                assert_int_equal(b->s.repetition[load - 1] == b->s.repetition[other - 1],
                                 seen[other]);
    }
}

static void random_sequences(void **unused)
{
    (void)unused;
    static struct bench b;
    unsigned known = 0, repeated = 0, saturated = 0, none = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct stimulus s = stimulus_start(seed);
        open_bench(&b);
        s.state = &b.s;
        for (; s.cycle < 8000; stimulus_next(&s)) {
            daws_classify_stimulus(&s, &b.in);
            step(&b);
            if (s.cycle % 16 == 0)
                check_tables(&b);
            known += b.out.footprint[0] > 2;
            none += b.in.loop_begin[0] && b.out.footprint[0] == 0;
            for (int load = 0; load < LOADS; load++)
                repeated += b.s.load_loop[load] && b.s.repetition[load] != (uint64_t)load;
            for (int l = 0; l < LOOPS; l++)
                saturated += b.s.locality[l] == 31 || b.s.locality[l] == 32;
        }
    }
    /* The sequences were such that everything occurred. */
    assert_true(known > 1000 && repeated > 1000 && saturated > 100 && none > 1000);
}

/* What happens in one cycle and in no other. */
static void once(struct bench *b)
{
    step(b);
    memset(&b->in, 0, sizeof b->in);
}

/* Warp of scheduler 0 issues the first instruction of a loop, and goes on inside. */
static void enter(struct bench *b, unsigned warp, unsigned loop, unsigned last, unsigned lanes)
{
    bit_set(b->in.issue, 0, 1);
    b->in.warp[0] = warp;
    b->in.active[0] = lanes;
    b->in.loop_begin[0] = b->in.loop[0] = loop;
    b->in.loop_last[0] = last;
    once(b);
}

/* It issues another instruction; then it is in this loop. */
static void go_to(struct bench *b, unsigned warp, unsigned end, unsigned loop)
{
    bit_set(b->in.issue, 0, 1);
    b->in.warp[0] = warp;
    b->in.active[0] = 32;
    b->in.loop_end[0] = end;
    b->in.loop[0] = loop;
    once(b);
}

/* So many of its loads find a line that it had brought, or none. */
static void find(struct bench *b, unsigned warp, int local, unsigned loop, int times)
{
    while (times--) {
        b->in.feedback = 1;
        b->in.feedback_warp = warp;
        b->in.feedback_loop = loop;
        b->in.feedback_local = (uint64_t)local;
        once(b);
    }
}

static void load_line(struct bench *b, unsigned warp, unsigned load, unsigned loop, unsigned lanes,
                      unsigned lines, uint64_t line)
{
    b->in.access = 1;
    b->in.access_warp = warp;
    b->in.access_load = load;
    b->in.access_loop = loop;
    b->in.access_active = lanes;
    b->in.access_lines = lines;
    b->in.access_line = line;
    once(b);
}

/* Lines of the loop for so many lanes. */
static unsigned lines_of(struct bench *b, unsigned loop, unsigned inner, unsigned last,
                         unsigned lanes)
{
    b->in.active[0] = lanes;
    b->in.loop_begin[0] = loop;
    b->in.inner[0] = inner;
    b->in.loop_last[0] = last;
    once(b);
    return (unsigned)b->out.footprint[0];
}

static void the_first_wide_warp_samples(void **unused)
{
    (void)unused;
    static struct bench b;
    open_bench(&b);
    enter(&b, 1, 1, 2, 2); /* two lanes are too few */
    assert_int_equal(b.s.last[0], 0);
    enter(&b, 2, 1, 2, 3);
    enter(&b, 3, 1, 2, 32); /* there is a sampler */
    assert_int_equal(b.s.sampler[0], 2);
    enter(&b, 3, 2, 2, 32); /* another loop is sampled at the same time */
    assert_int_equal(b.s.sampler[1], 3);
    go_to(&b, 2, 0, 2); /* an inner loop is inside */
    assert_int_equal(b.s.last[0], 2);
    go_to(&b, 2, 1, 3); /* left: the next to enter samples */
    assert_int_equal(b.s.last[0], 0);
    enter(&b, 3, 1, 2, 32);
    assert_int_equal(b.s.sampler[0], 3);
    bit_set(b.in.fresh, 3, 1);
    once(&b);
    assert_int_equal(b.s.last[0], 0);
    assert_int_equal(b.s.last[1], 0);
}

static void locality_decides(void **unused)
{
    (void)unused;
    static struct bench b;
    open_bench(&b);
    enter(&b, 1, 1, 1, 32);
    load_line(&b, 1, 1, 1, 32, 32, 0); /* not yet: no locality */
    assert_int_equal(b.s.load_loop[0], 0);
    find(&b, 1, 1, 1, 1);
    find(&b, 2, 1, 1, 5); /* of no sampler */
    assert_int_equal(b.s.locality[0], 1);
    load_line(&b, 1, 1, 1, 32, 32, 0);
    assert_int_equal(lines_of(&b, 1, 0, 1, 32), 2);
    find(&b, 1, 0, 1, 1); /* another warp had brought it, or nobody */
    assert_int_equal(lines_of(&b, 1, 0, 1, 32), 0);
    find(&b, 1, 1, 1, 100);
    assert_int_equal(b.s.locality[0], 31);
    find(&b, 1, 0, 1, 100);
    assert_int_equal(b.s.locality[0], 32); /* -32 */
}

/* DAWS figure 5: a load like that at 272, nearly always as many accesses as lanes, one like that at
 * 240, between both, and one like that at 328, never more than two. */
static void figure_5(void **unused)
{
    (void)unused;
    static struct bench b;
    static const unsigned lanes[] = {22, 9, 2, 17, 5, 1, 12, 26};
    open_bench(&b);
    enter(&b, 0, 1, 1, 26);
    find(&b, 0, 1, 1, 20);
    for (unsigned n = 0; n < 8; n++) {
        load_line(&b, 0, 1, 1, lanes[n], lanes[n], 100 + 8 * n);
        load_line(&b, 0, 2, 1, lanes[n], (lanes[n] + 2) / 3 + 1, 200 + 8 * n);
        load_line(&b, 0, 3, 1, lanes[n] % 9, lanes[n] % 9 < 2 ? 1 : 2, 300 + 8 * n);
    }
    assert_int_equal(b.s.divergence[0], 3);
    assert_int_equal(b.s.divergence[1], 3);
    assert_int_equal(b.s.divergence[2], 0);
    assert_int_equal(lines_of(&b, 1, 0, 1, 26), 26 + 26 + 2);
    assert_int_equal(lines_of(&b, 1, 0, 1, 1), 3);
    assert_int_equal(lines_of(&b, 1, 0, 1, 0), 0);
}

/* DAWS figure 6: a loop with one diverged load. Warp 0 enters with 32 lanes, warp 1 with 16; then 16
 * of warp 0's lanes have left. */
static void figure_6(void **unused)
{
    (void)unused;
    static struct bench b;
    open_bench(&b);
    enter(&b, 0, 2, 2, 32);
    find(&b, 0, 1, 2, 1);
    load_line(&b, 0, 1, 2, 32, 32, 1);
    load_line(&b, 0, 1, 2, 32, 32, 2);
    assert_int_equal(lines_of(&b, 2, 0, 2, 32), 32);
    assert_int_equal(lines_of(&b, 2, 0, 2, 16), 16);
    assert_int_equal(lines_of(&b, 1, 0, 2, 32), 0);  /* the loop around it has no loads */
    assert_int_equal(lines_of(&b, 1, 2, 2, 32), 32); /* but it contains this one */
    b.in.active[0] = 7;
    b.in.next_loop[0] = 2;
    once(&b);
    assert_int_equal(b.out.closest[0], 7);
    b.in.start = 1;
    once(&b);
    assert_int_equal(lines_of(&b, 2, 0, 2, 32), 0);
}

static void repeated_loads_count_once(void **unused)
{
    (void)unused;
    static struct bench b;
    open_bench(&b);
    enter(&b, 1, 1, 2, 32);
    find(&b, 1, 1, 1, 9);
    for (unsigned load = 1; load <= 3; load++) {
        load_line(&b, 1, load, 1, 32, load == 2 ? 32 : 1, 7);
        go_to(&b, 1, 1, 1); /* the next trip */
    }
    assert_int_equal(lines_of(&b, 1, 0, 2, 32), 6); /* on different trips: nothing is repeated */
    load_line(&b, 1, 1, 1, 32, 1, 7);
    load_line(&b, 1, 3, 1, 32, 1, 7);
    assert_int_equal(lines_of(&b, 1, 0, 2, 32), 4);
    load_line(&b, 1, 2, 1, 32, 32, 7); /* a diverged one makes all of them diverged */
    assert_int_equal(lines_of(&b, 1, 0, 2, 32), 32);
    assert_int_equal(lines_of(&b, 1, 0, 2, 1), 1);
    go_to(&b, 1, 1, 1);
    load_line(&b, 1, 2, 1, 32, 1, 7);
    assert_int_equal(lines_of(&b, 1, 0, 2, 32), 2);
}

/* A line that a full set has forgotten is not found any more. */
static void the_least_recent_is_forgotten(void **unused)
{
    (void)unused;
    static struct bench b;
    open_bench(&b);
    enter(&b, 1, 1, 1, 32);
    find(&b, 1, 1, 1, 9);
    for (unsigned n = 0; n < ILRD_WAYS; n++)
        load_line(&b, 1, 1, 1, 32, 1, n * ILRD_SETS);
    load_line(&b, 1, 1, 1, 32, 1, 0); /* used again */
    load_line(&b, 1, 1, 1, 32, 1, ILRD_WAYS * ILRD_SETS);
    load_line(&b, 1, 2, 1, 32, 1, ILRD_SETS); /* has gone */
    assert_int_equal(lines_of(&b, 1, 0, 1, 32), 4);
    load_line(&b, 1, 2, 1, 32, 1, ILRD_WAYS * ILRD_SETS);
    assert_int_equal(lines_of(&b, 1, 0, 1, 32), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sequences),
        cmocka_unit_test(the_first_wide_warp_samples),
        cmocka_unit_test(locality_decides),
        cmocka_unit_test(figure_5),
        cmocka_unit_test(figure_6),
        cmocka_unit_test(repeated_loads_count_once),
        cmocka_unit_test(the_least_recent_is_forgotten),
    };
    return cmocka_run_group_tests_name("cmodel/daws_classify", tests, NULL, NULL);
}
