/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/taws_act/taws_act.c: see taws_act.h. */
#include "cmodel/taws_act/taws_act.h"

_Static_assert(NUM_WARPS >= 2 && NUM_WARPS <= 64, "a warp mask is one word");

void taws_act_reset(struct taws_act_state *s)
{
    (void)s;
}

void taws_act_tick(struct taws_act_state *s, const struct taws_act_in *in,
                   const struct taws_act_out *out)
{
    (void)s, (void)in, (void)out;
}

static uint64_t can_issue(const struct taws_act_in *in)
{
    const uint64_t ready[] = {in->ready_sp, in->ready_sfu,
                              in->ready_gmem & (~in->load | in->allow_load), in->ready_stcmem};
    uint64_t can = 0;
    for (unsigned c = 0; c < 4; c++)
        if (in->allow_class >> c & 1)
            can |= ready[c];
    return can & in->allow;
}

/* The warp of the block that issued last, if it is one of these; else none. */
static uint64_t goes_on(const struct taws_act_in *in, unsigned block, uint64_t warps)
{
    return bit_get(in->held_valid, block) ? warps & UINT64_C(1) << in->held[block] : 0;
}

static int goes_before(const struct taws_act_in *in, unsigned a, unsigned b)
{
    const unsigned i = a < b ? a : b, j = a < b ? b : a;
    const unsigned pair = i * (2 * SM_BLOCKS - 1 - i) / 2 + j - i - 1;
    return bit_get(in->ahead, pair) == (a < b);
}

/* Of the blocks with a warp that can issue, the one that goes before all others; or SM_BLOCKS. */
static unsigned best_block(const struct taws_act_in *in, const uint64_t *warps)
{
    for (unsigned b = 0; b < SM_BLOCKS; b++) {
        int best = warps[b] != 0;
        for (unsigned other = 0; other < SM_BLOCKS; other++)
            if (other != b && warps[other] && !goes_before(in, b, other))
                best = 0;
        if (best)
            return b;
    }
    return SM_BLOCKS;
}

void taws_act_comb(const struct taws_act_state *s, const struct taws_act_in *in,
                   struct taws_act_out *out)
{
    const uint64_t can = can_issue(in);
    uint64_t warps[SM_BLOCKS] = {0}; /* of each block, those that can issue */
    unsigned b;
    (void)s;
    for (unsigned w = 0; w < NUM_WARPS; w++)
        if (in->block[w] < SM_BLOCKS)
            warps[in->block[w]] |= can & UINT64_C(1) << w;

    if (in->greedy == taws_act_greedy_global)
        for (b = 0; b < SM_BLOCKS; b++) {
            out->may = goes_on(in, b, warps[b]);
            if (out->may)
                return;
        }
    out->may = 0;
    b = best_block(in, warps);
    if (b == SM_BLOCKS)
        return;
    out->may = goes_on(in, b, warps[b]);
    if (!out->may)
        out->may = warps[b];
}
