/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/locality_fuzz.c: any bytes as PTX whose kernels are analysed: which memory each block of a
 * small grid reads, who shares it, how blocks are grouped. The blocks are executed, too, some hundred
 * instructions each; where all come to their end, the loads that are known have read just what was found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tb/locality/footprint.h"
#include "tb/locality/group.h"
#include "tb/locality/text.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/kernels.h"

#define STEPS  400 /* of a block */
#define GRID_X 3
#define GRID_Y 2
#define BLOCKS (GRID_X * GRID_Y)
#define MOST   (STEPS * FUZZ_THREADS * 16) /* bytes that a block can read */

/* What known loads of a block have read. */
struct reads {
    uint64_t byte[MOST];
    size_t count;
};

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Is the load of this line known? -1: of several in this line one is and another is not. */
static int is_known(const struct locality *found, uint32_t line)
{
    int known = 0, unknown = 0;
    for (uint32_t i = 0; i < found->num_loads; i++)
        if (found->loads[i].line == line)
            *(found->loads[i].doubt ? &unknown : &known) = 1;
    return known && unknown ? -1 : known;
}

/* Executes one block. Returns whether it has come to its end. */
static int run_block(const struct exec_launch *launch, uint32_t x, uint32_t y,
                     const struct locality *found, struct reads *r)
{
    struct fuzz_warp w;
    struct exec_access access;
    enum exec_status status = EXEC_NEXT;
    fuzz_start(&w, launch, x, y);
    r->count = 0;
    for (int i = 0; i < STEPS && status != EXEC_DONE && status != EXEC_FAULT; i++) {
        const struct uop *u = &launch->kernel->uops[w.warp.pc];
        access.mask = 0;
        status = exec_step(&w.warp, &access);
        if (u->op != U_LD || u->klass != CLASS_GMEM || is_known(found, u->line) <= 0)
            continue;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            for (unsigned b = 0; b < access.bytes && access.mask >> lane & 1; b++)
                r->byte[r->count++] = access.address[lane] + b;
    }
    fuzz_end(&w);
    qsort(r->byte, r->count, sizeof *r->byte, by_number);
    return status == EXEC_DONE;
}

/* What was found of a block: spans by where they begin; those of several parts may overlap. */
struct spread {
    struct span span[MOST];
    size_t count;
};

static int by_first(const void *a, const void *b)
{
    return by_number(&((const struct span *)a)->first, &((const struct span *)b)->first);
}

static void spread_of(struct spread *s, const struct footprint *f, const uint32_t block[3])
{
    s->count = 0;
    for (uint32_t p = 0; p < f->num_parts; p++) {
        const struct spans *set = &f->parts[p].sets[part_set(&f->parts[p], f->grid, block)];
        for (uint32_t i = 0; i < set->count && s->count < MOST; i++)
            s->span[s->count++] = set->span[i];
    }
    qsort(s->span, s->count, sizeof *s->span, by_first);
}

/* Both sorted: what was read stands in the spans, one byte after the other, and nothing else. */
static void compare(const struct reads *r, const struct spread *s)
{
    size_t i = 0;
    uint64_t at = 0; /* all below has been compared */
    for (size_t j = 0; j < s->count; j++)
        for (at = at > s->span[j].first ? at : s->span[j].first; at < s->span[j].behind; at++) {
            if (i == r->count || r->byte[i] != at)
                fail_msg("byte 0x%llx is not read", (unsigned long long)at);
            while (i < r->count && r->byte[i] == at)
                i++;
        }
    if (i < r->count)
        fail_msg("byte 0x%llx is read, too", (unsigned long long)r->byte[i]);
}

/* Where of a line's loads one is known and another is not, there is no telling them apart. */
static int comparable(const struct ptx_kernel *k, const struct locality *found)
{
    for (uint32_t i = 0; i < k->num_uops; i++)
        if (k->uops[i].op == U_LD && is_known(found, k->uops[i].line) < 0)
            return 0;
    return 1;
}

static void check_reads(const struct exec_launch *launch, const struct locality *found,
                        const struct footprint *f)
{
    static struct reads reads[BLOCKS];
    static struct spread spread;
    for (uint32_t i = 0; i < BLOCKS; i++)
        if (!run_block(launch, i % GRID_X, i / GRID_X, found, &reads[i]))
            return;
    for (uint32_t i = 0; i < BLOCKS; i++) {
        const uint32_t block[3] = {i % GRID_X, i / GRID_X, 0};
        spread_of(&spread, f, block);
        compare(&reads[i], &spread);
    }
}

static void check_groups(const struct sharing *s)
{
    for (enum grouping_kind kind = GROUPING_MST; kind <= GROUPING_RB; kind++) {
        struct grouping g;
        unsigned seen = 0;
        assert_int_equal(grouping_make(&g, s, kind, (struct grouping_room){2, 2, 0}), 0);
        assert_int_equal(g.first[g.count], BLOCKS);
        for (uint32_t i = 0; i < g.count; i++)
            assert_true(g.first[i] < g.first[i + 1]);
        for (uint32_t i = 0; i < BLOCKS; i++)
            seen |= 1u << g.blocks[i];
        assert_int_equal(seen, (1u << BLOCKS) - 1);
        grouping_free(&g);
    }
}

static void write_loads(const struct locality *found)
{
    FILE *nowhere = fopen("/dev/null", "w");
    assert_non_null(nowhere);
    for (uint32_t i = 0; i < found->num_loads; i++) {
        const struct locality_load *l = &found->loads[i];
        if (l->doubt) {
            text_doubt(nowhere, l->doubt);
        } else {
            text_value(nowhere, l->address);
            text_condition(nowhere, l->when);
        }
    }
    fclose(nowhere);
}

static void analyse(const struct fuzz_kernels *fuzz, const struct ptx_kernel *k)
{
    uint8_t *params = fuzz_params(fuzz, k);
    const struct locality_launch launch = {.kernel = k,
                                           .params = params,
                                           .grid = {GRID_X, GRID_Y, 1},
                                           .block = {FUZZ_THREADS, 1, 1},
                                           .work_dim = 2};
    const struct exec_launch run = {.kernel = k,
                                    .gmem = fuzz->gmem,
                                    .params = params,
                                    .grid = {GRID_X, GRID_Y, 1},
                                    .block = {FUZZ_THREADS, 1, 1},
                                    .work_dim = 2,
                                    .shared_bytes = k->shared_bytes + 64};
    struct ptx_error error;
    struct footprint footprint = {0};
    struct sharing sharing;
    fuzz_fill(fuzz);
    struct locality *found = locality_find(&launch, &error);
    if (found && !footprint_find(&footprint, found, &launch, 1, &error)) {
        write_loads(found);
        if (!sharing_find(&sharing, &footprint, &error)) {
            check_groups(&sharing);
            sharing_free(&sharing);
        }
        if (comparable(k, found))
            check_reads(&run, found, &footprint);
    }
    footprint_free(&footprint);
    locality_free(found);
    free(params);
}

int locality_fuzz(const uint8_t *data, size_t size)
{
    struct fuzz_kernels fuzz;
    struct ptx_error error;
    if (fuzz_open(&fuzz, data, size))
        return 0;
    if (!exec_bind(fuzz.module, &error))
        for (uint32_t k = 0; k < fuzz.module->num_kernels; k++)
            if (!fuzz.module->kernels[k].refused)
                analyse(&fuzz, &fuzz.module->kernels[k]);
    fuzz_close(&fuzz);
    return 0;
}
