/* SPDX-License-Identifier: Apache-2.0 */
/* tb/profile/stacks.c: see stacks.h. */
#include "tb/profile/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "tb/mem/l1.h"
#include "tb/mem/tags.h"

int stacks_open(struct stacks *s, uint64_t num_sets)
{
    *s = (struct stacks){.num_sets = num_sets};
    s->lines = malloc(MEMORY_SPACES * num_sets * STACK_DEPTH * sizeof *s->lines);
    if (!s->lines)
        return -1;
    stacks_forget(s);
    return 0;
}

void stacks_close(struct stacks *s)
{
    free(s->lines);
    s->lines = NULL;
}

void stacks_forget(struct stacks *s)
{
    for (uint64_t i = 0; i < MEMORY_SPACES * s->num_sets * STACK_DEPTH; i++)
        s->lines[i] = NO_LINE;
}

static uint64_t *stack_of(struct stacks *s, unsigned space, uint64_t set)
{
    return &s->lines[(space * s->num_sets + set) * STACK_DEPTH];
}

/* Where the line is; STACK_DEPTH: nowhere. */
static unsigned place_of(const uint64_t *stack, uint64_t line)
{
    unsigned i = 0;
    while (i < STACK_DEPTH && stack[i] != line)
        i++;
    return i;
}

/* What is above the first empty place moves down by one. */
void stacks_touch(struct stacks *s, unsigned space, uint64_t set, uint64_t line)
{
    uint64_t *stack = stack_of(s, space, set);
    const unsigned place = place_of(stack, line);
    s->counts.at[space][place]++;
    if (place < STACK_DEPTH)
        stack[place] = NO_LINE;
    const unsigned empty = place_of(stack, NO_LINE);
    memmove(&stack[1], stack, (empty < STACK_DEPTH ? empty : STACK_DEPTH - 1) * sizeof *stack);
    stack[0] = line;
}

/* Its place stays empty, as its way would: of caches whose ways reach so far the next miss replaces nothing, and for others it makes no
 * difference. */
void stacks_remove(struct stacks *s, unsigned space, uint64_t set, uint64_t line)
{
    uint64_t *stack = stack_of(s, space, set);
    const unsigned place = place_of(stack, line);
    if (place < STACK_DEPTH)
        stack[place] = NO_LINE;
}

void stack_counts_add(struct stack_counts *sum, const struct stack_counts *term)
{
    for (unsigned space = 0; space < MEMORY_SPACES; space++)
        for (unsigned i = 0; i <= STACK_DEPTH; i++)
            sum->at[space][i] += term->at[space][i];
}

/* L1D -------------------------------------------------------------------------------------------*/

struct l1d_stacks {
    struct listener listener;
    struct stacks stacks;
    struct tags shape; /* has no lines: which set a line goes to */
    int keeps;
};

static void hear(void *context, const struct event *e)
{
    struct l1d_stacks *l = context;
    const uint64_t line = e->kind == EVENT_l1d_hit    ? e->of.l1d_hit.line
                          : e->kind == EVENT_l1d_miss ? e->of.l1d_miss.line
                                                      : e->of.l1d_write.line;
    (e->kind == EVENT_l1d_write ? stacks_remove : stacks_touch)(&l->stacks, space_of(line),
                                                                tags_set(&l->shape, line), line);
}

struct l1d_stacks *l1d_stacks_new(const struct config *c)
{
    struct l1d_stacks *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->listener = (struct listener){
        .hears = HEARS(l1d_hit) | HEARS(l1d_miss) | HEARS(l1d_write), .hear = hear, .context = l};
    l->keeps = c->l1d_keep != 0;
    l1d_shape(c, &l->shape);
    if (!stacks_open(&l->stacks, l->shape.num_sets))
        return l;
    l1d_stacks_free(l);
    return NULL;
}

void l1d_stacks_free(struct l1d_stacks *l)
{
    if (!l)
        return;
    stacks_close(&l->stacks);
    free(l);
}

struct listener *l1d_stacks_listener(struct l1d_stacks *l)
{
    return &l->listener;
}

void l1d_stacks_begin(struct l1d_stacks *l)
{
    if (!l->keeps)
        stacks_forget(&l->stacks);
}

const struct stack_counts *l1d_stacks_counts(const struct l1d_stacks *l)
{
    return &l->stacks.counts;
}
