/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/sweep/pairs_test.c: points that are replays: their results are those of `heddle replay` by hand; captures that a sweep makes
 * are made once, whole, and of this build; whoever comes first, and wherever it was killed, the results are the same. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "hw.h"
#include "tests/tb/cli/sweep/sweep_support.h"
#include "tests/tb/shell.h"

#define DB       "p.sqlite"
#define CAPTURES DB ".captures/"
#define KMU      "size = small\nrun.dispatch = kmu\n"

static char output[MAX_OUTPUT];

static void run_shell(const char *command, const char *says)
{
    if (shell(command, output) || strcmp(output, says) != 0)
        fail_msg("%s\nsays:\n%s\nexpected:\n%s", command, output, says);
}

/* All that a sweep keeps of the totals and of each of the two is in the statistics of the same replay, of captures made in another way:
 * by runs that take time. */
static void as_by_hand(void **unused)
{
    (void)unused;
    write_file("p.ini", "[a]\nworkload = lud+vecadd\nkmu.partition = 2\n" KMU);
    heddle_says("sweep", "p.ini", 0, "1 points: 1 done, 0 broken; results in ");
    run_shell("for w in lud vecadd; do $H/heddle run --capture=$w -- $H/workloads/$w --size=small; "
              "done >/dev/null && $H/heddle replay --stats=s.json --dispatch=kmu "
              "--set kmu.partition=2 lud vecadd >/dev/null",
              "");
#define SAME(object, results)                                                                      \
    "sqlite3 " DB " \"WITH f AS (SELECT json_extract(readfile('s.json'), '" object "') AS j), "    \
    "r AS (SELECT replace(name, '" results                                                         \
    "', '') AS name, value FROM results WHERE name GLOB '" results                                 \
    "*' AND name NOT GLOB 'kernel.*') SELECT count(*) > 40, sum(json_extract(j, '$.' || "          \
    "name) IS NOT value) FROM f, r WHERE name NOT GLOB 'first.*' AND name NOT GLOB 'second.*'\""
    run_shell(SAME("$.totals", ""), "1|0\n");
    run_shell(SAME("$.together[0].each[0]", "first."), "1|0\n");
    run_shell(SAME("$.together[0].each[1]", "second."), "1|0\n");
#undef SAME
    /* of kernels what there is of each; that of `vecadd` is all of the second */
    assert_string_equal(value_of(DB, "SELECT a.value = b.value FROM results a, results b WHERE "
                                     "a.name = 'second.warp_instructions' AND "
                                     "b.name = 'kernel.vecadd.warp_instructions'"),
                        "1");
    assert_int_equal(
        count_of(DB, "SELECT count(*) FROM results WHERE name GLOB 'kernel.vecadd.l1d.*'"), 0);
}

/* Of a profile what there is of each kernel, and of both. */
static void profiles_of_two(void **unused)
{
    (void)unused;
    write_file("p.ini", "[a]\nworkload = lud+vecadd\nprofile = 1\n" KMU);
    heddle_says("sweep", "p.ini", 0, "1 points: 1 done");
#define VALUE(name) "(SELECT value FROM results WHERE name = '" name "')"
#define SUM(names)  "(SELECT sum(value) FROM results WHERE name GLOB '" names "')"
    assert_string_equal(
        value_of(DB, "SELECT " VALUE("profile.accesses") " = " VALUE("l1d.accesses")), "1");
    assert_string_equal(value_of(DB, "SELECT " VALUE("profile.l2.misses") " = " VALUE("l2.misses")),
                        "1");
    assert_string_equal(value_of(DB, "SELECT " SUM("kernel.*.profile.executions") " = " VALUE(
                                         "profile.executions")),
                        "1");
    assert_string_equal(value_of(DB, "SELECT " SUM("kernel.vecadd.profile.activity.*") " = " VALUE(
                                         "second.warp_instructions")),
                        "1");
    assert_string_equal(value_of(DB, "SELECT " SUM("kernel.*.profile.launches_beside") " > 2"),
                        "1");
#undef SUM
#undef VALUE
}

/* A capture by itself, as made by hand. */
static void one_capture(void **unused)
{
    (void)unused;
    run_shell("$H/heddle run --capture=bfs.capture -- $H/workloads/bfs --size=small >/dev/null",
              "");
    write_file("p.ini", "[a]\nworkload = bfs.capture\nrun.sched = lrr\nprofile = 1\n"
                        "[b]\nworkload = bfs\nsize = small\nrun.sched = lrr\nprofile = 1\n"
                        "[c]\nworkload = vecadd+bfs.capture\n" KMU);
    heddle_says("sweep", "p.ini", 0, "3 points: 3 done");
    assert_int_equal(count_of(DB, "SELECT count(*) > 100 FROM results WHERE point = 1"), 1);
    assert_int_equal(count_of(DB, "SELECT count(*) FROM (SELECT name, value FROM results WHERE "
                                  "point = 1 EXCEPT SELECT name, value FROM results WHERE "
                                  "point = 2)"),
                     0);
    run_shell("ls " CAPTURES, CONFIG_NAME ".vecadd.small\n");
    /* another capture under its name is another build */
    run_shell("$H/heddle run --capture=bfs.capture -- $H/workloads/lud --size=small >/dev/null",
              "");
    heddle_says("sweep", "p.ini", 0, "2 points were run with another build and are run again");
    assert_int_equal(
        count_of(DB, "SELECT count(*) FROM results WHERE name = 'kernel.diagonal.cycles'"), 2);
    /* a damaged one breaks its points alone */
    run_shell("printf x >>bfs.capture", "");
    heddle_says("sweep", "p.ini", 1, "    | bfs.capture: record ");
    assert_string_equal(value_of(DB, "SELECT group_concat(status) FROM points"),
                        "broken,done,broken");
}

/* Made once for all policies, again where it is of another build; what was left half way is removed. */
static void captures_are_kept(void **unused)
{
    (void)unused;
    write_file("p.ini", "[a]\nworkload = vecadd+lud, lud+vecadd\n" KMU);
    heddle_says("sweep", "p.ini --jobs=2", 0, "2 points: 2 done");
    run_shell("cd " CAPTURES " && ls", CONFIG_NAME ".lud.small\n" CONFIG_NAME ".vecadd.small\n");
    run_shell("cd " CAPTURES " && ls -i */* >../before && wc -l <../before", "2\n");
    write_file("p.ini", "[a]\nworkload = vecadd+lud, lud+vecadd\nkmu.partition = 0, 2\n" KMU);
    heddle_says("sweep", "p.ini --forget", 0, "4 points: 4 done");
    run_shell("cd " CAPTURES " && ls -i */* | cmp - ../before", "");
    char *whole = dump(DB);
    /* another build's, and a half of this one's */
    run_shell("cd " CAPTURES "*lud.small && for f in *.capture; do mv $f 0123456789abcdef.capture; "
              "echo half >$f.new; echo half >$f.new.1.new; done",
              "");
    change(DB, "UPDATE points SET status = 'pending'; DELETE FROM results");
    heddle_says("sweep", "p.ini", 0, "4 points: 4 done");
    run_shell("cd " CAPTURES " && ls */* | sed 's/.*[.]//' && ls */* | grep 0123456789abcdef | cat",
              "capture\ncapture\n");
    char *now = dump(DB);
    assert_string_equal(now, whole);
    free(now);
    free(whole);
}

/* Each program has its own arguments, and a capture for them. vecadd ends first and is issued again; the other is not. */
static void arguments(void **unused)
{
    (void)unused;
    write_file(
        "p.ini",
        "[a]\nworkload = lbm --layout=cells + vecadd, lbm+vecadd, vecadd+lbm --layout=cells\n" KMU
        "[b]\nworkload = lbm --layout=cells, lbm\nsize = small\n");
    heddle_says("sweep", "p.ini", 0, "5 points: 5 done");
    run_shell("ls -d " CAPTURES "*lbm.small* | wc -l && ls " CAPTURES "*/*.capture | wc -l",
              "2\n3\n");
#define OF(point, name) "(SELECT value FROM results WHERE name = '" name "' AND point = " #point ")"
    /* as many as by itself, and with the layout more accesses than without */
    static const char *const hold[] = {
        OF(4, "warp_instructions") " = " OF(1, "first.warp_instructions"),
        OF(5, "warp_instructions") " = " OF(2, "first.warp_instructions"),
        OF(4, "warp_instructions") " = " OF(3, "second.warp_instructions"),
        OF(4, "l1d.accesses") " > 2 * " OF(5, "l1d.accesses"),
        OF(1, "l1d.accesses") " > 2 * " OF(2, "l1d.accesses"),
        OF(3, "l1d.accesses") " > 2 * " OF(2, "l1d.accesses"),
    };
    for (size_t i = 0; i < sizeof hold / sizeof hold[0]; i++) {
        char query[400];
        snprintf(query, sizeof query, "SELECT %s", hold[i]);
        if (strcmp(value_of(DB, query), "1") != 0)
            fail_msg("not so: %s", hold[i]);
    }
#undef OF
}

/* What cannot be captured breaks its points, and leaves nothing. */
static void broken_points(void **unused)
{
    (void)unused;
    write_file("p.ini", "[a]\nworkload = vecadd+lud\nrun.dispatch = kmu\nsize = 1000000000\n"
                        "[b]\nworkload = gc+vecadd\n" KMU "differ = 0..1\n"
                        "[c]\nworkload = vecadd+lud\n" KMU "run.max_cycles = 100\n");
    heddle_says("sweep", "p.ini", 1, "4 points: 1 done, 3 broken");
    assert_string_equal(value_of(DB, "SELECT group_concat(status) FROM points"),
                        "broken,broken,done,broken");
    assert_non_null(strstr(value_of(DB, "SELECT message FROM points WHERE id = 1"), "vecadd"));
    assert_string_equal(value_of(DB, "SELECT exit_status FROM points WHERE id = 2"), "1");
    assert_non_null(
        strstr(value_of(DB, "SELECT message FROM points WHERE id = 4"), "run.max_cycles"));
    run_shell("find " CAPTURES " -type f | grep -v '[.]small/' | cat", "");
    run_shell("rm -r " CAPTURES " && echo no >p.sqlite.captures", "");
    heddle_says("sweep", "p.ini --retry", 1, "p.sqlite.captures");
}

/* Killed while it captures or replays, and restarted, it gives what an undisturbed one gives, with as many at once as may be. */
static void killed_and_restarted(void **state)
{
    write_file("p.ini",
               "[a]\nworkload = vecadd+lud, lud+spmv, vecadd+vecadd\nkmu.partition = 0..2\n" KMU);
    heddle_says("sweep", "p.ini --results=whole.sqlite --jobs=1", 0, "9 points: 9 done");
    for (int half = 0; half < 2; half++) {
        int status, left = 1;
        const pid_t process = sweep_start("p.ini --jobs=3");
        for (int i = 0; i < 3000; i++) {
            usleep(2000);
            if (half ? !access(DB, F_OK) && count_of(DB, "SELECT count(*) FROM sqlite_schema") &&
                           count_of(DB, "SELECT count(*) FROM points WHERE status = 'done'") >= 3
                     : !access(CAPTURES, F_OK))
                break;
        }
        assert_int_equal(kill(process, SIGKILL), 0);
        assert_int_equal(waitpid(process, &status, 0), process);
        assert_true(WIFSIGNALED(status));
        for (int i = 0; i < 100 && left; i++) {
            usleep(50000);
            left = processes_in(*state);
        }
        assert_int_equal(left, 0);
    }
    heddle_says("sweep", "p.ini --jobs=4", 0, "9 points: 9 done, 0 broken");
    char *a = dump("whole.sqlite"), *b = dump(DB);
    assert_string_equal(a, b);
    free(a);
    free(b);
    run_shell("find " CAPTURES " -type f | sed 's/.*[.]//' | sort | uniq -c | tr -d ' '",
              "3capture\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(as_by_hand),           IN_FOLDER(profiles_of_two),
        IN_FOLDER(one_capture),          IN_FOLDER(arguments),
        IN_FOLDER(broken_points),        IN_FOLDER(captures_are_kept),
        IN_FOLDER(killed_and_restarted),
    };
    return cmocka_run_group_tests_name("tb/cli/sweep pairs", tests, NULL, NULL);
}
