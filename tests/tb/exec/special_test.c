/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/special_test.c: special registers that are read when a mov of them is executed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"

static uint64_t wide(const struct stepped *s, uint32_t index, int lane)
{
    return ((const uint64_t *)written(s, index))[lane];
}

static void values(void **unused)
{
    (void)unused;
    struct stepped s;
    enum exec_status status;
    step_open(&s,
              ".reg .b16 %h<4>; .shared .b8 sh[40]; mov.u32 %r10, sh;\n"
              "mov.u32 %r0, %clock; mov.u32 %r1, %clock_hi; mov.u64 %d0, %clock64;\n"
              "mov.u64 %d1, %globaltimer; mov.u32 %r2, %globaltimer_lo;\n"
              "mov.u32 %r3, %globaltimer_hi; mov.u32 %r4, %smid; mov.u32 %r5, %nsmid;\n"
              "mov.u64 %d2, %gridid; mov.u32 %r6, %gridid; mov.u16 %h1, %gridid;\n"
              "mov.u32 %r7, %total_smem_size; mov.u32 %r8, %dynamic_smem_size;\n"
              "mov.b32 %r9, %envreg4; mov.u32 %r9, %envreg31; mov.u32 %r9, %tid.w; ret;",
              20);
    uint64_t clock = 0x500000000 + 1400000;
    const struct exec_sm sm = {&clock, &exec_one_clock, 5, 15, 1400};
    s.block.sm = &sm;
    s.launch.shared_bytes = 48 + 100;
    s.launch.number = 0x100000002;
    exec_warp_start(&s.warp, &s.block, 0, &s.fault);
    step_to_end(&s, &status);
    assert_int_equal(status, EXEC_DONE);
    assert_int_equal(written(&s, 1)[19], 1400000);
    assert_int_equal(written(&s, 2)[0], 5);
    assert_true(wide(&s, 3, 7) == clock);
    assert_true(wide(&s, 4, 19) == clock * 5 / 7);
    assert_int_equal(written(&s, 5)[3], (uint32_t)(clock * 5 / 7));
    assert_int_equal(written(&s, 6)[3], clock * 5 / 7 >> 32);
    assert_int_equal(written(&s, 7)[0], 5);
    assert_int_equal(written(&s, 8)[0], 15);
    assert_true(wide(&s, 9, 0) == 0x100000002);
    assert_int_equal(written(&s, 10)[0], 2);
    assert_int_equal(written(&s, 11)[0], 2);
    assert_int_equal(written(&s, 12)[0], 148);
    assert_int_equal(written(&s, 13)[0], 148 - 40);
    assert_int_equal(written(&s, 16)[0], 0);
    assert_int_equal(written(&s, 1)[20], 0); /* no thread */
    step_close(&s);
}

/* PTX 1.x had geometry in 16 bits: the lower half is read, and the upper one of the register stays
 * clear. */
static void sixteen_bits(void **unused)
{
    (void)unused;
    struct stepped s;
    enum exec_status status;
    step_open(&s,
              ".reg .u16 %h<4>; mov.u16 %h1, %ctaid.x; mov.b16 %h2, %tid.x; cvt.u32.u16 %r1, "
              "%ctaid.x; cvt.u32.u16 %r2, %h1; mov.s16 %h3, %nctaid.y; ret;",
              32);
    s.launch.grid[0] = 0x20000;
    s.launch.grid[1] = 0x10003;
    s.block.ctaid[0] = 0x18765;
    exec_warp_start(&s.warp, &s.block, 0, &s.fault);
    step_to_end(&s, &status);
    assert_int_equal(status, EXEC_DONE);
    static const uint32_t expected[] = {0x8765, 9, 0x8765, 0x8765, 3};
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(written(&s, i)[9], expected[i]);
    step_close(&s);
}

/* All of a vector at once; a graph of the host, of which none is executed. */
static void vectors(void **unused)
{
    (void)unused;
    struct stepped s;
    enum exec_status status;
    step_open(&s,
              "mov.v4.u32 {%r1, %r2, %r3, %r4}, %tid; mov.v4.b32 {_, %r5, _, %r6}, %nctaid;\n"
              "mov.u64 %d1, %current_graph_exec; mov.b32 %r11, %r1; mov.b32 %r12, %r2;\n"
              "mov.b32 %r13, %r3; mov.b32 %r14, %r4; mov.b32 %r15, %r5; mov.b32 %r16, %r6; ret;",
              32);
    s.launch.grid[1] = 77;
    s.launch.block[0] = 4;
    s.launch.block[1] = 4;
    s.launch.block[2] = 2;
    exec_warp_start(&s.warp, &s.block, 0, &s.fault);
    step_to_end(&s, &status);
    assert_int_equal(status, EXEC_DONE);
    assert_int_equal(written(&s, 2)[0], 0);
    static const uint32_t expected[] = {3, 2, 1, 0, 77, 0}; /* of lane 27 */
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(written(&s, 3 + i)[27], expected[i]);
    step_close(&s);
}

/* All of a vector in 16 bits: the lower halves, and nothing above; lanes that the guard leaves out keep what they have. */
static void vectors_of_sixteen_bits(void **unused)
{
    (void)unused;
    struct stepped s;
    enum exec_status status;
    step_open(&s,
              ".reg .b16 %h<4>; mov.u32 %r1, %laneid; setp.ne.u32 %p1, %r1, 9;\n"
              "@%p1 mov.v4.u16 {%h0, %h1, _, %h2}, %ctaid; ret;",
              32);
    s.launch.grid[0] = s.launch.grid[1] = 0x20000;
    s.block.ctaid[0] = 0x18765;
    s.block.ctaid[1] = 0x10004;
    exec_warp_start(&s.warp, &s.block, 0, &s.fault);
    step_to_end(&s, &status);
    assert_int_equal(status, EXEC_DONE);
    const uint32_t *dst = s.kernel->uops[2].dst, expected[] = {0x8765, 4, 0, 0};
    for (uint32_t e = 0; e < 4; e++)
        for (uint32_t i = 0; e != 2 && i < 32; i++)
            assert_int_equal(((const uint32_t *)(s.warp.regs + dst[e]))[i],
                             i == 9 ? 0 : expected[e]);
    step_close(&s);
}

/* Counters of the hardware, of which there are none: they stand at 0. */
static void counters(void **unused)
{
    (void)unused;
    struct stepped s;
    enum exec_status status;
    step_open(&s, "mov.u32 %r1, 5; mov.u64 %d1, 5; mov.u32 %r1, %pm7; mov.u64 %d1, %pm0_64; ret;",
              32);
    step_to_end(&s, &status);
    assert_int_equal(status, EXEC_DONE);
    assert_int_equal(written(&s, 2)[31], 0);
    assert_true(wide(&s, 3, 31) == 0);
    step_close(&s);
}

/* Where there is no SM the clock stands; where there is no time it counts instructions. */
static void without_time(void **unused)
{
    (void)unused;
    struct stepped s;
    enum exec_status status;
    step_open(&s, "mov.u32 %r1, %clock; mov.u32 %r2, %nsmid; mov.u64 %d1, %globaltimer; ret;", 32);
    step_to_end(&s, &status);
    assert_int_equal(written(&s, 0)[0], 0);
    assert_int_equal(written(&s, 1)[0], 1);
    step_close(&s);

    struct program p = program_open(
        PTX_HEAD ".entry k(.param .u64 a)\n{\n .reg .b32 %r<4>; .reg .b64 %d<3>;\n"
                 "ld.param.u64 %d1, [a]; mov.u32 %r1, %clock; mov.u32 %r2, %clock; mov.u64 %d2, "
                 "%globaltimer; st.global.u32 [%d1], %r1; st.global.u32 [%d1+4], %r2;\n"
                 "st.global.u64 [%d1+8], %d2; ret;\n}\n",
        exec_builds() - 1);
    const uint64_t a = gmem_alloc(p.gmem, 16, NULL);
    struct run run = {"k", {1, 1, 1}, {1, 1, 1}, &a, 0};
    assert_int_equal(program_run(&p, &run, NULL, NULL), 0);
    const uint32_t *words = gmem_host(p.gmem, a, 16);
    assert_int_equal(words[0], 1);
    assert_int_equal(words[1], 2);
    assert_int_equal(words[2], 3);
    program_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),   cmocka_unit_test(sixteen_bits),
        cmocka_unit_test(vectors),  cmocka_unit_test(vectors_of_sixteen_bits),
        cmocka_unit_test(counters), cmocka_unit_test(without_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
