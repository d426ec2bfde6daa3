/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/tex_half_test.c: tests tb/exec/tex.c: results of .f16 and .f16x2, against the half that is
 * nearest of all there are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"

enum { ROW = 40 }; /* bytes of a row of texels */

static const struct format {
    const char *name;
    uint32_t bytes, kind;
    uint8_t shifts[4], widths[4];
} formats[] = {
    {"rgba unorm 8", 4, TEXEL_UNORM, {0, 8, 16, 24}, {8, 8, 8, 8}},
    {"rg snorm 16", 4, TEXEL_SNORM, {0, 16, 0, 0}, {16, 16, 0, 0}},
    {"565 unorm", 2, TEXEL_UNORM, {11, 5, 0, 0}, {5, 6, 5, 0}},
    {"r float", 4, TEXEL_FLOAT, {0}, {32, 0, 0, 0}},
    {"rgba half", 8, TEXEL_HALF, {0, 16, 32, 48}, {16, 16, 16, 16}},
    {"rg signed 8", 2, TEXEL_SIGNED, {0, 8, 0, 0}, {8, 8, 0, 0}},
    {"rg unsigned 32", 8, TEXEL_UNSIGNED, {0, 32, 0, 0}, {32, 32, 0, 0}},
};

static const uint32_t words[ROW / 4] = {0x3f800001, 0x80ff7f01, 0x477fefff, 0x477ff000, 0x33000001,
                                        0xc6fff000, 0x7c01fc00, 0x3a002000, 0x00000000, 0x12345678};

static double half_value(uint32_t half)
{
    const uint32_t e = half >> 10 & 31, f = half & 1023;
    return e ? ldexp(1024 + f, (int)e - 25) : ldexp(f, -24);
}

/* Of two that are as near, the even one; from halfway to the next power of two on, infinity. */
static uint32_t nearest_half(double x)
{
    const uint32_t sign = signbit(x) ? 0x8000 : 0;
    uint32_t nearest = 0x7c00;
    double distance = 65536 - fabs(x);
    if (x != x)
        return 0x7fff;
    for (uint32_t half = 0x7bff; half < 0x7c00; half--) {
        const double d = fabs(half_value(half) - fabs(x));
        if (d < distance || (d == distance && half % 2 == 0)) {
            nearest = half;
            distance = d;
        }
    }
    return sign | nearest;
}

/* Component c of the texel at `at`. */
static uint32_t plain_component(const struct format *f, const uint8_t *at, int c)
{
    uint32_t bits = 0;
    float x;
    if (f->widths[c] == 0)
        return c < 3 ? 0 : 0x3c00;
    for (unsigned i = 0; i < f->widths[c]; i++) {
        const unsigned n = f->shifts[c] + i;
        bits |= (uint32_t)(at[n / 8] >> n % 8 & 1) << i;
    }
    const double most = pow(2, f->widths[c]) - 1, half = pow(2, f->widths[c] - 1);
    const double number = bits >= half ? bits - 2 * half : bits;
    memcpy(&x, &bits, sizeof x);
    switch (f->kind) {
    case TEXEL_UNORM: return nearest_half(bits / most);
    case TEXEL_SNORM: return nearest_half(number < 1 - half ? -1 : number / (half - 1));
    case TEXEL_FLOAT: return nearest_half(x);
    case TEXEL_SIGNED: return (uint32_t)(int32_t)number & 0xffff;
    case TEXEL_HALF: return (bits & 0x7fff) > 0x7c00 ? 0x7fff : bits;
    default: return bits & 0xffff;
    }
}

/* Lanes beyond the row see the border, whose alpha is 1 for every second format. */
static void check(const struct format *f, const struct stepped *s, const char *text, int opaque)
{
    for (int lane = 0; lane < WARP_LANES; lane++)
        for (int c = 0; c < 4; c++) {
            const uint32_t got = written(s, c < 2 ? 3 : 4)[lane] >> 16 * (c % 2) & 0xffff;
            const uint32_t at = (uint32_t)lane * f->bytes;
            const uint32_t expected = at < ROW ? plain_component(f, (const uint8_t *)words + at, c)
                                      : c == 3 && opaque ? 0x3c00
                                                         : 0;
            if (got != expected)
                fail_msg("%s: %s lane %d component %d: %04x, expected %04x", text, f->name, lane, c,
                         got, expected);
        }
}

static void halves_of_every_format(void **state)
{
    static const char *const texts[] = {
        "tex.1d.v4.f16.s32 {%h0, %h1, %h2, %h3}, [%d1, {%r1}]; mov.b32 %r4, {%h0, %h1}; "
        "mov.b32 %r5, {%h2, %h3}; ret;",
        "tex.1d.v2.f16x2.s32 {%r2, %r3}, [%d1, {%r1}]; mov.b32 %r4, %r2; mov.b32 %r5, %r3; ret;",
        "tex.level.1d.v2.f16x2.s32 {%r1, %r3}, [%d1, {%r1}], 0f00000000; mov.b32 %r4, %r1; "
        "mov.b32 %r5, %r3; ret;"};
    (void)state;
    for (unsigned n = 0; n < sizeof texts / sizeof *texts; n++)
        for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
            const struct format *f = &formats[i];
            struct stepped s;
            char body[512];
            snprintf(body, sizeof body,
                     ".reg .b16 %%h<4>; mov.u32 %%r1, %%laneid; ld.param.u64 %%d1, [a];\n%s",
                     texts[n]);
            step_open(&s, body, WARP_LANES);
            struct gmem *g = s.program.gmem;
            const uint64_t texels = step_row(&s, (struct ptx_texture){0});
            struct ptx_texture *t = gmem_host(g, s.params[0], sizeof *t);
            t->width = (int32_t)(ROW / f->bytes);
            t->sampler = SAMPLER_BORDER;
            t->opaque_border = i % 2;
            t->texel_bytes = f->bytes;
            t->kind = f->kind;
            memcpy(t->shifts, f->shifts, sizeof t->shifts);
            memcpy(t->widths, f->widths, sizeof t->widths);
            memcpy(gmem_host(g, texels, ROW), words, ROW);
            for (int step = 0; step < 5; step++)
                if (step_once(&s) != EXEC_NEXT)
                    fail_msg("%s", s.fault.message);
            check(f, &s, texts[n], i % 2);
            step_close(&s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(halves_of_every_format)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
