/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/gather_test.c: tests tld4, offsets of coordinates, levels and gradients of
 * tb/exec/tex.c against a plain walk over the image. A texel has four components of 8 bits. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"
#include "tests/tb/ptx/ptx_support.h"

enum { WIDTH = 8, HEIGHT = 4, DEPTH = 6, ROW = 48, SLICE = 256, THREADS = 256 };

static const uint32_t modes[] = {SAMPLER_EDGE, SAMPLER_BORDER, SAMPLER_REPEAT, SAMPLER_MIRROR};

struct bench {
    struct program program;
    struct ptx_texture *texture;
    uint64_t params[4];
    uint8_t *image;
    float (*in)[4];
    uint32_t (*out)[4];
};

/* The coordinates are %f1 to %f3, a layer %r1, offsets %r2 to %r4; results go to %r11 to %r14. */
static void open_bench(struct bench *b, const char *instruction, uint32_t sampler)
{
    char text[2048];
    snprintf(text, sizeof text,
             PTX_HEAD
             ".entry k(.param .u64 t, .param .u64 in, .param .u64 out, .param .u64 s)\n{\n"
             ".reg .b32 %%r<20>; .reg .f32 %%f<20>; .reg .b64 %%d<9>;\n"
             "mov.u32 %%r9, %%tid.x; ld.param.u64 %%d1, [t]; ld.param.u64 %%d4, [s];\n"
             "ld.param.u64 %%d2, [in]; mad.wide.u32 %%d2, %%r9, 16, %%d2;\n"
             "ld.param.u64 %%d3, [out]; mad.wide.u32 %%d3, %%r9, 16, %%d3;\n"
             "ld.global.v4.f32 {%%f1, %%f2, %%f3, %%f4}, [%%d2]; cvt.rni.s32.f32 %%r1, %%f4;\n"
             "mov.u32 %%r2, -3; mov.u32 %%r3, 2; mov.u32 %%r4, 1;\n"
             "%s;\n st.global.v4.u32 [%%d3], {%%r11, %%r12, %%r13, %%r14};\n}\n",
             instruction);
    b->program = program_open(text, exec_builds() - 1);
    struct gmem *g = b->program.gmem;
    const uint64_t texels = gmem_alloc(g, DEPTH * SLICE, NULL);
    b->params[0] = gmem_alloc(g, sizeof *b->texture, NULL);
    b->params[1] = gmem_alloc(g, 16 * THREADS, NULL);
    b->params[2] = gmem_alloc(g, 16 * THREADS, NULL);
    b->params[3] = sampler;
    b->texture = gmem_host(g, b->params[0], sizeof *b->texture);
    *b->texture = (struct ptx_texture){.texels = texels,
                                       .row_pitch = ROW,
                                       .slice_pitch = SLICE,
                                       .width = WIDTH,
                                       .height = HEIGHT,
                                       .depth = DEPTH,
                                       .texel_bytes = 4,
                                       .kind = TEXEL_UNSIGNED,
                                       .opaque_border = 1,
                                       .shifts = {0, 8, 16, 24},
                                       .widths = {8, 8, 8, 8},
                                       .sampler = sampler};
    uint32_t random = 3;
    b->image = gmem_host(g, texels, DEPTH * SLICE);
    for (int i = 0; i < DEPTH * SLICE; i++)
        b->image[i] = (uint8_t)random_next(&random);
    b->in = gmem_host(g, b->params[1], 16 * THREADS);
    b->out = gmem_host(g, b->params[2], 16 * THREADS);
    for (int i = 0; i < THREADS; i++)
        for (int k = 0; k < 4; k++) {
            const int n = (int)(random_next(&random) % 641) - 320;
            b->in[i][k] =
                k == 3 ? (float)(i % 8) : (float)n / (sampler & SAMPLER_NORMALIZED ? 128 : 16);
        }
}

static void run(const struct bench *b, const char *what)
{
    const struct run run = {"k", {1, 1, 1}, {THREADS, 1, 1}, b->params, 0};
    struct exec_fault fault;
    if (program_run(&b->program, &run, &fault, NULL) != 0)
        fail_msg("%s: %s", what, fault.message);
}

/* Where a coordinate in texels is in the image: floor(x - back) + more, moved step by step as the
 * mode says; -1: the border. A mirrored one from 0 to 1 is mirrored first. */
static int plain_index(double x, double back, int more, uint32_t sampler, int size)
{
    if ((sampler & SAMPLER_NORMALIZED) && (sampler & SAMPLER_ADDRESS) == SAMPLER_MIRROR) {
        const double s = x / size, frac = s - floor(s);
        x = (fmod(floor(s), 2) == 0 ? frac : 1 - frac) * size;
    }
    int i = (int)floor(x - back) + more;
    while (i < 0 || i >= size)
        switch (sampler & SAMPLER_ADDRESS) {
        case SAMPLER_BORDER: return -1;
        case SAMPLER_REPEAT: i += i < 0 ? size : -size; break;
        case SAMPLER_MIRROR: i = i < 0 ? -1 - i : 2 * size - 1 - i; break;
        default: i = i < 0 ? 0 : size - 1;
        }
    return i;
}

static uint32_t plain_component(const struct bench *b, int x, int y, int z, int c)
{
    if (x < 0 || y < 0 || z < 0)
        return c == 3;
    return b->image[z * SLICE + y * ROW + 4 * x + c];
}

static int layer_of(int thread)
{
    return thread % 8 < DEPTH ? thread % 8 : DEPTH - 1;
}

/* Each component in each mode; the results may lie on the coordinates; filtering does not matter. */
static void four_texels(void **state)
{
    static const struct {
        int x, y;
    } corners[] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    (void)state;
    for (unsigned n = 0; n < 4 * 4 * 2 * 2; n++) {
        const unsigned c = n % 4, layers = n / 16 % 2, normalized = n / 32;
        const uint32_t sampler = modes[n / 4 % 4] | (normalized ? SAMPLER_NORMALIZED : 0);
        struct bench b;
        char text[256];
        snprintf(text, sizeof text,
                 layers
                     ? "tld4.%c.a2d.v4.u32.f32 {%%r11, %%r12, %%r13, %%r14}, [%%d1, %%d4, {%%r1, "
                       "%%f1, %%f2, %%f2}]"
                     : "tld4.%c.2d.v4.s32.f32 {%%f1, %%f2, %%f3, %%f4}, [%%d1, {%%f1, %%f2}];\n"
                       "mov.b32 %%r11, %%f1; mov.b32 %%r12, %%f2; mov.b32 %%r13, %%f3; mov.b32 "
                       "%%r14, %%f4",
                 "rgba"[c]);
        open_bench(&b, text, sampler | (n % 3 ? SAMPLER_LINEAR : 0));
        run(&b, text);
        const double unit_x = normalized ? WIDTH : 1, unit_y = normalized ? HEIGHT : 1;
        for (int t = 0; t < THREADS; t++)
            for (int k = 0; k < 4; k++) {
                const double x = (double)b.in[t][0] * unit_x, y = (double)b.in[t][1] * unit_y;
                const uint32_t expected =
                    plain_component(&b, plain_index(x, 0.5, corners[k].x, sampler, WIDTH),
                                    plain_index(y, 0.5, corners[k].y, sampler, HEIGHT),
                                    layers ? layer_of(t) : 0, (int)c);
                if (b.out[t][k] != expected)
                    fail_msg("%s sampler %u at %g, %g: result %d is %u; expected %u", text, sampler,
                             x, y, k, b.out[t][k], expected);
            }
        program_close(&b.program);
    }
}

/* On the face +z, where right and down are x and -y. The texels of a face end at its edges. */
static void four_texels_of_a_cube(void **state)
{
    static const char text[] =
        "mov.f32 %f3, 0f3F800000;\n"
        "tld4.g.cube.v4.u32.f32 {%r11, %r12, %r13, %r14}, [%d1, {%f1, %f2, %f3, %f3}]";
    static const int right[] = {0, 1, 1, 0}, down[] = {1, 1, 0, 0};
    struct bench b;
    (void)state;
    open_bench(&b, text, SAMPLER_REPEAT);
    for (int t = 0; t < THREADS; t++) {
        b.in[t][0] = (float)(2 * (t % 16) + 1) / 16 - 1;
        b.in[t][1] = (float)(2 * (t / 16) + 1) / 16 - 1;
    }
    run(&b, text);
    for (int t = 0; t < THREADS; t++)
        for (int k = 0; k < 4; k++) {
            const double x = ((double)b.in[t][0] + 1) / 2 * WIDTH,
                         y = (1 - (double)b.in[t][1]) / 2 * HEIGHT;
            assert_int_equal(b.out[t][k],
                             plain_component(&b, plain_index(x, 0.5, right[k], SAMPLER_EDGE, WIDTH),
                                             plain_index(y, 0.5, down[k], SAMPLER_EDGE, HEIGHT), 4,
                                             1));
        }
    program_close(&b.program);
}

/* Instructions that give the texel which `tex` gives where the coordinates are moved by so much. */
static const struct {
    const char *text;
    int axes, layers, by[3];
} plain[] = {
    {"tex.2d.v4.u32.f32 D, [%d1, {%f1, %f2}], {3, -8}", 2, 0, {3, -8}},
    {"tex.base.2d.v4.u32.f32 D, [%d1, %d4, {%f1, %f2}], {%r2, %r3}", 2, 0, {-3, 2}},
    {"tex.base.1d.v4.u32.f32 D, [%d1, {%f1}]", 1, 0, {0}},
    {"tex.1d.v4.u32.f32 D, [%d1, {%f1}], {7}", 1, 0, {7}},
    {"tex.a1d.v4.u32.f32 D, [%d1, {%r1, %f1}], {%r2}", 1, 1, {-3}},
    {"tex.3d.v4.u32.f32 D, [%d1, {%f1, %f2, %f3, %f3}], {1, %r2, %r4, 0}", 3, 0, {1, -3, 1}},
    {"tex.level.2d.v4.u32.f32 D, [%d1, {%f1, %f2}], %f3", 2, 0, {0}},
    {"tex.level.a2d.v4.u32.f32 D, [%d1, {%r1, %f1, %f2, %f2}], 0f40A00000, {%r2, 1}",
     2,
     1,
     {-3, 1}},
    {"tex.grad.1d.v4.u32.f32 D, [%d1, %f1], {%f2}, {%f3}", 1, 0, {0}},
    {"tex.grad.2d.v4.u32.f32 D, [%d1, {%f1, %f2}], {%f2, %f3}, {%f3, %f3}, {0, 1}", 2, 0, {0, 1}},
    {"tex.grad.3d.v4.u32.f32 D, [%d1, %d4, {%f1, %f2, %f3, %f4}], {%f5, %f6, %f7, %f8}, {%f9, "
     "%f10, %f11, %f12}, {%r2, %r3, %r4, %r4}",
     3,
     0,
     {-3, 2, 1}},
};

static void one_texel(void **state)
{
    static const int sizes[] = {WIDTH, HEIGHT, DEPTH};
    (void)state;
    for (unsigned n = 0; n < 8 * sizeof plain / sizeof *plain; n++) {
        const uint32_t sampler = modes[n % 4] | (n / 4 % 2 ? SAMPLER_NORMALIZED : 0);
        const char *const form = plain[n / 8].text, *const d = strchr(form, 'D');
        struct bench b;
        char text[256];
        snprintf(text, sizeof text, "%.*s{%%r11, %%r12, %%r13, %%r14}%s", (int)(d - form), form,
                 d + 1);
        open_bench(&b, text, sampler);
        b.texture->depth = plain[n / 8].axes > 2 ? 4 : DEPTH; /* 1 / 4 is exact */
        run(&b, text);
        for (int t = 0; t < THREADS; t++) {
            int at[3] = {0};
            for (int k = 0; k < plain[n / 8].axes; k++) {
                const int size = k < 2 ? sizes[k] : b.texture->depth;
                const double x = (double)b.in[t][k] * (n / 4 % 2 ? size : 1);
                at[k] = plain_index(x + plain[n / 8].by[k], 0, 0, sampler, size);
            }
            at[2] = plain[n / 8].layers ? layer_of(t) : at[2];
            for (int c = 0; c < 4; c++) {
                const uint32_t expected = plain_component(&b, at[0], at[1], at[2], c);
                if (b.out[t][c] != expected)
                    fail_msg("%s sampler %u thread %d component %d: %u; expected %u", text, sampler,
                             t, c, b.out[t][c], expected);
            }
        }
        program_close(&b.program);
    }
}

/* What the timing model learns of tld4: one load of each lane of which any texel is inside. */
static void one_load(void **state)
{
    struct stepped s;
    (void)state;
    step_open(&s,
              "mov.u32 %r1, %laneid; cvt.rn.f32.u32 %r2, %r1; ld.param.u64 %d1, [a];\n"
              "mov.b32 %r3, 0f3F000000;\n"
              "tld4.a.2d.v4.u32.f32 {%r4, %r5, %r6, %r7}, [%d1, {%r2, %r3}]; ret;",
              32);
    const uint64_t texels = step_row(&s, (struct ptx_texture){.sampler = SAMPLER_BORDER});
    for (int i = 0; i < 5; i++)
        assert_int_equal(step_once(&s), EXEC_NEXT);
    assert_int_equal(s.access.space, SPACE_GLOBAL);
    assert_int_equal(s.access.bytes, 4);
    assert_int_equal(s.access.mask, 0x7ff);
    for (uint32_t lane = 0; lane <= 10; lane++)
        assert_true(s.access.address[lane] == texels + 4 * lane ||
                    s.access.address[lane] == texels + 4 * lane - 4);
    step_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_texels),
        cmocka_unit_test(four_texels_of_a_cube),
        cmocka_unit_test(one_texel),
        cmocka_unit_test(one_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
