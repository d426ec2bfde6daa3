/* SPDX-License-Identifier: Apache-2.0 */
/* tests/tb/locality/support.c: see the header. */
#include "tests/tb/locality/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/locality/footprint.h"
#include "tests/tb/exec/support.h"

struct watcher {
    const struct locality *found;
    const struct locality_launch *launch;
    uint64_t base;
    uint8_t *touched; /* a row of BUFFER_BYTES for each block */
    int outside;
};

static uint64_t number_of(const struct locality_launch *l, const uint32_t block[3])
{
    return ((uint64_t)block[2] * l->grid[1] + block[1]) * l->grid[0] + block[0];
}

static void accessed(void *context, const struct exec_block *block, uint32_t insn,
                     const struct exec_access *access)
{
    struct watcher *w = context;
    const struct uop *u = &block->launch->kernel->uops[insn];
    uint8_t *row = w->touched + number_of(w->launch, block->ctaid) * BUFFER_BYTES;
    int known = 0;
    for (uint32_t i = 0; i < w->found->num_loads; i++)
        if (w->found->loads[i].line == u->line)
            known = !w->found->loads[i].doubt;
    for (unsigned lane = 0; lane < WARP_LANES && known && u->op == U_LD; lane++)
        for (unsigned b = 0; b < access->bytes && access->mask >> lane & 1; b++) {
            const uint64_t at = access->address[lane] + b - w->base;
            if (at < BUFFER_BYTES)
                row[at] = 1;
            else
                w->outside = 1;
        }
}

/* What the analysis says of a block. */
static void mark(const struct footprint *f, const uint32_t block[3], uint64_t base, uint8_t *row)
{
    for (uint32_t p = 0; p < f->num_parts; p++) {
        const struct spans *set = &f->parts[p].sets[part_set(&f->parts[p], f->grid, block)];
        for (uint32_t i = 0; i < set->count; i++)
            for (uint64_t at = set->span[i].first; at < set->span[i].behind; at++)
                row[at - base < BUFFER_BYTES ? at - base : 0] = 1;
    }
}

static void compare(struct compared *c, const struct watcher *w, const struct footprint *f)
{
    const uint32_t *grid = w->launch->grid;
    uint8_t *row = malloc(BUFFER_BYTES);
    uint32_t block[3];
    assert_non_null(row);
    for (block[2] = 0; block[2] < grid[2]; block[2]++)
        for (block[1] = 0; block[1] < grid[1]; block[1]++)
            for (block[0] = 0; block[0] < grid[0]; block[0]++) {
                const uint8_t *touched = w->touched + number_of(w->launch, block) * BUFFER_BYTES;
                memset(row, 0, BUFFER_BYTES);
                mark(f, block, w->base, row);
                for (int i = 0; i < BUFFER_BYTES; i++) {
                    c->bytes += touched[i];
                    if (row[i] != touched[i] && !*c->wrong)
                        snprintf(c->wrong, sizeof c->wrong, "block (%u, %u, %u) %s byte %d",
                                 block[0], block[1], block[2],
                                 touched[i] ? "also reads" : "does not read", i);
                }
            }
    free(row);
}

static void fill_params(const struct ptx_kernel *k, uint64_t base, const uint32_t *numbers,
                        uint8_t *params)
{
    const uint64_t middle = base + BUFFER_BYTES / 2;
    for (uint32_t i = 0; i < k->num_params; i++) {
        if (k->params[i].size == 8)
            memcpy(params + k->params[i].offset, &middle, 8);
        else
            memcpy(params + k->params[i].offset, numbers++, 4);
    }
}

struct compared compare_reads(const char *text, const uint32_t grid[3], const uint32_t block[3],
                              const uint32_t *numbers)
{
    struct program p = program_open(text, exec_builds() - 1);
    const struct ptx_kernel *k = &p.module->kernels[0];
    uint8_t params[256] = {0};
    const uint64_t base = gmem_alloc(p.gmem, BUFFER_BYTES, NULL),
                   blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    struct locality_launch launch = {.kernel = k, .params = params, .work_dim = 3};
    struct exec_launch exec = {.kernel = k, .gmem = p.gmem, .params = params, .work_dim = 3};
    struct compared c = {0};
    struct ptx_error error;
    struct exec_fault fault;
    struct footprint f;
    uint64_t instructions;
    memcpy(launch.grid, grid, sizeof launch.grid);
    memcpy(launch.block, block, sizeof launch.block);
    memcpy(exec.grid, grid, sizeof exec.grid);
    memcpy(exec.block, block, sizeof exec.block);
    exec.shared_bytes = k->shared_bytes;
    fill_params(k, base, numbers, params);
    struct locality *found = locality_find(&launch, &error);
    if (!found || footprint_find(&f, found, &launch, 1, &error))
        fail_msg("%s", error.message);
    struct watcher w = {.found = found, .launch = &launch, .base = base};
    const struct exec_watch watch = {.context = &w, .accessed = accessed};
    w.touched = calloc(blocks, BUFFER_BYTES);
    assert_non_null(w.touched);
    if (exec_run(&exec, 0, &watch, NULL, NULL, &fault, &instructions))
        fail_msg("%s", fault.message);
    assert_false(w.outside);
    for (uint32_t i = 0; i < found->num_loads; i++)
        c.known += !found->loads[i].doubt;
    c.loads = found->num_loads;
    compare(&c, &w, &f);
    free(w.touched);
    footprint_free(&f);
    locality_free(found);
    program_close(&p);
    return c;
}
