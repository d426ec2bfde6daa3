/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/surfaces.c: see the header. */
#include "tests/tb/exec/surfaces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tb/ptx/ptx_support.h"

const struct surface_geometry surface_geometries[NUM_GEOMETRIES] = {
    {"1d", "{%r2}", 1, 0},       {"1d", "%r2", 1, 0},
    {"2d", "{%r2, %r3}", 2, 0},  {"3d", "{%r2, %r3, %r4, %r5}", 3, 0},
    {"a1d", "{%r2, %r3}", 1, 1}, {"a2d", "{%r2, %r3, %r4, %r5}", 2, 1}};

const char *const surface_modes[] = {"trap", "clamp", "zero"};

void surface_open(struct surface_bench *b, const char *instruction)
{
    char text[4096];
    snprintf(
        text, sizeof text,
        PTX_HEAD
        ".global .surfref named; .global .texref picture; .global .samplerref sampling = "
        "{addr_mode_0 = mirror};\n"
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

void surface_close(struct surface_bench *b)
{
    free(b->before);
    program_close(&b->program);
}

void surface_bind(struct surface_bench *b, uint64_t descriptor, uint32_t bytes, uint32_t kind)
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

void surface_place(struct surface_bench *b, const struct surface_geometry *g, int inside,
                   int places, int step)
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

int surface_plain(const struct surface_bench *b, const struct surface_geometry *g, int t, int mode,
                  int places, int step, int unit)
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

int surface_run(const struct surface_bench *b, struct exec_fault *fault)
{
    const uint64_t params[4] = {b->descriptor, b->in, b->values, b->out};
    const struct run run = {"k", {1, 1, 1}, {THREADS, 1, 1}, params, 0};
    return program_run(&b->program, &run, fault, NULL);
}

void surface_run_well(const struct surface_bench *b, const char *what)
{
    struct exec_fault fault;
    if (surface_run(b, &fault) != 0)
        fail_msg("%s: %s", what, fault.message);
}
