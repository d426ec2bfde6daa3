/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/model/pdvfs_test.c: `heddle model pdvfs` on programs made up: those that are as the models say, of which P-DVFS must find what the
 * oracle finds (those that are not: pdvfs_plain_test.c); the loop by hand; and on a real run. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/tb/cli/model/pdvfs_programs.h"
#include "tests/tb/cli/sweep/sweep_support.h"

/* As the models say -----------------------------------------------------------------------------*/

/* Three phases, several launches of each. */
static unsigned phases(struct clock_launch *l)
{
    static const double mpi[3] = {.002, .019, .05};
    for (unsigned i = 0; i < 12; i++) {
        l[i] = made_up(i ? "other" : "three", 1e6 * (1 + i % 4), mpi[i % 3], 200e-9, .8, 0);
        set_energy(&l[i], 0);
    }
    return 12;
}

static void as_the_models_say(void **unused)
{
    (void)unused;
    struct clock_launch l[12];
    pdvfs_write("p", l, phases(l));
    pdvfs_says("--csv=p.csv --picture=p.svg " CLOCK_FILES("p"), 0,
               "three: 12 launches, 12 periods");
    assert_int_equal(access("p.svg", F_OK), 0);
    /* Twice as many misses of L1D: half of c1. With one clock, all but the last digits. */
    assert_non_null(
        strstr(said, "\n  all    100.000     0.8000   1.000    200.000     0.8000   1.000\n"));
    assert_non_null(
        strstr(said, "\n  3/6    100.000     0.8000   1.000    200.000     0.8000   1.000\n"));
    assert_non_null(strstr(said, "mean error 0.00 %, at most 0.00 % (thesis: 6.67, 12.2)\n"));
    assert_null(strstr(said, "note"));
    double is[7], highest;
    const char *settings = strstr(said, "\nsettings:");
    assert_non_null(settings);
    assert_int_equal(sscanf(settings,
                            " settings: --set dvfs.misses=0 --set dvfs.highest=%lf --set "
                            "dvfs.b0=%lf --set dvfs.b1=%lf --set dvfs.b2=%lf --set "
                            "dvfs.b3=%lf --set dvfs.b4=%lf --set dvfs.b5=%lf --set dvfs.b6=%lf",
                            &highest, &is[0], &is[1], &is[2], &is[3], &is[4], &is[5], &is[6]),
                     8);
    near(highest, 1000 * 14. / 15 * .1,
         .01); /* where the last of 15 slots of misses of L1D begins */
    for (unsigned i = 0; i < 7; i++)
        near(is[i], b[i] * (i % 6 ? 1e15 : 1e9), 1e-5);
    for (double goal = 5; goal <= 20; goal += 5) {
        const struct pdvfs_row oracle = pdvfs_row("p.csv", "three", goal, "oracle"),
                               p = pdvfs_row("p.csv", "three", goal, "P-DVFS"),
                               n = pdvfs_row("p.csv", "three", goal, "N-DVFS"),
                               f = pdvfs_row("p.csv", "three", goal, "F-DVFS");
        assert_string_equal(p.sixths, oracle.sixths);
        near(p.fitted_joules, p.joules, 1e-6);
        near(p.fitted_seconds, p.seconds, 1e-6);
        near(p.joules, oracle.joules, 1e-8);
        assert_true(p.slower <= goal && f.slower <= goal && fabs(n.slower) < 1e-9);
        assert_true(n.over > 0 && f.over >= 0 && fabs(p.over) < 1e-5);
        assert_string_equal(n.sixths, "6....6........6");
    }
    assert_true(pdvfs_row("p.csv", "three", 20, "oracle").slower >
                pdvfs_row("p.csv", "three", 5, "oracle").slower);
}

/* As it is printed: not -0. */
static double mean(double a, double b)
{
    return fabs(a + b) < .01 ? 0 : (a + b) / 2;
}

/* The thesis's figures, by hand, from tables 5.1 and 5.2 and the text. */
static void beside_the_thesis(void **unused)
{
    (void)unused;
    static const struct {
        double goal, slower_f, slower_p, over_n, over_f, over_p;
    } thesis[] = {{5, .28, 3.72, 9.31, 7.1, 1.43},
                  {10, 2.29, 7.9, 12.81, 8.23, 1.16},
                  {15, 5.98, 12.65, 18.46, 9.51, 1.59},
                  {20, 13.03, 17.07, 22.59, 9.8, 1.83}};
    struct clock_launch l[12], one;
    pdvfs_write("p", l, phases(l));
    one = made_up("one, \\\"too\\\"", 2e6, .03, 250e-9, .7, 0);
    set_energy(&one, 0);
    pdvfs_write("q", &one, 1);
    pdvfs_says("-c all.csv " CLOCK_FILES("p") " " CLOCK_FILES("q"), 0, "means of the programs, ");
    for (unsigned i = 0; i < 4; i++) {
        const double goal = thesis[i].goal;
        struct pdvfs_row p[2], n[2], f[2], loop[2];
        for (unsigned k = 0; k < 2; k++) {
            const char *name = k ? "\"one, \"\"too\"\"\"" : "three";
            n[k] = pdvfs_row("all.csv", name, goal, "N-DVFS");
            f[k] = pdvfs_row("all.csv", name, goal, "F-DVFS");
            p[k] = pdvfs_row("all.csv", name, goal, "P-DVFS");
            loop[k] = pdvfs_row("all.csv", name, goal, "loop");
            assert_true(n[k].thesis_over == thesis[i].over_n && n[k].thesis_slower == 0);
            assert_true(f[k].thesis_over == thesis[i].over_f);
            assert_true(f[k].thesis_slower == thesis[i].slower_f);
            assert_true(p[k].thesis_over == thesis[i].over_p);
            assert_true(p[k].thesis_slower == thesis[i].slower_p);
            assert_true(loop[k].thesis_over == thesis[i].over_p);
            assert_true(loop[k].thesis_slower == thesis[i].slower_p);
            assert_true(pdvfs_row("all.csv", name, goal, "oracle").thesis_slower == -1);
        }
        char row[200];
        snprintf(row, sizeof row,
                 "\n%4g %% %7.2f %6.2f %7.2f %7.2f %6.2f   %7.2f %6.2f %7.2f %6.2f %7.2f %7.2f "
                 "%6.2f\n",
                 goal, mean(f[0].slower, f[1].slower), thesis[i].slower_f,
                 mean(p[0].slower, p[1].slower), mean(loop[0].slower, loop[1].slower),
                 thesis[i].slower_p, mean(n[0].over, n[1].over), thesis[i].over_n,
                 mean(f[0].over, f[1].over), thesis[i].over_f, mean(p[0].over, p[1].over),
                 mean(loop[0].over, loop[1].over), thesis[i].over_p);
        if (!strstr(said, row))
            fail_msg("no row %s in:\n%s", row, said);
    }
}

/* The loop --------------------------------------------------------------------------------------*/

/* One launch of 100 ticks. The loop is asked for a table after 33 of them, and sets the clock after 34. The lowest clock takes the least energy, so
 * that with a goal that never binds the rest is at 3/6; with a goal of 0 all is at the highest. */
static void the_loop(void **unused)
{
    (void)unused;
    struct clock_launch l = {"k",
                             2e6,
                             1e6,
                             2e5,
                             4e7,
                             0,
                             0,
                             {1.9e6, 1.5e6, 1.2e6, 1e6},
                             {0},
                             {1e5, 1e5, 1e5, 1e5},
                             {5e4, 5e4, 5e4, 5e4}};
    set_energy(&l, 0);
    pdvfs_write("p", &l, 1);
    pdvfs_says("-g 0 -g 1000 -c p.csv " CLOCK_FILES("p"), 0, "\n1000 % ");
    const struct pdvfs_row n = pdvfs_row("p.csv", "k", 0, "N-DVFS"),
                           still = pdvfs_row("p.csv", "k", 0, "loop"),
                           runs = pdvfs_row("p.csv", "k", 1000, "loop");
    near(still.seconds, n.seconds, 1e-8);
    near(still.joules, n.joules, 1e-8);
    near(runs.seconds, (.34 * 1e6 + .66 * 1.9e6) / (MHZ * 1e6), 1e-8);
    near(runs.joules, 1e-9 * (.34 * l.nanojoules[3] + .66 * l.nanojoules[0]), 1e-8);
    assert_non_null(strstr(said, "3/6 78.7 %, 4/6 0.0 %, 5/6 0.0 %, 6/6 21.3 % of its time\n"));
    /* Ticks of a hundredth of the launch, or of all of it, after which nothing is left to be controlled. */
    pdvfs_says("-g 1000 -c p.csv --period=20000 " CLOCK_FILES("p"), 0, NULL);
    near(pdvfs_row("p.csv", "k", 1000, "loop").joules,
         1e-9 * (.68 * l.nanojoules[3] + .32 * l.nanojoules[0]), 1e-8);
    pdvfs_says("-g 1000 -c p.csv --period=1000000 " CLOCK_FILES("p"), 0, NULL);
    near(pdvfs_row("p.csv", "k", 1000, "loop").joules, n.joules, 1e-8);
    /* More ticks than anybody waits for. */
    l.instructions *= 1e9;
    l.l1d_accesses *= 1e9;
    for (unsigned c = 0; c < CLOCKS; c++) {
        l.cycles[c] *= 1e9;
        l.nanojoules[c] *= 1e6;
    }
    pdvfs_write("p", &l, 1);
    pdvfs_says("-o p.svg -c p.csv --period=1 " CLOCK_FILES("p"), 0,
               "\nloop     there are no slots,");
    assert_true(pdvfs_row("p.csv", "k", 5, "loop").seconds == 0);
}

/* Periods, slots, goals -------------------------------------------------------------------------*/

static void add_launch(struct clock_launch *to, const struct clock_launch *l)
{
    to->instructions += l->instructions;
    to->l1d_accesses += l->l1d_accesses;
    to->l2_accesses += l->l2_accesses;
    to->sp += l->sp;
    to->sfu += l->sfu;
    to->merged += l->merged;
    for (unsigned c = 0; c < CLOCKS; c++) {
        to->cycles[c] += l->cycles[c];
        to->nanojoules[c] += l->nanojoules[c];
        to->l1d[c] += l->l1d[c];
        to->l2[c] += l->l2[c];
    }
}

/* Lines of a file but for the first; for the caller to free. */
static char *rows_of(const char *path)
{
    char line[600], *all = calloc(1, 20000);
    FILE *f = fopen(path, "r");
    assert_true(f && all && fgets(line, sizeof line, f));
    while (fgets(line, sizeof line, f))
        strcat(all, line);
    fclose(f);
    return all;
}

/* Launches of 4000 cycles or so are taken together, three at a time, a long one is alone, and at the end two are left. */
static void short_launches_are_periods(void **unused)
{
    (void)unused;
    struct clock_launch l[MOST_LAUNCHES], whole[MOST_LAUNCHES];
    unsigned n = 0, periods = 0;
    for (unsigned i = 0; i < 12; i++) {
        const unsigned parts = i % 4 == 3 ? 1 : i == 10 ? 2 : 3;
        for (unsigned k = 0; k < parts; k++, n++) {
            l[n] = made_up("k", parts == 1 ? 1e5 : 4000 / .9, .01 * (1 + i % 4), 1e-9, .9, 1e-3);
            set_energy(&l[n], 0);
            if (k)
                add_launch(&whole[periods - 1], &l[n]);
            else
                whole[periods++] = l[n];
        }
        if (i == 10)
            break;
    }
    pdvfs_write("p", l, n);
    pdvfs_write("q", whole, periods);
    pdvfs_says("--csv=p.csv " CLOCK_FILES("p"), 0, "k: 28 launches, 11 periods\n");
    pdvfs_says("--csv=q.csv --period=0 " CLOCK_FILES("q"), 0, "k: 11 launches, 11 periods\n");
    char *a = rows_of("p.csv"), *is = rows_of("q.csv");
    assert_string_equal(a, is);
    pdvfs_says("--csv=p.csv --period=0 " CLOCK_FILES("p"), 0, "k: 28 launches, 28 periods\n");
    free(a);
    free(is);
    pdvfs_says("--period=1000000000 " CLOCK_FILES("p"), 0, "k: 28 launches, 1 period\n");
    assert_non_null(strstr(said, "\n  3/6          -          -       -          -"));
}

static void slots_and_goals(void **unused)
{
    (void)unused;
    struct clock_launch l[12];
    pdvfs_write("p", l, phases(l));
    pdvfs_says("--slots=3 -g 12.5 -g 3 -c p.csv p.6.json,p.3.json,p.5.json,p.4.json", 0,
               "\n12.5 % ");
    assert_string_equal(pdvfs_row("p.csv", "three", 12.5, "N-DVFS").sixths, "666");
    assert_true(pdvfs_row("p.csv", "three", 12.5, "N-DVFS").thesis_over == -1);
    const char *three = strstr(said, "\n3 % "), *twelve = strstr(said, "\n12.5 % ");
    assert_true(three && twelve && three < twelve);
    assert_null(strstr(said, "\n20 %"));
    /* Two clocks only; the highest one is that of the program. */
    pdvfs_says("p.4.json,p.5.json", 0, "  5/6 ");
    assert_null(strstr(said, "6/6"));
    pdvfs_says("--slots=24 --goal=0 -o p.png " CLOCK_FILES("p"), 0, "\n0 % ");
    assert_int_equal(access("p.png", F_OK), 0);
}

/* Without misses, and with more misses where instructions take less time, CPI is what is known: the mean. */
static void misses_that_tell_nothing(void **unused)
{
    (void)unused;
    struct clock_launch l[2] = {made_up("none", 1e6, 0, 0, .8, 0),
                                made_up("none", 1e6, 0, 0, .4, 0)};
    for (unsigned i = 0; i < 2; i++)
        set_energy(&l[i], 0);
    pdvfs_write("p", l, 2);
    pdvfs_says("-c p.csv " CLOCK_FILES("p"), 0,
               "note: misses of L1D do not tell the time (a column is ");
    assert_non_null(strstr(said, "CPI is taken as 0.6000, whatever they are\n"));
    const struct pdvfs_row f = pdvfs_row("p.csv", "none", 20, "F-DVFS");
    assert_string_equal(f.sixths, "5.............."); /* 6 / 5 is 1.2 */
    near(f.slower, 20, 1e-6);
    for (unsigned c = 0; c < CLOCKS; c++)
        l[1].l1d[c] = 1e5;
    pdvfs_write("p", l, 2);
    pdvfs_says(CLOCK_FILES("p"), 0,
               "note: misses of L1D do not tell the time (an instruction or a");
}

/* Not with each clock as many instructions. */
static void instructions_that_differ(void **unused)
{
    (void)unused;
    struct clock_launch l[12];
    const unsigned n = phases(l);
    pdvfs_write("p", l, n);
    l[0].instructions *= 2;
    pdvfs_write("q", l, n);
    pdvfs_says("p.3.json,q.6.json", 0, "more instructions than with another\n");
}

/* On the machine --------------------------------------------------------------------------------*/

static double value(const char *file, const char *path)
{
    char words[200];
    snprintf(words, sizeof words, "--get=%s %s", path, file);
    assert_int_equal(heddle("report", words), 0);
    return strtod(said, NULL);
}

/* As a person measures it: with the highest clock and half of it. */
static void of_runs(void **unused)
{
    (void)unused;
    heddle_says("run", "--set sm.clock=3 --stats=r.3.json -- $H/workloads/bfs --size=small", 0,
                NULL);
    heddle_says("run", "--set sm.clock=6 --stats=r.6.json -- $H/workloads/bfs --size=small", 0,
                NULL);
    pdvfs_says("--period=0 -g 0 -g 1000 -c r.csv r.3.json,r.6.json", 0, " launches, ");
    const struct pdvfs_row n = pdvfs_row("r.csv", "expand", 0, "N-DVFS"),
                           still = pdvfs_row("r.csv", "expand", 0, "oracle"),
                           free = pdvfs_row("r.csv", "expand", 1000, "oracle");
    const double mhz = value("r.6.json", "settings.gpu.clock_mhz");
    near(n.seconds, value("r.6.json", "totals.cycles") / mhz / 1e6, 1e-6);
    near(n.joules, 1e-9 * value("r.6.json", "totals.energy.total"), 1e-6);
    near(still.joules, n.joules, 1e-6);
    /* No bound: no more energy than with either clock. */
    assert_true(free.joules <= n.joules &&
                free.joules <= 1e-9 * value("r.3.json", "totals.energy.total") * 1.000001);
    assert_true(value("r.3.json", "totals.cycles") > value("r.6.json", "totals.cycles"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(as_the_models_say),        IN_FOLDER(the_loop),
        IN_FOLDER(beside_the_thesis),        IN_FOLDER(short_launches_are_periods),
        IN_FOLDER(slots_and_goals),          IN_FOLDER(misses_that_tell_nothing),
        IN_FOLDER(instructions_that_differ), IN_FOLDER(of_runs),
    };
    return cmocka_run_group_tests_name("tb/cli/model/pdvfs", tests, NULL, NULL);
}
