/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/reads_row.c: see reads_row.h. */
#include "tb/gpu/reads_row.h"

#include <stdlib.h>
#include <string.h>

#include "tb/locality/text.h"

/* The PTX of a line's first load. */
static const char *instruction(const struct ptx_kernel *k, uint32_t line)
{
    for (uint32_t i = 0; i < k->num_uops; i++)
        if (k->uops[i].line == line && k->uops[i].op == U_LD)
            return k->text[i];
    return "";
}

/* What a load says of itself; on several ways to a line, the first. Returns 0, or -1: no memory. */
static int fill_load(struct reads_load *to, const struct locality_load *l,
                     const struct ptx_kernel *k)
{
    size_t size;
    char **text = l->doubt ? &to->why : &to->address;
    *to = (struct reads_load){.line = l->line, .bytes = l->bytes};
    to->instruction = strdup(instruction(k, l->line));
    FILE *f = open_memstream(text, &size);
    if (!f)
        return -1;
    if (l->doubt)
        text_doubt(f, l->doubt);
    else
        text_value(f, l->address);
    return fclose(f) || !*text || !to->instruction ? -1 : 0;
}

static int fill_loads(struct reads_row *row, const struct locality *found,
                      const struct ptx_kernel *k)
{
    row->loads = calloc(found->num_loads + 1u, sizeof *row->loads);
    for (uint32_t i = 0; i < found->num_loads && row->loads; i++) {
        uint32_t at = 0;
        while (at < row->num_loads && row->loads[at].line != found->loads[i].line)
            at++;
        if (at == row->num_loads && fill_load(&row->loads[row->num_loads++], &found->loads[i], k))
            return -1;
    }
    return row->loads ? 0 : -1;
}

/* The picture: blocks in as many strips as there are cells. */
static int fill_cells(struct reads_row *row, const struct sharing *s)
{
    row->cells = s->num_blocks < READS_CELLS ? s->num_blocks : READS_CELLS;
    row->cell = calloc((size_t)row->cells * row->cells, sizeof *row->cell);
    for (uint32_t b = 0; b < s->num_blocks && row->cell; b++)
        for (uint64_t e = s->first[b]; e < s->first[b + 1]; e++) {
            const uint64_t y = (uint64_t)b * row->cells / s->num_blocks,
                           x = (uint64_t)s->to[e] * row->cells / s->num_blocks;
            row->cell[y * row->cells + x] += s->weight[e];
        }
    return row->cell ? 0 : -1;
}

int reads_row_fill(struct reads_row *row, const struct gpu_launch *l, const struct locality *found,
                   const struct sharing *s, const char *failed)
{
    *row = (struct reads_row){.launches = 1, .kernel = strdup(l->kernel->name)};
    memcpy(row->grid, l->grid, sizeof row->grid);
    memcpy(row->block, l->block, sizeof row->block);
    row->blocks = l->grid[0] * l->grid[1] * l->grid[2];
    if (!row->kernel || (found && fill_loads(row, found, l->kernel)))
        return -1;
    if (failed)
        return (row->failed = strdup(failed)) ? 0 : -1;
    row->counts = s->counts;
    row->edges = s->first[s->num_blocks] / 2;
    return fill_cells(row, s);
}

static int same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

int reads_row_same(const struct reads_row *a, const struct reads_row *b)
{
    int same = same_text(a->kernel, b->kernel) && same_text(a->failed, b->failed) &&
               memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
               memcmp(a->block, b->block, sizeof a->block) == 0 && a->num_loads == b->num_loads &&
               !memcmp(&a->counts, &b->counts, sizeof a->counts);
    for (uint32_t i = 0; i < a->num_loads && same; i++)
        same = a->loads[i].line == b->loads[i].line && same_text(a->loads[i].why, b->loads[i].why);
    return same;
}

void reads_row_free(struct reads_row *row)
{
    for (uint32_t i = 0; i < row->num_loads; i++) {
        free(row->loads[i].instruction);
        free(row->loads[i].address);
        free(row->loads[i].why);
    }
    free(row->loads);
    free(row->kernel);
    free(row->failed);
    free(row->cell);
}
