/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/failure_test.c: runs that fail: their status, what they say, and what they leave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/tb/shell.h"

static void failed_kernels(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {"$H/heddle run --max-cycles=100 -- $H/workloads/spmv --size=small", 4,
         "stopped in cycle 101, after run.max_cycles = 100"},
        {"$H/heddle run --set run.timing=0 --set run.max_untimed_instructions=100 -- "
         "$H/workloads/spmv "
         "--size=small",
         4, "stopped after run.max_untimed_instructions = 100 warp instructions without timing"},
        {"$H/heddle run --set sm.shared_bytes=1024 -- $H/workloads/matmul --size=small", 4,
         "shared"},
        {"PATH=/nowhere $H/heddle run -- $H/workloads/vecadd --size=small", 4, "clang"},
    };
    TRY(commands);
}

/* A waveform that the disk does not take is an error, and no file; a window that no cycle falls into is said. */
#define CAPTURED /* so that under the limit nothing is compiled */                                 \
    "cd $(mktemp -d) && $H/heddle run --capture=c -- $H/workloads/spmv --size=small >/dev/null "   \
    "&& "                                                                                          \
    "trap '' XFSZ && "
static void waveforms(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {CAPTURED "(ulimit -f 200; $H/heddle replay --wave=w.fst c); echo status $? $(ls)", 0,
         "w.fst: the waveform could not be written: a block is cut off; is the disk full?\n"},
        {CAPTURED
         "(ulimit -f 200; $H/heddle replay --wave=w.fst c >said 2>&1); echo status $? $(ls)",
         0, "status 1 c said\n"},
        {"cd $(mktemp -d) && $H/heddle run --wave=w.fst:90000000-90000010 -- $H/workloads/vecadd "
         "--size=small && ls | wc -l",
         0, "/w.fst: no waveform: the machine ended before cycle 90000000\n"},
    };
    TRY(commands);
}

/* Programs that end as the machine does when lockstep finds a difference: it is run again with a
 * waveform around the cycle; the second run must be the first. */
#define MISMATCH(cycle)                                                                            \
    "cd $(mktemp -d) && $H/heddle run --fail=f -- sh -c 'echo \"$HEDDLE_WAVE\" >>runs; "           \
    "echo wia " cycle " >\"$HEDDLE_FAIL\"/mismatch; exit 3'; echo status $?; cat runs"
static void mismatches(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {MISMATCH("40"), 0,
         "history  f/wia.txt\nwave     f/wia.fst   view: gtkwave f/wia.gtkw\n         or surfer "
         "--command-file f/wia.sucl f/wia.fst\n"},
        {MISMATCH("40"), 0, "/f/wia.fst:0-56\n"},
        {MISMATCH("3"), 0, " run --wave=wia.fst:0-19 -- sh -c 'echo "},
        {MISMATCH("3"), 0, "status 3\n\n/"},
        {MISMATCH("$(wc -l <runs)"), 0, "did not end in the same mismatch"},
        {"cd $(mktemp -d) && $H/heddle run --fail=f -- sh -c 'exit 3'; echo $? $(ls)", 0, "3\n"},
        {"cd $(mktemp -d) && $H/heddle run --fail=f --max-cycles=100 -- $H/workloads/vecadd "
         "--size=small; ls f",
         0, "program1.ptx\nwarps.txt\n"},
        /* each run has a folder of its own below fail/, and only if it needs one */
        {"cd $(mktemp -d) && $H/heddle run -- $H/workloads/vecadd --size=small && echo $(ls)", 0,
         "\n\n"},
        {"cd $(mktemp -d) && for i in 1 2 3; do $H/heddle run --max-cycles=100 -- "
         "$H/workloads/vecadd "
         "--size=small 2>>said & done; wait; ls -d fail/vecadd.*/program1.ptx | wc -l; "
         "sed -n 's/^heddle: its PTX is //p' said | sort >of; ls -d $PWD/fail/v*/*.ptx | sort | "
         "cmp - "
         "of && "
         "ls fail/latest && ls fail | wc -l",
         0, "3\nprogram1.ptx\nwarps.txt\n4\n"},
        {"cd $(mktemp -d) && $H/heddle run -- sh -c 'mkdir -p $HEDDLE_FAIL && >$HEDDLE_FAIL/t && "
         "echo wia 40 "
         ">$HEDDLE_FAIL/mismatch; "
         "exit 3'; ls -l fail | grep -c 'latest -> sh[.]'",
         0, "history  fail/sh."},
        {"cd /proc && $H/heddle run -- $H/workloads/vecadd --size=small", 0, "verified"},
        {"cd /proc && $H/heddle run --max-cycles=100 -- $H/workloads/vecadd --size=small", 4,
         "program1.ptx cannot be written"},
    };
    TRY(commands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_kernels),
        cmocka_unit_test(waveforms),
        cmocka_unit_test(mismatches),
    };
    return cmocka_run_group_tests_name("tb/cli/failure", tests, NULL, NULL);
}
