/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/active/active.c: see active.h. One bit per pair of warps keeps the queue, as in the RTL,
 * because STATE is compared. */
#include "cmodel/active/active.h"

#include <string.h>

_Static_assert(NUM_WARPS >= 2 && NUM_WARPS <= 64, "a warp mask is one word");

#define ALL_WARPS (~UINT64_C(0) >> (64 - NUM_WARPS))

/* Where the bit of pair (i, j), i < j, stands. */
static unsigned pair(unsigned i, unsigned j)
{
    return i * (2 * NUM_WARPS - 1 - i) / 2 + (j - i - 1);
}

/* Who comes first in the queue, of at least one. */
static unsigned head(const struct active_state *s, uint64_t queue)
{
    unsigned first = (unsigned)__builtin_ctzll(queue);
    for (uint64_t rest = queue & (queue - 1); rest; rest &= rest - 1) {
        unsigned warp = (unsigned)__builtin_ctzll(rest);
        if (!bit_get(s->order, pair(first, warp)))
            first = warp;
    }
    return first;
}

void active_reset(struct active_state *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned p = 0; p < NUM_WARPS * (NUM_WARPS - 1) / 2; p++)
        bit_set(s->order, p, 1);
}

void active_comb(const struct active_state *s, const struct active_in *in, struct active_out *out)
{
    uint64_t queue = ALL_WARPS & ~s->active, behind = s->active & in->long_wait;
    uint64_t count = (uint64_t)__builtin_popcountll(s->active & ~in->long_wait);
    out->allow = s->active;
    out->demoted = behind;
    out->promoted = 0;
    if (!(queue & ~in->long_wait)) /* nobody there could issue */
        return;
    for (; count < in->limit && queue; count++) {
        uint64_t warp = UINT64_C(1) << head(s, queue);
        out->promoted |= warp;
        queue &= ~warp;
    }
    for (; count < in->limit && behind; count++) {
        out->promoted |= behind & -behind;
        behind &= behind - 1;
    }
}

void active_tick(struct active_state *s, const struct active_in *in, const struct active_out *out)
{
    (void)in;
    s->active = (s->active & ~out->demoted) | out->promoted;
    for (uint64_t rest = out->demoted; rest; rest &= rest - 1) {
        unsigned last = (unsigned)__builtin_ctzll(rest);
        for (unsigned i = 0; i < last; i++)
            bit_set(s->order, pair(i, last), 1);
        for (unsigned j = last + 1; j < NUM_WARPS; j++)
            bit_set(s->order, pair(last, j), 0);
    }
}
