/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/mem_test.c: tests tb/exec/mem.c: variables of all spaces, lanes in several
 * buffers. The instructions are in op/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"

/* Thread t stores t's value so that thread 63 - t, its mirror image, loads it: through each space
 * but .local, where every thread has its own bytes. */
static void spaces(void **state)
{
    static const char text[] = PTX_HEAD
        ".const .align 8 .u32 squares[64] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, "
        "169, 196, 225};\n"
        ".global .align 8 .b8 scratch[256];\n"
        ".entry k(.param .u64 out, .param .u32 x, .param .align 8 .b8 struct[16])\n{\n"
        " .reg .b32 %r<20>; .reg .b64 %d<20>;\n .shared .align 8 .b8 sh[256];\n .local .align 8 "
        ".b8 own[32];\n"
        " mov.u32 %r1, %tid.x;\n sub.u32 %r2, 63, %r1;\n mad.lo.u32 %r3, %r1, %r1, 1000;\n shl.b32 "
        "%r4, %r1, 2;\n"
        " shl.b32 %r5, %r2, 2;\n cvt.u64.u32 %d4, %r4;\n cvt.u64.u32 %d5, %r5;\n"
        " ld.param.u64 %d0, [out];\n mad.wide.u32 %d0, %r1, 48, %d0;\n"
        /* 0: shared by 32-bit address, 4: by 64-bit address, 8: generic */
        " mov.u32 %r6, sh;\n add.u32 %r7, %r6, %r4;\n st.shared.u32 [%r7], %r3;\n bar.sync 0;\n "
        "add.u32 %r8, %r6, %r5;\n"
        " ld.shared.u32 %r9, [%r8];\n st.global.u32 [%d0], %r9;\n"
        " mov.u64 %d1, sh;\n add.u64 %d2, %d1, %d5;\n ld.shared.u32 %r9, [%d2];\n st.global.u32 "
        "[%d0+4], %r9;\n"
        " cvta.shared.u64 %d3, %d2;\n ld.u32 %r9, [%d3];\n st.global.u32 [%d0+8], %r9;\n"
        /* 12: local, 16: local through a generic address */
        " mov.u64 %d6, own;\n st.local.u32 [%d6+8], %r3;\n add.u32 %r10, %r3, 1;\n st.local.u32 "
        "[own+28], %r10;\n"
        " ld.local.u32 %r9, [%d6+8];\n st.global.u32 [%d0+12], %r9;\n"
        " cvta.local.u64 %d7, %d6;\n ld.u32 %r9, [%d7+28];\n st.global.u32 [%d0+16], %r9;\n"
        /* 20: const, 24: module variable, 28..: parameters */
        " mov.u64 %d8, squares;\n add.u64 %d8, %d8, %d4;\n ld.const.u32 %r9, [%d8];\n "
        "st.global.u32 [%d0+20], %r9;\n"
        " mov.u64 %d9, scratch;\n add.u64 %d10, %d9, %d4;\n st.global.u32 [%d10], %r3;\n bar.sync "
        "0;\n add.u64 %d10, %d9, %d5;\n"
        " ld.global.u32 %r9, [%d10];\n st.global.u32 [%d0+24], %r9;\n"
        " ld.param.u32 %r9, [x];\n st.global.u32 [%d0+28], %r9;\n ld.param.u8 %r9, [struct+9];\n "
        "st.global.u32 [%d0+32], %r9;\n"
        " ld.param.v2.u32 {%r9, %r10}, [struct];\n st.global.v2.u32 [%d0+40], {%r9, %r10};\n "
        "ret;\n}\n";
    (void)state;
    for (unsigned build = 0; build < exec_builds(); build++) {
        struct program p = program_open(text, build);
        struct {
            uint64_t out;
            uint32_t x, pad;
            uint8_t bytes[16];
        } params = {
            gmem_alloc(p.gmem, 64 * 48, NULL), 0xabcdef01, 0, {1, 2, 3, 4, 5, 6, 7, 8, 9, 0xfe}};
        struct run run = {"k", {1, 1, 1}, {64, 1, 1}, &params, 0};
        struct exec_fault fault;
        if (program_run(&p, &run, &fault, NULL) != 0)
            fail_msg("%s", fault.message);
        const uint32_t *out = gmem_host(p.gmem, params.out, 64 * 48);
        for (uint32_t t = 0; t < 64; t++, out += 12) {
            const uint32_t own = t * t + 1000, mirror = (63 - t) * (63 - t) + 1000;
            const uint32_t expected[12] = {
                mirror, mirror,     mirror, own, own + 1,    t < 16 ? t * t : 0,
                mirror, 0xabcdef01, 0xfe,   0,   0x04030201, 0x08070605};
            for (int i = 0; i < 12; i++)
                assert_int_equal(out[i], expected[i]);
        }
        program_close(&p);
    }
}

/* One load whose lanes lie in five buffers, and one store to them. */
static void lanes_in_many_buffers(void **state)
{
    static const char text[] =
        PTX_HEAD ".entry k(.param .u64 in, .param .u64 out)\n{\n .reg .b32 %r<9>; .reg .b64 "
                 "%d<9>;\n mov.u32 %r1, %laneid;\n"
                 " ld.param.u64 %d1, [in];\n mad.wide.u32 %d1, %r1, 8, %d1;\n ld.global.u64 %d2, "
                 "[%d1];\n ld.global.u32 %r2, [%d2];\n"
                 " add.u32 %r2, %r2, 5;\n st.global.u32 [%d2], %r2;\n ld.param.u64 %d3, [out];\n "
                 "mad.wide.u32 %d3, %r1, 4, %d3;\n"
                 " st.global.u32 [%d3], %r2;\n ret;\n}\n";
    (void)state;
    for (unsigned build = 0; build < exec_builds(); build++) {
        struct program p = program_open(text, build);
        uint64_t params[2] = {gmem_alloc(p.gmem, 256, NULL), gmem_alloc(p.gmem, 128, NULL)},
                 buffers[5];
        for (uint32_t i = 0; i < 5; i++) {
            buffers[i] = gmem_alloc(p.gmem, 128, NULL);
            for (uint32_t k = 0; k < 32; k++)
                ((uint32_t *)gmem_host(p.gmem, buffers[i], 128))[k] = 100 * i + k;
        }
        for (uint32_t lane = 0; lane < 32; lane++)
            ((uint64_t *)gmem_host(p.gmem, params[0], 256))[lane] =
                buffers[lane * 7 % 5] + 4 * lane;
        struct run run = {"k", {1, 1, 1}, {32, 1, 1}, params, 0};
        assert_int_equal(program_run(&p, &run, NULL, NULL), 0);
        for (uint32_t lane = 0; lane < 32; lane++) {
            uint32_t expected = 100 * (lane * 7 % 5) + lane + 5;
            assert_int_equal(((uint32_t *)gmem_host(p.gmem, params[1], 128))[lane], expected);
            for (uint32_t i = 0; i < 5; i++)
                assert_int_equal(((uint32_t *)gmem_host(p.gmem, buffers[i], 128))[lane],
                                 100 * i + lane + (lane * 7 % 5 == i ? 5 : 0));
        }
        program_close(&p);
    }
}

/* Generic addresses around the module's variables: bit 0 of a result: .const, bit 1: .global. */
static void constants_among_global_memory(void **state)
{
    static const char text[] = PTX_HEAD
        ".const .b8 first[12];\n.global .b8 between[16];\n.const .u64 second = 5;\n"
        ".entry k(.param .u64 in, .param .u64 out)\n{\n .reg .b32 %r<9>; .reg .b64 %d<9>; .reg "
        ".pred %p<9>;\n mov.u32 %r1, %laneid;\n ld.param.u64 %d1, [in];\n"
        " mad.wide.u32 %d1, %r1, 8, %d1;\n ld.global.u64 %d2, [%d1];\n"
        " isspacep.const %p1, %d2;\n isspacep.global %p2, %d2;\n selp.u32 %r2, 1, 0, %p1;\n"
        " @%p2 or.b32 %r2, %r2, 2;\n ld.param.u64 %d3, [out];\n"
        " mad.wide.u32 %d3, %r1, 4, %d3;\n st.global.u32 [%d3], %r2;\n ret;\n}\n";
    (void)state;
    for (unsigned build = 0; build < exec_builds(); build++) {
        struct program p = program_open(text, build);
        const struct ptx_var *vars = p.module->vars;
        const uint64_t params[2] = {gmem_alloc(p.gmem, 256, NULL), gmem_alloc(p.gmem, 128, NULL)};
        const struct {
            uint64_t address;
            uint32_t expected;
        } table[] = {
            {vars[0].address - 1, 2},
            {vars[0].address, 1},
            {vars[0].address + 11, 1},
            {vars[0].address + 12, 2},
            {vars[1].address, 2},
            {vars[2].address, 1},
            {vars[2].address + 7, 1},
            {vars[2].address + 8, 2},
            {params[0], 2},
            {0, 2},
            {GENERIC_SHARED_BASE, 0},
            {GENERIC_LOCAL_BASE + GENERIC_WINDOW - 1, 0},
            {UINT64_MAX, 2},
        };
        const uint32_t count = sizeof table / sizeof *table;
        for (uint32_t lane = 0; lane < count; lane++)
            ((uint64_t *)gmem_host(p.gmem, params[0], 256))[lane] = table[lane].address;
        const struct run run = {"k", {1, 1, 1}, {count, 1, 1}, params, 0};
        assert_int_equal(program_run(&p, &run, NULL, NULL), 0);
        for (uint32_t lane = 0; lane < count; lane++)
            assert_int_equal(((uint32_t *)gmem_host(p.gmem, params[1], 128))[lane],
                             table[lane].expected);
        program_close(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spaces),
        cmocka_unit_test(lanes_in_many_buffers),
        cmocka_unit_test(constants_among_global_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
