/* SPDX-License-Identifier: Apache-2.0 */
/* tests/summary/summary_test.c: what `make test` shows of its checks, and what it counts, from lines of which it is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/tb/shell.h"

/* A log with a test that passes, one that fails, one that crashes, and one line of each kind. */
#define LOG                                                                                        \
    "d=$PWD; cd $(mktemp -d); cat >said <<'END'\n"                                                 \
    "  TEST     tb/file_test\n"                                                                    \
    "[ RUN      ] whole\n"                                                                         \
    "MISMATCH that is planted\n"                                                                   \
    "[       OK ] whole\n"                                                                         \
    "[ RUN      ] broken <&>\n"                                                                    \
    "expected \"1\"\n"                                                                             \
    "[  FAILED  ] broken <&>\n"                                                                    \
    "  TEST     tb/other_test\n"                                                                   \
    "[ RUN      ] crashes\n"                                                                       \
    "before the crash\n"                                                                           \
    "make[1]: *** [tests/tests.mk:38: tests/tb/other_test] Segmentation fault\n"                   \
    "  FOUND    late: seed 1\n"                                                                    \
    "  MISSED   early: status 0\n"                                                                 \
    "  PROVE    wia: 3 rules, 17 proofs with those on planted bugs\n"                              \
    "  OK       wia: every rule proved, every planted bug found, 3 s\n"                            \
    "  OK       gtx480: pages agree\n"                                                             \
    "workloads, small: 57 of 59 runs passed on 2 machines, 2 failed (29 in lockstep)\n"            \
    "pairs: 12 passed, 0 failed\n"                                                                 \
    "END\n"
#define SHOW "$d/tests/summary/run.sh out "

static void what_passes_is_not_shown(void **unused)
{
    static const struct command commands[] = {
        {LOG SHOW "cat said", 0,
         "  TEST     tb/file_test\n[       OK ] whole\n[ RUN      ] broken"},
        {LOG SHOW "cat said", 0, "broken <&>\nexpected \"1\"\n[  FAILED  ] broken <&>\n"},
        {LOG SHOW "cat said", 0, "] crashes\nbefore the crash\nmake[1]: *** [tests"},
        {LOG SHOW
         "cat said >shown; grep -c 'that is planted' shown; cmp said out/log.txt && echo whole",
         0, "0\nwhole\n"},
        {LOG SHOW "sh -c 'cat said; exit 7' >shown; echo $?", 0, "7\n"},
    };
    (void)unused;
    TRY(commands);
}

static void what_is_counted(void **unused)
{
    static const struct command commands[] = {
        {LOG SHOW "cat said | sed -n '/^checked/,$ s/  *  / /gp' | grep -v seconds", 0,
         "checked failed\nunit tests 3 2 in 2 programs\nplanted faults 2 1\nproofs 17 0\n"
         "other checks 1 0\nruns of workloads 59 2\npairs of kernels 12 0\n"},
        {LOG SHOW "cat said", 0,
         "FAILED  unit tests: tb/file_test: broken <&>\n"
         "FAILED  unit tests: tb/other_test: crashes\nFAILED  make: tests/tb/other_test\n"
         "FAILED  planted faults: faults: early: status 0\n"},
        {LOG SHOW "true", 0, "\nchecked  "},
        {LOG SHOW "env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -C . nothing.here", 2,
         "FAILED  make: No rule to make target 'nothing.here'.  Stop.\n"},
    };
    (void)unused;
    TRY(commands);
}

static void xml(void **unused)
{
    static const struct command commands[] = {
        {LOG SHOW "cat said >shown; sed -n 2,11p out/junit.xml | sed 's/time=\"[0-9]*\"/time/'", 0,
         "<testsuites name=\"Heddle\" tests=\"10\" failures=\"5\" time>\n"
         "  <testsuite name=\"unit tests\" tests=\"3\" failures=\"2\">\n"
         "    <testcase classname=\"tb/file_test\" name=\"whole\"/>\n"
         "    <testcase classname=\"tb/file_test\" name=\"broken &lt;&amp;&gt;\">\n"
         "      <failure message=\"expected &quot;1&quot;&#10;\"/>\n"
         "    </testcase>\n"
         "    <testcase classname=\"tb/other_test\" name=\"crashes\">\n"
         "      <failure message=\"before the crash&#10;make[1]: *** [tests/tests.mk:38: "
         "tests/tb/other_test] Segmentation fault\"/>\n"
         "    </testcase>\n"
         "  </testsuite>\n"},
        {LOG SHOW "cat said >shown; grep -c '<testcase' out/junit.xml; "
                  "grep -c '<failure' out/junit.xml; tail -n 1 out/junit.xml",
         0, "10\n5\n</testsuites>\n"},
    };
    (void)unused;
    TRY(commands);
}

/* Where nothing is said for a while, what runs. */
static void silence(void **unused)
{
    static const struct command commands[] = {
        {LOG "mkdir -p tests/faults && echo 'sleep 4' >tests/faults/run.sh && "
             "SILENCE=1 " SHOW "sh tests/faults/run.sh wia build/tiny",
         0, "... 0:01 since the last line; running: "},
        {LOG "mkdir -p tests/faults && echo 'sleep 4' >tests/faults/run.sh && "
             "SILENCE=1 " SHOW "sh tests/faults/run.sh wia build/tiny",
         0, "faults of wia"},
    };
    (void)unused;
    TRY(commands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_passes_is_not_shown),
                                       cmocka_unit_test(what_is_counted), cmocka_unit_test(xml),
                                       cmocka_unit_test(silence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
