/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/camp_share_test.c: equilibria of sharers (thesis 3.3.5): what is found satisfies the equations as they stand in the text. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cmodel/analytic/camp_sharers.h"

static void several_sharers(void **unused)
{
    (void)unused;
    unsigned most = 0, all = 0;
    for (unsigned round = 0; round < 500; round++) {
        const unsigned num = 1 + round % CAMP_SHARERS;
        struct camp_share share;
        double guess[CAMP_SHARERS], aps[CAMP_SHARERS], sum = 0, total = 0;
        int fits = 1;
        for (unsigned i = 0; i < num; i++) {
            draw(i);
            total += aps[i] = camp_aps(&program[i], A);
        }
        assert_int_equal(camp_share(sharer, num, A, &share), CAMP_OK);
        assert_true(share.residual < 1e-9);
        check_equations(share.ways, num);
        camp_guess(sharer, num, A, guess);
        for (unsigned i = 0; i < num; i++) {
            fits &= A * aps[i] / total <= growth[i].top;
            sum += guess[i];
        }
        within(sum, A, 1e-9);
        for (unsigned i = 0; i < num && fits; i++)
            within(guess[i], A * aps[i] / total, 1e-9);
        most = share.iterations > most ? share.iterations : most;
        all += share.iterations;
    }
    print_message("iterations: %.1f on average, %u at most\n", all / 500., most);
    assert_true(most <= 8); /* as in table 3.4 */
}

/* The guess fills the cache, and nobody's table is exceeded; those below the end of theirs are in proportion to APS. */
static void check_guess(unsigned num)
{
    double guess[CAMP_SHARERS], sum = 0, low = INFINITY, high = 0;
    camp_guess(sharer, num, A, guess);
    for (unsigned i = 0; i < num; i++) {
        const double part = guess[i] / camp_aps(&program[i], A), top = fmin(growth[i].top, A);
        sum += guess[i];
        assert_true(guess[i] <= top);
        low = guess[i] < top ? fmin(low, part) : low;
        high = guess[i] < top ? fmax(high, part) : high;
    }
    near(sum, A, 1e-9);
    if (high > 0)
        near(low, high, 1e-9);
}

/* Programs that use a few lines and no more, beside others, at rates that differ by up to 10,000. Whoever has less than it uses has the same
 * T; whoever has all it uses has had it before that. */
static void some_have_all_they_use(void **unused)
{
    (void)unused;
    unsigned solved = 0, content = 0, failed = 0;
    for (unsigned round = 0; round < 1000; round++) {
        const unsigned num = 2 + round % (CAMP_SHARERS - 1);
        struct camp_share share;
        double low = INFINITY, high = 0, had = 0, sum = 0;
        for (unsigned i = 0; i < num; i++) {
            draw_of(i, 1 + (unsigned)between(0, 8), i % 2 ? between(.02, 1) : 0);
            program[i].api = exp(between(-9, 0));
        }
        const enum camp_error error = camp_share(sharer, num, A, &share);
        if (error != CAMP_ROOM_LEFT)
            check_guess(num);
        failed += error == CAMP_NOT_CONVERGED;
        if (error)
            continue;
        for (unsigned i = 0; i < num; i++) {
            const int all = growth[i].saturated && share.ways[i] > growth[i].top - 1e-6;
            const double t = camp_turnover(&sharer[i], share.ways[i]);
            content += (unsigned)all;
            had = all ? fmax(had, t) : had;
            low = all ? low : fmin(low, t);
            high = all ? high : fmax(high, t);
            sum += share.ways[i];
            assert_true(share.ways[i] > 0);
        }
        near(sum, A, 1e-7);
        near(low, high, 1e-7);
        assert_true(had <= high * (1 + 1e-7));
        solved++;
    }
    print_message("some have all they use: %u solved, %u not\n", solved, failed);
    assert_true(solved > 900 && content > 500 && failed < 20);
}

/* Programs that use 3 and 5 lines have them; what a streaming one does to them; and tables that end too early. */
static void small_programs(void **unused)
{
    (void)unused;
    struct camp_share share;
    struct camp_equilibria e;
    const double three[3] = {.5, .3, .2}, five[5] = {.2, .2, .2, .2, .2};
    for (unsigned i = 0; i < 2; i++) {
        program[i] = (struct camp_program){.api = 1, .alpha = 1, .beta = 1};
        assert_int_equal(camp_curve(i ? five : three, i ? 5 : 3, 0, CAMP_FLAT, &program[i].curve),
                         CAMP_OK);
        grow(i, CAMP_KEEP, ROOM);
    }
    assert_int_equal(camp_share(sharer, 2, A, &share), CAMP_ROOM_LEFT);
    within(share.ways[0], 3, 1e-9);
    within(share.ways[1], 5, 1e-9);
    assert_int_equal(camp_scan(sharer, A, CAMP_CAMP, &e), CAMP_ROOM_LEFT);
    within(e.first[0], 3, 1e-9);
    draw(1); /* takes all the rest */
    assert_int_equal(camp_scan(sharer, A, CAMP_CAMP, &e), CAMP_OK);
    assert_int_equal(e.num, 1);
    assert_true(e.first[0] > 1 && e.first[0] <= 3);
    assert_int_equal(camp_share(sharer, 2, A, &share), CAMP_OK);
    within(share.ways[0], e.first[0], 1e-6);
    grow(1, CAMP_KEEP, 6);
    assert_int_equal(camp_share(sharer, 2, A, &share), CAMP_NO_ROOM);
    assert_int_equal(camp_scan(sharer, A, CAMP_CAMP, &e), CAMP_NO_ROOM);
    grow(0, CAMP_KEEP, 3);
    assert_int_equal(camp_share(sharer, 2, A, &share), CAMP_NO_ROOM);
    assert_int_equal(camp_share(sharer, 0, A, &share), CAMP_BAD_SIZE);
    assert_int_equal(camp_share(sharer, CAMP_SHARERS + 1, A, &share), CAMP_BAD_SIZE);
    assert_int_equal(camp_share(sharer, 2, CAMP_WAYS + 1, &share), CAMP_BAD_SIZE);
    assert_int_equal(camp_scan(sharer, 0, CAMP_AB, &e), CAMP_BAD_SIZE);
    sharer[0].growth = NULL;
    assert_int_equal(camp_share(sharer, 2, A, &share), CAMP_NO_ROOM);
    assert_int_equal(camp_scan(sharer, A, CAMP_CAMP, &e), CAMP_NO_ROOM);
    program[1].beta = NAN;
    assert_int_equal(camp_share(sharer, 2, A, &share), CAMP_NOT_FINITE);
    assert_int_equal(camp_scan(sharer, A, CAMP_MB, &e), CAMP_NOT_FINITE);
}

/* One line that is used all the time, beside two programs that use more than there is, one ten times as often: it has one way, for which T
 * is the time of one access, and the others divide 15. */
static void a_hot_line(void **unused)
{
    (void)unused;
    const double one[1] = {1}, stream[2] = {.1, .1};
    struct camp_share share;
    for (unsigned i = 0; i < 3; i++) {
        program[i] = (struct camp_program){.api = i == 1 ? .1 : 1, .alpha = 1, .beta = 1};
        assert_int_equal(
            camp_curve(i ? stream : one, i ? 2 : 1, i ? .8 : 0, CAMP_FLAT, &program[i].curve),
            CAMP_OK);
        grow(i, CAMP_KEEP, ROOM);
    }
    assert_int_equal(camp_share(sharer, 3, A, &share), CAMP_OK);
    within(share.ways[0], 1, 1e-6);
    within(share.ways[1] + share.ways[2], 15, 1e-6);
    near(camp_turnover(&sharer[1], share.ways[1]), camp_turnover(&sharer[2], share.ways[2]), 1e-6);
    assert_true(camp_turnover(&sharer[0], 1) < camp_turnover(&sharer[1], share.ways[1]));
    assert_true(share.ways[1] < share.ways[2]);
}

/* A table that ends before the equilibrium is no equilibrium at its end, even where both tables together would fill the cache. */
static void short_tables(void **unused)
{
    (void)unused;
    const double stream[2] = {.1, .1};
    struct camp_share share;
    struct camp_equilibria e;
    for (unsigned i = 0; i < 3; i++) {
        program[i] = (struct camp_program){.api = 1, .alpha = 1, .beta = 1};
        assert_int_equal(camp_curve(stream, 2, .8, CAMP_FLAT, &program[i].curve), CAMP_OK);
        grow(i, CAMP_KEEP, ROOM);
    }
    for (unsigned cut = 0; cut < 2; cut++) {
        grow(cut, CAMP_KEEP, 6);
        assert_true(growth[cut].top > 4 && growth[cut].top < 5);
        assert_int_equal(camp_scan(sharer, A, CAMP_CAMP, &e), CAMP_NO_ROOM);
        assert_int_equal(camp_share(sharer, 2, A, &share), CAMP_NO_ROOM);
        assert_int_equal(camp_share(sharer, 3, A, &share), CAMP_NO_ROOM);
        grow(cut, CAMP_KEEP, ROOM);
    }
    /* It does not matter where the equilibrium lies before its end. */
    program[0].api = .1;
    grow(0, CAMP_KEEP, 6);
    assert_int_equal(camp_scan(sharer, A, CAMP_CAMP, &e), CAMP_OK);
    assert_int_equal(camp_share(sharer, 2, A, &share), CAMP_OK);
    within(share.ways[0], e.first[0], 1e-6);
    assert_true(share.ways[0] < 4);
}

/* Rates that differ by up to 396 orders of magnitude: an error, or ways of the cache. */
static void extremes(void **unused)
{
    (void)unused;
    const double rates[3] = {1e-99, 1, 1e99};
    unsigned solved = 0;
    for (unsigned i = 0; i < 3 * 3 * 3 * 3; i++) {
        struct camp_share share;
        cliff(0, 8, .1, rates[i % 3]);
        cliff(1, 3, .5, rates[i / 3 % 3]);
        for (unsigned k = 0; k < 2; k++)
            program[k].alpha = program[k].beta = rates[i / (k ? 27 : 9) % 3] / 2;
        const enum camp_error error = camp_share(sharer, 2, A, &share);
        assert_true(error == CAMP_OK || error == CAMP_NOT_CONVERGED);
        for (unsigned k = 0; k < 2; k++)
            assert_true(share.ways[k] >= 0 && share.ways[k] <= A);
        assert_false(isnan(share.residual));
        solved += !error;
    }
    assert_true(solved > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_sharers), cmocka_unit_test(some_have_all_they_use),
        cmocka_unit_test(small_programs),  cmocka_unit_test(a_hot_line),
        cmocka_unit_test(short_tables),    cmocka_unit_test(extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
