/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ocl/repair_call_test.c: what is made of PTX that calls kernels, to the letter; of rotations, and of inline functions in
 * LLVM assembly; cut off anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/ocl/repair.h"

#define CALL(name) "\tcall.uni \n\t" name ", \n\t(\n\tparam0\n\t);\n"

static const char head[] = ".version 6.0\n";
/* b is declared, calls itself and is called by a function; a is called by b; aa by nobody. */
static const char clangs[] =
    "\n.entry b\n(\n\t.param .u64 .ptr .global .align 4 b_param_0\n)\n;\n"
    "\n.func f(\n\t.param .b64 f_param_0\n)\n{\n" CALL(
        "b") "}\n"
             "\n.entry a(\n\t.param .u8 a_param_0,\n\t.param .f64 a_param_1,\n"
             "\t.param .align 16 .b8 a_param_2[16]\n)\n{\n\tret;\n\n}\n"
             "\n.entry aa(\n\n)\n{\n" CALL(
                 "f") "}\n"
                      "\n.entry b(\n\t.param .u64 .ptr .global .align 4 b_param_0\n)\n{\n" CALL("a")
                          CALL("b") "}\n";
static const char right[] =
    "\n.func b$function\n(\n\t.param .b64 b_param_0\n)\n;\n"
    "\n.func f(\n\t.param .b64 f_param_0\n)\n{\n" CALL(
        "b$function") "}\n"
                      "\n.entry a(\n\t.param .u8 a_param_0,\n\t.param .f64 a_param_1,\n"
                      "\t.param .align 16 .b8 a_param_2[16]\n)\n{\n\tret;\n\n}\n"
                      ".func a$function(\n\t.param .b32 a_param_0,\n\t.param .b64 a_param_1,\n"
                      "\t.param .align 16 .b8 a_param_2[16]\n)\n{\n\tret;\n\n}\n"
                      "\n.entry aa(\n\n)\n{\n" CALL(
                          "f") "}\n"
                               "\n.entry b(\n\t.param .u64 .ptr .global .align 4 "
                               "b_param_0\n)\n{\n" CALL("a$function")
                                   CALL("b$function") "}\n"
                                                      ".func b$function(\n\t.param .b64 "
                                                      "b_param_0\n)\n{\n" CALL("a$function")
                                                          CALL("b$function") "}\n";

static void kernels_that_are_called(void **state)
{
    char text[4096];
    (void)state;
    strcat(strcpy(text, head), clangs);
    size_t bytes = strlen(text);
    char *result = repair_kernel_calls(strdup(text), &bytes);
    assert_string_equal(result + strlen(head), right);
    assert_int_equal(bytes, strlen(result));
    /* what is right stays as it is */
    char *again = repair_kernel_calls(strdup(result), &bytes);
    assert_string_equal(again, result);
    assert_int_equal(bytes, strlen(result));
    free(again);
    free(result);
}

static void rotations(void **state)
{
    static const char wrong[] = "{\n\t.reg .u32 %amt2;\n\tshl.b64 \t%lhs, %rd9, %r2;\n"
                                "\tsub.u32 \t%amt2, 64, %r2;\n\tshr.b64 \t%rhs, %rd9, %amt2;\n}\n";
    (void)state;
    size_t bytes = strlen(wrong);
    char *result = repair_rotations(strdup(wrong), &bytes);
    assert_string_equal(result,
                        "{\n\t.reg .u32 %amt2;\n\t.reg .u32 %amt;\n\tand.b32 \t%amt, %r2, 63;\n"
                        "\tshl.b64 \t%lhs, %rd9, %amt;\n\tsub.u32 \t%amt2, 64, %amt;\n"
                        "\tshr.b64 \t%rhs, %rd9, %amt2;\n}\n");
    assert_int_equal(bytes, strlen(result));
    free(result);
}

static void inline_functions(void **state)
{
    char text[] =
        "define available_externally i32 @a() {\n}\ndefine available_externally i32 @b() {\n"
        "}\ndeclare available_externally i32 @c()\ndefine i32 @d() {\n}\n";
    (void)state;
    repair_inline(text); /* the first line is never a function's */
    assert_string_equal(text, "define available_externally i32 @a() {\n}\n"
                              "define linkonce_odr         i32 @b() {\n"
                              "}\ndeclare available_externally i32 @c()\ndefine i32 @d() {\n}\n");
}

static void cut_off_anywhere(void **state)
{
    (void)state;
    for (size_t length = 0; length < sizeof clangs; length++) {
        size_t bytes = length;
        free(repair_kernel_calls(strndup(clangs, length), &bytes));
        free(repair_rotations(strndup(clangs, length), &bytes));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_that_are_called),
        cmocka_unit_test(rotations),
        cmocka_unit_test(inline_functions),
        cmocka_unit_test(cut_off_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
