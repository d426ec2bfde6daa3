/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/workloads/pairs_test.c: pairs.sh notices what it is for. Its machine is a script here that fails in one way for each name of a
 * workload. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/shell.h"
#include "tests/tb/workloads/machine_support.h"

static const char machine[] =
    "cycles=5 mismatches=0 status=0\n"
    "for word; do\n"
    "    case $word in\n"
    "    --capture=*) echo >${word#*=}; case $word in *refused*) exit 2 ;; esac; exit 0 ;;\n"
    "    --stats=*) stats=${word#*=} ;;\n"
    "    esac\n"
    "done\n"
    "case ${stats##*/} in\n"
    "*exits*) status=1 ;;\n"
    "*slow*) sleep 100 ;;\n"
    "*idle*) cycles=0 ;;\n"
    "*lies*) mismatches=2 ;;\n"
    "esac\n"
    "printf '{\"lockstep\": {\"wia\": {\"cycles\": %s, \"mismatches\": %s}}}' $cycles $mismatches "
    ">$stats\n"
    "exit $status\n";

static char said[MAX_OUTPUT];

static int set_up(void **unused)
{
    (void)unused;
    static const char *const names[] = {"m1"};
    return make_machines(names, 1, machine);
}

static int pairs(const char *which)
{
    char line[512];
    snprintf(line, sizeof line, "EVERY_SECONDS=0 LIMIT=2 %s tests/tb/workloads/pairs.sh %s/m1 2>&1",
             which, machines);
    return shell(line, said);
}

static void all_of_the_workloads(void **unused)
{
    (void)unused;
    assert_int_equal(pairs("WORKLOADS='a b gc c histogram d'"), 0);
    assert_non_null(strstr(said, "  6 of 6 pairs\npairs: 6 passed, 0 failed\n"));
    assert_int_equal(pairs("PAIRS='a+b b+c'"), 0);
    assert_non_null(strstr(said, "  1 of 2 pairs\n  2 of 2 pairs\npairs: 2 passed, 0 failed\n"));
}

static void what_fails_is_named(void **unused)
{
    (void)unused;
    static const char *const cases[][2] = {
        {"a+exits", "a+exits: status 1; see "},
        {"slow+a", "slow+a: status 124; see "},
        {"a+idle", "a+idle: lockstep compared nothing, or found differences; see "},
        {"lies+a", "lies+a: lockstep compared nothing, or found differences; see "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char which[64];
        snprintf(which, sizeof which, "PAIRS='a+b %s'", cases[i][0]);
        assert_int_equal(pairs(which), 1);
        if (!strstr(said, cases[i][1]) || !strstr(said, "pairs: 1 passed, 1 failed\n"))
            fail_msg("expected '%s' in:\n%s", cases[i][1], said);
    }
    pairs("PAIRS='a+refused'");
    assert_non_null(strstr(said, "refused: no capture: status 2; see "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_the_workloads),
        cmocka_unit_test(what_fails_is_named),
    };
    return cmocka_run_group_tests_name("tb/workloads/pairs", tests, set_up, remove_machines);
}
