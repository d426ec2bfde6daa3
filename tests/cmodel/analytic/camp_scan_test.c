/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/camp_scan_test.c: all equilibria of two sharers, under CAMP, AB and MB (thesis 3.3.5, 3.5.3): they satisfy the equations as
 * they stand in the text, and a walk over a fine grid finds no others. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cmodel/analytic/camp_sharers.h"

/* Each equilibrium that a walk in steps of its own crosses; its models are written down from the text. */
static unsigned walk(enum camp_model model, double first[CAMP_EQUILIBRIA])
{
    unsigned num = 0;
    double before = -1;
    for (unsigned i = 1; i < 3001; i++) {
        const double s1 = A * i / 3001., s2 = A - s1, m1 = camp_mpa(&program[0].curve, s1),
                     m2 = camp_mpa(&program[1].curve, s2),
                     spi1 = program[0].alpha * m1 + program[0].beta,
                     spi2 = program[1].alpha * m2 + program[1].beta,
                     aps = program[0].api * spi2 / (program[1].api * spi1);
        const double now = model == CAMP_AB   ? s1 / s2 - aps
                           : model == CAMP_MB ? s1 / s2 * m2 - aps * m1
                                              : camp_accesses(&growth[0], s1) -
                                                    aps * camp_accesses(&growth[1], s2);
        if ((before < 0) != (now < 0))
            first[num++] = s1;
        before = now;
    }
    return num;
}

static void check_scan(enum camp_model model)
{
    double should[CAMP_EQUILIBRIA];
    struct camp_equilibria e;
    const unsigned num = walk(model, should);
    assert_int_equal(camp_scan(sharer, A, model, &e), CAMP_OK);
    assert_int_equal(e.num, num);
    for (unsigned i = 0; i < num; i++) {
        assert_true(fabs(e.first[i] - should[i]) <= A / 3000.);
        assert_int_equal(e.unstable >> i & 1, i % 2); /* every other one */
        if (model == CAMP_CAMP)
            check_equations((const double[]){e.first[i], A - e.first[i]}, 2);
    }
    double guess[CAMP_SHARERS];
    camp_guess(sharer, 2, A, guess);
    for (unsigned i = 0; i < num; i++)
        assert_true(fabs(e.first[e.answer] - guess[0]) <= fabs(e.first[i] - guess[0]));
}

static void two_sharers(void **unused)
{
    (void)unused;
    for (unsigned round = 0; round < 100; round++) {
        draw(0);
        draw(1);
        for (unsigned model = 0; model < 3; model++)
            check_scan((enum camp_model)model);
        struct camp_share share;
        struct camp_equilibria e;
        assert_int_equal(camp_share(sharer, 2, A, &share), CAMP_OK);
        assert_int_equal(camp_scan(sharer, A, CAMP_CAMP, &e), CAMP_OK);
        if (e.num == 1)
            within(e.first[0], share.ways[0], 1e-6);
    }
}

/* G^-1 and MPA are monotonic, but T is not: it is their product, SPI falls where G^-1 rises. 95 % at a distance of 8 make T(7) = 14.0 and
 * T(8) = 8.4; and pairs of such have three equilibria, or five. */
static void cliffs(void **unused)
{
    (void)unused;
    struct camp_equilibria e;
    cliff(0, 8, .05, 1);
    within(camp_turnover(&sharer[0], 7), 14, 1e-12); /* (3.9) */
    within(camp_turnover(&sharer[0], 8), 8.4, 1e-12);
    cliff(1, 10, .05, 1);
    check_scan(CAMP_CAMP);
    assert_int_equal(camp_scan(sharer, A, CAMP_CAMP, &e), CAMP_OK);
    assert_int_equal(e.num, 3);
    within(e.first[0], 5.935, 1e-3);
    within(e.first[1], 6.241, 1e-3);
    within(e.first[2], 8.330, 1e-3);
    cliff(0, 10, .1, 1);
    cliff(1, 10, .1, 1);
    assert_int_equal(camp_scan(sharer, A, CAMP_CAMP, &e), CAMP_OK);
    assert_int_equal(e.num, 5);
    within(e.first[0], 5.923, 1e-3);
    within(e.first[2], 8, 1e-12);
    within(e.first[4], A - e.first[0], 1e-6);
    assert_int_equal(e.unstable, 1u << 1 | 1u << 3);
    cliff(0, 8, .1, .7);
    cliff(1, 11, .1, 1);
    check_scan(CAMP_CAMP);
    assert_int_equal(camp_scan(sharer, A, CAMP_CAMP, &e), CAMP_OK);
    assert_int_equal(e.num, 5);
    /* Here the iteration stops short of the only one; the scan finds it. */
    cliff(0, 4, .2, 1);
    cliff(1, 10, .2, 1);
    struct camp_share share;
    assert_int_equal(camp_share(sharer, 2, A, &share), CAMP_OK);
    check_equations(share.ways, 2);
    within(share.ways[0], 5.6, 1e-6);
}

/* (3.18) is 0 : 0 wherever neither misses: the programs of 3 and 5 lines, with 3 to 11 ways of 16 for the first. */
static void misses_based_at_rest(void **unused)
{
    (void)unused;
    struct camp_equilibria e;
    const double hist[5] = {.2, .2, .2, .2, .2}, three[3] = {.5, .3, .2};
    for (unsigned i = 0; i < 2; i++) {
        program[i] = (struct camp_program){.api = 1, .alpha = 1, .beta = 1};
        assert_int_equal(camp_curve(i ? hist : three, i ? 5 : 3, 0, CAMP_FLAT, &program[i].curve),
                         CAMP_OK);
        sharer[i] = (struct camp_sharer){&program[i], NULL};
    }
    assert_int_equal(camp_scan(sharer, A, CAMP_MB, &e), CAMP_ROOM_LEFT);
    assert_int_equal(e.num, 1);
    within(e.first[0], 3, 1e-12);
    assert_int_equal(camp_scan(sharer, 7, CAMP_MB, &e), CAMP_OK);
    assert_int_equal(e.num, 1);
    assert_true(e.first[0] > 2 && e.first[0] < 3);
}

/* (3.17) with a step of the first one's misses within .02 ways, which its share of accesses follows from .9925 to 1.0075 of the other's: three
 * equilibria within .06 ways, of which the middle one is unstable. */
static void near_together(void **unused)
{
    (void)unused;
    struct camp_equilibria e;
    const double ratio[2] = {.9925, 1.0075};
    for (unsigned i = 0; i < 2; i++) {
        program[i] = (struct camp_program){.api = 1, .alpha = 1, .beta = 1};
        program[i].curve = (struct camp_curve){.num = 2, .ways = {0, 1}, .mpa = {1, .5}};
        sharer[i] = (struct camp_sharer){&program[i], NULL};
    }
    program[0].curve =
        (struct camp_curve){.num = 4,
                            .ways = {0, 1, 8, 8.02},
                            .mpa = {1, 1.5 / ratio[0] - 1, 1.5 / ratio[0] - 1, 1.5 / ratio[1] - 1}};
    check_scan(CAMP_AB);
    assert_int_equal(camp_scan(sharer, A, CAMP_AB, &e), CAMP_OK);
    assert_int_equal(e.num, 3);
    within(e.first[0], A * ratio[0] / (1 + ratio[0]), 1e-9);
    within(e.first[2], A * ratio[1] / (1 + ratio[1]), 1e-9);
    assert_int_equal(e.unstable, 1u << 1);
}

/* Two of a kind have half each in every model, as the row of art with itself has equal errors; AB and MB need no growth. */
static void two_of_a_kind(void **unused)
{
    (void)unused;
    double hist[12];
    for (unsigned k = 0; k < 12; k++)
        hist[k] = .06;
    for (unsigned i = 0; i < 2; i++) {
        program[i] = (struct camp_program){.api = .0225, .alpha = 446e-9, .beta = 1.34e-7};
        assert_int_equal(camp_curve(hist, 12, .28, CAMP_FLAT, &program[i].curve), CAMP_OK);
        grow(i, CAMP_KEEP, ROOM);
    }
    for (unsigned model = 0; model < 3; model++) {
        struct camp_sharer pair[2] = {sharer[0], sharer[1]};
        struct camp_equilibria e;
        if (model != CAMP_CAMP)
            pair[0].growth = pair[1].growth = NULL;
        assert_int_equal(camp_scan(pair, 12, (enum camp_model)model, &e), CAMP_OK);
        assert_int_equal(e.num, 1);
        within(e.first[0], 6, 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_sharers),          cmocka_unit_test(cliffs),
        cmocka_unit_test(misses_based_at_rest), cmocka_unit_test(near_together),
        cmocka_unit_test(two_of_a_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
