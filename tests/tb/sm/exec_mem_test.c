/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/sm/exec_mem_test.c: tests tb/sm/exec_mem.c: types, vectors, spaces, lanes in several
 * buffers, and what an access reports. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/sm/exec_support.h"

#define LOADS(X)                                                                                   \
    X(u8_h, "ld.global.u8 %h0, [%d5]", h, I64, ONE, ONE, ONE, (uint8_t)a)                          \
    X(s8_h, "ld.global.s8 %h0, [%d5]", h, I64, ONE, ONE, ONE, (int8_t)a)                           \
    X(b8_h, "ld.global.b8 %h0, [%d5+1]", h, I64, ONE, ONE, ONE, (uint8_t)(a >> 8))                 \
    X(u16_h, "ld.global.u16 %h0, [%d5+2]", h, I64, ONE, ONE, ONE, a >> 16)                         \
    X(s16_h, "ld.global.s16 %h0, [%d5]", h, I64, ONE, ONE, ONE, a)                                 \
    X(b16_h, "ld.global.b16 %h0, [%d5]", h, I64, ONE, ONE, ONE, a)                                 \
    X(u8_r, "ld.global.u8 %r0, [%d5]", r, I64, ONE, ONE, ONE, (uint8_t)a)                          \
    X(s8_r, "ld.global.s8 %r0, [%d5+7]", r, I64, ONE, ONE, ONE, (int8_t)(a >> 56))                 \
    X(u16_r, "ld.global.u16 %r0, [%d5+6]", r, I64, ONE, ONE, ONE, a >> 48)                         \
    X(s16_r, "ld.global.s16 %r0, [%d5]", r, I64, ONE, ONE, ONE, (int16_t)a)                        \
    X(u32_r, "ld.global.u32 %r0, [%d5+4]", r, I64, ONE, ONE, ONE, a >> 32)                         \
    X(s32_r, "ld.global.s32 %r0, [%d5]", r, I64, ONE, ONE, ONE, a)                                 \
    X(f32_f, "ld.global.f32 %f0, [%d5]", f, F32, ONE, ONE, ONE, a)                                 \
    X(u8_d, "ld.global.u8 %d0, [%d5]", d, I64, ONE, ONE, ONE, (uint8_t)a)                          \
    X(s8_d, "ld.global.s8 %d0, [%d5]", d, I64, ONE, ONE, ONE, (int8_t)a)                           \
    X(u16_d, "ld.global.u16 %d0, [%d5]", d, I64, ONE, ONE, ONE, (uint16_t)a)                       \
    X(s16_d, "ld.global.s16 %d0, [%d5]", d, I64, ONE, ONE, ONE, (int16_t)a)                        \
    X(u32_d, "ld.global.u32 %d0, [%d5]", d, I64, ONE, ONE, ONE, (uint32_t)a)                       \
    X(s32_d, "ld.global.s32 %d0, [%d5]", d, I64, ONE, ONE, ONE, (int32_t)a)                        \
    X(u64_d, "ld.global.u64 %d0, [%d5]", d, I64, ONE, ONE, ONE, a)                                 \
    X(s64_d, "ld.global.s64 %d0, [%d5+8]", d, ONE, I64, ONE, ONE, b)                               \
    X(f64_g, "ld.global.f64 %g0, [%d5]", g, F64, ONE, ONE, ONE, a)                                 \
    X(generic, "ld.u32 %r0, [%d5]", r, I64, ONE, ONE, ONE, a)                                      \
    X(nc, "ld.global.nc.f32 %f0, [%d5]", f, F32, ONE, ONE, ONE, a)                                 \
    X(is_volatile, "ld.volatile.global.u32 %r0, [%d5]", r, I64, ONE, ONE, ONE, a)                  \
    X(v2_first, "ld.global.v2.u32 {%r0, %r8}, [%d5+8]", r, ONE, I64, ONE, ONE, b)                  \
    X(v2_second, "ld.global.v2.u32 {%r8, %r0}, [%d5+8]", r, ONE, I64, ONE, ONE, b >> 32)           \
    X(v2_64, "ld.global.v2.u64 {%d8, %d0}, [%d5+16]", d, ONE, ONE, ONE, I64, e)                    \
    X(v2_8, "ld.global.v2.s8 {%h8, %h0}, [%d5+4]", h, I64, ONE, ONE, ONE, (int8_t)(a >> 40))       \
    X(v4_third, "ld.global.v4.f32 {%f5, %f6, %f0, %f7}, [%d5]", f, ONE, F32, ONE, ONE, b)          \
    X(v4_fourth, "ld.global.v4.u16 {%h5, %h6, %h7, %h0}, [%d5]", h, I64, ONE, ONE, ONE, a >> 48)   \
    X(v2_unused, "ld.global.v2.u32 {_, %r0}, [%d5]", r, I64, ONE, ONE, ONE, a >> 32)

#define LOW(bits) (OLD & ~((1ull << bits) - 1))
#define STORES(X)                                                                                  \
    X(st_u8_h, "st.global.u8 [%d6], %h1", m, I64, ONE, ONE, ONE, LOW(8) | (uint8_t)a)              \
    X(st_b8_r, "st.global.b8 [%d6], %r1", m, I64, ONE, ONE, ONE, LOW(8) | (uint8_t)a)              \
    X(st_s8_d, "st.global.s8 [%d6], %d1", m, I64, ONE, ONE, ONE, LOW(8) | (uint8_t)a)              \
    X(st_u16_h, "st.global.u16 [%d6], %h1", m, I64, ONE, ONE, ONE, LOW(16) | (uint16_t)a)          \
    X(st_u16_r, "st.global.u16 [%d6], %r1", m, I64, ONE, ONE, ONE, LOW(16) | (uint16_t)a)          \
    X(st_s16_d, "st.global.s16 [%d6], %d1", m, I64, ONE, ONE, ONE, LOW(16) | (uint16_t)a)          \
    X(st_u32_r, "st.global.u32 [%d6], %r1", m, I64, ONE, ONE, ONE, LOW(32) | (uint32_t)a)          \
    X(st_s32_d, "st.global.s32 [%d6], %d1", m, I64, ONE, ONE, ONE, LOW(32) | (uint32_t)a)          \
    X(st_f32_f, "st.global.f32 [%d6], %f1", m, F32, ONE, ONE, ONE, LOW(32) | (uint32_t)a)          \
    X(st_u64_d, "st.global.u64 [%d6], %d1", m, I64, ONE, ONE, ONE, a)                              \
    X(st_f64_g, "st.global.f64 [%d6], %g1", m, F64, ONE, ONE, ONE, a)                              \
    X(st_middle, "st.global.u8 [%d6+3], %r1", m, I64, ONE, ONE, ONE,                               \
      (OLD & ~0xff000000ull) | (a & 0xff) << 24)                                                   \
    X(st_constant, "st.global.u32 [%d6], -2", m, ONE, ONE, ONE, ONE, LOW(32) | 0xfffffffe)         \
    X(st_zero, "st.global.f64 [%d6], 0d3FF0000000000000", m, ONE, ONE, ONE, ONE,                   \
      0x3ff0000000000000)                                                                          \
    X(st_generic, "st.u64 [%d6], %d1", m, I64, ONE, ONE, ONE, a)                                   \
    X(st_v2, "st.global.v2.u32 [%d6], {%r1, %r2}", m, I64, I64, ONE, ONE, (uint32_t)a | b << 32)   \
    X(st_v2_f32, "st.global.v2.f32 [%d6], {%f1, 0f3F800000}", m, F32, ONE, ONE, ONE,               \
      (uint32_t)a | 0x3f800000ull << 32)                                                           \
    X(st_v4, "st.global.v4.u16 [%d6], {%h1, %h2, %h3, %h4}", m, I16, I16, I16, BITS,               \
      (uint16_t)a | (uint64_t)(uint16_t)b << 16 | (uint64_t)(uint16_t)c << 32 | e << 48)

CHECK_TABLE(LOADS)
CHECK_TABLE(STORES)

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

/* Of lanes that store to one address the highest wins. */
static void same_address(void **state)
{
    static const char text[] = PTX_HEAD
        ".entry k(.param .u64 a)\n{\n .reg .b32 %r<9>; .reg .b64 %d<9>;\n mov.u32 %r1, %laneid;\n"
        " ld.param.u64 %d1, [a];\n st.global.u32 [%d1], %r1;\n ret;\n}\n";
    (void)state;
    struct program p = program_open(text, exec_builds() - 1);
    uint64_t a = gmem_alloc(p.gmem, 4, NULL);
    struct run run = {"k", {1, 1, 1}, {29, 1, 1}, &a, 0};
    assert_int_equal(program_run(&p, &run, NULL, NULL), 0);
    assert_int_equal(*(uint32_t *)gmem_host(p.gmem, a, 4), 28);
    program_close(&p);
}

/* What exec_step tells the timing model. */
static void reported_accesses(void **state)
{
    static const struct {
        const char *statement;
        uint8_t space, is_store, is_atomic, bytes;
        uint32_t mask;
        uint64_t base, stride;
    } table[] = {
        {"ld.global.u32 %r2, [%d4+8];", SPACE_GLOBAL, 0, 0, 4, ~0u, 0x10008, 8},
        {"ld.global.v2.u32 {%r2, %r3}, [%d4];", SPACE_GLOBAL, 0, 0, 8, ~0u, 0x10000, 8},
        {"@%p1 ld.global.s8 %r2, [%d4+3];", SPACE_GLOBAL, 0, 0, 1, 0xff0, 0x10003, 8},
        {"@!%p1 st.global.u64 [%d4], %d1;", SPACE_GLOBAL, 1, 0, 8, 0xfffff00f, 0x10000, 8},
        {"ld.u32 %r2, [%d4];", SPACE_GLOBAL, 0, 0, 4, ~0u, 0x10000, 8},
        {"ld.u32 %r2, [%d5+4];", SPACE_SHARED, 0, 0, 4, ~0u, 4, 8},
        {"st.shared.u16 [%r4], %r1;", SPACE_SHARED, 1, 0, 2, ~0u, 0, 8},
        {"atom.global.add.u32 %r2, [%d4], 1;", SPACE_GLOBAL, 0, 1, 4, ~0u, 0x10000, 8},
        {"@%p1 red.shared.add.u32 [%r4+4], 1;", SPACE_SHARED, 0, 1, 4, 0xff0, 4, 8},
        {"st.local.u32 [own+4], %r1;", SPACE_LOCAL, 1, 0, 4, ~0u, 4, 0},
        {"ld.param.u64 %d6, [a];", SPACE_PARAM, 0, 0, 8, ~0u, 0, 0},
        {"ld.const.u32 %r2, [%d4];", SPACE_CONST, 0, 0, 4, ~0u, 0x10000, 8},
        {"@%p2 ld.global.u32 %r2, [%d4];", SPACE_GLOBAL, 0, 0, 4, 0, 0, 0},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        char text[2048];
        snprintf(
            text, sizeof text,
            PTX_HEAD
            ".entry k(.param .u64 a)\n{\n .reg .pred %%p<9>; .reg .b32 %%r<9>; .reg .b64 %%d<9>;\n"
            " .shared .align 8 .b8 sh[256]; .local .align 8 .b8 own[24];\n"
            " mov.u32 %%r1, %%laneid;\n setp.lt.u32 %%p2, %%r1, 4;\n setp.lt.u32 %%p1, %%r1, 12;\n "
            "not.pred %%p2, %%p2;\n"
            " and.pred %%p1, %%p1, %%p2;\n setp.gt.u32 %%p2, %%r1, 99;\n shl.b32 %%r4, %%r1, 3;\n "
            "cvt.u64.u32 %%d1, %%r4;\n"
            " add.u64 %%d4, %%d1, 0x10000;\n cvta.shared.u64 %%d5, %%d1;\n %s\n ret;\n}\n",
            table[i].statement);
        struct program p = program_open(text, exec_builds() - 1);
        const struct ptx_kernel *kernel = ptx_kernel(p.module, "k");
        uint64_t a = gmem_alloc(p.gmem, 512, NULL);
        static _Alignas(16) uint8_t shared[256], local[32 * 24];
        struct exec_launch launch = {
            kernel, p.gmem, (const uint8_t *)&a, {1, 1, 1}, {32, 1, 1}, {0}, 1, 256};
        struct exec_block block = {.launch = &launch, .shared = shared};
        struct exec_fault fault = {0};
        struct exec_access access;
        struct exec_warp w = {.regs = aligned_alloc(64, exec_warp_bytes(kernel)), .local = local};
        assert_non_null(w.regs);
        assert_in_range(exec_local_bytes(kernel), 0, sizeof local);
        exec_warp_start(&w, &block, 0, &fault);
        for (int n = 0; n < 10; n++)
            assert_int_equal(exec_step(&w, &access), EXEC_NEXT);
        memset(&access, 0xee, sizeof access);
        assert_int_equal(exec_step(&w, &access), EXEC_NEXT);
        assert_int_equal(access.mask, table[i].mask);
        if (access.mask) {
            assert_int_equal(access.space, table[i].space);
            assert_int_equal(access.is_store, table[i].is_store);
            assert_int_equal(access.is_atomic, table[i].is_atomic);
            assert_int_equal(access.bytes, table[i].bytes);
        }
        for (uint32_t lane = 0; lane < 32; lane++)
            if (access.mask >> lane & 1)
                assert_int_equal(access.address[lane], table[i].base + table[i].stride * lane);
        free(w.regs);
        program_close(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(LOADS_test),
        cmocka_unit_test(STORES_test),
        cmocka_unit_test(spaces),
        cmocka_unit_test(same_address),
        cmocka_unit_test(lanes_in_many_buffers),
        cmocka_unit_test(reported_accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
