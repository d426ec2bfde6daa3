/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/collect.c: goes through memory from its lowest unit on. Between two places where a span
 * begins or ends the same sets of blocks read; places that the same sets read are found by a hash
 * that is kept up to date as sets come and go. */
#include "tb/locality/collect.h"

#include <stdlib.h>
#include <string.h>

#include "tb/locality/numbers.h"

#define BUCKETS  65536u
#define MAX_KEPT (1u << 26) /* numbers of sets, and of blocks */

/* A span of a set begins or ends. */
struct edge {
    uint64_t at;
    uint32_t set;
    int begins;
};

/* All memory that the same sets read. */
struct collection {
    struct collection *chain, *next;
    uint64_t hash, units;
    uint32_t count, sets[];
};

struct collector {
    const struct footprint *footprint;
    uint32_t num_sets;
    uint32_t *active, *place; /* sets that read; where each stands among them */
    uint32_t num_active;
    uint64_t hash; /* of them, whatever their order */
    struct collection **buckets, *first, **last;
    uint32_t *sorted;
    uint64_t kept;
    struct arena arena;
};

static uint64_t scatter(uint64_t x)
{
    x = (x + 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

static int compare_edges(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    return x->at != y->at ? (x->at < y->at ? -1 : 1) : (x->set > y->set) - (x->set < y->set);
}

/* Lists all edges, ascending. Returns how many, or UINT64_MAX: no memory. */
static uint64_t list_edges(const struct footprint *f, struct edge **edges)
{
    uint64_t count = 0, filled = 0;
    uint32_t set = 0;
    for (uint32_t p = 0; p < f->num_parts; p++)
        for (uint32_t i = 0; i < f->parts[p].count; i++)
            count += 2 * (uint64_t)f->parts[p].sets[i].count;
    struct edge *e = malloc((count + 1) * sizeof *e);
    if (!e)
        return UINT64_MAX;
    for (uint32_t p = 0; p < f->num_parts; p++)
        for (uint32_t i = 0; i < f->parts[p].count; i++, set++)
            for (uint32_t r = 0; r < f->parts[p].sets[i].count; r++) {
                e[filled++] = (struct edge){f->parts[p].sets[i].span[r].first, set, 1};
                e[filled++] = (struct edge){f->parts[p].sets[i].span[r].behind, set, 0};
            }
    qsort(e, count, sizeof *e, compare_edges);
    *edges = e;
    return count;
}

static void turn(struct collector *c, const struct edge *e)
{
    c->hash ^= scatter(e->set);
    if (e->begins) {
        c->place[e->set] = c->num_active;
        c->active[c->num_active++] = e->set;
    } else {
        const uint32_t moved = c->active[--c->num_active];
        c->active[c->place[e->set]] = moved;
        c->place[moved] = c->place[e->set];
    }
}

/* Adds units that the active sets read. Returns 0, or -1: no memory. */
static int add_units(struct collector *c, uint64_t units)
{
    const uint32_t count = c->num_active;
    struct collection **bucket = &c->buckets[c->hash % BUCKETS];
    memcpy(c->sorted, c->active, count * sizeof *c->sorted);
    numbers_sort(c->sorted, count);
    for (struct collection *of = *bucket; of; of = of->chain)
        if (of->hash == c->hash && of->count == count &&
            memcmp(of->sets, c->sorted, count * sizeof *c->sorted) == 0) {
            of->units += units;
            return 0;
        }
    struct collection *made =
        arena_alloc(&c->arena, sizeof *made + count * sizeof *made->sets, sizeof(uint64_t));
    c->kept += count;
    if (!made || c->kept > MAX_KEPT)
        return -1;
    *made = (struct collection){.chain = *bucket, .hash = c->hash, .units = units, .count = count};
    memcpy(made->sets, c->sorted, count * sizeof *c->sorted);
    *bucket = *c->last = made;
    c->last = &made->next;
    return 0;
}

static int sweep(struct collector *c)
{
    struct edge *edges;
    const uint64_t count = list_edges(c->footprint, &edges);
    int status = count == UINT64_MAX ? -1 : 0;
    for (uint64_t i = 0; !status && i < count; i++) {
        turn(c, &edges[i]);
        if (c->num_active && edges[i + 1].at > edges[i].at) /* none is left behind the last */
            status = add_units(c, edges[i + 1].at - edges[i].at);
    }
    if (count != UINT64_MAX)
        free(edges);
    return status;
}

/* Blocks in the order in which they were met, each once. */
struct met {
    uint32_t *blocks, count;
    uint8_t *marks; /* those that are among them */
};

static void meet(struct met *m, uint32_t block)
{
    if (!m->marks[block])
        m->blocks[m->count++] = block;
    m->marks[block] = 1;
}

/* Adds the blocks of a set. */
static void meet_set(struct met *m, const struct footprint *f, uint32_t set)
{
    uint32_t p = 0, block[3];
    for (; set >= f->parts[p].count; p++)
        set -= f->parts[p].count;
    const uint32_t axes = f->parts[p].axes, *grid = f->grid;
    uint32_t low[3], high[3];
    for (unsigned i = 0; i < 3; i++) {
        low[i] = axes >> i & 1 ? set % grid[i] : 0;
        high[i] = axes >> i & 1 ? low[i] + 1 : grid[i];
        set = axes >> i & 1 ? set / grid[i] : set;
    }
    for (block[2] = low[2]; block[2] < high[2]; block[2]++)
        for (block[1] = low[1]; block[1] < high[1]; block[1]++)
            for (block[0] = low[0]; block[0] < high[0]; block[0]++)
                meet(m, (block[2] * grid[1] + block[1]) * grid[0] + block[0]);
}

/* Leaves them sorted in `to`, and none here. Returns 0, or -1: no memory. */
static int keep_blocks(struct met *m, struct piece *to, struct arena *arena)
{
    to->blocks = arena_alloc(arena, m->count * sizeof *to->blocks, sizeof *to->blocks);
    if (!to->blocks)
        return -1;
    to->count = m->count;
    numbers_sort(m->blocks, m->count);
    memcpy(to->blocks, m->blocks, m->count * sizeof *to->blocks);
    while (m->count)
        m->marks[m->blocks[--m->count]] = 0;
    return 0;
}

/* From sets to blocks. Returns 0, or -1: no memory. */
static int list_blocks(struct collector *c, struct pieces *to)
{
    const struct footprint *f = c->footprint;
    const uint32_t blocks = f->grid[0] * f->grid[1] * f->grid[2];
    struct met met = {.blocks = malloc(blocks * sizeof *met.blocks), .marks = calloc(blocks, 1)};
    uint64_t kept = 0;
    int status = met.blocks && met.marks ? 0 : -1;
    for (struct collection *of = c->first; of && !status; of = of->next) {
        struct piece *piece = &to->piece[to->count++];
        piece->units = of->units;
        for (uint32_t i = 0; i < of->count; i++)
            meet_set(&met, f, of->sets[i]);
        kept += met.count;
        status = kept <= MAX_KEPT ? keep_blocks(&met, piece, &to->arena) : -1;
    }
    free(met.blocks);
    free(met.marks);
    return status;
}

static int collect(struct collector *c, struct pieces *to)
{
    if (!c->active || !c->place || !c->sorted || !c->buckets || sweep(c))
        return -1;
    uint32_t count = 0;
    for (struct collection *of = c->first; of; of = of->next)
        count++;
    to->piece = calloc(count + 1u, sizeof *to->piece);
    return to->piece ? list_blocks(c, to) : -1;
}

int pieces_collect(struct pieces *to, const struct footprint *f)
{
    struct collector c = {.footprint = f};
    c.last = &c.first;
    *to = (struct pieces){0};
    for (uint32_t p = 0; p < f->num_parts; p++)
        c.num_sets += f->parts[p].count;
    c.active = malloc((c.num_sets + 1u) * sizeof *c.active);
    c.place = malloc((c.num_sets + 1u) * sizeof *c.place);
    c.sorted = malloc((c.num_sets + 1u) * sizeof *c.sorted);
    c.buckets = calloc(BUCKETS, sizeof(struct collection *));
    const int status = collect(&c, to);
    free(c.active);
    free(c.place);
    free(c.sorted);
    free(c.buckets);
    arena_free(&c.arena);
    if (status)
        pieces_free(to);
    return status;
}

void pieces_free(struct pieces *p)
{
    free(p->piece);
    arena_free(&p->arena);
    *p = (struct pieces){0};
}
