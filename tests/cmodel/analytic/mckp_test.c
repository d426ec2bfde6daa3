/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/mckp_test.c: the multiple-choice knapsack, against all choices where they are few, and where they are many against a
 * table with a row per slot and a column per unit of weight, which is another dynamic program. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/analytic/mckp.h"
#include "tests/cmodel/analytic/numbers.h"

static struct mckp_sum room[MCKP_ROOM_15_4];

/* Numbers below `range`: small ranges have ties, and items that beat each other in nothing. */
static void random_problem(struct mckp *m, unsigned slots, unsigned levels, uint64_t range)
{
    uint64_t lightest = 0, heaviest = 0;
    m->slots = slots;
    m->levels = levels;
    for (unsigned s = 0; s < slots; s++) {
        uint64_t low = UINT64_MAX, high = 0;
        for (unsigned l = 0; l < levels; l++) {
            const uint64_t w = random_below(range), c = random_below(range);
            m->item[s][l] = (struct mckp_item){w, c};
            low = w < low ? w : low;
            high = w > high ? w : high;
        }
        lightest += low;
        heaviest += high;
    }
    m->limit =
        lightest + random_below(heaviest - lightest + 2); /* from the lightest choice to all */
}

static void sum_up(const struct mckp *m, const unsigned *level, uint64_t *weight, uint64_t *cost)
{
    *weight = *cost = 0;
    for (unsigned s = 0; s < m->slots; s++) {
        *weight += m->item[s][level[s]].weight;
        *cost += m->item[s][level[s]].cost;
    }
}

/* All choices: levels^slots of them. Is there one within the limit? */
static int try_all(const struct mckp *m, uint64_t *weight, uint64_t *cost)
{
    unsigned level[MCKP_SLOTS] = {0};
    int found = 0;
    for (;;) {
        uint64_t w, c;
        sum_up(m, level, &w, &c);
        if (w <= m->limit && (!found || c < *cost || (c == *cost && w < *weight))) {
            found = 1;
            *weight = w;
            *cost = c;
        }
        unsigned s = 0;
        while (s < m->slots && ++level[s] == m->levels)
            level[s++] = 0;
        if (s == m->slots)
            return found;
    }
}

static void check_answer(const struct mckp *m, const struct mckp_answer *a, uint64_t weight,
                         uint64_t cost)
{
    uint64_t w, c;
    sum_up(m, a->level, &w, &c);
    assert_int_equal(w, a->weight);
    assert_int_equal(c, a->cost);
    assert_int_equal(w, weight);
    assert_int_equal(c, cost);
}

static void no_choice_is_better(void **unused)
{
    (void)unused;
    const uint64_t ranges[] = {2, 5, 100, (uint64_t)1 << 50};
    for (unsigned round = 0; round < 4000; round++) {
        const unsigned slots = 1 + (unsigned)random_below(6),
                       levels = 1 + (unsigned)random_below(4);
        struct mckp m;
        struct mckp_answer a;
        uint64_t weight = 0, cost = 0;
        random_problem(&m, slots, levels, ranges[round % 4]);
        assert_true(try_all(&m, &weight, &cost));
        assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_OK);
        check_answer(&m, &a, weight, cost);
    }
}

/* The cheapest choice of each exact weight, slot by slot. */
#define COLUMNS 700
static uint64_t by_table(const struct mckp *m)
{
    static uint64_t cheapest[MCKP_SLOTS + 1][COLUMNS];
    memset(cheapest, 0xff, sizeof cheapest);
    cheapest[0][0] = 0;
    for (unsigned s = 0; s < m->slots; s++)
        for (unsigned w = 0; w < COLUMNS; w++)
            for (unsigned l = 0; cheapest[s][w] != UINT64_MAX && l < m->levels; l++) {
                const uint64_t to = w + m->item[s][l].weight,
                               cost = cheapest[s][w] + m->item[s][l].cost;
                if (to < COLUMNS && cost < cheapest[s + 1][to])
                    cheapest[s + 1][to] = cost;
            }
    uint64_t least = UINT64_MAX;
    for (unsigned w = 0; w <= m->limit && w < COLUMNS; w++)
        least = cheapest[m->slots][w] < least ? cheapest[m->slots][w] : least;
    return least;
}

static void many_slots_are_as_a_table_has_them(void **unused)
{
    (void)unused;
    for (unsigned round = 0; round < 300; round++) {
        struct mckp m;
        struct mckp_answer a;
        const unsigned slots = 7 + (unsigned)random_below(25);
        random_problem(&m, slots, 4, 20);
        assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_OK);
        check_answer(&m, &a, a.weight, by_table(&m));
        assert_true(a.weight <= m.limit);
    }
}

static void equal_items_give_the_first(void **unused)
{
    (void)unused;
    struct mckp m = {.slots = 3, .levels = 3, .limit = 100};
    for (unsigned s = 0; s < 3; s++)
        for (unsigned l = 0; l < 3; l++)
            m.item[s][l] = (struct mckp_item){5, 7};
    struct mckp_answer a;
    assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_OK);
    for (unsigned s = 0; s < 3; s++)
        assert_int_equal(a.level[s], 0);
    assert_int_equal(a.kept, 1);
}

/* 15 slots with 4 levels, SPI and power as in thesis 5.3: how many sums are kept. */
static void a_problem_of_p_dvfs_stays_small(void **unused)
{
    (void)unused;
    size_t most = 0, all = 0;
    for (unsigned round = 0; round < 200; round++) {
        double weight[60], cost[60], share[15], shares = 0, least = 0;
        for (unsigned s = 0; s < 15; s++)
            shares += share[s] = uniform();
        for (unsigned s = 0; s < 15; s++) {
            const double mpi = 0.006 * (s + 0.5) / 15;
            for (unsigned l = 0; l < 4; l++) {
                const double ghz = 1.2 + 0.4 * l, spi = 7e-8 * mpi + 0.9e-9 / ghz,
                             watts = 4.8 + 2.3e-9 * 0.4 / spi - 3.6e-7 * mpi / spi +
                                     4.3 * pow(ghz, 1.5);
                weight[4 * s + l] = share[s] / shares * spi;
                cost[4 * s + l] = weight[4 * s + l] * watts;
            }
            least += weight[4 * s + 3];
        }
        struct mckp m;
        struct mckp_answer a;
        assert_int_equal(mckp_scale(weight, cost, 15, 4, least * (1 + 0.3 * uniform()), &m),
                         MCKP_OK);
        assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_OK);
        most = a.kept > most ? a.kept : most;
        all += a.kept;
    }
    printf("sums kept of 15 slots and 4 levels: %zu on average, %zu at most\n", all / 200, most);
    assert_true(most < MCKP_ROOM_15_4 / 2 / 4); /* what the header says is enough leaves a margin */
}

/* Weight against cost, one for one: no sum beats another, and all 4^15 would be kept. */
static void what_does_not_fit_is_refused(void **unused)
{
    (void)unused;
    struct mckp m;
    struct mckp_answer a;
    random_problem(&m, 15, 4, (uint64_t)1 << 50);
    uint64_t heaviest = 0;
    for (unsigned s = 0; s < 15; s++)
        for (unsigned l = 0; l < 4; l++) {
            m.item[s][l].cost = ((uint64_t)1 << 50) - m.item[s][l].weight;
            heaviest += m.item[s][l].weight;
        }
    m.limit = heaviest;
    assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_ROOM);
    m.slots = 2; /* sixteen sums */
    assert_int_equal(mckp_solve(&m, room, 2 * 16, &a), MCKP_OK);
    assert_int_equal(a.kept, 16);
    assert_int_equal(mckp_solve(&m, room, 2 * 15, &a), MCKP_ROOM);
    assert_int_equal(mckp_solve(&m, room, 1, &a), MCKP_ROOM);
    assert_int_equal(mckp_solve(&m, NULL, 0, &a), MCKP_ROOM);
}

/* What is said of scaling: within slots * unit, and nothing that is within the limit is lost. */
static void scaling_loses_nothing(void **unused)
{
    (void)unused;
    for (unsigned round = 0; round < 2000; round++) {
        const unsigned slots = 1 + (unsigned)random_below(5),
                       levels = 2 + (unsigned)random_below(2);
        const double in = pow(10, (int)random_below(40) - 20),
                     of = pow(10, (int)random_below(40) - 20);
        double w[MCKP_SLOTS * MCKP_LEVELS], c[MCKP_SLOTS * MCKP_LEVELS], weights = 0, costs = 0;
        for (unsigned i = 0; i < slots * levels; i++) {
            w[i] = in * uniform();
            c[i] = of * (uniform() - 0.5);
            weights +=
                w[i]; /* more than the largest sum: units are at most as large as assumed below */
            costs += fabs(c[i]);
        }
        /* A limit that some choice meets exactly, were it not for rounding. */
        double limit = 0;
        for (unsigned s = slots; s-- > 0;)
            limit += w[s * levels + random_below(levels)];
        struct mckp m;
        struct mckp_answer a;
        assert_int_equal(mckp_scale(w, c, slots, levels, limit, &m), MCKP_OK);
        assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_OK);
        double weight = 0, cost = 0, least = INFINITY;
        for (unsigned s = 0; s < slots; s++) {
            weight += w[s * levels + a.level[s]];
            cost += c[s * levels + a.level[s]];
        }
        unsigned choices = 1;
        for (unsigned s = 0; s < slots; s++)
            choices *= levels;
        for (unsigned i = 0; i < choices; i++) {
            double cw = 0, cc = 0;
            for (unsigned s = 0, left = i; s < slots; s++, left /= levels) {
                cw += w[s * levels + left % levels];
                cc += c[s * levels + left % levels];
            }
            if (cw <= limit && cc < least)
                least = cc;
        }
        assert_true(weight <= limit + slots * ldexp(weights, -49));
        assert_true(cost <= least + slots * ldexp(2 * costs, -49));
    }
}

/* A limit three units below the sum is exceeded, one a thousandth of a unit below is not: units are 2^-49 of 1. */
static void a_limit_is_kept_to_a_unit(void **unused)
{
    (void)unused;
    const double weight[2] = {1, 0.5}, cost[2] = {0, 1};
    struct mckp m;
    struct mckp_answer a;
    assert_int_equal(mckp_scale(weight, cost, 1, 2, 1 - 3 * ldexp(1, -49), &m), MCKP_OK);
    assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_OK);
    assert_int_equal(a.level[0], 1);
    assert_int_equal(mckp_scale(weight, cost, 1, 2, 1 - ldexp(1, -53), &m), MCKP_OK);
    assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_OK);
    assert_int_equal(a.level[0], 0);
}

/* Of items of one weight the cheapest alone, and no sum that the slots behind it make too heavy. */
static void no_sum_is_kept_in_vain(void **unused)
{
    (void)unused;
    struct mckp m = {.slots = 2,
                     .levels = 3,
                     .limit = 20,
                     .item = {{{1, 9}, {1, 8}, {1, 7}}, {{1, 1}, {1, 3}, {1, 2}}}};
    struct mckp_answer a;
    assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_OK);
    assert_int_equal(a.kept, 1);
    assert_int_equal(a.cost, 8);
    m.item[0][0].weight = 9;
    m.item[0][0].cost = 1; /* better, if there was room for 10 */
    m.item[1][0].weight = m.item[1][1].weight = m.item[1][2].weight = 12;
    assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_OK);
    assert_int_equal(a.kept, 1);
    assert_int_equal(a.cost, 8);
}

static void bad_problems_are_errors(void **unused)
{
    (void)unused;
    struct mckp m;
    struct mckp_answer a;
    random_problem(&m, 4, 3, 100);
    m.limit = 0;
    for (unsigned s = 0; s < 4; s++)
        m.item[s][0].weight = m.item[s][1].weight = m.item[s][2].weight = 1 + s;
    assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_INFEASIBLE);
    m.limit = 9;
    assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_INFEASIBLE);
    m.limit = 10;
    assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_OK);
    m.item[1][2].cost = (uint64_t)1 << 63;
    assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_RANGE);
    m.item[1][2].cost = 0;
    m.item[1][2].weight = UINT64_MAX;
    assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_RANGE);
    m.levels = 0;
    assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_SIZE);
    m.levels = MCKP_LEVELS + 1;
    assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_SIZE);
    m.levels = MCKP_LEVELS;
    m.slots = 16; /* 2^64 choices, one more than 64 bits can number */
    assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_SIZE);
    m.slots = MCKP_SLOTS + 1;
    m.levels = 2;
    assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_SIZE);
    m.slots = 0;
    assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_SIZE);
    const double good[2] = {1, 2}, bad[] = {NAN, INFINITY, -INFINITY, 1e301};
    for (unsigned b = 0; b < 4; b++) {
        const double one_bad[2] = {1, bad[b]};
        assert_int_equal(mckp_scale(one_bad, good, 1, 2, 5, &m), MCKP_RANGE);
        assert_int_equal(mckp_scale(good, one_bad, 1, 2, 5, &m), MCKP_RANGE);
    }
    assert_int_equal(mckp_scale((const double[]){-1, 1}, good, 1, 2, 5, &m), MCKP_RANGE);
    assert_int_equal(mckp_scale(good, good, 1, 2, NAN, &m), MCKP_RANGE);
    assert_int_equal(mckp_scale(good, good, 1, 2, -1e-300, &m), MCKP_INFEASIBLE);
    assert_int_equal(mckp_scale(good, good, 0, 2, 5, &m), MCKP_SIZE);
    assert_int_equal(mckp_scale((const double[]){0, 0}, (const double[]){3, 3}, 1, 2, 0, &m),
                     MCKP_OK);
    assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_OK);
    assert_int_equal(mckp_scale(good, good, 1, 2, INFINITY, &m), MCKP_OK); /* no limit */
    assert_int_equal(mckp_solve(&m, room, MCKP_ROOM_15_4, &a), MCKP_OK);
    assert_int_equal(a.level[0], 0);
    for (int e = MCKP_OK; e <= MCKP_ROOM; e++)
        for (int other = MCKP_OK; other < e; other++)
            assert_string_not_equal(mckp_reason((enum mckp_error)e),
                                    mckp_reason((enum mckp_error)other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_choice_is_better),
        cmocka_unit_test(many_slots_are_as_a_table_has_them),
        cmocka_unit_test(equal_items_give_the_first),
        cmocka_unit_test(a_problem_of_p_dvfs_stays_small),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(scaling_loses_nothing),
        cmocka_unit_test(a_limit_is_kept_to_a_unit),
        cmocka_unit_test(no_sum_is_kept_in_vain),
        cmocka_unit_test(bad_problems_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
