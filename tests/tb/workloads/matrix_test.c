/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/workloads/matrix_test.c: matrix.sh notices what it is for. Its machines are a script
 * here that fails in one way for each name of a workload. */
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
    "[ \"$1\" != list ] || { printf 'Policies\\n  lrr a\\n  gto b\\n  tl-active c\\n'; exit; }\n"
    "value=1 cycles=5 masked=7 mismatches=0 status=0 observed= issued=2 done=4\n"
    "verified='verified: all' host=host aged=5\n"
    "for word; do\n"
    "    case $word in\n"
    "    --backend=*) backend=${word#*=} ;;\n"
    "    --stats=*) stats=${word#*=} ;;\n"
    "    run.threads=*) threads=${word#*=} ;;\n"
    "    run.observe=*) observed=${word#*=} ;;\n"
    "    */workloads/*) workload=${word##*/} ;;\n"
    "    esac\n"
    "done\n"
    "[ $backend = lockstep ] || cycles=0 masked=0\n"
    "case $workload-$backend in\n"
    "exits-*) status=1 ;;\n"
    "silent-*) verified='not verified' ;;\n"
    "slow-*) sleep 100 ;;\n"
    "mute-*) stats=/dev/null ;;\n"
    "idle-*) cycles=0 ;;\n"
    "maskless-*) masked=0 ;;\n"
    "differs-lockstep) status=3 ;;\n"
    "lies-lockstep) mismatches=2 ;;\n"
    "partial-rtl) value=2 ;;\n"
    "threads-*) value=${threads:-1} ;;\n"
    "hostless-*) host=guest ;;\n"
    "watched-*) [ -z \"$observed\" ] || status=3 ;;\n"
    "disturbed-*) value=1$observed ;;\n"
    "numbered-*) aged=0 ;;\n"
    "lost-c) done=3 ;;\n"
    "miscounted-c) issued=3 done=3 ;;\n"
    "restless-*) case $stats in *-threads1.json) value=2 ;; esac ;;\n"
    "esac\n"
    "echo \"$verified\"\n"
    "printf '{\"backend\": \"%s\", \"kernels\": [{\"cycles\": %s,' $backend $value >$stats\n"
    "printf '\"warp_instructions\": 2, \"warp_cycles\": 6, \"cpi\":' >>$stats\n"
    "printf '{\"warp_cycles\": {\"issued\": %s, \"done\": %s}}}],' $issued $done >>$stats\n"
    "printf '\"lockstep\": {\"wia\": {\"cycles\": %s, ' $cycles >>$stats\n"
    "printf '\"mismatches\": %s}, \"mask\": {\"cycles\": %s}},' $mismatches $masked >>$stats\n"
    "printf '\"%s\": {\"wall_seconds\": %s, \"aged\": %s}}' $host $$ $aged >>$stats\n"
    "exit $status\n";

static char said[MAX_OUTPUT];

static int set_up(void **unused)
{
    (void)unused;
    static const char *const names[] = {"m1", "m2"};
    return make_machines(names, sizeof names / sizeof names[0], machine);
}

/* Runs the matrix of these workloads; returns its status, what it prints is in `said`. */
static int matrix(const char *workloads, const char *size, int limit)
{
    char line[512];
    snprintf(line, sizeof line,
             "EVERY=1 AGED='fine numbered' WORKLOADS='%s' LIMIT=%d OUT=%s/out "
             "tests/tb/workloads/matrix.sh "
             "%s %s/m1 %s/m2",
             workloads, limit, machines, size, machines, machines);
    return shell(line, said);
}

static void expect(const char *text)
{
    if (!strstr(said, text))
        fail_msg("expected '%s' in:\n%s", text, said);
}

static void good_runs_pass(void **unused)
{
    (void)unused;
    assert_int_equal(matrix("good fine", "small", 100), 0);
    expect("59 of 59 runs passed on 2 machines, 0 failed (29 in lockstep, 30 of one");
    assert_null(strstr(said, "FAILED"));
    assert_int_equal(matrix("good fine", "medium", 100), 0);
    expect("8 of 8 runs passed on 2 machines, 0 failed (8 in lockstep, 0 of one");
}

/* `first` is a run that must be named with its reason, `failed` how many of the workload's 29. */
static void each_failure_is_reported(void **unused)
{
    (void)unused;
    static const struct {
        const char *workload, *first;
        int failed;
    } cases[] = {
        {"exits", "FAILED: m2-exits-gto-lockstep-elsewhere: status 1\n", 29},
        {"silent", "FAILED: m1-silent-lrr-c: no line says 'verified'\n", 29},
        {"mute", "FAILED: m1-mute-gto-rtl: no statistics\n", 29},
        {"idle", "FAILED: m1-idle-lrr-lockstep: lockstep compared nothing of wia\n", 14},
        {"maskless",
         "FAILED: m1-maskless-gto-lockstep-throttled: lockstep compared nothing of mask\n", 1},
        {"differs",
         "FAILED: m2-differs-lrr-lockstep: lockstep or an observer found a difference (status 3)\n",
         14},
        {"lies", "FAILED: m1-lies-gto-lockstep: mismatches in the statistics\n", 14},
        {"partial", "FAILED: m1-partial-lrr-rtl: its statistics are not those of", 7},
        {"threads", "FAILED: m1-threads-gto-lockstep-threads3: its statistics are not", 2},
        {"hostless", "FAILED: m1-hostless-lrr-rtl: its statistics are not those of", 20},
        {"watched",
         "FAILED: m1-watched-gto-c-throttled-observed: lockstep or an observer found a difference",
         12},
        {"disturbed", "FAILED: m1-disturbed-gto-c-throttled-observed: its statistics are not", 2},
        {"restless", "FAILED: m1-restless-gto-lockstep-threads1: its statistics are not", 1},
        {"lost", "FAILED: m1-lost-lrr-c: kernel 0: its warps' cycles are not the sum", 8},
        {"miscounted", "FAILED: m1-miscounted-gto-c: kernel 0: its warps' cycles are not", 8},
        {"numbered", "FAILED: m1-numbered-gto-lockstep-aged: warps are as old as their", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char workloads[64], count[64];
        const int runs = strcmp(cases[i].workload, "numbered") ? 58 : 59;
        snprintf(workloads, sizeof workloads, "good %s", cases[i].workload);
        snprintf(count, sizeof count, "%d of %d runs passed on 2 machines, %d failed",
                 runs - cases[i].failed, runs, cases[i].failed);
        assert_int_equal(matrix(workloads, "small", 100), 1);
        expect(cases[i].first);
        expect(count);
    }
}

static void endless_runs_are_ended(void **unused)
{
    (void)unused;
    assert_int_equal(matrix("slow", "medium", 1), 1);
    expect("FAILED: m2-slow-lrr-lockstep: still running after 1 s\n");
    expect("0 of 4 runs passed");
}

/* What a failed run said last, and the command that repeats it, stand below its name. */
static void log_and_command_are_shown(void **unused)
{
    (void)unused;
    assert_int_equal(matrix("silent", "medium", 100), 1);
    expect("/m2/heddle run --sched=gto --backend=lockstep --stats=");
    expect("/workloads/silent --size=medium\n    | not verified\n");
    assert_int_equal(matrix("", "small", 100), 1);
    expect("0 of 0 runs passed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_runs_pass),
        cmocka_unit_test(each_failure_is_reported),
        cmocka_unit_test(endless_runs_are_ended),
        cmocka_unit_test(log_and_command_are_shown),
    };
    return cmocka_run_group_tests_name("tb/workloads/matrix", tests, set_up, remove_machines);
}
