/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/install/packages_test.c: tb/install/packages.sh with a list of its own: what is missing is named, of the parts that were asked
 * for; with apt-get in its place only that is installed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/tb/shell.h"

/* A tree with that list, and the script. */
#define TREE(list)                                                                                 \
    "mkdir -p $TMPDIR/tb/install $TMPDIR/bin; cp tb/install/packages.sh $TMPDIR/tb/install/; "     \
    "printf '" list "' >$TMPDIR/packages.txt; "
#define RUN(words) "$TMPDIR/tb/install/packages.sh " words
#define PARTS      "# a list\\nx sh\\n# --- checks ---\\ny no-tool # y\\n# --- more ---\\nz no-other\\n"

/* Commands in place of Debian's: y is installed. */
#define DEBIAN                                                                                     \
    "printf '#!/bin/sh\\n[ $4 = y ] && printf \"install ok installed\"\\n' "                       \
    ">$TMPDIR/bin/dpkg-query; "                                                                    \
    "printf '#!/bin/sh\\necho apt-get $* >>'$TMPDIR'/done\\n' >$TMPDIR/bin/apt-get; "              \
    "printf '#!/bin/sh\\n\"$@\"\\n' >$TMPDIR/bin/sudo; "                                           \
    "chmod +x $TMPDIR/bin/*; PATH=$TMPDIR/bin:$PATH; "

static void what_is_missing_is_named(void **state)
{
    (void)state;
    static const struct command commands[] = {
        {TREE("x no-tool # a tool\\n") RUN("look build"), 1,
         "  no-tool                      which is in the package x of Debian\n"},
        {TREE("x <no/such.h>\\n") RUN("look build"), 1, "<no/such.h>"},
        {TREE("x -lno_such\\n") RUN("look build"), 1, "-lno_such"},
        {TREE("x /no/such\\n") RUN("look build"), 1, "/no/such"},
        {TREE("x no-tool|no-other\\n") RUN("look build"), 1, "no-tool|no-other"},
        {TREE("x no-tool|sh\\ny <stdio.h>\\nz -lm\\nu /etc\\nv -\\nw <vector>\\n")
             RUN("look build") " && echo nothing",
         0, "nothing"},
    };
    TRY(commands);
}

static void only_parts_that_are_asked_for(void **state)
{
    (void)state;
    static const struct command commands[] = {
        {TREE(PARTS) RUN("look build"), 0, NULL},
        {TREE(PARTS) RUN("look checks"), 1, "no-tool"},
        {TREE(PARTS) RUN("look checks") " 2>&1 | grep no-other", 1, NULL},
        {TREE(PARTS) RUN("look all"), 1, "no-other"},
        {TREE(PARTS) RUN("look everything"), 2, "usage: "},
        {TREE(PARTS) RUN("remove all"), 2, "usage: "},
        {TREE(PARTS) RUN(""), 2, "usage: "},
        {TREE(PARTS) RUN("lacks x") " | grep .", 1, NULL},
        {TREE(PARTS) "echo $(" RUN("lacks z x y") ")", 0, "z y\n"},
        {TREE(PARTS) RUN("lacks u"), 2, "packages.txt: there is no u\n"},
        {TREE(PARTS) RUN("lacks"), 2, "usage: "},
    };
    TRY(commands);
}

static void only_what_is_missing_is_installed(void **state)
{
    (void)state;
    static const struct command commands[] = {
        {TREE(PARTS) DEBIAN RUN("install checks") "; cat $TMPDIR/done", 0,
         "install -y -qq -o APT::Status-Fd=1 --no-install-recommends x\n"},
        {TREE(PARTS) DEBIAN RUN("install all") "; cat $TMPDIR/done", 0,
         "--no-install-recommends x z\n"},
        /* how far it is, from its lines of status; what else it says is in the log */
        {TREE(PARTS) DEBIAN
         "printf '#!/bin/sh\\n[ $1 = update ] || printf \"dlstatus:1:5.0:a\\ndlstatus:1:45.5:b\\n"
         "Unpacking x\\ndlstatus:2:59.9:c\\npmstatus:x:100.0:d\\npmerror:x:100:e\\n\"\\n' "
         ">$TMPDIR/bin/apt-get; " RUN("install build") "; cat $TMPDIR/build/apt.log",
         0, "missing: x\n  FETCH    40 %\n  INSTALL  100 %\nUnpacking x\npmerror:x:100:e\n"},
        {TREE("y no-tool\\n") DEBIAN RUN("install all") "; cat $TMPDIR/done", 1, "No such file"},
        {TREE(PARTS) DEBIAN
         "printf '#!/bin/sh\\necho no network; exit 100\\n' >$TMPDIR/bin/apt-get; " RUN(
             "install build"),
         100, NULL},
        {TREE(PARTS) DEBIAN "printf '#!/bin/sh\\n[ $1 = update ] || { echo no network; exit 100; "
                            "}\\n' >$TMPDIR/bin/apt-get; " RUN("install build"),
         1, "no network\napt-get failed"},
    };
    TRY(commands);
}

/* What `make run` ends with, where nothing is missing and where something is. */
#define FIRST_LIGHT(missing)                                                                       \
    "env -u MAKEFLAGS -u MAKELEVEL make -n UNIT=wia MISSING='" missing "' first-light | tail -n 2"
static void areas_where_they_can_be_measured(void **state)
{
    (void)state;
    static const struct command commands[] = {
        {FIRST_LIGHT(""), 0, "heddle compare --synth=build/gtx480/synth/wia/result.txt $files\n"},
        {FIRST_LIGHT("a b"), 0, "heddle compare  $files\n"},
        {FIRST_LIGHT("a b"), 0, "No areas: nothing measures them without a b; "},
        {"env -u MAKEFLAGS -u MAKELEVEL make -n run | "
         "grep -o 'lacks yosys berkeley-abc opensta qflow-tech-osu018 | xargs'",
         0, "xargs\n"},
    };
    TRY(commands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(only_parts_that_are_asked_for),
        cmocka_unit_test(only_what_is_missing_is_installed),
        cmocka_unit_test(areas_where_they_can_be_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
