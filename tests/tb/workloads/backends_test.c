/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/workloads/backends_test.c: backends.sh notices what it is for. Its machine is a script here
 * that fails in one way for each name of a workload. */
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
    "value=1234567 cycles=5 mismatches=0 status=0 verified='verified: all'\n"
    "for word; do\n"
    "    case $word in\n"
    "    --backend=*) backend=${word#*=} ;;\n"
    "    --dispatch=rb) value=7654321 ;;\n"
    "    --stats=*) stats=${word#*=} ;;\n"
    "    run.threads=*) threads=${word#*=} ;;\n"
    "    */workloads/*) workload=${word##*/} ;;\n"
    "    esac\n"
    "done\n"
    "[ $backend = lockstep ] || cycles=0\n"
    "case $workload-$backend-$threads in\n"
    "exits-rtl-*) status=3 ;;\n"
    "silent-c-1) verified='not verified' ;;\n"
    "idle-*) cycles=0 ;;\n"
    "lies-lockstep-*) mismatches=2 ;;\n"
    "partial-rtl-*) value=2 ;;\n"
    "threads-c-3) value=3 ;;\n"
    "esac\n"
    "echo \"$verified\"\n"
    "printf '{\"backend\": \"%s\", \"totals\": {\"cycles\": %s},' $backend $value >$stats\n"
    "printf '\"lockstep\": {\"wia\": {\"cycles\": %s, \"mismatches\": %s}},' $cycles $mismatches "
    ">>$stats\n"
    "printf '\"host\": {\"threads\": %s}}' $threads >>$stats\n"
    "exit $status\n";

static char said[MAX_OUTPUT];

static int set_up(void **unused)
{
    (void)unused;
    static const char *const names[] = {"m1"};
    return make_machines(names, 1, machine);
}

static int backends(const char *workloads)
{
    char line[512];
    snprintf(
        line, sizeof line,
        "POLICIES='gto daws gto+rb' OUT=%s/out tests/tb/workloads/backends.sh small %s/m1 %s 2>&1",
        machines, machines, workloads);
    return shell(line, said);
}

static void a_row_for_each_policy(void **unused)
{
    (void)unused;
    assert_int_equal(backends("good"), 0);
    assert_non_null(strstr(said, "| `good` | `gto` | 1,234,567 | 0."));
    assert_non_null(strstr(said, "| `good` | `daws` | 1,234,567 | 0."));
    assert_non_null(strstr(said, "| `good` | `gto+rb` | 7,654,321 | 0."));
    assert_non_null(strstr(said, "Lockstep takes at most "));
}

static void what_differs_is_named(void **unused)
{
    (void)unused;
    static const char *const cases[][2] = {
        {"exits", "exits-gto-rtl-1: status 3"},
        {"silent", "silent-gto-c-1: no line says 'verified'"},
        {"idle", "idle-gto-lockstep-1: lockstep compared nothing"},
        {"lies", "lies-gto-lockstep-1: mismatches in the statistics"},
        {"partial", "partial-gto-rtl-1: its statistics are not those of partial-gto-c-3.json"},
        {"threads", "threads-gto-c-2: its statistics are not those of threads-gto-c-3.json"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char workloads[64];
        snprintf(workloads, sizeof workloads, "good %s", cases[i][0]);
        assert_int_equal(backends(workloads), 1);
        if (!strstr(said, cases[i][1]))
            fail_msg("expected '%s' in:\n%s", cases[i][1], said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_for_each_policy),
        cmocka_unit_test(what_differs_is_named),
    };
    return cmocka_run_group_tests_name("tb/workloads/backends", tests, set_up, remove_machines);
}
