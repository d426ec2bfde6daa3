/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/routine_test.c: calls that are not inlined: what a kernel and its routines look like, which
 * functions become routines, and their loops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/ptx/ptx_support.h"

/* A function that reaches itself is called: registers that live across the call are saved by the caller, the
 * stack pointer moves behind its frame; all of it at the lines of the call. */
static void recursion_is_called(void **unused)
{
    (void)unused;
    struct ptx_module *m = kernels_parse(
        HEADER ".func (.param .b32 r) f(.param .b32 x)\n{\n"
               ".reg .pred %p, %q; .reg .b32 %r<5>; .reg .b64 %d; .local .b8 own[5];\n"
               "ld.param.u32 %r1, [x]; setp.eq.u32 %p, %r1, 0; mov.u64 %d, own;\n"
               "@%p bra END;\n"
               "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), f, (a);\n"
               "ld.param.b32 %r2, [b]; } add.u32 %r1, %r1, %r2; st.local.u8 [%d], %r1;\n"
               "@%p ret;\nEND: st.param.u32 [r], %r1;\n}\n"
               ".entry k(.param .u32 n)\n{\n.reg .b32 %r<3>; .param .b32 a; .param .b32 b;\n"
               ".local .b64 mine; st.local.u32 [mine], 1; mov.u32 %r2, %tid.x;\n"
               "st.param.b32 [a], %r2; call (b), f, (a); ld.param.b32 %r1, [b];\n"
               "add.u32 %r1, %r1, %r2;\n}\n");
    const struct ptx_kernel *k = &m->kernels[0];
    kernel_expect(k, "17 st: st.local.u32 [mine], 1\n"
                     "17 mov: mov.u32 %r2, %tid.x\n"
                     "18 st: st.param.b32 [a], %r2\n"
                     "18 st: st.local.b32 [8], %r2\n"
                     "18 call: call (b), f, (a)\n"
                     "18 ld: ld.local.b32 %r2, [8]\n"
                     "18 ld: ld.param.b32 %r1, [b]\n"
                     "19 add: add.u32 %r1, %r1, %r2\n"
                     "20 ret: ret\n"
                     "7 ld: ld.param.u32 %r1, [x]\n"
                     "7 setp: setp.eq.u32 %p, %r1, 0\n"
                     "7 cvt: cvt.u64.u32 %address, %sp\n"
                     "7 add: add.u64 %address, %address, 8\n"
                     "7 mov: mov.u64 %d, own\n"
                     "8 bra: @%p bra END -> 31\n"
                     "9 st: st.param.b32 [a], %r1\n"
                     "9 st: st.local.b64 [%sp+24], %d\n"
                     "9 selp: call (b), f, (a)\n"
                     "9 st: st.local.b32 [%sp+20], %p\n"
                     "9 st: st.local.b32 [%sp+16], %r1\n"
                     "9 add: add.u32 %sp, %sp, 32\n"
                     "9 call: call (b), f, (a)\n"
                     "9 sub: sub.u32 %sp, %sp, 32\n"
                     "9 ld: ld.local.b64 %d, [%sp+24]\n"
                     "9 ld: ld.local.b32 %p, [%sp+20]\n"
                     "9 setp: setp.ne.u32 %p, %flag, 0\n"
                     "9 ld: ld.local.b32 %r1, [%sp+16]\n"
                     "10 ld: ld.param.b32 %r2, [b]\n"
                     "10 add: add.u32 %r1, %r1, %r2\n"
                     "10 st: st.local.u8 [%d], %r1\n"
                     "11 return: @%p ret\n"
                     "12 st: st.param.u32 [r], %r1\n"
                     "13 return: ret\n");
    assert_int_equal(k->num_routines, 1);
    assert_string_equal(k->routines[0].name, "f");
    assert_int_equal(k->routines[0].entry, 9);
    assert_int_equal(k->routines[0].frame_bytes, 32);
    assert_true(k->stack_varies);
    assert_int_equal(k->stack_bytes, 32 + PTX_STACK_BYTES);
    assert_int_equal(k->local_bytes, 16 + k->stack_bytes); /* mine, and %r2 */
    assert_int_equal(k->uops[14].reconverge, 31);
    for (uint32_t i = 4; i <= 21; i += 17)
        assert_true(k->uops[i].op == U_CALL && k->uops[i].src[0] == k->stack_pointer &&
                    k->uops[i].src[1] == UOP_NONE && k->uops[i].offset == 0);
    /* parameters of the kernel's call lie in f's frame, those of f's call behind f's own */
    assert_true(k->uops[2].src[0] == k->stack_pointer && k->uops[2].offset == 0);
    assert_true(k->uops[6].offset == 4 && k->uops[9].offset == 0 && k->uops[15].offset == 32);
    assert_true(k->uops[27].offset == 36 && k->uops[31].offset == 4);
    ptx_stack(m, 100);
    assert_int_equal(k->stack_bytes, 32 + 112);
    assert_int_equal(k->local_bytes, 16 + k->stack_bytes);
    ptx_free(m);
}

/* What is called in one loop alone is in that loop; branches of a routine meet in it. */
static void loops_go_on_in_calls(void **unused)
{
    (void)unused;
    struct ptx_module *m = kernels_parse(
        HEADER
        ".func g(); .func f()\n{\n.reg .pred %p; L: @%p bra L; @%p bra M; @%p call g; ret;\n"
        "M: ret;\n}\n.func g()\n{\n.reg .pred %q; N: @%q bra N; @%q call f; call f;\n}\n"
        ".func h() { call h; ret; }\n"
        ".entry k()\n{\n.reg .pred %p; A: @%p exit; B: @%p bra B; call f; @%p bra A; @%p call h;\n"
        "C: call h; @%p bra C;\n}\n");
    const struct ptx_kernel *k = &m->kernels[0];
    assert_int_equal(k->num_routines, 3);
    assert_int_equal(k->num_loops, 5); /* A, B, C, L, N */
    uint32_t outer[5], depth[5];
    for (uint32_t i = 0; i < 5; i++) {
        outer[i] = k->loops[i].outer;
        depth[i] = k->loops[i].depth;
    }
    assert_true(outer[0] == 0 && outer[1] == 1 && outer[2] == 0 && outer[3] == 1 && outer[4] == 1);
    assert_true(depth[0] == 1 && depth[1] == 2 && depth[2] == 1 && depth[3] == 2 && depth[4] == 2);
    for (uint32_t r = 0; r < 3; r++) {
        const uint32_t entry = k->routines[r].entry,
                       end = r < 2 ? k->routines[r + 1].entry : k->num_uops;
        const int is_h = !strcmp(k->routines[r].name, "h");
        for (uint32_t i = entry; i < end; i++) {
            assert_int_equal(k->loop_of[i] != 0, !is_h); /* h is called from C and from outside */
            if (!strcmp(k->text[i], "@%p bra M"))
                assert_int_equal(k->uops[i].reconverge, k->num_uops); /* two returns */
            if (k->uops[i].op == U_BRA)
                assert_true(k->uops[i].reconverge == k->num_uops ||
                            (k->uops[i].reconverge > i && k->uops[i].reconverge < end));
        }
    }
    ptx_free(m);
}

/* A register has one place in a frame, for all calls across which it lives. */
static void places_are_shared(void **unused)
{
    (void)unused;
    struct ptx_module *m = kernels_parse(
        HEADER ".func f(.param .b32 x) { .reg .b64 %d<3>; mov.b64 %d1, {%tid.x, %tid.y};\n"
               "call f, (1); call f, (2); st.global.u64 [%d1], %d1; }\n"
               ".entry k() { call f, (3); }\n");
    assert_int_equal(m->kernels[0].routines[0].frame_bytes, 16); /* x, and %d1 at 8 */
    ptx_free(m);
}

/* In which kernels, and for which reasons, functions are called. */
static void others_are_inlined(void **unused)
{
    (void)unused;
    struct ptx_module *m = kernels_parse(
        HEADER ".func f() { .reg .b64 %d; mov.u64 %d, f; ret; }\n"
               ".func g() { ret; }\n.func h() { call h; }\n"
               ".entry a() { call f; call g; call f; }\n"
               ".entry b() { .reg .b64 %d; P: .callprototype _ (); call g; call %d, P; }\n"
               ".entry c() { call g; call h; call f; }\n"
               ".entry d() { .reg .b64 %d; P: .callprototype (.param .b32 _) _ (.param .align 4 "
               ".b8 _[8], .param .b32 _); .param .b32 r; .param .align 4 .b8 x[8];\n"
               "call (r), %d, (x, 5), P; T: .calltargets g; call %d, T; }\n");
    static const uint32_t routines[] = {0, 2, 1,
                                        2}; /* of b and d f and g, whose addresses are taken */
    for (int i = 0; i < 4; i++) {
        assert_null(m->kernels[i].refused);
        assert_int_equal(m->kernels[i].num_routines, routines[i]);
    }
    assert_string_equal(m->kernels[1].routines[0].name, "f");
    assert_string_equal(m->kernels[2].routines[0].name, "h");
    assert_true(!m->kernels[1].stack_varies && m->kernels[2].stack_varies);
    assert_int_equal(m->kernels[1].stack_bytes, 0);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recursion_is_called),
        cmocka_unit_test(loops_go_on_in_calls),
        cmocka_unit_test(places_are_shared),
        cmocka_unit_test(others_are_inlined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
