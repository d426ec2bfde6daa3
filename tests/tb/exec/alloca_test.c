/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/alloca_test.c: memory of run-time size: functions as a compiler leaves them against the same C
 * functions; where it lies and when it is free again, by hand; and what does not fit. */
#include <alloca.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"

#define HELPER         static __attribute__((noinline))
#define LONG           long long
#define FUNCTION(name) static unsigned name(unsigned x)
#include "tests/tb/exec/alloca.inc"

static const struct like_c functions[] = {
    {"sieve", sieve}, {"several", several}, {"sorted", sorted}, {"palindromes", palindromes}};

/* With hardly more stack than they need; also with so few registers that values are spilled around. */
static void cuda_like_c(void **state)
{
    static const uint32_t registers[] = {0, 20, 12};
    (void)state;
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
        program_like_c("tests/tb/exec/alloca.ptx", 1024, registers[i], functions,
                       sizeof functions / sizeof *functions);
}

/* The thread's number in %r1 and %d3, the address of its word in %d1; %r2 is stored there. */
#define KERNEL(body)                                                                               \
    ".entry k(.param .u64 out)\n{\n.reg .pred %p<5>; .reg .u32 %r<19>; .reg .u64 %d<19>;\n"        \
    "mov.u32 %r1, %tid.x; cvt.u64.u32 %d3, %r1; ld.param.u64 %d1, [out];\n"                        \
    "mad.wide.u32 %d1, %r1, 4, %d1; mov.u32 %r2, 77;\n" body "st.global.u32 [%d1], %r2;\n}\n"

#define STACK 1024 /* bytes of it, all of the kernel's local memory */

static void expect(const char *text, uint32_t (*expected)(uint32_t thread))
{
    char message[EXEC_MESSAGE];
    const uint32_t *words = program_words(text, STACK, message);
    assert_string_equal(message, "");
    for (uint32_t i = 0; i < PROGRAM_WORDS; i++)
        assert_int_equal(words[i], expected(i));
}

/* Downward from the end of the stack, each as it is aligned, at least to 8, whatever the others of the warp take;
 * the guard leaves threads out; a size of 0 takes nothing. */
static uint32_t places(uint32_t i)
{
    uint32_t at = STACK - i;
    const uint32_t first = at &= ~7u, second = at = (at - 1) & ~63u;
    const uint32_t third = at = i < 40 ? (at - 2 * i) & ~7u : at;
    return first + 3 * second + 5 * third + 7 * at;
}

static void it_lies_where_it_is_aligned(void **state)
{
    (void)state;
    expect(PTX_HEAD KERNEL(
               "alloca.u64 %d4, %d3; alloca.u32 %r4, 1, 64; setp.lt.u32 %p1, %r1, 40;\n"
               "mov.u32 %r5, %r4; add.u32 %r6, %r1, %r1; @%p1 alloca.u32 %r5, %r6, 2;\n"
               "alloca.u64 %d7, 0; cvt.u32.u64 %r2, %d4; mad.lo.u32 %r2, %r4, 3, %r2;\n"
               "mad.lo.u32 %r2, %r5, 5, %r2; cvt.u32.u64 %r7, %d7; mad.lo.u32 %r2, %r7, 7, %r2;\n"),
           places);
}

/* A loop that takes more than there is, were it not given back in each round; around it an array that stays. */
static uint32_t rounds(uint32_t i)
{
    uint32_t sum = i;
    for (uint32_t round = 0; round < 25; round++) {
        const uint32_t n = (sum ^ round) % 40 + 1;
        for (uint32_t k = 0; k < n; k++)
            sum = sum * 7 + (n - 1 - k) * (round + 3);
    }
    return sum * 5 + i * 11;
}

#define ROUNDS(bits, n)                                                                            \
    "alloca.u64 %d10, 8; st.local.u64 [%d10], %d3; mov.u32 %r2, %r1; mov.u32 %r3, 0;\n"            \
    "ROUND: stacksave.u" bits " %" n "9; xor.b32 %r4, %r2, %r3; rem.u32 %r4, %r4, 40;\n"           \
    "add.u32 %r4, %r4, 1; mul.lo.u32 %r5, %r4, 4; alloca.u32 %r6, %r5, 4;\n"                       \
    "add.u32 %r7, %r3, 3; mov.u32 %r8, 0; mov.u32 %r10, 0; mov.u32 %r11, %r6;\n"                   \
    "FILL: st.local.u32 [%r11], %r10; add.u32 %r10, %r10, %r7; add.u32 %r11, %r11, 4;\n"           \
    "add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, %r4; @%p1 bra FILL;\n"                             \
    "READ: sub.u32 %r11, %r11, 4; ld.local.u32 %r10, [%r11]; mad.lo.u32 %r2, %r2, 7, %r10;\n"      \
    "setp.ne.u32 %p1, %r11, %r6; @%p1 bra READ;\n"                                                 \
    "stackrestore.u" bits " %" n "9; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 25;\n"             \
    "@%p1 bra ROUND; ld.local.u32 %r10, [%d10]; mul.lo.u32 %r2, %r2, 5;\n"                         \
    "mad.lo.u32 %r2, %r10, 11, %r2;\n"

static void what_is_given_back_is_free(void **state)
{
    (void)state;
    expect(PTX_HEAD KERNEL(ROUNDS("64", "d")), rounds);
    expect(PTX_HEAD KERNEL(ROUNDS("32", "r")), rounds);
}

/* A function that recurses returns in the midst, from its end, and by a guard that some lanes have; each time all
 * is free that it took, and nothing else: 40 calls in a row, each with up to 200 bytes on every one of three levels. */
static uint32_t level(uint32_t depth, uint32_t x)
{
    if (x & 1 << depth)
        return x + depth;
    if (depth == 2)
        return x * 3;
    const uint32_t inner = level(depth + 1, x);
    return x & 8 ? inner * 5 : inner * 7 + x;
}

static uint32_t levels(uint32_t i)
{
    uint32_t sum = 0;
    for (uint32_t n = 0; n < 40; n++)
        sum = sum * 9 + level(0, i + n);
    return sum + i * i;
}

/* `call`: of f, with (%r4, 0, %r5), whose result is %r6. */
#define LEVELS(call)                                                                               \
    ".func (.reg .u32 y) f(.reg .u32 depth, .reg .u32 x)\n{\n"                                     \
    ".reg .pred %p<4>; .reg .u32 %r<9>; mul.lo.u32 %r1, x, 3; and.b32 %r1, %r1, 127;\n"            \
    "add.u32 %r1, %r1, 40; alloca.u32 %r2, %r1; st.local.u32 [%r2+36], x; shl.b32 %r3, 1, "        \
    "depth;\n"                                                                                     \
    "and.b32 %r3, %r3, x; setp.ne.u32 %p1, %r3, 0; add.u32 y, x, depth; @%p1 ret;\n"               \
    "mul.lo.u32 y, x, 3; setp.eq.u32 %p2, depth, 2; @%p2 bra END; add.u32 %r4, depth, 1;\n"        \
    "call (%r5), f, (%r4, x); ld.local.u32 %r6, [%r2+36]; mad.lo.u32 y, %r5, 7, %r6;\n"            \
    "and.b32 %r7, %r6, 8; setp.eq.u32 %p3, %r7, 0; @%p3 ret; mul.lo.u32 y, %r5, 5;\nEND: ret;\n"   \
    "}\n" KERNEL(                                                                                  \
        "alloca.u64 %d10, 32; st.local.u64 [%d10], %d3; mov.u32 %r2, 0; mov.u32 %r3, 0;\n"         \
        "mov.u64 %d6, f; NEXT: add.u32 %r4, %r1, %r3;\n" call                                      \
        "mad.lo.u32 %r2, %r2, 9, %r6; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 40;\n"            \
        "@%p1 bra NEXT; ld.local.u32 %r7, [%d10]; mad.lo.u32 %r2, %r7, %r7, %r2;\n")

static void functions_free_what_they_took(void **state)
{
    (void)state;
    expect(PTX_HEAD LEVELS("call (%r6), f, (0, %r4);\n"), levels);
    expect(PTX_HEAD LEVELS("T: .calltargets f;\ncall (%r6), %d6, (0, %r4), T;\n"), levels);
}

/* The same of a function that is inlined, whose first instruction a branch goes to. */
static uint32_t collatz(uint32_t i)
{
    uint32_t sum = 0;
    for (uint32_t n = 0; n < 30; n++)
        for (uint32_t x = i + n + 1; x != 1; x = x & 1 ? 3 * x + 1 : x / 2)
            sum += x;
    return sum;
}

static void inlined_functions_free_what_they_took(void **state)
{
    (void)state;
    expect(
        PTX_HEAD
        ".func (.reg .u32 y) f(.reg .u32 x, .reg .u32 sum)\n{\n.reg .pred %p<3>; .reg .u32 %r<4>;\n"
        "AGAIN: setp.eq.u32 %p1, x, 1; mov.u32 y, sum; @%p1 ret; add.u32 sum, sum, x;\n"
        "stacksave.u32 %r2; alloca.u32 %r1, 200; st.local.u32 [%r1+196], x; and.b32 %r3, x, 1;\n"
        "stackrestore.u32 %r2; setp.eq.u32 %p2, %r3, 1; shr.u32 x, x, 1; @!%p2 bra AGAIN;\n"
        "alloca.u32 %r1, 2; ld.local.u32 x, [%r2+-4]; mad.lo.u32 x, x, 3, 1; stackrestore.u32 "
        "%r2;\n"
        "bra AGAIN;\n}\n" KERNEL(
            "mov.u32 %r2, 0; mov.u32 %r3, 1;\nNEXT: add.u32 %r4, %r1, %r3; alloca.u32 %r5, 8;\n"
            "call (%r2), f, (%r4, %r2); add.u32 %r3, %r3, 1; setp.le.u32 %p1, %r3, 30;\n"
            "@%p1 bra NEXT;\n"),
        collatz);
}

static void what_does_not_fit_is_a_fault(void **state)
{
#define ALONE "setp.eq.u32 %p1, %r1, 37; selp.u64 %d4, "
    static const struct {
        const char *functions, *body, *message;
    } cases[] = {
        {"", "alloca.u64 %d4, 1025;\n",
         "(line 8: alloca.u64 %d4, 1025) lane 0 block (0,0,0) thread (0,0,0): the call stack of a "
         "thread is full: alloca needs 1025 bytes at a multiple of 8; 1024 of 1024 are left "
         "(gpu.stack gives more)"},
        {"", "alloca.u64 %d4, 1024; alloca.u64 %d4, 0; alloca.u64 %d4, 1;\n",
         "alloca needs 1 bytes at a multiple of 8; 0 of 1024 are left"},
        {"", ALONE "1017, 8, %p1; alloca.u64 %d5, %d4; alloca.u64 %d5, 8;\n",
         "lane 5 block (0,0,0) thread (37,0,0): the call stack of a thread is full: alloca needs 8 "
         "bytes at a multiple of 8; 0 of 1024 are left"},
        {"", "alloca.u64 %d4, -8;\n", "alloca needs 18446744073709551608 bytes"},
        {"", "alloca.u64 %d4, 0x100000008;\n", "alloca needs 4294967304 bytes"},
        {"", "alloca.u32 %r4, -8;\n", "alloca needs 4294967288 bytes"},
        {"", "alloca.u64 %d4, 8, 2048; st.local.u32 [%d4], 1; alloca.u64 %d4, 8, 8388608;\n",
         "alloca needs 8 bytes at a multiple of 8388608; 0 of 1024 are left"},
        {"", ".local .b8 own[8]; mov.u64 %d4, own; alloca.u64 %d4, 8, 2048;\n",
         "alloca needs 8 bytes at a multiple of 2048; 1024 of 1024 are left"},
        {".func f() { .local .b8 own[100]; .reg .u64 %d; .reg .pred %p; setp.eq.u32 %p, 1, 2;\n"
         "mov.u64 %d, own; @%p call f; st.local.u8 [%d], 1; ret; }\n",
         ALONE "1030, 8, %p1; alloca.u64 %d5, %d4; call f;\n",
         "lane 5 block (0,0,0) thread (37,0,0): the call stack of a thread is full: 'f' needs 112 "
         "bytes of 1136"},
        {".func f(.reg .u32 n) { .reg .u32 %r; alloca.u32 %r, n; call f, (n); ret; }\n",
         "call f, (200);\n",
         "(line 4: alloca.u32 %r, n) lane 0 block (0,0,0) thread (0,0,0): the call stack of a "
         "thread "
         "is full: alloca needs 200 bytes at a multiple of 8; "},
        {"", "stacksave.u64 %d4; add.u64 %d4, %d4, 8; stackrestore.u64 %d4;\n",
         "0x408 is outside the thread's stack [0x0, 0x400]; expected what stacksave has given"},
        {"", "mov.u64 %d4, 0x100000008; stackrestore.u64 %d4;\n",
         "0x100000008 is outside the thread's stack [0x0, 0x400]"},
        {".func f(.reg .u32 n) { .reg .u32 %r; .local .u64 own[2]; mov.u32 %r, own; "
         "stackrestore.u32 %r; call f, (n); ret; }\n",
         "call f, (200);\n", "0x0 is outside the thread's stack [0x20, 0x420]"},
    };
    char text[4096], message[EXEC_MESSAGE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, "%s%s%s%s%s", PTX_HEAD, cases[i].functions,
                 ".entry k(.param .u64 out)\n{\n.reg .pred %p<5>; .reg .u32 %r<9>; .reg .u64 "
                 "%d<9>;\nmov.u32 %r1, %tid.x;\n",
                 cases[i].body, "}\n");
        program_words(text, STACK, message);
        if (!strstr(message, cases[i].message))
            fail_msg("case %zu: expected '%s', got '%s'", i, cases[i].message, message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuda_like_c),
        cmocka_unit_test(it_lies_where_it_is_aligned),
        cmocka_unit_test(what_is_given_back_is_free),
        cmocka_unit_test(functions_free_what_they_took),
        cmocka_unit_test(inlined_functions_free_what_they_took),
        cmocka_unit_test(what_does_not_fit_is_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
