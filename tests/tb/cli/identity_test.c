/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/cli/identity_test.c: which Heddle made something, and how: `heddle --version`, the statistics, and what reads them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "hw.h"
#include "tests/tb/shell.h"

#define IN_FOLDER "cd $(mktemp -d) && "
#define RUN       "$H/heddle run --stats=s.json -- $H/workloads/vecadd --size=small >/dev/null && "
#define OF_BUILD  "sed -n 's/^version=//p; s/^commit=//p' $H/identity"

static void version(void **unused)
{
    (void)unused;
    static const struct command commands[] = {
        {IN_FOLDER "$H/heddle --version >v && " OF_BUILD
                   " >b && sed -n 's/^heddle \\(.*\\), commit "
                   "\\(.*\\), configuration " CONFIG_NAME "$/\\1\\n\\2/p' v | cmp - b && "
                   "sed -n 's/^\\([a-z]*\\): /\\1=/p' v >tools && [ $(wc -l <tools) = 3 ] && "
                   "grep -xF -f tools $H/identity | cmp - tools",
         0, NULL},
        {IN_FOLDER "cp $H/heddle . && ./heddle --version", 2,
         "/identity: No such file or directory; `make build` writes it"},
        {IN_FOLDER "cp $H/heddle . && echo version=9 >identity && ./heddle --version", 2,
         "/identity: says no version or no commit"},
    };
    TRY(commands);
}

/* The words of the command come back as a shell reads them; without heddle they are the program's. */
static void statistics(void **unused)
{
    (void)unused;
#define GET "$H/heddle report --get=host.version --get=host.commit s.json >is && "
    static const struct command commands[] = {
        {IN_FOLDER RUN GET OF_BUILD " | cmp - is", 0, NULL},
        {IN_FOLDER "$H/heddle run --stats='s 1.json' -- $H/workloads/vecadd --size=small && "
                   "$H/heddle report --get=host.command 's 1.json'",
         0, "/heddle run '--stats=s 1.json' -- "},
        {IN_FOLDER "HEDDLE_STATS=$PWD/s.json $H/workloads/vecadd --size=small --seed=3 && "
                   "$H/heddle report --get=host.command s.json",
         0, "/workloads/vecadd --size=small --seed=3\n"},
        {IN_FOLDER RUN "$H/heddle replay --help >/dev/null && $H/heddle run --capture=c -- "
                       "$H/workloads/vecadd --size=small && $H/heddle replay --stats=s.json c && "
                       "$H/heddle report --get=host.command s.json",
         0, "/heddle replay --stats=s.json c\n"},
        /* a build that lost its file */
        {IN_FOLDER "cp -L $H/heddle $H/libheddle.so $H/*.ini $H/devlib.bc $H/prelude.cl . && "
                   "./heddle run --stats=s.json -- $H/workloads/vecadd --size=small && "
                   "./heddle report --get=host.version s.json",
         0, "unknown\n"},
    };
    TRY(commands);
#undef GET
}

static void reports(void **unused)
{
    (void)unused;
#define OTHER "sed 's/\"commit\":.*/\"commit\":\\t\"0123\",/' s.json >t.json && "
    static const struct command commands[] = {
        {IN_FOLDER RUN
         "$H/heddle report s.json | head -n 1 >is && cat is && "
         "grep -c \"^s.json: heddle $(sed -n s/^version=//p $H/identity), commit \" is",
         0, "/heddle run --stats=s.json -- "},
        {IN_FOLDER RUN "sed /version/d s.json >t.json && $H/heddle report t.json | sed 2q", 0,
         "Cycles per instruction"},
        {IN_FOLDER RUN "cp s.json t.json; ! $H/heddle compare s.json t.json | grep build", 0, NULL},
        {IN_FOLDER RUN OTHER "$H/heddle compare s.json t.json", 0,
         "\nNot all made by the same build:\ns.json: heddle "},
        {IN_FOLDER RUN OTHER "$H/heddle compare s.json t.json", 0, ", commit 0123: "},
    };
    TRY(commands);
#undef OTHER
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version),
        cmocka_unit_test(statistics),
        cmocka_unit_test(reports),
    };
    return cmocka_run_group_tests_name("tb/cli/identity", tests, NULL, NULL);
}
