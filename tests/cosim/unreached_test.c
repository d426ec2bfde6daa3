/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/unreached_test.c: what cosim/unreached.sh finds in annotated Verilog, and which lines its list excuses at which sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/shell.h"

/* $1: how many schedulers; the rest: what was counted of two lines and of a branch behind each. */
static const char script[] =
    "d=$(mktemp -d) && mkdir $d/u && echo \"#define NUM_SCHEDULERS $1\" >$d/u/hw.h && shift &&\n"
    "f=$d/daws_predict.sv\n"
    "line='for (int t = s + 1; t < S; t++) hit[t] = (hit[t] & ~moves) | ((hit[t] >> 1) & moves);'\n"
    "branch='verilator_coverage: (next point on previous line)'\n"
    "printf '%s\\t%s\\n' \"$1\" \"    assign a = b;\" \"$2\" \"    $branch\" '' '' >$f\n"
    "printf '%s\\t%s\\n' \"$3\" \"    $line\" \"$4\" \"    $branch\" >>$f\n"
    "printf '%%000000\\tmodule u_top\\n' >$d/u_top.sv\n"
    "cosim/unreached.sh $d/u $d/daws_predict.sv $d/u_top.sv";

static int unreached(const char *counts, char said[MAX_OUTPUT])
{
    char command[4096] = "set -- ";
    strcat(strcat(strcat(command, counts), "\n"), script);
    return shell(command, said);
}

static void lines_and_branches_are_named_once(void **unused)
{
    (void)unused;
    static char said[MAX_OUTPUT];
    assert_int_equal(unreached("2 ' 000003' ' 000001' ' 000001' ' 000002'", said), 0);
    assert_string_equal(said, "");
    assert_int_equal(unreached("2 %000000 %000000 ' 000001' ' 000002'", said), 1);
    assert_string_equal(said, "never reached: daws_predict.sv: assign a = b;\n");
    assert_int_equal(unreached("2 ' 000003' %000000 ' 000001' ' 000002'", said), 1);
    assert_string_equal(said, "never reached: daws_predict.sv: assign a = b;\n");
}

static void a_listed_line_is_excused_at_its_size(void **unused)
{
    (void)unused;
    static char said[MAX_OUTPUT];
    assert_int_equal(unreached("1 ' 000003' ' 000003' ' 000001' %000000", said), 0);
    assert_int_equal(unreached("1 %000000 ' 000003' ' 000001' %000000", said), 1);
    assert_string_equal(said, "never reached: daws_predict.sv: assign a = b;\n");
    assert_int_equal(unreached("2 ' 000003' ' 000003' ' 000001' %000000", said), 1);
    assert_non_null(strstr(said, "never reached: daws_predict.sv: for (int t = s + 1; "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_branches_are_named_once),
        cmocka_unit_test(a_listed_line_is_excused_at_its_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
