/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/call_test.c: functions as compilers leave them, from OpenCL C and from CUDA: the
 * executor's warps against the same C functions run one thread at a time; and calls as no compiler
 * writes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"

#define HELPER         static __attribute__((noinline))
#define TABLE          static const
#define LONG           long long
#define FUNCTION(name) static unsigned name(unsigned x)
#include "tests/tb/exec/calls.inc"

static const struct like_c functions[] = {
    {"vectors", vectors}, {"doubles", doubles}, {"records", records}, {"sorting", sorting},
    {"types", types},     {"levels", levels},   {"outputs", outputs}, {"choices", choices}};

static void opencl_like_c(void **state)
{
    (void)state;
    program_like_c("tests/tb/exec/calls_cl.ptx", PTX_STACK_BYTES, 0, functions,
                   sizeof functions / sizeof *functions);
}

static void cuda_like_c(void **state)
{
    (void)state;
    program_like_c("tests/tb/exec/calls_cu.ptx", PTX_STACK_BYTES, 0, functions,
                   sizeof functions / sizeof *functions);
}

/* Registers as parameters, constants as arguments, a guard on the call, a return that some lanes
 * take, and the barrier behind it. Lane i gets 3 i + 5, odd ones 9 more; the first 16 of them are
 * left out. */
static void by_hand(void **state)
{
    static const char text[] = PTX_HEAD
        ".func (.reg .u32 y) f(.reg .u32 x, .reg .u32 n, .param .b64 far)\n{\n"
        ".reg .pred %p; .reg .u32 %t; .reg .u64 %d; ld.param.u64 %d, [far]; cvt.u32.u64 %t, %d;\n"
        "mad.lo.u32 y, x, n, %t; and.b32 %t, x, 1; setp.eq.u32 %p, %t, 0; @%p ret;\n"
        "add.u32 y, y, 9; ret;\n}\n"
        ".entry k(.param .u64 out)\n{\n.reg .pred %p; .reg .u32 %r<5>; .reg .u64 %d<3>;\n"
        "mov.u32 %r1, %tid.x; mov.u32 %r2, 77; setp.ge.u32 %p, %r1, 16;\n"
        "@%p call (%r2), f, (%r1, 3, 5); bar.sync 0;\n"
        "ld.param.u64 %d1, [out]; mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2;\n"
        "st.global.u32 [%d1], %r2;\n}\n";
    (void)state;
    struct program p = program_open(text, exec_builds() - 1);
    uint64_t out = gmem_alloc(p.gmem, 4 * 64, NULL);
    struct run run = {"k", {1, 1, 1}, {64, 1, 1}, &out, 0};
    struct exec_fault fault;
    if (program_run(&p, &run, &fault, NULL) != 0)
        fail_msg("%s", fault.message);
    const uint32_t *words = gmem_host(p.gmem, out, 4 * 64);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(words[i], i < 16 ? 77 : 3 * i + 5 + (i % 2 ? 9 : 0));
    program_close(&p);
}

/* Pointers to parameters: of a function, into the thread's memory; of the kernel, which nobody can
 * write. */
static void addresses_of_parameters(void **state)
{
    static const char text[] = PTX_HEAD
        ".func (.param .b32 r) f(.param .align 8 .b8 s[16])\n{\n.reg .u32 %r<5>; .reg .u64 %d<5>;\n"
        "mov.b64 %d1, s; ld.param.u32 %r1, [%d1+4]; cvta.param.u64 %d2, %d1; ld.u32 %r2, [%d2+8];\n"
        "mad.lo.u32 %r1, %r1, 1000, %r2; st.u32 [%d2+12], %r1; ld.param.u32 %r3, [s+12];\n"
        "st.param.u32 [r], %r3; ret;\n}\n"
        ".entry k(.param .u64 out, .param .align 8 .b8 v[24])\n{\n.reg .pred %p;\n"
        ".reg .u32 %r<9>; .reg .u64 %d<9>; .param .align 8 .b8 a[16]; .param .b32 b;\n"
        "mov.b64 %d1, v; ld.param.u32 %r1, [%d1+8]; cvta.param.u64 %d2, %d1; ld.u32 %r2, "
        "[%d2+16];\n"
        "mov.b64 %d5, a; st.param.u32 [%d5+4], %r1; st.param.u32 [a+8], %r2; call (b), f, (a);\n"
        "ld.param.u32 %r3, [b]; ld.param.u64 %d3, [out]; st.global.u32 [%d3], %r3;\n"
        "ld.param.u32 %r4, [%d1+20]; setp.eq.u32 %p, %r4, 1; @%p st.u32 [%d2+20], 1;\n"
        "setp.eq.u32 %p, %r4, 2; @%p atom.add.u32 %r4, [%d2+20], 1; ret;\n}\n";
    (void)state;
    struct program p = program_open(text, exec_builds() - 1);
    uint64_t out = gmem_alloc(p.gmem, 4, NULL);
    uint32_t params[8] = {(uint32_t)out, (uint32_t)(out >> 32), 0, 0, 41, 0, 702, 0};
    struct run run = {"k", {1, 1, 1}, {32, 1, 1}, params, 0};
    struct exec_fault fault;
    if (program_run(&p, &run, &fault, NULL) != 0)
        fail_msg("%s", fault.message);
    assert_int_equal(*(uint32_t *)gmem_host(p.gmem, out, 4), 41702);
    for (params[7] = 1; params[7] <= 2; params[7]++) {
        assert_int_equal(program_run(&p, &run, &fault, NULL), -1);
        assert_non_null(strstr(fault.message, "generic address 0x30000000000001c is in the "
                                              "parameters, which are read-only"));
    }
    program_close(&p);
}

/* Functions that pointers lead to, whose parameters are registers: also called by name, by each other, by
 * themselves with their own parameters in another order; with constants, predicates, guards, results that
 * nobody wants; beside a function of other types. */
#define PROTOTYPE "P: .callprototype (.reg .u32 _) _ (.reg .u32 _, .reg .u32 _, .reg .u64 _);\n"
static const char by_pointer_text[] = PTX_HEAD
    ".func (.reg .b32 r) sum(.reg .b32 a, .reg .f32 b, .reg .b64 next)\n{\n"
    "mad.lo.u32 r, a, 10, b; ret;\n}\n"
    ".func (.reg .u32 r) swap(.reg .u32 x, .reg .u32 y, .reg .u64 next)\n{\n.reg .u32 "
    "%s;\n" PROTOTYPE
    "call (r), next, (y, x, 0), P; add.u32 %s, x, y; mad.lo.u32 r, r, 3, %s; ret;\n}\n"
    ".func (.reg .u32 r) count(.reg .u32 x, .reg .u32 y, .reg .u64 next)\n{\n.reg .pred "
    "%p;\n" PROTOTYPE
    "setp.eq.u32 %p, x, 0; mov.u32 r, y; @%p ret; sub.u32 x, x, 1; add.u32 y, y, x;\n"
    "call (r), next, (x, y, next), P; add.u32 r, r, x; ret;\n}\n"
    ".func (.reg .u32 r) twice(.reg .u32 x)\n{\nadd.u32 r, x, x; ret;\n}\n"
    ".entry k(.param .u64 out)\n{\n.reg .pred %p<4>; .reg .u32 %r<9>; .reg .u64 %d<9>;\n" PROTOTYPE
    "Q: .callprototype (.reg .b32 _) _ (.reg .b32 _);\nmov.u32 %r1, %tid.x; and.b32 %r2, %r1, 3;\n"
    "setp.eq.u32 %p1, %r2, 0; setp.eq.u32 %p2, %r2, 1; setp.eq.u32 %p3, %r2, 2;\n"
    "mov.u64 %d1, sum; mov.u64 %d2, swap; mov.u64 %d3, count; mov.u64 %d6, twice;\n"
    "selp.u64 %d4, %d1, %d2, %p1; selp.u64 %d5, %d3, %d1, %p2; selp.u64 %d4, %d3, %d4, %p2;\n"
    "mov.u32 %r3, 7; @!%p3 call (%r3), %d4, (%r1, %r2, %d5), P;\n"
    "call (%r4), sum, (%r3, %r1, 0); call (%r5), %d6, (%r4), Q;\n"
    "ld.param.u64 %d1, [out]; mad.wide.u32 %d1, %r1, 4, %d1; st.global.u32 [%d1], %r5; ret;\n}\n";

static uint32_t counted(uint32_t x, uint32_t y)
{
    return x ? counted(x - 1, y + x - 1) + x - 1 : y;
}

static void by_pointer_with_registers(void **state)
{
    (void)state;
    for (uint32_t registers = 0; registers <= 20; registers += 20) {
        struct program p = program_open(by_pointer_text, exec_builds() - 1);
        uint64_t out = gmem_alloc(p.gmem, 4 * 64, NULL);
        struct run run = {"k", {1, 1, 1}, {64, 1, 1}, &out, 0};
        struct exec_fault fault;
        ptx_stack(p.module, 16384);
        p.registers = registers;
        if (program_run(&p, &run, &fault, NULL) != 0)
            fail_msg("%s", fault.message);
        const uint32_t *words = gmem_host(p.gmem, out, 4 * 64);
        for (uint32_t i = 0; i < 64; i++) {
            const uint32_t kind = i % 4;
            const uint32_t first = kind == 0   ? 10 * i + kind
                                   : kind == 1 ? counted(i, kind)
                                   : kind == 2 ? 7
                                               : 3 * (10 * kind + i) + i + kind;
            assert_int_equal(words[i], 2 * (10 * first + i));
        }
        program_close(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opencl_like_c),
        cmocka_unit_test(cuda_like_c),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(addresses_of_parameters),
        cmocka_unit_test(by_pointer_with_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
