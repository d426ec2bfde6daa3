/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/later.c: see later.h. */
#include "tb/exec/later.h"

#include <stdlib.h>

int exec_later_init(struct exec_later *l, uint32_t places)
{
    l->entries = calloc(places, sizeof *l->entries);
    l->places = places;
    return l->entries ? 0 : -1;
}

void exec_later_free(struct exec_later *l)
{
    free(l->entries);
}

static void keep(struct exec_postponed *p, const struct exec_warp *w, uint32_t number,
                 uint32_t operand, uint32_t slot)
{
    const void *value = exec_source(w, operand);
    if (operand & UOP_CONST) {
        p->operand[number] = value; /* does not change */
        return;
    }
    memcpy(p->values[number], value, slot * (size_t)WARP_LANES);
    p->operand[number] = p->values[number];
}

static struct exec_postponed *begin(struct exec_warp *w, const struct uop *u, uint32_t mask,
                                    const struct exec_access *access)
{
    struct exec_later *l = w->block->later;
    struct exec_postponed *p = &l->entries[l->count++];
    p->warp = w;
    p->launch = w->block->launch;
    p->tolerated = w->block->tolerated;
    memcpy(p->ctaid, w->block->ctaid, sizeof p->ctaid);
    p->warp_in_block = w->warp_in_block;
    p->uop = u;
    p->mask = mask;
    p->access = *access;
    if (access->is_store || access->is_atomic)
        l->lines |= exec_later_lines(access->address,
                                     mask); /* aligned, so none reaches into a second line */
    return p;
}

void exec_postpone(struct exec_warp *w, const struct uop *u, uint32_t mask,
                   const struct exec_access *access, uint32_t slot)
{
    struct exec_postponed *p = begin(w, u, mask, access);
    if (u->op == U_ST)
        for (uint32_t i = 0; i < u->vec; i++)
            keep(p, w, i, u->vsrc[i], slot);
    else if (u->op == U_ATOM)
        for (uint32_t i = 0; i < 2 && u->src[1 + i] != UOP_NONE; i++)
            keep(p, w, i, u->src[1 + i], slot);
}

void exec_postpone_words(struct exec_warp *w, const struct uop *u, uint32_t mask,
                         const struct exec_access *access,
                         const uint32_t words[LATER_OPERANDS][WARP_LANES])
{
    struct exec_postponed *p = begin(w, u, mask, access);
    for (uint32_t n = 0; n < LATER_OPERANDS; n++) {
        memcpy(p->values[n], words[n], sizeof words[n]);
        p->operand[n] = p->values[n];
    }
}

/* Performs an access of a warp that has ended, whose slot has a warp of another launch by now: in the memory of its own. */
static void perform_for_the_dead(const struct exec_postponed *p, struct exec_access *access)
{
    struct exec_warp *const w = p->warp;
    struct exec_block *const block = w->block;
    struct exec_block own = {.launch = p->launch, .later = block->later, .tolerated = p->tolerated};
    const struct gmem_range range = w->range;
    const uint64_t epoch = w->range_epoch;
    w->block = &own;
    w->range = (struct gmem_range){0};
    w->range_epoch = gmem_epoch(p->launch->gmem);
    p->uop->run(w, p->uop, p->mask, access);
    w->block = block;
    w->range = range;
    w->range_epoch = epoch;
}

void exec_later_perform(struct exec_later *l)
{
    struct exec_access access;
    for (uint32_t i = 0; i < l->count; i++) {
        const struct exec_postponed *p = l->performing = &l->entries[i];
        if (__builtin_expect(p->warp->block->launch == p->launch, 1))
            p->uop->run(p->warp, p->uop, p->mask, &access);
        else
            perform_for_the_dead(p, &access);
        if (p->warp->fault->raised)
            break;
    }
    l->performing = NULL;
    l->count = 0;
    l->lines = 0;
}
