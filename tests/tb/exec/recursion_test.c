/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/recursion_test.c: calls that are not inlined: functions as a compiler leaves them, the
 * executor's warps against the same C functions run one thread at a time; calls as no compiler writes
 * them; and what does not fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"

#define HELPER         static __attribute__((noinline))
#define POINTED        static __attribute__((noinline))
#define LONG           long long
#define FUNCTION(name) static unsigned name(unsigned x)
#include "tests/tb/exec/recursion.inc"

static const struct like_c functions[] = {
    {"numbers", numbers}, {"mutual", mutual},     {"arrays", arrays}, {"structures", structures},
    {"loops", loops},     {"pointers", pointers}, {"passed", passed}};

/* As they are, and with so few registers that values are spilled around calls, too. */
static void cuda_like_c(void **state)
{
    static const uint32_t registers[] = {0, 20, 12};
    (void)state;
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
        program_like_c("tests/tb/exec/recursion.ptx", 4096, registers[i], functions,
                       sizeof functions / sizeof *functions);
}

/* The thread's number in %r1, the address of its word in %d1. */
#define KERNEL_HEAD(declarations)                                                                  \
    ".entry k(.param .u64 out)\n{\n.reg .pred %p<5>; .reg .u32 %r<9>; .reg .u64 "                  \
    "%d<9>;\n" declarations "\nmov.u32 %r1, %tid.x; ld.param.u64 %d1, [out];\n"                    \
    "mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2; mov.u32 %r2, 77;\n"
#define KERNEL_END                 "st.global.u32 [%d1], %r2;\n}\n"
#define KERNEL(declarations, body) KERNEL_HEAD(declarations) body KERNEL_END

/* Parameters and results that are registers, which the function passes to itself in another order; a
 * predicate and registers of 16 and 64 bits that live across the call; a call and a return that some lanes
 * take; and a barrier in the midst of it. */
static uint32_t by_hand(uint32_t n, uint32_t a, uint32_t b, uint32_t *second)
{
    if (n == 0) {
        *second = b + 1;
        return 2 * a + b;
    }
    const uint32_t narrow = (uint16_t)(a * 3);
    const uint64_t wide = (uint64_t)n << 33 | a;
    uint32_t other, first = by_hand(n - 1, b, a, &other);
    *second = first * 3 + narrow;
    if (n & 1)
        other += 1000;
    return n * 7 + other + (uint32_t)(wide >> 32) + (uint32_t)wide;
}

#define BY_HAND                                                                                    \
    ".func (.reg .u32 x, .reg .u32 y) f(.reg .u32 n, .reg .u32 a, .reg .u32 b)\n{\n"               \
    ".reg .pred %p, %q; .reg .u32 %t<5>; .reg .u16 %h; .reg .u64 %w;\n"                            \
    "setp.eq.u32 %p, n, 0; mad.lo.u32 x, a, 2, b; add.u32 y, b, 1; @%p bar.sync 0; @%p ret;\n"     \
    "and.b32 %t1, n, 1; setp.ne.u32 %q, %t1, 0; mul.lo.u32 %t2, a, 3; cvt.u16.u32 %h, %t2;\n"      \
    "cvt.u64.u32 %w, n; shl.b64 %w, %w, 33; mov.b64 {%t2, %t3}, %w; mov.b64 %w, {a, %t3};\n"       \
    "sub.u32 %t1, n, 1;\ncall (y, x), f, (%t1, b, a);\n"                                           \
    "mov.u32 %t1, x; mul.lo.u32 %t2, y, 3; cvt.u32.u16 %t3, %h; add.u32 y, %t2, %t3;\n"            \
    "@%q add.u32 %t1, %t1, 1000; mov.b64 {%t2, %t3}, %w; add.u32 x, %t1, %t2;\n"                   \
    "add.u32 x, x, %t3; mad.lo.u32 x, n, 7, x; ret;\n}\n"

static void registers_are_passed(void **state)
{
    char message[EXEC_MESSAGE];
    (void)state;
    const uint32_t *words = program_words(
        PTX_HEAD BY_HAND KERNEL("", "setp.ge.u32 %p1, %r1, 40; add.u32 %r3, %r1, 3;\n"
                                    "mov.u32 %r4, 0; @!%p1 call (%r2, %r4), f, (6, %r1, %r3);\n"
                                    "mad.lo.u32 %r2, %r4, 5, %r2;\n"),
        1024, message);
    assert_string_equal(message, "");
    for (uint32_t i = 0; i < PROGRAM_WORDS; i++) {
        uint32_t second = 0, first = i < 40 ? by_hand(6, i, i + 3, &second) : 77;
        assert_int_equal(words[i], first + 5 * second);
    }
}

/* Threads that end at depth 0, 1, 2 and 3 of a recursion, some behind the deepest call; those that are left
 * come back. */
static void exits_leave_all_calls(void **state)
{
    char message[EXEC_MESSAGE];
    (void)state;
    const uint32_t *words = program_words(
        PTX_HEAD ".func (.param .b32 r) f(.param .b32 depth, .param .b32 thread)\n{\n"
                 ".reg .pred %p<4>; .reg .u32 %r<9>; ld.param.u32 %r1, [depth]; ld.param.u32 %r2, "
                 "[thread];\n"
                 "setp.eq.u32 %p1, %r1, %r2; @%p1 exit; add.u32 %r3, %r1, 1; mov.u32 %r5, 0;\n"
                 "setp.gt.u32 %p2, %r1, 2; @%p2 bra END;\n"
                 "{ .param .b32 a; .param .b32 b; .param .b32 c; st.param.b32 [a], %r3;\n"
                 "st.param.b32 [b], %r2; call.uni (c), f, (a, b); ld.param.b32 %r5, [c]; }\n"
                 "add.u32 %r4, %r1, 10; setp.eq.u32 %p3, %r4, %r2; @%p3 exit;\n"
                 "END: mad.lo.u32 %r5, %r5, 3, %r2; st.param.b32 [r], %r5; ret;\n}\n" KERNEL(
                     ".param .b32 a; .param .b32 b; .param .b32 c;",
                     "st.param.b32 [a], 0; st.param.b32 [b], %r1; call (c), f, (a, b);\n"
                     "ld.param.b32 %r2, [c];\n"),
        1024, message);
    assert_string_equal(message, "");
    for (uint32_t i = 0; i < PROGRAM_WORDS; i++)
        assert_int_equal(words[i], i < 4 || (i >= 10 && i < 13) ? 0x5a5a5a5a : 40 * i);
}

/* Lanes that part for good in each of five calls: what one call leaves waiting must not meet what another
 * does. And lanes that return from the midst of a branch do not go on where it ends. */
static uint32_t part(uint32_t n, uint32_t x)
{
    return n == 0 ? 1 : x >> n & 1 ? part(n - 1, x) * 2 + 1 : part(n - 1, x) * 3;
}

static uint32_t midst(uint32_t x)
{
    if (x & 1) {
        if (x & 2)
            return x + 5;
        x += 10;
    }
    return x * 7;
}

static void paths_stay_in_their_calls(void **state)
{
    char message[EXEC_MESSAGE];
    (void)state;
#define AGAIN                                                                                      \
    "{ .param .b32 a; .param .b32 b; .param .b32 c; st.param.b32 [a], %r3;\n"                      \
    "st.param.b32 [b], %r2; call (c), f, (a, b); ld.param.b32 %r4, [c]; }\n"
    const uint32_t *words = program_words(
        PTX_HEAD
        ".func (.param .b32 r) f(.param .b32 n, .param .b32 x)\n{\n"
        ".reg .pred %p<4>; .reg .u32 %r<9>; ld.param.u32 %r1, [n]; ld.param.u32 %r2, [x];\n"
        "st.param.b32 [r], 1; setp.eq.u32 %p1, %r1, 0; @%p1 ret; sub.u32 %r3, %r1, 1;\n"
        "shr.u32 %r4, %r2, %r1; and.b32 %r4, %r4, 1; setp.eq.u32 %p2, %r4, 0; @%p2 bra "
        "THREE;\n" AGAIN "mad.lo.u32 %r4, %r4, 2, 1; st.param.b32 [r], %r4; ret;\n"
        "THREE: " AGAIN "mul.lo.u32 %r4, %r4, 3; st.param.b32 [r], %r4; ret;\n}\n"
        ".func (.param .b32 r) g(.param .b32 x)\n{\n"
        ".reg .pred %p<4>; .reg .u32 %r<9>; ld.param.u32 %r1, [x]; add.u32 %r2, %r1, 5;\n"
        "and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0; and.b32 %r3, %r1, 2;\n"
        "setp.ne.u32 %p2, %r3, 0; st.param.b32 [r], %r2; @%p1 bra ELSE; @%p2 ret;\n"
        "add.u32 %r1, %r1, 10; ELSE: mul.lo.u32 %r1, %r1, 7; st.param.b32 [r], %r1; "
        "ret;\n}\n" KERNEL(
            ".param .b32 a; .param .b32 b; .param .b32 c; .param .b32 d; .param .b32 e;",
            "mov.u64 %d3, g; st.param.b32 [a], 5; st.param.b32 [b], %r1; call (c), f, (a, b);\n"
            "ld.param.b32 %r2, [c]; st.param.b32 [d], %r1; T: .calltargets g; call (e), %d3, (d), "
            "T;\n"
            "ld.param.b32 %r3, [e]; mad.lo.u32 %r2, %r2, 1000, %r3;\n"),
        1024, message);
    assert_string_equal(message, "");
    for (uint32_t i = 0; i < PROGRAM_WORDS; i++)
        assert_int_equal(words[i], part(5, i) * 1000 + midst(i));
}

/* A list of targets, a guard, and lanes that call different functions, one of them through a table. */
static void lanes_call_what_they_point_to(void **state)
{
    char message[EXEC_MESSAGE];
    (void)state;
#define LEAF(name, does)                                                                           \
    ".func (.param .b32 r) " name "(.param .b32 x)\n{\n.reg .u32 %r; ld.param.u32 %r, [x]; " does  \
    "; st.param.u32 [r], %r; ret;\n}\n"
    const uint32_t *words = program_words(
        PTX_HEAD LEAF("f", "add.u32 %r, %r, 100") LEAF("g", "mul.lo.u32 %r, %r, 5")
            LEAF("h", "xor.b32 %r, %r, 1023")
                KERNEL(".param .b32 a; .param .b32 c; .local .u64 table[2];",
                       "setp.ge.u32 %p1, %r1, 50; and.b32 %r3, %r1, 3; setp.eq.u32 %p2, %r3, 0;\n"
                       "mov.u64 %d3, f; mov.u64 %d4, g; selp.b64 %d5, %d3, %d4, %p2;\n"
                       "setp.eq.u32 %p3, %r3, 3; mov.u64 %d4, h; st.local.u64 [table+8], %d4;\n"
                       "@%p3 ld.local.u64 %d5, [table+8]; st.param.b32 [a], %r1;\n"
                       "T: .calltargets f, g, h;\n@!%p1 call (c), %d5, (a), T;\n"
                       "@!%p1 ld.param.b32 %r2, [c];\n"
                       "activemask.b32 %r4; popc.b32 %r4, %r4; mad.lo.u32 %r2, %r4, 1000, %r2;\n"),
        1024, message);
    assert_string_equal(message, "");
    for (uint32_t i = 0; i < PROGRAM_WORDS; i++)
        assert_int_equal(words[i] - 32000, i >= 50      ? 77 /* all 32 have met again */
                                           : i % 4 == 0 ? i + 100
                                           : i % 4 == 3 ? i ^ 1023
                                                        : i * 5);
}

/* A function of any number of arguments: its last parameter is as long as what is passed. Inlined, called by a
 * pointer, and called by itself with fewer. */
static uint32_t fold_words(uint32_t n, uint32_t a, uint32_t b, uint32_t c, int again)
{
    const uint32_t sum = n == 3 ? (a * 3 + b) * 3 + c : a * 3 + b;
    return (again && n == 3 ? sum + 1000 * fold_words(2, sum, a, 0, 0) : sum) + n;
}

static void any_number_of_arguments(void **state)
{
#define FOLD(again)                                                                                \
    ".func (.param .b32 r) f(.param .b32 n, .param .align 8 .b8 p[])\n{\n"                         \
    ".reg .pred %p<3>; .reg .u32 %r<9>; .reg .u64 %d<3>; .local .u32 own[2]; mov.u64 %d1, p;\n"    \
    "st.param.b32 [r], 0; ld.param.u32 %r1, [n]; st.local.u32 [own+4], %r1; mov.u32 %r2, 0; "      \
    "mov.u32 %r3, 0;\n"                                                                            \
    "NEXT: ld.param.u32 %r4, [%d1]; mad.lo.u32 %r2, %r2, 3, %r4; add.u64 %d1, %d1, 4;\n"           \
    "add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r1; @%p1 bra NEXT;\n"                             \
    "@%p1 ld.param.u32 %r2, [p+100];\n" again                                                      \
    "END: ld.local.u32 %r5, [own+4]; add.u32 %r2, %r2, %r5; st.param.b32 [r], %r2; ret;\n}\n"
#define AGAIN_WITH_TWO                                                                             \
    "setp.ne.u32 %p2, %r1, 3; @%p2 bra END; ld.param.u32 %r6, [p];\n"                              \
    "{ .param .b32 m; .param .align 8 .b8 q[8]; .param .b32 s; st.param.b32 [m], 2;\n"             \
    "st.param.b32 [q], %r2; st.param.b32 [q+4], %r6; call (s), f, (m, q);\n"                       \
    "ld.param.b32 %r7, [s]; mad.lo.u32 %r2, %r7, 1000, %r2; }\n"
#define PASS(function, targets)                                                                    \
    KERNEL(".param .b32 n; .param .b32 m; .param .align 8 .b8 a[12]; .param .align 8 .b8 b[8];\n"  \
           ".param .b32 r; .param .b32 s;",                                                        \
           "mov.u64 %d3, f; mul.lo.u32 %r3, %r1, %r1; add.u32 %r4, %r1, 1;\n"                      \
           "P: .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[]);\n"       \
           "st.param.b32 [n], 3; st.param.b32 [a], %r1; st.param.b32 [a+4], %r3;\n"                \
           "st.param.b32 [a+8], 7; call (r), " function ", (n, a)" targets ";\n"                   \
           "ld.param.b32 %r5, [r]; st.param.b32 [m], 2; st.param.b32 [b], %r4;\n"                  \
           "st.param.b32 [b+4], 5; call (s), " function ", (m, b)" targets ";\n"                   \
           "ld.param.b32 %r6, [s]; mad.lo.u32 %r2, %r6, 77, %r5;\n")
    static const struct {
        const char *text;
        int again;
    } cases[] = {{PTX_HEAD FOLD("") PASS("f", ""), 0},
                 {PTX_HEAD FOLD("") PASS("%d3", ", P"), 0},
                 {PTX_HEAD FOLD(AGAIN_WITH_TWO) PASS("f", ""), 1},
                 {PTX_HEAD FOLD(AGAIN_WITH_TWO) PASS("%d3", ", P"), 1}};
    char message[EXEC_MESSAGE];
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const uint32_t *words = program_words(cases[c].text, 1024, message);
        assert_string_equal(message, "");
        for (uint32_t i = 0; i < PROGRAM_WORDS; i++)
            assert_int_equal(words[i], fold_words(3, i, i * i, 7, cases[c].again) +
                                           77 * fold_words(2, i + 1, 5, 0, 0));
    }
}

/* A kernel has an address, which is its own and no function's, also as an initial value. */
static void kernels_have_addresses(void **state)
{
    char message[EXEC_MESSAGE];
    (void)state;
    const uint32_t *words = program_words(
        PTX_HEAD ".entry l() { ret; }\n.func f() { ret; }\n"
                 ".global .u64 table[2] = { l, f };\n" KERNEL(
                     "", "mov.u64 %d3, l; mov.u64 %d4, k; mov.u64 %d5, f;\n"
                         "ld.global.u64 %d6, [table]; setp.eq.u64 %p1, %d3, %d6;\n"
                         "setp.ne.and.u64 %p1, %d3, %d4, %p1; setp.ne.and.u64 %p1, %d3, "
                         "%d5, %p1;\n"
                         "setp.ne.and.u64 %p1, %d4, %d5, %p1; setp.ne.and.u64 %p1, %d4, "
                         "0, %p1;\n"
                         "selp.u32 %r2, 1, 0, %p1;\n"),
        1024, message);
    assert_string_equal(message, "");
    for (uint32_t i = 0; i < PROGRAM_WORDS; i++)
        assert_int_equal(words[i], 1);
}

static void what_does_not_fit_is_a_fault(void **state)
{
    static const struct {
        const char *functions, *body, *message;
    } cases[] = {
        {".func f(.param .b32 x) { .local .b8 own[100]; .reg .u64 %d; mov.u64 %d, own; { .param "
         ".b32 a; "
         "call f, (a); } st.local.u8 [%d], 1; ret; }\n",
         "{ .param .b32 a; call f, (a); }\n",
         "the call stack of a thread is full: 'f' needs 112 bytes of 624 (gpu.stack gives more)"},
        {".func f(.param .b32 x, .param .b64 y[15]) { .param .b32 a; .param .b64 b[15];\n"
         "st.param.b32 [a], 1; call f, (a, b); ret; }\n",
         ".param .b32 a; .param .b64 b[15]; call f, (a, b);\n",
         "address 0x290 (4 bytes) is outside the thread's local memory [0x0, 0x290), which ends "
         "with its call stack (gpu.stack gives more)"},
        {".func f() { call f; ret; }\n", "call f;\n",
         "the reconvergence stack is full (16384 entries)"},
        {".func f() { ret; }\n",
         "mov.u64 %d3, f; add.u64 %d3, %d3, 8; P: .callprototype _ (); call %d3, P;\n",
         "0x400000000000018 is no function that takes these parameters"},
        {".entry l() { ret; }\n", "mov.u64 %d3, l; P: .callprototype _ (); call %d3, P;\n",
         "0x400000000000010 is no function that takes these parameters"},
        {"", "mov.u64 %d3, 5; P: .callprototype _ (); call %d3, P;\n",
         "0x5 is no function that takes these parameters"},
        {".func f(.param .b32 x) { ret; }\n",
         "mov.u64 %d3, f; P: .callprototype _ (); call %d3, P;\n",
         "0x400000000000010 is no function that takes these parameters"},
    };
    char text[4096], message[EXEC_MESSAGE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, "%s%s%s%s", PTX_HEAD, cases[i].functions, KERNEL_HEAD(""),
                 cases[i].body);
        strcat(text, KERNEL_END);
        program_words(text, 512, message);
        if (!strstr(message, cases[i].message))
            fail_msg("expected '%s', got '%s'", cases[i].message, message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuda_like_c),
        cmocka_unit_test(registers_are_passed),
        cmocka_unit_test(exits_leave_all_calls),
        cmocka_unit_test(paths_stay_in_their_calls),
        cmocka_unit_test(lanes_call_what_they_point_to),
        cmocka_unit_test(any_number_of_arguments),
        cmocka_unit_test(kernels_have_addresses),
        cmocka_unit_test(what_does_not_fit_is_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
