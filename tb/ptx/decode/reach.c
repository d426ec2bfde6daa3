/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode/reach.c: the functions that a kernel reaches, and which of them become routines: those
 * that may come to themselves again, those that a pointer may lead to, those in which calls nest deeply, and, in a
 * kernel that would become very large, all that are called at several places and are not small. All others
 * are inlined. */
#include <string.h>

#include "tb/ptx/decode/decode.h"
#include "tb/ptx/flow/flow.h"

#define KERNEL_MOST  65536 /* instructions of a kernel in which everything is inlined that can be */
#define INLINED_MOST 64    /* of a function that is inlined in any case */
#define CALL_SIZE    4     /* of a call that is not inlined */
#define HEIGHT_MOST  32    /* levels of functions that are inlined in each other */
#define SIZE_MOST    (UINT64_C(1) << 40)

static void reach(struct decoder *d, struct body *b)
{
    if (b->reached_by == d->body->number)
        return;
    if (b->unread)
        parse_put_off(d->parser, b);
    b->reached_by = d->body->number;
    b->index = d->num_bodies;
    b->calls = NULL;
    b->num_calls = b->num_callers = b->routine = b->taken = 0;
    b->calls_pointers = b->allocates = 0;
    b->entered = NULL;
    d->bodies = ptx_grow(d->context, d->bodies, d->num_bodies, sizeof(struct body *));
    d->bodies[d->num_bodies++] = b;
}

static void add_call(struct decoder *d, struct body *from, struct body *to)
{
    reach(d, to);
    from->calls = ptx_grow(d->context, from->calls, from->num_calls, sizeof(struct body *));
    from->calls[from->num_calls++] = to;
    to->num_callers++;
}

static int is_pointer_call(const struct insn *n)
{
    const struct operand *o = call_of(n).function;
    return !strcmp(n->mnemonic, "call") && o && o->kind == OPERAND_REGISTER;
}

/* Whether a pointer may lead to the n-th function whose address is taken. */
static struct body *pointed_to(const struct decoder *d, uint32_t n)
{
    struct body *b = d->parser->taken[n]->body;
    return b && b->end && !b->kernel ? b : NULL;
}

/* Notes what the body does with the stack. */
static void find_allocation(struct decoder *d, struct body *b, const struct insn *n)
{
    const int moves = !strcmp(n->mnemonic, "alloca") || !strcmp(n->mnemonic, "stackrestore");
    b->allocates |= (uint8_t)moves;
    d->allocates |= moves || !strcmp(n->mnemonic, "stacksave");
}

/* Follows all calls. Returns whether any is by a pointer. */
static int follow(struct decoder *d)
{
    int pointers = 0;
    reach(d, d->body);
    for (uint32_t i = 0; i < d->num_bodies; i++) {
        struct body *from = d->bodies[i];
        for (const struct insn *n = from->insns; n; n = n->next) {
            ptx_spend(d->context, 1);
            struct body *to = strcmp(n->mnemonic, "call") ? NULL : call_callee(d, n);
            if (to && !to->kernel)
                add_call(d, from, to);
            from->calls_pointers |= (uint8_t)is_pointer_call(n);
            find_allocation(d, from, n);
        }
        for (uint32_t t = 0; from->calls_pointers && t < d->parser->num_taken; t++) {
            ptx_spend(d->context, 1);
            if (pointed_to(d, t))
                add_call(d, from, pointed_to(d, t));
        }
        pointers |= from->calls_pointers;
    }
    return pointers;
}

static struct digraph graph_of(struct decoder *d)
{
    struct digraph g = {.num_nodes = d->num_bodies};
    uint32_t edges = 0;
    for (uint32_t i = 0; i < d->num_bodies; i++)
        edges += d->bodies[i]->num_calls;
    g.first = ptx_scratch(d->context, (size_t)d->num_bodies + 1, sizeof *g.first);
    g.to = ptx_scratch(d->context, edges, sizeof *g.to);
    edges = 0;
    for (uint32_t i = 0; i < d->num_bodies; i++) {
        g.first[i] = edges;
        for (uint32_t n = 0; n < d->bodies[i]->num_calls; n++)
            g.to[edges++] = d->bodies[i]->calls[n]->index;
    }
    g.first[d->num_bodies] = edges;
    return g;
}

/* Takes nodes away from which no edge leads to one that is there, as long as there are any. Lists them in
 * `order`, which has `count` so far, and returns how many it has then. */
static uint32_t peel(struct decoder *d, const struct digraph *g, const struct digraph *back,
                     uint8_t *gone, uint32_t *order, uint32_t count)
{
    uint32_t *left = ptx_scratch(d->context, g->num_nodes, sizeof *left);
    uint32_t at = count;
    for (uint32_t n = 0; n < g->num_nodes; n++) {
        for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++)
            left[n] += !gone[g->to[e]];
        if (!left[n] && !gone[n])
            order[count++] = n;
    }
    for (uint32_t i = at; i < count; i++)
        gone[order[i]] = 1;
    for (; at < count; at++) {
        const uint32_t n = order[at];
        ptx_spend(d->context, 1 + back->first[n + 1] - back->first[n]);
        for (uint32_t e = back->first[n]; e < back->first[n + 1]; e++) {
            const uint32_t from = back->to[e];
            if (!gone[from] && --left[from] == 0) {
                gone[from] = 1;
                order[count++] = from;
            }
        }
    }
    return count;
}

static void make_routine(struct decoder *d, struct body *b)
{
    if (b->routine || b->kernel)
        return;
    b->routine = d->num_routines;
    d->routines = ptx_grow(d->context, d->routines, d->num_routines, sizeof *d->routines);
    d->routines[d->num_routines++] = (struct routine){.body = b};
}

/* Those that lie on the way from one cycle of calls to another, or on one, which is what matters. */
static void find_recursive(struct decoder *d, const struct digraph *g, const struct digraph *back,
                           uint32_t *order)
{
    uint8_t *gone = ptx_scratch(d->context, g->num_nodes, 1);
    uint32_t count = peel(d, g, back, gone, order, 0);
    peel(d, back, g, gone, order, count);
    for (uint32_t i = 0; i < g->num_nodes; i++)
        if (!gone[i]) {
            make_routine(d, d->bodies[i]);
            d->kernel->stack_varies = 1;
        }
}

static uint64_t add_size(uint64_t one, uint64_t other)
{
    return one + other < SIZE_MOST ? one + other : SIZE_MOST;
}

/* Of a body whose functions have theirs. */
static void find_size(struct decoder *d, struct body *b)
{
    b->size = b->num_insns;
    b->height = 0;
    for (uint32_t i = 0; i < b->num_calls; i++) {
        const struct body *to = b->calls[i];
        b->size = add_size(b->size, to->routine ? CALL_SIZE : to->size);
        b->height = !to->routine && to->height >= b->height ? to->height + 1 : b->height;
    }
    if (b->height == HEIGHT_MOST)
        make_routine(d, b);
}

/* The kernel's instructions if all but the routines is inlined. */
static uint64_t find_sizes(struct decoder *d, const struct digraph *g, const struct digraph *back,
                           uint32_t *order)
{
    uint8_t *gone = ptx_scratch(d->context, g->num_nodes, 1);
    uint64_t all = 0;
    for (uint32_t i = 0; i < g->num_nodes; i++)
        gone[i] = d->bodies[i]->routine != 0;
    const uint32_t count = peel(d, g, back, gone, order, 0);
    for (uint32_t i = 0; i < count; i++)
        find_size(d, d->bodies[order[i]]);
    for (uint32_t i = 0; i < g->num_nodes; i++) {
        struct body *b = d->bodies[i];
        if (b->routine)
            find_size(d, b);
        all = b->routine || b->kernel ? add_size(all, b->size) : all;
    }
    return all;
}

void reach_find(struct decoder *d)
{
    d->routines = ptx_grow(d->context, NULL, 0, sizeof *d->routines);
    d->routines[d->num_routines++] = (struct routine){.body = d->body};
    const int pointers = d->has_calls = follow(d);
    d->kernel->stack_varies = (uint8_t)d->allocates;
    if (d->num_bodies == 1)
        return;
    const struct digraph g = graph_of(d);
    struct digraph back;
    uint32_t *order = ptx_scratch(d->context, d->num_bodies, sizeof *order);
    digraph_reverse(d->context, &g, &back);
    find_recursive(d, &g, &back, order);
    for (uint32_t t = 0; pointers && t < d->parser->num_taken; t++)
        if (pointed_to(d, t)) {
            make_routine(d, pointed_to(d, t));
            pointed_to(d, t)->taken = t + 1;
        }
    const int large = find_sizes(d, &g, &back, order) > KERNEL_MOST;
    for (uint32_t i = 0; large && i < d->num_bodies; i++)
        if (d->bodies[i]->num_callers > 1 && d->bodies[i]->size > INLINED_MOST)
            make_routine(d, d->bodies[i]);
    d->has_calls |= d->num_routines > 1;
}
