/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/flow/loops.c: natural loops. An edge to a block that dominates its source closes a loop;
 * edges to the same head are one loop (continue), whose back edge is the last of them in program
 * order.
 */
#include "tb/ptx/flow/flow.h"

struct loop_finder {
    const struct flow *flow;
    const struct dominance *dominance;
    uint32_t *stack;
    uint32_t *stamp; /* by block: the last loop that was found to contain it, plus 1 */
    uint32_t *depth; /* by block: loops that contain it */
};

/* The last block from which an edge leads back to `head`, or FLOW_NONE: no loop begins there. */
static uint32_t last_latch(const struct loop_finder *l, uint32_t head)
{
    const struct digraph *back = &l->flow->backward;
    uint32_t latch = FLOW_NONE;
    for (uint32_t e = back->first[head]; e < back->first[head + 1]; e++)
        if (dominates(l->dominance, head, back->to[e]) &&
            (latch == FLOW_NONE || back->to[e] > latch))
            latch = back->to[e];
    return latch;
}

/* The loop's body: the head, and every block from which a latch is reached without passing it. */
static void mark_body(struct loop_finder *l, uint32_t head)
{
    const struct digraph *back = &l->flow->backward;
    uint32_t count = 0, mark = head + 1;
    l->stamp[head] = mark;
    l->depth[head]++;
    l->stack[count++] = head;
    while (count) {
        uint32_t block = l->stack[--count];
        ptx_spend(l->dominance->context, 1 + back->first[block + 1] - back->first[block]);
        for (uint32_t e = back->first[block]; e < back->first[block + 1]; e++) {
            uint32_t from = back->to[e];
            if (l->stamp[from] == mark || (block == head && !dominates(l->dominance, head, from)))
                continue;
            l->stamp[from] = mark;
            l->depth[from]++;
            l->stack[count++] = from;
        }
    }
}

void flow_loops(struct ptx_context *c, const struct flow *f, const struct dominance *d,
                struct ptx_kernel *k)
{
    struct loop_finder l = {.flow = f, .dominance = d};
    l.stack = ptx_scratch(c, f->num_blocks, sizeof *l.stack);
    l.stamp = ptx_scratch(c, f->num_blocks, sizeof *l.stamp);
    l.depth = ptx_scratch(c, f->num_blocks, sizeof *l.depth);
    uint32_t *latch = ptx_scratch(c, f->num_blocks, sizeof *latch);
    for (uint32_t b = 0; b < f->num_blocks; b++) {
        latch[b] = last_latch(&l, b);
        if (latch[b] != FLOW_NONE) {
            mark_body(&l, b);
            k->num_loops++;
        }
    }
    k->loops = ptx_keep(c, k->num_loops, sizeof *k->loops);
    struct ptx_loop *loop = k->loops;
    for (uint32_t b = 0; b < f->num_blocks; b++) {
        if (latch[b] == FLOW_NONE)
            continue;
        k->uops[f->start[b]].flags |= UF_LOOP_HEAD;
        *loop++ = (struct ptx_loop){
            .head = f->start[b], .back = f->start[latch[b] + 1] - 1, .depth = l.depth[b]};
    }
}
