/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/parse_test.c: kernels, parameters, variables and texts of real samples, against what
 * their sources say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/ptx/ptx_support.h"

struct expected_param {
    const char *name;
    enum ptx_param_kind kind;
    uint32_t offset, size;
};

static void check_params(const struct ptx_kernel *k, const struct expected_param *expected,
                         uint32_t count, uint32_t bytes)
{
    assert_int_equal(k->num_params, count);
    assert_int_equal(k->param_bytes, bytes);
    for (uint32_t i = 0; i < count; i++) {
        assert_string_equal(k->params[i].name, expected[i].name);
        assert_int_equal(k->params[i].kind, expected[i].kind);
        assert_int_equal(k->params[i].offset, expected[i].offset);
        assert_int_equal(k->params[i].size, expected[i].size);
    }
}

/* kernel parameters(global float *, constant float *, local int *, struct pair {int; float[4];
 * double}, char, uint, float4) */
static void parameters_have_kind_offset_and_size(void **unused)
{
    (void)unused;
    static const struct expected_param expected[] = {
        {"parameters_param_0", PARAM_GLOBAL_PTR, 0, 8},
        {"parameters_param_1", PARAM_CONST_PTR, 8, 8},
        {"parameters_param_2", PARAM_SHARED_PTR, 16, 8},
        {"parameters_param_3", PARAM_VALUE, 24, 32},
        {"parameters_param_4", PARAM_VALUE, 56, 1},
        {"parameters_param_5", PARAM_VALUE, 60, 4},
        {"parameters_param_6", PARAM_VALUE, 64, 16},
    };
    struct ptx_module *m = sample_parse("memory.ptx");
    const struct ptx_kernel *k = ptx_kernel(m, "parameters");
    assert_non_null(k);
    check_params(k, expected, 7, 80);
    assert_int_equal(k->params[3].align, 8);
    assert_int_equal(k->params[6].align, 16);
    ptx_free(m);
}

static void nvcc_pointers_are_plain_values(void **unused)
{
    (void)unused;
    static const struct expected_param expected[] = {
        {"_Z5saxpyPfS_fi_param_0", PARAM_VALUE, 0, 8},
        {"_Z5saxpyPfS_fi_param_1", PARAM_VALUE, 8, 8},
        {"_Z5saxpyPfS_fi_param_2", PARAM_VALUE, 16, 4},
        {"_Z5saxpyPfS_fi_param_3", PARAM_VALUE, 20, 4},
    };
    struct ptx_module *m = sample_parse("nvcc.ptx");
    const struct ptx_kernel *k = ptx_kernel(m, "_Z5saxpyPfS_fi");
    check_params(k, expected, 4, 24);
    assert_int_equal(k->maxntid[0], 256);
    assert_int_equal(k->maxntid[1], 1);
    assert_int_equal(k->maxntid[2], 1);
    assert_int_equal(k->reqntid[0], 0);
    k = ptx_kernel(m, "reduce");
    assert_int_equal(k->reqntid[0], 64);
    assert_int_equal(k->reqntid[2], 1);
    assert_int_equal(k->maxntid[0], 0);
    ptx_free(m);
}

static void kernels_come_in_order_and_are_found_by_name(void **unused)
{
    (void)unused;
    static const char *const names[] = {"straight", "early_return",    "diamond", "nested_loops",
                                        "switches", "while_inside_do", "endless"};
    struct ptx_module *m = sample_parse("flow.ptx");
    assert_int_equal(m->num_kernels, 7);
    for (int i = 0; i < 7; i++) {
        assert_string_equal(m->kernels[i].name, names[i]);
        assert_ptr_equal(ptx_kernel(m, names[i]), &m->kernels[i]);
    }
    assert_null(ptx_kernel(m, "diamon"));
    assert_null(ptx_kernel(m, ""));
    assert_string_equal(m->name, "flow.ptx");
    ptx_free(m);
}

static void memory_sizes(void **unused)
{
    (void)unused;
    struct ptx_module *m = sample_parse("memory.ptx");
    const struct ptx_kernel *k = ptx_kernel(m, "spaces");
    assert_int_equal(k->shared_bytes, 64 * 4 + 32 * 8);
    assert_int_equal(k->local_bytes, 16 * 4);
    assert_false(k->uses_dynamic_shared);
    assert_int_equal(ptx_kernel(m, "dynamic")->shared_bytes, 0);
    ptx_free(m);

    m = sample_parse("nvcc.ptx");
    k = ptx_kernel(m,
                   "reduce"); /* shared_by_two[8], own[24], rounded up to 16; not shared_by_none */
    assert_int_equal(k->shared_bytes, 64);
    assert_true(k->uses_dynamic_shared);
    k = ptx_kernel(m, "_Z5saxpyPfS_fi");
    assert_int_equal(k->shared_bytes, 0);
    assert_false(k->uses_dynamic_shared);
    ptx_free(m);
}

static void variables_and_initial_values(void **unused)
{
    (void)unused;
    struct ptx_module *m = sample_parse("nvcc.ptx");
    assert_int_equal(m->num_vars, 4);
    const struct ptx_var *v = m->vars;
    assert_string_equal(v[0].name, "counter");
    assert_int_equal(v[0].space, SPACE_GLOBAL);
    assert_int_equal(v[0].size, 4);
    assert_memory_equal(v[0].init, (uint32_t[]){41}, 4);
    assert_int_equal(v[1].size, 24);
    assert_int_equal(v[1].align, 8);
    assert_memory_equal(v[2].init, ((float[]){1.0f, -1.5f, 2.0f, 0.0f}), 16);
    assert_int_equal(v[3].space, SPACE_CONST);
    assert_int_equal(v[3].align, 2);
    assert_memory_equal(v[3].init, ((int16_t[]){-1, 15, 5, -1}), 8);
    ptx_free(m);

    m = sample_parse("memory.ptx");
    assert_int_equal(m->num_vars, 2);
    assert_memory_equal(m->vars[0].init, ((int32_t[]){1, 2, 3, -4}), 16);
    assert_memory_equal(m->vars[1].init, ((float[]){0.5f, -2.0f}), 8);
    ptx_free(m);
}

/* Opaque types are descriptors and numbers; vectors are one more dimension, aligned as a whole. */
static void opaque_and_vector_variables(void **unused)
{
    (void)unused;
    static const char text[] =
        ".version 6.0\n.target sm_70, texmode_independent\n.address_size 64\n"
        ".global .texref t;\n.visible .global .texref u = {normalized_coords = 1, addr_mode_0 = "
        "mirror, addr_mode_1 = mirror};\n.global .samplerref s = {addr_mode_0 = clamp_to_border, "
        "filter_mode = linear, force_unnormalized_coords = 1}, r;\n.global .surfref w;\n"
        ".global .v4 .f32 v[2] = {{1.0, 2.0, 3.0}, {5.0}};\n.const .v2 .u8 c = {1, 2};\n"
        ".entry k(.param .texref kt, .param .samplerref ks, .param .v4 .f32 kv, .param .u8 kb,\n"
        ".param .u64 .ptr .texref kp, .param .u64 .ptr .samplerref kq) { ret; }\n";
    struct ptx_error error;
    struct ptx_module *m = ptx_parse("x", text, strlen(text), &error);
    if (!m)
        fail_msg("%s", error.message);
    static const uint32_t sizes[] = {72, 72, 4, 4, 72, 32, 2}, aligns[] = {8, 8, 8, 8, 8, 16, 2};
    assert_int_equal(m->num_vars, 7);
    for (int i = 0; i < 7; i++) {
        assert_int_equal(m->vars[i].size, sizes[i]);
        assert_int_equal(m->vars[i].align, aligns[i]);
    }
    const struct ptx_texture *t = (const void *)m->vars[1].init;
    assert_int_equal(t->sampler, SAMPLER_NORMALIZED | SAMPLER_MIRROR);
    assert_int_equal(t->width, 0);
    assert_int_equal(*(const uint32_t *)m->vars[2].init, SAMPLER_BORDER | SAMPLER_LINEAR);
    assert_int_equal(*(const uint32_t *)m->vars[3].init, 0);
    assert_memory_equal(m->vars[5].init, ((float[]){1, 2, 3, 0, 5, 0, 0, 0}), 32);
    assert_memory_equal(m->vars[6].init, "\1\2", 2);
    static const struct expected_param expected[] = {
        {"kt", PARAM_GLOBAL_PTR, 0, 8},  {"ks", PARAM_VALUE, 8, 8},
        {"kv", PARAM_VALUE, 16, 16},     {"kb", PARAM_VALUE, 32, 1},
        {"kp", PARAM_GLOBAL_PTR, 40, 8}, {"kq", PARAM_VALUE, 48, 8}};
    check_params(&m->kernels[0], expected, 6, 56);
    ptx_free(m);
}

static uint64_t refuse(void *ctx, const struct ptx_var *var)
{
    (void)ctx;
    (void)var;
    return 0;
}

/* The addresses reach the constants of the kernels and the pointers in initial values. */
static void place_fills_in_addresses(void **unused)
{
    (void)unused;
    struct ptx_module *m = sample_parse("nvcc.ptx");
    uint64_t next = 0x7000000001ull;
    assert_int_equal(ptx_place(m, place_upwards, &next), 0);
    uint64_t counter = m->vars[0].address, pointers[3];
    assert_int_equal(counter, 0x7000000004ull);
    memcpy(pointers, m->vars[1].init, 24);
    assert_int_equal(pointers[0], counter);
    assert_int_equal(pointers[1], counter + 4);
    assert_int_equal(pointers[2], 16);

    const struct ptx_kernel *k = ptx_kernel(m, "reduce");
    const struct uop *u = &k->uops[find_text(k, "ld.global.u32 %r9, [counter]", 0)];
    const struct uop *mov = &k->uops[find_text(k, "mov.u64 %rd4, factors", 0)];
    assert_true(u->src[0] & UOP_CONST);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        uint64_t address;
        memcpy(&address, k->constants + (u->src[0] & ~UOP_CONST) + 8 * lane, 8);
        assert_int_equal(address, counter);
        memcpy(&address, k->constants + (mov->src[0] & ~UOP_CONST) + 8 * lane, 8);
        assert_int_equal(address, m->vars[2].address);
    }
    ptx_free(m);

    m = sample_parse("nvcc.ptx");
    assert_int_equal(ptx_place(m, refuse, NULL), -1);
    ptx_free(m);
    m = sample_parse("flow.ptx"); /* no variables */
    assert_int_equal(ptx_place(m, refuse, NULL), 0);
    ptx_free(m);
}

static void text_is_single_spaced_and_has_its_line(void **unused)
{
    (void)unused;
    struct ptx_module *m =
        body_parse("L1: {L2:  @!%p1   ld.global.v2.f32\t{%f1,%f2}, /* c */ [ %d1 + 8 ]  // d\n;}\n"
                   "  ret;bra L1;");
    const struct ptx_kernel *k = &m->kernels[0];
    assert_int_equal(k->num_uops, 3);
    assert_string_equal(k->text[0], "@!%p1 ld.global.v2.f32 {%f1,%f2}, [ %d1 + 8 ]");
    assert_int_equal(k->uops[0].line, BODY_LINE);
    assert_string_equal(k->text[1], "ret");
    assert_int_equal(k->uops[1].line, BODY_LINE + 2);
    assert_int_equal(k->uops[2].line, BODY_LINE + 2);
    assert_int_equal(k->uops[2].target, 0);
    ptx_free(m);
}

/* A kernel without ret, or one whose last label has nothing behind it, returns at its end. */
static void end_of_kernel_returns(void **unused)
{
    (void)unused;
    struct ptx_module *m = body_parse("");
    assert_int_equal(m->kernels[0].num_uops, 1);
    assert_int_equal(m->kernels[0].uops[0].op, U_RET);
    assert_int_equal(m->kernels[0].uops[0].line, BODY_LINE + 1);
    ptx_free(m);
    m = body_parse("@%p1 bra END; ret; END:");
    assert_int_equal(m->kernels[0].num_uops, 3);
    assert_int_equal(m->kernels[0].uops[0].target, 2);
    assert_int_equal(m->kernels[0].uops[2].op, U_RET);
    ptx_free(m);
    m = body_parse("ret;");
    assert_int_equal(m->kernels[0].num_uops, 1);
    ptx_free(m);
}

static void trailing_nuls_belong_to_no_text(void **unused)
{
    (void)unused;
    static const char text[] = ".version 6.0\n.target sm_70\n.address_size 64\n\0\0";
    struct ptx_error error;
    struct ptx_module *m = ptx_parse("x", text, sizeof text, &error);
    assert_non_null(m);
    assert_int_equal(m->num_kernels, 0);
    ptx_free(m);
    ptx_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_have_kind_offset_and_size),
        cmocka_unit_test(nvcc_pointers_are_plain_values),
        cmocka_unit_test(kernels_come_in_order_and_are_found_by_name),
        cmocka_unit_test(memory_sizes),
        cmocka_unit_test(variables_and_initial_values),
        cmocka_unit_test(opaque_and_vector_variables),
        cmocka_unit_test(place_fills_in_addresses),
        cmocka_unit_test(text_is_single_spaced_and_has_its_line),
        cmocka_unit_test(end_of_kernel_returns),
        cmocka_unit_test(trailing_nuls_belong_to_no_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
