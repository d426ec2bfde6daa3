/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/rlws_pick.h: the choice among actions (RLWS IV-F), for the two references that take one:
 * the preferred one of those that are possible, or one that is drawn. */
#ifndef HEDDLE_CMODEL_RLWS_PICK_H
#define HEDDLE_CMODEL_RLWS_PICK_H

#include <stdint.h>

#define RLWS_PICK_ACTIONS 5

/* `beats`: of pair (i, j), i < j, row after row: i is preferred to j. `possible`: a bit of each
 * action, not none. Not drawn, it is the one that is preferred to every other possible one; where
 * there is none, because the pairs are in no order, the lowest by number. Drawn by `draw`, 8 bits,
 * each possible one is as likely as the others. */
static inline uint64_t rlws_pick(uint64_t beats, uint64_t possible, uint64_t drawn, uint64_t draw)
{
    uint64_t choice = possible;
    unsigned pair = 0;
    if (drawn) {
        uint64_t below = draw * (uint64_t)__builtin_popcountll(possible) >> 8;
        for (; below; below--)
            choice &= choice - 1;
        return (uint64_t)__builtin_ctzll(choice);
    }
    for (unsigned i = 0; i < RLWS_PICK_ACTIONS; i++)
        for (unsigned j = i + 1; j < RLWS_PICK_ACTIONS; j++, pair++)
            if (possible >> i & possible >> j & 1)
                choice &= ~(UINT64_C(1) << (beats >> pair & 1 ? j : i));
    return (uint64_t)__builtin_ctzll(choice ? choice : possible);
}

#endif
