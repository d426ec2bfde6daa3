/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/walk.c: executes the blocks of a region in order. Where ways meet, a register holds
 * what it has on one way or the other, by the condition of the way. */
#include <string.h>

#include "tb/locality/analysis.h"

/* What has come to a node so far. */
struct arrival {
    struct registers registers;
    const struct condition *when; /* NULL: nothing yet */
    uint32_t behind;              /* ways out that are behind it */
};

struct walker {
    struct analysis *analysis;
    struct region region;
    struct trip *trip;
    struct arrival *arrivals; /* by node */
    struct arrival back;
};

static void arrive(struct walker *w, struct arrival *at, const struct registers *r,
                   const struct condition *when, uint32_t behind)
{
    struct analysis *a = w->analysis;
    if (when == a->values.never)
        return;
    if (!at->when) {
        *at = (struct arrival){.registers = registers_copy(a, r), .when = when, .behind = behind};
        return;
    }
    registers_join(a, &at->registers, condition_where(&a->values, when, at->when), r);
    at->when = condition_either(&a->values, at->when, when);
    at->behind = behind < at->behind ? behind : at->behind;
}

/* Control goes from a block to another. */
static void go(struct walker *w, uint32_t to, const struct registers *r,
               const struct condition *when, uint32_t behind)
{
    struct analysis *a = w->analysis;
    const uint32_t loop = w->region.loop;
    if (!in_loop(a, to, loop)) {
        struct trip *t = w->trip;
        if (!loop)
            return;
        t->ways = ptx_grow(a->context, t->ways, t->num_ways, sizeof *t->ways);
        t->ways[t->num_ways++] =
            (struct way){.target = to, .when = when, .registers = registers_copy(a, r)};
    } else if (loop && to == a->flow.block_of[a->kernel->loops[loop - 1].head]) {
        arrive(w, &w->back, r, when, behind);
    } else {
        arrive(w, &w->arrivals[w->region.node_of[to]], r, when, behind);
    }
}

/* The branch at the end of a block. Where it can end a loop, what goes on goes on in every trip but
 * the last. */
static void branch(struct walker *w, uint32_t node, const struct uop *last,
                   const struct arrival *at)
{
    struct analysis *a = w->analysis;
    struct values *p = &a->values;
    const struct condition *guard = held_guard(a, &at->registers, last);
    const uint32_t targets[2] = {a->flow.block_of[last->target], w->region.head[node] + 1};
    const struct condition *taken[2] = {guard, condition_not(p, guard)};
    const int counts = w->region.loop && w->region.is_counted && w->region.leaves[node];
    for (int i = 0; i < (flow_ends(last) ? 1 : 2); i++) {
        const int stays = counts && in_loop(a, targets[i], w->region.loop);
        go(w, targets[i], &at->registers, stays ? at->when : condition_both(p, at->when, taken[i]),
           at->behind + (uint32_t)stays);
    }
}

/* The same of an indirect branch; none is counted that can end a loop. */
static void branch_indirectly(struct walker *w, uint32_t node, const struct uop *last,
                              const struct arrival *at)
{
    struct analysis *a = w->analysis;
    struct values *p = &a->values;
    uint32_t count;
    const uint32_t *targets = ptx_targets(a->kernel, last, &count);
    const struct condition *guard = held_guard(a, &at->registers, last);
    const struct condition *taken = condition_both(p, at->when, guard);
    const struct value *index = held_value(a, &at->registers, last, last->src[0], T_U32);
    ptx_spend(a->context, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct condition *here =
            condition_compare(p, CMP_EQ, index, value_constant(p, (int64_t)i));
        go(w, a->flow.block_of[targets[i]], &at->registers, condition_both(p, taken, here),
           at->behind);
    }
    if (!flow_ends(last))
        go(w, w->region.head[node] + 1, &at->registers,
           condition_both(p, at->when, condition_not(p, guard)), at->behind);
}

static void walk_block(struct walker *w, uint32_t node, struct arrival *at)
{
    struct analysis *a = w->analysis;
    const uint32_t block = w->region.head[node], end = a->flow.start[block + 1];
    for (uint32_t i = a->flow.start[block]; i < end; i++) {
        const struct uop *u = &a->kernel->uops[i];
        if (u->op == U_RET || u->op == U_TRAP) {
            const struct condition *guard = held_guard(a, &at->registers, u);
            go(w, a->flow.num_blocks, &at->registers, condition_both(&a->values, at->when, guard),
               at->behind);
            if (u->guard == UOP_NONE)
                return;
            at->when = condition_both(&a->values, at->when, condition_not(&a->values, guard));
        } else if (u->op == U_BRA) {
            branch(w, node, u, at);
            return;
        } else if (u->op == U_BRX) {
            branch_indirectly(w, node, u, at);
            return;
        } else {
            step(a, &at->registers, i, at->when);
        }
    }
    go(w, block + 1, &at->registers, at->when, at->behind);
}

static void walk_inner(struct walker *w, uint32_t node, const struct arrival *at)
{
    struct analysis *a = w->analysis;
    struct way *ways;
    const uint32_t count = walk_loop(a, w->region.inner[node], &at->registers, at->when, &ways);
    for (uint32_t i = 0; i < count; i++)
        go(w, ways[i].target, &ways[i].registers,
           condition_both(&a->values, at->when, ways[i].when), at->behind);
}

/* What cannot be put in an order: all its loads are in doubt. */
static void give_up(struct walker *w)
{
    struct analysis *a = w->analysis;
    const struct value *doubt = value_doubt(&a->values, REASON_NESTING);
    w->trip->doubt = doubt->doubt;
    for (uint32_t b = 0; b < a->flow.num_blocks; b++)
        for (uint32_t i = a->flow.start[b]; i < a->flow.start[b + 1]; i++)
            if (in_loop(a, b, w->region.loop) && a->kernel->uops[i].op == U_LD)
                note_load(a, i, doubt, a->values.always);
}

void walk(struct analysis *a, struct trip *t, const struct registers *from)
{
    struct walker w = {.analysis = a, .trip = t};
    const struct counted *around = a->around;
    region_find(a, t->loop, &w.region);
    w.arrivals = ptx_scratch(a->context, w.region.num_nodes, sizeof *w.arrivals);
    t->ways = NULL;
    t->num_ways = 0;
    if (!w.region.is_nested) {
        give_up(&w);
        return;
    }
    for (uint32_t i = 0; i < w.region.num_ordered; i++) {
        const uint32_t node = w.region.order[i];
        struct arrival *at = &w.arrivals[node];
        if (i == 0)
            arrive(&w, at, from, a->values.always, 0);
        if (!at->when)
            continue;
        if (w.region.meets[node] && w.arrivals[w.region.above[node]].when)
            at->when = w.arrivals[w.region.above[node]].when;
        const struct condition *when = at->when;
        a->around = t->stages ? &t->stages[at->behind] : around;
        if (w.region.inner[node])
            walk_inner(&w, node, at);
        else
            walk_block(&w, node, at);
        at->when = when;
    }
    a->around = around;
    t->back = w.back.when ? w.back.registers : *from;
    if (t->loop && !w.region.is_counted)
        t->doubt = value_doubt(&a->values, REASON_EXITS)->doubt;
}
