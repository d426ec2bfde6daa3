/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/cube_test.c: tests cube textures of tb/exec/tex.c: every direction against the
 * table of faces in the CUDA C++ Programming Guide, "Cubemap Textures". */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/exec/support.h"

enum { SIZE = 8, FACES = 18, THREADS = 17 * 17 * 17 };

struct bench {
    struct program program;
    struct ptx_texture *texture;
    uint64_t params[3];
    float (*in)[4];
    uint32_t *out;
};

/* A texel holds its own number. */
static void open_bench(struct bench *b, const char *instruction)
{
    char text[1024];
    snprintf(text, sizeof text,
             PTX_HEAD ".entry k(.param .u64 t, .param .u64 in, .param .u64 out)\n{\n"
                      ".reg .b32 %%r<20>; .reg .f32 %%f<20>; .reg .b64 %%d<9>;\n"
                      "mov.u32 %%r1, %%ntid.x; mov.u32 %%r2, %%tid.x;\n"
                      "mad.lo.u32 %%r1, %%r1, %%ctaid.x, %%r2; ld.param.u64 %%d1, [t];\n"
                      "ld.param.u64 %%d2, [in]; mad.wide.u32 %%d2, %%r1, 16, %%d2;\n"
                      "ld.param.u64 %%d3, [out]; mad.wide.u32 %%d3, %%r1, 4, %%d3;\n"
                      "ld.global.v4.f32 {%%f1, %%f2, %%f3, %%f4}, [%%d2]; cvt.rni.s32.f32 %%r3, "
                      "%%f4;\n%s; st.global.u32 [%%d3], %%r4;\n}\n",
             instruction);
    b->program = program_open(text, exec_builds() - 1);
    struct gmem *g = b->program.gmem;
    const uint64_t texels = gmem_alloc(g, 4 * FACES * SIZE * SIZE, NULL);
    b->params[0] = gmem_alloc(g, sizeof *b->texture, NULL);
    b->params[1] = gmem_alloc(g, 16 * THREADS, NULL);
    b->params[2] = gmem_alloc(g, 4 * THREADS, NULL);
    b->texture = gmem_host(g, b->params[0], sizeof *b->texture);
    *b->texture = (struct ptx_texture){.texels = texels,
                                       .row_pitch = 4 * SIZE,
                                       .slice_pitch = 4 * SIZE * SIZE,
                                       .width = SIZE,
                                       .height = SIZE,
                                       .depth = FACES,
                                       .texel_bytes = 4,
                                       .kind = TEXEL_UNSIGNED,
                                       .widths = {32}};
    uint32_t *image = gmem_host(g, texels, 4 * FACES * SIZE * SIZE);
    for (uint32_t i = 0; i < FACES * SIZE * SIZE; i++)
        image[i] = i;
    b->in = gmem_host(g, b->params[1], 16 * THREADS);
    b->out = gmem_host(g, b->params[2], 4 * THREADS);
}

static int run(const struct bench *b, struct exec_fault *fault)
{
    const struct run run = {"k", {THREADS / 289, 1, 1}, {289, 1, 1}, b->params, 0};
    return program_run(&b->program, &run, fault, NULL);
}

/* The guide's table: for each face its direction, and what s and t are. */
static uint32_t plain_texel(const float at[3], uint32_t layer)
{
    static const struct {
        int axis, sign, s, s_sign, t, t_sign;
    } faces[] = {{0, 1, 2, -1, 1, -1}, {0, -1, 2, 1, 1, -1}, {1, 1, 0, 1, 2, 1},
                 {1, -1, 0, 1, 2, -1}, {2, 1, 0, 1, 1, -1},  {2, -1, 0, -1, 1, -1}};
    for (uint32_t f = 0; f < 6; f++) {
        const double m = at[faces[f].axis] * faces[f].sign;
        if (m < fabs((double)at[0]) || m < fabs((double)at[1]) || m < fabs((double)at[2]))
            continue;
        double s = at[faces[f].s] * faces[f].s_sign / m, t = at[faces[f].t] * faces[f].t_sign / m;
        s = fmin(floor((s + 1) / 2 * SIZE), SIZE - 1);
        t = fmin(floor((t + 1) / 2 * SIZE), SIZE - 1);
        return ((6 * layer + f) * SIZE + (uint32_t)t) * SIZE + (uint32_t)s;
    }
    return ~0u;
}

/* All directions of a grid whose coordinates are powers of two and 0, so that quotients are exact.
 */
static void directions(void **state)
{
    static const char *const instructions[] = {
        "tex.cube.v4.u32.f32 {%r4, %r5, %r6, %r7}, [%d1, {%f1, %f2, %f3, %f4}]",
        "tex.acube.v4.u32.f32 {%r4, %r5, %r6, %r7}, [%d1, {%r3, %f1, %f2, %f3}]"};
    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        struct bench b;
        struct exec_fault fault;
        open_bench(&b, instructions[n]);
        for (int i = 0; i < THREADS; i++) {
            const int grid[] = {i % 17 - 8, i / 17 % 17 - 8, i / 289 - 8};
            for (int k = 0; k < 3; k++)
                b.in[i][k] = grid[k] == 0  ? 0
                             : grid[k] > 0 ? ldexpf(1, grid[k] - 5)
                                           : -ldexpf(1, -grid[k] - 5);
            b.in[i][3] = (float)(i % 4);
        }
        if (run(&b, &fault) != 0)
            fail_msg("%s", fault.message);
        for (int i = 0; i < THREADS; i++) {
            const uint32_t layer = n == 0 ? 0 : i % 4 < 3 ? (uint32_t)(i % 4) : 2; /* the last */
            const int none = b.in[i][0] == 0 && b.in[i][1] == 0 && b.in[i][2] == 0;
            if (!none && b.out[i] != plain_texel(b.in[i], layer))
                fail_msg("%s (%g, %g, %g) layer %u: %u, expected %u", instructions[n], b.in[i][0],
                         b.in[i][1], b.in[i][2], layer, b.out[i], plain_texel(b.in[i], layer));
            assert_true(b.out[i] < FACES * SIZE * SIZE);
        }
        program_close(&b.program);
    }
}

/* Directions that are none give some texel; what has less than six faces is no cube. */
static void bad_directions_and_textures(void **state)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY, 0, 3e38f};
    struct bench b;
    struct exec_fault fault;
    (void)state;
    open_bench(&b, "tex.cube.v4.u32.f32 {%r4, %r5, %r6, %r7}, [%d1, {%f1, %f2, %f3, %f4}]");
    for (int i = 0; i < THREADS; i++)
        for (int k = 0; k < 3; k++)
            b.in[i][k] = bad[(k == 0 ? i : k == 1 ? i / 5 : i / 25) % 5];
    assert_int_equal(run(&b, &fault), 0);
    for (int i = 0; i < THREADS; i++)
        assert_true(b.out[i] < 6 * SIZE * SIZE);
    b.texture->depth = 5;
    assert_int_equal(run(&b, &fault), -1);
    assert_non_null(strstr(fault.message, "the texture has 5 of a cube's 6 faces"));
    program_close(&b.program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directions),
        cmocka_unit_test(bad_directions_and_textures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
