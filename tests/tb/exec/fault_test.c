/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/fault_test.c: tests tb/exec/fault.c and the checks of mem.h: every kind
 * of bad access with its message, and what is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"

/* Runs 40 threads of 2 blocks in a program with two buffers, [0x10000, 0x10064) and [0x10200,
 * 0x10300), whose addresses are the parameters; the statements see the thread's number %r1, 4 times
 * it as %d1, the parameters as %d2 and %d3. Returns the message, or "": no fault. */
static const char *run_statements(const char *statements, unsigned build, struct program *keep)
{
    static struct exec_fault fault;
    char text[4096];
    snprintf(text, sizeof text,
             PTX_HEAD
             ".entry k(.param .u64 a, .param .u64 b)\n{\n .reg .pred %%p<9>; .reg .b32 %%r<9>; "
             ".reg .b64 %%d<9>;\n"
             " .shared .align 8 .b8 sh[200]; .local .align 8 .b8 own[24];\n"
             " mov.u32 %%r1, %%tid.x;\n mul.wide.u32 %%d1, %%r1, 4;\n ld.param.u64 %%d2, [a];\n"
             " ld.param.u64 %%d3, [b];\n%s\n ret;\n}\n",
             statements);
    struct program p = program_open(text, build);
    uint64_t params[2] = {gmem_alloc(p.gmem, 100, NULL), gmem_alloc(p.gmem, 256, NULL)};
    assert_int_equal(params[0], 0x10000);
    assert_int_equal(params[1], 0x10200);
    struct run run = {"k", {2, 1, 1}, {40, 1, 1}, params, 0};
    int result = program_run(&p, &run, &fault, NULL);
    assert_int_equal(result, fault.raised ? -1 : 0);
    if (keep)
        *keep = p;
    else
        program_close(&p);
    return result ? fault.message : "";
}

static void bad_accesses(void **state)
{
    static const struct {
        const char *statements, *message;
    } table[] = {
        /* Global: behind, before, across the end, at zero, far away. */
        {"add.u64 %d4, %d2, %d1;\n ld.global.u32 %r2, [%d4];",
         "kernel 'k' pc 5 (line 13: ld.global.u32 %r2, [%d4]) lane 25 block (0,0,0) thread "
         "(25,0,0): "
         "address 0x10064 (4 bytes) is outside every buffer; nearest is [0x10000, 0x10064); "
         "mem.overrun=warn lets it pass"},
        {"add.u64 %d4, %d3, %d1;\n st.global.u32 [%d4+112], %r1;",
         "kernel 'k' pc 5 (line 13: st.global.u32 [%d4+112], %r1) lane 4 block (0,0,0) thread "
         "(36,0,0): "
         "address 0x10300 (4 bytes) is outside every buffer; nearest is [0x10200, 0x10300); "
         "gpu.outside=zero lets it pass"},
        {"ld.global.u8 %r2, [%d3+-1];",
         "lane 0 block (0,0,0) thread (0,0,0): address 0x101ff (1 bytes) is outside every buffer; "
         "nearest is [0x10200, 0x10300)"},
        {"ld.global.u64 %d4, [%d2+96];",
         "address 0x10060 (8 bytes) is outside every buffer; nearest is [0x10000, 0x10064)"},
        {"ld.global.u32 %r2, [%d2+96];\n ld.global.u64 %d4, [%d2+96];",
         "address 0x10060 (8 bytes) is outside every buffer; nearest is [0x10000, 0x10064)"},
        {"mov.u64 %d4, 0;\n ld.global.f32 %r2, [%d4];",
         "address 0x0 (4 bytes) is outside every buffer; nearest is [0x10000"},
        {"mov.u64 %d4, -8;\n ld.global.u64 %d5, [%d4];",
         "address 0xfffffffffffffff8 (8 bytes) is outside every buffer; nearest is "
         "[0x10200, 0x10300)"},
        {"ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%d3+256];",
         "address 0x10300 (16 bytes) is outside"},
        {"mov.u64 %d4, -8;\n ld.const.u64 %d5, [%d4];",
         "address 0xfffffffffffffff8 (8 bytes) is outside every buffer"},
        {"setp.gt.u32 %p1, %r1, 36;\n @%p1 mov.u64 %d2, 64;\n ld.global.u32 %r2, [%d2];",
         "lane 5 block (0,0,0) thread (37,0,0): address 0x40 (4 bytes) is outside every buffer"},
        {"mov.u32 %r3, %ctaid.x;\n setp.eq.u32 %p1, %r3, 1;\n @%p1 atom.global.add.u32 %r2, "
         "[%d2+100], 1;",
         "lane 0 block (1,0,0) thread (0,0,0): address 0x10064 (4 bytes) is outside every buffer"},
        {"red.global.add.u32 [%d2+100], 1;", "address 0x10064 (4 bytes) is outside every buffer"},
        /* Misaligned, also as a vector. */
        {"ld.global.u32 %r2, [%d2+2];",
         "lane 0 block (0,0,0) thread (0,0,0): address 0x10002 is not a multiple of 4"},
        {"ld.global.u16 %r2, [%d2+1];", "address 0x10001 is not a multiple of 2"},
        {"ld.global.u64 %d4, [%d2+4];", "address 0x10004 is not a multiple of 8"},
        {"ld.global.v2.u32 {%r2, %r3}, [%d2+4];", "address 0x10004 is not a multiple of 8"},
        {"st.global.v4.u32 [%d3+8], {%r1, %r1, %r1, %r1};",
         "address 0x10208 is not a multiple of 16"},
        {"st.shared.u32 [sh+1], %r1;", "address 0x1 is not a multiple of 4"},
        {"atom.global.add.u32 %r2, [%d2+2], 1;", "address 0x10002 is not a multiple of 4"},
        /* Shared, local. */
        {"mov.u32 %r2, sh;\n ld.shared.u32 %r3, [%r2+208];",
         "address 0xd0 (4 bytes) is outside the block's shared memory [0x0, 0xd0)"},
        {"mov.u32 %r2, sh;\n ld.shared.u32 %r3, [%r2+-4];",
         "address 0xfffffffc (4 bytes) is outside the block's shared memory"},
        {"mov.u64 %d4, sh;\n add.u64 %d4, %d4, %d1;\n st.shared.u32 [%d4+10000], %r1;",
         "lane 0 block (0,0,0) thread (0,0,0): address 0x2710 (4 bytes) is outside the block's "
         "shared memory"},
        {"ld.local.u32 %r3, [own+24];",
         "address 0x18 (4 bytes) is outside the thread's local memory [0x0, 0x18)"},
        {"mov.u64 %d4, own;\n st.local.u64 [%d4+-8], %d1;",
         "address 0xfffffffffffffff8 (8 bytes) is outside the thread's local memory"},
        /* Generic: outside of a window's memory, and lanes in two spaces. */
        {"cvta.shared.u64 %d4, 0;\n ld.u32 %r2, [%d4+208];",
         "address 0xd0 (4 bytes) is outside the block's shared memory"},
        {"cvta.local.u64 %d4, 0;\n ld.u32 %r2, [%d4+24];",
         "address 0x18 (4 bytes) is outside the thread's local memory"},
        {"ld.u32 %r2, [%d2+100];", "address 0x10064 (4 bytes) is outside every buffer"},
        {"cvta.local.u64 %d4, 0;\n atom.add.u32 %r2, [%d4+8], 1;",
         "lane 0 block (0,0,0) thread (0,0,0): generic address 0x200000000000008 is in local "
         "memory; expected global or shared memory"},
        {"cvta.local.u64 %d4, 0;\n red.add.u32 [%d4], 1;",
         "generic address 0x200000000000000 is in local memory"},
        {"cvta.shared.u64 %d4, 0;\n setp.eq.u32 %p1, %r1, 7;\n @%p1 mov.u64 %d2, %d4;\n ld.u32 "
         "%r2, [%d2];",
         "lane 7 block (0,0,0) thread (7,0,0): generic address 0x100000000000000 is in another "
         "space than lane 0's"},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        for (unsigned build = 0; build < exec_builds(); build++) {
            const char *message = run_statements(table[i].statements, build, NULL);
            if (!strstr(message, table[i].message))
                fail_msg("%s\ngives   %s\nexpected %s", table[i].statements, message,
                         table[i].message);
        }
}

/* What only inactive lanes would do is no fault; memory to its last byte is none. */
static void good_accesses(void **state)
{
    static const char *const table[] = {
        "setp.lt.u32 %p1, %r1, 25;\n add.u64 %d4, %d2, %d1;\n @%p1 ld.global.u32 %r2, [%d4];",
        "setp.gt.u32 %p1, %r1, 50;\n @%p1 ld.global.u32 %r2, [%d1];",
        "setp.gt.u32 %p1, %r1, 3;\n @%p1 mov.u64 %d2, 3;\n @!%p1 ld.global.u32 %r2, [%d2];",
        "setp.ne.u32 %p1, %r1, 7;\n @!%p1 cvta.shared.u64 %d2, 0;\n @%p1 ld.u32 %r2, [%d2];",
        "ld.global.u8 %r2, [%d2+99];",
        "ld.global.u32 %r2, [%d2+96];",
        "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%d3+240];",
        "ld.shared.u8 %r2, [sh+199];",
        "st.local.u64 [own+16], %d1;",
        "ld.local.u8 %r2, [own+23];",
    };
    (void)state;
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        for (unsigned build = 0; build < exec_builds(); build++)
            assert_string_equal(run_statements(table[i], build, NULL), "");
}

/* The good lanes of a bad store have stored, the bad ones nothing anywhere. */
static void bad_lanes_do_nothing(void **state)
{
    (void)state;
    struct program p;
    const char *message =
        run_statements("add.u64 %d4, %d2, %d1;\n add.u64 %d4, %d4, %d1;\n add.u32 %r1, %r1, 7;\n"
                       " st.global.u32 [%d4], %r1;",
                       exec_builds() - 1, &p);
    assert_non_null(strstr(message, "lane 13 "));
    const uint32_t *a = gmem_host(p.gmem, 0x10000, 100), *b = gmem_host(p.gmem, 0x10200, 256);
    for (uint32_t i = 0; i < 25; i++)
        assert_int_equal(a[i], i % 2 ? 0 : i / 2 + 7);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(b[i], 0);
    program_close(&p);
}

/* The same where the bad lane comes before all good ones. */
static void a_bad_lane_does_not_stop_others(void **state)
{
    (void)state;
    struct program p;
    const char *message = run_statements(
        "add.u64 %d4, %d3, %d1;\n setp.eq.u32 %p1, %r1, 0;\n @%p1 mov.u64 %d4, 0x40;\n"
        " st.global.u32 [%d4], %r1;",
        exec_builds() - 1, &p);
    assert_non_null(strstr(message, "lane 0 "));
    const uint32_t *b = gmem_host(p.gmem, 0x10200, 256);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(b[i], i < 32 ? i : 0);
    program_close(&p);
}

static void message_names_block_and_thread(void **state)
{
    static const char text[] =
        PTX_HEAD ".entry k()\n{\n .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %d<4>;\n mov.u32 "
                 "%r1, %tid.x;\n mov.u32 %r2, %tid.y;\n"
                 " mov.u32 %r3, %tid.z;\n mov.u32 %r4, %ctaid.y;\n setp.eq.u32 %p1, %r1, 4;\n "
                 "setp.eq.and.u32 %p1, %r2, 1, %p1;\n"
                 " setp.eq.and.u32 %p1, %r3, 3, %p1;\n setp.eq.and.u32 %p1, %r4, 2, %p1;\n @%p1 "
                 "ld.global.u32 %r5, [%d1];\n ret;\n}\n";
    (void)state;
    struct program p = program_open(text, exec_builds() - 1);
    struct run run = {"k", {2, 3, 4}, {5, 3, 4}, NULL, 0};
    struct exec_fault fault;
    assert_int_equal(program_run(&p, &run, &fault, NULL), -1);
    assert_string_equal(fault.message,
                        "kernel 'k' pc 8 (line 15: @%p1 ld.global.u32 %r5, [%d1]) lane 22 block "
                        "(0,2,0) thread (4,1,3): "
                        "address 0x0 (4 bytes) is outside every buffer; there is none; "
                        "gpu.outside=zero lets it pass");
    program_close(&p);
}

/* A buffer freed between two steps of a warp is gone, though the warp remembers where it was. */
static void memory_that_changes(void **state)
{
    static const char text[] = PTX_HEAD
        ".entry k(.param .u64 a)\n{\n .reg .b32 %r<9>; .reg .b64 %d<9>;\n ld.param.u64 %d1, [a];\n"
        " ld.global.u32 %r1, [%d1];\n ld.global.u32 %r2, [%d1];\n ret;\n}\n";
    (void)state;
    struct program p = program_open(text, exec_builds() - 1);
    const struct ptx_kernel *kernel = ptx_kernel(p.module, "k");
    uint64_t a = gmem_alloc(p.gmem, 64, NULL), b = gmem_alloc(p.gmem, 64, NULL);
    struct exec_launch launch = {kernel, p.gmem, (const uint8_t *)&a, {1, 1, 1}, {32, 1, 1}, {0},
                                 1,      0,      0};
    struct exec_block block = {.launch = &launch};
    struct exec_fault fault = {0};
    struct exec_access access;
    struct exec_warp w = {.regs = aligned_alloc(64, exec_warp_bytes(kernel))};
    assert_non_null(w.regs);
    exec_warp_start(&w, &block, 0, &fault);
    assert_int_equal(exec_step(&w, &access), EXEC_NEXT);
    assert_int_equal(exec_step(&w, &access), EXEC_NEXT);
    assert_int_equal(gmem_free(p.gmem, a), 0);
    assert_int_equal(exec_step(&w, &access), EXEC_FAULT);
    char nearest[64];
    snprintf(nearest, sizeof nearest, "nearest is [0x%llx, ", (unsigned long long)b);
    assert_non_null(strstr(fault.message, nearest));
    exec_warp_free(&w);
    free(w.regs);
    program_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_accesses),
        cmocka_unit_test(good_accesses),
        cmocka_unit_test(bad_lanes_do_nothing),
        cmocka_unit_test(a_bad_lane_does_not_stop_others),
        cmocka_unit_test(message_names_block_and_thread),
        cmocka_unit_test(memory_that_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
