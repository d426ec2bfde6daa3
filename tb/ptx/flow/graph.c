/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/flow/graph.c: basic blocks and the edges between them. */
#include <string.h>

#include "tb/ptx/flow/flow.h"

/* A block begins at the kernel's start, at a branch's target and behind what may leave the
 * sequence. */
static void find_blocks(struct ptx_context *c, const struct ptx_kernel *k, struct flow *f)
{
    uint8_t *leader = ptx_scratch(c, (size_t)k->num_uops + 1, 1);
    leader[0] = 1;
    for (uint32_t i = 0; i < k->num_uops; i++) {
        uint32_t count;
        const uint32_t *targets = ptx_targets(k, &k->uops[i], &count);
        for (uint32_t t = 0; t < count; t++)
            leader[targets[t]] = 1;
        if (count || flow_ends(&k->uops[i]))
            leader[i + 1] = 1;
    }
    f->start = ptx_scratch(c, (size_t)k->num_uops + 1, sizeof *f->start);
    f->block_of = ptx_scratch(c, k->num_uops, sizeof *f->block_of);
    for (uint32_t i = 0; i < k->num_uops; i++) {
        if (leader[i])
            f->start[f->num_blocks++] = i;
        f->block_of[i] = f->num_blocks - 1;
    }
    f->start[f->num_blocks] = k->num_uops;
}

static void find_edges(struct ptx_context *c, const struct ptx_kernel *k, struct flow *f)
{
    struct digraph *g = &f->forward;
    uint32_t edges = 0;
    g->num_nodes = f->num_blocks + 2;
    g->first = ptx_scratch(c, (size_t)g->num_nodes + 1, sizeof *g->first);
    g->to = ptx_scratch(c, 2 * (size_t)f->num_blocks + k->num_targets + k->num_routines + 1,
                        sizeof *g->to);
    for (uint32_t b = 0; b < f->num_blocks; b++) {
        const struct uop *last = &k->uops[f->start[b + 1] - 1];
        g->first[b] = edges;
        uint32_t count;
        const uint32_t *targets = ptx_targets(k, last, &count);
        for (uint32_t t = 0; t < count; t++)
            g->to[edges++] = f->block_of[targets[t]];
        if (!flow_ends(last))
            g->to[edges++] = b + 1;
        else if (!count)
            g->to[edges++] = f->num_blocks;
    }
    g->first[f->num_blocks] = g->first[f->num_blocks + 1] = edges;
    g->to[edges++] = 0;
    for (uint32_t i = 0; i < k->num_routines; i++)
        g->to[edges++] = f->block_of[k->routines[i].entry];
    g->first[g->num_nodes] = edges;
}

void digraph_reverse(struct ptx_context *c, const struct digraph *g, struct digraph *r)
{
    uint32_t edges = g->first[g->num_nodes];
    r->num_nodes = g->num_nodes;
    r->first = ptx_scratch(c, (size_t)g->num_nodes + 2, sizeof *r->first);
    r->to = ptx_scratch(c, edges, sizeof *r->to);
    /* first[n + 2] counts, then sums up, then serves as the place to fill: it ends as first[n + 1].
     */
    for (uint32_t e = 0; e < edges; e++)
        r->first[g->to[e] + 2]++;
    for (uint32_t n = 2; n < g->num_nodes + 2; n++)
        r->first[n] += r->first[n - 1];
    for (uint32_t n = 0; n < g->num_nodes; n++)
        for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++)
            r->to[r->first[g->to[e] + 1]++] = n;
}

void flow_build(struct ptx_context *c, const struct ptx_kernel *k, struct flow *f)
{
    memset(f, 0, sizeof *f);
    find_blocks(c, k, f);
    find_edges(c, k, f);
    digraph_reverse(c, &f->forward, &f->backward);
}
