/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/group.c: see group.h. Parts are METIS's, balanced by the number of blocks. Where none of
 * a part's blocks share anything, METIS would scatter them: they are cut in order of number instead,
 * as consecutive blocks are what a cache knows nothing against. */
#include "tb/locality/group.h"

#include <stdlib.h>
#include <string.h>

#include <metis.h>

#include "tb/locality/prim.h"

#define MOST_WEIGHT (1 << 28) /* of all edges together, as METIS's numbers have 32 bits */

/* Some of the blocks with the edges between them, as METIS wants it. */
struct subgraph {
    idx_t count, *first, *to, *weight, *part;
};

static void subgraph_free(struct subgraph *g)
{
    free(g->first);
    free(g->to);
    free(g->weight);
    free(g->part);
}

/* `number`: by block, what it is called in the subgraph, plus 1; zeros before and after. */
static int subgraph_make(struct subgraph *g, const struct sharing *s, const uint32_t *blocks,
                         uint32_t count, uint32_t *number)
{
    uint64_t edges = 0, sum = 0, scale = 1, filled = 0;
    *g = (struct subgraph){.count = (idx_t)count};
    for (uint32_t i = 0; i < count; i++) {
        number[blocks[i]] = i + 1;
        edges += s->first[blocks[i] + 1] - s->first[blocks[i]];
    }
    g->first = malloc((count + 1u) * sizeof *g->first);
    g->to = malloc((edges + 1) * sizeof *g->to);
    g->weight = malloc((edges + 1) * sizeof *g->weight);
    g->part = calloc(count + 1u, sizeof *g->part);
    const int status = g->first && g->to && g->weight && g->part && edges < INT32_MAX ? 0 : -1;
    for (uint32_t i = 0; i < count && !status; i++)
        for (uint64_t e = s->first[blocks[i]]; e < s->first[blocks[i] + 1]; e++)
            sum += number[s->to[e]] ? s->weight[e] : 0;
    while (sum / scale + edges > MOST_WEIGHT && scale < UINT64_MAX / 2)
        scale *= 2;
    for (uint32_t i = 0; i < count && !status; i++) {
        g->first[i] = (idx_t)filled;
        for (uint64_t e = s->first[blocks[i]]; e < s->first[blocks[i] + 1]; e++)
            if (number[s->to[e]]) {
                g->to[filled] = (idx_t)number[s->to[e]] - 1;
                g->weight[filled++] = (idx_t)(s->weight[e] / scale) + (s->weight[e] < scale);
            }
    }
    if (!status)
        g->first[count] = (idx_t)filled;
    for (uint32_t i = 0; i < count; i++)
        number[blocks[i]] = 0;
    return status;
}

typedef int partition_fn(idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *,
                         real_t *, real_t *, idx_t *, idx_t *, idx_t *);

static int partition(struct subgraph *g, idx_t parts, partition_fn *by)
{
    idx_t options[METIS_NOPTIONS], constraints = 1, cut;
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    return by(&g->count, &constraints, g->first, g->to, NULL, NULL, g->weight, &parts, NULL, NULL,
              options, &cut, g->part) == METIS_OK
               ? 0
               : -1;
}

/* Does a part have more than twice its share of the blocks? */
static int is_lopsided(const struct subgraph *g, idx_t parts)
{
    for (idx_t p = 0; p < parts; p++) {
        int64_t size = 0;
        for (idx_t i = 0; i < g->count; i++)
            size += g->part[i] == p;
        if (size * parts > 2 * (int64_t)g->count)
            return 1;
    }
    return 0;
}

/* Splits the subgraph into parts of as many blocks each, give or take METIS's tolerance. Where parts are to have few blocks its k-way
 * partitioning may put all into some of them: then it is done by halves. */
static int split(struct subgraph *g, idx_t parts)
{
    if (parts == 1 || g->count <= parts || g->first[g->count] == 0) {
        for (idx_t i = 0; i < g->count; i++)
            g->part[i] = (idx_t)((int64_t)i * parts / g->count);
        return 0;
    }
    if (parts > 2) {
        if (partition(g, parts, METIS_PartGraphKway))
            return -1;
        if (!is_lopsided(g, parts))
            return 0;
    }
    return partition(g, parts, METIS_PartGraphRecursive);
}

struct grouper {
    const struct sharing *sharing;
    struct grouping *groups;
    struct grouping_room room;
    uint32_t *number; /* scratch of subgraph_make */
    uint32_t *moved;  /* scratch of sort_parts */
};

/* Puts blocks in the order of their parts, in which they stay in order. `ends`: of each part. */
static void sort_parts(struct grouper *g, const struct subgraph *of, uint32_t *blocks,
                       uint32_t parts, uint32_t *ends)
{
    uint32_t filled = 0;
    for (uint32_t p = 0; p < parts; p++) {
        for (idx_t i = 0; i < of->count; i++)
            if (of->part[i] == (idx_t)p)
                g->moved[filled++] = blocks[i];
        ends[p] = filled;
    }
    memcpy(blocks, g->moved, filled * sizeof *blocks);
}

static int part_blocks(struct grouper *g, uint32_t *blocks, uint32_t count, uint32_t parts,
                       uint32_t *ends)
{
    struct subgraph of;
    const int status =
        subgraph_make(&of, g->sharing, blocks, count, g->number) || split(&of, (idx_t)parts);
    if (!status)
        sort_parts(g, &of, blocks, parts, ends);
    subgraph_free(&of);
    return status ? -1 : 0;
}

static void end_group(struct grouper *g, uint32_t end)
{
    struct grouping *to = g->groups;
    if (end > to->first[to->count])
        to->first[++to->count] = end;
}

static int group_mst(struct grouper *g)
{
    const uint32_t blocks = g->sharing->num_blocks, share = (blocks - 1) / g->room.sms + 1,
                   most = g->room.fill || share > g->room.resident ? g->room.resident : share;
    if (prim_order(g->sharing, g->groups->blocks, blocks))
        return -1;
    for (uint32_t at = 0; at < blocks;) {
        const uint32_t size = g->groups->count < g->room.sms ? most : 1;
        at = blocks - at < size ? blocks : at + size;
        end_group(g, at);
    }
    return 0;
}

static int group_kway(struct grouper *g)
{
    const uint32_t sms = g->room.sms;
    uint32_t *ends = malloc(sms * sizeof *ends), at = 0;
    int status = ends ? part_blocks(g, g->groups->blocks, g->sharing->num_blocks, sms, ends) : -1;
    for (uint32_t p = 0; p < sms && !status; p++) {
        status = prim_order(g->sharing, g->groups->blocks + at, ends[p] - at);
        at = ends[p];
        end_group(g, at);
    }
    free(ends);
    return status;
}

/* Of the blocks from number `at` on. Where METIS leaves one half empty they are halved in order. */
static int group_rb(struct grouper *g, uint32_t at, uint32_t count)
{
    uint32_t *blocks = g->groups->blocks + at, ends[2];
    if (count <= g->room.resident) {
        end_group(g, at + count);
        return 0;
    }
    if (part_blocks(g, blocks, count, 2, ends))
        return -1;
    const uint32_t half = ends[0] == 0 || ends[0] == count ? count / 2 : ends[0];
    return group_rb(g, at, half) || group_rb(g, at + half, count - half) ? -1 : 0;
}

static int make_groups(struct grouper *g, enum grouping_kind kind)
{
    const int fits = g->sharing->num_blocks <= (uint64_t)g->room.sms * g->room.resident;
    if (kind == GROUPING_MST)
        return group_mst(g);
    if (kind == GROUPING_KWAY || (fits && !g->room.fill))
        return group_kway(g);
    return group_rb(g, 0, g->sharing->num_blocks);
}

int grouping_make(struct grouping *to, const struct sharing *s, enum grouping_kind kind,
                  struct grouping_room room)
{
    struct grouper g = {.sharing = s, .groups = to, .room = room};
    *to = (struct grouping){.blocks = malloc((s->num_blocks + 1u) * sizeof *to->blocks),
                            .first = calloc(s->num_blocks + 1u, sizeof *to->first)};
    g.number = calloc(s->num_blocks + 1u, sizeof *g.number);
    g.moved = malloc((s->num_blocks + 1u) * sizeof *g.moved);
    int status = to->blocks && to->first && g.number && g.moved ? 0 : -1;
    for (uint32_t i = 0; i < s->num_blocks && !status; i++)
        to->blocks[i] = i;
    if (!status)
        status = make_groups(&g, kind);
    free(g.number);
    free(g.moved);
    if (status)
        grouping_free(to);
    return status;
}

void grouping_free(struct grouping *g)
{
    free(g->blocks);
    free(g->first);
    *g = (struct grouping){0};
}
