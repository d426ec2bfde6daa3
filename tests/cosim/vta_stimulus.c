/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/vta_stimulus.c: random but plausible inputs of the victim tags. Phases differ in how
 * often lines leave and loads miss, in how many warps do so, and from how many lines: from so few
 * that sets hold a line twice, to so many that sets fill and the oldest goes. Lines differ from each
 * other in one bit of the tag, whichever it is. Rarely a number is no warp's. */
#include "cmodel/vta/vta.h"
#include "cosim/stimulus.h"

void vta_stimulus(struct stimulus *, void *input);

#define SLOTS     (NUM_SCHEDULERS * NUM_WARPS)
#define LINE_MASK (~UINT64_C(0) >> (64 - LINE_BITS))
#define TAG_BITS  (LINE_BITS - CLOG2(VTA_SETS))

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t evict_once_in, miss_once_in, fresh_once_in, first_warp, warps, lines, lines_from,
        first_bit;
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

static void new_phase(struct stimulus *s, struct phase *p)
{
    static const uint64_t rates[] = {1, 1, 2, 8}, warps[] = {1, 1, 2, SLOTS},
                          lines[] = {2, VTA_SETS * VTA_WAYS, 2 * VTA_SETS * VTA_WAYS, 64};
    p->left = 1 + stimulus_below(s, 200);
    p->evict_once_in = rates[stimulus_below(s, 4)];
    p->miss_once_in = rates[stimulus_below(s, 4)];
    p->fresh_once_in = 20 * rates[stimulus_below(s, 4)];
    p->first_warp = stimulus_below(s, SLOTS);
    p->warps = warps[stimulus_below(s, 4)];
    p->lines = lines[stimulus_below(s, 4)];
    p->lines_from = stimulus_bits(s) & LINE_MASK;
    p->first_bit = stimulus_below(s, TAG_BITS);
}

static uint64_t some_warp(struct stimulus *s, const struct phase *p)
{
    if (stimulus_once_in(s, 32))
        return stimulus_below(s, UINT64_C(1) << CLOG2(SLOTS));
    return (p->first_warp + stimulus_below(s, p->warps)) % SLOTS;
}

/* The lines of a phase: the set is the low bits of n, and the rest of n turns one bit of the tag. */
static uint64_t some_line(struct stimulus *s, const struct phase *p)
{
    const uint64_t n = stimulus_below(s, p->lines), set = n % VTA_SETS, turn = n / VTA_SETS,
                   bit = CLOG2(VTA_SETS) + (p->first_bit + turn) % TAG_BITS;
    return p->lines_from ^ set ^ (turn ? UINT64_C(1) << bit : 0);
}

void vta_stimulus(struct stimulus *s, void *input)
{
    struct vta_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    if (p->left-- == 0)
        new_phase(s, p);
    in->start = (uint64_t)stimulus_once_in(s, 1500);
    in->evict = (uint64_t)stimulus_once_in(s, p->evict_once_in);
    in->evict_line = some_line(s, p);
    in->owner = some_warp(s, p);
    in->miss = (uint64_t)stimulus_once_in(s, p->miss_once_in);
    in->miss_line = stimulus_once_in(s, 8) ? in->evict_line : some_line(s, p);
    in->miss_warp = stimulus_once_in(s, 8) ? in->owner : some_warp(s, p);
    /* Most often the slot that turns over is one that is at work. */
    const int all_fresh = stimulus_once_in(s, 2000),
              any_fresh = stimulus_once_in(s, p->fresh_once_in);
    for (unsigned w = 0; w < SLOTS; w++)
        bit_set(in->fresh, w, all_fresh);
    if (any_fresh)
        bit_set(in->fresh, (unsigned)((p->first_warp + stimulus_below(s, 2 * p->warps)) % SLOTS),
                1);
}
