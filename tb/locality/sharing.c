/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/sharing.c: from pieces of memory to the graph of those who share them. */
#include "tb/locality/sharing.h"

#include <stdio.h>
#include <stdlib.h>

#include "tb/locality/collect.h"
#include "tb/locality/numbers.h"

#define MAX_EDGES ((uint64_t)1 << 26) /* both directions */

struct builder {
    struct sharing *sharing;
    struct pieces pieces;
    uint32_t *first, *of; /* the pieces of block i: of[first[i]] up to of[first[i + 1]] */
    uint64_t *sum;        /* by block: units shared with the one that is looked at */
    uint32_t *met, num_met;
    uint8_t *is_met;
    uint64_t room;
};

static int is_common(const struct builder *b, const struct piece *p)
{
    return p->count > b->sharing->num_blocks / 2 && b->sharing->num_blocks > 2;
}

/* Which pieces each block reads. Returns 0, or -1: no memory. */
static int index_pieces(struct builder *b)
{
    const uint32_t blocks = b->sharing->num_blocks;
    uint64_t total = 0;
    b->first = calloc(blocks + 2u, sizeof *b->first);
    for (uint32_t p = 0; p < b->pieces.count && b->first; p++)
        for (uint32_t i = 0; i < b->pieces.piece[p].count; i++, total++)
            b->first[b->pieces.piece[p].blocks[i] + 2]++;
    b->of = malloc((total + 1) * sizeof *b->of);
    if (!b->first || !b->of)
        return -1;
    for (uint32_t i = 2; i < blocks + 2; i++)
        b->first[i] += b->first[i - 1];
    for (uint32_t p = 0; p < b->pieces.count; p++)
        for (uint32_t i = 0; i < b->pieces.piece[p].count; i++)
            b->of[b->first[b->pieces.piece[p].blocks[i] + 1]++] = p;
    return 0;
}

static void meet(struct builder *b, uint32_t other, uint64_t units)
{
    if (!b->is_met[other])
        b->met[b->num_met++] = other;
    b->is_met[other] = 1;
    b->sum[other] += units;
}

/* Finds with whom a block shares. Returns how many that are: where all blocks read something, all;
 * they are not met then for that alone. */
static uint32_t meet_all(struct builder *b, uint32_t block)
{
    int all = 0;
    b->num_met = 0;
    for (uint32_t i = b->first[block]; i < b->first[block + 1]; i++) {
        const struct piece *p = &b->pieces.piece[b->of[i]];
        const uint64_t units = is_common(b, p) ? 0 : p->units;
        const int is_all = p->count == b->sharing->num_blocks && is_common(b, p);
        all |= is_all;
        for (uint32_t j = 0; j < p->count && !is_all; j++)
            if (p->blocks[j] != block)
                meet(b, p->blocks[j], units);
    }
    return all ? b->sharing->num_blocks - 1 : b->num_met;
}

static int grow(struct builder *b, uint64_t edges)
{
    struct sharing *s = b->sharing;
    if (edges <= b->room)
        return 0;
    b->room = edges > 2 * b->room ? edges : 2 * b->room;
    uint32_t *to = realloc(s->to, b->room * sizeof *to);
    s->to = to ? to : s->to;
    uint64_t *weight = realloc(s->weight, b->room * sizeof *weight);
    s->weight = weight ? weight : s->weight;
    return to && weight && edges <= MAX_EDGES ? 0 : -1;
}

/* The row of one block. Returns 0, or -1: no memory, or too many edges. */
static int add_row(struct builder *b, uint32_t block)
{
    struct sharing *s = b->sharing;
    uint64_t edges = s->first[block];
    const uint32_t met = meet_all(b, block);
    s->counts.pairs += met;
    s->counts.sharers += met > 0;
    if (grow(b, edges + b->num_met))
        return -1;
    numbers_sort(b->met, b->num_met);
    for (uint32_t i = 0; i < b->num_met; i++) {
        const uint32_t other = b->met[i];
        if (b->sum[other]) {
            s->to[edges] = other;
            s->weight[edges++] = b->sum[other];
        }
        b->sum[other] = 0;
        b->is_met[other] = 0;
    }
    s->first[block + 1] = edges;
    return 0;
}

static int build(struct builder *b)
{
    struct sharing *s = b->sharing;
    b->sum = calloc(s->num_blocks, sizeof *b->sum);
    b->met = calloc(s->num_blocks, sizeof *b->met);
    b->is_met = calloc(s->num_blocks, 1);
    s->first = calloc(s->num_blocks + 1u, sizeof *s->first);
    if (!b->sum || !b->met || !b->is_met || !s->first || index_pieces(b) || grow(b, 16))
        return -1;
    for (uint32_t p = 0; p < b->pieces.count; p++) {
        const struct piece *piece = &b->pieces.piece[p];
        s->counts.units += piece->units;
        s->counts.shared += piece->count > 1 ? piece->units : 0;
        s->counts.common += is_common(b, piece) ? piece->units : 0;
    }
    for (uint32_t i = 0; i < s->num_blocks; i++)
        if (add_row(b, i))
            return -1;
    return 0;
}

int sharing_find(struct sharing *s, const struct footprint *f, struct ptx_error *error)
{
    struct builder b = {.sharing = s};
    *s = (struct sharing){.num_blocks = f->grid[0] * f->grid[1] * f->grid[2]};
    const int status = pieces_collect(&b.pieces, f) || build(&b) ? -1 : 0;
    pieces_free(&b.pieces);
    free(b.first);
    free(b.of);
    free(b.sum);
    free(b.met);
    free(b.is_met);
    if (status) {
        sharing_free(s);
        error->line = 0;
        snprintf(error->message, sizeof error->message,
                 "no memory for the graph of what %u blocks share", s->num_blocks);
    }
    return status;
}

void sharing_cut(struct sharing *s, uint32_t blocks)
{
    uint64_t kept = 0;
    if (blocks >= s->num_blocks)
        return;
    for (uint32_t i = 0; i < blocks; i++) {
        const uint64_t first = s->first[i], behind = s->first[i + 1];
        s->first[i] = kept;
        for (uint64_t e = first; e < behind && s->to[e] < blocks; e++) {
            s->to[kept] = s->to[e];
            s->weight[kept++] = s->weight[e];
        }
    }
    s->first[blocks] = kept;
    s->num_blocks = blocks;
}

void sharing_free(struct sharing *s)
{
    free(s->first);
    free(s->to);
    free(s->weight);
    s->first = NULL;
    s->to = NULL;
    s->weight = NULL;
}
