/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cmodel/analytic/power_assign_test.c: sets of cores and the assignment of a process (thesis 4.3.2, 4.4), restated: (4.2) as nested loops, (4.3) as a
 * table of who runs beside whom, weighted by how often. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/analytic/power.h"
#include "tests/cmodel/analytic/numbers.h"

/* A power that no sum of parts gives, so that each combination counts: processes hinder each other. */
#define MOST 4
struct world {
    double own[MOST][8], hinders[MOST][8];
    unsigned asked, fail_at;
    double wrong;
};

static double together(const struct world *w, const unsigned *running, unsigned cores)
{
    double sum = 0, hindered = 1;
    for (unsigned c = 0; c < cores; c++)
        hindered *= w->hinders[c][running[c]];
    for (unsigned c = 0; c < cores; c++)
        sum += w->own[c][running[c]];
    return sum * hindered;
}

static int predict(void *context, const unsigned *running, unsigned cores, double *watts)
{
    struct world *w = context;
    *watts = w->wrong != 0 ? w->wrong : together(w, running, cores);
    return ++w->asked == w->fail_at;
}

static struct world random_world(void)
{
    struct world w = {.asked = 0};
    for (unsigned c = 0; c < MOST; c++)
        for (unsigned p = 0; p < 8; p++) {
            w.own[c][p] = 8 + 12 * uniform();
            w.hinders[c][p] = 0.8 + 0.2 * uniform();
        }
    return w;
}

/* (4.2) */
static void all_combinations_are_averaged(void **unused)
{
    (void)unused;
    for (unsigned round = 0; round < 300; round++) {
        struct world w = random_world();
        const unsigned n[3] = {1 + (unsigned)(uniform() * 4), 1 + (unsigned)(uniform() * 4),
                               1 + (unsigned)(uniform() * 4)};
        double sum = 0, found;
        for (unsigned a = 0; a < n[0]; a++)
            for (unsigned b = 0; b < n[1]; b++)
                for (unsigned c = 0; c < n[2]; c++)
                    sum += together(&w, (const unsigned[]){a, b, c}, 3);
        assert_int_equal(power_core_set(n, 3, predict, &w, &found), POWER_OK);
        near(found, sum / (n[0] * n[1] * n[2]), 1e-12);
        assert_int_equal(w.asked, n[0] * n[1] * n[2]);
        assert_int_equal(power_core_set(n, 1, predict, &w, &found), POWER_OK);
        double alone[8];
        for (unsigned a = 0; a < n[0]; a++)
            alone[a] = w.own[0][a] * w.hinders[0][a];
        double turns;
        assert_int_equal(power_time_shared(alone, n[0], &turns), POWER_OK);
        near(found, turns, 1e-12);
    }
}

/* (4.3), scenarios 2 to 4: who runs beside whom, one row per combination with K among those of C, added up. */
static double table(const struct world *w, const struct power_assignment *a, double *measured)
{
    double sum = 0, without = 0;
    unsigned rows = 0, rows_without = 0;
    const unsigned last[3] = {a->processes[0], a->busy > 0 ? a->processes[1] - 1 : 0,
                              a->busy > 1 ? a->processes[2] - 1 : 0};
    for (unsigned k = 0; k <= last[0]; k++)
        for (unsigned p = 0; p <= last[1]; p++)
            for (unsigned q = 0; q <= last[2]; q++) {
                const double watts = together(w, (const unsigned[]){k, p, q}, 1 + a->busy) +
                                     (a->partners - a->busy) * a->idle;
                sum += watts;
                rows++;
                if (k < last[0]) {
                    without += watts;
                    rows_without++;
                }
            }
    *measured = rows_without ? without / rows_without : 0;
    return sum / rows + a->rest;
}

static void an_assignment_is_predicted(void **unused)
{
    (void)unused;
    unsigned scenarios[4] = {0};
    for (unsigned round = 0; round < 2000; round++) {
        struct world w = random_world();
        const unsigned processes[3] = {(unsigned)(uniform() * 4), 1 + (unsigned)(uniform() * 3),
                                       1 + (unsigned)(uniform() * 3)};
        struct power_assignment a = {.processes = processes,
                                     .busy = (unsigned)(uniform() * 3),
                                     .idle = 6 + uniform(),
                                     .alone = 15,
                                     .rest = 20 * uniform()};
        a.partners = a.busy + (unsigned)(uniform() * 3);
        scenarios[(processes[0] > 0) + 2 * (a.busy > 0)]++;
        struct power_assigned found;
        double right = table(&w, &a, &a.excluding);
        if (!a.busy && !processes[0])
            right = 15 + a.partners * a.idle + a.rest;
        if (!processes[0])
            a.excluding = NAN; /* not looked at: there is nobody without K */
        assert_int_equal(power_assign(&a, predict, &w, &found), POWER_OK);
        near(found.watts, right, 1e-12);
    }
    for (unsigned s = 0; s < 4; s++)
        assert_true(scenarios[s] > 100);
}

static void what_an_assignment_consists_of(void **unused)
{
    (void)unused;
    struct world w = random_world();
    const unsigned processes[3] = {2, 3, 4};
    const struct power_assignment a = {
        .partners = 3, .busy = 2, .processes = processes, .idle = 6, .excluding = 70, .rest = 5};
    struct power_assigned found;
    assert_int_equal(power_assign(&a, predict, &w, &found), POWER_OK);
    assert_true(found.combinations_ex == 24 && found.combinations_in == 12);
    assert_int_equal(w.asked, 12); /* those with K alone are predicted */
    double sum = 0;
    for (unsigned p = 0; p < 3; p++)
        for (unsigned q = 0; q < 4; q++)
            sum += together(&w, (const unsigned[]){2, p, q}, 3);
    near(found.including, sum / 12, 1e-13);
    near(found.watts, 6 + ((70. - 6) * 24 + sum) / 36 + 5, 1e-13);
}

/* The printed forms: an idle core that is counted although it works, an idle partner counted twice for the combinations without K. */
static void printed_forms_count_idle_cores_too_often(void **unused)
{
    (void)unused;
    struct world w = random_world();
    const unsigned none[1] = {0}, some[2] = {1, 1};
    struct power_assignment a = {
        .partners = 2, .processes = none, .idle = 6, .alone = 15, .rest = 30};
    struct power_assigned meant, printed;
    assert_int_equal(power_assign(&a, predict, &w, &meant), POWER_OK);
    a.idle_rule = POWER_IDLE_ADDED;
    assert_int_equal(power_assign(&a, predict, &w, &printed), POWER_OK);
    near(meant.watts, 2 * 6 + 15 + 30, 1e-14);
    near(printed.watts, 3 * 6 + 15 + 30, 1e-14);
    a.idle_rule = POWER_IDLE_REPLACED;
    a.processes = some;
    a.busy = 1;
    a.partners = 3;
    /* Two idle partners; the process that comes is the twin of the one that is there, so nothing may change. */
    w.own[0][1] = w.own[0][0];
    w.hinders[0][1] = w.hinders[0][0];
    a.excluding = 2 * 6 + together(&w, (const unsigned[]){0, 0}, 2);
    assert_int_equal(power_assign(&a, predict, &w, &meant), POWER_OK);
    near(meant.watts, a.excluding + 30, 1e-14);
    a.partners_rule = POWER_PARTNERS_TWICE;
    assert_int_equal(power_assign(&a, predict, &w, &printed), POWER_OK);
    near(printed.watts, a.excluding + 30 + 2 * 6 * 0.5, 1e-14);
}

static void too_many_combinations_are_refused(void **unused)
{
    (void)unused;
    struct world w = random_world();
    unsigned processes[POWER_CORES + 1];
    double watts;
    for (unsigned c = 0; c <= POWER_CORES; c++)
        processes[c] = 1;
    struct world flat = {.wrong = 3}; /* 3 W, whoever runs: looks at no table */
    assert_int_equal(power_core_set(processes, POWER_CORES, predict, &flat, &watts), POWER_OK);
    assert_int_equal(power_core_set(processes, POWER_CORES + 1, predict, &flat, &watts),
                     POWER_SIZE);
    processes[0] = 1024;
    processes[1] = 1024; /* 2^20: as many as may be */
    flat.asked = 0;
    assert_int_equal(power_core_set(processes, 2, predict, &flat, &watts), POWER_OK);
    assert_int_equal(flat.asked, 1u << 20);
    near(watts, 3, 1e-12);
    processes[2] = 2;
    assert_int_equal(power_core_set(processes, 3, predict, &w, &watts),
                     POWER_COMBINATIONS_TOO_MANY);
    processes[0] = processes[1] = 1 << 16; /* 2^32, which is 0 in 32 bits */
    assert_int_equal(power_core_set(processes, 2, predict, &w, &watts),
                     POWER_COMBINATIONS_TOO_MANY);
    for (unsigned c = 0; c < POWER_CORES; c++)
        processes[c] = 0xffffffff; /* their product would overflow */
    assert_int_equal(power_core_set(processes, POWER_CORES, predict, &w, &watts),
                     POWER_COMBINATIONS_TOO_MANY);
    struct power_assignment a = {.partners = 3, .busy = 3, .processes = processes};
    struct power_assigned assigned;
    assert_int_equal(power_assign(&a, predict, &w, &assigned), POWER_COMBINATIONS_TOO_MANY);
    processes[0] = 1;
    assert_int_equal(power_assign(&a, predict, &w, &assigned), POWER_COMBINATIONS_TOO_MANY);
    assert_int_equal(w.asked, 0);
}

static void bad_sets_are_errors(void **unused)
{
    (void)unused;
    const double bad[] = {NAN, INFINITY, -1, 1e101};
    double watts;
    for (unsigned b = 0; b < 4; b++) {
        struct world w = {.wrong = bad[b]};
        assert_int_equal(power_core_set((const unsigned[]){2}, 1, predict, &w, &watts),
                         POWER_RANGE);
        struct power_assignment a = {.partners = 1, .processes = (const unsigned[]){1}};
        struct power_assigned assigned;
        a.excluding = bad[b];
        assert_int_equal(power_assign(&a, predict, &w, &assigned), POWER_RANGE);
    }
    struct world w = random_world();
    w.fail_at = 3;
    assert_int_equal(power_core_set((const unsigned[]){2, 2}, 2, predict, &w, &watts),
                     POWER_PREDICTION);
    assert_int_equal(power_core_set((const unsigned[]){2, 0}, 2, predict, &w, &watts), POWER_SIZE);
    assert_int_equal(power_core_set((const unsigned[]){2}, 0, predict, &w, &watts), POWER_SIZE);
    struct power_assignment a = {
        .partners = 1, .busy = 2, .processes = (const unsigned[]){1, 1, 1}};
    struct power_assigned assigned;
    assert_int_equal(power_assign(&a, predict, &w, &assigned), POWER_SIZE);
    a.partners = POWER_CORES;
    assert_int_equal(power_assign(&a, predict, &w, &assigned), POWER_SIZE);
    /* P_ex below what the idle partners alone take. */
    a = (struct power_assignment){
        .partners = 5, .processes = (const unsigned[]){1}, .idle = 6, .excluding = 20};
    assert_int_equal(power_assign(&a, predict, &w, &assigned), POWER_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_combinations_are_averaged),
        cmocka_unit_test(an_assignment_is_predicted),
        cmocka_unit_test(what_an_assignment_consists_of),
        cmocka_unit_test(printed_forms_count_idle_cores_too_often),
        cmocka_unit_test(too_many_combinations_are_refused),
        cmocka_unit_test(bad_sets_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
