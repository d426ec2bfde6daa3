/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/part_test.c: operands of which a part is named, or a sign: what is said where they
 * are wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/ptx/ptx_support.h"

static const struct {
    const char *text, *message; /* behind "k.ptx:LINE: " */
} table[] = {
    {"add.u32 %r1, %r2.b0, %r3;",
     "'add.u32' has operand '%r2.b0' of type .b32; expected the whole register"},
    {"add.u32 %r1.h1, %r2, %r3;",
     "'add.u32' has operand '%r1.h1' of type .b32; expected the whole register"},
    {"add.s32 %r1, -%r2, %r3;", "'add.s32' has operand '-%r2' of type .b32; expected no '-' here"},
    {"add.f16 %h1, %h2, 1;",
     "'add.f16' has an integer; expected a register: there are no constants of .f16"},
    {"vadd.u32.u32.u32 %r1, %r2.b4, %r3;",
     "'vadd.u32.u32.u32' has operand '%r2.b4' of type .b32; expected one of .b0 to .b3, .h0, .h1"},
    {"vadd.u32.u32.u32 %r1, -%r2, %r3;",
     "'vadd.u32.u32.u32' has operand '-%r2' of type .b32; expected no '-' here"},
    {"vadd.u32.u32.u32.add %r1, %r2, %r3;", "'vadd.u32.u32.u32.add' has 3 operands; expected 4"},
    {"vadd.u32.u32.u32 %r1.b0, %r2, %r3;", "'vadd.u32.u32.u32' has 3 operands; expected 4"},
    {"vadd.u32.u32.u32.add %r1.b0, %r2, %r3, %r4;",
     "'vadd.u32.u32.u32.add' has operand '%r1.b0' of type .b32; expected the whole register, as "
     "there is a second operation"},
    {"vadd.u32.u32.u32 %r1.b0, %r2, %r3, %r4.b1;",
     "'vadd.u32.u32.u32' has operand '%r4.b1' of type .b32; expected the whole register"},
    {"vmad.s32.s32.s32 %r1, -%r2, %r3, -%r4;",
     "'vmad.s32.s32.s32' has operand '-%r4' of type .b32; expected '-' before the product or "
     "before what is added, not both"},
    {"vmad.s32.s32.s32.po %r1, %r2, -%r3, %r4;",
     "'vmad.s32.s32.s32.po' has operand '-%r3' of type .b32; expected no '-' here"},
    {"vadd2.u32.u32.u32 %r1, %r2.h4, %r3, %r4;",
     "'vadd2.u32.u32.u32' has operand '%r2.h4' of type .b32; expected .h and 2 digits, 0 to 3"},
    {"vadd2.u32.u32.u32 %r1.h01, %r2, %r3, %r4;",
     "'vadd2.u32.u32.u32' has operand '%r1.h01' of type .b32; expected .h0, .h1 or .h10"},
    {"vadd4.u32.u32.u32 %r1, %r2, %r3.b8210, %r4;",
     "'vadd4.u32.u32.u32' has operand '%r3.b8210' of type .b32; expected .b and 4 digits, 0 to 7"},
    {"vadd4.u32.u32.u32 %r1.b32100, %r2, %r3, %r4;",
     "'vadd4.u32.u32.u32' has operand '%r1.b32100' of type .b32; expected .b and some of 3210, in "
     "this order"},
    {"vadd2.u32.u32.u32 %r1, %r2, %r3;", "'vadd2.u32.u32.u32' has 3 operands; expected 4"},
    {"ld.global.u32 %r1, [%d1.b0];", "found '.b0'; expected ']' after an address"},
};

static void wrong_parts_are_named(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct ptx_error error;
        char expected[PTX_MESSAGE_SIZE];
        char *text = body_text(table[i].text);
        struct ptx_module *m = ptx_parse("k.ptx", text, strlen(text), &error);
        free(text);
        if (m)
            fail_msg("accepted: %s", table[i].text);
        snprintf(expected, sizeof expected, "k.ptx:%d: %s", BODY_LINE, table[i].message);
        assert_string_equal(error.message, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_parts_are_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
