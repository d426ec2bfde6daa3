/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/flow/loops.c: natural loops. An edge to a block that dominates its source closes a loop;
 * edges to the same head are one loop (continue), whose back edge is the last of them in program
 * order.
 */
#include "tb/ptx/flow/flow.h"

struct loop_finder {
    const struct flow *flow;
    const struct dominance *dominance;
    uint32_t *body; /* blocks of the loop that is looked at; body_size of them */
    uint32_t body_size;
    uint32_t *stamp; /* by node: the last loop that was found to contain it, plus 1 */
    uint32_t *depth; /* by block: loops that contain it */
    uint32_t
        *inner; /* by block: head of the innermost of these that does not begin there, plus 1 */
    uint32_t *sizes; /* by head: blocks of its loop. Loops that share a block lie in each other. */
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

/* Finds the loop's body: the head, and every block from which a latch is reached without passing
 * it. */
static void find_body(struct loop_finder *l, uint32_t head)
{
    const struct digraph *back = &l->flow->backward;
    const uint32_t mark = head + 1;
    l->stamp[head] = mark;
    l->body[0] = head;
    l->body_size = 1;
    for (uint32_t at = 0; at < l->body_size; at++) {
        const uint32_t block = l->body[at];
        ptx_spend(l->dominance->context, 1 + back->first[block + 1] - back->first[block]);
        for (uint32_t e = back->first[block]; e < back->first[block + 1]; e++) {
            uint32_t from = back->to[e];
            if (l->stamp[from] == mark || (block == head && !dominates(l->dominance, head, from)))
                continue;
            l->stamp[from] = mark;
            l->body[l->body_size++] = from;
        }
    }
}

/* Notes at each block of the body that this loop contains it. */
static void note_body(struct loop_finder *l, uint32_t head)
{
    l->sizes[head] = l->body_size;
    for (uint32_t i = 0; i < l->body_size; i++) {
        const uint32_t block = l->body[i], inner = l->inner[block];
        l->depth[block]++;
        if (block != head && (!inner || l->body_size < l->sizes[inner - 1]))
            l->inner[block] = head + 1;
    }
}

void flow_loops(struct ptx_context *c, const struct flow *f, const struct dominance *d,
                struct ptx_kernel *k)
{
    struct loop_finder l = {.flow = f, .dominance = d};
    l.body = ptx_scratch(c, f->num_blocks, sizeof *l.body);
    l.stamp = ptx_scratch(c, f->forward.num_nodes, sizeof *l.stamp);
    l.depth = ptx_scratch(c, f->num_blocks, sizeof *l.depth);
    l.inner = ptx_scratch(c, f->num_blocks, sizeof *l.inner);
    l.sizes = ptx_scratch(c, f->num_blocks, sizeof *l.sizes);
    uint32_t *latch = ptx_scratch(c, f->num_blocks, sizeof *latch);
    uint32_t *number = ptx_scratch(c, f->num_blocks, sizeof *number); /* by head; from 1 */
    for (uint32_t b = 0; b < f->num_blocks; b++) {
        latch[b] = last_latch(&l, b);
        if (latch[b] != FLOW_NONE) {
            find_body(&l, b);
            note_body(&l, b);
            number[b] = ++k->num_loops;
        }
    }
    k->loops = ptx_keep(c, k->num_loops, sizeof *k->loops);
    k->loop_of = ptx_keep(c, k->num_uops, sizeof *k->loop_of);
    for (uint32_t b = 0; b < f->num_blocks; b++) {
        const uint32_t around = l.inner[b] ? number[l.inner[b] - 1] : 0;
        for (uint32_t i = f->start[b]; i < f->start[b + 1]; i++)
            k->loop_of[i] = number[b] ? number[b] : around;
        if (!number[b])
            continue;
        k->uops[f->start[b]].flags |= UF_LOOP_HEAD;
        k->loops[number[b] - 1] = (struct ptx_loop){.head = f->start[b],
                                                    .back = f->start[latch[b] + 1] - 1,
                                                    .depth = l.depth[b],
                                                    .outer = around};
    }
}
