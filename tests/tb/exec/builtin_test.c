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

/* A kernel of one thread and one parameter; what it leaves there. */
static void check_words(const char *text, const uint32_t *expected, uint32_t count)
{
    struct program p = program_open(text, exec_builds() - 1);
    const uint64_t a = gmem_alloc(p.gmem, 64, NULL);
    struct run run = {"k", {1, 1, 1}, {1, 1, 1}, &a, 0};
    struct exec_fault fault;
    if (program_run(&p, &run, &fault, NULL) != 0)
        fail_msg("%s", fault.message);
    assert_memory_equal(gmem_host(p.gmem, a, 64), expected, 4 * count);
    program_close(&p);
}

static void table_of_functions(void **unused)
{
    (void)unused;
    check_words(PTX_HEAD ".func (.param .u32 r) f { st.param.u32 [r], 5; ret; }\n"
                         ".func (.param .u32 r) g { st.param.u32 [r], 7; ret; }\n"
                         ".global .u64 table[4] = {f, g, 0, f};\n"
                         ".entry k(.param .u64 a) { .reg .u64 %d<3>; .reg .u32 %r<4>;\n"
                         "ld.param.u64 %d1, [a];\nproto: .callprototype (.param .u32 _) _ ();\n"
                         "{ .param .u32 s; ld.global.u64 %d2, [table+8]; call (s), %d2, proto;"
                         "ld.param.u32 %r1, [s]; }\n"
                         "{ .param .u32 s; ld.global.u64 %d2, [table+24]; call (s), %d2, proto;"
                         "ld.param.u32 %r2, [s]; }\n"
                         "ld.global.u32 %r3, [table+16]; st.global.v2.u32 [%d1], {%r1, %r2};\n"
                         "st.global.u32 [%d1+8], %r3; ret; }\n",
                (uint32_t[]){7, 5, 0}, 3);
}

/* A register of the module that a function changes which calls itself: nobody saves it. */
static void registers_of_the_module(void **unused)
{
    (void)unused;
    check_words(PTX_HEAD
                ".reg .u32 %count, %sum;\n.local .u32 last;\n"
                ".func f(.param .u32 n) { .reg .pred %p; .reg .u32 %n;\n"
                "ld.param.u32 %n, [n]; add.u32 %count, %count, 1; st.local.u32 [last], %n;\n"
                "setp.eq.u32 %p, %n, 0; @%p ret; sub.u32 %n, %n, 1;\n"
                "{ .param .u32 m; st.param.u32 [m], %n; call f, (m); }\n"
                "add.u32 %n, %n, 1; add.u32 %sum, %sum, %n; ret; }\n"
                ".entry k(.param .u64 a) { .reg .u64 %d; .reg .u32 %r;\n"
                "ld.param.u64 %d, [a]; mov.u32 %count, 0; mov.u32 %sum, 100;\n"
                "{ .param .u32 m; st.param.u32 [m], 9; call f, (m); }\n"
                "ld.local.u32 %r, [last]; st.global.v2.u32 [%d], {%count, %sum};\n"
                "st.global.u32 [%d+8], %r; ret; }\n",
                (uint32_t[]){10, 145, 0}, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assertion),
        cmocka_unit_test(own_body),
        cmocka_unit_test(traps),
        cmocka_unit_test(table_of_functions),
        cmocka_unit_test(registers_of_the_module),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
