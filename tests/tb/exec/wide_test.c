/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/wide_test.c: values of 128 bits, which are two of 64: loaded, stored, moved. */
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
        cmocka_unit_test(one_access),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
