/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/camp_sharers.h: sharers of a cache of 16 ways for the tests of camp.h: programs that are drawn, or stand at a cliff, with
 * their growth; and the equations of an equilibrium. */
#ifndef HEDDLE_TESTS_CMODEL_ANALYTIC_CAMP_SHARERS_H
#define HEDDLE_TESTS_CMODEL_ANALYTIC_CAMP_SHARERS_H

#include "cmodel/analytic/camp.h"
#include "tests/cmodel/analytic/numbers.h"

#define A    16    /* ways */
#define ROOM 20000 /* accesses */

/* Programs, with room for their growth. */
static struct camp_program program[CAMP_SHARERS];
static struct camp_growth growth[CAMP_SHARERS];
static struct camp_sharer sharer[CAMP_SHARERS];
static double room[CAMP_SHARERS][ROOM];

static inline void grow(unsigned i, enum camp_past past, size_t places)
{
    assert_int_equal(camp_grow(&program[i].curve, A, past, room[i], places, &growth[i]), CAMP_OK);
    sharer[i] = (struct camp_sharer){&program[i], &growth[i]};
}

/* Of `lines` distances about half occur. */
static inline void draw_of(unsigned i, unsigned lines, double further)
{
    double hist[24], sum = further;
    for (unsigned k = 0; k < lines; k++)
        sum += hist[k] = between(0, 1) < .5 ? between(0, 1) : 0;
    if (sum == 0)
        sum = hist[lines - 1] = 1;
    for (unsigned k = 0; k < lines; k++)
        hist[k] /= sum;
    program[i] = (struct camp_program){
        .api = between(.001, .05), .beta = between(.5, 1.5), .alpha = between(-.3, 4)};
    assert_int_equal(camp_curve(hist, lines, further / sum, CAMP_FLAT, &program[i].curve), CAMP_OK);
    grow(i, CAMP_KEEP, ROOM);
}

static inline void draw(unsigned i)
{
    draw_of(i, 24, between(.02, 2));
}

/* All but `rest` of its accesses have the stack distance `at`. */
static inline void cliff(unsigned i, unsigned at, double rest, double api)
{
    double hist[24] = {0};
    hist[at - 1] = 1 - rest;
    program[i] = (struct camp_program){.api = api, .alpha = 1, .beta = 1};
    assert_int_equal(camp_curve(hist, 24, rest, CAMP_FLAT, &program[i].curve), CAMP_OK);
    grow(i, CAMP_KEEP, ROOM);
}

/* (3.10), (3.11): both zero? */
static inline void check_equations(const double *ways, unsigned num)
{
    double sum = 0;
    for (unsigned j = 0; j < num; j++) {
        const struct camp_program *a = &program[0], *b = &program[j];
        const double quotient =
            camp_accesses(&growth[0], ways[0]) / camp_accesses(&growth[j], ways[j]);
        within(quotient,
               a->api * (b->alpha * camp_mpa(&b->curve, ways[j]) + b->beta) /
                   (b->api * (a->alpha * camp_mpa(&a->curve, ways[0]) + a->beta)),
               1e-7);
        assert_true(ways[j] > 0);
        sum += ways[j];
    }
    within(sum, A, 1e-7);
}

#endif
