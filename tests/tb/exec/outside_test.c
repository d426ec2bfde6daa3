/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/outside_test.c: tests tb/exec/tolerate.c: accesses outside the buffers that pass, and those that never do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"

enum { BYTES = 100, WORDS = BYTES / 4, THREADS = 40, OUT = 4 * THREADS };

/* Two buffers of BYTES, and one for results, with what they hold before. */
struct buffers {
    uint32_t a[WORDS], b[WORDS], out[THREADS];
};

static uint64_t fill(struct gmem *g, const void *bytes, uint64_t size)
{
    const uint64_t address = gmem_alloc(g, size, NULL);
    memcpy(gmem_host(g, address, size), bytes, size);
    return address;
}

/* Runs 40 threads; the statements see the thread's number %r1, its number times 4 %d1, and the buffers [0x10000, 0x10064),
 * [0x10200, 0x10264), [0x10400, 0x104a0) as %d2, %d3, %d4; %r9 is written as its result. *b is what the buffers then hold. */
static int run_statements(const char *statements, unsigned build, struct exec_tolerated *tolerated,
                          struct buffers *b, struct exec_fault *fault)
{
    char text[4096];
    snprintf(text, sizeof text,
             PTX_HEAD ".entry k(.param .u64 a, .param .u64 b, .param .u64 out)\n{\n .reg .pred "
                      "%%p<9>; .reg .b32 %%r<20>; .reg .b64 %%d<20>;\n"
                      " .shared .align 8 .b8 sh[200]; .local .align 8 .b8 own[24];\n"
                      " mov.u32 %%r1, %%tid.x;\n mul.wide.u32 %%d1, %%r1, 4;\n"
                      " ld.param.u64 %%d2, [a];\n ld.param.u64 %%d3, [b];\n"
                      " ld.param.u64 %%d4, [out];\n mov.u32 %%r9, 7;\n%s\n"
                      " add.u64 %%d5, %%d4, %%d1;\n st.global.u32 [%%d5], %%r9;\n ret;\n}\n",
             statements);
    struct program p = program_open(text, build);
    struct buffers before;
    for (uint32_t i = 0; i < WORDS; i++)
        before.a[i] = 1000 + i, before.b[i] = 2000 + i;
    memset(before.out, 0, sizeof before.out);
    const uint64_t params[] = {
        fill(p.gmem, before.a, BYTES),
        fill(p.gmem, before.b, BYTES),
        fill(p.gmem, before.out, OUT)
    };
    const struct run run = {"k", {1, 1, 1}, {THREADS, 1, 1}, (const uint8_t *)params, 0};
    p.tolerated = tolerated;
    const int status = program_run(&p, &run, fault, NULL);
    memcpy(b->a, gmem_host(p.gmem, params[0], BYTES), BYTES);
    memcpy(b->b, gmem_host(p.gmem, params[1], BYTES), BYTES);
    memcpy(b->out, gmem_host(p.gmem, params[2], OUT), OUT);
    program_close(&p);
    return status;
}

/* What a thread gets that reads word `i` of a buffer which holds first, first + 1, ... */
static uint32_t word(uint32_t first, int64_t i)
{
    return i >= 0 && i < WORDS ? first + (uint32_t)i : 0;
}

static void overruns_read_zeros(void **unused)
{
    (void)unused;
    for (unsigned build = 0; build < exec_builds(); build++) {
        struct exec_tolerated o = {.overrun = 1};
        struct exec_fault fault;
        struct buffers b;
        /* words 10 to 49 of a, then the words from 13 on of b, which b itself has for thread 12 and before */
        assert_int_equal(run_statements("add.u64 %d6, %d2, %d1;\n ld.global.u32 %r9, [%d6+40];\n"
                                        " add.u64 %d6, %d3, %d1;\n ld.u32 %r8, [%d6+52];\n"
                                        " shl.b32 %r8, %r8, 16;\n or.b32 %r9, %r9, %r8;",
                                        build, &o, &b, &fault),
                         0);
        for (uint32_t i = 0; i < THREADS; i++)
            assert_int_equal(b.out[i], word(1000, i + 10) | word(2000, i + 13) << 16);
        assert_int_equal(o.counts.overruns, THREADS - 15 + THREADS - 12);
        assert_int_equal(o.counts.reads, 0);
        assert_int_equal(o.counts.writes, 0);
        assert_string_equal(o.access,
                            "kernel 'k' pc 7 (line 15: ld.global.u32 %r9, [%d6+40]) lane 15 block "
                            "(0,0,0) thread (15,0,0): address 0x10064 (4 bytes)");
    }
}

/* The bytes that the buffer has are its own: word 24 and three behind it. */
static void a_vector_across_the_end(void **unused)
{
    static const char vector[] = "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%d2+96];\n"
                                 " add.u32 %r9, %r3, %r4;\n add.u32 %r9, %r9, %r5;\n"
                                 " shl.b32 %r9, %r9, 16;\n add.u32 %r9, %r9, %r2;";
    static const struct exec_tolerated rules[] = {
        {.overrun = 1}, {.any = 1}, {.overrun = 1, .any = 1}};
    (void)unused;
    for (unsigned build = 0; build < exec_builds(); build++)
        for (unsigned n = 0; n < 3; n++) {
            struct exec_tolerated o = rules[n];
            struct exec_fault fault;
            struct buffers b;
            assert_int_equal(run_statements(vector, build, &o, &b, &fault), 0);
            for (uint32_t i = 0; i < THREADS; i++)
                assert_int_equal(b.out[i], 1024);
            assert_int_equal(o.counts.overruns, o.overrun ? THREADS : 0);
            assert_int_equal(o.counts.reads, o.overrun ? 0 : THREADS);
        }
}

/* Reads give 0, what is written is lost, and nothing else changes. */
static void anything_outside_is_zero(void **unused)
{
    static const struct {
        const char *statements;
        uint32_t out, reads, writes;
    } table[] = {
        {"ld.global.u32 %r9, [%d2+-4];", 0, 1, 0},
        {"ld.global.u8 %r9, [%d3+-1];", 0, 1, 0},
        {"mov.u64 %d6, -8;\n ld.global.u64 %d7, [%d6];\n cvt.u32.u64 %r9, %d7;", 0, 1, 0},
        {"mov.u64 %d6, 0;\n ld.u32 %r9, [%d6];", 0, 1, 0},
        {"mov.u64 %d6, 64;\n ld.const.u32 %r9, [%d6];", 0, 1, 0},
        {"ld.global.v2.u64 {%d6, %d7}, [%d3+1024];\n or.b64 %d6, %d6, %d7;\n cvt.u32.u64 %r9, %d6;",
         0, 1, 0},
        {"st.global.u32 [%d2+-4], %r9;", 7, 0, 1},
        {"st.global.u32 [%d2+100], %r9;", 7, 0, 1},
        {"st.global.v4.u32 [%d2+96], {%r9, %r9, %r9, %r9};", 7, 0, 1}, /* all of it is lost */
        {"st.u64 [%d3+104], %d1;", 7, 0, 1},
        {"atom.global.add.u32 %r9, [%d2+100], 1;", 0, 1, 1},
        {"atom.global.cas.b64 %d6, [%d2+104], 0, 5;\n cvt.u32.u64 %r9, %d6;", 0, 1, 1},
        {"atom.exch.b32 %r9, [%d3+-4], %r9;", 0, 1, 1},
        {"red.global.add.u32 [%d2+100], 1;", 7, 1, 1},
    };
    (void)unused;
    for (unsigned n = 0; n < sizeof table / sizeof *table; n++)
        for (unsigned build = 0; build < exec_builds(); build++) {
            struct exec_tolerated o = {.any = 1};
            struct exec_fault fault;
            struct buffers b;
            if (run_statements(table[n].statements, build, &o, &b, &fault))
                fail_msg("%s\n%s", table[n].statements, fault.message);
            for (uint32_t i = 0; i < WORDS; i++)
                assert_true(b.a[i] == 1000 + i && b.b[i] == 2000 + i);
            for (uint32_t i = 0; i < THREADS; i++)
                if (b.out[i] != table[n].out)
                    fail_msg("%s: thread %u: %u", table[n].statements, i, b.out[i]);
            assert_int_equal(o.counts.overruns, 0);
            assert_int_equal(o.counts.reads, table[n].reads * THREADS);
            assert_int_equal(o.counts.writes, table[n].writes * THREADS);
        }
}

/* Of one instruction some lanes are inside, in two buffers, and others outside. */
static void lanes_apart(void **unused)
{
    (void)unused;
    for (unsigned build = 0; build < exec_builds(); build++) {
        struct exec_tolerated o = {.any = 1};
        struct exec_fault fault;
        struct buffers b;
        assert_int_equal(run_statements("and.b32 %r2, %r1, 1;\n setp.eq.u32 %p1, %r2, 1;\n"
                                        " @%p1 mov.u64 %d2, %d3;\n mul.lo.u64 %d6, %d1, 3;\n"
                                        " add.u64 %d6, %d6, %d2;\n ld.global.u32 %r9, [%d6+-12];\n"
                                        " st.global.u32 [%d6+-12], %r1;",
                                        build, &o, &b, &fault),
                         0);
        uint64_t outside = 0;
        uint32_t expected[2][WORDS];
        for (uint32_t i = 0; i < WORDS; i++)
            expected[0][i] = 1000 + i, expected[1][i] = 2000 + i;
        for (uint32_t i = 0; i < THREADS; i++) {
            const int64_t at = 3 * (int64_t)i - 3;
            /* 512 bytes from a to b, from b to the results */
            const uint64_t place = 0x10000 + (i & 1) * 512 + (uint64_t)(4 * at);
            const int buffer = (int)(place - 0x10000) / 512;
            const uint64_t within = place - 0x10000 - (uint64_t)buffer * 512;
            const int inside = at >= 0 && buffer < 2 && within < BYTES;
            assert_int_equal(b.out[i],
                             inside ? word(buffer ? 2000 : 1000, (int64_t)within / 4) : 0);
            if (inside)
                expected[buffer][within / 4] = i;
            outside += !inside;
        }
        assert_memory_equal(b.a, expected[0], BYTES);
        assert_memory_equal(b.b, expected[1], BYTES);
        assert_int_equal(o.counts.reads, outside);
        assert_int_equal(o.counts.writes, outside);
    }
}

static void these_are_faults(void **unused)
{
    static const struct exec_tolerated warn = {.overrun = 1}, zero = {.overrun = 1, .any = 1};
    static const struct {
        const struct exec_tolerated *rule;
        const char *statements, *message;
    } table[] = {
        /* a warning is of reads, and of the padding */
        {&warn, "st.global.u32 [%d2+100], %r1;", "outside every buffer"},
        {&warn, "atom.global.add.u32 %r2, [%d2+100], 1;", "outside every buffer"},
        {&warn, "red.global.add.u32 [%d2+100], 1;", "outside every buffer"},
        {&warn, "ld.global.u32 %r9, [%d2+356];", "gpu.outside=zero lets it pass"},
        {&warn, "ld.global.u32 %r9, [%d3+-4];", "gpu.outside=zero lets it pass"},
        {&warn, "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%d2+352];", "outside every buffer"},
        /* what is no matter of buffers */
        {&zero, "ld.global.u32 %r9, [%d2+102];", "is not a multiple of 4"},
        {&zero, "st.shared.u32 [sh+208], %r1;", "outside the block's shared memory"},
        {&zero, "ld.local.u32 %r9, [own+24];", "outside the thread's local memory"},
        {&zero, "cvta.shared.u64 %d6, 0;\n ld.u32 %r9, [%d6+208];", "shared memory"},
        {&zero, "cvta.local.u64 %d6, 0;\n st.u32 [%d6+24], %r9;", "local memory"},
    };
    (void)unused;
    for (unsigned n = 0; n < sizeof table / sizeof *table; n++)
        for (unsigned build = 0; build < exec_builds(); build++) {
            struct exec_tolerated o = *table[n].rule;
            struct exec_fault fault = {0};
            struct buffers b;
            if (!run_statements(table[n].statements, build, &o, &b, &fault) ||
                !strstr(fault.message, table[n].message))
                fail_msg("%s\ngives    %s\nexpected %s", table[n].statements, fault.message,
                         table[n].message);
            assert_int_equal(o.counts.reads + o.counts.writes + o.counts.overruns, 0);
            assert_string_equal(o.access, "");
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overruns_read_zeros),      cmocka_unit_test(a_vector_across_the_end),
        cmocka_unit_test(anything_outside_is_zero), cmocka_unit_test(lanes_apart),
        cmocka_unit_test(these_are_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
