/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/daws_table/daws_table_test.c: the C reference against DAWS 5.1.1 as plain.h restates it, in
 * random sequences; figure 6 of the paper; spmv's loop of example 1; and the ends of the counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/daws_table/daws_table.h"
#include "cosim/stimulus.h"
#include "tests/cmodel/daws_table/plain.h"

void daws_table_stimulus(struct stimulus *, void *);

struct bench {
    struct daws_table_state s;
    struct plain p;
    struct daws_table_in in;
    struct daws_table_out out;
};

static void open_bench(struct bench *b)
{
    memset(b, 0, sizeof *b);
    memset(&b->s, 0x5a, sizeof b->s);
    daws_table_reset(&b->s);
}

/* Both go one cycle, in which the reference is asked what `in` says. */
static void step(struct bench *b)
{
    daws_table_comb(&b->s, &b->in, &b->out);
    for (int n = 0; n < NUM_SCHEDULERS; n++) {
        const int begin = (int)b->in.loop_begin[n], inner = (int)b->in.inner[n],
                  last = (int)b->in.loop_last[n], active = (int)b->in.active[n];
        const int asked = begin > 0 && begin < inner && inner <= last ? inner : begin;
        assert_int_equal(b->out.footprint[n], plain_lines(&b->p, asked, active));
        assert_int_equal(b->out.closest[n], plain_lines(&b->p, (int)b->in.next_loop[n], active));
    }
    daws_table_tick(&b->s, &b->in, &b->out);
    if (b->in.start)
        plain_start(&b->p);
    else if (b->in.write)
        plain_write(&b->p, (int)b->in.write_loop, (int)b->in.write_diverged,
                    (int)b->in.write_converged);
}

static void random_sequences(void **unused)
{
    (void)unused;
    static struct bench b;
    unsigned known = 0, none = 0, full = 0, inner = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct stimulus s = stimulus_start(seed);
        open_bench(&b);
        s.state = &b.s;
        for (; s.cycle < 1500; stimulus_next(&s)) {
            daws_table_stimulus(&s, &b.in);
            step(&b);
            known += b.out.footprint[0] > 2;
            none += b.in.loop_begin[0] && b.out.footprint[0] == 0;
            full += b.out.closest[0] == 255;
            inner += b.in.inner[0] > b.in.loop_begin[0] && b.in.loop_begin[0] &&
                     b.in.inner[0] <= b.in.loop_last[0] && b.out.footprint[0] > 2;
        }
    }
    /* The sequences were such that everything occurred. */
    assert_true(known > 1000 && none > 100 && full > 10 && inner > 100);
}

/* What happens in one cycle and in no other. */
static void once(struct bench *b)
{
    step(b);
    memset(&b->in, 0, sizeof b->in);
}

static void write_loop(struct bench *b, unsigned loop, unsigned diverged, unsigned converged)
{
    b->in.write = 1;
    b->in.write_loop = loop;
    b->in.write_diverged = diverged;
    b->in.write_converged = converged;
    once(b);
}

/* Lines of the loop for so many lanes, for a warp whose prediction is of `inner`. */
static unsigned lines_of(struct bench *b, unsigned loop, unsigned inner, unsigned last,
                         unsigned active)
{
    b->in.active[NUM_SCHEDULERS - 1] = active;
    b->in.loop_begin[NUM_SCHEDULERS - 1] = loop;
    b->in.inner[NUM_SCHEDULERS - 1] = inner;
    b->in.loop_last[NUM_SCHEDULERS - 1] = last;
    once(b);
    return (unsigned)b->out.footprint[NUM_SCHEDULERS - 1];
}

/* DAWS figure 6: a loop with one diverged load. Warp 0 enters with 32 lanes, warp 1 with 16, warp 2 with
 * 32; then 16 of warp 0's lanes have left. */
static void figure_6(void **unused)
{
    (void)unused;
    static struct bench b;
    open_bench(&b);
    assert_int_equal(lines_of(&b, 2, 0, 2, 32), 0);
    write_loop(&b, 2, 1, 0);
    assert_int_equal(lines_of(&b, 2, 0, 2, 32), 32);
    assert_int_equal(lines_of(&b, 2, 0, 2, 16), 16);
    assert_int_equal(lines_of(&b, 1, 0, 2, 32), 0);  /* the loop around it has no loads */
    assert_int_equal(lines_of(&b, 1, 2, 2, 32), 32); /* but it contains this one */
    b.in.active[0] = 7;
    b.in.next_loop[0] = 2;
    once(&b);
    assert_int_equal(b.out.closest[0], 7);
    b.in.start = b.in.write = 1; /* a start and a write: the start */
    b.in.write_loop = 2;
    b.in.write_diverged = 3;
    once(&b);
    assert_int_equal(lines_of(&b, 2, 0, 2, 32), 0);
}

/* DAWS example 1 and figure 1: cols[j] and val[j] are diverged; the vector is a texture's. Warp 0 needs a
 * line for each of its threads and array; one that is alone needs one. */
static void example_1(void **unused)
{
    (void)unused;
    static struct bench b;
    open_bench(&b);
    write_loop(&b, 1, 2, 0);
    assert_int_equal(lines_of(&b, 1, 0, 1, 32), 64);
    assert_int_equal(lines_of(&b, 1, 0, 1, 4), 8);
    assert_int_equal(lines_of(&b, 1, 0, 1, 1), 2);
    assert_int_equal(lines_of(&b, 1, 0, 1, 0), 0);
}

/* DAWS figure 5, the loads of BFS's loop: 240 and 272 diverged, 328, 400 and 408 converged, of which 400 and
 * 408 access one line. */
static void figure_5(void **unused)
{
    (void)unused;
    static struct bench b;
    static struct plain paper;
    static const struct plain_load loads[] = {{1, 240}, {1, 272}, {0, 328}, {0, 400}, {0, 400}};
    open_bench(&b);
    plain_start(&paper);
    for (unsigned i = 0; i < 5; i++)
        plain_add(&paper, 1, loads[i].is_diverged, loads[i].repetition);
    write_loop(&b, 1, 2, 2);
    assert_int_equal(lines_of(&b, 1, 0, 1, 26), 26 + 26 + 2 + 2);
    for (unsigned active = 0; active <= 32; active++)
        assert_int_equal(lines_of(&b, 1, 0, 1, active), plain_lines(&paper, 1, (int)active));
    paper.loads[1][4].is_diverged = 1; /* of one id: all count as diverged, once */
    write_loop(&b, 1, 3, 1);
    for (unsigned active = 0; active <= 32; active++)
        assert_int_equal(lines_of(&b, 1, 0, 1, active), plain_lines(&paper, 1, (int)active));
}

static void the_ends(void **unused)
{
    (void)unused;
    static struct bench b;
    const unsigned most = (1u << LOAD_BITS) - 1;
    open_bench(&b);
    for (unsigned loop = 0; loop <= LOOPS; loop++)
        write_loop(&b, loop, loop % 2 ? most : 0, loop % 2 ? 0 : most);
    for (unsigned loop = 1; loop <= LOOPS; loop++)
        assert_int_equal(lines_of(&b, loop, 0, loop, 63),
                         loop % 2 ? (most * 63 < 255 ? most * 63 : 255) : 2 * most);
    write_loop(&b, LOOPS, 0, 1); /* again: in place of what it had */
    assert_int_equal(lines_of(&b, LOOPS, 0, LOOPS, 63), 2);
    write_loop(&b, 0, 1, 1); /* no loop */
    assert_int_equal(lines_of(&b, 0, 0, 0, 32), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sequences), cmocka_unit_test(figure_6), cmocka_unit_test(example_1),
        cmocka_unit_test(figure_5),         cmocka_unit_test(the_ends),
    };
    return cmocka_run_group_tests_name("cmodel/daws_table", tests, NULL, NULL);
}
