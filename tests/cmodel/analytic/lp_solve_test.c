/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/lp_solve_test.c: a third opinion on the multiple-choice knapsack: the program that the thesis used (5.3.3) solves
 * the same problems, as integer programs with the variables x_ij of (5.9). Only this test needs it. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/analytic/mckp.h"
#include "tests/cmodel/analytic/numbers.h"
#include "tests/cosim/folder.h"

#define PROBLEM "problem.lp"

static struct mckp_sum room[MCKP_ROOM_15_4];

/* A sum over all variables, of what each weighs or costs. */
static void write_sum(FILE *f, const struct mckp *m, int weights)
{
    for (unsigned s = 0; s < m->slots; s++)
        for (unsigned l = 0; l < m->levels; l++)
            fprintf(f, " +%" PRIu64 " x%u_%u", weights ? m->item[s][l].weight : m->item[s][l].cost,
                    s, l);
}

static void write_problem(const char *file, const struct mckp *m)
{
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fprintf(f, "min:");
    write_sum(f, m, 0);
    fprintf(f, ";\n");
    write_sum(f, m, 1);
    fprintf(f, " <= %" PRIu64 ";\n", m->limit);
    for (unsigned s = 0; s < m->slots; s++) {
        for (unsigned l = 0; l < m->levels; l++)
            fprintf(f, " +x%u_%u", s, l);
        fprintf(f, " = 1;\n");
    }
    fprintf(f, "bin ");
    for (unsigned s = 0; s < m->slots; s++)
        for (unsigned l = 0; l < m->levels; l++)
            fprintf(f, "%sx%u_%u", s || l ? "," : "", s, l);
    fprintf(f, ";\n");
    assert_int_equal(fclose(f), 0);
}

/* The least cost, or -1 where lp_solve finds the problem infeasible. */
static double ask(const struct mckp *m)
{
    char line[256];
    write_problem(PROBLEM, m);
    FILE *answer = popen("lp_solve -S3 -e 1e-9 " PROBLEM, "r");
    assert_non_null(answer);
    double cost = -2;
    while (fgets(line, sizeof line, answer)) {
        sscanf(line, "Value of objective function: %lf", &cost);
        if (strstr(line, "infeasible"))
            cost = -1;
    }
    pclose(answer);
    if (cost == -2)
        fail_msg("lp_solve gives no answer; it is in the package lp-solve");
    return cost;
}

static void lp_solve_finds_the_same_cost(void **unused)
{
    (void)unused;
    unsigned infeasible = 0;
    for (unsigned round = 0; round < 100; round++) {
        struct mckp m = {.slots = 3 + (unsigned)random_below(13), .levels = 4};
        uint64_t lightest = 0, heaviest = 0;
        for (unsigned s = 0; s < m.slots; s++) {
            const uint64_t steps = 1 + random_below(1000);
            for (unsigned l = 0; l < 4; l++) /* a higher level takes less time and more energy */
                m.item[s][l] = (struct mckp_item){steps * (10 - l) + random_below(300),
                                                  steps * (3 + l) + random_below(300)};
            uint64_t low = UINT64_MAX, high = 0;
            for (unsigned l = 0; l < 4; l++) {
                low = m.item[s][l].weight < low ? m.item[s][l].weight : low;
                high = m.item[s][l].weight > high ? m.item[s][l].weight : high;
            }
            lightest += low;
            heaviest += high;
        }
        m.limit = lightest + random_below(heaviest - lightest);
        if (round % 10 == 9)
            m.limit = lightest - 1 - random_below(lightest / 2);
        struct mckp_answer a;
        const enum mckp_error error = mckp_solve(&m, room, MCKP_ROOM_15_4, &a);
        const double cost = ask(&m);
        if (cost < 0) {
            assert_int_equal(error, MCKP_INFEASIBLE);
            infeasible++;
            continue;
        }
        assert_int_equal(error, MCKP_OK);
        assert_true(cost > (double)a.cost - 0.5 && cost < (double)a.cost + 0.5);
    }
    assert_int_equal(infeasible, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lp_solve_finds_the_same_cost),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
