/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/claims/expr_test.c: the value of expressions over four runs, computed by hand; hostile
 * texts; and when a figure bears out another.
 *
 *   run         workload   mask.n  cycles  hits   kernels: a, b (cycles)
 *   gto         one             4     100    10            60, 40
 *   gto         two             4     400    40           400
 *   limited     one             2      50    30            10, 40
 *   limited     two             2     800    20           800
 *   limited     one             4     100    10   as the first, named twice
 *   lost        one             1       -     -   was not run */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/cli/claims/expr.h"
#include "tb/cli/claims/rule.h"
#include "tb/cli/sweep/memory.h"

static const struct setting four[] = {{"mask.n", "4"}, {"run.sched", "gto"}},
                            two[] = {{"mask.n", "2"}, {"run.sched", "gto"}},
                            one[] = {{"mask.n", "1"}};

static const struct point points[] = {
    {"gto", "tiny", "one", "", "", four, 2, "first", 1},
    {"gto", "tiny", "two", "", "--x=1", four, 2, "second", 1},
    {"limited", "tiny", "one", "", "", two, 2, "third", 2},
    {"limited", "tiny", "two", "", "--x=1", two, 2, "fourth", 2},
    {"limited", "tiny", "one", "", "", four, 2, "first", 2},
    {"lost", "tiny", "one", "", "", one, 1, "fifth", 3},
};

static int fetch(void *user, int point, const char *name, double *value, char why[128])
{
    static const struct {
        const char *run, *name;
        double value;
    } results[] = {
        {"first", "cycles", 100},
        {"first", "l1d.hits", 10},
        {"second", "cycles", 400},
        {"second", "l1d.hits", 40},
        {"third", "cycles", 50},
        {"third", "l1d.hits", 30},
        {"fourth", "cycles", 800},
        {"fourth", "l1d.hits", 20},
        {"first", "kernel.a.cycles", 60},
        {"first", "kernel.b.cycles", 40},
        {"third", "kernel.a.cycles", 10},
        {"third", "kernel.b.cycles", 40},
        {"second", "kernel.a.cycles", 400},
        {"fourth", "kernel.a.cycles", 800},
        {"first", "zero", 0},
    };
    assert_ptr_equal(user, points);
    if (!strcmp(points[point].text, "fifth")) {
        snprintf(why, 128, "not run");
        return -1;
    }
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        if (!strcmp(results[i].run, points[point].text) && !strcmp(results[i].name, name)) {
            *value = results[i].value;
            return 0;
        }
    return 1;
}

static int kernels(void *user, int point, const char ***names, struct arena *memory, char why[128])
{
    static const char *const both[] = {"a", "b"};
    (void)user;
    if (!strcmp(points[point].text, "fifth")) {
        snprintf(why, 128, "not run");
        return -1;
    }
    *names = arena_copy(memory, both, sizeof both);
    return strcmp(points[point].workload, "one") ? 1 : 2;
}

static const struct expr_source source = {points, 6, fetch, kernels, (void *)points, NULL, NULL};

/* Returns 0 with the value, or -1 with the error. */
static int value_of(const char *text, double *value, struct expr_error *e)
{
    struct arena memory = {0};
    const struct expr *x = expr_parse(text, &memory, e);
    const int failed = x ? expr_value(x, &source, value, e) : -1;
    arena_free(&memory);
    return failed;
}

static void values(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"(7 * 4 * 8 + 2 * 3 + 96) / 8", 40.75},
        {"1 + 2 * 3 - 4 / 2", 5},
        {"8 - 4 - 2", 2},
        {"64 / 4 / 2", 8},
        {"2 ^ 3 ^ 2", 512},
        {"-2 ^ 2", -4},
        {"2 ^ -1", 0.5},
        {"2 * -3", -6},
        {"1.5e3 + 2E-1", 1500.2},
        {"1 < 2 and 2 <= 2 and 3 > 2 and 3 >= 3 and 1 == 1 and 1 != 2", 1},
        {"1 > 2 or not 1 > 2", 1},
        {"not 1 and 0", 0},
        {"1 + 1 == 2", 1},
        {"abs(-3) + sqrt(16) + round(2.5) + min(1, 2) + max(1, 2)", 13},
        {"cycles{workload=two, mask.n=2}", 800},
        {"cycles{ gto , workload = one }", 100},
        {"cycles{workload=one, mask.n=4}", 100}, /* named twice, but one run */
        {"(cycles / l1d.hits){limited, workload=two}", 40},
        {"cycles{workload=one}{mask.n=2}", 50},
        {"cycles{args=\"--x=1\", mask.n=4}", 400},
        {"mask.n{gto}", 4},
        {"sum(workload: cycles){gto}", 500},
        {"mean(workload: cycles){gto}", 250},
        {"gmean(workload: cycles){gto}", 200},
        {"hmean(workload: cycles){gto}", 160},
        {"count(point: cycles){limited}", 3},
        {"sum(workload, mask.n: cycles){limited}", 950},
        {"max(program: cycles){gto}", 400},
        {"hmean(workload: cycles{gto} / min(mask.n: cycles){limited})", 0.8},
        {"where_min(mask.n: cycles: mask.n){limited, workload=one}", 2},
        {"where_max(mask.n: cycles: l1d.hits){workload=one, limited}", 10},
        {"where_min(mask.n: zero: mask.n){gto, workload=one}", 4},
        {"all(workload: cycles > 60){gto}", 1},
        {"all(workload: cycles > 100){gto}", 0},
        {"any(workload: cycles > 100){gto}", 1},
        {"any(workload: cycles > 400){gto}", 0},
        {"cycles{gto, workload=one, kernel=a}", 60},
        {"sum(kernel: cycles){gto, workload=one}", 100},
        /* each kernel at its own best */
        {"sum(kernel: min(mask.n: cycles)){limited, workload=one}", 50},
        {"sum(kernel: where_min(point: cycles: cycles)){limited, workload=two}", 800},
        {"mean(workload: sum(kernel: cycles)){gto}", 250},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct expr_error e;
        double value = -1;
        if (value_of(cases[i].text, &value, &e))
            fail_msg("%s: %d: %s", cases[i].text, e.at, e.what);
        if (!(value > cases[i].value - 1e-9 && value < cases[i].value + 1e-9))
            fail_msg("%s: %.12g, expected %.12g", cases[i].text, value, cases[i].value);
    }
}

static void errors(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        int at;
        const char *says;
        int not_run;
    } cases[] = {
        {"", 0, "the end; expected a number, a name or '('", 0},
        {"1 +", 3, "the end; expected a number", 0},
        {"1 2", 2, "'2'; expected an operator or the end", 0},
        {"(1", 2, "the end; expected ')'", 0},
        {"1)", 1, "')'; expected an operator", 0},
        {"0x10", 0, "'0x10'; expected a number", 0},
        {"1.", 0, "'1.'; expected a number", 0},
        {"1e", 0, "'1e'; expected a number", 0},
        {"nan(1)", 0, "'nan': unknown function", 0},
        {"1 < 2 < 3", 6, "'<'; expected an operator or the end", 0},
        {"sum(cycles)", 4, "no axis; expected sum(axis, ...: expression)", 0},
        {"sum(a: )", 7, "')'; expected a number", 0},
        {"sum(a: 1", 8, "the end; expected ')'", 0},
        {"abs(a: 1)", 6, "abs over an axis", 0},
        {"min(1)", 5, "')'; expected ','", 0},
        {"where_min(a: 1)", 14, "')'; expected ':'", 0},
        {"cycles{", 7, "the end; expected a name of runs or axis=value", 0},
        {"cycles{}", 7, "'}'; expected a name of runs", 0},
        {"cycles{a=}", 9, "'}'; expected a name of runs", 0},
        {"cycles{a=\"b}", 9, "expected another quotation mark", 0},
        {"cycles{a b}", 9, "'b}'; expected '}'", 0},
        {"$x", 0, "'$x'; expected a number", 0},
        {"1 \x01", 2, "expected an operator or the end", 0},
        /* what is wrong with the runs */
        {"cycles", 0, "cycles of 6 runs; expected one", 0},
        {"1 + ipc{gto, workload=one}", 4, "'ipc': no such statistic of first", 0},
        {"cycles{workload=three}", 7, "no run with workload=three here", 0},
        {"cycles{gto, limited}", 12, "no run with the name limited here", 0},
        {"sum(args, mask.p: cycles)", 0, "no run has a 'mask.p' here", 0},
        {"mask.n{workload=one}", 0, "mask.n has several values here", 0},
        {"1 / zero{gto, workload=one}", 4, "a division by 0", 0},
        {"sqrt(0 - 1)", 0, "not a finite number", 0},
        {"10 ^ 400", 0, "not a finite number", 0},
        {"gmean(workload: cycles - 100){gto}", 0, "a mean of 0; expected positive values", 0},
        {"cycles{lost}", 0, "fifth: not run", 1},
        {"sum(kernel: cycles){lost}", 0, "fifth: not run", 1},
        {"sum(point: cycles){workload=one}", 11, "fifth: not run", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct expr_error e = {0};
        double value;
        if (!value_of(cases[i].text, &value, &e))
            fail_msg("%s: %g; expected an error", cases[i].text, value);
        if (!strstr(e.what, cases[i].says) || e.at != cases[i].at || e.not_run != cases[i].not_run)
            fail_msg("%s: %d: %s%s; expected %d: %s", cases[i].text, e.at, e.what,
                     e.not_run ? " (not run)" : "", cases[i].at, cases[i].says);
    }
}

static int known(void *user, const char *name, enum expr_scope scope)
{
    return !strcmp(name, user) || (scope == OF_KERNEL && !strcmp(name, "launches"));
}

/* Two workloads beside each other, under two settings, and each of them by itself:
 *
 *   run    workload   mask.n   ipc      of the first   second
 *   pair   one+two         4     7                 3        4
 *   pair   one+two         2     6                 4        2
 *   pair   two+two         4     9                 4        5
 *   solo   one                   8
 *   solo   two                  10
 *   other  one             4    16
 *   args   one -x + two    4     5                 1        3
 *   solo   one -x               20 */
static const struct point pairs[] = {
    {"pair", "tiny", "one+two", "", "", four, 2, "12 at 4", 1},
    {"pair", "tiny", "one+two", "", "", two, 2, "12 at 2", 1},
    {"pair", "tiny", "two+two", "", "", four, 2, "22 at 4", 1},
    {"solo", "tiny", "one", "", "", NULL, 0, "1", 2},
    {"solo", "tiny", "two", "", "", NULL, 0, "2", 2},
    {"other", "tiny", "one", "", "", four, 2, "1 at 4", 3},
    {"args", "tiny", "one -x + two", "", "", four, 2, "1 -x 2 at 4", 4},
    {"solo", "tiny", "one", "", "-x", NULL, 0, "1 -x", 2},
};

static int fetch_of_pairs(void *user, int point, const char *name, double *value, char why[128])
{
    static const double results[][3] = {{7, 3, 4}, {6, 4, 2}, {9, 4, 5}, {8},
                                        {10},      {16},      {5, 1, 3}, {20}};
    static const char *const names[] = {"ipc", "first.ipc", "second.ipc"};
    (void)user;
    (void)why;
    for (int i = 0; i < 3; i++)
        if (!strcmp(name, names[i]) && results[point][i] > 0) {
            *value = results[point][i];
            return 0;
        }
    return 1;
}

static void members(void **unused)
{
    (void)unused;
#define SPEEDUP "gmean(member: 2 * ipc / alone(ipc{solo}))"
    static const struct {
        const char *text;
        double value; /* with an error: where */
        const char *says;
    } cases[] = {
        {"sum(member: ipc){workload=two+two}", 9, NULL},
        {"ipc{pair, workload=one+two, mask.n=2, member=second}", 2, NULL},
        {"(ipc{member=first} / ipc){workload=two+two}", 4 / 9.0, NULL},
        /* sqrt(2 * 3 / 8 * 2 * 4 / 10), sqrt(2 * 4 / 8 * 2 * 2 / 10), sqrt(2 * 4 / 10 * 2 * 5 / 10) */
        {SPEEDUP "{workload=one+two, mask.n=4}", 0.7745966692414834, NULL},
        {SPEEDUP "{workload=one+two, mask.n=2}", 0.6324555320336759, NULL},
        /* sqrt(2 * 1 / 20 * 2 * 3 / 10) */
        {SPEEDUP "{workload=\"one -x + two\"}", 0.24494897427831782, NULL},
        {"mean(workload: " SPEEDUP "){pair, mask.n=4}", 0.8345119301206996, NULL},
        {"mean(workload, mask.n: " SPEEDUP "){pair}", 0.767159797425025, NULL},
        {"min(workload: max(mask.n: " SPEEDUP ")){pair}", 0.7745966692414834, NULL},
        {"100 * mean(workload: " SPEEDUP " > 0.8){pair, mask.n=4}", 50, NULL},
        {"gmean(member: ipc / alone(ipc{other})){workload=one+two, mask.n=4}", 30,
         "no run with the name other here"},
        {"max(member: alone(ipc{solo}) / ipc){workload=one+two, mask.n=2}", 5, NULL},
        /* where they are chosen, and where a statistic is not one of them */
        {"sum(member: ipc){solo, workload=one}", 0,
         "'one' has no members; expected two workloads joined by a +"},
        {"sum(member: ipc){pair}", 0, "members of 'one+two' and of 'two+two'; expected a fold"},
        {"sum(member: ipc){workload=one+two}", 12, "ipc of 2 runs; expected one"},
        {"sum(member: cycles){workload=two+two}", 12, "'first.cycles': no such statistic of 22"},
        {"ipc{workload=two+two, member=third}", 22, "member=third; expected first or second"},
        {"ipc{workload=two, member=first}", 18, "'two' has no members"},
        {"1 + alone(ipc{solo})", 4, "alone, of no member; expected a fold over member"},
        {"sum(member: alone(ipc)){workload=one+two}", 18, "ipc of 2 runs; expected one"},
        {"sum(member: ipc{kernel=a}){workload=two+two}", 12, "ipc of a kernel and of a member"},
        {"alone(ipc", 9, "the end; expected ')'"},
        {"alone(point: ipc)", 11, "':'"},
    };
#undef SPEEDUP
    const struct expr_source of_pairs = {pairs, 8, fetch_of_pairs, NULL, NULL, NULL, NULL},
                             none = {pairs, 0, fetch_of_pairs, NULL, NULL, NULL, NULL};
    struct arena memory = {0};
    struct expr_error e;
    double value;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct expr *x = expr_parse(cases[i].text, &memory, &e);
        const int failed = !x || expr_value(x, &of_pairs, &value, &e);
        const double is = failed ? e.at : value;
        if (failed != !!cases[i].says || (failed && !strstr(e.what, cases[i].says)) ||
            !(is > cases[i].value - 1e-9 && is < cases[i].value + 1e-9))
            fail_msg("%s: %.12g %s, expected %.12g %s", cases[i].text, is, failed ? e.what : "",
                     cases[i].value, cases[i].says ? cases[i].says : "");
    }
    const struct expr *x = expr_parse("sum(member: 1)", &memory, &e);
    assert_int_equal(expr_value(x, &none, &value, &e), -1);
    assert_string_equal(e.what, "a member, and no run");
    /* before anything runs */
    char ipc[] = "ipc";
    x = expr_parse("sum(member: ipc / alone(ipc{solo})){workload=one+two, mask.n=4}", &memory, &e);
    assert_int_equal(expr_check(x, &of_pairs, known, ipc, &e), 0);
    x = expr_parse("sum(member: launches){workload=two+two}", &memory, &e);
    assert_int_equal(expr_check(x, &of_pairs, known, ipc, &e), -1);
    assert_string_equal(e.what, "'launches': no such statistic of a member");
    arena_free(&memory);
}

/* Neither a deep nor a long text may end the program. */
static void hostile(void **unused)
{
    (void)unused;
    static const char *const repeated[] = {"(",      "-",    "not ",        "abs(", "2^",
                                           "min(",   "1+",   "sum(point:",  "a{b}", "a,",
                                           "alone(", "not(", "cycles{a=\"", "\xff", "1<"};
    for (size_t i = 0; i < sizeof repeated / sizeof repeated[0]; i++) {
        const size_t length = strlen(repeated[i]), count = 100000 / length;
        char *text = malloc(count * length + 1);
        struct expr_error e;
        double value;
        assert_non_null(text);
        for (size_t n = 0; n < count; n++)
            memcpy(text + n * length, repeated[i], length);
        text[count * length] = 0;
        assert_int_equal(value_of(text, &value, &e), -1);
        assert_true(strlen(e.what) > 0 && strlen(e.what) < sizeof e.what - 1);
        free(text);
    }
}

/* What can be wrong is known before anything runs: no result is asked for. */
static void names(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *says;
        int at;
    } cases[] = {
        {"sum(workload: cycles){gto}", NULL, 0},
        {"mask.n{gto}", NULL, 0},
        {"cycles{lost}", NULL, 0},
        {"sum(kernel: cycles){lost}", NULL, 0},
        {"(cycles / launches){lost, kernel=any}", NULL, 0},
        {"1 / (cycles{lost} - cycles{lost})", NULL, 0},
        {"hmean(point: cycles - 1)", NULL, 0},
        {"hmean(workload: cycles{gto} / min(point: cycles){limited, mask.n=2})", NULL, 0},
        {"sum(workload: cycle){gto}", "'cycle': no such statistic", 14},
        {"launches{lost}", "'launches': no such statistic", 0},
        {"sum(kernel: ipc){lost}", "'ipc': no such statistic of a kernel", 12},
        {"sum(workloads: cycles){gto}", "no run has a 'workloads' here", 0},
        {"cycles{got}", "no run with the name got here", 7},
        {"1 + cycles{mask.n=3}", "no run with mask.n=3 here", 11},
        {"1 + cycles{gto}", "cycles of 2 runs; expected one", 4},
        /* within the fold there are other runs, too */
        {"hmean(workload: cycles{gto} / min(point: cycles{limited}))",
         "no run with the name limited here", 48},
    };
    const struct expr_source no_results = {points, 6, NULL, NULL, NULL, NULL, NULL};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena memory = {0};
        struct expr_error e = {0};
        char cycles[] = "cycles";
        const struct expr *x = expr_parse(cases[i].text, &memory, &e);
        assert_non_null(x);
        const int failed = expr_check(x, &no_results, known, cycles, &e);
        if (failed ? !cases[i].says || !strstr(e.what, cases[i].says) || e.at != cases[i].at
                   : !!cases[i].says)
            fail_msg("%s: %d: '%s', expected %d: '%s'", cases[i].text, e.at, e.what, cases[i].at,
                     cases[i].says ? cases[i].says : "");
        arena_free(&memory);
    }
}

/* Each rule just holds, and just does not: a wrong figure or a wrong tolerance turns it. */
static void rules(void **unused)
{
    (void)unused;
    static const struct {
        const char *rule, *paper;
        double holds, fails;
    } cases[] = {
        {"exact", "40.75", 40.75, 40.7501},
        {"exact", "0.1", 0.1, 0.10001},
        {"rounded", "11.5", 11.5499, 11.551},
        {"rounded", "36", 36.4, 36.6},
        {"true", "yes", 1, 0},
        {"true", "no", 0, 1},
        {"within 5", "20.6", 25.6, 25.7},
        {"within 0.5", "-1", -1.5, -1.51},
        {"within 15 %", "1.2", 1.38, 1.39},
        {"within 15 %", "-2", -2.3, -2.31},
        {"factor 1.5", "6", 9, 9.01},
        {"factor 1.5", "6", 4, 3.99},
        {"gain within 10 %", "50", 65, 65.1},
        {"gain within 10 %", "5", 0.1, -0.1},
        {"gain within 10 %", "-5", -14.5, 1},
        {"same sign", "3", 100, -0.1},
        {"same sign", "-3", -1, 0},
        {"at least", "15", 15, 14.9},
        {"at most", "1", 1, 1.1},
    };
    static const char *const wrong[] = {"",          "exactly",   "within",      "within x",
                                        "within 5%", "within -5", "within 5 % ", "gain within 5",
                                        "factor",    "true x"};
    static const char *const no_figures[] = {"", "-", ".5", "5.", "1e3", "5 %", "yes!", "1,000"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rule rule;
        struct figure paper;
        assert_int_equal(rule_read(&rule, cases[i].rule), 0);
        assert_int_equal(figure_read(&paper, cases[i].paper), 0);
        if (!rule_holds(&rule, &paper, cases[i].holds) || rule_holds(&rule, &paper, cases[i].fails))
            fail_msg("%s %s: %g holds: %d, %g holds: %d", cases[i].rule, cases[i].paper,
                     cases[i].holds, rule_holds(&rule, &paper, cases[i].holds), cases[i].fails,
                     rule_holds(&rule, &paper, cases[i].fails));
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct rule rule;
        if (!rule_read(&rule, wrong[i]))
            fail_msg("'%s' was read as a rule", wrong[i]);
    }
    for (size_t i = 0; i < sizeof no_figures / sizeof no_figures[0]; i++) {
        struct figure paper;
        if (!figure_read(&paper, no_figures[i]))
            fail_msg("'%s' was read as a figure", no_figures[i]);
    }
}

static void printed(void **unused)
{
    (void)unused;
    static const struct {
        const char *paper;
        double ours;
        const char *text;
    } cases[] = {
        {"46.6", 46.6, "46.6"},     {"46.6", 46.66, "46.66"},
        {"46.6", 46.6666, "46.67"}, {"5", 8, "8"},
        {"1.06", 1.0541, "1.054"},  {"327680", 327680, "327680"},
        {"9.80", 9.8, "9.80"},      {"yes", 1, "yes"},
        {"yes", 0, "no"},           {"2", 0.01234, "0.0123"},
        {"-3.5", -3.52, "-3.52"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct figure paper;
        char room[48];
        assert_int_equal(figure_read(&paper, cases[i].paper), 0);
        assert_string_equal(figure_print(&paper, cases[i].ours, room), cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),  cmocka_unit_test(errors), cmocka_unit_test(members),
        cmocka_unit_test(hostile), cmocka_unit_test(names),  cmocka_unit_test(rules),
        cmocka_unit_test(printed),
    };
    return cmocka_run_group_tests_name("tb/cli/claims/expr", tests, NULL, NULL);
}
