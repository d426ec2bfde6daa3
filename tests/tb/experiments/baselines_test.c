/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/experiments/baselines_test.c: the tables of baselines.sh, from statistics whose figures
 * are computed by hand here. The machine is a script that knows two workloads, and two that fail.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/shell.h"
#include "tests/tb/workloads/machine_support.h"

/* Of `bfs` gto hits 1 of 4 and lrr 2 of 4 lines; with 64 x 8 sets 3 of 4, at four times the speed;
 * of `gc` all hit always. A kernel of its own stands before the totals and must not be read. */
static const char machine[] =
    "case $1-$2 in\n"
    "list-keys) printf '[l1c]\\n  sets 4 x\\n[l1d]\\n  sets 8 sets\\n  ways 2 x\\n'; exit ;;\n"
    "list-workloads)\n"
    "    printf 'Workloads (here)\\n  bfs a, b; mine yours; sensitive; 1, 2\\n'\n"
    "    printf '  gc c; mine; not; 1\\n  exits d; bad; not; 1\\n  silent e; worse; not; 1\\n'\n"
    "    exit ;;\n"
    "esac\n"
    "run=gto said=verified\n"
    "for word; do\n"
    "    case $word in\n"
    "    --sched=lrr) run=lrr ;;\n"
    "    l1d.sets=512) run=large ;;\n"
    "    --stats=*) stats=${word#*=} ;;\n"
    "    */workloads/*) workload=${word##*/} ;;\n"
    "    esac\n"
    "done\n"
    "case $workload-$run in\n"
    "bfs-gto) hits=1 ipc=0.5 ;;\n"
    "bfs-lrr) hits=2 ipc=0.25 ;;\n"
    "bfs-large) hits=3 ipc=2 ;;\n"
    "gc-*) hits=4 ipc=1 ;;\n"
    "exits-lrr) echo alas; exit 1 ;;\n"
    "silent-*) said=nothing ;;\n"
    "esac\n"
    "{\n"
    "printf '{\"kernels\": [{\"ipc\": 99, \"cycles\": 99}], \"totals\": {\"cycles\": 1000, '\n"
    "printf '\"ipc\": %s, \"cpi\": {\"total\": 10, \"per_instruction\": {' $ipc\n"
    "printf '\"issued\": 1, \"data_mem\": 7, \"done\": 2}}, '\n"
    "printf '\"l1d\": {\"accesses\": 4, \"hits\": %s, \"misses\": %s}, ' $hits $((4 - hits))\n"
    "printf '\"l2\": {\"reads\": 8, \"read_hits\": 5}, \"dram\": {\"bus_busy\": 300}}, '\n"
    "printf '\"settings\": {\"gpu.clock_mhz\": 1000, \"dram.channels\": 3, '\n"
    "printf '\"dram.clock_mhz\": 500}}'\n"
    "} >$stats\n"
    "echo $said\n";

static char said[MAX_OUTPUT];

static int set_up(void **unused)
{
    (void)unused;
    static const char *const names[] = {"poise", "other"};
    return make_machines(names, sizeof names / sizeof names[0], machine);
}

/* Returns the script's status; what it prints is in `said`. */
static int baselines(const char *workloads, const char *name, const char *sets)
{
    char line[512];
    snprintf(line, sizeof line,
             "WORKLOADS='%s' OUT=%s/out tb/experiments/baselines.sh small %s/%s %s", workloads,
             machines, machines, name, sets);
    return shell(line, said);
}

static void expect(const char *text)
{
    if (!strstr(said, text))
        fail_msg("expected '%s' in:\n%s", text, said);
}

static void figures_are_right(void **unused)
{
    (void)unused;
    assert_int_equal(baselines("", "poise", "mine"), 0);
    expect("\npoise, small, set mine\n");
    /* Misses 3 and, with the large cache, 1; the buses: 300 of 500 cycles of 3 channels. */
    expect("\n| bfs | 1000 | 0.50 | 0.50 | 25.0 | 50.0 | 75.0 | 66.7 | 4.00 | 1.55 | data_mem 70 | "
           "62.5 | 20.0 |\n");
    expect("\n| gc | 1000 | 1.00 | 1.00 | 100.0 | 100.0 | 100.0 | 0.0 | 1.00 | - | data_mem 70 | "
           "62.5 | 20.0 |\n");
    expect("\n| arithmetic mean | | 0.75 | 0.75 | 62.5 | 75.0 | 87.5 | 33.3 | 2.50 | | | 62.5 | "
           "20.0 |\n");
    expect("\n| geometric mean | | 0.71 | 0.71 | 50.0 | 70.7 | 86.6 | - | 2.00 | | | 62.5 | 20.0 "
           "|\n");
    expect("\n| harmonic mean | | 0.67 | 0.67 | 40.0 | 66.7 | 85.7 | - | 1.60 | | | 62.5 | 20.0 "
           "|\n");
    expect("\n| lrr | 10.00 | 0.00 | 0.00 | 20.00 | 0.00 | 0.00 | 0.00 | 0.00 | 70.00 |");
}

static void sets_and_workloads_choose(void **unused)
{
    (void)unused;
    assert_int_equal(baselines("", "other", "yours mine"), 0);
    expect("\nother, small, set yours\n");
    expect("\nother, small, set mine\n");
    expect(" | 4.00 | - | data_mem"); /* Poise's figures are of Poise's machine */
    assert_int_equal(baselines("gc", "other", "yours mine"), 0);
    expect("\nother, small, set mine\n");
    assert_null(strstr(said, "bfs"));
    assert_null(strstr(said, "set yours"));
}

static void failures_are_reported(void **unused)
{
    (void)unused;
    assert_int_equal(baselines("", "poise", "bad"), 1);
    expect("exits failed:\nalas\n");
    assert_int_equal(baselines("", "poise", "worse"), 1);
    expect("silent failed:\nnothing\n");
    assert_int_equal(baselines("", "poise", "none"), 1);
    expect("no workload belongs to the set 'none'\n");
    assert_int_equal(baselines("gc", "poise", "yours"), 1);
    expect("no workload belongs to the set 'yours' and is one of gc\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_right),
        cmocka_unit_test(sets_and_workloads_choose),
        cmocka_unit_test(failures_are_reported),
    };
    return cmocka_run_group_tests_name("tb/experiments/baselines", tests, set_up, remove_machines);
}
