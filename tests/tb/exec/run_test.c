/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/run_test.c: tests tb/exec/run.c: barriers, blocks, shared memory, polling
 * warps, what it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"

/* Each block reverses and sums its 200 values in dynamic shared memory, in halving steps with a
 * barrier after each. */
static void reduction(void **state)
{
    static const char text[] = PTX_HEAD
        ".extern .shared .align 4 .b8 values[];\n"
        ".entry k(.param .u64 in, .param .u64 out)\n{\n .reg .pred %p<5>; .reg .b32 %r<20>; .reg "
        ".b64 %d<9>;\n"
        " mov.u32 %r1, %tid.x;\n mov.u32 %r2, %ctaid.x;\n mad.lo.u32 %r3, %r2, 200, %r1;\n "
        "mul.wide.u32 %d1, %r3, 4;\n"
        " ld.param.u64 %d2, [in];\n add.u64 %d2, %d2, %d1;\n ld.global.u32 %r4, [%d2];\n"
        " mov.u32 %r5, values;\n shl.b32 %r6, %r1, 2;\n add.u32 %r7, %r5, %r6;\n st.shared.u32 "
        "[%r7], %r4;\n mov.u32 %r8, 256;\n"
        "LOOP:\n shr.u32 %r8, %r8, 1;\n bar.sync 0;\n add.u32 %r9, %r1, %r8;\n setp.lt.u32 %p1, "
        "%r1, %r8;\n"
        " setp.lt.and.u32 %p2, %r9, 200, %p1;\n shl.b32 %r10, %r8, 2;\n add.u32 %r10, %r10, %r7;\n"
        " @%p2 ld.shared.u32 %r11, [%r10];\n ld.shared.u32 %r12, [%r7];\n @%p2 add.u32 %r12, %r12, "
        "%r11;\n"
        " @%p2 st.shared.u32 [%r7], %r12;\n setp.gt.u32 %p3, %r8, 1;\n @%p3 bra LOOP;\n"
        " setp.ne.u32 %p1, %r1, 0;\n @%p1 exit;\n ld.param.u64 %d3, [out];\n mul.wide.u32 %d4, "
        "%r2, 4;\n add.u64 %d3, %d3, %d4;\n"
        " st.global.u32 [%d3], %r12;\n ret;\n}\n";
    (void)state;
    struct program p = program_open(text, exec_builds() - 1);
    uint64_t params[2] = {gmem_alloc(p.gmem, 4 * 200 * 30, NULL), gmem_alloc(p.gmem, 4 * 30, NULL)};
    uint32_t *in = gmem_host(p.gmem, params[0], 4 * 200 * 30),
             *out = gmem_host(p.gmem, params[1], 4 * 30);
    for (uint32_t i = 0; i < 200 * 30; i++)
        in[i] = i * 2654435761u;
    struct run run = {"k", {30, 1, 1}, {200, 1, 1}, params, 800};
    struct exec_fault fault;
    uint64_t instructions;
    if (program_run(&p, &run, &fault, &instructions) != 0)
        fail_msg("%s", fault.message);
    for (uint32_t b = 0; b < 30; b++) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < 200; i++)
            sum += in[b * 200 + i];
        assert_int_equal(out[b], sum);
    }
    /* 7 warps of 12 + 8 * 13 + 2 instructions, 5 more in the first. */
    assert_int_equal(instructions, 30 * (7 * (12 + 8 * 13 + 2) + 5));
    program_close(&p);
}

/* The grid is walked x first, each block and thread once. */
static void grid(void **state)
{
    static const char text[] =
        PTX_HEAD ".entry k(.param .u64 out)\n{\n .reg .b32 %r<20>; .reg .b64 %d<9>;\n ld.param.u64 "
                 "%d1, [out];\n"
                 " atom.global.add.u32 %r1, [%d1], 1;\n mov.u32 %r2, %ctaid.z;\n mov.u32 %r3, "
                 "%ctaid.y;\n mad.lo.u32 %r2, %r2, 3, %r3;\n"
                 " mov.u32 %r3, %ctaid.x;\n mad.lo.u32 %r2, %r2, 2, %r3;\n mov.u32 %r3, %tid.z;\n "
                 "mad.lo.u32 %r2, %r2, 5, %r3;\n"
                 " mov.u32 %r3, %tid.y;\n mad.lo.u32 %r2, %r2, 3, %r3;\n mov.u32 %r3, %tid.x;\n "
                 "mad.lo.u32 %r2, %r2, 7, %r3;\n"
                 " mad.wide.u32 %d1, %r2, 4, %d1;\n st.global.u32 [%d1+4], %r1;\n ret;\n}\n";
    enum { THREADS = 2 * 3 * 4 * 7 * 3 * 5 };
    (void)state;
    struct program p = program_open(text, exec_builds() - 1);
    uint64_t out = gmem_alloc(p.gmem, 4 * THREADS + 4, NULL);
    struct run run = {"k", {2, 3, 4}, {7, 3, 5}, &out, 0};
    assert_int_equal(program_run(&p, &run, NULL, NULL), 0);
    const uint32_t *order = gmem_host(p.gmem, out, 4 * THREADS + 4);
    assert_int_equal(order[0], THREADS);
    for (uint32_t i = 0; i < THREADS; i++)
        assert_int_equal(order[1 + i], i);
    program_close(&p);
}

/* Shared memory begins as zeros in every block, whatever the block before left. */
static void shared_memory_is_fresh(void **state)
{
    static const char text[] =
        PTX_HEAD ".entry k(.param .u64 out)\n{\n .reg .b32 %r<20>; .reg .b64 %d<9>; .shared .u32 "
                 "sh; .local .u32 own;\n"
                 " ld.shared.u32 %r1, [sh];\n ld.local.u32 %r2, [own];\n add.u32 %r1, %r1, %r2;\n "
                 "mov.u32 %r3, 7;\n st.shared.u32 [sh], %r3;\n"
                 " st.local.u32 [own], %r3;\n ld.param.u64 %d1, [out];\n red.global.add.u32 [%d1], "
                 "%r1;\n ret;\n}\n";
    (void)state;
    struct program p = program_open(text, exec_builds() - 1);
    uint64_t out = gmem_alloc(p.gmem, 4, NULL);
    struct run run = {"k", {5, 1, 1}, {32, 1, 1}, &out, 0};
    assert_int_equal(program_run(&p, &run, NULL, NULL), 0);
    assert_int_equal(*(uint32_t *)gmem_host(p.gmem, out, 4), 0);
    program_close(&p);
}

/* Warps 1 and 3 end before the barrier, lanes of warp 2 too: the others go on. */
static void warps_that_ended_count_as_arrived(void **state)
{
    static const char text[] =
        PTX_HEAD ".entry k(.param .u64 out)\n{\n .reg .pred %p<5>; .reg .b32 %r<20>; .reg .b64 "
                 "%d<9>;\n mov.u32 %r1, %tid.x;\n"
                 " and.b32 %r2, %r1, 32;\n setp.ne.u32 %p1, %r2, 0;\n @%p1 ret;\n setp.gt.u32 %p1, "
                 "%r1, 70;\n @%p1 ret;\n bar.sync 0;\n"
                 " ld.param.u64 %d1, [out];\n red.global.add.u32 [%d1], 1;\n bar.sync 0;\n "
                 "bar.sync 0;\n ret;\n}\n";
    (void)state;
    struct program p = program_open(text, exec_builds() - 1);
    uint64_t out = gmem_alloc(p.gmem, 4, NULL);
    struct run run = {"k", {3, 1, 1}, {128, 1, 1}, &out, 0};
    assert_int_equal(program_run(&p, &run, NULL, NULL), 0);
    assert_int_equal(*(uint32_t *)gmem_host(p.gmem, out, 4), 3 * (32 + 7));
    program_close(&p);
}

/* Warp 0 polls a word that warp 1 writes. */
static const char polling[] =
    PTX_HEAD ".entry k()\n{\n .reg .pred %%p<5>; .reg .b32 %%r<20>; .shared .u32 flag;\n mov.u32 "
             "%%r1, %%tid.x;\n"
             " setp.lt.u32 %%p1, %%r1, 32;\n @%%p1 bra WAIT;\n %s\n st.shared.u32 [flag], 1;\n "
             "bra.uni JOIN;\n"
             "WAIT:\n ld.volatile.shared.u32 %%r2, [flag];\n setp.eq.u32 %%p2, %%r2, 0;\n @%%p2 "
             "bra WAIT;\nJOIN:\n bar.sync 0;\n ret;\n}\n";

static void polling_warps_make_progress(void **state)
{
    char text[1024];
    (void)state;
    snprintf(text, sizeof text, polling, "");
    struct program p = program_open(text, exec_builds() - 1);
    struct run run = {"k", {2, 1, 1}, {64, 1, 1}, NULL, 0};
    assert_int_equal(program_run(&p, &run, NULL, NULL), 0);
    program_close(&p);
}

/* The same, but warp 1 waits at a barrier first, which warp 0 never reaches. */
static void barrier_that_is_never_met(void **state)
{
    char text[1024];
    (void)state;
    snprintf(text, sizeof text, polling, "bar.sync 0;");
    struct program p = program_open(text, exec_builds() - 1);
    struct run run = {"k", {1, 1, 1}, {64, 1, 1}, NULL, 0};
    struct exec_fault fault;
    assert_int_equal(program_run(&p, &run, &fault, NULL), -1);
    assert_non_null(strstr(fault.message, "kernel 'k' pc "));
    assert_non_null(strstr(
        fault.message,
        "lane 0 block (0,0,0) thread (0,0,0): the barrier is not met: 1 warps wait, warp 0 still "
        "runs"));
    program_close(&p);
}

static void impossible_blocks(void **state)
{
    static const uint32_t blocks[][3] = {
        {0, 1, 1}, {1, 1, 0}, {1 << 20, 2, 1}, {0x80000000, 0x80000000, 4}, {65536, 65536, 1}};
    (void)state;
    struct program p = program_open(PTX_HEAD ".entry k()\n{\n ret;\n}\n", exec_builds() - 1);
    for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        struct run run = {"k", {1, 1, 1}, {blocks[i][0], blocks[i][1], blocks[i][2]}, NULL, 0};
        struct exec_fault fault;
        assert_int_equal(program_run(&p, &run, &fault, NULL), -1);
        assert_string_equal(fault.message, "a block must have from 1 to 1048576 threads");
    }
    uint64_t instructions;
    struct run run = {"k", {1, 1, 1}, {1024, 1, 1}, NULL, 0};
    assert_int_equal(program_run(&p, &run, NULL, &instructions), 0);
    assert_int_equal(instructions, 32);
    program_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduction),
        cmocka_unit_test(grid),
        cmocka_unit_test(shared_memory_is_fresh),
        cmocka_unit_test(warps_that_ended_count_as_arrived),
        cmocka_unit_test(polling_warps_make_progress),
        cmocka_unit_test(barrier_that_is_never_met),
        cmocka_unit_test(impossible_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
