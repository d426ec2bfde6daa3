/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/exec/op/bench.c: see the header. The kernel begins with instructions that only show
 * where each register lies. */
#include "tests/tb/exec/op/bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const struct kind bench_kinds[NUM_KINDS] = {
    {'b', ".b8", "cvt.u8.u8", 0xff, 4}, {'h', ".b16", "mov.b16", 0xffff, 4},
    {'r', ".b32", "mov.b32", ~0u, 4},   {'f', ".f32", "mov.f32", ~0u, 4},
    {'d', ".b64", "mov.b64", ~0ull, 8}, {'g', ".f64", "mov.f64", ~0ull, 8},
    {'p', ".pred", "mov.pred", 1, 0},   {'a', ".b64", "mov.b64", ~0ull, 8},
    {'c', ".b32", "mov.b32", ~0u, 4},   {'q', ".pred", "mov.pred", 1, 0},
};

const struct kind bench_carry = {'y', ".pred", NULL, 1, 0};

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

static void collect(void *bench, const struct op *op)
{
    struct bench *b = bench;
    b->ops = realloc(b->ops, (b->num_ops + 1) * sizeof *b->ops);
    assert_non_null(b->ops);
    b->ops[b->num_ops++] = *op;
}

static char *text_of(const struct bench *b)
{
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    assert_non_null(f);
    fprintf(f,
            PTX_HEAD ".entry k(.param .align 16 .b8 in[64])\n{\n .local .align 16 .b8 local[%d];\n",
            REGION);
    for (unsigned k = 0; k < NUM_KINDS; k++) {
        const char letter = bench_kinds[k].letter;
        fprintf(f, " .reg %s %%%c<%d>;\n", bench_kinds[k].type, letter, REGISTERS);
        for (int i = 0; i < REGISTERS; i++)
            fprintf(f, " %s %%%c%d, %%%c%d;\n", bench_kinds[k].show, letter, i, letter, i);
    }
    fprintf(f, " add.cc.u32 %%r0, %%r0, %%r0;\n");
    for (unsigned i = 0; i < b->num_ops; i++)
        fprintf(f, " @%%q0 %s;\n", b->ops[i].text);
    fprintf(f, " mov.u64 %%a0, local;\n ret;\n}\n"); /* local memory is there if it is used */
    fclose(f);
    return text;
}

static void open_machine(struct machine *m, unsigned build, const char *text)
{
    memset(m, 0, sizeof *m);
    m->build = build;
    m->program = program_open(text, build);
    m->arena = aligned_alloc(64, sizeof *m->arena);
    assert_non_null(m->arena);
    struct ptx_kernel *kernel = ptx_kernel(m->program.module, "k");
    struct gmem *gmem = m->program.gmem;
    m->global = gmem_alloc(gmem, REGION, m->arena->global);
    m->constant = gmem_alloc(gmem, REGION, m->arena->constant);
    m->launch = (struct exec_launch){.kernel = kernel,
                                     .gmem = gmem,
                                     .params = m->arena->param,
                                     .grid = {1, 1, 1},
                                     .block = {WARP_LANES, 1, 1},
                                     .work_dim = 1,
                                     .shared_bytes = REGION};
    m->block = (struct exec_block){.launch = &m->launch, .shared = m->arena->shared};
    m->warp.regs = aligned_alloc(64, exec_warp_bytes(kernel));
    m->warp.local = m->arena->local[0];
    assert_non_null(m->warp.regs);
    assert_int_equal(exec_local_bytes(kernel), sizeof m->arena->local);
    exec_warp_start(&m->warp, &m->block, 0, &m->fault);
}

void bench_open(struct bench *b, const char *row)
{
    uint64_t random = 0x9e3779b97f4a7c15;
    *b = (struct bench){.num_machines = exec_builds()};
    op_expand(row, collect, b);
    char *text = text_of(b);
    for (unsigned i = 0; i < b->num_machines; i++)
        open_machine(&b->machines[i], i, text);
    free(text);
    b->kernel = b->machines[0].launch.kernel;
    b->uops = b->kernel->uops + NUM_KINDS * REGISTERS + 1;
    b->carry = b->uops[-1].dst[1];
    b->reg_bytes = b->kernel->reg_bytes - WARP_LANES * sizeof(uint64_t);
    b->before = calloc(1, b->reg_bytes);
    b->memory = aligned_alloc(64, sizeof *b->memory);
    b->expected = aligned_alloc(64, sizeof *b->expected);
    assert_true(b->before && b->memory && b->expected);
    for (unsigned k = 0; k < NUM_KINDS; k++)
        for (unsigned i = 0; i < REGISTERS; i++) {
            b->where[k][i] = b->kernel->uops[k * REGISTERS + i].dst[0];
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                bench_set(b->before, &bench_kinds[k], b->where[k][i], lane, next_random(&random));
        }
    for (size_t i = 0; i < sizeof *b->memory / sizeof random; i++)
        ((uint64_t *)b->memory)[i] = next_random(&random);
    for (unsigned i = 0; i < b->num_machines; i++)
        *b->machines[i].arena = *b->memory;
}

void bench_close(struct bench *b)
{
    for (unsigned i = 0; i < b->num_machines; i++) {
        program_close(&b->machines[i].program);
        free(b->machines[i].warp.regs);
        free(b->machines[i].arena);
    }
    free(b->ops);
    free(b->before);
    free(b->memory);
    free(b->expected);
}

const struct kind *bench_kind(const struct bench *b, uint32_t where)
{
    if (where == b->carry)
        return &bench_carry;
    for (unsigned k = 0; k < NUM_KINDS; k++)
        for (unsigned i = 0; i < REGISTERS; i++)
            if (b->where[k][i] == where)
                return &bench_kinds[k];
    return NULL;
}
