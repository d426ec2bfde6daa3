/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/bind_test.c: tests tb/exec/bind.c: all that compilers wrote binds, what
 * cannot be executed is named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"
#include "tests/tb/ptx/ptx_support.h"

static void compiled_samples_bind(void **state)
{
    static const char *const samples[] = {"arithmetic.ptx", "flow.ptx", "memory.ptx", "nvcc.ptx"};
    (void)state;
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++)
        for (unsigned build = 0; build < exec_builds(); build++) {
            struct ptx_error error;
            struct ptx_module *m = sample_parse(samples[i]);
            if (exec_bind_build(m, build, &error) != 0)
                fail_msg("%s", error.message);
            for (uint32_t k = 0; k < m->num_kernels; k++)
                for (uint32_t n = 0; n < m->kernels[k].num_uops; n++)
                    assert_non_null(m->kernels[k].uops[n].run);
            ptx_free(m);
        }
}

static struct ptx_module *parsed(const char *statement)
{
    char text[512];
    struct ptx_error error;
    snprintf(
        text, sizeof text,
        PTX_HEAD
        ".entry k()\n{\n .reg .b32 %%r<5>; .reg .b64 %%d<5>; .reg .f32 %%f<5>;\n %s\n ret;\n}\n",
        statement);
    struct ptx_module *m = ptx_parse("file.ptx", text, strlen(text), &error);
    if (!m)
        fail_msg("%s", error.message);
    return m;
}

static void refusal_names_the_instruction(void **state)
{
    (void)state;
    struct ptx_error error;
    struct ptx_module *m = parsed("mad.lo.s32 %r1, %r2, %r3, %r4;");
    m->kernels[0].uops[0].flags |= UF_SAT;
    assert_int_equal(exec_bind(m, &error), -1);
    assert_int_equal(error.line, 7);
    assert_string_equal(
        error.message,
        "file.ptx:7: kernel 'k': cannot execute 'mad.lo.s32 %r1, %r2, %r3, %r4': no such "
        "combination of types and modifiers");
    ptx_free(m);
}

/* The other kernels of the module run; a launch of this one traps and says why. */
static void refusal_concerns_one_kernel(void **state)
{
    (void)state;
    struct program p = program_open(
        PTX_HEAD ".entry bad(.param .u64 a)\n{\n.reg .b32 %r<5>;\nmov.u32 %r1, 1;\n"
                 "mad.lo.s32 %r1, %r2, %r3, %r4;\n}\n"
                 ".entry good(.param .u64 a)\n{\n.reg .b64 %d;\nld.param.u64 %d, [a];\n"
                 "st.global.u32 [%d], 7;\n}\n"
                 ".entry never(.param .u64 a)\n{\nwgmma.fence;\n}\n",
        0);
    struct ptx_error error;
    p.module->kernels[0].uops[1].flags |= UF_SAT; /* no text gives this */
    assert_int_equal(exec_bind(p.module, &error), 0);
    uint64_t a = gmem_alloc(p.gmem, 4, NULL);
    struct exec_fault fault;
    struct run run = {"good", {1, 1, 1}, {1, 1, 1}, &a, 0};
    assert_int_equal(program_run(&p, &run, &fault, NULL), 0);
    assert_int_equal(*(uint32_t *)gmem_host(p.gmem, a, 4), 7);
    run.kernel = "bad";
    assert_int_equal(program_run(&p, &run, &fault, NULL), -1);
    assert_string_equal(
        fault.message,
        "kernel 'bad' pc 0 (line 8: mad.lo.s32 %r1, %r2, %r3, %r4) lane 0 block (0,0,0) thread "
        "(0,0,0): test.ptx:8: kernel 'bad': cannot execute 'mad.lo.s32 %r1, %r2, %r3, %r4': no "
        "such combination of types and modifiers");
    run.kernel = "never";
    assert_int_equal(program_run(&p, &run, &fault, NULL), -1);
    assert_string_equal(fault.message,
                        "kernel 'never' pc 0 (line 18: wgmma.fence) lane 0 block (0,0,0) thread "
                        "(0,0,0): test.ptx:18: opcode 'wgmma.fence' is not supported: there "
                        "are no tensor cores");
    program_close(&p);
}

/* Uops that no parser makes: a good one with one field changed. */
static void impossible_uops(void **state)
{
    (void)state;
    static const struct {
        const char *statement;
        size_t field;
        uint8_t value;
    } table[] = {
        {"rem.s32 %r1, %r2, %r3;", offsetof(struct uop, type), T_F16},
        {"add.s32 %r1, %r2, %r3;", offsetof(struct uop, type), T_PRED},
        {"add.s32 %r1, %r2, %r3;", offsetof(struct uop, type), 200},
        {"add.s32 %r1, %r2, %r3;", offsetof(struct uop, op), NUM_UOPS},
        {"add.s32 %r1, %r2, %r3;", offsetof(struct uop, round), RND_RZ},
        {"rem.s32 %r1, %r2, %r3;", offsetof(struct uop, type), T_F32},
        {"shl.b32 %r1, %r2, %r3;", offsetof(struct uop, type), T_F32},
        {"and.b32 %r1, %r2, %r3;", offsetof(struct uop, type), T_B8},
        {"prmt.b32 %r1, %r2, %r3, %r4;", offsetof(struct uop, type), T_B64},
        {"sin.approx.f32 %f1, %f2;", offsetof(struct uop, round), RND_RP},
        {"ld.global.u32 %r1, [%d1];", offsetof(struct uop, type), T_U64},
        {"ld.global.u32 %r1, [%d1];", offsetof(struct uop, type), T_PRED},
        {"ld.global.u32 %r1, [%d1];", offsetof(struct uop, space), SPACE_NONE},
        {"st.global.u32 [%d1], %r1;", offsetof(struct uop, space), SPACE_PARAM},
        {"st.global.u32 [%d1], %r1;", offsetof(struct uop, space), SPACE_CONST},
        {"st.global.u32 [%d1], %r1;", offsetof(struct uop, type), T_B64},
        {"atom.global.add.u32 %r1, [%d1], 1;", offsetof(struct uop, space), SPACE_LOCAL},
        {"atom.global.add.u32 %r1, [%d1], 1;", offsetof(struct uop, space), SPACE_CONST},
        {"atom.global.inc.u32 %r1, [%d1], 1;", offsetof(struct uop, type), T_U64},
        {"atom.global.and.b32 %r1, [%d1], 1;", offsetof(struct uop, mod), 100},
    };
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        struct ptx_error error;
        struct ptx_module *m = parsed(table[i].statement);
        assert_int_equal(exec_bind(m, &error), 0);
        ((uint8_t *)&m->kernels[0].uops[0])[table[i].field] = table[i].value;
        if (exec_bind(m, &error) != -1)
            fail_msg("row %u: %s binds with field %zu = %u", i, table[i].statement, table[i].field,
                     table[i].value);
        assert_int_equal(error.line, 7);
        ptx_free(m);
    }
}

static void builds_have_names(void **state)
{
    (void)state;
    assert_in_range(exec_builds(), 1, 2);
    for (unsigned build = 0; build < exec_builds(); build++)
        assert_true(strlen(exec_build_name(build)) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiled_samples_bind),
        cmocka_unit_test(refusal_names_the_instruction),
        cmocka_unit_test(refusal_concerns_one_kernel),
        cmocka_unit_test(impossible_uops),
        cmocka_unit_test(builds_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
