/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/tex_test.c: tests tb/exec/tex.c: formats, geometries, address modes and
 * handles against a plain walk over the image; and what the timing model is told. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"
#include "tests/tb/ptx/ptx_support.h"

enum { WIDTH = 8, HEIGHT = 4, DEPTH = 2, ROW = 160, SLICE = 700, THREADS = 256 };

static const struct format {
    const char *name;
    uint32_t bytes, kind;
    uint8_t shifts[4], widths[4];
} formats[] = {
    {"rgba unorm 8", 4, TEXEL_UNORM, {0, 8, 16, 24}, {8, 8, 8, 8}},
    {"bgra unorm 8", 4, TEXEL_UNORM, {16, 8, 0, 24}, {8, 8, 8, 8}},
    {"rg snorm 16", 4, TEXEL_SNORM, {0, 16, 0, 0}, {16, 16, 0, 0}},
    {"565 unorm", 2, TEXEL_UNORM, {11, 5, 0, 0}, {5, 6, 5, 0}},
    {"r float", 4, TEXEL_FLOAT, {0}, {32, 0, 0, 0}},
    {"rgba half", 8, TEXEL_HALF, {0, 16, 32, 48}, {16, 16, 16, 16}},
    {"rgba 32 bits", 16, TEXEL_UNSIGNED, {0}, {32, 32, 32, 32}},
    {"r signed 8", 1, TEXEL_SIGNED, {0}, {8, 0, 0, 0}},
    {"rg unsigned 32", 8, TEXEL_UNSIGNED, {0, 32, 0, 0}, {32, 32, 0, 0}},
    {"a unsigned 8", 1, TEXEL_UNSIGNED, {0}, {0, 0, 0, 8}},
};

static float half_value(unsigned half)
{
    const unsigned e = half >> 10 & 31, f = half & 1023;
    const double size = e == 31  ? (f ? NAN : INFINITY)
                        : e == 0 ? f * pow(2, -24)
                                 : (1 + f / 1024.0) * pow(2, (int)e - 15);
    return (float)(half & 0x8000 ? -size : size);
}

/* Component c of the texel at `at`, as bits of the result. */
static uint32_t plain_component(const struct format *f, const uint8_t *at, int c, int is_float)
{
    uint32_t bits = 0;
    float x;
    if (f->widths[c] == 0)
        return c < 3 ? 0 : is_float ? 0x3f800000 : 1;
    for (unsigned i = 0; i < f->widths[c]; i++) { /* bit by bit */
        const unsigned n = f->shifts[c] + i + (f->bytes == 16 ? 32u * (unsigned)c : 0);
        bits |= (uint32_t)(at[n / 8] >> n % 8 & 1) << i;
    }
    const double most = pow(2, f->widths[c]) - 1, half = pow(2, f->widths[c] - 1);
    const double number = bits >= half ? bits - 2 * half : bits;
    switch (f->kind) {
    case TEXEL_UNORM: x = (float)(bits / most); break;
    case TEXEL_SNORM: x = (float)(number < 1 - half ? -1 : number / (half - 1)); break;
    case TEXEL_HALF: x = half_value(bits); break;
    case TEXEL_SIGNED: return (uint32_t)(int32_t)number;
    default: return bits;
    }
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Where the address mode leads, step by step; -1: the border. Mirrored coordinates as the CUDA
 * guide defines them: frac(s) where floor(s) is even, else 1 - frac(s). */
static int plain_index(double s, unsigned sampler, int size, int normalized)
{
    if (normalized && (sampler & SAMPLER_ADDRESS) == SAMPLER_MIRROR) {
        const double frac = s - floor(s);
        s = fmod(floor(s), 2) == 0 ? frac : 1 - frac;
    }
    double i = floor(normalized ? s * size : s);
    switch (sampler & SAMPLER_ADDRESS) {
    case SAMPLER_REPEAT:
        while (i < 0)
            i += size;
        while (i >= size)
            i -= size;
        break;
    case SAMPLER_MIRROR:
        while (i < 0 || i >= size)
            i = i < 0 ? -1 - i : 2 * size - 1 - i;
        break;
    case SAMPLER_BORDER:
        if (i < 0 || i >= size)
            return -1;
        break;
    default: i = i < 0 ? 0 : i >= size ? size - 1 : i;
    }
    return (int)i;
}

/* One module, with an image, and a buffer of coordinates. */
struct bench {
    struct program program;
    struct ptx_texture texture;
    uint64_t descriptor, sampler, texels, in, out;
    uint8_t *image;
    uint32_t *coordinates, *results; /* 4 of each thread */
};

static void open_bench(struct bench *b, const char *geometry, const char *dtype, const char *ctype,
                       const char *operands)
{
    char text[2048];
    snprintf(text, sizeof text,
             PTX_HEAD
             ".global .texref named;\n.global .samplerref sampling = {addr_mode_0 = wrap, "
             "force_unnormalized_coords = 1};\n"
             ".entry k(.param .texref t, .param .samplerref s, .param .u64 in, .param .u64 "
             "out)\n{\n.reg .b32 %%r<20>; .reg .b64 %%d<9>;\n"
             "mov.u32 %%r1, %%tid.x; mul.wide.u32 %%d1, %%r1, 16; ld.param.u64 %%d2, [in];\n"
             "add.u64 %%d2, %%d2, %%d1; ld.param.u64 %%d3, [out]; add.u64 %%d3, %%d3, %%d1;\n"
             "ld.global.v4.b32 {%%r2, %%r3, %%r4, %%r5}, [%%d2]; ld.param.u64 %%d4, [t];\n"
             "ld.param.u64 %%d5, [s];\n"
             "tex.%s.v4.%s.%s {%%r6, %%r7, %%r8, %%r9}, [%s];\n"
             "st.global.v4.b32 [%%d3], {%%r6, %%r7, %%r8, %%r9};\n}\n",
             geometry, dtype, ctype, operands);
    memset(b, 0, sizeof *b);
    b->program = program_open(text, exec_builds() - 1);
    struct gmem *g = b->program.gmem;
    b->descriptor = gmem_alloc(g, sizeof b->texture, NULL);
    b->sampler = gmem_alloc(g, 4, NULL);
    b->texels = gmem_alloc(g, DEPTH * SLICE, NULL);
    b->in = gmem_alloc(g, 16 * THREADS, NULL);
    b->out = gmem_alloc(g, 16 * THREADS, NULL);
    b->image = gmem_host(g, b->texels, DEPTH * SLICE);
    b->coordinates = gmem_host(g, b->in, 16 * THREADS);
    b->results = gmem_host(g, b->out, 16 * THREADS);
    uint32_t random = 77;
    for (int i = 0; i < DEPTH * SLICE; i++)
        b->image[i] = (uint8_t)random_next(&random);
}

static void set_texture(struct bench *b, const struct format *f, uint32_t sampler, uint32_t opaque)
{
    b->texture = (struct ptx_texture){.texels = b->texels,
                                      .row_pitch = ROW,
                                      .slice_pitch = SLICE,
                                      .width = WIDTH,
                                      .height = HEIGHT,
                                      .depth = DEPTH,
                                      .texel_bytes = f->bytes,
                                      .kind = f->kind,
                                      .opaque_border = opaque,
                                      .sampler = sampler};
    memcpy(b->texture.shifts, f->shifts, 4);
    memcpy(b->texture.widths, f->widths, 4);
    memcpy(gmem_host(b->program.gmem, b->descriptor, sizeof b->texture), &b->texture,
           sizeof b->texture);
}

static int run_bench(const struct bench *b, uint64_t sampler, struct exec_fault *fault)
{
    const uint64_t params[4] = {b->descriptor, sampler, b->in, b->out};
    const struct run run = {"k", {1, 1, 1}, {THREADS, 1, 1}, params, 0};
    return program_run(&b->program, &run, fault, NULL);
}

/* Coordinates around the image, in sixteenths; as floats, or whole. They are exact in .f32. */
static void fill_coordinates(struct bench *b, int is_float, int normalized, int layers)
{
    uint32_t random = 99;
    for (int i = 0; i < 4 * THREADS; i++) {
        const int n = (int)(random_next(&random) % 801) - 400;
        float x = (float)n / (normalized ? 128 : 16);
        int whole = n / 16;
        memcpy(&b->coordinates[i], is_float ? (void *)&x : &whole, 4);
        if (layers && i % 4 == 0)
            b->coordinates[i] = random_next(&random) % 4;
    }
}

static double number_of(uint32_t bits, int is_float)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return is_float ? (double)x : (double)(int32_t)bits;
}

/* What the instruction must give, thread by thread. */
static void check_results(const struct bench *b, const struct format *f, const char *what, int axes,
                          int layers, int is_float, int float_result, unsigned sampler)
{
    static const int sizes[] = {WIDTH, HEIGHT, DEPTH};
    const int normalized = is_float && sampler & SAMPLER_NORMALIZED;
    for (int t = 0; t < THREADS; t++) {
        const uint32_t *in = b->coordinates + 4 * t;
        int at[3] = {0}, inside = 1;
        for (int k = 0; k < axes; k++) {
            at[k] = plain_index(number_of(in[layers + k], is_float), sampler, sizes[k], normalized);
            inside &= at[k] >= 0;
        }
        if (layers)
            at[2] = in[0] < DEPTH ? (int)in[0] : DEPTH - 1;
        for (int c = 0; c < 4; c++) {
            const uint8_t *texel = b->image + at[2] * SLICE + at[1] * ROW + at[0] * (int)f->bytes;
            const uint32_t border = c < 3 || !b->texture.opaque_border ? 0
                                    : float_result                     ? 0x3f800000
                                                                       : 1;
            const uint32_t expected = inside ? plain_component(f, texel, c, float_result) : border;
            const uint32_t got = b->results[4 * t + c];
            if (got != expected && !(isnan(number_of(got, 1)) && isnan(number_of(expected, 1))))
                fail_msg(
                    "%s %s sampler %u thread %d (%g, %g, %g) component %d: %08x, expected %08x",
                    what, f->name, sampler, t, number_of(in[0], is_float),
                    number_of(in[1], is_float), number_of(in[2], is_float), c, got, expected);
        }
    }
}

static const struct {
    const char *geometry, *coordinates;
    int axes, layers;
} geometries[] = {{"1d", "{%r2}", 1, 0},
                  {"2d", "{%r2, %r3}", 2, 0},
                  {"3d", "{%r2, %r3, %r4, %r5}", 3, 0},
                  {"a1d", "{%r2, %r3}", 1, 1},
                  {"a2d", "{%r2, %r3, %r4, %r5}", 2, 1}};
static const uint32_t modes[] = {0, SAMPLER_EDGE, SAMPLER_BORDER, SAMPLER_REPEAT, SAMPLER_MIRROR};

static void every_geometry_format_and_mode(void **state)
{
    (void)state;
    for (unsigned g = 0; g < sizeof geometries / sizeof *geometries; g++)
        for (int form = 0; form < 4; form++) { /* coordinates and results: integers or floats */
            const int is_float = form & 1, float_result = form >> 1;
            char operands[64];
            struct bench b;
            struct exec_fault fault;
            snprintf(operands, sizeof operands, "%%d4, %s", geometries[g].coordinates);
            open_bench(&b, geometries[g].geometry,
                       float_result ? "f32"
                       : g % 2      ? "s32"
                                    : "u32",
                       is_float ? "f32" : "s32", operands);
            for (unsigned n = 0; n < 2 * sizeof modes / sizeof *modes; n++) {
                const uint32_t sampler = modes[n / 2] | (n % 2 ? SAMPLER_NORMALIZED : 0);
                fill_coordinates(&b, is_float, n % 2, geometries[g].layers);
                for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++) {
                    set_texture(&b, &formats[f], sampler, f % 2);
                    if (run_bench(&b, 0, &fault) != 0)
                        fail_msg("%s", fault.message);
                    check_results(&b, &formats[f], geometries[g].geometry, geometries[g].axes,
                                  geometries[g].layers, is_float, float_result, sampler);
                }
            }
            program_close(&b.program);
        }
}

/* A texture in a register, a parameter or a variable; a sampler as a number, by address, by name.
 */
static void handles(void **state)
{
    static const struct {
        const char *operands;
        int named;         /* the variable is bound instead */
        uint32_t own;      /* the texture's sampler */
        int by_address;    /* of the sampler */
        uint32_t sampler;  /* the parameter's */
        uint32_t expected; /* sampler that counts */
    } table[] = {
        {"t, {%r2, %r3}", 0, SAMPLER_BORDER, 0, SAMPLER_EDGE, SAMPLER_BORDER},
        {"named, {%r2, %r3}", 1, SAMPLER_MIRROR, 0, SAMPLER_EDGE, SAMPLER_MIRROR},
        {"t, s, {%r2, %r3}", 0, SAMPLER_BORDER, 0, SAMPLER_EDGE, SAMPLER_EDGE},
        {"%d4, s, {%r2, %r3}", 0, SAMPLER_BORDER, 1, SAMPLER_MIRROR, SAMPLER_MIRROR},
        {"t, %d5, {%r2, %r3}", 0, SAMPLER_BORDER, 1, SAMPLER_REPEAT, SAMPLER_REPEAT},
        {"named, %d5, {%r2, %r3}", 1, SAMPLER_BORDER, 0, SAMPLER_EDGE, SAMPLER_EDGE},
        {"t, sampling, {%r2, %r3}", 0, SAMPLER_BORDER, 0, SAMPLER_EDGE, SAMPLER_REPEAT},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        struct bench b;
        struct exec_fault fault;
        open_bench(&b, "2d", "f32", "f32", table[i].operands);
        struct gmem *g = b.program.gmem;
        if (table[i].named)
            b.descriptor = b.program.module->vars[0].address;
        set_texture(&b, &formats[0], table[i].own, 0);
        *(uint32_t *)gmem_host(g, b.sampler, 4) = table[i].sampler;
        fill_coordinates(&b, 1, 0, 0);
        if (run_bench(&b, table[i].by_address ? b.sampler : table[i].sampler, &fault) != 0)
            fail_msg("%s", fault.message);
        check_results(&b, &formats[0], table[i].operands, 2, 0, 1, 1, table[i].expected);
        program_close(&b.program);
    }
}

/* Coordinates that no image has: far away, infinite, no number. */
static void extreme_coordinates(void **state)
{
    static const float far[] = {1e30f, -1e30f, INFINITY, -INFINITY, 3e9f, -3e9f, 0x1p31f, NAN};
    static const int column[] = {WIDTH - 1, 0, WIDTH - 1, 0, WIDTH - 1, 0, WIDTH - 1, 0};
    struct bench b;
    struct exec_fault fault;
    (void)state;
    open_bench(&b, "1d", "u32", "f32", "%d4, {%r2}");
    set_texture(&b, &formats[7], SAMPLER_EDGE, 0);
    for (int i = 0; i < THREADS; i++)
        memcpy(&b.coordinates[4 * i], &far[i % 8], 4);
    assert_int_equal(run_bench(&b, 0, &fault), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(b.results[4 * i], (int8_t)b.image[column[i % 8]]);
    for (unsigned n = 0; n < 10; n++) { /* whatever they give, they give it */
        set_texture(&b, &formats[7], modes[n / 2] | (n % 2), 0);
        assert_int_equal(run_bench(&b, 0, &fault), 0);
    }
    program_close(&b.program);
}

/* Descriptors that make no sense: offset and value of the word that is wrong. */
static void bad_descriptors(void **state)
{
    static const struct {
        size_t offset;
        uint32_t value;
        const char *message;
    } table[] = {
        {offsetof(struct ptx_texture, width), 0, "is not a bound texture"},
        {offsetof(struct ptx_texture, height), -1u, "is not a bound texture"},
        {offsetof(struct ptx_texture, depth), 0, "is not a bound texture"},
        {offsetof(struct ptx_texture, texel_bytes), 3, "is not a bound texture"},
        {offsetof(struct ptx_texture, texel_bytes), 32, "is not a bound texture"},
        {offsetof(struct ptx_texture, kind), 6, "is not a bound texture"},
        {offsetof(struct ptx_texture, widths), 0x08080821, "is not a bound texture"},
        {offsetof(struct ptx_texture, shifts), 0x3f100800, "is not a bound texture"},
        {offsetof(struct ptx_texture, sampler), SAMPLER_LINEAR, "the sampler filters linearly"},
        {offsetof(struct ptx_texture, texels) + 4, 0x7777, "is outside every buffer"},
        {offsetof(struct ptx_texture, row_pitch), 100000, "is outside every buffer"},
    };
    (void)state;
    struct bench b;
    struct exec_fault fault;
    open_bench(&b, "2d", "f32", "s32", "%d4, {%r2, %r3}");
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        set_texture(&b, &formats[0], SAMPLER_REPEAT, 0);
        fill_coordinates(&b, 0, 0, 0);
        assert_int_equal(run_bench(&b, 0, &fault), 0);
        memcpy((uint8_t *)gmem_host(b.program.gmem, b.descriptor, sizeof b.texture) +
                   table[i].offset,
               &table[i].value, 4);
        assert_int_equal(run_bench(&b, 0, &fault), -1);
        if (!strstr(fault.message, table[i].message))
            fail_msg("row %u: %s", i, fault.message);
    }
    b.descriptor = 0x1234;
    assert_int_equal(run_bench(&b, 0, &fault), -1);
    assert_non_null(strstr(fault.message, "0x1234 is not a bound texture"));
    program_close(&b.program);
    open_bench(&b, "2d", "f32", "s32", "named, s, {%r2, %r3}");
    assert_int_equal(run_bench(&b, 0, &fault), -1);
    assert_non_null(strstr(fault.message, "is not a bound texture"));
    b.descriptor = b.program.module->vars[0].address;
    set_texture(&b, &formats[0], 0, 0);
    assert_int_equal(run_bench(&b, 0x123456, &fault), -1);
    assert_non_null(strstr(fault.message, "0x123456 is not a sampler"));
    program_close(&b.program);
}

/* Different textures in one warp; and what the timing model learns: one load of each lane inside.
 */
static void accesses(void **state)
{
    struct stepped s;
    (void)state;
    step_open(&s,
              "mov.u32 %r1, %laneid; ld.param.u64 %d1, [a]; cvt.u64.u32 %d2, %r1;\n"
              "tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%d1, {%r1}];\n"
              "tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%d2, {%r1}]; ret;",
              32);
    const uint64_t texels = step_row(&s, (struct ptx_texture){.sampler = SAMPLER_BORDER});
    for (int i = 0; i < 4; i++)
        assert_int_equal(step_once(&s), EXEC_NEXT);
    assert_int_equal(s.access.space, SPACE_GLOBAL);
    assert_int_equal(s.access.bytes, 4);
    assert_int_equal(s.access.mask, 0x3ff);
    assert_false(s.access.is_store || s.access.is_atomic);
    for (int lane = 0; lane < 10; lane++)
        assert_int_equal(s.access.address[lane], texels + 4 * (uint64_t)lane);
    assert_int_equal(step_once(&s), EXEC_FAULT);
    assert_non_null(
        strstr(s.fault.message, "the texture or sampler 0x1 is another one than lane 0's"));
    step_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_geometry_format_and_mode),
        cmocka_unit_test(handles),
        cmocka_unit_test(extreme_coordinates),
        cmocka_unit_test(bad_descriptors),
        cmocka_unit_test(accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
