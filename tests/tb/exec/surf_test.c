/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/surf_test.c: tests tb/exec/surf.c: loads, stores and reductions of surfaces of
 * every geometry against a plain walk over the image, byte by byte. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/surfaces.h"
#include "tests/tb/ptx/ptx_support.h"

/* {%r11, %r12}, or %r11. */
static const char *vector(char out[64], char letter, int count)
{
    snprintf(out, 64, count == 1 ? "%%%c11" : "{%%%c11, %%%c12", letter, letter);
    if (count == 4)
        snprintf(out + strlen(out), 64 - strlen(out), ", %%%c13, %%%c14", letter, letter);
    return count == 1 ? out : strcat(out, "}");
}

static const struct {
    const char *type;
    char letter;
    int bytes;
} types[] = {{"b8", 'h', 1}, {"b16", 'h', 2}, {"b32", 'r', 4}, {"b64", 'd', 8}, {"b8", 'd', 1}};

/* All surface_geometries, types, vectors and surface_modes of suld.b and sust.b, of texels of 4 bytes. */
static void by_bytes(const struct surface_geometry *g, unsigned n, int count, int mode, int stores)
{
    struct surface_bench b;
    char text[512], data[64];
    const int bytes = types[n].bytes * count, places = (4 * WIDTH - bytes) / bytes + 1;
    const char *vec = count == 4 ? ".v4" : count == 2 ? ".v2" : "";
    vector(data, types[n].letter, count);
    if (stores)
        snprintf(text, sizeof text, "sust.b.%s%s.%s.%s [%%d4, %s], %s", g->name, vec, types[n].type,
                 surface_modes[mode], g->coordinates, data);
    else
        snprintf(text, sizeof text, "suld.b.%s%s.%s.%s %s, [%%d4, %s]", g->name, vec, types[n].type,
                 surface_modes[mode], data, g->coordinates);
    const char what[] = {types[n].letter, '\0'};
    char widen[256] = "";
    for (int i = 11; i <= 14 && !stores && *what != 'd'; i++)
        snprintf(widen + strlen(widen), sizeof widen - strlen(widen),
                 ";\ncvt.u64.u%d %%d%d, %%%c%d", *what == 'h' ? 16 : 32, i, *what, i);
    strcat(text, widen);
    surface_open(&b, text);
    surface_bind(&b, b.descriptor, 4, TEXEL_UNSIGNED);
    surface_place(&b, g, mode == TRAP, places, bytes);
    surface_run_well(&b, text);
    for (int t = 0; t < THREADS; t++) {
        const int at = surface_plain(&b, g, t, mode, places, bytes, 1);
        for (int e = 0; e < count; e++) {
            uint64_t x = 0;
            if (at >= 0 && stores)
                memcpy(b.before + at + e * types[n].bytes, &b.given[t][e], (size_t)types[n].bytes);
            if (at >= 0)
                memcpy(&x, b.before + at + e * types[n].bytes, (size_t)types[n].bytes);
            if (!stores && b.results[t][e] != x)
                fail_msg("%s: thread %d element %d: %llx, expected %llx", text, t, e,
                         (unsigned long long)b.results[t][e], (unsigned long long)x);
        }
    }
    if (memcmp(b.image, b.before, BYTES))
        fail_msg("%s: the image differs", text);
    surface_close(&b);
}

static void loads_and_stores_by_bytes(void **state)
{
    (void)state;
    for (unsigned g = 0; g < NUM_GEOMETRIES; g++)
        for (unsigned n = 0; n < sizeof types / sizeof *types; n++)
            for (int count = 1; count <= 4 && count * types[n].bytes <= 16; count *= 2)
                for (int mode = 0; mode < 6; mode++)
                    by_bytes(&surface_geometries[g], n, count, mode / 2, mode % 2);
}

static const struct format {
    const char *name;
    uint32_t bytes, kind;
    uint8_t shifts[4], widths[4];
} formats[] = {
    {"rgba unorm 8", 4, TEXEL_UNORM, {0, 8, 16, 24}, {8, 8, 8, 8}},
    {"565 unorm", 2, TEXEL_UNORM, {11, 5, 0, 0}, {5, 6, 5, 0}},
    {"bgra snorm 8", 4, TEXEL_SNORM, {16, 8, 0, 24}, {8, 8, 8, 8}},
    {"rg snorm 16", 4, TEXEL_SNORM, {0, 16, 0, 0}, {16, 16, 0, 0}},
    {"r float", 4, TEXEL_FLOAT, {0}, {32, 0, 0, 0}},
    {"rgba float", 16, TEXEL_FLOAT, {0}, {32, 32, 32, 32}},
    {"rgba half", 8, TEXEL_HALF, {0, 16, 32, 48}, {16, 16, 16, 16}},
    {"rgba signed 8", 4, TEXEL_SIGNED, {0, 8, 16, 24}, {8, 8, 8, 8}},
    {"rg unsigned 16", 4, TEXEL_UNSIGNED, {0, 16, 0, 0}, {16, 16, 0, 0}},
    {"rg signed 32", 8, TEXEL_SIGNED, {0, 32, 0, 0}, {32, 32, 0, 0}},
};

/* The integer next to x, of those with so many bits. */
static uint32_t nearest(double x, double low, double high)
{
    const double held = x < low ? low : x > high ? high : x;
    return (uint32_t)(int64_t)nearbyint(held);
}

/* Halves of small multiples of 1/16. */
static uint32_t plain_half(double x)
{
    int e;
    const double m = frexp(fabs(x), &e);
    return (x < 0 ? 0x8000u : 0) |
           (x == 0 ? 0 : ((uint32_t)(e + 14) << 10) + (uint32_t)(m * 2048) - 1024);
}

/* Bits of one component of the texel. */
static uint32_t plain_component(const struct format *f, uint32_t bits, int width)
{
    const double most = pow(2, width) - 1, half = pow(2, width - 1);
    float x;
    memcpy(&x, &bits, sizeof x);
    switch (f->kind) {
    case TEXEL_UNORM: return nearest((float)(x * most), 0, most);
    case TEXEL_SNORM: return nearest((float)(x * (half - 1)), -half, half - 1);
    case TEXEL_HALF: return plain_half(x);
    case TEXEL_SIGNED: return nearest((int32_t)bits, -half, half - 1);
    case TEXEL_UNSIGNED: return nearest(bits, 0, most);
    default: return bits;
    }
}

static void formatted_stores(void **state)
{
    (void)state;
    for (unsigned n = 0; n < NUM_GEOMETRIES * 3; n++) {
        const struct surface_geometry *g = &surface_geometries[n / 3];
        struct surface_bench b;
        char text[256], data[64];
        const int mode = n % 3, count = 1 << n % 3;
        snprintf(text, sizeof text, "sust.p.%s%s.b32.%s [%%d4, %s], %s", g->name,
                 count == 4   ? ".v4"
                 : count == 2 ? ".v2"
                              : "",
                 surface_modes[mode], g->coordinates, vector(data, 'r', count));
        surface_open(&b, text);
        for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
            const struct format *f = &formats[i];
            uint32_t random = 9;
            surface_bind(&b, b.descriptor, f->bytes, f->kind);
            memcpy(b.surface.shifts, f->shifts, 4);
            memcpy(b.surface.widths, f->widths, 4);
            memcpy(gmem_host(b.program.gmem, b.descriptor, sizeof b.surface), &b.surface,
                   sizeof b.surface);
            surface_place(&b, g, mode == TRAP, WIDTH, 1);
            for (int t = 0; t < THREADS; t++)
                for (int c = 0; c < 4; c++) {
                    const float x = (float)((int)(random_next(&random) % 65) - 32) / 16;
                    uint32_t bits = random_next(&random) >> random % 32;
                    if (f->kind != TEXEL_SIGNED && f->kind != TEXEL_UNSIGNED)
                        memcpy(&bits, &x, sizeof bits);
                    b.given[t][c] = bits;
                }
            memcpy(b.before, b.image, BYTES);
            surface_run_well(&b, text);
            for (int t = 0; t < THREADS; t++) {
                const int at = surface_plain(&b, g, t, mode, WIDTH, 1, (int)f->bytes);
                if (at < 0)
                    continue;
                memset(b.before + at, 0, f->bytes);
                for (int c = 0; c < count; c++) /* bit by bit */
                    for (int k = 0; k < f->widths[c]; k++) {
                        const int bit = f->shifts[c] + k + (f->bytes == 16 ? 32 * c : 0);
                        const uint32_t bits =
                            plain_component(f, (uint32_t)b.given[t][c], f->widths[c]);
                        b.before[at + bit / 8] |= (uint8_t)((bits >> k & 1) << bit % 8);
                    }
            }
            for (int k = 0; k < BYTES; k++)
                if (b.image[k] != b.before[k])
                    fail_msg("%s of %s: byte %d is %02x, expected %02x", text, f->name, k,
                             b.image[k], b.before[k]);
        }
        surface_close(&b);
    }
}

/* Threads one after the other, in 64 bits. */
static void reductions(void **state)
{
    static const struct {
        const char *opcode, *operation;
        int bytes, is_signed, by_texel;
    } table[] = {
        {"sured.b.add.%s.u32.%s", "+", 4, 0, 0}, {"sured.b.add.%s.s32.%s", "+", 4, 1, 0},
        {"sured.b.add.%s.u64.%s", "+", 8, 0, 0}, {"sured.b.min.%s.u32.%s", "<", 4, 0, 0},
        {"sured.b.min.%s.s32.%s", "<", 4, 1, 0}, {"sured.b.max.%s.u32.%s", ">", 4, 0, 0},
        {"sured.b.max.%s.s64.%s", ">", 8, 1, 0}, {"sured.b.min.%s.u64.%s", "<", 8, 0, 0},
        {"sured.b.and.%s.b32.%s", "&", 4, 0, 0}, {"sured.b.or.%s.b32.%s", "|", 4, 0, 0},
        {"sured.p.add.%s.b32.%s", "+", 4, 0, 1}, {"sured.p.min.%s.b32.%s", "<", 4, 1, 1},
        {"sured.p.max.%s.b32.%s", ">", 4, 0, 1}, {"sured.p.min.%s.b64.%s", "<", 8, 1, 1},
        {"sured.p.max.%s.b64.%s", ">", 8, 0, 1}, {"sured.p.and.%s.b32.%s", "&", 4, 1, 1},
        {"sured.p.or.%s.b32.%s", "|", 4, 0, 1},
    };
    (void)state;
    for (unsigned n = 0; n < 18 * sizeof table / sizeof *table; n++) {
        const struct surface_geometry *g = &surface_geometries[n % 6];
        const unsigned i = n / 18;
        const int mode = (int)(n / 6 % 3), bytes = table[i].bytes;
        struct surface_bench b;
        char text[256];
        snprintf(text, sizeof text, table[i].opcode, g->name, surface_modes[mode]);
        snprintf(text + strlen(text), sizeof text - strlen(text), " [%%d4, %s], %%%c11",
                 g->coordinates, bytes == 8 ? 'd' : 'r');
        surface_open(&b, text);
        surface_bind(&b, b.descriptor, (uint32_t)bytes,
                     table[i].is_signed ? TEXEL_SIGNED : TEXEL_UNSIGNED);
        b.surface.widths[0] = 32;
        const int step = table[i].by_texel ? 1 : bytes, unit = table[i].by_texel ? bytes : 1;
        surface_place(&b, g, mode == TRAP, WIDTH, step);
        surface_run_well(&b, text);
        for (int t = 0; t < THREADS; t++) {
            const int at = surface_plain(&b, g, t, mode, WIDTH, step, unit);
            uint64_t old = 0, c = b.given[t][0];
            if (at < 0)
                continue;
            memcpy(&old, b.before + at, (size_t)bytes);
            if (bytes == 4) {
                c = table[i].is_signed ? (uint64_t)(int32_t)c : (uint32_t)c;
                old = table[i].is_signed ? (uint64_t)(int32_t)old : old;
            }
            const int less = table[i].is_signed ? (int64_t)old < (int64_t)c : old < c;
            switch (*table[i].operation) {
            case '+': old += c; break;
            case '<': old = less ? old : c; break;
            case '>': old = less ? c : old; break;
            case '&': old &= c; break;
            default: old |= c;
            }
            memcpy(b.before + at, &old, (size_t)bytes);
        }
        if (memcmp(b.image, b.before, BYTES))
            fail_msg("%s: the image differs", text);
        surface_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_and_stores_by_bytes),
        cmocka_unit_test(formatted_stores),
        cmocka_unit_test(reductions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
