/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/profile_test.c: `heddle run --profile` and `heddle profile` as a person meets them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/tb/shell.h"

static void usage_errors(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {"$H/heddle profile --help", 0, "who brought the line"},
        {"$H/heddle profile", 2, "no profile"},
        {"$H/heddle profile a b", 2, "more than one file"},
        {"$H/heddle profile /nowhere.json", 2, "/nowhere.json: cannot be read"},
        {"$H/heddle profile --picture=/nowhere/p.svg /nowhere.json", 2, "/nowhere/p.svg: cannot"},
        {"cd $(mktemp -d) && echo '{}' >p.json && $H/heddle profile p.json", 2,
         "'kernels' is missing"},
        {"cd $(mktemp -d) && echo '{\"kernels\": []}' >p.json && "
         "$H/heddle profile --picture=p.svg p.json",
         2, "there is no load to draw"},
        /* before the run */
        {"$H/heddle run --profile=/nowhere/p.json -- touch /nowhere", 2,
         "/nowhere/p.json: cannot be written: No such file"},
    };
    TRY(commands);
}

#define PROFILED                                                                                   \
    "cd $(mktemp -d) && $H/heddle run --profile=p.json --stats=s.json -- $H/workloads/bfs "        \
    "--size=small >/dev/null && "

static void profiles(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {PROFILED "$H/heddle profile p.json", 0, "expand, "},
        {PROFILED "$H/heddle profile p.json", 0, "\n   12 ld.global.u8 "},
        /* shares of what became of the accesses are all of them */
        {PROFILED
         "$H/heddle profile p.json | awk '$1 == \"all\" && NF == 15 { for (i = 2; i <= 10; i++) "
         "s += $i; n++ } END { exit !(n == 2 && s > 199.8 && s < 200.2) }'",
         0, NULL},
        {PROFILED "for key in accesses hits misses; do for file in s p; do "
                  "key_of=$key; [ $file = p ] || key_of=l1d.$key; "
                  "$H/heddle report --get=$key_of $file.json; done | uniq | wc -l; done",
         0, "1\n1\n1\n"},
        {PROFILED "$H/heddle report --get=kernels.0.name --get=kernels.0.loads.0.pc p.json", 0,
         "expand\n12\n"},
        {PROFILED "$H/heddle profile --picture=q.svg p.json >/dev/null && grep -c 'expand 12: ld' "
                  "q.svg && $H/heddle profile --picture=q.png p.json >/dev/null && "
                  "head -c 4 q.png | tail -c 3; ls",
         0, "PNGp.json\nq.png\nq.svg\ns.json\n"},
        /* what is executed is profiled: a kernel within few registers has loads of its own */
        {"cd $(mktemp -d) && $H/heddle run --set sm.thread_registers=14 --profile=p.json "
         "--stats=s.json -- $H/workloads/hotspot --size=small >/dev/null && $H/heddle profile "
         "p.json | grep -c '^ *[0-9]* ld.local.*%spill' | grep -cv '^0$' && "
         "{ $H/heddle report --get=accesses p.json; "
         "$H/heddle report --get=l1d.accesses s.json; } | uniq | wc -l",
         0, "1\n1\n"},
        /* what a kernel did that was stopped */
        {"cd $(mktemp -d) && $H/heddle run --profile=p.json --max-cycles=2000 -- $H/workloads/spmv "
         "--size=small 2>/dev/null; $H/heddle report --get=kernels.0.launches p.json",
         0, "\n1\n"},
        {"cd $(mktemp -d) && $H/heddle run --set run.timing=0 --profile=p.json -- "
         "$H/workloads/vecadd --size=small && $H/heddle report --get=accesses p.json",
         0, "verified: 10007 elements equal the host's\n0\n"},
    };
    TRY(commands);
}

/* Names from files are drawn, and run nothing. */
#define NAMED(name)                                                                                \
    "cd $(mktemp -d) && $H/heddle run --profile=v.json -- $H/workloads/vecadd --size=small && "    \
    "sed 's|\"name\":.*vecadd\"|\"name\": \"" name "\"|' v.json >p.json && "                       \
    "$H/heddle profile --picture=p.svg p.json >/dev/null && ls -A && cat p.svg"
static void hostile_names(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {NAMED("a`touch x1`b"), 0, "\np.json\np.svg\nv.json\n"},
        {NAMED("a`touch x1`b"), 0, "a`touch x1`b"},
        {NAMED("\\\\nEOD\\\\n! touch x2\\\\n"), 0, "\np.json\np.svg\nv.json\n"},
    };
    TRY(commands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usage_errors),
        cmocka_unit_test(profiles),
        cmocka_unit_test(hostile_names),
    };
    return cmocka_run_group_tests_name("tb/cli/profile", tests, NULL, NULL);
}
