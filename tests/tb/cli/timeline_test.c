/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/timeline_test.c: `heddle run --timeline` as a person meets it; what stands in the file is checked by
 * tests/tb/timeline. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/tb/shell.h"

#define IN_FOLDER "cd $(mktemp -d) && "
#define VECADD    "-- $H/workloads/vecadd --size=small"

static void usage_errors(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {"$H/heddle run --help", 0, "--timeline=FILE.json[:FROM-TO]"},
        {"$H/heddle replay --help", 0, "--timeline-sm=N"},
        {"$H/heddle run --timeline=t.json:9-8 -- true", 2,
         "timeline 't.json:9-8': expected FILE.json or FILE.json:FROM-TO, cycles with FROM <= TO"},
        {"$H/heddle run --timeline=/nowhere/t.json -- touch /nowhere", 2,
         "/nowhere/t.json: cannot be written: No such file"},
        {"$H/heddle run --timeline=t.json --timeline-sm=9999 -- true", 2,
         "--timeline-sm=9999: expected a number from 0 to "},
        {"$H/heddle run --timeline=t.json --timeline-mb=0 -- true", 2,
         "--timeline-mb=0: expected a number from 1 to 1000000"},
        {"$H/heddle run --timeline-sm=1 -- true", 2,
         "--timeline-sm and --timeline-mb go with --timeline"},
        {"$H/heddle run --timeline=t.json --set run.timing=0 -- true", 2,
         "[run] timing = 0: a timeline is of cycles, and there are none; expected 1 or more"},
        /* the machine's own word, where nobody has asked before */
        {"HEDDLE_TIMELINE=t.json HEDDLE_SET=run.timing=0 $H/workloads/vecadd --size=small", 2,
         "a timeline is of cycles"},
    };
    TRY(commands);
}

static void files(void **unused)
{
    (void)unused;
#define EVENTS "head -c 16 t.json; grep -c '\"name\":\"issued\"' t.json; ls"
    static const struct command commands[] = {
        {IN_FOLDER "$H/heddle run --timeline=t.json " VECADD " >/dev/null && " EVENTS, 0,
         "{\"traceEvents\":["},
        {IN_FOLDER "$H/heddle run --timeline=t.json:0-500 " VECADD " && ls", 0, "\nt.json\n"},
        {IN_FOLDER "$H/heddle run --timeline=t.json:900000-900001 " VECADD "; echo $?; ls", 0,
         "t.json: no timeline: SM 0 had no warp from cycle 900000 on"},
        {IN_FOLDER "$H/heddle run --timeline=t.json:900000-900001 " VECADD " >/dev/null 2>&1; ls | "
                   "wc -l",
         0, "0\n"},
        {IN_FOLDER "$H/heddle run --timeline=/dev/full " VECADD, 1, "/dev/full: cannot be written"},
        {IN_FOLDER "$H/heddle run --timeline=t.json --timeline-mb=1 -- $H/workloads/bfs "
                   "--size=small && tail -n 3 t.json",
         0, "it may have 1 MB"},
        {IN_FOLDER "$H/heddle run --capture=c " VECADD " >/dev/null && $H/heddle replay "
                   "--timeline=t.json c && ls",
         0, "\nt.json\n"},
        /* a program that leaves in another way leaves no file, and no half of one */
        {IN_FOLDER
         "$H/heddle run --timeline=t.json -- sh -c '$H/workloads/bfs --size=medium & sleep "
         "0.3; kill -9 $!; exit 5' >/dev/null 2>&1; echo $?; ls | wc -l",
         0, "5\n0\n"},
        /* the program goes elsewhere */
        {IN_FOLDER "$H/heddle run --timeline=t.json -- sh -c \"cd / && $H/workloads/vecadd "
                   "--size=small\" && ls",
         0, "\nt.json\n"},
    };
    TRY(commands);
#undef EVENTS
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usage_errors),
        cmocka_unit_test(files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
