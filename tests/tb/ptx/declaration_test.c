/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/declaration_test.c: what real texts declare: arrays without a size, bytes of addresses,
 * variables of other modules, attributes, aliases, several targets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/ptx/ptx_support.h"

static const struct ptx_var *find_var(const struct ptx_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->num_vars; i++)
        if (!strcmp(m->vars[i].name, name))
            return &m->vars[i];
    fail_msg("no variable '%s'", name);
    return NULL;
}

static void expect_bytes(const struct ptx_module *m, const char *name, const void *bytes, size_t n)
{
    const struct ptx_var *var = find_var(m, name);
    assert_int_equal(var->size, n);
    assert_memory_equal(var->init, bytes, n);
}

/* PTX ISA, "Array Declarations": the values say how many there are. */
static void values_give_an_array_its_size(void **unused)
{
    (void)unused;
    struct ptx_module *m = kernels_parse(
        HEADER ".global .u32 index[] = { 0, 1, (2 + 1) * 2, 7, };\n"
               ".global .s16 offset[][2] = { {-1, 0}, {0}, {}, {1, 9} };\n"
               ".const .v2 .f32 bias[] = { {-1.0, 1.0} };\n"
               ".global .u64 p[] = { generic(index), index + 4, 5 };\n.entry k() { ret; }");
    expect_bytes(m, "index", (const uint32_t[]){0, 1, 6, 7}, 16);
    expect_bytes(m, "offset", (const int16_t[]){-1, 0, 0, 0, 0, 0, 1, 9}, 16);
    expect_bytes(m, "bias", (const float[]){-1, 1}, 8);
    assert_int_equal(find_var(m, "p")->size, 24);
    ptx_free(m);
}

/* PTX ISA, "Initializers": 0xff00(name) is the second byte of an address. */
static void bytes_of_addresses(void **unused)
{
    (void)unused;
    struct ptx_module *m = kernels_parse(
        HEADER
        ".func f() { ret; }\n.global .align 8 .b8 pad[8];\n.global .align 256 .b8 foo[1000];\n"
        ".global .u8 low[] = {0xff(foo), 0xFF00(foo), 0xff0000(foo), 0xff000000(foo),\n"
        "0xff00000000(foo), 0xff0000000000(foo), 0xff000000000000(foo),\n"
        "0xff00000000000000(foo), 77};\n"
        ".global .b8 far[3] = {1, 0xff00(generic(foo)+515), 0xff(foo+515)};\n"
        ".global .b8 code[2] = {0xff(f), 0xff00000000000000(f)};\n"
        ".global .b64 whole = f;\n.entry k() { ret; }");
    uint64_t next = 0x1234567890abc, whole;
    assert_int_equal(ptx_place(m, place_upwards, &next), 0);
    const uint64_t foo = find_var(m, "foo")->address;
    uint8_t low[9], far[3] = {1, (uint8_t)((foo + 515) >> 8), (uint8_t)(foo + 515)};
    assert_true(foo > UINT64_C(1) << 40);
    for (int n = 0; n < 8; n++)
        low[n] = (uint8_t)(foo >> 8 * n);
    low[8] = 77;
    expect_bytes(m, "low", low, 9);
    expect_bytes(m, "far", far, 3);
    memcpy(&whole, find_var(m, "whole")->init, 8);
    expect_bytes(m, "code", (const uint8_t[]){(uint8_t)whole, (uint8_t)(whole >> 56)}, 2);
    assert_true(whole >> 56 != 0);
    ptx_free(m);
}

/* Modules are not linked, but a text may say more than its kernels need. */
static void variables_of_other_modules(void **unused)
{
    (void)unused;
    struct ptx_module *m = kernels_parse(
        HEADER
        ".extern .const .align 4 .u32 c;\n.extern .global .align 4 .b8 x[];\n"
        ".extern .global .align 4 .b8 x[];\n.extern .shared .u64 stacks[32];\n"
        ".extern .global .u32 y[4];\n.extern .shared .u32 z[4];\n"
        ".entry early() { .reg .u32 r; ld.global.u32 r, [y+12]; ret; }\n"
        ".entry never() { .reg .u64 r;\nmov.u64 r, x; ret; }\n"
        ".visible .global .u32 y[4] = {1, 2, 3, 4};\n.extern .global .u32 y[4];\n"
        ".visible .shared .u32 z[4];\n"
        ".entry late() { .reg .u32 r; st.shared.u32 [z+12], 5; ld.global.u32 r, [y]; ret; }\n"
        ".entry nor() { .reg .u64 r; .reg .u32 s;\nld.shared.u64 r, [stacks]; ret; }\n");
    static const char *const refused[] = {
        NULL, "k.ptx:12: 'x' is .extern; expected its definition: modules are not linked", NULL,
        "k.ptx:18: 'stacks' is .extern; expected its definition: modules are not linked"};
    assert_int_equal(m->num_kernels, 4);
    for (int k = 0; k < 4; k++) {
        if (!m->kernels[k].refused != !refused[k])
            fail_msg("kernel %d is %s", k, refused[k] ? "accepted" : "refused");
        if (refused[k])
            assert_string_equal(m->kernels[k].refused, refused[k]);
    }
    assert_int_equal(m->num_vars, 1);
    expect_bytes(m, "y", (const uint32_t[]){1, 2, 3, 4}, 16);
    assert_int_equal(m->kernels[2].shared_bytes, 16);
    ptx_free(m);
}

static void attributes_and_targets(void **unused)
{
    (void)unused;
    struct ptx_module *m = kernels_parse(
        ".version 8.3\n.target texmode_independent, sm_60\n.address_size 64\n.target sm_70, debug\n"
        ".visible .global .attribute(.managed) .align 8 .u32 a = 5;\n"
        ".global .align 16 .attribute(.unified(19, (95))) .attribute(.managed) .u16 b = 6;\n"
        ".func .attribute(.unified(1,2)) (.param .u32 r) f(.param .u32 x)\n"
        "{ .reg .u32 t; ld.param::func.u32 t, [x]; st.param::func.u32 [r], t; ret; }\n"
        ".entry k(.param .u32 n) { .reg .u32 t; .param .u32 x; .param .u32 r;\n"
        "ld.param::entry.u32 t, [n];\nst.param::func.u32 [x], t;\ncall (r), f, (x);\n"
        "ld.param::func.u32 t, [r];\nret; }\n");
    assert_int_equal(find_var(m, "a")->align, 8);
    assert_int_equal(find_var(m, "b")->align, 16);
    expect_bytes(m, "a", (const uint32_t[]){5}, 4);
    expect_bytes(m, "b", (const uint16_t[]){6}, 2);
    assert_null(m->kernels[0].refused);
    ptx_free(m);
}

/* Kernels that need clusters are refused, the others of their module are not. */
static void clusters(void **unused)
{
    (void)unused;
    static const struct {
        const char *directives, *refused;
    } table[] = {
        {".maxclusterrank 8 .reqntid 32", NULL},
        {".reqnctapercluster 1", NULL},
        {".reqnctapercluster 1, 1, 1", NULL},
        {".reqnctapercluster 2", "'.reqnctapercluster'"},
        {".reqntid 32 .reqnctapercluster 1, 1, 3", "'.reqnctapercluster'"},
        {".reqnctapercluster 65536, 65536", "'.reqnctapercluster'"},
        {".explicitcluster", "'.explicitcluster'"},
        {".blocksareclusters .reqntid 32 .reqnctapercluster 1", "'.blocksareclusters'"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[512], expected[256];
        snprintf(text, sizeof text,
                 HEADER ".entry a(.param .u64 n)\n%s { .reg .u32 r; mov.u32 r, 5; }\n"
                        ".entry b(.param .u64 n) { ret; }\n",
                 table[i].directives);
        struct ptx_module *m = kernels_parse(text);
        assert_int_equal(m->num_kernels, 2);
        assert_int_equal(m->kernels[0].num_params, 1);
        assert_null(m->kernels[1].refused);
        snprintf(expected, sizeof expected,
                 "k.ptx:5: directive %s needs clusters of thread blocks, which the machine has not",
                 table[i].refused ? table[i].refused : "");
        if (!m->kernels[0].refused != !table[i].refused)
            fail_msg("%s: %s", table[i].directives, table[i].refused ? "accepted" : "refused");
        if (table[i].refused)
            assert_string_equal(m->kernels[0].refused, expected);
        ptx_free(m);
    }
}

/* PTX ISA, ".alias": the one function under two names, called and as a pointer. */
static void aliases(void **unused)
{
    (void)unused;
    struct ptx_module *m = kernels_parse(
        HEADER ".func (.reg .b32 r) f (.reg .b32 x);\n"
               ".func (.reg .b32 r) g (.reg .b32 x)\n{ add.s32 r, x, 1; ret; }\n"
               ".entry before() { .reg .b32 a;\ncall (a), f, (4); ret; }\n.alias f, g;\n"
               ".entry after() { .reg .b32 a;\ncall (a), f, (4); ret; }\n"
               ".global .b64 table[2] = {f, g};\n");
    for (int k = 0; k < 2; k++) {
        const struct ptx_kernel *kernel = &m->kernels[k];
        assert_null(kernel->refused);
        find_text(kernel, "add.s32 r, x, 1", 0);
    }
    uint64_t table[2];
    memcpy(table, find_var(m, "table")->init, sizeof table);
    assert_true(table[0] == table[1] && table[0] == ptx_function_address(1));
    ptx_free(m);
}

/* The size of a texture, which whoever binds it overwrites. */
static void properties_of_textures(void **unused)
{
    (void)unused;
    struct ptx_module *m = kernels_parse(
        ".version 3.1\n.target sm_20\n.target texmode_independent\n"
        ".global .texref t = {width = 16, height = 8, depth = 3, channel_data_type = 0x10DE,\n"
        "channel_order = 4277, normalized_coords = 1, addr_mode_0 = wrap};\n"
        ".global .surfref u = { width = 20, array_size = 7 };\n"
        ".global .samplerref s = {filter_mode = nearest};\n.entry k() { ret; }\n");
    static const uint8_t kinds[] = {OPAQUE_TEXREF, OPAQUE_SURFREF, OPAQUE_SAMPLERREF};
    struct ptx_texture t;
    for (int i = 0; i < 3; i++)
        assert_int_equal(m->vars[i].opaque, kinds[i]);
    memcpy(&t, find_var(m, "t")->init, sizeof t);
    assert_true(t.width == 16 && t.height == 8 && t.depth == 3);
    assert_true(t.data_type == 0x10de && t.order == 4277);
    assert_int_equal(t.sampler, SAMPLER_NORMALIZED | SAMPLER_REPEAT);
    memcpy(&t, find_var(m, "u")->init, sizeof t);
    assert_true(t.width == 20 && t.height == 0 && t.depth == 7);
    assert_int_equal(find_var(m, "s")->size, 4);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_give_an_array_its_size),
        cmocka_unit_test(bytes_of_addresses),
        cmocka_unit_test(variables_of_other_modules),
        cmocka_unit_test(attributes_and_targets),
        cmocka_unit_test(aliases),
        cmocka_unit_test(clusters),
        cmocka_unit_test(properties_of_textures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
