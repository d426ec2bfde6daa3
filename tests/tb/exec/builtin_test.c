/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/builtin_test.c: functions that CUDA's compilers only declare; traps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"

#define STRINGS                                                                                    \
    ".global .align 1 .b8 message[6] = {120, 32, 62, 32, 48, 0};\n"                                \
    ".global .align 1 .b8 file[4] = {97, 46, 99, 117};\n"                                          \
    ".global .align 1 .b8 function[2] = {102, 0};\n"
#define ASSERTFAIL                                                                                 \
    ".extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, "     \
    ".param .b64 e)\n"

static const char *run_text(const char *text)
{
    static struct exec_fault fault;
    struct program p = program_open(text, exec_builds() - 1);
    struct run run = {"k", {2, 1, 1}, {40, 1, 1}, NULL, 0};
    fault.message[0] = '\0';
    const int result = program_run(&p, &run, &fault, NULL);
    assert_int_equal(result, fault.raised ? -1 : 0);
    program_close(&p);
    return fault.message;
}

#define KERNEL(condition, third)                                                                   \
    PTX_HEAD ASSERTFAIL STRINGS                                                                    \
        ".entry k()\n{ .reg .pred %p; .reg .u32 %r; .reg .u64 %d<4>; mov.u32 %r, %tid.x;\n"        \
        "setp." condition                                                                          \
        ".u32 %p, %r, 37; @%p bra GOOD; mov.u64 %d1, message; mov.u64 %d2, file;\n"                \
        "mov.u64 %d3, " third ";\n"                                                                \
        "{ .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4;\n"      \
        "st.param.b64 [p0], %d1; st.param.b64 [p1], %d2; st.param.b32 [p2], 12;\n"                 \
        "st.param.b64 [p3], %d3; st.param.b64 [p4], 1; call.uni __assertfail, (p0, p1, p2, p3, "   \
        "p4);\n"                                                                                   \
        "} GOOD: ret; }\n"

/* The fault names the thread, at the line of the declaration, and what was asserted where. The file's
 * name has no end. */
static void assertion(void **unused)
{
    (void)unused;
    assert_string_equal(run_text(KERNEL("ne", "function")),
                        "kernel 'k' pc 15 (line 4: assertfail %m, %f, %l, %n) lane 5 block (0,0,0) "
                        "thread (37,0,0): assertion 'x > 0' failed: a.cu:12, in 'f'");
    assert_non_null(strstr(run_text(KERNEL("lt", "77")),
                           "lane 5 block (0,0,0) thread (37,0,0): "
                           "assertion 'x > 0' failed: a.cu:12, in '?'"));
}

/* An own body is taken, if there is one. */
static void own_body(void **unused)
{
    (void)unused;
    assert_string_equal(
        run_text(PTX_HEAD ASSERTFAIL
                 ".func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, "
                 ".param .b64 e) { ret; }\n.entry k() { .param .b64 p; .param .b32 q;\n"
                 "call __assertfail, (p, p, q, p, p); }\n"),
        "");
}

/* There is no debugger: a breakpoint ends the kernel, as a trap does. */
static void traps(void **unused)
{
    (void)unused;
    static const char *const names[] = {"trap", "brkpt"};
    for (int i = 0; i < 2; i++) {
        char text[256], expected[256];
        snprintf(text, sizeof text,
                 PTX_HEAD ".entry k() { .reg .pred %%p; .reg .u32 %%r; mov.u32 %%r, %%tid.x;\n"
                          "setp.gt.u32 %%p, %%r, 33;\n@%%p %s; ret; }\n",
                 names[i]);
        snprintf(expected, sizeof expected,
                 "kernel 'k' pc 2 (line 6: @%%p %s) lane 2 block (0,0,0) thread (34,0,0): trap",
                 names[i]);
        assert_string_equal(run_text(text), expected);
    }
}

/* A table of functions is there; calls through it are refused with their line. */
static void table_of_functions(void **unused)
{
    (void)unused;
    struct program p = program_open(
        PTX_HEAD ".func f { ret; }\n.func g { ret; }\n.global .u64 table[4] = {f, g, 0, f};\n"
                 ".entry k() { ret; }\n.entry calls() { .reg .u64 %d;\n"
                 "ld.global.u64 %d, [table];\nproto: .callprototype _ ();\ncall %d, proto; }\n",
        exec_builds() - 1);
    const uint64_t *table = (const void *)p.module->vars[0].init;
    assert_true(table[0] && table[1] && !table[2] && table[0] != table[1] && table[0] == table[3]);
    assert_null(ptx_kernel(p.module, "k")->refused);
    assert_non_null(strstr(ptx_kernel(p.module, "calls")->refused, "test.ptx:11: "));
    program_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assertion),
        cmocka_unit_test(own_body),
        cmocka_unit_test(traps),
        cmocka_unit_test(table_of_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
