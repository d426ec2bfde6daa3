/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/later.h: accesses of global memory that are put off: see struct exec_later. */
#ifndef HEDDLE_TB_EXEC_LATER_H
#define HEDDLE_TB_EXEC_LATER_H

#include "tb/exec/op.h"

#define LATER_OPERANDS 4

struct exec_postponed {
    struct exec_warp *warp; /* may have ended, and its place been given to another */
    const struct exec_launch
        *launch; /* when it was put off: its slot may have another warp since */
    struct exec_tolerated *tolerated; /* as it was then */
    uint32_t ctaid[3], warp_in_block;
    const struct uop *uop;
    uint32_t mask; /* lanes to serve; access.mask may hold lanes that have raised a fault */
    struct exec_access access;
    const void *operand[LATER_OPERANDS]; /* values of a store; b and c of an atomic */
    uint64_t values[LATER_OPERANDS][WARP_LANES];
};

/* Puts an access off. Its operands are registers of `slot` bytes per lane. */
void exec_postpone(struct exec_warp *, const struct uop *, uint32_t mask,
                   const struct exec_access *, uint32_t slot);

/* The same with operands that are in no register: words of each lane. */
void exec_postpone_words(struct exec_warp *, const struct uop *, uint32_t mask,
                         const struct exec_access *,
                         const uint32_t words[LATER_OPERANDS][WARP_LANES]);

/* The lines that lanes touch, as in exec_later.lines. */
static inline uint64_t exec_later_lines(const uint64_t address[WARP_LANES], uint32_t mask)
{
    uint64_t lines = 0;
    FOR_LANES lines |= mask >> i & 1 ? UINT64_C(1) << (address[i] >> 7 & 63) : 0;
    return lines;
}

/* An operand of an access: its register, or what that held when the access was put off. */
static inline const void *exec_later_operand(const struct exec_warp *w, uint32_t operand,
                                             uint32_t number)
{
    const struct exec_later *later = w->block->later;
    return later && later->performing ? later->performing->operand[number]
                                      : exec_source(w, operand);
}

#endif
