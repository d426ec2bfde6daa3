/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/wide_test.c: values of 128 bits, which are two of 64: loaded, stored, moved; their parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"

enum { THREADS = 64, VALUES = 4 };

/* Each thread reads 16 bytes in every way, and writes them, halves exchanged, and with another one. */
static void values_of_128_bits(void **state)
{
    struct program p = program_open(
        PTX_HEAD
        ".entry k(.param .u64 a, .param .u64 b, .param .align 16 .b8 c[16])\n{\n"
        ".reg .b128 %q<4>, wide; .reg .b64 %d<9>; .reg .b32 %r<3>;\n"
        ".shared .align 16 .b8 s[1024]; .local .align 16 .b8 l[16];\n"
        "mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 16; ld.param.u64 %d2, [a];\n"
        "add.u64 %d2, %d2, %d1; ld.param.u64 %d3, [b]; mad.wide.u32 %d3, %r1, 64, %d3;\n"
        "ld.relaxed.gpu.global.b128 wide, [%d2]; mov.b128 %q1, wide;\n"
        "st.global.b128 [%d3], %q1; mov.b128 {%d4, %d5}, %q1; mov.b128 %q2, {%d5, %d4};\n"
        "mov.u64 %d6, s; add.u64 %d6, %d6, %d1; st.shared.b128 [%d6], %q2;\n"
        "ld.volatile.shared.b128 %q3, [%d6]; st.local.b128 [l], %q3; ld.local.b128 %q1, [l];\n"
        "st.b128 [%d3+16], %q1; ld.param.b128 %q2, [c]; st.release.gpu.b128 [%d3+32], %q2;\n"
        "mov.b128 {_, %d4}, %q2; mov.b128 %q0, {7, %d4}; st.b128 [%d3+48], %q0; ret;\n}\n",
        exec_builds() - 1);
    struct {
        uint64_t a, b, c[2];
    } params = {gmem_alloc(p.gmem, 16 * THREADS, NULL),
                gmem_alloc(p.gmem, 16 * VALUES * THREADS, NULL),
                {UINT64_C(0x1122334455667788), UINT64_C(0x99aabbccddeeff00)}};
    uint64_t(*in)[2] = gmem_host(p.gmem, params.a, 16 * THREADS);
    uint64_t(*out)[VALUES][2] = gmem_host(p.gmem, params.b, 16 * VALUES * THREADS);
    (void)state;
    for (uint64_t t = 0; t < THREADS; t++) {
        in[t][0] = t * UINT64_C(0x9e3779b97f4a7c15);
        in[t][1] = ~in[t][0] / 3;
    }
    const struct run run = {"k", {1, 1, 1}, {THREADS, 1, 1}, &params, 0};
    struct exec_fault fault;
    if (program_run(&p, &run, &fault, NULL) != 0)
        fail_msg("%s", fault.message);
    for (int t = 0; t < THREADS; t++) {
        const uint64_t expected[VALUES][2] = {{in[t][0], in[t][1]},
                                              {in[t][1], in[t][0]},
                                              {params.c[0], params.c[1]},
                                              {7, params.c[1]}};
        assert_memory_equal(out[t], expected, sizeof expected);
    }
    program_close(&p);
}

/* What is not two halves: four words, numbers, loads and stores of what is narrower, with and without a guard; and
 * variables, of which each value is one of 128 bits. */
enum { PARTS = 12 };

static void parts_of_128_bits(void **state)
{
    struct program p = program_open(
        PTX_HEAD
        ".global .b128 g[] = {5, -1}; .const .b128 c = 0x123456789abcdef0;\n"
        ".func (.param .b128 r) f(.param .b128 x)\n{\n.reg .b128 %q; ld.param.b128 %q, [x];\n"
        "st.param.b128 [r], %q; ret;\n}\n"
        ".entry k(.param .u64 a, .param .u64 b)\n{\n"
        ".reg .b128 %q<4>; .reg .b64 %d<9>; .reg .b32 %r<9>; .reg .pred %p;\n"
        ".shared .b128 s[64]; .local .b128 l; .param .b128 x; .param .b128 y;\n"
        "mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 16; ld.param.u64 %d2, [a];\n"
        "add.u64 %d2, %d2, %d1; ld.param.u64 %d3, [b]; mad.wide.u32 %d3, %r1, 192, %d3;\n"
        "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%d2]; ld.global.b128 %q1, [%d2];\n"
        "mov.b128 %q2, {%r5, %r4, %r3, 9}; st.global.b128 [%d3], %q2;\n"
        "mov.u32 %r3, 77; mov.b128 {%r2, _, %r4, %r5}, %q1;\n"
        "st.global.v4.u32 [%d3+16], {%r4, %r3, %r5, %r2};\n"
        "mov.b128 %q2, -3; st.global.b128 [%d3+32], %q2; st.global.b128 [%d3+48], 7;\n"
        "ld.global.s16 %q2, [%d2+8]; st.global.b128 [%d3+64], %q2;\n"
        "ld.global.u8 %q2, [%d2+8]; st.global.b128 [%d3+80], %q2;\n"
        "ld.global.f32 %q2, [%d2+8]; st.global.b128 [%d3+96], %q2;\n"
        "and.b32 %r6, %r1, 1; setp.eq.u32 %p, %r6, 1; mov.b128 %q2, %q1;\n"
        "@%p ld.global.s64 %q2, [%d2+8]; @!%p mov.b128 %q2, {%r2, %r3, %r2, %r4};\n"
        "st.global.b128 [%d3+112], %q2; st.global.b16 [%d3+128], %q1;\n"
        "ld.const.b128 %q2, [c]; st.shared.b128 [s+16], %q2; ld.shared.b128 %q2, [s+16];\n"
        "st.global.b128 [%d3+144], %q2; ld.global.b128 %q2, [g+16]; st.local.b128 [l], %q2;\n"
        "ld.local.b128 %q2, [l]; st.global.b128 [%d3+160], %q2; st.param.b128 [x], %q1;\n"
        "call (y), f, (x); ld.param.b128 %q2, [y]; st.global.b128 [%d3+176], %q2; ret;\n}\n",
        exec_builds() - 1);
    uint64_t params[2] = {gmem_alloc(p.gmem, 16 * THREADS, NULL),
                          gmem_alloc(p.gmem, 16 * PARTS * THREADS, NULL)};
    uint32_t(*in)[4] = gmem_host(p.gmem, params[0], 16 * THREADS);
    uint32_t(*out)[PARTS][4] = gmem_host(p.gmem, params[1], 16 * PARTS * THREADS);
    (void)state;
    for (uint32_t t = 0; t < THREADS; t++)
        for (uint32_t i = 0; i < 4; i++)
            in[t][i] = (4 * t + i + 1) * 2654435769u;
    memset(out, 0x5a, 16 * PARTS * THREADS);
    const struct run run = {"k", {1, 1, 1}, {THREADS, 1, 1}, params, 0};
    struct exec_fault fault;
    if (program_run(&p, &run, &fault, NULL) != 0)
        fail_msg("%s", fault.message);
    for (uint32_t t = 0; t < THREADS; t++) {
        const uint32_t *w = in[t], half = (uint32_t)(int16_t)w[2], sign = -(half >> 31);
        const uint32_t high = -(w[3] >> 31), old = 0x5a5a5a5a;
        const uint32_t expected[PARTS][4] = {
            {w[3], w[2], w[1], 9},
            {w[2], 77, w[3], w[0]},
            {-3u, -1u, 0, 0},
            {7, 0, 0, 0},
            {half, sign, sign, sign},
            {w[2] & 0xff, 0, 0, 0},
            {w[2], 0, 0, 0},
            {t & 1 ? w[2] : w[0], t & 1 ? w[3] : 77, t & 1 ? high : w[0], t & 1 ? high : w[2]},
            {(old & 0xffff0000) | (w[0] & 0xffff), old, old, old},
            {0x9abcdef0, 0x12345678, 0, 0},
            {-1u, -1u, 0, 0},
            {w[0], w[1], w[2], w[3]}};
        assert_memory_equal(out[t], expected, sizeof expected);
    }
    program_close(&p);
}

/* One access of 16 bytes, not two. */
static void one_access(void **state)
{
    struct stepped s;
    (void)state;
    step_open(&s,
              ".reg .b128 q; mov.u32 %r1, %laneid; ld.param.u64 %d1, [a];\n"
              "mad.wide.u32 %d1, %r1, 16, %d1; ld.global.b128 q, [%d1]; ret;",
              WARP_LANES);
    s.params[0] = gmem_alloc(s.program.gmem, 16 * WARP_LANES, NULL);
    for (int n = 0; n < 4; n++)
        assert_int_equal(step_once(&s), EXEC_NEXT);
    assert_int_equal(s.access.bytes, 16);
    assert_int_equal(s.access.mask, ~0u);
    for (uint64_t lane = 0; lane < WARP_LANES; lane++)
        assert_int_equal(s.access.address[lane], s.params[0] + 16 * lane);
    assert_int_equal(step_once(&s), EXEC_DONE);
    step_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_128_bits),
        cmocka_unit_test(parts_of_128_bits),
        cmocka_unit_test(one_access),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
