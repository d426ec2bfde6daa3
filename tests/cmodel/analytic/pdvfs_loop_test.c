/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/pdvfs_loop_test.c: the control loop of P-DVFS (thesis figure 5.1), restated: when it acts, as a list of ticks; what it
 * adds up (5.26 to 5.30), from a record of all ticks; its table, from the periods written down one below the other. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cmodel/analytic/numbers.h"
#include "tests/cmodel/analytic/pdvfs_program.h"

static struct mckp_sum room[MCKP_ROOM_15_4];
static struct pdvfs loop;

static void defaults_are_those_of_the_thesis(void **unused)
{
    (void)unused;
    const struct pdvfs_settings s = settings();
    assert_true(s.a == 0.2 && s.control_ticks == 100 && s.scaling_ticks == 3 && s.points == 20);
    assert_true(s.slots == 15 && s.levels.num == 4 && s.window == 67);
    assert_true(s.left_first == 1e9 && s.left_most == 30e9 && s.total == 0);
    for (unsigned i = 0; i < 14; i++)
        near(s.edge[i], 0.001 * (i + 1), 1e-12);
    for (unsigned j = 0; j < 4; j++)
        near(s.levels.hz[j], 1e9 * (1.2 + 0.4 * j), 1e-12);
    /* Switching takes 200 us at most, of 30 ms (5.2.2). */
    assert_true(200e-6 / (s.scaling_ticks * 0.01) < 0.007);
    assert_int_equal(pdvfs_slot(s.edge, 15, 0), 0);
    assert_int_equal(pdvfs_slot(s.edge, 15, 0.0035), 3);
    assert_int_equal(pdvfs_slot(s.edge, 15, s.edge[3]), 4);
    assert_int_equal(pdvfs_slot(s.edge, 15, 99), 14);
    assert_int_equal(pdvfs_slot(s.edge, 1, 99), 0);
}

/* Ticks at which levels change, tables change: control has the first say, and makes scaling begin anew. */
static void it_acts_when_figure_5_1_says(void **unused)
{
    (void)unused;
    struct pdvfs_settings s = settings();
    s.control_ticks = 10;
    s.scaling_ticks = 4;
    assert_int_equal(pdvfs_start(&loop, &s), PDVFS_OK);
    assert_int_equal(loop.level, 3);
    unsigned long controls = 0, periods = 0;
    for (unsigned t = 1; t <= 200; t++) {
        const unsigned in = (t - 1) % 10 + 1; /* 4 and 8 scale, 10 controls */
        const unsigned before = loop.level;
        unsigned table[PDVFS_SLOTS];
        memcpy(table, loop.table, sizeof table);
        const double mpi = t / 4 % 2 ? 0.0123 : 0.0011;
        const struct pdvfs_sample x = sample(mpi, loop.level);
        const double retired = loop.remaining.retired;
        assert_int_equal(pdvfs_tick(&loop, &x, room, MCKP_ROOM_15_4), PDVFS_OK);
        controls += in == 10;
        periods += in == 4 || in == 8 || in == 10;
        assert_int_equal(loop.controls, controls);
        assert_int_equal(loop.periods, periods);
        assert_int_equal(loop.t1, in % 10);
        assert_int_equal(loop.t2, in == 10 ? 0 : in % 4);
        if (in != 10)
            assert_memory_equal(table, loop.table, sizeof table);
        if (in != 4 && in != 8)
            assert_int_equal(loop.level, before);
        if (in != 4 && in != 8 && in != 10)
            assert_true(loop.remaining.retired == retired);
    }
    assert_int_equal(loop.fallbacks, 0);
    assert_true(loop.level != 3 || loop.table[12] != 3); /* it has come down somewhere */
}

/* The level is that of the slot in which the period was that has just ended. */
static void the_level_is_that_of_the_last_period(void **unused)
{
    (void)unused;
    struct pdvfs_settings s = settings();
    assert_int_equal(pdvfs_start(&loop, &s), PDVFS_OK);
    for (unsigned i = 0; i < 15; i++)
        loop.table[i] = i % 4;
    for (unsigned t = 0; t < 99; t++) {
        const unsigned slot = (unsigned)(uniform() * 15);
        struct pdvfs_sample x = sample(0.001 * (slot + 0.5), loop.level);
        const unsigned before = loop.level;
        /* Two ticks of another slot that together weigh less than the third. */
        x.instructions *= 1e-3;
        x.events[PDVFS_L2_MISS] *= t % 3 == 2 ? 1e-3 : 0;
        if (t % 3 == 2) {
            x.instructions *= 1e6;
            x.events[PDVFS_L2_MISS] *= 1e6;
        }
        assert_int_equal(pdvfs_tick(&loop, &x, room, MCKP_ROOM_15_4), PDVFS_OK);
        assert_int_equal(loop.level, t % 3 == 2 ? slot % 4 : before);
    }
    /* A period in which nothing retired leaves the level alone, and is no point of the fit. */
    const struct pdvfs_sample none = {.seconds = 0.01};
    assert_int_equal(pdvfs_start(&loop, &s), PDVFS_OK);
    loop.table[0] = 0;
    for (unsigned t = 0; t < 3; t++)
        assert_int_equal(pdvfs_tick(&loop, &none, room, MCKP_ROOM_15_4), PDVFS_OK);
    assert_int_equal(loop.level, 3);
    assert_int_equal(loop.periods, 0);
    near(loop.elapsed_highest, 0.03, 1e-12);
}

/* (5.26) to (5.30), from a record of every tick. The program is as (5.3) has it, so that all can be known: at the highest frequency it would
 * have taken exactly so long. */
static void time_at_the_highest_frequency_is_found_again(void **unused)
{
    (void)unused;
    struct pdvfs_settings s = settings();
    s.total = 100e9;
    assert_int_equal(pdvfs_start(&loop, &s), PDVFS_OK);
    double elapsed = 0, highest = 0, retired = 0, in_period = 0, window[67][2];
    unsigned long periods = 0, lower = 0;
    double period[2] = {0};
    for (unsigned t = 1; t <= 2000; t++) {
        const double mpi = 0.014 * uniform();
        const struct pdvfs_sample x = sample(mpi, loop.level);
        const unsigned in = (t - 1) % 100 + 1;
        elapsed += x.seconds;
        highest += x.instructions * (7e-8 * mpi + 0.9 / 2.4e9);
        in_period += x.instructions;
        period[0] += x.instructions;
        period[1] += x.events[PDVFS_L2_MISS];
        lower += loop.level < 3;
        assert_int_equal(pdvfs_tick(&loop, &x, room, MCKP_ROOM_15_4), PDVFS_OK);
        near(loop.elapsed, elapsed, 1e-10);
        near(loop.elapsed_highest, highest, 1e-8);
        if (in % 3 == 0 || in == 100) {
            window[periods++ % 67][0] = period[0];
            window[(periods - 1) % 67][1] = period[1];
            period[0] = period[1] = 0;
            retired += in_period;
            in_period = 0;
            near(loop.remaining.left, 100e9 - retired, 1e-10);
            continue; /* T_fmax is that of the tick before, but for a control point */
        }
        if (t < 100)
            continue;
        double instructions = 0, misses = 0;
        for (unsigned i = 0; i < 67 && i < periods; i++) {
            instructions += window[i][0];
            misses += window[i][1];
        }
        near(loop.t_highest,
             highest + (100e9 - retired) * (7e-8 * misses / instructions + 0.9 / 2.4e9), 1e-8);
    }
    assert_true(lower > 500);
    assert_int_equal(loop.fallbacks, 0);
    near(loop.speed.c1, 7e-8, 1e-6);
    near(loop.speed.c2, 0.9, 1e-6);
}

/* The table is what (5.31) to (5.33) give for the last 67 periods: shares, means of MPI and events written down anew. */
static void the_table_is_that_of_the_window(void **unused)
{
    (void)unused;
    struct pdvfs_settings s = settings();
    s.a = 0.1;
    assert_int_equal(pdvfs_start(&loop, &s), PDVFS_OK);
    static struct pdvfs_sample record[2000];
    unsigned periods = 0;
    struct pdvfs_sample now = {0};
    for (unsigned t = 1; t <= 1500; t++) {
        const double mpi = t < 700 ? 0.004 * uniform() : 0.002 + 0.01 * uniform();
        const struct pdvfs_sample x = sample(mpi, loop.level);
        now.instructions += x.instructions;
        now.events[PDVFS_L2_MISS] += x.events[PDVFS_L2_MISS];
        now.events[PDVFS_FP] += x.events[PDVFS_FP];
        assert_int_equal(pdvfs_tick(&loop, &x, room, MCKP_ROOM_15_4), PDVFS_OK);
        const unsigned in = (t - 1) % 100 + 1;
        if (in % 3 && in != 100)
            continue;
        record[periods++] = now;
        now = (struct pdvfs_sample){0};
        if (in != 100)
            continue;
        struct pdvfs_slots slots = {.num = 15};
        double all = 0;
        for (unsigned p = periods > 67 ? periods - 67 : 0; p < periods; p++) {
            const struct pdvfs_sample *r = &record[p];
            const unsigned i =
                (unsigned)fmin(14, r->events[PDVFS_L2_MISS] / r->instructions / 0.001);
            all += r->instructions;
            slots.share[i] += r->instructions;
            slots.mpi[i] += r->events[PDVFS_L2_MISS];
            slots.events[i][PDVFS_FP] += r->events[PDVFS_FP];
        }
        for (unsigned i = 0; i < 15; i++)
            if (slots.share[i] > 0) {
                slots.mpi[i] /= slots.share[i];
                slots.events[i][PDVFS_FP] /= slots.share[i];
                slots.share[i] /= all;
            }
        struct pdvfs_table table;
        unsigned level[PDVFS_SLOTS];
        assert_int_equal(pdvfs_predict(&s.levels, &loop.speed, &s.power, &slots, &table), PDVFS_OK);
        assert_int_equal(pdvfs_solve(&slots, &table,
                                     (1.1 * loop.t_highest - loop.elapsed) / loop.remaining.left,
                                     &s.rules, room, MCKP_ROOM_15_4, level),
                         loop.control);
        assert_memory_equal(level, loop.table, 15 * sizeof *level);
    }
}

/* I_r step by step. In 10^9: starts at 1, is all that has retired when it falls below 1, at most 30. */
static void remaining_instructions_are_guessed(void **unused)
{
    (void)unused;
    struct pdvfs_remaining r = {.first = 1, .most = 30, .left = 1};
    const double once[] = {0.4, 0.8, 1.2, 1.6, 1.2, 2.4, 2, 1.6, 1.2, 4};
    for (unsigned i = 0; i < 10; i++) {
        pdvfs_remaining_add(&r, 0.4);
        near(r.left, once[i], 1e-9);
    }
    /* As printed: after the reset at 1.6, all since then is taken away at each point: 0.4, then 0.8. */
    struct pdvfs_remaining p = {.rule = PDVFS_LEFT_PRINTED, .first = 1, .most = 30, .left = 1};
    const double printed[] = {0.4, 0.8, 1.2, 1.6, 1.2, 2.4, 2, 1.2, 3.6, 3.2, 2.4, 1.2, 5.2};
    for (unsigned i = 0; i < 13; i++) {
        pdvfs_remaining_add(&p, 0.4);
        near(p.left, printed[i], 1e-9);
    }
    double most = 0;
    for (unsigned i = 0; i < 1000; i++) {
        pdvfs_remaining_add(&r, 0.4);
        most = fmax(most, r.left);
    }
    near(most, 30, 1e-12);
    struct pdvfs_remaining known = {.total = 10, .left = 10};
    pdvfs_remaining_add(&known, 4);
    near(known.left, 6, 1e-12); /* (5.28) */
    pdvfs_remaining_add(&known, 7);
    near(known.left, -1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_thesis),
        cmocka_unit_test(it_acts_when_figure_5_1_says),
        cmocka_unit_test(the_level_is_that_of_the_last_period),
        cmocka_unit_test(time_at_the_highest_frequency_is_found_again),
        cmocka_unit_test(the_table_is_that_of_the_window),
        cmocka_unit_test(remaining_instructions_are_guessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
