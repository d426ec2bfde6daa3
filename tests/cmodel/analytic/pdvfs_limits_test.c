/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/pdvfs_limits_test.c: the control loop of P-DVFS where nothing can be solved, learned or believed: what it does then, and what
 * it refuses. */
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

/* Whatever cannot be solved: the highest frequency everywhere, and a reason. */
static void what_cannot_be_solved_runs_fast(void **unused)
{
    (void)unused;
    struct pdvfs_settings s = settings();
    const enum pdvfs_error reasons[] = {PDVFS_LATE, PDVFS_ROOM, PDVFS_WATTS, PDVFS_FIT, PDVFS_LATE};
    for (unsigned c = 0; c < 5; c++) {
        s = settings();
        if (c == 0 || c == 4)
            s.total = 1e8; /* that many have retired long before the first second ends */
        if (c == 2)
            s.power.b[0] = -99;
        assert_int_equal(pdvfs_start(&loop, &s), PDVFS_OK);
        for (unsigned i = 0; i < 15; i++)
            loop.table[i] = 0;
        if (c == 4)
            loop.elapsed =
                100; /* negative time for a negative number of instructions: a limit above 0 */
        for (unsigned t = 0; t < 100; t++) {
            struct pdvfs_sample x = sample(0.014 * uniform(), loop.level);
            if (c == 3)
                x = (struct pdvfs_sample){.seconds = 0.01};
            assert_int_equal(pdvfs_tick(&loop, &x, room, c == 1 ? 2 : MCKP_ROOM_15_4), PDVFS_OK);
        }
        assert_int_equal(loop.control, reasons[c]);
        assert_int_equal(loop.fallbacks, 1);
        for (unsigned i = 0; i < 15; i++)
            assert_int_equal(loop.table[i], 3);
    }
}

/* Too late by far: with the printed reading the loop takes the least energy, which is the lowest frequency of a program that waits for memory. */
static void the_printed_reading_of_late_slows_down(void **unused)
{
    (void)unused;
    for (unsigned late = 0; late < 2; late++) {
        struct pdvfs_settings s = settings();
        s.rules.late = (enum pdvfs_late)late;
        s.total = 1e9;
        s.control_ticks = 30;
        assert_int_equal(pdvfs_start(&loop, &s), PDVFS_OK);
        /* Waits of which the counters say nothing. */
        const struct pdvfs_sample wait = {.seconds = 100};
        for (unsigned t = 0; t < 30; t++) {
            const struct pdvfs_sample x = sample(0.0145 + 0.0001 * (t % 5), loop.level);
            if (t == 0)
                loop.elapsed += wait.seconds;
            assert_int_equal(pdvfs_tick(&loop, &x, room, MCKP_ROOM_15_4), PDVFS_OK);
        }
        assert_int_equal(loop.control, late ? PDVFS_OK : PDVFS_LATE);
        assert_int_equal(loop.table[14], late ? 0 : 3);
    }
}

/* One MPI, one frequency: c1 cannot be told from c2. Taken as 0 it forbids what might be too slow; a c1 that is known is kept. */
static void points_that_lie_together_give_their_mean(void **unused)
{
    (void)unused;
    struct pdvfs_settings s = settings();
    s.a = 0.05;
    assert_int_equal(pdvfs_start(&loop, &s), PDVFS_OK);
    for (unsigned t = 0; t < 200; t++) {
        const struct pdvfs_sample x = sample(0.0085, loop.level);
        assert_int_equal(pdvfs_tick(&loop, &x, room, MCKP_ROOM_15_4), PDVFS_OK);
    }
    assert_int_equal(loop.control, PDVFS_OK);
    assert_true(loop.speed.c1 == 0);
    near(loop.speed.c2, 0.9 + 7e-8 * 0.0085 * 2.4e9, 1e-9);
    assert_int_equal(loop.level, 3); /* 2.0 GHz might take 20 % longer */
    loop.speed = (struct pdvfs_speed){7e-8, 55};
    for (unsigned t = 0; t < 100; t++) {
        const struct pdvfs_sample x = sample(0.0085, loop.level);
        assert_int_equal(pdvfs_tick(&loop, &x, room, MCKP_ROOM_15_4), PDVFS_OK);
        if (t == 98)
            assert_true(loop.speed.c1 == 7e-8);
    }
    near(loop.speed.c2, 0.9, 1e-9);
}

static void bad_settings_and_samples_are_errors(void **unused)
{
    (void)unused;
    const struct pdvfs_settings good = settings();
    struct pdvfs_settings s;
#define TRY(change, error)                                                                         \
    do {                                                                                           \
        s = good;                                                                                  \
        change;                                                                                    \
        assert_int_equal(pdvfs_start(&loop, &s), error);                                           \
    } while (0)
    TRY(s.control_ticks = 0, PDVFS_SIZE);
    TRY(s.scaling_ticks = 0, PDVFS_SIZE);
    TRY(s.window = 0, PDVFS_SIZE);
    TRY(s.window = PDVFS_WINDOW + 1, PDVFS_SIZE);
    TRY(s.points = 1, PDVFS_SIZE);
    TRY(s.points = PDVFS_POINTS + 1, PDVFS_SIZE);
    TRY(s.slots = 0, PDVFS_SIZE);
    TRY(s.slots = PDVFS_SLOTS + 1, PDVFS_SIZE);
    TRY(s.levels.num = 0, PDVFS_SIZE);
    TRY(s.a = NAN, PDVFS_RANGE);
    TRY(s.a = -0.1, PDVFS_RANGE);
    TRY(s.total = INFINITY, PDVFS_RANGE);
    TRY(s.left_first = 0, PDVFS_RANGE);
    TRY(s.left_most = s.left_first / 2, PDVFS_RANGE);
    TRY(s.edge[3] = NAN, PDVFS_RANGE);
    TRY(s.edge[3] = s.edge[2], PDVFS_RISING);
    TRY(s.levels.hz[1] = 9e9, PDVFS_RISING);
    TRY((void)0, PDVFS_OK);
    const double bad[] = {NAN, INFINITY, -1};
    struct pdvfs_sample x = sample(0.005, 3);
    assert_int_equal(pdvfs_tick(&loop, &x, room, MCKP_ROOM_15_4), PDVFS_OK);
    const struct pdvfs before = loop;
    for (unsigned b = 0; b < 3; b++)
        for (unsigned member = 0; member < 3; member++) {
            x = sample(0.005, 3);
            *(member == 0   ? &x.seconds
              : member == 1 ? &x.instructions
                            : &x.events[PDVFS_BRANCH]) = bad[b];
            assert_int_equal(pdvfs_tick(&loop, &x, room, MCKP_ROOM_15_4), PDVFS_RANGE);
        }
    x = sample(0.005, 3);
    x.seconds = 0;
    assert_int_equal(pdvfs_tick(&loop, &x, room, MCKP_ROOM_15_4), PDVFS_RANGE);
    x = sample(0.005, 3);
    x.instructions = 1e-300;
    assert_int_equal(pdvfs_tick(&loop, &x, room, MCKP_ROOM_15_4), PDVFS_RANGE);
    assert_memory_equal(&before, &loop, sizeof loop);
}

/* As large as may be, as few as may be: nothing but numbers comes out, and levels that there are. */
static void extreme_samples_do_no_harm(void **unused)
{
    (void)unused;
    const struct pdvfs_settings s = settings();
    const double sizes[] = {1e-99, 1e-9, 1, 1e9, 1e100};
    assert_int_equal(pdvfs_start(&loop, &s), PDVFS_OK);
    for (unsigned t = 0; t < 3000; t++) {
        struct pdvfs_sample x = {.seconds = sizes[(unsigned)(uniform() * 5)],
                                 .instructions = sizes[2 + (unsigned)(uniform() * 3)]};
        for (unsigned e = 0; e < NUM_PDVFS_EVENTS; e++)
            x.events[e] = sizes[(unsigned)(uniform() * 5)];
        assert_int_equal(pdvfs_tick(&loop, &x, room, MCKP_ROOM_15_4), PDVFS_OK);
        assert_true(loop.level < 4);
        assert_true(!isnan(loop.elapsed_highest) && !isnan(loop.t_highest));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_solved_runs_fast),
        cmocka_unit_test(the_printed_reading_of_late_slows_down),
        cmocka_unit_test(points_that_lie_together_give_their_mean),
        cmocka_unit_test(bad_settings_and_samples_are_errors),
        cmocka_unit_test(extreme_samples_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
