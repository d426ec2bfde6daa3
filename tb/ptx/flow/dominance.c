/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/flow/dominance.c: immediate dominators by the iterative algorithm of Cooper, Harvey and
 * Kennedy, "A Simple, Fast Dominance Algorithm" (2001): walk the nodes in reverse post-order until
 * nothing changes. */
#include "tb/ptx/flow/flow.h"

/* Numbers the nodes that the root reaches in post-order: order[number[n]] == n. Returns how many.
 */
static uint32_t post_order(struct ptx_context *c, const struct digraph *g, uint32_t root,
                           uint32_t *order, uint32_t *number)
{
    uint32_t *stack = ptx_scratch(c, g->num_nodes, sizeof *stack);
    uint32_t *edge = ptx_scratch(c, g->num_nodes, sizeof *edge); /* the next one to follow */
    uint32_t depth = 0, count = 0;
    uint8_t *seen = ptx_scratch(c, g->num_nodes, 1);
    for (uint32_t n = 0; n < g->num_nodes; n++) {
        edge[n] = g->first[n];
        number[n] = FLOW_NONE;
    }
    stack[depth++] = root;
    seen[root] = 1;
    while (depth) {
        uint32_t n = stack[depth - 1];
        if (edge[n] == g->first[n + 1]) {
            number[n] = count;
            order[count++] = n;
            depth--;
        } else {
            uint32_t to = g->to[edge[n]++];
            if (!seen[to])
                stack[depth++] = to;
            seen[to] = 1;
        }
    }
    return count;
}

/* The nearest node above both in the tree: up from the lower one, again and again. */
static uint32_t find_meet(struct ptx_context *c, const uint32_t *idom, const uint32_t *number,
                          uint32_t one, uint32_t other)
{
    uint32_t steps = 1;
    for (; one != other; steps++)
        if (number[one] < number[other])
            one = idom[one];
        else
            other = idom[other];
    ptx_spend(c, steps);
    return one;
}

struct dominance dominance_find(struct ptx_context *c, const struct digraph *g,
                                const struct digraph *reversed, uint32_t root)
{
    uint32_t *idom = ptx_scratch(c, g->num_nodes, sizeof *idom);
    uint32_t *order = ptx_scratch(c, g->num_nodes, sizeof *order);
    uint32_t *number = ptx_scratch(c, g->num_nodes, sizeof *number);
    uint32_t count = post_order(c, g, root, order, number);
    for (uint32_t n = 0; n < g->num_nodes; n++)
        idom[n] = FLOW_NONE;
    idom[root] = root;
    for (int changed = 1; changed;) {
        changed = 0;
        for (uint32_t i = count - 1; i-- > 0;) { /* all but the root, which comes last */
            uint32_t n = order[i], meet = FLOW_NONE;
            ptx_spend(c, 1);
            for (uint32_t e = reversed->first[n]; e < reversed->first[n + 1]; e++) {
                uint32_t other = reversed->to[e];
                if (number[other] == FLOW_NONE || idom[other] == FLOW_NONE)
                    continue;
                meet = meet == FLOW_NONE ? other : find_meet(c, idom, number, meet, other);
            }
            changed |= idom[n] != meet;
            idom[n] = meet;
        }
    }
    idom[root] = FLOW_NONE;
    return (struct dominance){c, idom, number};
}

int dominates(const struct dominance *d, uint32_t above, uint32_t node)
{
    if (d->number[above] == FLOW_NONE || d->number[node] == FLOW_NONE)
        return 0;
    uint32_t steps = 1;
    for (; d->number[node] < d->number[above]; steps++)
        node = d->idom[node];
    ptx_spend(d->context, steps);
    return node == above;
}
