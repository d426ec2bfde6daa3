/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/dvfs/dvfs_test.c: the C reference against the loop of the thesis as plain.h restates it, under random inputs; points against
 * the counters t1 and t2 of figure 5.1; and by hand: slots, shares, tables, settling, what software is asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/dvfs/dvfs.h"
#include "cosim/stimulus.h"
#include "tests/cmodel/dvfs/plain.h"

void dvfs_stimulus(struct stimulus *, void *);

#define HIGHEST (DVFS_LEVELS - 1)

enum { IDLE, RUN, DIVIDE, SEARCH, LOOKUP, SETTLE, CONTROL }; /* fsm/dvfs.def, written again */
enum { EDGE = 1, ENTRY, COMMIT };

static struct bench {
    struct dvfs_state s;
    struct dvfs_in in;
    struct dvfs_out out;
    struct plain p;
    uint64_t clock;
    unsigned counted[DVFS_SLOTS], rested;
} bench;

static void open_bench(uint64_t clock)
{
    memset(&bench, 0, sizeof bench);
    dvfs_reset(&bench.s);
    plain_start(&bench.p);
    bench.clock = clock;
}

/* What software and SMs see is what the restatement says. */
static void assert_same(const struct bench *b)
{
    const struct plain *p = &b->p;
    assert_int_equal(b->out.counted, plain_looks_up(p) && b->in.run);
    assert_int_equal(b->out.change, plain_changes(p, &b->in));
    assert_int_equal(b->out.settling, plain_settles(p));
    assert_int_equal(b->s.level, p->level);
    assert_int_equal(b->s.irq, p->asks);
    if (b->out.counted)
        assert_int_equal(b->s.slot, p->slot);
    for (unsigned i = 0; i < DVFS_SLOTS; i++)
        assert_int_equal(b->s.histogram[i], p->shares[i]);
}

static void cycle(void)
{
    struct bench *b = &bench;
    b->in.clock = b->clock++ & PLAIN_ONES(DVFS_TIME_BITS + 1);
    dvfs_comb(&b->s, &b->in, &b->out);
    assert_same(b);
    if (b->out.counted)
        b->counted[b->s.slot]++;
    const struct dvfs_state before = b->s;
    dvfs_tick(&b->s, &b->in, &b->out);
    if (!b->out.busy) {
        assert_memory_equal(&before, &b->s, sizeof before);
        b->rested++;
    }
    plain_cycle(&b->p, &b->in);
}

/* In every cycle all is as the restatement has it. */
static void random_inputs(void **unused)
{
    (void)unused;
    long points = 0, controls = 0, changes = 0, late = 0;
    unsigned counted[DVFS_SLOTS] = {0}, rested = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct stimulus s = stimulus_start(seed);
        open_bench(s.clock);
        s.state = &bench.s;
        for (; s.cycle < 100000; stimulus_next(&s)) {
            dvfs_stimulus(&s, &bench.in);
            cycle();
        }
        points += bench.p.points;
        controls += bench.p.controls;
        changes += bench.p.changes;
        late += bench.p.late;
        rested += bench.rested;
        for (unsigned i = 0; i < DVFS_SLOTS; i++)
            counted[i] += bench.counted[i];
    }
    print_message(
        "points %ld, of them control points %ld, late %ld; changes %ld; cycles of rest %u\n",
        points, controls, late, changes, rested);
    assert_true(points > 10000 && controls > 1000 && late > 1000 && changes > 3000);
    assert_true(rested > 50000);
    for (unsigned i = 0; i < DVFS_SLOTS; i++)
        assert_true(counted[i] > 300);
}

/* ---- software ---- */

static void write(unsigned what, uint64_t index, uint64_t value)
{
    bench.in.write = what;
    bench.in.index = index;
    bench.in.value = value;
    cycle();
    bench.in.write = 0;
}

static void write_table(const uint64_t *level)
{
    for (unsigned i = 0; i < DVFS_SLOTS; i++)
        write(ENTRY, i, level[i]);
    write(COMMIT, 0, 0);
}

/* Slot i from i + 1 misses per 2^fraction instructions on; level i of slot i, as far as there are. */
static void prepare(uint64_t scaling, uint64_t control)
{
    uint64_t level[DVFS_SLOTS];
    open_bench(0);
    bench.in = (struct dvfs_in){.scaling = scaling, .control = control, .settle = 5};
    bench.in.fraction = CLOG2(DVFS_SLOTS);
    for (unsigned i = 0; i + 1 < DVFS_SLOTS; i++)
        write(EDGE, i, i + 1);
    for (unsigned i = 0; i < DVFS_SLOTS; i++)
        level[i] = i < HIGHEST ? i : HIGHEST;
    write_table(level);
    bench.in.run = 1;
    cycle();
}

static void tell(uint64_t issued, uint64_t missed)
{
    bench.in.issued = issued;
    bench.in.missed = missed;
    cycle();
    bench.in.issued = bench.in.missed = 0;
}

/* Until a period is counted, which must be soon. Returns its slot. */
static uint64_t counted_slot(void)
{
    for (unsigned n = 0; n < 400; n++) {
        cycle();
        if (bench.out.counted)
            return bench.s.slot;
    }
    fail_msg("no period is counted");
    return 0;
}

/* ---- by hand ---- */

/* Figure 5.1, word by word, a tick being a cycle: at which cycles a table is computed, and a frequency is set. */
static void points_are_those_of_figure_5_1(void **unused)
{
    (void)unused;
    static const unsigned lengths[][2] = {{60, 120}, {60, 110}, {61, 115}, {100, 60}, {64, 64}};
    for (unsigned l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        const unsigned t_scaling = lengths[l][0], t_control = lengths[l][1];
        unsigned t1 = 0, t2 = 0, found = 0;
        prepare(t_scaling, t_control);
        for (unsigned tick = 0; tick < 2000; tick++) {
            int control = 0, scaling = 0;
            t1++;
            t2++;
            if (t1 == t_control) {
                control = 1;
                t1 = t2 = 0;
            } else if (t2 == t_scaling) {
                scaling = 1;
                t2 = 0;
            }
            tell(1, 0);
            const int point = bench.s.state == DIVIDE && bench.s.step == 0;
            assert_int_equal(point, control || scaling);
            if (point)
                assert_int_equal(bench.s.by_control, control);
            found += (unsigned)point;
        }
        assert_true(found > 15);
    }
}

/* pdvfs_slot: below the first edge is slot 0, from the last one on the last; an edge belongs to the slot above. */
static void slots_begin_at_their_edges(void **unused)
{
    (void)unused;
    prepare(20, PLAIN_ONES(DVFS_TIME_BITS));
    const uint64_t many = UINT64_C(1) << CLOG2(DVFS_SLOTS);
    for (uint64_t misses = 0; misses <= DVFS_SLOTS + 1; misses++) {
        tell(many, misses);
        assert_int_equal(counted_slot(), misses < DVFS_SLOTS - 1 ? misses : DVFS_SLOTS - 1);
        tell(2 * many, misses ? 2 * misses - 1 : 0); /* just below */
        assert_int_equal(counted_slot(), misses < 1            ? 0
                                         : misses < DVFS_SLOTS ? misses - 1
                                                               : DVFS_SLOTS - 1);
    }
    tell(1, UINT64_C(1) << (DVFS_COUNT_BITS - 1)); /* a quotient that is too large for a count */
    assert_int_equal(counted_slot(), DVFS_SLOTS - 1);
}

/* Misses without instructions are nothing that a level could be found for. */
static void a_period_without_instructions_is_none(void **unused)
{
    (void)unused;
    prepare(10, 35);
    for (unsigned n = 0; n < 33; n++) {
        tell(0, 7);
        assert_int_equal(bench.s.state, RUN);
    }
    cycle();
    assert_int_equal(bench.s.state, RUN);
    cycle(); /* but software is asked */
    assert_int_equal(bench.s.state, CONTROL);
    assert_int_equal(bench.s.irq, 1);
    assert_int_equal(bench.s.level, HIGHEST);
}

/* poi_i: what two readings of the histogram differ by, of their sum. */
static void shares_are_those_of_instructions(void **unused)
{
    (void)unused;
    uint64_t before[DVFS_SLOTS], sum = 0;
    prepare(20, PLAIN_ONES(DVFS_TIME_BITS));
    memcpy(before, bench.s.histogram, sizeof before);
    for (unsigned n = 0; n < 4; n++) {
        tell(30, 0);
        assert_int_equal(counted_slot(), 0);
        tell(10, 10);
        assert_int_equal(counted_slot(), DVFS_SLOTS - 1);
    }
    for (unsigned i = 0; i < DVFS_SLOTS; i++)
        sum += bench.s.histogram[i] - before[i];
    assert_int_equal(sum, 160);
    assert_int_equal(bench.s.histogram[0] - before[0], 120);
    assert_int_equal(bench.s.histogram[DVFS_SLOTS - 1] - before[DVFS_SLOTS - 1], 40);
}

/* Nothing of a new table is used before it is committed, and then all of it. */
static void a_table_comes_as_a_whole(void **unused)
{
    (void)unused;
    prepare(20, PLAIN_ONES(DVFS_TIME_BITS));
    for (unsigned i = 0; i < DVFS_SLOTS; i++)
        write(ENTRY, i, i % 2);
    tell(8, 0);
    assert_int_equal(counted_slot(), 0);
    assert_int_equal(bench.s.level, 0);
    tell(8, 8);
    assert_int_equal(counted_slot(), DVFS_SLOTS - 1);
    assert_int_equal(bench.s.level, DVFS_SLOTS - 1 < HIGHEST ? DVFS_SLOTS - 1 : HIGHEST);
    write(COMMIT, 0, 0);
    tell(8, 8);
    assert_int_equal(counted_slot(), DVFS_SLOTS - 1);
    assert_int_equal(bench.s.level, (DVFS_SLOTS - 1) % 2);
    write(COMMIT, 0, 0); /* the table before is still there */
    tell(8, 8);
    counted_slot();
    assert_int_equal(bench.s.level, DVFS_SLOTS - 1 < HIGHEST ? DVFS_SLOTS - 1 : HIGHEST);
}

/* As many cycles as software says; the point that comes meanwhile is taken afterwards. */
static void a_change_takes_its_time(void **unused)
{
    (void)unused;
    prepare(1, PLAIN_ONES(DVFS_TIME_BITS));
    tell(8, 0);
    counted_slot();
    assert_int_equal(bench.s.level, 0);
    for (unsigned n = 0; n < 5; n++) {
        assert_int_equal(bench.s.state, SETTLE);
        tell(8, 8);
        assert_int_equal(bench.out.settling, 1);
    }
    assert_int_equal(bench.s.state, RUN);
    cycle();
    assert_int_equal(bench.s.state, DIVIDE);
    assert_int_equal(bench.s.divisor, 40);
}

/* A control point leaves the level alone; software is asked until it commits; meanwhile the old table holds. */
static void software_is_asked(void **unused)
{
    (void)unused;
    prepare(100, 150);
    tell(8, 0);
    assert_int_equal(counted_slot(), 0);
    assert_int_equal(bench.s.level, 0);
    tell(8, 8);
    assert_int_equal(counted_slot(), DVFS_SLOTS - 1);
    assert_int_equal(bench.s.level, 0);
    assert_int_equal(bench.s.state, CONTROL);
    tell(8, 8);
    assert_int_equal(counted_slot(), DVFS_SLOTS - 1);
    assert_int_not_equal(bench.s.level, 0);
    while (bench.s.state == SETTLE)
        cycle();
    assert_int_equal(bench.s.state, CONTROL);
    assert_int_equal(bench.s.irq, 1);
    write(COMMIT, 0, 0);
    assert_int_equal(bench.s.state, RUN);
    assert_int_equal(bench.s.irq, 0);
}

/* Stopped in any state it is idle, keeps its level, and begins anew; only a change is finished first. */
static void software_stops_it(void **unused)
{
    (void)unused;
    unsigned seen = 0;
    for (unsigned n = 1; n < 400; n++) {
        prepare(30, 70);
        for (unsigned i = 0; i < n; i++)
            tell(4, i % 64 < 30 ? 0 : 4);
        const uint64_t level = bench.s.level, state = bench.s.state;
        const int settles = state == SETTLE && bench.p.settles > bench.p.now;
        bench.in.run = 0;
        cycle();
        assert_int_equal(bench.s.state, settles ? SETTLE : IDLE);
        assert_int_equal(bench.s.level, level);
        for (unsigned i = 0; i < 5; i++)
            cycle();
        assert_int_equal(bench.s.state, IDLE);
        assert_int_equal(bench.s.irq, 0);
        bench.in.run = 1;
        cycle();
        for (unsigned i = 0; i < 29; i++)
            tell(1, 0);
        assert_int_equal(bench.s.state, RUN);
        cycle();
        assert_int_equal(bench.s.state, DIVIDE);
        assert_int_equal(bench.s.divisor, 29);
        seen |= 1u << state;
    }
    assert_int_equal(seen, 1u << RUN | 1u << DIVIDE | 1u << SEARCH | 1u << LOOKUP | 1u << SETTLE |
                               1u << CONTROL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_inputs),
        cmocka_unit_test(points_are_those_of_figure_5_1),
        cmocka_unit_test(slots_begin_at_their_edges),
        cmocka_unit_test(a_period_without_instructions_is_none),
        cmocka_unit_test(shares_are_those_of_instructions),
        cmocka_unit_test(a_table_comes_as_a_whole),
        cmocka_unit_test(a_change_takes_its_time),
        cmocka_unit_test(software_is_asked),
        cmocka_unit_test(software_stops_it),
    };
    return cmocka_run_group_tests_name("cmodel/dvfs", tests, NULL, NULL);
}
