/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/ptx/operand_test.c: where registers, constants and addresses lie, and what the
 * scoreboard is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/ptx/ptx_support.h"

/* The bits that all 32 lanes of a constant have; fails where they differ. */
static uint64_t constant(const struct ptx_kernel *k, uint32_t operand, size_t lane_bytes)
{
    assert_true(operand != UOP_NONE && operand & UOP_CONST);
    const uint8_t *lanes = k->constants + (operand & ~UOP_CONST);
    uint64_t bits = 0;
    memcpy(&bits, lanes, lane_bytes);
    for (size_t lane = 0; lane < WARP_LANES; lane++)
        assert_memory_equal(lanes + lane * lane_bytes, &bits, lane_bytes);
    return bits;
}

static void specials_lie_at_their_numbers(void **unused)
{
    (void)unused;
    static const char *const names[NUM_SPECIALS] = {
        "%tid.x",   "%tid.y",   "%tid.z",    "%ntid.x",   "%ntid.y",   "%ntid.z",  "%ctaid.x",
        "%ctaid.y", "%ctaid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z", "%envreg0", "%envreg1",
        "%envreg2", "%envreg3", "%laneid",   "%warpid",   "%nwarpid"};
    for (uint32_t i = 0; i < NUM_SPECIALS; i++) {
        char statements[64];
        snprintf(statements, sizeof statements, "mov.u32 %%r1, %s;", names[i]);
        struct ptx_module *m = body_parse(statements);
        const struct uop *u = &m->kernels[0].uops[0];
        assert_int_equal(u->src[0], 128 * i);
        assert_int_equal(u->num_reads, 0);
        assert_int_equal(u->num_writes, 1);
        ptx_free(m);
    }
}

/* Each register has its own place: 128 bytes up to 32 bits, 256 bytes and a multiple of 64 for 64
 * bits, 4 for .pred. */
static void registers_do_not_overlap(void **unused)
{
    (void)unused;
    struct ptx_module *m = body_parse(
        "mov.u64 %d1, 1; mov.pred %p1, 1; mov.u16 %h1, 1; mov.f64 %e1, %e2; mov.pred %p2, 0;"
        "mov.f32 %f1, %f2; mov.u32 %r1, %r2; mov.u64 %d2, %d1;");
    const struct ptx_kernel *k = &m->kernels[0];
    static const uint32_t sizes[8] = {256, 4, 128, 256, 4, 128, 128, 256};
    uint32_t at[16], size[16], count = 0;
    for (int i = 0; i < 8; i++) {
        at[count] = k->uops[i].dst[0];
        size[count++] = sizes[i];
        if (!(k->uops[i].src[0] & UOP_CONST) && k->uops[i].src[0] != k->uops[0].dst[0]) {
            at[count] = k->uops[i].src[0];
            size[count++] = sizes[i];
        }
    }
    assert_int_equal(count, 11);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(at[i] >= 128 * NUM_SPECIALS && at[i] + size[i] <= k->reg_bytes);
        assert_true(size[i] == 4 || at[i] % 64 == 0);
        for (uint32_t j = 0; j < i; j++)
            assert_true(at[i] >= at[j] + size[j] || at[j] >= at[i] + size[i]);
    }
    assert_int_equal(k->num_regs, NUM_SPECIALS + 11);
    assert_int_equal(k->uops[7].src[0], k->uops[0].dst[0]);
    assert_int_equal(k->reg_bytes % 64, 0);
    ptx_free(m);
}

static void constants_are_shared_and_masked(void **unused)
{
    (void)unused;
    struct ptx_module *m =
        body_parse("add.s32 %r1, %r2, -1; and.b32 %r1, %r2, 0xffffffff; add.u16 %h1, %h2, -1;"
                   "add.s64 %d1, %d2, -1; add.f32 %f1, %f2, -0f3F800000; mov.f32 %f1, 1.5;"
                   "mov.pred %p1, 7; mov.pred %p1, 0; mov.f64 %e1, -0.5; mov.b32 %r1, 0f3FC00000;"
                   "st.global.u8 [%d1], -2;");
    const struct ptx_kernel *k = &m->kernels[0];
    const struct uop *u = k->uops;
    assert_int_equal(constant(k, u[0].src[1], 4), 0xffffffff);
    assert_int_equal(u[1].src[1], u[0].src[1]);
    assert_int_equal(constant(k, u[2].src[1], 4), 0xffff);
    assert_true(constant(k, u[3].src[1], 8) == UINT64_MAX);
    assert_int_equal(constant(k, u[4].src[1], 4), 0xbf800000);
    assert_int_equal(constant(k, u[5].src[0], 4), 0x3fc00000);
    assert_int_equal(constant(k, u[6].src[0], 4), 0xffffffff);
    assert_int_equal(constant(k, u[7].src[0], 4), 0);
    assert_true(constant(k, u[8].src[0], 8) == 0xbfe0000000000000ull);
    assert_int_equal(u[9].src[0], u[5].src[0]);
    assert_int_equal(constant(k, u[10].vsrc[0], 4), 0xfe);
    assert_int_equal((uintptr_t)k->constants % 64, 0);
    assert_int_equal(k->const_bytes, 6 * 128 + 2 * 256);
    ptx_free(m);
}

/* 129 different 64-bit constants do not alias, and every one has all its lanes. */
static void many_constants(void **unused)
{
    (void)unused;
    char text[129 * 40] = "";
    for (int i = 0; i < 129; i++)
        sprintf(text + strlen(text), "mov.u64 %%d1, %llu;", i * 0x100000001ull);
    struct ptx_module *m = body_parse(text);
    for (int i = 0; i < 129; i++)
        assert_true(constant(&m->kernels[0], m->kernels[0].uops[i].src[0], 8) ==
                    i * 0x100000001ull);
    assert_int_equal(m->kernels[0].const_bytes, 129 * 256);
    ptx_free(m);
}

/* Constants that hash alike are told apart by width and by variable. */
static void constants_with_equal_bits(void **unused)
{
    (void)unused;
    enum { VALUES = 4000, VARS = 300 };
    char *text = calloc(VALUES + VARS, 64), *at = text;
    for (int i = 0; i < VALUES; i++)
        at += sprintf(at, "mov.u32 %%r1, %d; mov.u64 %%d1, %d;", i, i);
    for (int i = 0; i < VARS; i++)
        at += sprintf(at, ".global .u8 v%d; mov.u64 %%d1, v%d;", i, i);
    struct ptx_module *m = body_parse(text);
    const struct ptx_kernel *k = &m->kernels[0];
    uint64_t next = 1;
    assert_int_equal(ptx_place(m, place_upwards, &next), 0);
    for (int i = 0; i < VALUES; i++) {
        assert_int_equal(constant(k, k->uops[2 * i].src[0], 4), i);
        assert_int_equal(constant(k, k->uops[2 * i + 1].src[0], 8), i);
    }
    for (int i = 0; i < VARS; i++)
        assert_int_equal(constant(k, k->uops[2 * VALUES + i].src[0], 8), m->vars[2 + i].address);
    ptx_free(m);
    free(text);
}

/* Every variable starts at a multiple of its alignment, which is at least its type's size. */
static void variables_are_aligned(void **unused)
{
    (void)unused;
    struct ptx_module *m =
        body_parse(".shared .u8 o; .shared .u64 b; .shared .u8 w; .shared .align 32 .b8 d[3];"
                   ".local .u16 e; .local .f32 f; mov.u64 %d1, o; mov.u64 %d1, b; mov.u64 %d1, w;"
                   "mov.u64 %d1, d; mov.u64 %d1, e; mov.u64 %d1, f;");
    const struct ptx_kernel *k = &m->kernels[0];
    static const uint32_t expected[] = {0, 8, 16, 32, 0, 4};
    for (int i = 0; i < 6; i++)
        assert_int_equal(constant(k, k->uops[i].src[0], 8), expected[i]);
    assert_int_equal(k->shared_bytes, 35);
    assert_int_equal(k->local_bytes, 8);
    ptx_free(m);
}

static void addresses(void **unused)
{
    (void)unused;
    struct ptx_module *m =
        body_parse(".shared .align 8 .b8 own[20]; .shared .u16 word; .local .align 16 .b8 "
                   "depot[40]; .local .u8 byte;\n"
                   "ld.global.u32 %r1, [%d1+-8]; ld.global.u32 %r1, [%d1+4-16]; ld.shared.u32 %r1, "
                   "[own+4]; ld.shared.u16 %h1, [word];"
                   "ld.local.u8 %r1, [byte+1]; ld.param.u32 %r1, [n]; ld.param.f64 %e1, [s+8]; "
                   "ld.global.u32 %r1, [4096];"
                   "mov.u64 %d1, word; mov.u32 %r1, word; mov.u64 %d1, byte; mov.u64 %d1, s+8; "
                   "cvta.shared.u64 %d1, own;"
                   "ld.param.u32 %r1, [%d1+4]; ld.global.u32 %r1, [g+12]; mov.u64 %d1, c+2; "
                   "st.shared.u32 [sh], 1; ld.u32 %r1, [g];"
                   "ld.param.u32 %r1, [8]; add.s64 %d1, %d2, own; mov.u64 %d1, depot;");
    const struct ptx_kernel *k = &m->kernels[0];
    const struct uop *u = k->uops;
    uint64_t next = 0x1000;
    assert_int_equal(ptx_place(m, place_upwards, &next), 0);
    assert_int_equal(k->shared_bytes, 16 + 20 + 2); /* sh[4] of the module, own, word */
    assert_int_equal(k->local_bytes, 41);
    assert_true(u[0].offset == -8 && u[1].offset == -12);
    assert_int_equal(u[0].src[0], u[1].src[0]);
    assert_true(u[2].src[0] == UOP_NONE && u[2].offset == 20);
    assert_true(u[3].src[0] == UOP_NONE && u[3].offset == 36);
    assert_true(u[4].src[0] == UOP_NONE && u[4].offset == 41);
    assert_true(u[5].src[0] == UOP_NONE && u[5].offset == 8);
    assert_true(u[6].src[0] == UOP_NONE && u[6].offset == 24);
    assert_true(u[7].src[0] == UOP_NONE && u[7].offset == 4096);
    assert_int_equal(constant(k, u[8].src[0], 8), 36);
    assert_int_equal(constant(k, u[9].src[0], 4), 36);
    assert_int_equal(constant(k, u[10].src[0], 8), 40);
    assert_int_equal(constant(k, u[11].src[0], 8), 24);
    assert_int_equal(constant(k, u[12].src[0], 8), 16);
    assert_true(u[13].src[0] != UOP_NONE && !(u[13].src[0] & UOP_CONST) && u[13].offset == 4);
    assert_int_equal(constant(k, u[14].src[0], 8), m->vars[0].address);
    assert_int_equal(u[14].offset, 12);
    assert_int_equal(constant(k, u[15].src[0], 8), m->vars[1].address + 2);
    assert_true(u[16].src[0] == UOP_NONE && u[16].offset == 0);
    assert_int_equal(u[17].src[0], u[14].src[0]);
    assert_int_equal(u[18].offset, 8);
    assert_int_equal(u[19].src[1], u[12].src[0]);
    ptx_free(m);
}

/* .extern .shared begins behind the static memory, at a multiple of 16 and of its own alignment. */
static void dynamic_shared_memory(void **unused)
{
    (void)unused;
    static const char text[] =
        ".version 6.0 .target sm_70 .address_size 64\n.extern .shared .align %d .b8 dyn[];"
        ".entry k() { .shared .b8 own[%d]; .reg .b64 %%d; mov.u64 %%d, own; mov.u64 %%d, dyn; }"
        ".entry other() { ret; }";
    static const struct {
        int align, own, expected;
    } cases[] = {{4, 1, 16}, {16, 16, 16}, {64, 17, 64}, {128, 128, 128}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char filled[sizeof text + 32];
        struct ptx_error error;
        snprintf(filled, sizeof filled, text, cases[i].align, cases[i].own);
        struct ptx_module *m = ptx_parse("d", filled, strlen(filled), &error);
        assert_non_null(m);
        const struct ptx_kernel *k = &m->kernels[0];
        assert_true(k->uses_dynamic_shared && !m->kernels[1].uses_dynamic_shared);
        assert_int_equal((k->shared_bytes + 15) / 16 * 16, cases[i].expected);
        assert_int_equal(constant(k, k->uops[1].src[0], 8), cases[i].expected);
        ptx_free(m);
    }
}

/* Expects exactly these numbers, given as the destinations of earlier movs. */
static void expect_reads(const struct ptx_kernel *k, uint32_t at, const char *expected)
{
    char got[64] = "";
    for (int i = 0; i < k->uops[at].num_reads; i++)
        sprintf(got + strlen(got), "%d ", k->uops[at].reads[i] - NUM_SPECIALS);
    strcat(got, "->");
    for (int i = 0; i < k->uops[at].num_writes; i++)
        sprintf(got + strlen(got), " %d", k->uops[at].writes[i] - NUM_SPECIALS);
    assert_string_equal(got, expected);
}

/* Registers are numbered in order of first use: %r1 to %r4 are 0 to 3, %d1 is 4, %p1 is 5, %p2
 * is 6. */
static void scoreboard(void **unused)
{
    (void)unused;
    struct ptx_module *m = body_parse("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d1]; setp.lt.s32 "
                                      "%p1|%p2, %r1, 5; @%p1 add.s32 %r1, %r2, %r2;"
                                      "@!%p1 st.global.v4.u32 [%d1], {%r1, %r2, %r1, 7}; selp.u32 "
                                      "%r3, %r1, %tid.x, %p2; @%p2 bra L; L:"
                                      "ld.global.v2.u32 {%r1, _}, [%d1]; red.global.add.u32 [%d1], "
                                      "%r4; setp.eq.or.u32 _|%p2, %r1, 0, !%p1;"
                                      "atom.global.cas.b32 %r1, [%d1], %r2, %r3; mov.b64 {%r1, "
                                      "%r2}, %d1; mov.b64 %d1, {%r3, %r3}; bar.sync 0;");
    const struct ptx_kernel *k = &m->kernels[0];
    static const char *const expected[] = {
        "4 -> 0 1 2 3", "0 -> 5 6", "5 1 -> 0",   "5 4 0 1 ->", "0 6 -> 2", "6 ->", "4 -> 0",
        "4 3 ->",       "0 5 -> 6", "4 1 2 -> 0", "4 -> 0 1",   "2 -> 4",   "->"};
    for (uint32_t i = 0; i < sizeof expected / sizeof *expected; i++)
        expect_reads(k, i, expected[i]);
    assert_int_equal(k->uops[8].dst[1] != UOP_NONE, 1);
    ptx_free(m);
}

/* A sink is a place of its own: nobody else's register. */
static void sinks_harm_nobody(void **unused)
{
    (void)unused;
    struct ptx_module *m = body_parse(
        "ld.global.v2.u64 {_, %d1}, [%d2]; mov.b32 {_, %h1}, %r1; setp.eq.s32 _|%p1, %r1, 1;"
        "setp.eq.s32 %p2|_, %r1, 1; red.global.add.u64 [%d1], %d2;");
    const struct ptx_kernel *k = &m->kernels[0];
    uint32_t sink = k->uops[0].dst[0];
    assert_true(sink % 64 == 0 && sink + 256 <= k->reg_bytes);
    for (uint32_t i = 0; i < k->num_uops; i++)
        for (int j = 0; j < 4; j++) {
            uint32_t dst = k->uops[i].dst[j], src = k->uops[i].src[j];
            assert_true(dst == UOP_NONE || dst == sink || dst + 4 <= sink || dst >= sink + 256);
            assert_true(src == UOP_NONE || src & UOP_CONST || src + 4 <= sink || src >= sink + 256);
        }
    assert_int_equal(k->uops[1].dst[0], sink);
    assert_int_equal(k->uops[2].dst[0], sink);
    assert_int_equal(k->uops[3].dst[1], sink);
    assert_int_equal(k->uops[4].dst[0], sink);
    ptx_free(m);
}

/* An inner block's registers and labels hide those outside, and end with it. */
static void inner_scopes(void **unused)
{
    (void)unused;
    struct ptx_module *m =
        body_parse("mov.u32 %r1, 1; L: { .reg .b64 %r<2>; mov.u64 %r1, 1; mov.u32 %r2, 2; bra L;"
                   "L: { mov.u64 %r1, 2; bra L; } } mov.u32 %r1, 3; { .reg .b64 %r1; mov.u64 %r1, "
                   "1; } bra L;");
    const struct uop *u = m->kernels[0].uops;
    assert_true(u[0].dst[0] != u[1].dst[0]);
    assert_int_equal(u[4].dst[0], u[1].dst[0]);
    assert_int_equal(u[6].dst[0], u[0].dst[0]);
    assert_true(u[7].dst[0] != u[1].dst[0] && u[7].dst[0] != u[0].dst[0]);
    assert_int_equal(u[3].target, 4);
    assert_int_equal(u[5].target, 4);
    assert_int_equal(u[8].target, 1);
    assert_int_equal(m->kernels[0].num_regs, NUM_SPECIALS + 4);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specials_lie_at_their_numbers),
        cmocka_unit_test(registers_do_not_overlap),
        cmocka_unit_test(constants_are_shared_and_masked),
        cmocka_unit_test(many_constants),
        cmocka_unit_test(constants_with_equal_bits),
        cmocka_unit_test(variables_are_aligned),
        cmocka_unit_test(addresses),
        cmocka_unit_test(dynamic_shared_memory),
        cmocka_unit_test(scoreboard),
        cmocka_unit_test(sinks_harm_nobody),
        cmocka_unit_test(inner_scopes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
