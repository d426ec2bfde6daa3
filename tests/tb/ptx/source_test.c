/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/source_test.c: tests tb/ptx/source.c and parse/source.c: which line of the source each instruction comes from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/ptx/ptx_support.h"

#define HEAD ".version 7.2\n.target sm_70\n.address_size 64\n"

static struct ptx_module *parse(const char *text)
{
    struct ptx_error error;
    struct ptx_module *m = ptx_parse("t.ptx", text, strlen(text), &error);
    if (!m)
        fail_msg("%s", error.message);
    return m;
}

/* The words for all instructions of kernel `k`, one after the other. */
static void check(const struct ptx_kernel *k, const char *const *expected, uint32_t count)
{
    assert_int_equal(k->num_uops, count);
    for (uint32_t i = 0; i < count; i++) {
        char text[PTX_SOURCE_SIZE];
        assert_string_equal(ptx_source_text(k, i, text), expected[i]);
    }
}

/* As clang and nvcc write it: a .loc holds until the next; files stand before or behind; a function's instructions are its own. */
static void lines_of_instructions(void **unused)
{
    static const char text[] =
        HEAD ".file 1 \"/home/me\" \"/home/me/a.cl\"\n"
             ".func f(.reg .b32 %a)\n{\n .loc 2 4 1\n add.u32 %a, %a, 1;\n ret;\n}\n"
             ".entry k()\n{\n .reg .b32 %r<9>;\n mov.u32 %r1, 1;\n"
             " .loc 1 10 3\n$L_tmp0:\n mov.u32 %r2, 2;\n mov.u32 %r3, 3;\n .loc 1 0 3\n"
             " mov.u32 %r4, 4;\n"
             " .loc 2 7 9, function_name $L__info_string0+12, inlined_at 1 11 5\n mov.u32 %r5, 5;\n"
             " .loc 1 12 1\n { .reg .b32 %q;\n mov.u32 %q, 1;\n call f, (%q);\n }\n ret;\n}\n"
             ".section .debug_str { .b8 1 }\n.file 2 \"b.h\", 123456, 789\n";
    static const char *const expected[] = {"",
                                           " at a.cl:10",
                                           " at a.cl:10",
                                           "",
                                           " at b.h:7, inlined at a.cl:11",
                                           " at a.cl:12",
                                           " at a.cl:12", /* the argument */
                                           " at b.h:4",
                                           " at a.cl:12"};
    (void)unused;
    struct ptx_module *m = parse(text);
    check(ptx_kernel(m, "k"), expected, sizeof expected / sizeof *expected);
    ptx_free(m);
}

/* A .loc that says something else is none, and does not leave the one before in force; a .file that does names nothing. */
static void odd_ones_are_passed_over(void **unused)
{
    static const char text[] =
        HEAD ".file\n.file \"x\"\n.file 1\n.file 3 4\n.file 99999999 \"far\"\n.file 2 \"\"\n.loc\n"
             ".entry k()\n{\n .reg .b32 %r<9>;\n .loc 1 5 1\n mov.u32 %r1, 1;\n .loc 1 5\n"
             " mov.u32 %r1, 2;\n .loc 2 6 1\n mov.u32 %r1, 3;\n .loc 1 x 1\n mov.u32 %r1, 4;\n"
             " .loc 1 9999999999 1\n mov.u32 %r1, 5;\n .loc 18446744073709551615 8 0\n"
             " mov.u32 %r1, 6;\n .loc 1 9 1, inlined_at\n mov.u32 %r1, 7;\n"
             " .loc 1 10 1, inlined_at 7 9\n mov.u32 %r1, 8;\n .loc\n ret;\n}\n"
             ".entry none()\n{\n .reg .b32 %r<9>;\n mov.u32 %r1, 1;\n ret;\n}\n";
    static const char *const expected[] = {" at line:5",
                                           "",
                                           " at :6",
                                           "",
                                           "",
                                           " at line:8",
                                           " at line:9",
                                           " at line:10, inlined at line:9",
                                           ""},
                             *const none[] = {"", ""};
    (void)unused;
    struct ptx_module *m = parse(text);
    check(ptx_kernel(m, "k"), expected, sizeof expected / sizeof *expected);
    check(ptx_kernel(m, "none"), none, 2); /* the body before is not continued */
    ptx_free(m);
    m = parse(HEAD ".entry none()\n{\n .reg .b32 %r<9>;\n mov.u32 %r1, 1;\n ret;\n}\n");
    check(ptx_kernel(m, "none"), none, 2);
    ptx_free(m);
}

/* A version of the kernel with fewer registers: spills come from where the instruction comes from that they serve. */
static void spills_have_the_line_that_they_serve(void **unused)
{
    (void)unused;
    char text[8192];
    size_t n =
        (size_t)sprintf(text, HEAD ".file 1 \"s.cl\"\n.entry k(.param .u64 o)\n{\n .reg .b32 "
                                   "%%r<41>; .reg .b64 %%d<3>;\n ld.param.u64 %%d1, [o];\n");
    for (int i = 1; i <= 40; i++)
        n += (size_t)sprintf(text + n, " .loc 1 %d 1\n ld.global.u32 %%r%d, [%%d1+%d];\n", 100 + i,
                             i, 4 * i);
    for (int i = 1; i <= 40; i++)
        n += (size_t)sprintf(text + n, " .loc 1 %d 1\n st.global.u32 [%%d1+%d], %%r%d;\n", 200 + i,
                             4 * i, i);
    sprintf(text + n, " ret;\n}\n");
    struct ptx_module *m = parse(text);
    struct ptx_error error;
    const struct ptx_kernel *k = ptx_limit(ptx_kernel(m, "k"), 16, &error);
    assert_non_null(k);
    assert_true(k->spills.loads && k->spills.stores);
    uint32_t spills = 0;
    for (uint32_t i = 0; i < k->num_uops; i++) {
        char own[PTX_SOURCE_SIZE], served[PTX_SOURCE_SIZE];
        if (!strstr(k->text[i], "%spill"))
            continue;
        /* a load serves the next instruction, a store the one before */
        const uint32_t of = !strncmp(k->text[i], "ld", 2) ? i + 1 : i - 1;
        if (strstr(k->text[of], "%spill"))
            continue;
        assert_string_equal(ptx_source_text(k, i, own), ptx_source_text(k, of, served));
        assert_int_equal(strncmp(own, " at s.cl:", 9), 0);
        spills++;
    }
    assert_true(spills > 10);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_instructions),
        cmocka_unit_test(odd_ones_are_passed_over),
        cmocka_unit_test(spills_have_the_line_that_they_serve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
