/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/wia/wia.c: see wia.h. One bit per pair of warps keeps the age, as in the RTL, because
 * STATE is compared. */
#include "cmodel/wia/wia.h"

#include <string.h>

_Static_assert(NUM_WARPS >= 2 && NUM_WARPS <= 64, "a warp mask is one word");
_Static_assert(NUM_WARPS % TL_GROUP == 0 && (TL_GROUP & (TL_GROUP - 1)) == 0,
               "a fetch group is a power of two and divides the warps");

#define ALL_WARPS   (~UINT64_C(0) >> (64 - NUM_WARPS))
#define GROUP_WARPS (~UINT64_C(0) >> (64 - TL_GROUP))

/* Where the bit of pair (i, j), i < j, stands. */
static unsigned pair(unsigned i, unsigned j)
{
    return i * (2 * NUM_WARPS - 1 - i) / 2 + (j - i - 1);
}

static int older(const struct wia_state *s, unsigned i, unsigned j)
{
    return i < j ? bit_get(s->order, pair(i, j)) : !bit_get(s->order, pair(j, i));
}

static unsigned by_age(const struct wia_state *s, uint64_t candidates, int youngest)
{
    unsigned best = (unsigned)__builtin_ctzll(candidates);
    for (uint64_t rest = candidates & (candidates - 1); rest; rest &= rest - 1) {
        unsigned warp = (unsigned)__builtin_ctzll(rest);
        if (older(s, warp, best) != youngest)
            best = warp;
    }
    return best;
}

/* The first candidate above `last`, else the first of all. */
static unsigned round_robin(uint64_t candidates, unsigned last)
{
    uint64_t above = candidates & ~UINT64_C(0) << last & ~(UINT64_C(1) << last);
    return (unsigned)__builtin_ctzll(above ? above : candidates);
}

/* tl: the group whose turn it is: the first one from `turn` on, cyclically, with a warp that does not
 * wait long. None such: the turn stays. */
static unsigned turn_in_force(unsigned turn, uint64_t long_wait)
{
    uint64_t awake = ALL_WARPS & ~long_wait;
    uint64_t from_here = awake & ~UINT64_C(0) << turn * TL_GROUP;
    if (!awake)
        return turn;
    return (unsigned)__builtin_ctzll(from_here ? from_here : awake) / TL_GROUP;
}

void wia_reset(struct wia_state *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned i = 0; i < NUM_WARPS; i++)
        for (unsigned j = i + 1; j < NUM_WARPS; j++)
            bit_set(s->order, pair(i, j), 1);
}

void wia_comb(const struct wia_state *s, const struct wia_in *in, struct wia_out *out)
{
    uint64_t ready = 0;
    if (in->allow_class & 1)
        ready |= in->ready_sp;
    if (in->allow_class & 2)
        ready |= in->ready_sfu;
    if (in->allow_class & 4)
        ready |= in->ready_gmem & (~in->load | in->allow_load);
    if (in->allow_class & 8)
        ready |= in->ready_stcmem;
    ready &= in->allow;

    unsigned last = (unsigned)s->last;
    out->grant_valid = 0;
    out->grant = 0;
    out->turn_passes = 0;
    if (in->policy == wia_policy_tl) {
        unsigned group = turn_in_force((unsigned)s->turn, in->long_wait);
        out->turn_passes = group != s->turn;
        ready &= GROUP_WARPS << group * TL_GROUP;
    }
    if (!ready)
        return;
    switch (in->policy) {
    case wia_policy_lrr:
    case wia_policy_tl: out->grant = round_robin(ready, last); break;
    case wia_policy_gto:
    case wia_policy_gtls:
        out->grant = s->last_valid && ready >> last & 1 ? last : by_age(s, ready, 0);
        break;
    case wia_policy_oldest: out->grant = by_age(s, ready, 0); break;
    case wia_policy_youngest: out->grant = by_age(s, ready, 1); break;
    default: return;
    }
    out->grant_valid = 1;
}

static void make_youngest(struct wia_state *s, unsigned warp)
{
    for (unsigned i = 0; i < warp; i++)
        bit_set(s->order, pair(i, warp), 1);
    for (unsigned j = warp + 1; j < NUM_WARPS; j++)
        bit_set(s->order, pair(warp, j), 0);
}

void wia_tick(struct wia_state *s, const struct wia_in *in, const struct wia_out *out)
{
    if (s->issued && (out->grant_valid || in->alloc)) {
        if (in->policy == wia_policy_gtls)
            make_youngest(s, (unsigned)s->last);
        s->issued = 0;
    }
    if (out->grant_valid) {
        s->last = out->grant;
        s->last_valid = 1;
        s->issued = in->policy == wia_policy_gtls;
    }
    if (out->turn_passes)
        s->turn = turn_in_force((unsigned)s->turn, in->long_wait);
    if (!in->alloc || in->alloc_warp >= NUM_WARPS)
        return;
    unsigned newborn = (unsigned)in->alloc_warp;
    if (newborn == s->last) /* a new tenant is not the warp that was granted under its number */
        s->last_valid = s->issued = 0;
    make_youngest(s, newborn);
}
