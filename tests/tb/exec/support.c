/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/support.c: see the header. */
#include "tests/tb/exec/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t place(void *gmem, const struct ptx_var *var)
{
    uint64_t address = gmem_alloc(gmem, var->size, NULL);
    memcpy(gmem_host(gmem, address, var->size), var->init, var->size);
    return address;
}

struct program program_open(const char *text, unsigned build)
{
    struct ptx_error error;
    struct program p = {ptx_parse("test.ptx", text, strlen(text), &error), gmem_new(), NULL, 0};
    if (!p.module)
        fail_msg("%s", error.message);
    assert_non_null(p.gmem);
    assert_int_equal(ptx_place(p.module, place, p.gmem), 0);
    if (exec_bind_build(p.module, build, &error) != 0)
        fail_msg("%s", error.message);
    return p;
}

void program_close(struct program *p)
{
    gmem_free_all(p->gmem);
    ptx_free(p->module);
}

struct program program_with_body(const char *body)
{
    char text[4096];
    snprintf(text, sizeof text,
             PTX_HEAD ".entry k(.param .u64 a, .param .u32 n)\n{\n.reg .pred %%p<4>; .reg .b32 "
                      "%%r<20>; .reg .b64 %%d<20>;\n%s\n}\n",
             body);
    return program_open(text, exec_builds() - 1);
}

const struct ptx_kernel *program_limited(const struct ptx_kernel *k, uint32_t registers)
{
    struct ptx_error error;
    const struct ptx_kernel *limited = exec_limit(k, registers, &error);
    if (!limited)
        fail_msg("%s", error.message);
    return limited;
}

int program_run(const struct program *p, const struct run *run, struct exec_fault *fault,
                uint64_t *instructions)
{
    struct exec_fault own_fault;
    uint64_t own_count;
    const struct ptx_kernel *kernel = ptx_kernel(p->module, run->kernel);
    assert_non_null(kernel);
    if (p->registers) {
        kernel = program_limited(kernel, p->registers);
        assert_in_range(kernel->regs_per_thread, 1, p->registers);
    }
    struct exec_launch launch = {
        .kernel = kernel, .gmem = p->gmem, .params = run->params, .work_dim = 3};
    memcpy(launch.grid, run->grid, sizeof launch.grid);
    memcpy(launch.block, run->block, sizeof launch.block);
    launch.shared_bytes = ((kernel->shared_bytes + 15) & ~15u) + run->dynamic_shared;
    return exec_run(&launch, 0, NULL, NULL, p->tolerated, fault ? fault : &own_fault,
                    instructions ? instructions : &own_count);
}

void step_open(struct stepped *s, const char *body, uint32_t threads)
{
    char text[8192];
    snprintf(text, sizeof text,
             PTX_HEAD ".entry k(.param .u64 a, .param .u64 b)\n{\n .reg .pred %%p<10>; .reg .b32 "
                      "%%r<20>; .reg .b64 %%d<10>;\n"
                      "%s\n}\n",
             body);
    memset(s, 0, sizeof *s);
    s->program = program_open(text, exec_builds() - 1);
    s->kernel = ptx_kernel(s->program.module, "k");
    s->launch = (struct exec_launch){s->kernel,
                                     s->program.gmem,
                                     (const uint8_t *)s->params,
                                     {1, 1, 1},
                                     {threads, 1, 1},
                                     {0},
                                     1,
                                     0,
                                     0};
    s->block.launch = &s->launch;
    s->warp.regs = aligned_alloc(64, exec_warp_bytes(s->kernel));
    assert_non_null(s->warp.regs);
    exec_warp_start(&s->warp, &s->block, 0, &s->fault);
}

uint64_t step_row(struct stepped *s, struct ptx_texture t)
{
    struct gmem *g = s->program.gmem;
    t.texels = gmem_alloc(g, 64, NULL);
    t.width = 10;
    t.height = t.depth = 1;
    t.texel_bytes = 4;
    t.kind = TEXEL_UNSIGNED;
    t.widths[0] = 32;
    s->params[0] = gmem_alloc(g, sizeof t, NULL);
    memcpy(gmem_host(g, s->params[0], sizeof t), &t, sizeof t);
    return t.texels;
}

void step_close(struct stepped *s)
{
    exec_warp_free(&s->warp);
    free(s->warp.regs);
    program_close(&s->program);
}

enum exec_status step_once(struct stepped *s)
{
    return exec_step(&s->warp, &s->access);
}

uint32_t step_to_end(struct stepped *s, enum exec_status *status)
{
    uint32_t deepest = 0;
    do {
        *status = step_once(s);
        deepest = s->warp.depth > deepest ? s->warp.depth : deepest;
    } while (*status == EXEC_NEXT || *status == EXEC_BRANCH);
    return deepest;
}

const uint32_t *written(const struct stepped *s, uint32_t index)
{
    return (const uint32_t *)(s->warp.regs + s->kernel->uops[index].dst[0]);
}

char *program_text(const char *path)
{
    char *text = calloc(1, 1 << 20);
    FILE *f = fopen(path, "r");
    assert_non_null(text);
    if (!f)
        fail_msg("%s cannot be opened; tests run in the top folder", path);
    assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

#define THREADS (32 * 40 + 7)

const uint32_t *program_words(const char *text, uint32_t stack, char message[EXEC_MESSAGE])
{
    static uint32_t words[PROGRAM_WORDS];
    struct program p = program_open(text, exec_builds() - 1);
    ptx_stack(p.module, stack);
    uint64_t out = gmem_alloc(p.gmem, sizeof words, NULL);
    struct run run = {"k", {1, 1, 1}, {PROGRAM_WORDS, 1, 1}, &out, 0};
    struct exec_fault fault;
    memset(gmem_host(p.gmem, out, sizeof words), 0x5a, sizeof words);
    const int failed = program_run(&p, &run, &fault, NULL);
    snprintf(message, EXEC_MESSAGE, "%s", failed ? fault.message : "");
    memcpy(words, gmem_host(p.gmem, out, sizeof words), sizeof words);
    program_close(&p);
    return words;
}

void program_like_c(const char *path, uint32_t stack, uint32_t registers,
                    const struct like_c *functions, unsigned count)
{
    char *text = program_text(path);
    struct program p = program_open(text, exec_builds() - 1);
    ptx_stack(p.module, stack);
    p.registers = registers;
    uint64_t params[2] = {gmem_alloc(p.gmem, 4 * THREADS, NULL),
                          gmem_alloc(p.gmem, 4 * THREADS, NULL)};
    uint32_t *in = gmem_host(p.gmem, params[0], 4 * THREADS),
             *out = gmem_host(p.gmem, params[1], 4 * THREADS);
    for (uint32_t i = 0, random = 1; i < THREADS; i++) {
        random = random * 1664525 + 1013904223;
        in[i] = i < 600 ? i : i < 900 ? random >> 20 : random;
    }
    for (unsigned n = 0; n < count; n++) {
        struct exec_fault fault;
        struct run run = {functions[n].name, {1, 1, 1}, {THREADS, 1, 1}, params, 0};
        memset(out, 0x5a, 4 * THREADS);
        if (program_run(&p, &run, &fault, NULL) != 0)
            fail_msg("%s: %s", path, fault.message);
        for (uint32_t i = 0; i < THREADS; i++)
            if (out[i] != functions[n].function(in[i]))
                fail_msg("%s: %s(%u) = %u, expected %u", path, functions[n].name, in[i], out[i],
                         functions[n].function(in[i]));
    }
    program_close(&p);
    free(text);
}
