/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/age_test.c: what compilers since 2008 have written differently from today's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/ptx/ptx_support.h"

static struct ptx_module *parse(const char *text)
{
    struct ptx_error error;
    struct ptx_module *m = ptx_parse("k.ptx", text, strlen(text), &error);
    if (!m)
        fail_msg("%s", error.message);
    check_bounds(m);
    return m;
}

/* PTX 1.4 to 2.2 has no .address_size: its pointers tell what it is. */
static void address_size_is_optional(void **unused)
{
    (void)unused;
    struct ptx_module *m =
        parse(".version 1.4\n.target sm_13, map_f64_to_f32\n"
              ".entry wide(.param .u64 p) { .reg .u64 %d<3>; .reg .u32 %r<3>; .shared .u32 sh[4];\n"
              "ld.param.u64 %d1, [p]; ld.global.u32 %r1, [%d1+0]; mov.u32 %r2, sh;\n"
              "ld.shared.u32 %r1, [%r2]; exit; }\n"
              ".entry narrow(.param .u32 p) { .reg .u32 %r<3>;\n"
              "ld.param.u32 %r1, [p];\nld.global.u32 %r2, [%r1+4]; exit; }\n");
    assert_null(ptx_kernel(m, "wide")->refused);
    assert_string_equal(ptx_kernel(m, "narrow")->refused,
                        "k.ptx:8: 'ld.global.u32' has an address of 32 bits in '%r1', and the text "
                        "no .address_size: it is of a 32-bit host; expected 64 bits");
    ptx_free(m);
    m = body_parse("ld.global.u32 %r2, [%r1+4];"); /* which says .address_size 64 */
    assert_true(m->kernels[0].uops[0].flags & UF_ADDRESS32);
    ptx_free(m);
}

/* Up to PTX 1.3 the parameters stand in the kernel's body. */
static void parameters_in_the_body(void **unused)
{
    (void)unused;
    struct ptx_module *m = parse(".version 1.2\n.target sm_10\n.entry k\n{ .reg .u64 %d<3>;\n"
                                 ".param .u32 n; .param .u64 p; .param .align 4 .b8 s[6];\n"
                                 "ld.param.u64 %d1, [p]; exit; }\n");
    const struct ptx_kernel *k = &m->kernels[0];
    assert_int_equal(k->num_params, 3);
    assert_int_equal(k->param_bytes, 22);
    assert_string_equal(k->params[1].name, "p");
    assert_int_equal(k->params[1].offset, 8);
    assert_int_equal(k->params[2].offset, 16);
    assert_int_equal(k->uops[0].space, SPACE_PARAM);
    assert_int_equal(k->uops[0].offset, 8);
    ptx_free(m);
}

/* A prototype may end where the next directive begins. */
static void prototypes_without_semicolon(void **unused)
{
    (void)unused;
    static const char *const followers[] = {
        ".entry k() { ret; }",
        ".func g() { ret; } .entry k() { ret; }",
        ".visible .func (.param .b32 r) g(.param .b32 a) .extern .func h .entry k() { ret; }",
        ".global .u32 v; .entry k() { ret; }",
        ".noreturn .entry k() { ret; }",
        ".entry k() { ret; } .extern .func last"};
    for (size_t i = 0; i < sizeof followers / sizeof *followers; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 ".version 3.1 .target sm_20 .address_size 64\n"
                 ".extern .func (.param .b32 r) f (.param .b32 a, .param .b64 b)\n%s",
                 followers[i]);
        struct ptx_module *m = parse(text);
        assert_int_equal(m->num_kernels, 1);
        ptx_free(m);
    }
}

/* Compilers for sm_1x wrote four coordinates, whatever the texture has. */
static void surplus_coordinates(void **unused)
{
    (void)unused;
    struct ptx_module *m =
        body_parse("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d1, {%r1, %r2, %r3, %r4}];"
                   "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f5, %f6, %f7, %f8}];"
                   "tex.a1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%r5, %f6, %f7, %f8}];"
                   "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d1, %r1];");
    const struct uop *u = m->kernels[0].uops;
    static const uint32_t used[] = {1, 2, 2, 1};
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t c = 0; c < 4; c++)
            assert_int_equal(u[i].vsrc[c] != UOP_NONE, c < used[i]);
        assert_int_equal(u[i].num_reads, 1 + used[i]);
    }
    ptx_free(m);
}

/* The registers that an instruction reads and writes, by name of the symbols 0, 1, ... */
static void expect_numbers(const struct uop *u, const char *expected)
{
    char got[64] = "";
    for (int i = 0; i < u->num_reads; i++)
        sprintf(got + strlen(got), "%d ", u->reads[i] - NUM_SPECIALS);
    strcat(got, "->");
    for (int i = 0; i < u->num_writes; i++)
        sprintf(got + strlen(got), " %d", u->writes[i] - NUM_SPECIALS);
    assert_string_equal(got, expected);
}

/* A vector register is as many registers; .x or .r names one, the vector's name all of them. */
static void vector_registers(void **unused)
{
    (void)unused;
    struct ptx_module *m = body_parse(".reg .v2 .f32 vv; .reg .v4 .u32 w, %w<2>; .reg .f16x2 h;\n"
                                      "mov.f32 vv.x, 1.0; mov.f32 vv.g, vv.r; ld.global.v4.u32 w, "
                                      "[%d1]; st.global.v2.f32 [%d1], vv;"
                                      "add.u32 %w1.a, w.w, w.b; mov.b64 %d2, vv; mov.b32 h, w.x;"
                                      "tex.2d.v4.u32.f32 w, [%d1, vv];");
    const struct ptx_kernel *k = &m->kernels[0];
    static const char *const expected[] = {"-> 0",     "0 -> 1",          "6 -> 2 3 4 5",
                                           "6 0 1 ->", "5 4 -> 7",        "0 1 -> 8",
                                           "2 -> 9",   "6 0 1 -> 2 3 4 5"};
    for (int i = 0; i < 8; i++)
        expect_numbers(&k->uops[i], expected[i]);
    assert_int_equal(k->num_regs, NUM_SPECIALS + 10);
    ptx_free(m);
}

/* What the module declares each kernel has for itself, and its functions have it with it. */
static void declarations_of_the_module(void **unused)
{
    (void)unused;
    struct ptx_module *m =
        parse(".version 1.4\n.target sm_13\n.tex .u64 t, u;\n.reg .u32 %g<3>, one;\n"
              ".reg .v2 .f32 pair;\n.local .align 16 .b8 depot[24];\n.local .u32 never;\n"
              ".const[1] .u32 c[2] = {1, 2};\n"
              ".func f { .reg .u32 %own; mov.u32 %own, 1; add.u32 %g1, %g1, %own; ret; }\n"
              ".entry a { .reg .u32 %x; mov.u32 %x, 7; mov.u32 %g1, %x; call f; mov.u32 one, %g1;"
              "st.local.u32 [depot+4], one; mov.f32 pair.y, pair.x; exit; }\n"
              ".entry b { .reg .f32 %f<5>; ld.const[1].u32 %g2, [c+4]; .local .u32 own;"
              "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [u, {%g2, %g2, %g2, %g2}]; exit; }\n"
              ".entry none { exit; }\n");
    const struct ptx_kernel *a = ptx_kernel(m, "a"), *b = ptx_kernel(m, "b");
    static const char *const of_a[] = {"-> 0",   "0 -> 2", "-> 1",  "2 1 -> 2",
                                       "2 -> 3", "3 ->",   "5 -> 4"};
    for (int i = 0; i < 7; i++)
        expect_numbers(&a->uops[i], of_a[i]);
    assert_int_equal(a->num_regs, NUM_SPECIALS + 6);
    assert_int_equal(a->local_bytes, 24);
    assert_int_equal(b->num_regs, NUM_SPECIALS + 5);
    assert_int_equal(b->local_bytes, 0);
    expect_numbers(&b->uops[1], "4 -> 0 1 2 3");
    assert_int_equal(ptx_kernel(m, "none")->num_regs, NUM_SPECIALS);
    assert_int_equal(m->num_vars, 3);
    assert_string_equal(m->vars[1].name, "u");
    assert_int_equal(m->vars[1].size, sizeof(struct ptx_texture));
    ptx_free(m);
}

/* What is for debuggers and assemblers is passed over. */
static void notes_change_nothing(void **unused)
{
    (void)unused;
    struct ptx_module *m =
        parse(".version 1.4\n.target sm_13\n\t// compiled with be\n"
              ".file\t1\t\"<command-line>\"\n.file 2 \"a.cu\", 1234567890, 55\n"
              "@@DWARF .section .debug_info, \"\", @progbits\n@@DWARF .4byte 0x12, .Ltext0-$L1\n"
              ".pragma \"one\", \"two\";\n"
              ".entry k(.param .u64 p) .maxntid 16,1,1 .pragma \"nounroll\"; { .reg .u32 %r;\n"
              "\t.loc\t2\t17\t0\n$LDWbegin_k: mov.u32 %r, 1; .loc 1 2 3, function_name $L, "
              "inlined_at 1 4 5\n"
              ".pragma \"nounroll\"; .file 3 \"b.cu\"\n$LDWend_k: exit; } // k\n.loc 1 2 3\n"
              ".section .debug_str { $L__info: .b8 67,0xff\n .b64 $L__info+4 { } }\n"
              ".section .debug_loc\n{\n}\n");
    assert_int_equal(m->kernels[0].num_uops, 2);
    assert_int_equal(m->kernels[0].uops[0].line, 11);
    assert_int_equal(m->kernels[0].maxntid[0], 16);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(address_size_is_optional),
        cmocka_unit_test(parameters_in_the_body),
        cmocka_unit_test(prototypes_without_semicolon),
        cmocka_unit_test(surplus_coordinates),
        cmocka_unit_test(vector_registers),
        cmocka_unit_test(declarations_of_the_module),
        cmocka_unit_test(notes_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
