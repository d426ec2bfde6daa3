/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/region.c: the body of a loop as a graph. */
#include "tb/locality/analysis.h"

/* The loop directly inside `loop` that contains the block, `loop` if none does, FLOW_NONE if the
 * block is not in it. */
static uint32_t child(const struct analysis *a, uint32_t block, uint32_t loop)
{
    uint32_t at = a->kernel->loop_of[a->flow.start[block]], inner = loop;
    while (at != loop && at != 0) {
        inner = at;
        at = a->kernel->loops[at - 1].outer;
    }
    return at == loop ? inner : FLOW_NONE;
}

int in_loop(const struct analysis *a, uint32_t block, uint32_t loop)
{
    return block < a->flow.num_blocks && child(a, block, loop) != FLOW_NONE;
}

static uint32_t head_of(const struct analysis *a, uint32_t loop)
{
    return loop ? a->flow.block_of[a->kernel->loops[loop - 1].head] : 0;
}

static void find_nodes(struct analysis *a, struct region *r)
{
    for (uint32_t b = 0; b < a->flow.num_blocks; b++) {
        const uint32_t inner = child(a, b, r->loop);
        r->node_of[b] = FLOW_NONE;
        if (inner == FLOW_NONE || (inner != r->loop && head_of(a, inner) != b))
            continue;
        r->node_of[b] = r->num_nodes;
        r->head[r->num_nodes] = b;
        r->inner[r->num_nodes++] = inner == r->loop ? 0 : inner;
    }
    r->end = r->num_nodes++;
    for (uint32_t b = 0; b < a->flow.num_blocks; b++) {
        const uint32_t inner = child(a, b, r->loop);
        if (inner != FLOW_NONE && inner != r->loop)
            r->node_of[b] = r->node_of[head_of(a, inner)];
    }
}

/* A return or trap for some lanes in the midst of a block. */
static int retires(const struct analysis *a, uint32_t block)
{
    for (uint32_t i = a->flow.start[block]; i < a->flow.start[block + 1]; i++) {
        const struct uop *u = &a->kernel->uops[i];
        if ((u->op == U_RET || u->op == U_TRAP) && u->guard != UOP_NONE)
            return 1;
    }
    return 0;
}

/* The nodes that an edge leads from and to. */
struct edges {
    uint32_t *from, *to, count;
};

static void find_edges(struct analysis *a, struct region *r, struct edges *e)
{
    const struct digraph *g = &a->flow.forward;
    const uint32_t head = head_of(a, r->loop);
    const size_t most = (size_t)g->first[a->flow.num_blocks] + a->flow.num_blocks;
    e->from = ptx_scratch(a->context, most, sizeof *e->from);
    e->to = ptx_scratch(a->context, most, sizeof *e->to);
    for (uint32_t b = 0; b < a->flow.num_blocks; b++) {
        const uint32_t node = r->node_of[b];
        for (uint32_t i = g->first[b]; node != FLOW_NONE && i < g->first[b + 1]; i++) {
            const uint32_t to = g->to[i], is_in = in_loop(a, to, r->loop);
            if (is_in && r->node_of[to] == node && r->inner[node])
                continue; /* inside the inner loop */
            const struct uop *last = &a->kernel->uops[a->flow.start[b + 1] - 1];
            r->leaves[node] |= !is_in;
            r->is_counted &= is_in || (!r->inner[node] && last->op != U_BRX);
            e->from[e->count] = node;
            e->to[e->count++] = !is_in || (r->loop && to == head) ? r->end : r->node_of[to];
        }
        if (node != FLOW_NONE && retires(a, b)) {
            r->is_counted = 0;
            e->from[e->count] = node;
            e->to[e->count++] = r->end;
        }
    }
}

static struct digraph graph_of(struct analysis *a, const struct region *r, const struct edges *e)
{
    struct digraph g = {.num_nodes = r->num_nodes};
    g.first = ptx_scratch(a->context, (size_t)r->num_nodes + 1, sizeof *g.first);
    g.to = ptx_scratch(a->context, e->count, sizeof *g.to);
    uint32_t filled = 0;
    for (uint32_t n = 0; n < r->num_nodes; n++) {
        g.first[n] = filled;
        for (uint32_t i = 0; i < e->count; i++)
            if (e->from[i] == n)
                g.to[filled++] = e->to[i];
        ptx_spend(a->context, e->count);
    }
    g.first[r->num_nodes] = filled;
    return g;
}

/* Whether every way from the head to an edge back passes the node. */
static int is_passed(const struct analysis *a, const struct region *r, const struct dominance *d,
                     uint32_t node)
{
    const uint32_t head = head_of(a, r->loop);
    const struct digraph *back = &a->flow.backward;
    for (uint32_t i = back->first[head]; i < back->first[head + 1]; i++) {
        const uint32_t from = back->to[i];
        if (in_loop(a, from, r->loop) && !dominates(d, node, r->node_of[from]))
            return 0;
    }
    return 1;
}

void region_find(struct analysis *a, uint32_t loop, struct region *r)
{
    const size_t blocks = a->flow.num_blocks;
    *r = (struct region){.loop = loop, .is_nested = 1, .is_counted = 1};
    r->node_of = ptx_scratch(a->context, blocks, sizeof *r->node_of);
    r->head = ptx_scratch(a->context, blocks + 1, sizeof *r->head);
    r->inner = ptx_scratch(a->context, blocks + 1, sizeof *r->inner);
    r->leaves = ptx_scratch(a->context, blocks + 1, sizeof *r->leaves);
    find_nodes(a, r);
    struct edges e = {0};
    find_edges(a, r, &e);
    struct digraph forward = graph_of(a, r, &e), backward;
    digraph_reverse(a->context, &forward, &backward);
    const uint32_t root = r->node_of[head_of(a, loop)];
    struct dominance above = dominance_find(a->context, &forward, &backward, root);
    struct dominance below = dominance_find(a->context, &backward, &forward, r->end);
    r->order = ptx_scratch(a->context, r->num_nodes, sizeof *r->order);
    r->meets = ptx_scratch(a->context, r->num_nodes, 1);
    r->above = above.idom;
    uint32_t *at = ptx_scratch(a->context, r->num_nodes, sizeof *at); /* by post-order, plus 1 */
    for (uint32_t n = 0; n < r->num_nodes; n++) {
        if (above.number[n] == FLOW_NONE)
            continue;
        at[above.number[n]] = n + 1;
        r->meets[n] = above.idom[n] != FLOW_NONE && below.number[n] != FLOW_NONE &&
                      below.number[above.idom[n]] != FLOW_NONE &&
                      dominates(&below, n, above.idom[n]);
        for (uint32_t i = forward.first[n]; i < forward.first[n + 1]; i++)
            if (above.number[forward.to[i]] >= above.number[n])
                r->is_nested = 0;
        r->is_counted &= !r->leaves[n] || is_passed(a, r, &above, n);
    }
    for (uint32_t n = r->num_nodes; n-- > 0;)
        if (at[n] && at[n] - 1 != r->end)
            r->order[r->num_ordered++] = at[n] - 1;
}
