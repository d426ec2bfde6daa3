/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/surf_test.c: tests tb/exec/surf.c: loads, stores and reductions of surfaces of
 * every geometry against a plain walk over the image, byte by byte; what is asked of a surface,
 * texture or sampler; faults; and stores that are put off. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/exec/later.h"
#include "tests/tb/exec/support.h"
#include "tests/tb/ptx/ptx_support.h"

enum { WIDTH = 8, HEIGHT = 4, DEPTH = 3, ROW = 160, SLICE = 640, BYTES = DEPTH * SLICE };
enum { THREADS = 256 };

static const struct geometry {
    const char *name, *coordinates;
    int axes, layers;
} geometries[] = {{"1d", "{%r2}", 1, 0},
                  {"1d", "%r2", 1, 0},
                  {"2d", "{%r2, %r3}", 2, 0},
                  {"3d", "{%r2, %r3, %r4, %r5}", 3, 0},
                  {"a1d", "{%r2, %r3}", 1, 1},
                  {"a2d", "{%r2, %r3, %r4, %r5}", 2, 1}};
#define NUM_GEOMETRIES (sizeof geometries / sizeof *geometries)

static const char *const modes[] = {"trap", "clamp", "zero"};
enum { TRAP, CLAMP, ZERO };

/* One kernel with one instruction, on registers %h, %r or %d 11 to 14, which come from `values` and
 * go to `out`. */
struct bench {
    struct program program;
    struct ptx_texture surface;
    uint64_t descriptor, texels, in, values, out;
    uint8_t *image, *before;
    int32_t (*coordinates)[4];
    uint64_t (*given)[4], (*results)[4];
};

static void open_bench(struct bench *b, const char *instruction)
{
    char text[4096];
    snprintf(text, sizeof text,
             PTX_HEAD
             ".global .surfref named; .global .samplerref sampling = {addr_mode_0 = mirror};\n"
             ".entry k(.param .u64 t, .param .u64 in, .param .u64 values, .param .u64 out)\n{\n"
             ".reg .b16 %%h<20>; .reg .b32 %%r<20>; .reg .b64 %%d<20>;\n"
             "mov.u32 %%r1, %%tid.x; ld.param.u64 %%d1, [in]; mad.wide.u32 %%d1, %%r1, 16, %%d1;\n"
             "ld.param.u64 %%d2, [values]; mad.wide.u32 %%d2, %%r1, 32, %%d2;\n"
             "ld.param.u64 %%d3, [out]; mad.wide.u32 %%d3, %%r1, 32, %%d3; ld.param.u64 %%d4, [t];\n"
             "ld.global.v4.b32 {%%r2, %%r3, %%r4, %%r5}, [%%d1];\n"
             "ld.global.v2.b64 {%%d11, %%d12}, [%%d2]; ld.global.v2.b64 {%%d13, %%d14}, [%%d2+16];\n"
             "cvt.u32.u64 %%r11, %%d11; cvt.u32.u64 %%r12, %%d12; cvt.u32.u64 %%r13, %%d13;\n"
             "cvt.u32.u64 %%r14, %%d14; cvt.u16.u64 %%h11, %%d11; cvt.u16.u64 %%h12, %%d12;\n"
             "cvt.u16.u64 %%h13, %%d13; cvt.u16.u64 %%h14, %%d14;\n%s;\n"
             "st.global.v2.b64 [%%d3], {%%d11, %%d12}; st.global.v2.b64 [%%d3+16], {%%d13, %%d14};\n"
             "}\n",
             instruction);
    memset(b, 0, sizeof *b);
    b->program = program_open(text, exec_builds() - 1);
    struct gmem *g = b->program.gmem;
    b->descriptor = gmem_alloc(g, sizeof b->surface, NULL);
    b->texels = gmem_alloc(g, BYTES, NULL);
    b->in = gmem_alloc(g, 16 * THREADS, NULL);
    b->values = gmem_alloc(g, 32 * THREADS, NULL);
    b->out = gmem_alloc(g, 32 * THREADS, NULL);
    b->image = gmem_host(g, b->texels, BYTES);
    b->before = malloc(BYTES);
    assert_non_null(b->before);
    b->coordinates = gmem_host(g, b->in, 16 * THREADS);
    b->given = gmem_host(g, b->values, 32 * THREADS);
    b->results = gmem_host(g, b->out, 32 * THREADS);
    uint32_t random = 77;
    for (int i = 0; i < BYTES; i++)
        b->image[i] = (uint8_t)random_next(&random);
    for (int t = 0; t < THREADS; t++)
        for (int n = 0; n < 4; n++)
            b->given[t][n] = (uint64_t)random_next(&random) << 32 | random_next(&random);
    memcpy(b->before, b->image, BYTES);
}

static void close_bench(struct bench *b)
{
    free(b->before);
    program_close(&b->program);
}

static void bind(struct bench *b, uint64_t descriptor, uint32_t bytes, uint32_t kind)
{
    b->surface = (struct ptx_texture){.texels = b->texels,
                                      .row_pitch = ROW,
                                      .slice_pitch = SLICE,
                                      .width = WIDTH,
                                      .height = HEIGHT,
                                      .depth = DEPTH,
                                      .texel_bytes = bytes,
                                      .kind = kind,
                                      .written = 15};
    memcpy(gmem_host(b->program.gmem, descriptor, sizeof b->surface), &b->surface,
           sizeof b->surface);
}

/* In full bounds where `inside`, else around them. x comes in units of `step`. */
static void place(struct bench *b, const struct geometry *g, int inside, int places, int step)
{
    const int sizes[] = {places, HEIGHT, DEPTH};
    uint32_t random = 5;
    for (int t = 0; t < THREADS; t++)
        for (int k = 0; k < g->axes + g->layers; k++) {
            const int size = k < g->layers ? DEPTH : sizes[k - g->layers];
            const int x = inside ? (int)(random_next(&random) % (uint32_t)size)
                                 : (int)(random_next(&random) % (uint32_t)(3 * size)) - size;
            b->coordinates[t][k] = k == g->layers ? x * step : x;
        }
}

/* The byte of the image at which a thread's access begins; -1: nowhere. A layer is unsigned. */
static int plain_place(const struct bench *b, const struct geometry *g, int t, int mode, int places,
                       int step, int unit)
{
    const int32_t *in = b->coordinates[t];
    int64_t at[3] = {0};
    const int64_t sizes[] = {places, HEIGHT, DEPTH};
    for (int k = 0; k < g->axes; k++)
        at[k] = k == 0 ? in[g->layers] / step : in[g->layers + k];
    if (g->layers)
        at[2] = (uint32_t)in[0];
    for (int k = 0; k < 3; k++) {
        if (at[k] >= 0 && at[k] < sizes[k])
            continue;
        if (mode != CLAMP)
            return -1;
        at[k] = at[k] < 0 ? 0 : sizes[k] - 1;
    }
    return (int)(at[0] * step * unit + at[1] * ROW + at[2] * SLICE);
}

static int run(const struct bench *b, struct exec_fault *fault)
{
    const uint64_t params[4] = {b->descriptor, b->in, b->values, b->out};
    const struct run run = {"k", {1, 1, 1}, {THREADS, 1, 1}, params, 0};
    return program_run(&b->program, &run, fault, NULL);
}

static void run_well(const struct bench *b, const char *what)
{
    struct exec_fault fault;
    if (run(b, &fault) != 0)
        fail_msg("%s: %s", what, fault.message);
}

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

/* All geometries, types, vectors and modes of suld.b and sust.b, of texels of 4 bytes. */
static void by_bytes(const struct geometry *g, unsigned n, int count, int mode, int stores)
{
    struct bench b;
    char text[512], data[64];
    const int bytes = types[n].bytes * count, places = (4 * WIDTH - bytes) / bytes + 1;
    const char *vec = count == 4 ? ".v4" : count == 2 ? ".v2" : "";
    vector(data, types[n].letter, count);
    if (stores)
        snprintf(text, sizeof text, "sust.b.%s%s.%s.%s [%%d4, %s], %s", g->name, vec,
                 types[n].type, modes[mode], g->coordinates, data);
    else
        snprintf(text, sizeof text, "suld.b.%s%s.%s.%s %s, [%%d4, %s]", g->name, vec,
                 types[n].type, modes[mode], data, g->coordinates);
    const char what[] = {types[n].letter, '\0'};
    char widen[256] = "";
    for (int i = 11; i <= 14 && !stores && *what != 'd'; i++)
        snprintf(widen + strlen(widen), sizeof widen - strlen(widen), ";\ncvt.u64.u%d %%d%d, %%%c%d",
                 *what == 'h' ? 16 : 32, i, *what, i);
    strcat(text, widen);
    open_bench(&b, text);
    bind(&b, b.descriptor, 4, TEXEL_UNSIGNED);
    place(&b, g, mode == TRAP, places, bytes);
    run_well(&b, text);
    for (int t = 0; t < THREADS; t++) {
        const int at = plain_place(&b, g, t, mode, places, bytes, 1);
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
    close_bench(&b);
}

static void loads_and_stores_by_bytes(void **state)
{
    (void)state;
    for (unsigned g = 0; g < NUM_GEOMETRIES; g++)
        for (unsigned n = 0; n < sizeof types / sizeof *types; n++)
            for (int count = 1; count <= 4 && count * types[n].bytes <= 16; count *= 2)
                for (int mode = 0; mode < 6; mode++)
                    by_bytes(&geometries[g], n, count, mode / 2, mode % 2);
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
    return (x < 0 ? 0x8000u : 0) | (x == 0 ? 0 : ((uint32_t)(e + 14) << 10) + (uint32_t)(m * 2048) - 1024);
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
        const struct geometry *g = &geometries[n / 3];
        struct bench b;
        char text[256], data[64];
        const int mode = n % 3, count = 1 << n % 3;
        snprintf(text, sizeof text, "sust.p.%s%s.b32.%s [%%d4, %s], %s", g->name,
                 count == 4   ? ".v4"
                 : count == 2 ? ".v2"
                              : "",
                 modes[mode], g->coordinates, vector(data, 'r', count));
        open_bench(&b, text);
        for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
            const struct format *f = &formats[i];
            uint32_t random = 9;
            bind(&b, b.descriptor, f->bytes, f->kind);
            memcpy(b.surface.shifts, f->shifts, 4);
            memcpy(b.surface.widths, f->widths, 4);
            memcpy(gmem_host(b.program.gmem, b.descriptor, sizeof b.surface), &b.surface,
                   sizeof b.surface);
            place(&b, g, mode == TRAP, WIDTH, 1);
            for (int t = 0; t < THREADS; t++)
                for (int c = 0; c < 4; c++) {
                    const float x = (float)((int)(random_next(&random) % 65) - 32) / 16;
                    uint32_t bits = random_next(&random) >> random % 32;
                    if (f->kind != TEXEL_SIGNED && f->kind != TEXEL_UNSIGNED)
                        memcpy(&bits, &x, sizeof bits);
                    b.given[t][c] = bits;
                }
            memcpy(b.before, b.image, BYTES);
            run_well(&b, text);
            for (int t = 0; t < THREADS; t++) {
                const int at = plain_place(&b, g, t, mode, WIDTH, 1, (int)f->bytes);
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
        close_bench(&b);
    }
}

/* Threads one after the other, in 64 bits. */
static void reductions(void **state)
{
    static const struct {
        const char *opcode, *operation;
        int bytes, is_signed, by_texel;
    } table[] = {
        {"sured.b.add.%s.u32.%s", "+", 4, 0, 0},  {"sured.b.add.%s.s32.%s", "+", 4, 1, 0},
        {"sured.b.add.%s.u64.%s", "+", 8, 0, 0},  {"sured.b.min.%s.u32.%s", "<", 4, 0, 0},
        {"sured.b.min.%s.s32.%s", "<", 4, 1, 0},  {"sured.b.max.%s.u32.%s", ">", 4, 0, 0},
        {"sured.b.max.%s.s64.%s", ">", 8, 1, 0},  {"sured.b.min.%s.u64.%s", "<", 8, 0, 0},
        {"sured.b.and.%s.b32.%s", "&", 4, 0, 0},  {"sured.b.or.%s.b32.%s", "|", 4, 0, 0},
        {"sured.p.add.%s.b32.%s", "+", 4, 0, 1},  {"sured.p.min.%s.b32.%s", "<", 4, 1, 1},
        {"sured.p.max.%s.b32.%s", ">", 4, 0, 1},  {"sured.p.min.%s.b64.%s", "<", 8, 1, 1},
        {"sured.p.max.%s.b64.%s", ">", 8, 0, 1},  {"sured.p.and.%s.b32.%s", "&", 4, 1, 1},
        {"sured.p.or.%s.b32.%s", "|", 4, 0, 1},
    };
    (void)state;
    for (unsigned n = 0; n < 18 * sizeof table / sizeof *table; n++) {
        const struct geometry *g = &geometries[n % 6];
        const unsigned i = n / 18;
        const int mode = (int)(n / 6 % 3), bytes = table[i].bytes;
        struct bench b;
        char text[256];
        snprintf(text, sizeof text, table[i].opcode, g->name, modes[mode]);
        snprintf(text + strlen(text), sizeof text - strlen(text), " [%%d4, %s], %%%c11",
                 g->coordinates, bytes == 8 ? 'd' : 'r');
        open_bench(&b, text);
        bind(&b, b.descriptor, (uint32_t)bytes, table[i].is_signed ? TEXEL_SIGNED : TEXEL_UNSIGNED);
        b.surface.widths[0] = 32;
        const int step = table[i].by_texel ? 1 : bytes, unit = table[i].by_texel ? bytes : 1;
        place(&b, g, mode == TRAP, WIDTH, step);
        run_well(&b, text);
        for (int t = 0; t < THREADS; t++) {
            const int at = plain_place(&b, g, t, mode, WIDTH, step, unit);
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
        close_bench(&b);
    }
}

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
        struct bench b;
        char text[256];
        snprintf(text, sizeof text, "%s;\ncvt.u64.u32 %%d11, %%r11", table[i].text);
        open_bench(&b, text);
        const uint64_t places[] = {b.descriptor, b.program.module->vars[0].address};
        for (int k = 0; k < 2; k++) {
            bind(&b, places[k], 4, TEXEL_UNORM);
            struct ptx_texture *t = gmem_host(b.program.gmem, places[k], sizeof *t);
            t->sampler = table[i].sampler;
            t->order = 0x10b5;
            t->data_type = 0x10d8;
        }
        run_well(&b, text);
        for (int t = 0; t < THREADS; t++)
            if (b.results[t][0] != table[i].expected)
                fail_msg("%s: %llu, expected %u", text, (unsigned long long)b.results[t][0],
                         table[i].expected);
        close_bench(&b);
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
        {"suld.b.2d.v2.b32.trap {%r11, %r12}, [%d4, {%r2, %r3}]", "outside of the surface", 28, 0, 4,
         2},
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
        struct bench b;
        struct exec_fault fault;
        open_bench(&b, table[i].text);
        bind(&b, b.descriptor, table[i].bytes, table[i].kind);
        b.descriptor = table[i].bytes ? b.descriptor : 0x1234;
        for (int t = 0; t < THREADS; t++) {
            b.coordinates[t][0] = t == 40 ? table[i].x : 0;
            b.coordinates[t][1] = t == 40 ? table[i].y : 0;
        }
        assert_int_equal(run(&b, &fault), -1);
        if (!strstr(fault.message, table[i].message))
            fail_msg("%s: %s", table[i].text, fault.message);
        close_bench(&b);
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
    const uint64_t texels = gmem_alloc(g, 64, NULL);
    const struct ptx_texture t = {.texels = texels,
                                  .width = 10,
                                  .height = 1,
                                  .depth = 1,
                                  .texel_bytes = 4,
                                  .kind = TEXEL_UNSIGNED,
                                  .written = 1,
                                  .widths = {32}};
    s.params[0] = gmem_alloc(g, sizeof t, NULL);
    memcpy(gmem_host(g, s.params[0], sizeof t), &t, sizeof t);
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
        cmocka_unit_test(loads_and_stores_by_bytes),
        cmocka_unit_test(formatted_stores),
        cmocka_unit_test(reductions),
        cmocka_unit_test(queries),
        cmocka_unit_test(faults),
        cmocka_unit_test(accesses_that_are_put_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
