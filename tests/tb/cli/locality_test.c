/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/locality_test.c: `heddle locality` as a person meets it; all workloads, with the check. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/shell.h"

static void usage_errors(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {"$H/heddle locality --help", 0, "pairs: of blocks that share"},
        {"$H/heddle locality", 2, "no program"},
        {"$H/heddle locality --unit=3 -- true", 2, "--unit=3: expected a power of two"},
        {"$H/heddle locality --unit=0 -- true", 2, "--unit=0: expected a number from 1 to 4096"},
        {"$H/heddle locality --out=/nowhere/l.json -- touch /nowhere", 2,
         "/nowhere/l.json: cannot be written"},
        {"$H/heddle locality --picture=/nowhere/l.svg -- touch /nowhere", 2,
         "/nowhere/l.svg: cannot"},
        {"$H/heddle locality -- /nowhere", 2, "cannot run '/nowhere'"},
        {"$H/heddle locality -- true; echo $?", 0, "no kernel has run\n0\n"},
        {"$H/heddle locality -- false; echo $?", 0, "no kernel has run\n1\n"},
        {"cd $(mktemp -d) && HEDDLE_LOCALITY=l HEDDLE_LOCALITY_UNIT=5 $H/workloads/vecadd "
         "--size=small",
         2, "HEDDLE_LOCALITY_UNIT is not a power of two"},
    };
    TRY(commands);
}

static void tables_and_pictures(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        /* PAVER, table 2: 43 x 43 blocks, SpScore 0.995823097: 14,280 pairs */
        {"$H/heddle locality -- $H/workloads/hotspot --size=medium | grep '^hotspot'", 0,
         "    1849      14280    0.995823 "},
        /* and the same table: 384 blocks, 49,164 references, SpScore 0.99480523 */
        {"$H/heddle locality -- $H/workloads/store_gpu --size=medium | grep '^store_gpu'", 0,
         " 1/1         49164        4596     384        766    0.994805 "},
        {"$H/heddle locality --loads -- $H/workloads/bfs --size=small", 0,
         "    line 65: ld.global.u32 "},
        {"$H/heddle locality --loads -- $H/workloads/bfs --size=small", 0,
         "        not known: what is loaded in line 48\n"},
        /* a launch is a line, and the same launch again is not another one */
        {"$H/heddle locality -- $H/workloads/bfs --size=small | grep -c '^expand  *7 '", 0, "1\n"},
        {"cd $(mktemp -d) && $H/heddle locality --out=l.json --picture=l.svg -- "
         "$H/workloads/hotspot --size=small >/dev/null && grep -c '>hotspot<' l.svg && "
         "$H/heddle report --get=kernels.0.name --get=kernels.0.blocks l.json && ls -A",
         0, "hotspot\n16\nl.json\nl.svg\n"},
        {"cd $(mktemp -d) && $H/heddle locality --picture=l.png -- $H/workloads/vecadd "
         "--size=small; ls -A",
         0, "l.png: no blocks share memory that is known\n"},
        /* a program's own status; nothing is left behind */
        {"cd $(mktemp -d) && TMPDIR=$PWD $H/heddle locality -- false; ls -A | wc -l", 0, "\n0\n"},
        /* lines of the cache */
        {"$H/heddle locality --unit=128 -- $H/workloads/vecadd --size=small | awk '/^vecadd/ { "
         "print "
         "$6 }'",
         0, "626\n"},
    };
    TRY(commands);
}

/* Every workload: blocks read what is found. Of all loads as many are known as can be: those of fewer
 * launches, or fewer loads, would be a loss. */
static void all_workloads_are_checked(void **unused)
{
    static char text[MAX_OUTPUT];
    (void)unused;
    const int status = shell("cd $(mktemp -d) && for w in $H/workloads/*; do "
                             "$H/heddle locality --check --unit=1 -- $w --size=small >one 2>&1 || "
                             "{ echo $w; cat one; }; "
                             "cat one >>all; done; awk '$5 ~ /^[0-9]+[/][0-9]+$/ { split($5, of, "
                             "\"/\"); known += of[1]; "
                             "loads += of[2] } END { print \"known\", known, loads }' all",
                             text);
    assert_int_equal(status, 0);
    if (strncmp(text, "known ", 6) != 0)
        fail_msg("%s", text);
    int known, all;
    assert_int_equal(sscanf(text, "known %d %d", &known, &all), 2);
    print_message("%d of %d loads are known\n", known, all);
    assert_true(known >= 277 && all >= 422);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(usage_errors),
                                       cmocka_unit_test(tables_and_pictures),
                                       cmocka_unit_test(all_workloads_are_checked)};
    return cmocka_run_group_tests_name("heddle locality", tests, NULL, NULL);
}
