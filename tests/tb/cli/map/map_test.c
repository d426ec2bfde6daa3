/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/map/map_test.c: speed-ups of a map of six points, computed by hand; what is drawn of
 * them; and results that make no map.
 *
 *   p           cycles              speed-up over (3, 3)
 *   3               100                          1
 *   2         100    50                   1      2
 *   1   200    80   125           0.5  1.25    0.8
 *   N     1     2     3             1     2      3   */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "hw.h"
#include "tests/tb/cli/sweep/sweep_support.h"
#include "tests/tb/shell.h"

#define DB "p.sqlite"

/* A sweep, whose results are then replaced. */
static int with_results(void **state)
{
    in_folder(state);
    write_file("p.ini", "[a]\nworkload = vecadd\nsize = small\nrun.timing = 0\nmask.n = 1..3\n"
                        "mask.p = 1..mask.n\n"
                        "[b]\nworkload = vecadd\nargs = --elements=9\nmask.n = 1\nmask.p = 1\n");
    heddle("sweep", "p.ini"); /* [b] is broken */
    change(DB,
           "DELETE FROM results;"
           "INSERT INTO results VALUES (1, 'cycles', 200), (2, 'cycles', 80), (3, 'cycles', 100),"
           " (4, 'cycles', 125), (5, 'cycles', 50), (6, 'cycles', 100);"
           "INSERT INTO results SELECT point, 'l1d.accesses', 200 FROM results;"
           "INSERT INTO results SELECT point, 'l1d.hits', 10 * point FROM results"
           " WHERE name = 'cycles';"
           "INSERT INTO results SELECT point, 'kernel.k.cycles', value + 1 FROM results"
           " WHERE name = 'cycles'");
    return 0;
}

static void map(const char *words, int status, const char *says)
{
    heddle_says("map", words, status, says);
}

static void table(void **unused)
{
    (void)unused;
    map("--group=a " DB, 0,
        "vecadd small config=" CONFIG_NAME " run.timing=0\n"
        "  6 points\n"
        "                     N     p         cycles  speed-up    L1D hits\n"
        "  (W, W)             3     3            100     1.000     30.00 %\n"
        "  best               3     2             50     2.000     25.00 %\n"
        "  best, p = N        3     3            100     1.000     30.00 %\n" /* also (2, 2) */
        "  best, p = 1        2     1             80     1.250     10.00 %\n");
    map("--group=a --kernel=k " DB, 0,
        "  best               3     2             51     1.980      0.00 %\n");
    change(DB, "DELETE FROM results WHERE point IN (1, 2, 4)");
    map("--group=a " DB, 0, "  3 points, 3 more without a result\n");
    assert_non_null(strstr(said, "  best, p = 1    no point\n"));
}

/* One map for each program, in the order of the sweep. */
static void several(void **unused)
{
    (void)unused;
    change(DB, "INSERT INTO results VALUES (7, 'cycles', 10)");
    map(DB, 0, "\nvecadd --elements=9 config=" CONFIG_NAME "\n  1 points\n");
    assert_true(strstr(said, "vecadd small") == said);
    map("--workload=vecadd " DB, 0, "vecadd small");
    map("--workload=spmv " DB, 2, "no point sets both mask.n and mask.p");
    map("--n=mask.p --p=run.timing " DB, 2, "run.timing = 0; expected numbers from 1");
}

#define HEAD                                                                                       \
    "| | (W, W): cycles | L1D hits % | best, p = N | speed-up | L1D hits % | best | speed-up | "   \
    "L1D hits % | each kernel at its best: speed-up | L1D hits % |\n"                              \
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
#define MEAN "| mean: harmonic of speed-ups, arithmetic of hits | "

/* A row for each map; what all their labels end with stands once above. The kernel k takes 51
 * cycles at the least, m 30, where 2 of 100 accesses hit: 100 / 81 = 1.235. Two speed-ups of 2 and
 * 1 have the harmonic mean 2 / (1 / 2 + 1). */
static void markdown(void **unused)
{
    (void)unused;
    change(DB, "INSERT INTO results SELECT point, 'kernel.m.cycles', 40 - 10 * (point = 2) FROM"
               " results WHERE name = 'cycles';"
               "INSERT INTO results SELECT point, 'kernel.m.l1d.accesses', 100 FROM results"
               " WHERE name = 'cycles';"
               "INSERT INTO results SELECT point, 'kernel.m.l1d.hits', point FROM results"
               " WHERE name = 'cycles'");
    map("--table --group=a " DB, 0,
        "small config=" CONFIG_NAME " run.timing=0. (N, p) is (mask.n, mask.p); (W, W) has no "
        "limit; speed-up over that.\n\n" HEAD
        "| vecadd | 100 | 30.0 | 3 | 1.000 | 30.0 | (3, 2) | 2.000 | 25.0 | 1.235 | 2.0 |\n" MEAN
        "| 30.0 | | 1.000 | 30.0 | | 2.000 | 25.0 | 1.235 | 2.0 |\n");
    map("--table --group=a --kernel=m " DB, 0,
        "| vecadd | 40 | 6.0 | 3 | 1.000 | 6.0 | (2, 1) | 1.333 | 2.0 | 1.333 | 2.0 |\n");
    change(DB, "INSERT INTO results VALUES (7, 'cycles', 10)");
    map("--table " DB, 0,
        "\n| vecadd small config=" CONFIG_NAME " run.timing=0 | 100 | 30.0 | 3 | 1.000 | 30.0 | "
        "(3, 2) | 2.000 | 25.0 | 1.235 | 2.0 |\n"
        "| vecadd --elements=9 config=" CONFIG_NAME " | 10 | 0.0 | 1 | 1.000 | 0.0 | (1, 1) | "
        "1.000 | 0.0 | 1.000 | 0.0 |\n" MEAN
        "| 15.0 | | 1.000 | 15.0 | | 1.333 | 12.5 | 1.105 | 1.0 |\n");
    change(DB, "UPDATE settings SET value = 1 WHERE key = 'run.timing';"
               "INSERT INTO settings VALUES (7, 'run.timing', 1)");
    map("--table " DB, 0, "config=" CONFIG_NAME " run.timing=1. (N, p) is");
    assert_non_null(strstr(said, "\n| vecadd small | 100 |"));
    assert_non_null(strstr(said, "\n| vecadd --elements=9 | 10 |"));
}

/* A gnuplot that only keeps what it is told. */
static void picture(void **unused)
{
    (void)unused;
    static char script[MAX_OUTPUT];
    write_file("gnuplot", "#!/bin/sh\n/bin/cat >script; echo drawn\n");
    assert_int_equal(system("chmod +x gnuplot; mv p.ini q.ini"), 0);
    assert_int_equal(shell("PATH=. $H/heddle map --group=a --picture=p.svg " DB, said), 0);
    assert_int_equal(system("grep -q drawn p.svg"), 0);
    assert_int_equal(shell("cat script", script), 0);
    /* N, p, radius, colour, speed-up: the largest gain is 1, the largest loss 0.5. The largest of
     * both has a radius of 0.46, a quarter of it half of that; colours are all of their own side at
     * most, half of it at a quarter. */
    assert_non_null(strstr(script, "$map0 << EOD\n"
                                   "1 1 0.3253 12597547 0.500000\n" /* 0xc0392b */
                                   "2 1 0.2300 7974024 1.250000\n"  /* 0x79ac88 */
                                   "2 2 0.0900 14211288 1.000000\n" /* 0xd8d8d8 */
                                   "3 1 0.2057 "));
    assert_non_null(strstr(script, "3 2 0.4600 1736503 2.000000\n" /* 0x1a7f37 */
                                   "3 3 0.0900 14211288 1.000000\nEOD\n"));
    /* the best point has a ring, which the legend names; circles of the largest size, and of a quarter, stand for these */
    assert_non_null(strstr(script, "circle at first 3,first 2 size first 0.62 "));
    assert_non_null(strstr(script, "'best (3, 2): 2.000'"));
    assert_non_null(strstr(script, "size first 0.460 fillstyle empty"));
    assert_non_null(strstr(script, "'100.0 % more or less'"));
    assert_non_null(strstr(script, "size first 0.230 fillstyle empty"));
    assert_non_null(strstr(script, "'25.0 % more or less'"));
    assert_non_null(strstr(script, "title 'Speed-up over all warps, N = p = 3' . \"\\n\" . "
                                   "'vecadd small config=" CONFIG_NAME " run.timing=0'"));
}

static void pictures_by_gnuplot(void **unused)
{
    (void)unused;
    change(DB, "INSERT INTO results VALUES (7, 'cycles', 10)");
    map("--picture=p.svg " DB, 0, "");
    map("--picture=p.png " DB, 0, "");
    map("--picture=p.pdf " DB, 0, "");
    assert_int_equal(system("head -c 5 p.pdf | grep -q '%PDF-' && "
                            "grep -q '<svg' p.svg && grep -q 'speed-up over (3, 3)' p.svg && "
                            "head -c 4 p.png | grep -q PNG && ! ls *.new 2>/dev/null"),
                     0);
    /* arguments are drawn, and run nothing */
    change(DB, "UPDATE points SET args = args || '`touch x1`''\"' || char(10) || '! touch x2' || "
               "char(10)");
    map("--picture=p.svg --group=a " DB, 0, "touch");
    assert_int_equal(system("! ls x1 x2 2>/dev/null && grep -q '`touch x1`.*?! touch x2?' p.svg"),
                     0);
    map("--picture=p.gif " DB, 2, "expected a name that ends with .svg, .png or .pdf");
    assert_int_equal(shell("PATH=/nowhere $H/heddle map --picture=x.svg " DB, said), 2);
    assert_int_not_equal(access("x.svg", F_OK), 0);
    /* a curve without points is none */
    change(DB, "CREATE TABLE gone AS SELECT point FROM settings WHERE key = 'mask.p' AND value = 1;"
               "DELETE FROM settings WHERE point IN gone; DELETE FROM results WHERE point IN gone;"
               "DELETE FROM points WHERE id IN gone; DROP TABLE gone");
    map("--picture=p.svg --group=a " DB, 0, "  (W, W) ");
    assert_null(strstr(said, "warning"));
    assert_int_equal(system("grep -q 'p = N' p.svg && ! grep -q 'p = 1' p.svg"), 0);
}

static void no_map(void **unused)
{
    (void)unused;
    map("", 2, "no results; expected: heddle map [OPTION...] RESULTS.sqlite");
    map("nowhere.sqlite", 2, "nowhere.sqlite: cannot be opened");
    map("p.ini", 2, "p.ini: cannot be opened");
    map("--n=l1d.sets " DB, 2,
        "no point sets both l1d.sets and mask.p; expected a sweep over them");
    /* one map that cannot be told does not stop the others */
    map(DB, 2, "--elements=9 config=" CONFIG_NAME ": (1, 1) has no result; all else is compared");
    assert_non_null(strstr(said, "  best               3     2             50     2.000"));
    map("--group=a --n=mask.p --p=mask.n " DB, 2, "(1, 2); expected mask.n <= mask.p");
    change(DB, "UPDATE results SET value = 0 WHERE name = 'cycles' AND point = 2");
    map("--group=a " DB, 2, "(2, 1) took no cycles");
    change(DB, "DELETE FROM results WHERE point = 6");
    map("--group=a --kernel=k " DB, 2, "(3, 3) has no result; all else is compared with it");
    change(DB, "UPDATE settings SET value = 'many' WHERE point = 1");
    map("--group=a " DB, 2, "many; expected numbers from 1");
}

int main(void)
{
#define WITH_RESULTS(test) cmocka_unit_test_setup_teardown(test, with_results, leave_folder)
    const struct CMUnitTest tests[] = {
        WITH_RESULTS(table),
        WITH_RESULTS(markdown),
        WITH_RESULTS(several),
        WITH_RESULTS(picture),
        WITH_RESULTS(pictures_by_gnuplot),
        WITH_RESULTS(no_map),
    };
    return cmocka_run_group_tests_name("tb/cli/map", tests, NULL, NULL);
}
