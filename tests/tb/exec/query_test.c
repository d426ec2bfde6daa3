/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/query_test.c: tests tb/exec/query.c, what is asked of a surface, texture or sampler;
 * and of tb/exec/surf.c the faults, and the accesses that are put off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/exec/later.h"
#include "tests/tb/exec/surfaces.h"

static void queries(void **state)
{
    static const struct {
        const char *text;
        uint32_t sampler, expected;
    } table[] = {
        {"suq.width.b32 %r11, [%d4]", 0, WIDTH},
        {"suq.height.b32 %r11, [t]", 0, HEIGHT},
        {"suq.depth.b32 %r11, [%d4]", 0, DEPTH},
        {"suq.array_size.b32 %r11, [named]", 0, DEPTH},
        {"suq.channel_order.b32 %r11, [%d4]", 0, 0x10b5},
        {"suq.channel_data_type.b32 %r11, [%d4]", 0, 0x10d8},
        {"suq.memory_layout.b32 %r11, [%d4]", 0, 1},
        {"txq.width.b32 %r11, [named]", 0, WIDTH},
        {"txq.height.b32 %r11, [%d4]", 0, HEIGHT},
        {"txq.depth.b32 %r11, [%d4]", 0, DEPTH},
        {"txq.array_size.b32 %r11, [%d4]", 0, DEPTH},
        {"txq.channel_order.b32 %r11, [t]", 0, 0x10b5},
        {"txq.channel_data_type.b32 %r11, [%d4]", 0, 0x10d8},
        {"txq.level.width.b32 %r11, [%d4], 0", 0, WIDTH},
        {"txq.level.height.b32 %r11, [t], %r2", 0, HEIGHT},
        {"txq.level.depth.b32 %r11, [named], 0", 0, DEPTH},
        {"txq.num_mipmap_levels.b32 %r11, [%d4]", 0, 1},
        {"txq.num_samples.b32 %r11, [%d4]", 0, 1},
        {"txq.normalized_coords.b32 %r11, [%d4]", SAMPLER_NORMALIZED, 1},
        {"txq.normalized_coords.b32 %r11, [%d4]", SAMPLER_REPEAT, 0},
        {"txq.force_unnormalized_coords.b32 %r11, [%d4]", SAMPLER_NORMALIZED, 0},
        {"txq.force_unnormalized_coords.b32 %r11, [%d4]", SAMPLER_LINEAR, 1},
        {"txq.filter_mode.b32 %r11, [%d4]", SAMPLER_LINEAR, 1},
        {"txq.filter_mode.b32 %r11, [%d4]", SAMPLER_EDGE, 0},
        {"txq.addr_mode_0.b32 %r11, [%d4]", SAMPLER_REPEAT | SAMPLER_NORMALIZED, 0},
        {"txq.addr_mode_1.b32 %r11, [%d4]", SAMPLER_MIRROR, 1},
        {"txq.addr_mode_2.b32 %r11, [%d4]", SAMPLER_EDGE | SAMPLER_LINEAR, 3},
        {"txq.addr_mode_0.b32 %r11, [%d4]", SAMPLER_BORDER, 4},
        {"txq.addr_mode_0.b32 %r11, [%d4]", 0, 3},
        {"txq.addr_mode_0.b32 %r11, [sampling]", 0, 1},
        {"mov.u64 %d4, 4;\ntxq.addr_mode_0.b32 %r11, [%d4]", 0, 4},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        struct surface_bench b;
        char text[256];
        snprintf(text, sizeof text, "%s;\ncvt.u64.u32 %%d11, %%r11", table[i].text);
        surface_open(&b, text);
        const uint64_t places[] = {b.descriptor, b.program.module->vars[0].address};
        for (int k = 0; k < 2; k++) {
            surface_bind(&b, places[k], 4, TEXEL_UNORM);
            struct ptx_texture *t = gmem_host(b.program.gmem, places[k], sizeof *t);
            t->sampler = table[i].sampler;
            t->order = 0x10b5;
            t->data_type = 0x10d8;
        }
        surface_run_well(&b, text);
        for (int t = 0; t < THREADS; t++)
            if (b.results[t][0] != table[i].expected)
                fail_msg("%s: %llu, expected %u", text, (unsigned long long)b.results[t][0],
                         table[i].expected);
        surface_close(&b);
    }
}

/* Variables of the three types, bound or not; images of a driver; numbers; parameters; what is nothing. */
static void types_of_handles(void **state)
{
    static const struct {
        const char *operand;
        uint64_t t;           /* 0: the bound image's descriptor */
        const char *expected; /* whether .texref, .surfref, .samplerref */
    } table[] = {
        {"named", 0, "010"}, {"sampling", 0, "001"}, {"picture", 0, "100"},
        {"%d4", 0, "110"},   {"t", 0, "110"},        {"%d4", 4, "001"},
        {"t", 255, "001"},   {"t", 256, "000"},      {"%d4", ~0ull, "000"},
    };
    static const char *const types[] = {"texref", "surfref", "samplerref"};
    (void)state;
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        for (unsigned k = 0; k < 3; k++) {
            struct surface_bench b;
            char text[256];
            snprintf(
                text, sizeof text,
                ".reg .pred p, q; mov.pred p, 1; setp.lt.u32 q, %%r1, 5; @q istypep.%s p, %s;\n"
                "selp.u64 %%d11, 1, 0, p",
                types[k], table[i].operand);
            surface_open(&b, text);
            surface_bind(&b, b.descriptor, 4, TEXEL_UNORM);
            b.descriptor = table[i].t ? table[i].t : b.descriptor;
            surface_run_well(&b, text);
            for (int t = 0; t < THREADS; t++) /* the others are guarded off */
                if (b.results[t][0] != (t >= 5 || table[i].expected[k] == '1'))
                    fail_msg("%s: thread %d: %llu", text, t, (unsigned long long)b.results[t][0]);
            surface_close(&b);
        }
}

static void faults(void **state)
{
    static const struct {
        const char *text, *message;
        int x, y;
        uint32_t bytes, kind;
    } table[] = {
        {"suld.b.2d.b32.trap %r11, [%d4, {%r2, %r3}]",
         "the coordinates are outside of the surface of 8 x 4 x 3", 32, 0, 4, TEXEL_SIGNED},
        {"suld.b.2d.b32.trap %r11, [%d4, {%r2, %r3}]", "outside of the surface", -4, 0, 4, 2},
        {"suld.b.2d.v2.b32.trap {%r11, %r12}, [%d4, {%r2, %r3}]", "outside of the surface", 28, 0,
         4, 2},
        {"sust.b.2d.b32.trap [%d4, {%r2, %r3}], %r11", "outside of the surface", 0, 4, 4, 2},
        {"sured.b.add.2d.u32.trap [%d4, {%r2, %r3}], %r11", "outside of the surface", 0, -1, 4, 2},
        {"suld.b.2d.b32.zero %r11, [%d4, {%r2, %r3}]", "not a multiple of 4", 2, 0, 4, 2},
        {"sust.b.2d.b64.clamp [%d4, {%r2, %r3}], %d11", "not a multiple of 8", 4, 0, 4, 2},
        {"sust.p.2d.b32.zero [%d4, {%r2, %r3}], %r11", "0x1234 is not a bound surface", 0, 0, 0, 2},
        {"suq.width.b32 %r11, [%d4]", "0x1234 is not a bound texture, surface or sampler", 0, 0, 0,
         2},
        {"sured.p.add.2d.b32.zero [%d4, {%r2, %r3}], %r11",
         "the surface's texels are not integers of 4 bytes", 0, 0, 4, TEXEL_UNORM},
        {"sured.p.add.2d.b32.zero [%d4, {%r2, %r3}], %r11", "not integers of 4 bytes", 0, 0, 2,
         TEXEL_SIGNED},
        {"suld.b.1d.v4.b32.clamp {%r11, %r12, %r13, %r14}, [%d4, %r2]", "outside of the surface", 0,
         0, 1, 2},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        struct surface_bench b;
        struct exec_fault fault;
        surface_open(&b, table[i].text);
        surface_bind(&b, b.descriptor, table[i].bytes, table[i].kind);
        b.descriptor = table[i].bytes ? b.descriptor : 0x1234;
        for (int t = 0; t < THREADS; t++) {
            b.coordinates[t][0] = t == 40 ? table[i].x : 0;
            b.coordinates[t][1] = t == 40 ? table[i].y : 0;
        }
        assert_int_equal(surface_run(&b, &fault), -1);
        if (!strstr(fault.message, table[i].message))
            fail_msg("%s: %s", table[i].text, fault.message);
        surface_close(&b);
    }
}

/* A warp stores, adds to and loads the same texels within a window, and overwrites the operands
 * meanwhile; what the timing model is told. */
static void accesses_that_are_put_off(void **state)
{
    struct stepped s;
    struct exec_later later = {0};
    (void)state;
    step_open(&s,
              "mov.u32 %r1, %laneid; ld.param.u64 %d1, [a]; mad.lo.u32 %r2, %r1, 3, 7;\n"
              "sust.p.1d.b32.zero [%d1, {%r1}], %r2; mov.u32 %r2, 1000;\n"
              "shl.b32 %r3, %r1, 2; sured.b.add.1d.u32.zero [%d1, {%r3}], %r2; mov.u32 %r2, 0;\n"
              "suld.b.1d.b32.zero %r4, [%d1, {%r3}]; ret;",
              32);
    struct gmem *g = s.program.gmem;
    const uint64_t texels = step_row(&s, (struct ptx_texture){.written = 1});
    assert_int_equal(exec_later_init(&later, 8), 0);
    s.block.later = &later;
    for (int i = 0; i < 9; i++) {
        assert_int_equal(step_once(&s), EXEC_NEXT);
        if (i != 3 && i != 6 && i != 8)
            continue;
        assert_int_equal(s.access.space, SPACE_GLOBAL);
        assert_int_equal(s.access.bytes, 4);
        assert_int_equal(s.access.mask, 0x3ff);
        assert_int_equal(s.access.is_store, i == 3);
        assert_int_equal(s.access.is_atomic, i == 6);
        for (int lane = 0; lane < 10; lane++)
            assert_int_equal(s.access.address[lane], texels + 4 * (uint64_t)lane);
    }
    const uint32_t *image = gmem_host(g, texels, 64);
    assert_int_equal(later.count, 3);
    assert_int_equal(image[3], 0);
    exec_later_perform(&later);
    for (uint32_t lane = 0; lane < 32; lane++) {
        const uint32_t expected = lane < 10 ? 3 * lane + 7 + 1000 : 0;
        assert_int_equal(written(&s, 8)[lane], expected);
        assert_int_equal(lane < 16 ? image[lane] : 0, expected);
    }
    exec_later_free(&later);
    step_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries),
        cmocka_unit_test(types_of_handles),
        cmocka_unit_test(faults),
        cmocka_unit_test(accesses_that_are_put_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
