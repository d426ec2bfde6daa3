/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/divergence_test.c: tests the reconvergence stack of tb/exec/exec.c: divergence
 * against the same C functions run one thread at a time, and the depth of the stack. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"

#define FUNCTION(name) static unsigned name(unsigned x)
#include "tests/tb/exec/divergence.inc"

#define TEXT "tests/tb/exec/divergence.ptx"

static void like_c(void **state)
{
    static const struct like_c functions[] = {
        {"collatz", collatz},   {"nested", nested}, {"break_continue", break_continue},
        {"branches", branches}, {"search", search}, {"bottom", bottom}};
    (void)state;
    program_like_c(TEXT, PTX_STACK_BYTES, 0, functions, sizeof functions / sizeof *functions);
}

/* Every function again, one warp, watching the depth of the stack: it depends on the nesting, not
 * on the trip counts. */
static void depth_is_bounded(void **state)
{
    (void)state;
    char *text = program_text(TEXT);
    struct program p = program_open(text, 0);
    uint64_t params[2] = {gmem_alloc(p.gmem, 4 * 32, NULL), gmem_alloc(p.gmem, 4 * 32, NULL)};
    uint32_t *in = gmem_host(p.gmem, params[0], 4 * 32);
    for (uint32_t i = 0; i < 32; i++)
        in[i] = i % 2 ? i * i : 27 + i * 0x01234567;
    for (uint32_t k = 0; k < p.module->num_kernels; k++) {
        const struct ptx_kernel *kernel = &p.module->kernels[k];
        struct exec_launch launch = {
            kernel, p.gmem, (const uint8_t *)params, {1, 1, 1}, {32, 1, 1}, {0}, 1, 0, 0};
        struct exec_block block = {.launch = &launch};
        struct exec_fault fault = {0};
        struct exec_access access;
        struct exec_warp w = {.regs = aligned_alloc(64, exec_warp_bytes(kernel))};
        assert_non_null(w.regs);
        exec_warp_start(&w, &block, 0, &fault);
        enum exec_status status;
        uint32_t deepest = 0;
        do {
            status = exec_step(&w, &access);
            deepest = w.depth > deepest ? w.depth : deepest;
        } while (status == EXEC_NEXT || status == EXEC_BRANCH);
        assert_int_equal(status, EXEC_DONE);
        assert_in_range(deepest, 2, 8);
        exec_warp_free(&w);
        free(w.regs);
    }
    program_close(&p);
    free(text);
}

/* A loop that lane i leaves after 3 i + 1 rounds: at the exit all lanes are together again. */
static void loop_exit_reconverges(void **state)
{
    static const char body[] = "mov.u32 %r1, %laneid;\n mad.lo.u32 %r1, %r1, 3, 1;\n"
                               "HEAD:\n add.u32 %r2, %r2, 1;\n setp.eq.u32 %p1, %r2, %r1;\n @%p1 "
                               "bra EXIT;\n bra.uni HEAD;\n"
                               "EXIT:\n add.u32 %r3, %r2, 100;\n ret;";
    struct stepped s;
    enum exec_status status;
    (void)state;
    step_open(&s, body, 32);
    uint32_t rounds = 0, exits = 0, deepest = 0;
    do {
        uint32_t pc = s.warp.pc, active = s.warp.active;
        rounds += pc == 2;
        if (pc == 6) {
            exits++;
            assert_int_equal(active, ~0u);
        }
        status = step_once(&s);
        deepest = s.warp.depth > deepest ? s.warp.depth : deepest;
    } while (status == EXEC_NEXT || status == EXEC_BRANCH);
    assert_int_equal(status, EXEC_DONE);
    assert_int_equal(rounds, 3 * 31 + 1);
    assert_int_equal(exits, 1);
    assert_int_equal(deepest, 2);
    for (uint32_t lane = 0; lane < 32; lane++)
        assert_int_equal(written(&s, 6)[lane], 3 * lane + 101);
    step_close(&s);
}

/* In every round some lanes go round at once and some leave after more work: what waits is joined,
 * not stacked. */
static void waiting_lanes_are_joined(void **state)
{
    static const char body[] =
        "mov.u32 %r1, %laneid;\n mov.u32 %r9, 0;\n"
        "HEAD:\n add.u32 %r2, %r2, 1;\n and.b32 %r3, %r2, 31;\n setp.ne.u32 %p1, %r3, %r1;\n"
        " @%p1 bra LATCH;\n add.u32 %r4, %r4, 1;\n setp.gt.u32 %p2, %r4, 3;\n @%p2 bra EXIT;\n"
        "LATCH:\n setp.lt.u32 %p3, %r2, 1000;\n @%p3 bra HEAD;\n"
        "EXIT:\n add.u32 %r5, %r2, 0;\n ret;";
    struct stepped s;
    enum exec_status status;
    (void)state;
    step_open(&s, body, 32);
    assert_in_range(step_to_end(&s, &status), 2, 6);
    assert_int_equal(status, EXEC_DONE);
    for (uint32_t lane = 0; lane < 32; lane++)
        assert_int_equal(written(&s, 11)[lane], lane ? lane + 3 * 32 : 4 * 32);
    step_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_c),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(loop_exit_reconverges),
        cmocka_unit_test(waiting_lanes_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
