/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/coverage_test.c: what cosim/coverage.awk makes of Verilator's counts, written by hand: a line has the count of its least
 * reached point, so that a bit that stands still is seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/shell.h"

/* Three bits of two ports, one of which has not moved; a line and a branch in another file. */
#define COUNTS                                                                                     \
    "printf '# SystemC::Coverage-3\\n'"                                                            \
    "\"C "                                                                                         \
    "'\\001f\\002rtl/a.sv\\001l\\0029\\001n\\0022\\001page\\002v_toggle/"                          \
    "a\\001o\\002x[0]\\001h\\002TOP.a' 7\\n\""                                                     \
    "\"C "                                                                                         \
    "'\\001f\\002rtl/a.sv\\001l\\0029\\001n\\0022\\001page\\002v_toggle/"                          \
    "a\\001o\\002x[1]\\001h\\002TOP.a' 0\\n\""                                                     \
    "\"C "                                                                                         \
    "'\\001f\\002rtl/a.sv\\001l\\00210\\001n\\0022\\001page\\002v_toggle/"                         \
    "a\\001o\\002y\\001h\\002TOP.a' 3\\n\""                                                        \
    "\"C "                                                                                         \
    "'\\001f\\002/b.sv\\001l\\0024\\001n\\0021\\001page\\002v_line/"                               \
    "b\\001o\\002block\\001h\\002TOP.b' 12\\n\""                                                   \
    "\"C "                                                                                         \
    "'\\001f\\002/b.sv\\001l\\0024\\001n\\0021\\001page\\002v_branch/"                             \
    "b\\001o\\002if\\001h\\002TOP.b' 5\\n\""                                                       \
    " >$TMPDIR/dat; awk -v root=/tree -f cosim/coverage.awk "

static void a_line_has_its_least_reached_point(void **state)
{
    (void)state;
    static const struct command commands[] = {
        {COUNTS "-v kind=toggle $TMPDIR/dat", 0,
         "TN:\nSF:/tree/rtl/a.sv\nBRDA:9,0,0,7\nBRDA:9,0,1,0\nBRDA:10,0,0,3\nBRF:3\nBRH:2\n"
         "DA:9,0\nDA:10,3\nLF:2\nLH:1\nend_of_record\n"},
        {COUNTS "-v kind=line $TMPDIR/dat", 0,
         "TN:\nSF:/b.sv\nBRDA:4,0,0,12\nBRDA:4,0,1,5\nBRF:2\nBRH:2\nDA:4,5\nLF:1\nLH:1\n"
         "end_of_record\n"},
        {COUNTS "-v kind=toggle $TMPDIR/dat | grep -c SF:", 0, "1\n"},
    };
    TRY(commands);
}

/* genhtml takes it, and shows the line that was not reached. */
static void genhtml_reads_it(void **state)
{
    (void)state;
    static const struct command commands[] = {
        {"mkdir $TMPDIR/rtl; seq 12 >$TMPDIR/rtl/a.sv; " COUNTS
         "-v kind=toggle -v root=$TMPDIR $TMPDIR/dat >$TMPDIR/info && genhtml -q --branch-coverage "
         "$(genhtml --version | grep -q 'version 1' || echo --ignore-errors inconsistent,corrupt) "
         "-o $TMPDIR/html $TMPDIR/info && sed 's/<[^>]*>//g' $TMPDIR/html/rtl/a.sv.gcov.html | tr "
         "-s ' '",
         0, " 9 [ + - ]: 0 : 9"},
    };
    TRY(commands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_has_its_least_reached_point),
        cmocka_unit_test(genhtml_reads_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
