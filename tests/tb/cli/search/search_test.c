/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/search/search_test.c: `heddle search`: one that is killed and restarted finds the same, a file of its best design can be run, and
 * what is wrong is told. */
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
#include "tests/tb/shell.h"

#define SEARCH "search rlws --population=10 --generations=3 --workloads='vecadd, bfs' --seed=3"

static char output[MAX_OUTPUT];

/* Everything that the two searches have found. */
static void assert_same_results(void)
{
    assert_int_equal(
        shell("cmp whole/search.csv killed/search.csv && cmp whole/best.ini killed/best.ini",
              output),
        0);
    for (int i = 0; i < 3; i++) {
        char name[2][64];
        snprintf(name[0], sizeof name[0], "whole/generation-%03d.sqlite", i);
        snprintf(name[1], sizeof name[1], "killed/generation-%03d.sqlite", i);
        char *a = dump(name[0]), *b = dump(name[1]);
        assert_true(strlen(a) > 1000);
        assert_string_equal(a, b);
        free(a);
        free(b);
    }
}

static void killed_and_restarted(void **state)
{
    assert_int_equal(shell("$H/heddle " SEARCH " --out=whole", output), 0);
    assert_non_null(strstr(output, "generation 3 of 3"));
    assert_non_null(strstr(output, " designs, "));
    for (int generation = 0; generation < 2; generation++) {
        char name[64];
        int status;
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            execl("/bin/sh", "sh", "-c",
                  "exec \"$HEDDLE_BUILD\"/heddle " SEARCH " --out=killed >said 2>&1", (char *)NULL);
            _exit(127);
        }
        snprintf(name, sizeof name, "killed/generation-%03d.sqlite", generation);
        for (int i = 0; i < 3000 && access(name, F_OK); i++)
            usleep(10000);
        assert_int_equal(access(name, F_OK), 0);
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        for (int i = 0; i < 200 && processes_in(*state);
             i++) /* they die with it, one after the other */
            usleep(50000);
    }
    assert_int_equal(shell("$H/heddle " SEARCH " --out=killed", output), 0);
    assert_non_null(strstr(output, "were run before"));
    assert_same_results();
    assert_int_equal(shell("$H/heddle run --sched=rlws --backend=lockstep "
                           "--settings=whole/best.ini -- $H/workloads/vecadd --size=small",
                           output),
                     0);
    assert_non_null(strstr(output, "verified"));
    assert_int_equal(shell("grep -q '<svg' whole/fitness.svg", output), 0);
}

static void says_what_is_wrong(void **state)
{
    static const struct {
        const char *words, *says;
    } of[] = {
        {"", "no policy; expected"},
        {"gto", "expected one policy, rlws or rlws-ms"},
        {"rlws rlws-ms", "expected one policy"},
        {"rlws --population=1", "--population=1: expected a number from 2"},
        {"rlws --generations=x", "--generations=x: expected a number"},
        {"rlws --size=huge", "--size=huge: expected small"},
        {"rlws --workloads=nothing --generations=1 --out=x", "nothing"},
        {"rlws --compare=nobody --generations=1 --out=x", "nobody"},
        {"rlws --out=/proc/nothing", "/proc/nothing"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char command[256];
        snprintf(command, sizeof command, "$H/heddle search %s", of[i].words);
        assert_int_equal(shell(command, output), 2);
        if (!strstr(output, of[i].says))
            fail_msg("'%s' says: %s", of[i].words, output);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(killed_and_restarted),
        IN_FOLDER(says_what_is_wrong),
    };
    return cmocka_run_group_tests_name("tb/cli/search", tests, NULL, NULL);
}
