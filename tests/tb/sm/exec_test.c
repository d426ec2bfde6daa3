/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/sm/exec_test.c: tests tb/sm/exec.c: divergence against the same C functions run one
 * thread at a time, the depth of the stack, guards, returns, the status and the PC after each step,
 * special registers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/sm/exec_support.h"

#define FUNCTION(name) static unsigned name(unsigned x)
#include "tests/tb/sm/divergence.inc"

/* One warp that the test steps by itself. */
struct stepped {
    struct program program;
    const struct ptx_kernel *kernel;
    struct exec_launch launch;
    struct exec_block block;
    struct exec_fault fault;
    struct exec_access access;
    struct exec_warp warp;
    uint64_t params[4];
};

static void step_open(struct stepped *s, const char *body, uint32_t threads)
{
    char text[8192];
    snprintf(text, sizeof text,
             PTX_HEAD ".entry k(.param .u64 a, .param .u64 b)\n{\n .reg .pred %%p<10>; .reg .b32 "
                      "%%r<20>; .reg .b64 %%d<10>;\n"
                      "%s\n}\n",
             body);
    memset(s, 0, sizeof *s);
    s->program = program_open(text, exec_builds() - 1);
    s->kernel = ptx_kernel(s->program.module, "k");
    s->launch = (struct exec_launch){
        s->kernel, s->program.gmem, (const uint8_t *)s->params, {1, 1, 1}, {threads, 1, 1}, {0}, 1,
        0};
    s->block.launch = &s->launch;
    s->warp.regs = aligned_alloc(64, exec_warp_bytes(s->kernel));
    assert_non_null(s->warp.regs);
    exec_warp_start(&s->warp, &s->block, 0, &s->fault);
}

static void step_close(struct stepped *s)
{
    free(s->warp.regs);
    program_close(&s->program);
}

static enum exec_status step(struct stepped *s)
{
    return exec_step(&s->warp, &s->access);
}

/* Steps until the status is not EXEC_NEXT or EXEC_BRANCH; returns the deepest stack seen. */
static uint32_t step_to_end(struct stepped *s, enum exec_status *status)
{
    uint32_t deepest = 0;
    do {
        *status = step(s);
        deepest = s->warp.depth > deepest ? s->warp.depth : deepest;
    } while (*status == EXEC_NEXT || *status == EXEC_BRANCH);
    return deepest;
}

/* The low words of a register that instruction `index` writes. */
static const uint32_t *written(const struct stepped *s, uint32_t index)
{
    return (const uint32_t *)(s->warp.regs + s->kernel->uops[index].dst[0]);
}

#define THREADS (32 * 40 + 7)

static char *divergence_text(void)
{
    char *text = calloc(1, 1 << 20);
    FILE *f = fopen("tests/tb/sm/divergence.ptx", "r");
    assert_non_null(text);
    if (!f)
        fail_msg("tests/tb/sm/divergence.ptx cannot be opened; tests run in the top folder");
    assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

static void like_c(void **state)
{
    static const struct {
        const char *name;
        unsigned (*function)(unsigned);
    } functions[] = {{"collatz", collatz},   {"nested", nested}, {"break_continue", break_continue},
                     {"branches", branches}, {"search", search}, {"bottom", bottom}};
    (void)state;
    char *text = divergence_text();
    struct program p = program_open(text, exec_builds() - 1);
    uint64_t params[2] = {gmem_alloc(p.gmem, 4 * THREADS, NULL),
                          gmem_alloc(p.gmem, 4 * THREADS, NULL)};
    uint32_t *in = gmem_host(p.gmem, params[0], 4 * THREADS),
             *out = gmem_host(p.gmem, params[1], 4 * THREADS);
    for (uint32_t i = 0, random = 1; i < THREADS; i++) {
        random = random * 1664525 + 1013904223;
        in[i] = i < 600 ? i : i < 900 ? random >> 20 : random;
    }
    for (unsigned n = 0; n < sizeof functions / sizeof *functions; n++) {
        struct exec_fault fault;
        uint64_t instructions;
        struct run run = {functions[n].name, {1, 1, 1}, {THREADS, 1, 1}, params, 0};
        memset(out, 0x5a, 4 * THREADS);
        if (program_run(&p, &run, &fault, &instructions) != 0)
            fail_msg("%s", fault.message);
        for (uint32_t i = 0; i < THREADS; i++)
            if (out[i] != functions[n].function(in[i]))
                fail_msg("%s(%u) = %u, expected %u", functions[n].name, in[i], out[i],
                         functions[n].function(in[i]));
    }
    program_close(&p);
    free(text);
}

/* Every function again, one warp, watching the depth of the stack: it depends on the nesting, not
 * on the trip counts. */
static void depth_is_bounded(void **state)
{
    (void)state;
    char *text = divergence_text();
    struct program p = program_open(text, 0);
    uint64_t params[2] = {gmem_alloc(p.gmem, 4 * 32, NULL), gmem_alloc(p.gmem, 4 * 32, NULL)};
    uint32_t *in = gmem_host(p.gmem, params[0], 4 * 32);
    for (uint32_t i = 0; i < 32; i++)
        in[i] = i % 2 ? i * i : 27 + i * 0x01234567;
    for (uint32_t k = 0; k < p.module->num_kernels; k++) {
        const struct ptx_kernel *kernel = &p.module->kernels[k];
        struct exec_launch launch = {
            kernel, p.gmem, (const uint8_t *)params, {1, 1, 1}, {32, 1, 1}, {0}, 1, 0};
        struct exec_block block = {&launch, {0}, NULL};
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
        status = step(&s);
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
        assert_int_equal(step(&s), expected[i].status);
        assert_int_equal(s.warp.pc, expected[i].pc);
        assert_int_equal(s.warp.active, expected[i].active);
    }
    assert_int_equal(s.warp.exited, ~0u);
    assert_int_equal(s.warp.depth, 0);
    assert_int_equal(step(&s), EXEC_DONE);
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
        assert_int_equal(step(&s), EXEC_NEXT);
    assert_int_equal(step(&s), EXEC_BRANCH);
    assert_int_equal(s.warp.active, 0xaaaaa);
    step(&s);
    assert_int_equal(s.warp.pc, 5);
    assert_int_equal(s.warp.active, 0x55555);
    assert_int_equal(s.warp.exited, 0xfffaaaaa);
    assert_int_equal(step(&s), EXEC_NEXT);
    assert_int_equal(step(&s), EXEC_DONE);
    for (uint32_t lane = 0; lane < 32; lane++)
        assert_int_equal(written(&s, 5)[lane], lane < 20 && lane % 2 == 0 ? lane + 7 : 0);
    step_close(&s);
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

/* 130 branches in each other, every one leaving one lane of a path behind that has nothing in
 * common with the others. */
static void full_stack_is_a_fault(void **state)
{
    struct stepped s;
    enum exec_status status;
    (void)state;
    step_open(&s,
              "mov.u32 %r1, %laneid;\n setp.gt.u32 %p1, %r1, 3;\n @%p1 bra LOW;\n mov.u32 %r2, "
              "1;\n LOW:\n ret;",
              32);
    for (uint32_t i = 0; i < EXEC_STACK_DEPTH; i++)
        s.warp.stack[i] = (struct exec_stack_entry){0, s.kernel->num_uops, ~0u};
    s.warp.depth = EXEC_STACK_DEPTH;
    step_to_end(&s, &status);
    assert_int_equal(status, EXEC_FAULT);
    assert_non_null(strstr(s.fault.message, "pc 2 "));
    assert_non_null(strstr(s.fault.message, "the reconvergence stack is full (128 entries)"));
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
    assert_int_equal(step(&s), EXEC_DONE);
    step_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_c),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(loop_exit_reconverges),
        cmocka_unit_test(waiting_lanes_are_joined),
        cmocka_unit_test(statuses_and_pcs),
        cmocka_unit_test(return_in_a_branch),
        cmocka_unit_test(uniform_branches),
        cmocka_unit_test(guards),
        cmocka_unit_test(trap_is_a_fault),
        cmocka_unit_test(full_stack_is_a_fault),
        cmocka_unit_test(special_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
