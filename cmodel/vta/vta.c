/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/vta/vta.c: see vta.h. One bit per pair of ways keeps the order of a set, as in the RTL,
 * because memories are compared. A pair says something once both ways have been written since the
 * set was last empty, so the word needs no reset: it is asked only when all ways are valid. */
#include "cmodel/vta/vta.h"

#include <string.h>

#define SLOTS (NUM_SCHEDULERS * NUM_WARPS)

_Static_assert(SLOTS >= 2, "a warp has a number");
_Static_assert(VTA_SETS >= 2 && (VTA_SETS & (VTA_SETS - 1)) == 0,
               "the set is the low bits of a line's number");
_Static_assert(VTA_WAYS >= 2 && VTA_WAYS <= 8 && (VTA_WAYS & (VTA_WAYS - 1)) == 0,
               "an entry is numbered by warp, set and way");
_Static_assert(LINE_BITS > CLOG2(VTA_SETS), "a tag has bits");

/* The set of a warp and a line, as a number among all sets of the SM. */
static unsigned set_of(uint64_t warp, uint64_t line)
{
    return (unsigned)(warp * VTA_SETS + line % VTA_SETS);
}

static uint64_t tag_of(uint64_t line)
{
    return line >> CLOG2(VTA_SETS);
}

/* Where the bit of pair (i, j), i < j, stands. */
static unsigned pair(unsigned i, unsigned j)
{
    return i * (2 * VTA_WAYS - 1 - i) / 2 + (j - i - 1);
}

/* The way that was inserted before all others of a full set. */
static unsigned oldest_way(uint64_t order)
{
    unsigned oldest = 0;
    for (unsigned way = 1; way < VTA_WAYS; way++)
        if (!(order >> pair(oldest, way) & 1))
            oldest = way;
    return oldest;
}

static uint64_t order_after(uint64_t order, unsigned way)
{
    for (unsigned i = 0; i < way; i++)
        order |= UINT64_C(1) << pair(i, way);
    for (unsigned j = way + 1; j < VTA_WAYS; j++)
        order &= ~(UINT64_C(1) << pair(way, j));
    return order;
}

/* The first way without a valid entry, else the oldest. */
static unsigned way_to_take(const struct vta_state *s, unsigned set)
{
    for (unsigned way = 0; way < VTA_WAYS; way++)
        if (!bit_get(s->valid, set * VTA_WAYS + way))
            return way;
    return oldest_way(s->order[set]);
}

static int holds(const struct vta_state *s, unsigned entry, uint64_t line)
{
    return bit_get(s->valid, entry) && s->tag[entry] == tag_of(line);
}

void vta_reset(struct vta_state *s)
{
    memset(s->valid, 0, sizeof s->valid);
}

void vta_comb(const struct vta_state *s, const struct vta_in *in, struct vta_out *out)
{
    out->hit = 0;
    if (in->start || !in->miss || in->miss_warp >= SLOTS)
        return;
    const unsigned first = set_of(in->miss_warp, in->miss_line) * VTA_WAYS;
    for (unsigned way = 0; way < VTA_WAYS; way++)
        out->hit |= (uint64_t)holds(s, first + way, in->miss_line);
}

static void release(struct vta_state *s, unsigned set, uint64_t line)
{
    for (unsigned way = 0; way < VTA_WAYS; way++)
        if (holds(s, set * VTA_WAYS + way, line))
            bit_set(s->valid, set * VTA_WAYS + way, 0);
}

static void insert(struct vta_state *s, unsigned set, uint64_t line)
{
    const unsigned way = way_to_take(s, set);
    s->tag[set * VTA_WAYS + way] = tag_of(line);
    s->order[set] = order_after(s->order[set], way);
    bit_set(s->valid, set * VTA_WAYS + way, 1);
}

void vta_tick(struct vta_state *s, const struct vta_in *in, const struct vta_out *out)
{
    if (in->start) {
        vta_reset(s);
        return;
    }
    if (out->hit)
        release(s, set_of(in->miss_warp, in->miss_line), in->miss_line);
    if (in->evict && in->owner < SLOTS && !bit_get(in->fresh, (unsigned)in->owner))
        insert(s, set_of(in->owner, in->evict_line), in->evict_line);
    for (unsigned slot = 0; slot < SLOTS; slot++)
        if (bit_get(in->fresh, slot))
            for (unsigned e = 0; e < VTA_SETS * VTA_WAYS; e++)
                bit_set(s->valid, slot * VTA_SETS * VTA_WAYS + e, 0);
}
