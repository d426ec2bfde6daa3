/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/reads.c: see reads.h. */
#include "tb/gpu/reads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tb/file.h"
#include "tb/gpu/progress.h"
#include "tb/gpu/reads_file.h"

struct reads {
    char *path;
    uint32_t unit;
    struct exec_watch watch;
    int checks;
    struct reads_row *rows;
    size_t num_rows;
    /* of the launch that is executed */
    const char *kernel;
    struct footprint footprint;
    uint8_t *is_known; /* by line of the PTX: all loads of it are */
    uint32_t num_lines;
    uint32_t block[3]; /* that is executed */
    int has_block;
    struct spans touched; /* what it has read by lines that are known */
    char wrong[256];      /* the first block that has read something else */
};

/* What the block will read. Returns 0, or -1: no memory. */
static int expect(const struct reads *r, struct spans *expected)
{
    for (uint32_t p = 0; p < r->footprint.num_parts; p++) {
        const struct part *part = &r->footprint.parts[p];
        const struct spans *set = &part->sets[part_set(part, r->footprint.grid, r->block)];
        for (uint32_t i = 0; i < set->count; i++)
            if (spans_add(expected, set->span[i].first, set->span[i].behind))
                return -1;
    }
    spans_sort(expected);
    return 0;
}

static void describe(struct reads *r, const char *what, uint64_t unit)
{
    snprintf(r->wrong, sizeof r->wrong,
             "kernel %.80s: block (%" PRIu32 ", %" PRIu32 ", %" PRIu32 ") %s 0x%" PRIx64, r->kernel,
             r->block[0], r->block[1], r->block[2], what, unit * r->unit);
}

/* The first unit at which the two sets differ. */
static void compare(struct reads *r)
{
    struct spans expected = {0};
    const struct span none = {UINT64_MAX, UINT64_MAX};
    if (expect(r, &expected))
        snprintf(r->wrong, sizeof r->wrong, "no memory to check a block");
    spans_sort(&r->touched);
    for (uint32_t i = 0; !*r->wrong && (i < expected.count || i < r->touched.count); i++) {
        const struct span e = i < expected.count ? expected.span[i] : none,
                          t = i < r->touched.count ? r->touched.span[i] : none;
        if (e.first != t.first)
            describe(r, t.first < e.first ? "reads, not found before," : "does not read",
                     t.first < e.first ? t.first : e.first);
        else if (e.behind != t.behind)
            describe(r, t.behind > e.behind ? "reads, not found before," : "does not read",
                     t.behind > e.behind ? e.behind : t.behind);
    }
    free(expected.span);
    r->touched.count = 0;
}

static void accessed(void *context, const struct exec_block *block, uint32_t insn,
                     const struct exec_access *access)
{
    struct reads *r = context;
    const struct uop *u = &block->launch->kernel->uops[insn];
    if (r->has_block && memcmp(r->block, block->ctaid, sizeof r->block) != 0)
        compare(r);
    memcpy(r->block, block->ctaid, sizeof r->block);
    r->has_block = 1;
    if (u->op != U_LD || access->space != SPACE_GLOBAL || u->line >= r->num_lines ||
        !r->is_known[u->line])
        return;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        const uint64_t at = access->address[lane];
        if (access->mask >> lane & 1 &&
            spans_add(&r->touched, at / r->unit, (at + access->bytes - 1) / r->unit + 1))
            snprintf(r->wrong, sizeof r->wrong, "no memory to check a block");
    }
}

struct reads *reads_new(const char *path, uint32_t unit, int check)
{
    struct reads *r = calloc(1, sizeof *r);
    if (!r || !(r->path = strdup(path))) {
        free(r);
        return NULL;
    }
    r->unit = unit;
    r->checks = check;
    r->watch = (struct exec_watch){.context = r, .accessed = accessed};
    return r;
}

static void end_launch(struct reads *r)
{
    footprint_free(&r->footprint);
    free(r->is_known);
    free(r->touched.span);
    r->is_known = NULL;
    r->touched = (struct spans){0};
    r->num_lines = 0;
    r->has_block = 0;
}

void reads_free(struct reads *r)
{
    if (!r)
        return;
    end_launch(r);
    for (size_t i = 0; i < r->num_rows; i++)
        reads_row_free(&r->rows[i]);
    free(r->rows);
    free(r->path);
    free(r);
}

/* Which lines are known. Returns 0, or -1: no memory. */
static int note_lines(struct reads *r, const struct ptx_kernel *k, const struct locality *found)
{
    for (uint32_t i = 0; i < k->num_uops; i++)
        r->num_lines = k->uops[i].line >= r->num_lines ? k->uops[i].line + 1 : r->num_lines;
    r->is_known = calloc(r->num_lines + 1u, 1);
    for (uint32_t i = 0; i < found->num_loads && r->is_known; i++)
        r->is_known[found->loads[i].line] = !found->loads[i].doubt;
    return r->is_known ? 0 : -1;
}

/* Adds a row, or counts it to an earlier one; takes what it owns. Returns 0, or -1: no memory. */
static int add_row(struct reads *r, struct reads_row *row)
{
    for (size_t i = r->num_rows; i-- > 0;) {
        struct reads_row *old = &r->rows[i];
        if (!reads_row_same(old, row))
            continue;
        old->launches++;
        old->loads_seconds += row->loads_seconds;
        old->memory_seconds += row->memory_seconds;
        old->graph_seconds += row->graph_seconds;
        reads_row_free(row);
        return 0;
    }
    struct reads_row *more = realloc(r->rows, (r->num_rows + 1) * sizeof *more);
    if (!more) {
        reads_row_free(row);
        return -1;
    }
    r->rows = more;
    r->rows[r->num_rows++] = *row;
    return 0;
}

struct locality_launch reads_launch(const struct gpu_launch *l)
{
    struct locality_launch launch = {
        .kernel = l->kernel, .params = l->params, .work_dim = l->work_dim};
    memcpy(launch.grid, l->grid, sizeof launch.grid);
    memcpy(launch.block, l->block, sizeof launch.block);
    memcpy(launch.offset, l->offset, sizeof launch.offset);
    return launch;
}

int reads_begin(struct reads *r, const struct gpu_launch *l, char *message, size_t size)
{
    const struct locality_launch launch = reads_launch(l);
    struct ptx_error error = {0};
    struct sharing sharing = {0};
    struct reads_row row;
    r->kernel = l->kernel->name;
    *r->wrong = '\0';
    const double start = seconds_now();
    struct locality *found = locality_find(&launch, &error);
    const double loads = seconds_now();
    int failed = !found || footprint_find(&r->footprint, found, &launch, r->unit, &error);
    const double memory = seconds_now();
    failed = failed || sharing_find(&sharing, &r->footprint, &error);
    const double graph = seconds_now();
    int status = reads_row_fill(&row, l, found, &sharing, failed ? error.message : NULL);
    row.loads_seconds = loads - start;
    row.memory_seconds = memory - loads;
    row.graph_seconds = graph - memory;
    if (status)
        reads_row_free(&row);
    else
        status = add_row(r, &row) || (!failed && note_lines(r, l->kernel, found)) ? -1 : 0;
    sharing_free(&sharing);
    locality_free(found);
    if (status)
        snprintf(message, size, "kernel %s: no memory for what its blocks read", r->kernel);
    return status;
}

const struct exec_watch *reads_watch(const struct reads *r)
{
    return r->checks ? &r->watch : NULL;
}

int reads_end(struct reads *r, char *message, size_t size)
{
    if (r->has_block)
        compare(r);
    end_launch(r);
    if (*r->wrong)
        snprintf(message, size, "%s", r->wrong);
    return *r->wrong ? -1 : 0;
}

int reads_write(const struct reads *r, FILE *err)
{
    return reads_file(r->path, r->rows, r->num_rows, r->unit, err);
}
