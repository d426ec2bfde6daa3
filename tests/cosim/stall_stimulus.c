/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/stall_stimulus.c: random but plausible inputs of the unit that counts where the warps' cycles go. A
 * warp waits for one thing for a while, then for another; what does not matter there is drawn anew in each cycle. Phases
 * differ in how many warps there are and how long they wait. In pure phases all warps do the same, so long that the
 * count goes round about once; in wild ones every bit is drawn in every cycle. Kernels like to start when a count is about
 * to wrap. */
#include <string.h>

#include "cmodel/stall/stall.h"
#include "cosim/stimulus.h"

void stall_stimulus(struct stimulus *, void *input);

#define ALL (~UINT64_C(0) >> (64 - NUM_WARPS))

enum kind { MIXED, PURE, WILD };

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t kind, overlap, resident, takes;
    uint64_t moves, starts; /* a warp goes on to something else, a kernel starts: once in so many */
    uint8_t class[NUM_WARPS]; /* what the slot's warp is to do */
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

/* Warps in all densities. */
static uint64_t some(struct stimulus *s)
{
    const uint64_t a = stimulus_bits(s), b = stimulus_bits(s);
    switch (stimulus_below(s, 5)) {
    case 0: return a & b & ALL;
    case 1: return (a | b) & ALL;
    case 2: return ALL;
    default: return a & ALL;
    }
}

static uint64_t often(struct stimulus *s)
{
    static const uint64_t once_in[] = {1, 2, 5, 20, 100};
    return once_in[stimulus_below(s, 5)];
}

static void new_phase(struct stimulus *s, struct phase *p)
{
    /* In a cycle of a pure phase all warps are counted: it goes round after so many. */
    const uint64_t round = (UINT64_C(1) << STALL_COUNT_BITS) / NUM_WARPS;
    p->kind = stimulus_once_in(s, 3) ? PURE : stimulus_once_in(s, 4) ? WILD : MIXED;
    p->left = p->kind == PURE ? round + stimulus_below(s, round) : 1 + stimulus_below(s, 300);
    p->overlap = stimulus_below(s, 2);
    p->resident = p->kind == PURE ? ALL : some(s);
    p->takes = stimulus_below(s, 8);
    p->moves = often(s);
    p->starts = 20 + stimulus_below(s, p->kind == PURE ? 100000 : 1000);
    const uint64_t one = stimulus_below(s, NUM_STALL_CLASSES);
    for (unsigned w = 0; w < NUM_WARPS; w++)
        p->class[w] = (uint8_t)(p->kind == PURE ? one : stimulus_below(s, NUM_STALL_CLASSES));
}

/* All that the slot's warp is known by, drawn. */
static void draw(struct stimulus *s, struct stall_in *in)
{
    in->issued = some(s) & some(s);
    in->at_barrier = some(s);
    in->done = some(s);
    in->buffered = some(s);
    in->jumping = some(s);
    in->clear = some(s);
    in->blocked_by_load = some(s);
    for (unsigned w = 0; w < NUM_WARPS; w++)
        in->pipe[w] = stimulus_below(s, 4);
}

/* Makes the bit of a warp what it must be. */
static void set(uint64_t *mask, unsigned warp, int bit)
{
    *mask = (*mask & ~(UINT64_C(1) << warp)) | (uint64_t)bit << warp;
}

/* What must be so that the warp is in its class; all else stays as drawn. Where no instruction of this kind is refused,
 * or each is, the pipelines do what the phase wants of them. */
static void be(struct stimulus *s, struct stall_in *in, unsigned w, unsigned class)
{
    set(&in->issued, w, class == STALL_issued);
    if (class == STALL_issued)
        return;
    set(&in->at_barrier, w, class == STALL_barrier);
    if (class == STALL_barrier) /* it may have a buffer, but waits for no branch */
        return;
    set(&in->done, w, class == STALL_done);
    if (class == STALL_done)
        return;
    set(&in->buffered, w, class > STALL_control);
    set(&in->jumping, w, class == STALL_control);
    if (class <= STALL_control)
        return;
    if (class <= STALL_struct_mem) {
        in->pipe[w] = class - STALL_struct_sp;
        if (class == STALL_struct_mem)
            in->pipe[w] += stimulus_below(s, 2);
        in->takes &= ~(UINT64_C(1) << (class - STALL_struct_sp));
        if (in->overlap == stall_overlap_active)
            set(&in->clear, w, 1);
        return;
    }
    set(&in->clear, w, class == STALL_not_selected);
    if (class != STALL_not_selected)
        set(&in->blocked_by_load, w, class == STALL_data_mem);
    if (class == STALL_not_selected || in->overlap == stall_overlap_first)
        in->takes |= UINT64_C(1) << (in->pipe[w] == 3 ? 2 : in->pipe[w]);
}

/* Is a count about to wrap, if all warps go on as they do? */
static int nearly_full(const struct stall_state *is)
{
    uint64_t highest = 0;
    for (unsigned i = 0; i < NUM_STALL_CLASSES; i++)
        highest = is->count[i] > highest ? is->count[i] : highest;
    return highest + NUM_WARPS >= UINT64_C(1) << STALL_COUNT_BITS;
}

void stall_stimulus(struct stimulus *s, void *input)
{
    struct stall_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    if (p->left-- == 0)
        new_phase(s, p);
    memset(in, 0, sizeof *in);
    draw(s, in);
    in->start = (uint64_t)(stimulus_once_in(s, p->starts) ||
                           (nearly_full(s->state) && stimulus_once_in(s, 8)));
    in->overlap = p->overlap;
    in->resident = p->resident;
    in->takes = stimulus_once_in(s, 4) ? stimulus_below(s, 8) : p->takes;
    if (p->kind == WILD) {
        in->resident = some(s);
        in->takes = stimulus_below(s, 8);
        in->overlap = stimulus_below(s, 2);
        return;
    }
    for (unsigned w = 0; w < NUM_WARPS; w++) {
        if (p->kind == MIXED && stimulus_once_in(s, 20 * p->moves))
            p->class[w] = (uint8_t)stimulus_below(s, NUM_STALL_CLASSES);
        be(s, in, w, p->class[w]);
    }
    if (p->kind == MIXED && stimulus_once_in(s, p->moves))
        p->resident ^= UINT64_C(1) << stimulus_below(s, NUM_WARPS);
}
