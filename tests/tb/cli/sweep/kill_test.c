/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/sweep/kill_test.c: a sweep that is killed, again and again, and restarted gives the
 * same results, to the last row, as an undisturbed one. $HEDDLE_SWEEP_POINTS: of how many points.
 */
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

#include "tests/tb/cli/sweep/sweep_support.h"

#define READY "SELECT count(*) FROM points WHERE status <> 'pending'"

static int num_points(void)
{
    const char *text = getenv("HEDDLE_SWEEP_POINTS");
    return text ? atoi(text) : 24;
}

/* Half the points are of one program, half of another; one more is broken. */
static void write_points(const char *path)
{
    char text[512];
    snprintf(text, sizeof text,
             "[many]\nworkload = vecadd, spmv\nsize = small\nrun.deadlock_cycles = 100001..%d\n"
             "run.sched = lrr, gto\n[broken]\nworkload = vecadd\nargs = --no-such-option\n",
             100000 + num_points() / 4);
    write_file(path, text);
}

/* Ends the sweep by `sig` as soon as so many points are ready. Returns how it ended. */
static int end_at(const char *words, const char *database, int points, int sig)
{
    int status;
    const pid_t process = sweep_start(words);
    while (waitpid(process, &status, WNOHANG) == 0) {
        if (access(database, F_OK) == 0 &&
            count_of(database, "SELECT count(*) FROM sqlite_schema") &&
            count_of(database, READY) >= points) {
            kill(process, sig);
            assert_int_equal(waitpid(process, &status, 0), process);
            return status;
        }
        usleep(20000);
    }
    fail_msg("the sweep ended with status %x before %d points were ready", status, points);
    return -1;
}

static void nobody_is_left(const char *folder)
{
    int left = -1;
    for (int i = 0; i < 100 && left; i++) { /* they die with their parents, one after the other */
        usleep(50000);
        left = processes_in(folder);
    }
    assert_int_equal(left, 0);
}

/* What a sweep has started dies with it: the task, its `heddle run` and the program. */
static void nobody_survives(void **state)
{
    int status, running = 0;
    write_file("p.ini",
               "[long]\nworkload = spmv\nsize = large\nrun.deadlock_cycles = 100001..100002\n");
    const pid_t process = sweep_start("p.ini --jobs=2");
    for (int i = 0; i < 200 && running < 6; i++) {
        usleep(50000);
        running = processes_in(*state);
    }
    assert_true(running >= 6); /* twice three, and compilers of kernels */
    kill(process, SIGKILL);
    assert_int_equal(waitpid(process, &status, 0), process);
    nobody_is_left(*state);
}

static void killed_and_restarted(void **state)
{
    const int points = num_points() / 4 * 4 + 1;
    write_points("p.ini");
    assert_int_equal(heddle("sweep", "p.ini --results=undisturbed.sqlite"), 1); /* one is broken */
    assert_int_equal(count_of("undisturbed.sqlite", "SELECT count(*) FROM points"), points);
    assert_int_equal(
        count_of("undisturbed.sqlite", "SELECT count(*) FROM points WHERE status = 'done'"),
        points - 1);
    for (int third = 1; third <= 2; third++) {
        const int status =
            end_at("p.ini --results=killed.sqlite", "killed.sqlite", points * third / 3, SIGKILL);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        nobody_is_left(*state);
        const int ready = count_of("killed.sqlite", READY);
        assert_in_range(ready, points * third / 3, points - 1);
        print_message("killed after %d of %d points\n", ready, points);
        /* What is done is not repeated: a row that no run can give must survive. */
        if (third == 1)
            change("killed.sqlite", "UPDATE results SET value = -1 WHERE name = 'cycles' AND"
                                    " point = (SELECT min(id) FROM points WHERE status = 'done')");
    }
    assert_int_equal(heddle("sweep", "p.ini --results=killed.sqlite --csv=k.csv"), 1);
    assert_non_null(strstr(said, "points were run before"));
    assert_int_equal(count_of("killed.sqlite", "SELECT count(*) FROM results WHERE value = -1"), 1);
    change("killed.sqlite", "ATTACH 'undisturbed.sqlite' AS u; UPDATE results SET value ="
                            " (SELECT r.value FROM u.results r WHERE r.point = results.point AND"
                            " r.name = 'cycles') WHERE value = -1");
    char *a = dump("undisturbed.sqlite"), *b = dump("killed.sqlite");
    assert_true(strlen(a) > 1000);
    assert_string_equal(a, b);
    free(a);
    free(b);
    assert_int_not_equal(access("killed.sqlite.tasks", F_OK), 0);
}

static void interrupted(void **state)
{
    write_points("p.ini");
    const int status = end_at("p.ini --jobs=3", "p.sqlite", 4, SIGINT);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 130);
    assert_int_equal(system("grep -q 'interrupted; the same command resumes it' said"), 0);
    nobody_is_left(*state);
    assert_int_not_equal(access("p.sqlite.tasks", F_OK), 0);
    assert_in_range(count_of("p.sqlite", READY), 4, num_points());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(killed_and_restarted),
        IN_FOLDER(nobody_survives),
        IN_FOLDER(interrupted),
    };
    return cmocka_run_group_tests_name("tb/cli/sweep/kill", tests, NULL, NULL);
}
