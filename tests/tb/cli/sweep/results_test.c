/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/sweep/results_test.c: what a sweep keeps of a run: of its statistics, its profile, its launches, and of a run before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/tb/cli/sweep/sweep_support.h"
#include "tests/tb/shell.h"

#define DB "p.sqlite"

/* A point's numbers are those that the same run gives by itself. */
static void results(void **unused)
{
    (void)unused;
    static char output[MAX_OUTPUT];
    write_file(
        "p.ini",
        "[a]\nworkload = vecadd\nsize = small\nrun.deadlock_cycles = 100001\nrun.sched = lrr\n"
        "args = --seed=3 --repeat=2\n");
    heddle_says("sweep", "p.ini", 0, "1 points: 1 done, 0 broken; results in ");
    heddle_says("sweep", "p.ini", 0, "1 of 1 points were run before\nnothing is left to run\n");
    assert_int_equal(shell("$H/heddle run --stats=s.json --sched=lrr -- $H/workloads/vecadd "
                           "--size=small --seed=3 --repeat=2 && $H/heddle compare s.json",
                           output),
                     0);
    char cycles[32];
    snprintf(cycles, sizeof cycles, " %s ",
             value_of(DB, "SELECT value FROM results WHERE name = 'cycles'"));
    assert_non_null(strstr(output, cycles));
    assert_string_equal(value_of(DB, "SELECT value FROM results WHERE name = "
                                     "'kernel.vecadd.launches'"),
                        "2");
    assert_string_equal(value_of(DB, "SELECT a.value = b.value FROM results a, results b WHERE "
                                     "a.name = 'cycles' AND b.name = 'kernel.vecadd.cycles'"),
                        "1");
    assert_int_equal(count_of(DB, "SELECT count(*) FROM settings"), 2);
    assert_string_equal(value_of(DB, "SELECT value FROM settings WHERE key = 'run.sched'"), "lrr");
    assert_string_equal(value_of(DB, "SELECT args FROM points"), "--seed=3 --repeat=2");
}

/* The host's time for grouping blocks stands only where they were grouped. */
static void grouped_blocks(void **unused)
{
    (void)unused;
    write_file("p.ini", "[a]\nworkload = pathfinder\nsize = small\nrun.dispatch = lrr, rb\n");
    heddle_says("sweep", "p.ini", 0, "2 points: 2 done, 0 broken; results in ");
    assert_string_equal(value_of(DB,
                                 "SELECT group_concat(point || ' ' || (value > 0)) FROM results "
                                 "WHERE name GLOB 'host.*'"),
                        "2 1");
    assert_string_equal(value_of(DB,
                                 "SELECT group_concat(a.value = b.value) FROM results a, "
                                 "results b WHERE a.point = 2 AND b.point = 2 AND a.value > 0 AND "
                                 "a.name = 'sharing.pairs' AND "
                                 "b.name = 'kernel.pathfinder.sharing.pairs'"),
                        "1");
}

/* A profile's counts are results, and change no others. */
static void profiles(void **unused)
{
    (void)unused;
    write_file("p.ini", "[a]\nworkload = bfs\nsize = small\nprofile = 0..1\n");
    heddle_says("sweep", "p.ini", 0, "2 points: 2 done, 0 broken; results in ");
    assert_int_equal(count_of(DB, "SELECT count(*) FROM results WHERE point = 1 AND "
                                  "name LIKE '%profile%'"),
                     0);
    assert_int_equal(count_of(DB, "SELECT count(*) FROM results a JOIN results b USING(name) WHERE "
                                  "a.point = 1 AND b.point = 2 AND a.value != b.value"),
                     0);
#define SUM(name) "(SELECT sum(value) FROM results WHERE point = 2 AND name GLOB '" name "')"
    assert_int_equal(count_of(DB, "SELECT " SUM("l1d.accesses") " > 0"), 1);
    assert_int_equal(count_of(DB, "SELECT " SUM("l1d.accesses") " - " SUM("profile.accesses")), 0);
    assert_int_equal(
        count_of(DB, "SELECT " SUM("l1d.accesses") " - " SUM("kernel.*.profile.accesses")), 0);
    assert_int_equal(
        count_of(DB,
                 "SELECT " SUM("l1d.hits") " - " SUM("kernel.expand.profile.load.*.hits") " - " SUM(
                     "kernel.advance.profile.load.*.hits")),
        0);
    assert_int_equal(count_of(DB, "SELECT " SUM("kernel.expand.profile.dependence.warps") " > 0"),
                     1);
    heddle_says("sweep", "--dry-run p.ini", 0, " profile=1\n");
}

/* With `launches` a result of a kernel is one of a launch: together those of the kernel, each that of the
 * run's own statistics, and the program's are the same. */
static void launches(void **unused)
{
    (void)unused;
    write_file("p.ini", "[a]\nworkload = bfs\nsize = small\nlaunches = 0..1\n");
    heddle_says("sweep", "p.ini", 0, "2 points: 2 done, 0 broken; results in ");
#define OF(point, name) "(SELECT value FROM results WHERE point = " point " AND name = '" name "')"
    static const char *const zero[] = {
        "SELECT count(*) FROM results WHERE point = 2 AND name GLOB 'kernel.expand.*'",
        "SELECT count(*) - 1 FROM results WHERE name = 'kernel.expand#3.cycles'",
        "SELECT " OF("1", "kernel.expand.launches") " - " SUM("kernel.expand#*.launches"),
        "SELECT " OF("1", "kernel.expand.cycles") " - " SUM("kernel.expand#*.cycles"),
        "SELECT " OF("1", "cycles") " - " OF("2", "cycles"),
        "SELECT max(value) - 1 FROM results WHERE name GLOB 'kernel.expand#*.launches'",
    };
    for (size_t i = 0; i < sizeof zero / sizeof zero[0]; i++)
        assert_int_equal(count_of(DB, zero[i]), 0);
    char third[MAX_OUTPUT];
    assert_int_equal(shell("$H/heddle run --stats=s.json -- $H/workloads/bfs --size=small >log && "
                           "sqlite3 :memory: \"SELECT json_extract(value, '$.cycles') FROM "
                           "json_each(readfile('s.json'), '$.kernels') WHERE "
                           "json_extract(value, '$.name') = 'expand' LIMIT 1 OFFSET 2\"",
                           third),
                     0);
    assert_int_equal(count_of(DB, "SELECT " OF("2", "kernel.expand#3.cycles")), atoi(third));
    heddle_says("sweep", "--dry-run p.ini", 0, " launches=1\n");
}
#undef OF
#undef SUM

/* The profile of another input is made before the point, by the same program with the same arguments, and
 * left nowhere: its cycles are those with that profile made by hand. */
static void profiles_of_other_inputs(void **unused)
{
    (void)unused;
    static char output[MAX_OUTPUT];
    write_file("p.ini", "[a]\nworkload = spmv\nsize = small\nargs = \"\", --none\n"
                        "run.sched = daws-profiled\ndaws_table.profile = @small\n");
    heddle_says("sweep", "--dry-run p.ini", 0,
                " size=small daws_table.profile=@small run.sched=daws-profiled\n");
    heddle_says("sweep", "p.ini", 1, "2 points: 1 done, 1 broken; results in ");
    assert_non_null(strstr(value_of(DB, "SELECT message FROM points WHERE id = 2"), "--none"));
    assert_int_equal(shell("$H/heddle run --profile=1.json -- $H/workloads/spmv --size=small && "
                           "$H/heddle run --stats=s.json --sched=daws-profiled "
                           "--set daws_table.profile=1.json -- $H/workloads/spmv --size=small && "
                           "$H/heddle compare s.json",
                           output),
                     0);
    char cycles[32];
    snprintf(cycles, sizeof cycles, " %s ",
             value_of(DB, "SELECT value FROM results WHERE name = 'cycles'"));
    assert_non_null(strstr(output, cycles));
    assert_int_equal(shell("! find p.sqlite.tasks -type f 2>/dev/null | grep .", output), 0);
}

/* So are the statistics under another policy: what the engine has found there changes its cycles, and these are those of the same made
 * by hand. */
static void statistics_under_another_policy(void **unused)
{
    (void)unused;
    static char output[MAX_OUTPUT], cycles[2][32];
#define POINT                                                                                      \
    "workload = \"spmv --rows=4096 --nonzeros=16\"\nrun.sched = poise\npoise.stride_n = 0\n"       \
    "poise.stride_p = 0\n"
    write_file("p.ini", "[a]\n" POINT "[b]\n" POINT "poise.told = @random-restart\n");
#undef POINT
    heddle_says("sweep", "p.ini", 0, "2 points: 2 done, 0 broken; results in ");
    for (int i = 0; i < 2; i++) {
        char query[96];
        snprintf(query, sizeof query,
                 "SELECT value FROM results WHERE name = 'cycles' AND point = %d", i + 1);
        snprintf(cycles[i], sizeof cycles[i], " %s ", value_of(DB, query));
    }
    assert_string_not_equal(cycles[0], cycles[1]);
    assert_int_equal(
        shell("p='spmv --rows=4096 --nonzeros=16'; "
              "$H/heddle run --stats=1.json --sched=random-restart -- $H/workloads/$p && "
              "$H/heddle run --stats=s.json --sched=poise --set poise.stride_n=0 "
              "--set poise.stride_p=0 --set poise.told=1.json -- $H/workloads/$p && "
              "$H/heddle compare s.json",
              output),
        0);
    assert_non_null(strstr(output, cycles[1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(results),
        IN_FOLDER(grouped_blocks),
        IN_FOLDER(profiles),
        IN_FOLDER(launches),
        IN_FOLDER(profiles_of_other_inputs),
        IN_FOLDER(statistics_under_another_policy),
    };
    return cmocka_run_group_tests_name("tb/cli/sweep results", tests, NULL, NULL);
}
