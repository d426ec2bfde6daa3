/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/call_test.c: calls that are inlined: what a kernel looks like afterwards, what is refused, and
 * which kernels a refusal concerns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/ptx/ptx_support.h"

static void instructions_take_the_place_of_calls(void **unused)
{
    (void)unused;
    struct ptx_module *m =
        kernels_parse(HEADER ".func (.param .b32 r) twice(.param .b32 x);\n"
                             ".func (.param .b32 r) f(.param .b32 x)\n{\n"
                             ".reg .b32 %r<3>; .reg .pred %p;\n"
                             "ld.param.u32 %r1, [x];\n"
                             "setp.eq.u32 %p, %r1, 0;\n"
                             "@%p ret;\n"
                             "{ .param .b32 a; .param .b32 b; st.param.b32 [a+0], %r1;\n"
                             "call.uni (b), twice, (a);\n"
                             "ld.param.u32 %r2, [b+0]; }\n"
                             "st.param.u32 [r], %r2;\n"
                             "ret;\n}\n"
                             ".func (.param .b32 r) twice(.param .b32 x)\n{\n"
                             ".reg .b32 %r<3>;\n"
                             "ld.param.u32 %r1, [x];\n"
                             "add.u32 %r1, %r1, %r1;\n"
                             "st.param.u32 [r], %r1;\n"
                             "ret;\n}\n"
                             ".entry k()\n{\n"
                             ".reg .b32 %r<3>; .reg .pred %q; .param .b32 a; .param "
                             ".b32 b;\n"
                             "@%q call (b), f, (a);\n"
                             "ld.param.u32 %r1, [b];\n}\n");
    assert_int_equal(m->num_kernels, 1);
    kernel_expect(&m->kernels[0], "28 bra: @%q call (b), f, (a) -> 10\n"
                                  "8 ld: ld.param.u32 %r1, [x]\n"
                                  "9 setp: setp.eq.u32 %p, %r1, 0\n"
                                  "10 bra: @%p ret -> 10\n"
                                  "11 st: st.param.b32 [a+0], %r1\n"
                                  "20 ld: ld.param.u32 %r1, [x]\n"
                                  "21 add: add.u32 %r1, %r1, %r1\n"
                                  "22 st: st.param.u32 [r], %r1\n"
                                  "13 ld: ld.param.u32 %r2, [b+0]\n"
                                  "14 st: st.param.u32 [r], %r2\n"
                                  "29 ld: ld.param.u32 %r1, [b]\n"
                                  "30 ret: ret\n");
    const struct uop *u = m->kernels[0].uops;
    assert_true(u[0].flags & UF_GUARD_NOT && u[0].reconverge == 10);
    /* x of f is a of the kernel, r of f is its b; x of twice is a of f, r of twice its b. */
    for (int i = 1; i < 11; i++)
        if (u[i].op == U_LD || u[i].op == U_ST)
            assert_true(u[i].space == SPACE_LOCAL && u[i].klass == CLASS_SP);
    assert_int_equal(u[4].offset, u[5].offset);
    assert_int_equal(u[7].offset, u[8].offset);
    assert_int_equal(u[9].offset, u[10].offset);
    assert_int_not_equal(u[1].offset, u[4].offset);
    assert_int_not_equal(u[7].offset, u[9].offset);
    assert_int_equal(m->kernels[0].local_bytes, 16);
    ptx_free(m);
}

/* Registers and constants as arguments, registers as parameters: moves, where the call stands. */
static void arguments_are_moved(void **unused)
{
    (void)unused;
    struct ptx_module *m =
        kernels_parse(HEADER ".func (.reg .u32 r, .param .f32 s) f(.reg .u32 x, .param "
                             ".b64 y, .reg .pred q)\n{\nret;\n}\n"
                             ".entry k()\n{\n.reg .b32 %r<3>; .reg .f32 %f; .reg .pred "
                             "%p; .param .b32 a;\n"
                             "call (%r1, %f), f, (a, 7, %p);\n"
                             "call (a, _), f, (%r2, 1, %p);\n}\n");
    const struct uop *u = m->kernels[0].uops;
    assert_int_equal(m->kernels[0].num_uops, 11);
    static const enum uop_op ops[] = {U_LD, U_ST,  U_MOV, U_MOV, U_LD, U_MOV,
                                      U_ST, U_MOV, U_ST,  U_LD,  U_RET};
    static const enum ptx_type types[] = {T_U32, T_B64, T_PRED, T_U32, T_F32,
                                          T_U32, T_B64, T_PRED, T_U32, T_F32};
    for (int i = 0; i < 11; i++)
        assert_int_equal(u[i].op, ops[i]);
    for (int i = 0; i < 10; i++)
        assert_int_equal(u[i].type, types[i]);
    assert_int_equal(u[0].dst[0], u[5].dst[0]);  /* x */
    assert_int_equal(u[0].offset, u[8].offset);  /* a */
    assert_int_equal(u[3].src[0], u[8].vsrc[0]); /* r */
    assert_int_equal(u[2].dst[0], u[7].dst[0]);  /* q */
    assert_true(u[1].vsrc[0] & UOP_CONST);
    ptx_free(m);
}

/* Two calls in a loop: one loop, and one set of registers for both copies. */
static void copies_share_registers(void **unused)
{
    (void)unused;
    static const char text[] =
        HEADER ".shared .u32 mine; .shared .u32 nobodys[100];\n"
               ".func f() { .reg .b32 %%x<9>; .local .b64 depot; .shared .b64 once;\n"
               "mov.u32 %%x1, mine; mov.u32 %%x2, depot; mov.u32 %%x3, once; bar.sync 0; }\n"
               ".entry k() { .reg .pred %%p; L: %s @%%p bra L; }\n"
               ".entry other() { ret; }\n";
    struct ptx_module *one, *two;
    char filled[sizeof text + 64];
    snprintf(filled, sizeof filled, text, "call f;");
    one = kernels_parse(filled);
    snprintf(filled, sizeof filled, text, "call f; call f, ();");
    two = kernels_parse(filled);
    const struct ptx_kernel *a = &one->kernels[0], *b = &two->kernels[0];
    assert_int_equal(a->num_uops, 6);
    assert_int_equal(b->num_uops, 10);
    assert_true(b->num_loops == 1 && b->loops[0].head == 0 && b->loops[0].back == 8);
    assert_int_equal(a->num_regs, NUM_SPECIALS + 4);
    assert_int_equal(b->num_regs, a->num_regs);
    assert_int_equal(b->reg_bytes, a->reg_bytes);
    assert_int_equal(b->shared_bytes, 16); /* mine, once */
    assert_int_equal(b->local_bytes, 8);
    for (int i = 0; i < 3; i++)
        assert_int_equal(b->uops[i].dst[0], b->uops[4 + i].dst[0]);
    assert_int_equal(two->kernels[1].shared_bytes, 0);
    assert_int_equal(two->kernels[1].num_regs, NUM_SPECIALS);
    ptx_free(one);
    ptx_free(two);
}

/* `exit` in a function ends the thread, `ret` only the call. */
static void exit_is_no_return(void **unused)
{
    (void)unused;
    struct ptx_module *m =
        kernels_parse(HEADER ".func f() { .reg .pred %p; @%p exit; @%p ret; trap; ret; }\n"
                             ".entry k() { call f; ret; }\n");
    kernel_expect(&m->kernels[0],
                  "4 ret: @%p exit\n4 bra: @%p ret -> 3\n4 trap: trap\n5 ret: ret\n");
    ptx_free(m);
}

/* Bad calls: functions, the kernel's statements, the line and what is said. */
static const struct {
    const char *functions, *call, *message;
    uint32_t line;
} bad[] = {
    {".func f(.param .b32 x) { }", "call f;", "'call' of 'f' has 0 arguments; expected 1", 5},
    {".func f(.param .b32 x) { }", "call f, (1, 2);", "'call' of 'f' has 2 arguments; expected 1",
     5},
    {".func f() { }", "call.uni (%r), f;", "'call.uni' of 'f' has 1 result; expected 0", 5},
    {".extern .func f;", "call f;",
     "call of function 'f', which has no body in this module (is it an OpenCL built-in that the "
     "device library lacks?)",
     5},
    {".func f(.param .b64 x) { }", "call f, (p);",
     "'call' passes 'p' of 4 bytes for 'x'; expected 8", 5},
    {".func (.param .b32 y) f(.param .b32 x) { }", "call (p), f, (p);",
     "'call' has 'p' as argument and as result; expected two variables", 5},
    {".func f(.param .b8 x[4]) { }", "call f, (%r);",
     "'call' needs a variable in .param space for 'x'", 5},
    {".func f(.reg .b64 x) { }", "call f, (%r);",
     "'call' has operand '%r' of type .b32; expected a register as wide as .b64", 5},
    {".func (.reg .b32 x) f() { }", "call (5), f, ();",
     "'call' has an integer; expected a register to write", 5},
    {".func f(.param .b32 x) { .param .b32 own; call f, (x); }", "call f, (p);",
     "'call' passes 'x', which is a parameter itself; expected a variable of this call's own", 4},
    {".func f(.param .b64 w, .param .b32 x) { call f, (1, 2); }",
     "{ .param .b64 q; call f, (q, 1); call f, (1, q); }",
     "'call' passes 'q', which another call passes elsewhere; expected a variable of this call's "
     "own",
     5},
    {".func f(.param .b32 x) { .reg .b64 %d; .param .b32 y; mov.u64 %d, y; call f, (y); }",
     "call f, (p);", "'mov.u64' takes the address of 'y', which is passed to a function", 4},
    {".func f() { }", "call f; mov.u32 %r, f;",
     "'mov.u32' has a function; expected a register of 64 bits for an address", 5},
    {".func f() { frobnicate {, ;;} [; }", "call f;", "opcode 'frobnicate' is not supported", 4},
    {".func f() { .shared .b8 x[16777216]; .reg .b32 %x; mov.u32 %x, x; }",
     ".shared .b8 y; mov.u32 %r, y; call f;", "shared memory of kernel 'k' exceeds 16777216 bytes",
     4},
};

static void bad_calls(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[1024], expected[PTX_MESSAGE_SIZE];
        struct ptx_error error;
        snprintf(text, sizeof text,
                 HEADER "%s\n.entry k() { .reg .b32 %%r; .param .b32 p; %s ret; }\n"
                        ".entry good() { ret; }\n",
                 bad[i].functions, bad[i].call);
        uint32_t more = 0;
        for (const char *p = bad[i].functions; (p = strchr(p, '\n')); p++)
            more++;
        const uint32_t line = bad[i].line == 5 ? 5 + more : bad[i].line;
        snprintf(expected, sizeof expected, "k.ptx:%u: %s", line, bad[i].message);
        struct ptx_module *m = kernels_parse(text);
        const struct ptx_kernel *k = ptx_kernel(m, "k");
        if (!k->refused)
            fail_msg("accepted: %s %s", bad[i].functions, bad[i].call);
        assert_string_equal(k->refused, expected);
        assert_true(k->num_uops == 1 && k->uops[0].op == U_TRAP && k->uops[0].line == line);
        assert_null(ptx_kernel(m, "good")->refused);
        ptx_free(m);
        /* Without a kernel that can run there is no module. */
        *strstr(text, ".entry good") = '\0';
        assert_null(ptx_parse("k.ptx", text, strlen(text), &error));
        assert_string_equal(error.message, expected);
        assert_int_equal(error.line, line);
    }
}

/* Each kernel is refused, or not, by itself; names and parameters stay. */
static void a_refusal_concerns_its_kernel(void **unused)
{
    (void)unused;
    struct ptx_module *m = kernels_parse(
        HEADER ".func bad() {\nwmma.load.a {%r1, x}; }\n.func good() { ret; }\n"
               ".entry a(.param .u64 p, .param .u32 q) { call good; }\n"
               ".entry b(.param .u64 p, .param .u32 q) { .reg .b32 %r;\nmov.u32 %r, "
               "%clusterid.x; }\n"
               ".entry c(.param .u64 p, .param .u32 q) { call good; call bad; }\n"
               ".entry d(.param .u64 p, .param .u32 q) { .reg .b32 %r; add.u64 %r, 1, 2; }\n"
               ".entry e(.param .u64 p, .param .u32 q) { call good; }\n");
    static const char *const refused[] = {
        NULL,
        "k.ptx:9: special register '%clusterid.x' is not supported: there are no clusters of "
        "thread "
        "blocks",
        "k.ptx:5: opcode 'wmma.load.a' is not supported: there are no tensor cores",
        "k.ptx:11: 'add.u64' has operand '%r' of type .b32; expected a register as wide as .u64",
        NULL,
    };
    static const char *const texts[] = {"ret", "mov.u32 %r, %clusterid.x", "wmma.load.a {%r1, x}",
                                        "add.u64 %r, 1, 2", "ret"};
    assert_int_equal(m->num_kernels, 5);
    for (int i = 0; i < 5; i++) {
        const struct ptx_kernel *k = &m->kernels[i];
        assert_int_equal(k->num_params, 2);
        assert_int_equal(k->param_bytes, 12);
        assert_string_equal(k->text[0], texts[i]);
        if (refused[i])
            assert_string_equal(k->refused, refused[i]);
        else
            assert_null(k->refused);
    }
    ptx_free(m);
}

/* So does what is no PTX at all, as long as the body has an end. */
static void a_bad_body_concerns_its_kernels(void **unused)
{
    (void)unused;
    static const struct {
        const char *body, *message;
    } table[] = {
        {"ret", "found '}'; expected an operand"},
        {".reg .b33 %x; ret;", "found '.b33'; expected a register type such as .b32"},
        {"ret; # { \" } \" /* } */ {{ ] }} }", "found '#'"},
        {"mov.u32 %r, 0x;", "number '0x': expected digits"},
        {".global .u64 v[2] = {g, {g}}; ret;", "found '{'; expected a number"},
        {"{ .maxntid 1; { } } { }", "directive '.maxntid' is not supported here"},
        {"ret; \x01 { \"} ret;", "character 0x01; expected PTX text"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[1024], expected[128];
        snprintf(text, sizeof text,
                 HEADER ".global .u32 g;\n.func bad { .reg .b32 %%r; %s }\n"
                        ".func worse { call bad; }\n.func unused { ] }\n"
                        ".entry a { ret; } .entry b(.param .u64 p) { call worse; }\n"
                        ".entry c { %s } .global .u64 last[2] = {1, g};\n.entry d { ret; }\n",
                 table[i].body, table[i].body);
        snprintf(expected, sizeof expected, "k.ptx:5: %s", table[i].message);
        struct ptx_module *m = kernels_parse(text);
        assert_int_equal(m->num_kernels, 4);
        assert_null(m->kernels[0].refused);
        assert_null(m->kernels[3].refused);
        assert_int_equal(m->kernels[1].num_params, 1);
        if (strncmp(m->kernels[1].refused, expected, strlen(expected)) != 0)
            fail_msg("%s gives %s", table[i].body, m->kernels[1].refused);
        assert_non_null(strchr(m->kernels[2].refused, ':'));
        assert_int_not_equal(m->kernels[2].uops[0].line, 5);
        assert_string_equal(strchr(strchr(m->kernels[2].refused, ':') + 1, ':'),
                            strchr(strchr(m->kernels[1].refused, ':') + 1, ':'));
        uint64_t next = 4096;
        assert_int_equal(ptx_place(m, place_upwards, &next), 0);
        const uint64_t *last = (const void *)m->vars[m->num_vars - 1].init;
        assert_int_equal(last[0], 1);
        assert_int_equal(last[1], m->vars[0].address);
        ptx_free(m);
    }
}

/* f0 calls f1 twice, and so on: of what would be 2^40 calls most are not inlined. */
static void inlining_is_bounded(void **unused)
{
    (void)unused;
    char text[8192] = HEADER ".func f40() { ret; }\n", *at = text + strlen(text);
    struct ptx_error error;
    for (int i = 40; i-- > 0;)
        at += sprintf(at, ".func f%d() { call f%d; call f%d; }\n", i, i + 1, i + 1);
    strcpy(at, ".entry k() { call f0; }\n");
    struct ptx_module *m = kernels_parse(text);
    assert_in_range(m->kernels[0].num_routines, 20, 40);
    assert_in_range(m->kernels[0].num_uops, 100, 65536);
    ptx_free(m);
    at = text + sprintf(text, HEADER ".func leaf() { ret; }\n.entry k() {\n");
    char *many = malloc(strlen(text) + 100001 * strlen("call leaf;\n") + 8);
    assert_non_null(many);
    at = many + sprintf(many, "%s", text);
    for (int i = 0; i <= 100000; i++)
        at += sprintf(at, "call leaf;\n");
    strcpy(at, "}\n");
    assert_null(ptx_parse("k.ptx", many, strlen(many), &error));
    assert_non_null(strstr(error.message, "kernel 'k' makes more than 100000 calls, all inlined"));
    free(many);
    at = text + sprintf(text, HEADER ".func f99() { ret; }\n");
    for (int i = 99; i-- > 0;)
        at += sprintf(at, ".func f%d() { call f%d; }\n", i, i + 1);
    strcpy(at, ".entry k() { call f0; }\n");
    m = kernels_parse(text);
    assert_int_equal(m->kernels[0].num_routines, 3); /* of 100 levels every 32nd */
    ptx_free(m);
    strcpy(at, ".entry k() { call f70; }\n");
    m = kernels_parse(text);
    assert_int_equal(m->kernels[0].num_routines, 0);
    assert_int_equal(m->kernels[0].num_uops, 1);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_take_the_place_of_calls),
        cmocka_unit_test(arguments_are_moved),
        cmocka_unit_test(copies_share_registers),
        cmocka_unit_test(exit_is_no_return),
        cmocka_unit_test(bad_calls),
        cmocka_unit_test(a_refusal_concerns_its_kernel),
        cmocka_unit_test(a_bad_body_concerns_its_kernels),
        cmocka_unit_test(inlining_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
