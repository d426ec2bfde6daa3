/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/taws/taws.c: see taws.h. One bit per pair of contexts keeps each order, as in the RTL, because
 * STATE is compared. */
#include "cmodel/taws/taws.h"

#include <string.h>

_Static_assert(NUM_WARPS >= 2 && SM_BLOCKS >= 2, "warps and contexts have numbers");

/* Where the bit of pair (i, j), i < j, stands. */
static unsigned pair(unsigned i, unsigned j)
{
    return i * (2 * SM_BLOCKS - 1 - i) / 2 + j - i - 1;
}

/* The order of starts behind this cycle's: who starts is younger than all others. */
static int older(const struct taws_state *s, const struct taws_in *in, unsigned i, unsigned j)
{
    if (in->start && in->start_block == i)
        return 0;
    return (in->start && in->start_block == j) || bit_get(s->older, pair(i, j));
}

/* The rank behind this cycle's stalled warps and start. A context that there is not has a count, too,
 * which nobody compares. */
static void rank(const struct taws_state *s, const struct taws_in *in, uint64_t *ahead)
{
    unsigned count[1 << CLOG2(SM_BLOCKS)] = {0};
    for (unsigned slot = 0; slot < NUM_SCHEDULERS * NUM_WARPS; slot++)
        count[in->block[slot]] += (unsigned)bit_get(in->stalled, slot);
    for (unsigned i = 0; i < SM_BLOCKS; i++)
        for (unsigned j = i + 1; j < SM_BLOCKS; j++)
            bit_set(ahead, pair(i, j),
                    count[i] > count[j] || (count[i] == count[j] && older(s, in, i, j)));
}

void taws_reset(struct taws_state *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned p = 0; p < SM_BLOCKS * (SM_BLOCKS - 1) / 2; p++) {
        bit_set(s->older, p, 1);
        bit_set(s->ahead, p, 1);
    }
}

void taws_comb(const struct taws_state *s, const struct taws_in *in, struct taws_out *out)
{
    struct taws_state next = *s;
    rank(s, in, next.ahead);
    out->settled = memcmp(next.ahead, s->ahead, sizeof s->ahead) == 0;
}

/* What scheduler k remembers, of context b, is entry k * SM_BLOCKS + b. */
static void remember(struct taws_state *s, const struct taws_in *in, unsigned k)
{
    const unsigned first = k * SM_BLOCKS, warp = (unsigned)in->issued_warp[k];
    if (in->greedy == taws_greedy_global)
        for (unsigned b = 0; b < SM_BLOCKS; b++)
            bit_set(s->held_valid, first + b, 0);
    if (warp < NUM_WARPS && in->block[k * NUM_WARPS + warp] < SM_BLOCKS) {
        const unsigned entry = first + (unsigned)in->block[k * NUM_WARPS + warp];
        bit_set(s->held_valid, entry, 1);
        s->held[entry] = warp;
    }
}

static void forget(struct taws_state *s, unsigned k, unsigned warp)
{
    for (unsigned entry = k * SM_BLOCKS; entry < (k + 1) * SM_BLOCKS; entry++)
        if (s->held[entry] == warp)
            bit_set(s->held_valid, entry, 0);
}

void taws_tick(struct taws_state *s, const struct taws_in *in, const struct taws_out *out)
{
    (void)out;
    rank(s, in, s->ahead);
    struct taws_state before = *s;
    for (unsigned i = 0; i < SM_BLOCKS; i++)
        for (unsigned j = i + 1; j < SM_BLOCKS; j++)
            bit_set(s->older, pair(i, j), older(&before, in, i, j));
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++)
        if (bit_get(in->issued, k))
            remember(s, in, k);
    for (unsigned slot = 0; slot < NUM_SCHEDULERS * NUM_WARPS; slot++)
        if (bit_get(in->fresh, slot))
            forget(s, slot / NUM_WARPS, slot % NUM_WARPS);
}
