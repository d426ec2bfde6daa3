/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/exec_test.c: tests tb/exec/exec.c: guards, returns, the status and the PC after
 * each step, faults, special registers. Divergence has a test of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"

static void statuses_and_pcs(void **state)
{
    static const char body[] =
        "mov.u32 %r1, %laneid;\n setp.lt.u32 %p1, %r1, 8;\n"              /* 0 1 */
        "@%p1 bra LOW;\n add.u32 %r2, %r1, 1000;\n bra.uni JOIN;\n"       /* 2 3 4 */
        "LOW:\n add.u32 %r2, %r1, 2000;\n"                                /* 5 */
        "JOIN:\n bar.sync 0;\n @!%p1 ret;\n add.u32 %r3, %r2, 1;\n ret;"; /* 6 7 8 9 */
    /* Status, PC and active lanes after each step. */
    static const struct {
        enum exec_status status;
        uint32_t pc, active;
    } expected[] = {{EXEC_NEXT, 1, ~0u},          {EXEC_NEXT, 2, ~0u},
                    {EXEC_BRANCH, 3, 0xffffff00}, {EXEC_NEXT, 4, 0xffffff00},
                    {EXEC_BRANCH, 5, 0xff},       {EXEC_NEXT, 6, ~0u},
                    {EXEC_BARRIER, 7, ~0u},       {EXEC_NEXT, 8, 0xff},
                    {EXEC_NEXT, 9, 0xff},         {EXEC_DONE, 10, 0}};
    struct stepped s;
    (void)state;
    step_open(&s, body, 32);
    assert_int_equal(s.kernel->num_uops, 10);
    for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(step_once(&s), expected[i].status);
        assert_int_equal(s.warp.pc, expected[i].pc);
        assert_int_equal(s.warp.active, expected[i].active);
    }
    assert_int_equal(s.warp.exited, ~0u);
    assert_int_equal(s.warp.depth, 0);
    assert_int_equal(step_once(&s), EXEC_DONE);
    for (uint32_t lane = 0; lane < 32; lane++) {
        assert_int_equal(written(&s, 3)[lane], lane + (lane < 8 ? 2000 : 1000));
        assert_int_equal(written(&s, 8)[lane], lane < 8 ? lane + 2001 : 0);
    }
    step_close(&s);
}

/* The PC is not sequential when the last of two paths ends before the other one is done. */
static void return_in_a_branch(void **state)
{
    static const char body[] =
        "mov.u32 %r1, %laneid;\n and.b32 %r2, %r1, 1;\n setp.eq.u32 %p1, %r2, 0;\n" /* 0 1 2 */
        "@%p1 bra EVEN;\n ret;\n EVEN:\n add.u32 %r3, %r1, 7;\n ret;";              /* 3 4 5 6 */
    struct stepped s;
    (void)state;
    step_open(&s, body, 20);
    assert_int_equal(s.warp.active, 0xfffff);
    assert_int_equal(s.warp.exited, 0xfff00000);
    for (int i = 0; i < 3; i++)
        assert_int_equal(step_once(&s), EXEC_NEXT);
    assert_int_equal(step_once(&s), EXEC_BRANCH);
    assert_int_equal(s.warp.active, 0xaaaaa);
    step_once(&s);
    assert_int_equal(s.warp.pc, 5);
    assert_int_equal(s.warp.active, 0x55555);
    assert_int_equal(s.warp.exited, 0xfffaaaaa);
    assert_int_equal(step_once(&s), EXEC_NEXT);
    assert_int_equal(step_once(&s), EXEC_DONE);
    for (uint32_t lane = 0; lane < 32; lane++)
        assert_int_equal(written(&s, 5)[lane], lane < 20 && lane % 2 == 0 ? lane + 7 : 0);
    step_close(&s);
}

/* Lanes that have returned inside a branch are not among those that meet behind it. */
static void returned_lanes_do_not_meet(void **state)
{
    static const char body[] =
        "mov.u32 %r1, %laneid;\n setp.gt.u32 %p1, %r1, 15;\n"         /* 0 1 */
        "setp.gt.u32 %p2, %r1, 23;\n @!%p1 bra JOIN;\n @%p2 ret;\n"   /* 2 3 4 */
        "add.u32 %r2, %r1, 1;\n JOIN:\n add.u32 %r3, %r1, 2;\n ret;"; /* 5 6 7 */
    struct stepped s;
    enum exec_status status;
    (void)state;
    step_open(&s, body, 32);
    step_to_end(&s, &status);
    assert_int_equal(status, EXEC_DONE);
    for (uint32_t lane = 0; lane < 32; lane++) {
        assert_int_equal(written(&s, 5)[lane], lane > 15 && lane < 24 ? lane + 1 : 0);
        assert_int_equal(written(&s, 6)[lane], lane < 24 ? lane + 2 : 0);
    }
    step_close(&s);
}

/* A path ends without a branch, and the other one is elsewhere: the next PC is not sequential. */
static void end_of_a_path_moves_the_pc(void **state)
{
    static const char body[] =
        "mov.u32 %r1, %laneid;\n setp.lt.u32 %p1, %r1, 4;\n bra.uni START;\n" /* 0 1 2 */
        "LOW:\n add.u32 %r2, %r1, 9;\n bra.uni JOIN;\n"                       /* 3 4 */
        "START:\n @%p1 bra LOW;\n add.u32 %r3, %r1, 5;\n JOIN:\n ret;";       /* 5 6 7 */
    struct stepped s;
    (void)state;
    step_open(&s, body, 32);
    for (int i = 0; i < 4; i++)
        step_once(&s);
    assert_int_equal(s.warp.pc, 6);
    assert_int_equal(s.warp.active, 0xfffffff0);
    assert_int_equal(step_once(&s), EXEC_BRANCH);
    assert_int_equal(s.warp.pc, 3);
    assert_int_equal(s.warp.active, 0xf);
    assert_int_equal(step_once(&s), EXEC_NEXT);
    assert_int_equal(step_once(&s), EXEC_BRANCH);
    assert_int_equal(s.warp.pc, 7);
    assert_int_equal(s.warp.active, ~0u);
    assert_int_equal(step_once(&s), EXEC_DONE);
    step_close(&s);
}

/* The parser ends every kernel with a return. Without it, to run or branch past the end is one. */
static void the_end_is_a_return(void **state)
{
    static const char *const bodies[] = {
        "mov.u32 %r1, %laneid;\n add.u32 %r2, %r1, 1;\n ret;",
        "mov.u32 %r1, %laneid;\n setp.gt.u32 %p1, %r1, 9;\n @%p1 bra END;\n add.u32 %r2, %r1, 1;\n "
        "END:\n ret;",
        "mov.u32 %r1, %laneid;\n HEAD:\n add.u32 %r2, %r2, 1;\n setp.le.u32 %p1, %r2, %r1;\n @%p1 "
        "bra HEAD;\n ret;",
        "mov.u32 %r1, %laneid;\n setp.gt.u32 %p1, %r1, 9;\n @%p1 bra THERE;\n bra.uni END;\n"
        " THERE:\n add.u32 %r2, %r1, 1;\n END:\n ret;",
    };
    (void)state;
    for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct stepped s;
        enum exec_status status;
        step_open(&s, bodies[i], 32);
        struct ptx_kernel *kernel = ptx_kernel(s.program.module, "k");
        kernel->num_uops--;
        exec_warp_start(&s.warp, &s.block, 0, &s.fault);
        assert_in_range(step_to_end(&s, &status), 1, 2);
        assert_int_equal(status, EXEC_DONE);
        assert_int_equal(s.warp.exited, ~0u);
        assert_int_equal(s.warp.pc, kernel->num_uops);
        uint32_t at = 0;
        while (kernel->uops[at].op != U_ADD)
            at++;
        for (uint32_t lane = 0; lane < 32; lane++)
            assert_int_equal(written(&s, at)[lane],
                             (i == 1 && lane > 9) || (i == 3 && lane <= 9) ? 0 : lane + 1);
        step_close(&s);
    }
}

/* Branches whose outcome is the same in all lanes push nothing. */
static void uniform_branches(void **state)
{
    static const char body[] =
        "mov.u32 %r1, 5;\n HEAD:\n sub.u32 %r1, %r1, 1;\n setp.ne.u32 %p1, %r1, 0;\n @%p1 bra "
        "HEAD;\n"
        " setp.eq.u32 %p2, %r1, 0;\n @!%p2 bra OUT;\n mov.u32 %r2, 3;\n OUT:\n ret;";
    struct stepped s;
    enum exec_status status;
    (void)state;
    step_open(&s, body, 32);
    assert_int_equal(step_to_end(&s, &status), 1);
    assert_int_equal(status, EXEC_DONE);
    assert_int_equal(written(&s, 6)[31], 3);
    step_close(&s);
}

static void guards(void **state)
{
    static const char body[] =
        "mov.u32 %r1, %laneid;\n setp.gt.u32 %p1, %r1, 11;\n mov.u32 %r2, 1;\n @%p1 mov.u32 %r2, "
        "2;\n"
        " @!%p1 add.u32 %r2, %r2, 10;\n @%p1 exit;\n add.u32 %r2, %r2, 100;\n setp.gt.u32 %p2, "
        "%r1, 50;\n"
        " @%p2 trap;\n @%p2 bar.sync 0;\n @%p2 bra OUT;\n add.u32 %r2, %r2, 1000;\n OUT:\n ret;";
    struct stepped s;
    enum exec_status status;
    (void)state;
    step_open(&s, body, 32);
    step_to_end(&s, &status);
    assert_int_equal(status, EXEC_DONE);
    for (uint32_t lane = 0; lane < 32; lane++)
        assert_int_equal(written(&s, 2)[lane], lane > 11 ? 2 : 1111);
    step_close(&s);
}

static void trap_is_a_fault(void **state)
{
    struct stepped s;
    enum exec_status status;
    (void)state;
    step_open(&s, "mov.u32 %r1, %laneid;\n setp.eq.u32 %p1, %r1, 9;\n @%p1 trap;\n ret;", 32);
    step_to_end(&s, &status);
    assert_int_equal(status, EXEC_FAULT);
    assert_string_equal(
        s.fault.message,
        "kernel 'k' pc 2 (line 9: @%p1 trap) lane 9 block (0,0,0) thread (9,0,0): trap");
    assert_int_equal(s.warp.pc, 2);
    step_close(&s);
}

/* As if that many branches in each other had left lanes behind. */
static void full_stack_is_a_fault(void **state)
{
    struct stepped s;
    enum exec_status status;
    (void)state;
    step_open(&s,
              "mov.u32 %r1, %laneid;\n setp.gt.u32 %p1, %r1, 3;\n @%p1 bra LOW;\n mov.u32 %r2, "
              "1;\n LOW:\n ret;",
              32);
    s.warp.stack = calloc(EXEC_STACK_DEPTH, sizeof *s.warp.stack);
    assert_non_null(s.warp.stack);
    for (uint32_t i = 0; i < EXEC_STACK_DEPTH; i++)
        s.warp.stack[i] = (struct exec_stack_entry){0, s.kernel->num_uops, ~0u, 0};
    s.warp.depth = s.warp.room = EXEC_STACK_DEPTH;
    step_to_end(&s, &status);
    assert_int_equal(status, EXEC_FAULT);
    assert_non_null(strstr(s.fault.message, "pc 2 "));
    assert_non_null(strstr(s.fault.message, "the reconvergence stack is full (16384 entries)"));
    step_close(&s);
}

static void special_registers(void **state)
{
    static const char *const names[] = {
        "%tid.x",   "%tid.y",   "%tid.z",    "%ntid.x",   "%ntid.y",   "%ntid.z",  "%ctaid.x",
        "%ctaid.y", "%ctaid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z", "%envreg0", "%envreg1",
        "%envreg2", "%envreg3", "%laneid",   "%warpid",   "%nwarpid"};
    char body[2048] = "";
    (void)state;
    for (unsigned i = 0; i < NUM_SPECIALS; i++)
        sprintf(body + strlen(body), "mov.u32 %%r%u, %s;\n", i, names[i]);
    struct stepped s;
    enum exec_status status;
    step_open(&s, strcat(body, "ret;"), 32);
    const uint32_t grid[3] = {4, 5, 6}, size[3] = {3, 7, 5}, offset[3] = {100, 200, 300},
                   block[3] = {1, 2, 3};
    memcpy(s.launch.grid, grid, sizeof grid);
    memcpy(s.launch.block, size, sizeof size);
    memcpy(s.launch.offset, offset, sizeof offset);
    memcpy(s.block.ctaid, block, sizeof block);
    s.launch.work_dim = 3;
    for (uint32_t warp = 0; warp < 4; warp++) {
        exec_warp_start(&s.warp, &s.block, warp, &s.fault);
        step_to_end(&s, &status);
        for (uint32_t lane = 0; lane < 32; lane++) {
            uint32_t x = 0, y = 0, z = 0;
            for (uint32_t n = 0; n < warp * 32 + lane; n++) /* counts like an odometer */
                if (++x == 3) {
                    x = 0;
                    if (++y == 7) {
                        y = 0;
                        z++;
                    }
                }
            const uint32_t expected[NUM_SPECIALS] = {x, y, z, 3,   7,   5,   1,    2,    3, 4,
                                                     5, 6, 3, 100, 200, 300, lane, warp, 4};
            for (unsigned i = 0; i < NUM_SPECIALS; i++)
                if (warp * 32 + lane < 105)
                    assert_int_equal(written(&s, i)[lane], expected[i]);
        }
    }
    assert_int_equal(s.warp.exited, ~0u);
    exec_warp_start(&s.warp, &s.block, 3, &s.fault);
    assert_int_equal(s.warp.active, (1u << (105 - 96)) - 1);
    exec_warp_start(&s.warp, &s.block, 4, &s.fault);
    assert_int_equal(s.warp.active, 0);
    assert_int_equal(step_once(&s), EXEC_DONE);
    step_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_and_pcs),
        cmocka_unit_test(return_in_a_branch),
        cmocka_unit_test(returned_lanes_do_not_meet),
        cmocka_unit_test(end_of_a_path_moves_the_pc),
        cmocka_unit_test(the_end_is_a_return),
        cmocka_unit_test(uniform_branches),
        cmocka_unit_test(guards),
        cmocka_unit_test(trap_is_a_fault),
        cmocka_unit_test(full_stack_is_a_fault),
        cmocka_unit_test(special_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
