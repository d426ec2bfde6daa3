/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/taws_act_stimulus.c: random but plausible inputs of the unit that chooses the thread
 * block under TAWS. Blocks start in contexts, take warps, and gather stalled ones, as on an SM; now
 * and then a warp of each is remembered. Phases differ in how many blocks there are, how many warps
 * are ready, and in what is withheld. Rarely the promises to the unit are broken: pairs in no order,
 * contexts and warps that there are not, a warp that is ready for two classes. */
#include <string.h>

#include "cmodel/taws_act/taws_act.h"
#include "cosim/stimulus.h"

void taws_act_stimulus(struct stimulus *s, void *input);

#define ALL_WARPS (~UINT64_C(0) >> (64 - NUM_WARPS))

/* How many warps tend to be set in a vector. */
enum density { NONE, ONE, FEW, HALF, MOST, ALL, NUM_DENSITIES };

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t greedy, ready_density, load_density, classes, allow, allow_load, allow_class;
    uint64_t blocks, held_once_in, stalls_once_in, circles; /* circles: pairs are in no order */
    uint8_t block[NUM_WARPS];
    uint8_t stalled[SM_BLOCKS], started[SM_BLOCKS], held_valid[SM_BLOCKS], held[SM_BLOCKS];
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

static uint64_t some_warps(struct stimulus *s, uint64_t density)
{
    const uint64_t bits = stimulus_bits(s), more = stimulus_bits(s);
    switch (density) {
    case NONE: return 0;
    case ONE: return UINT64_C(1) << stimulus_below(s, NUM_WARPS);
    case FEW: return bits & more & stimulus_bits(s) & ALL_WARPS;
    case HALF: return bits & ALL_WARPS;
    case MOST: return (bits | more) & ALL_WARPS;
    default: return ALL_WARPS;
    }
}

static uint64_t some_density(struct stimulus *s)
{
    return stimulus_below(s, NUM_DENSITIES);
}

/* A warp of the block, if one is found soon; rarely any number. */
static uint8_t some_warp(struct stimulus *s, const struct phase *p, unsigned block)
{
    uint64_t warp = stimulus_below(s, NUM_WARPS);
    for (int tries = 0; tries < 8 && p->block[warp] != block; tries++)
        warp = stimulus_below(s, NUM_WARPS);
    return (uint8_t)(stimulus_once_in(s, 32) ? stimulus_below(s, 1u << CLOG2(NUM_WARPS)) : warp);
}

static void new_phase(struct stimulus *s, struct phase *p)
{
    static const uint64_t rates[] = {1, 2, 8, 50};
    p->left = stimulus_below(s, 100);
    p->greedy = stimulus_below(s, 2);
    p->ready_density = some_density(s);
    p->load_density = some_density(s);
    p->classes = stimulus_once_in(s, 2) ? 15 : stimulus_below(s, 16);
    p->allow = stimulus_once_in(s, 3) ? some_warps(s, some_density(s)) : ALL_WARPS;
    p->allow_load = stimulus_once_in(s, 2) ? some_warps(s, some_density(s)) : ALL_WARPS;
    p->allow_class = stimulus_once_in(s, 3) ? stimulus_below(s, 16) : 15;
    p->blocks = 1 + stimulus_below(s, SM_BLOCKS);
    p->held_once_in = rates[stimulus_below(s, 4)];
    p->stalls_once_in = rates[stimulus_below(s, 4)];
    p->circles = (uint64_t)stimulus_once_in(s, 8);

    /* The contexts in use lie anywhere, and each warp is of one of them. */
    const uint64_t first = stimulus_below(s, SM_BLOCKS);
    for (unsigned w = 0; w < NUM_WARPS; w++)
        p->block[w] = (uint8_t)((first + stimulus_below(s, p->blocks)) % SM_BLOCKS);
    if (stimulus_once_in(s, 4))
        p->block[stimulus_below(s, NUM_WARPS)] = (uint8_t)stimulus_below(s, 1u << CLOG2(SM_BLOCKS));
    for (unsigned b = 0; b < SM_BLOCKS; b++) {
        p->started[b] = (uint8_t)stimulus_below(s, 256);
        p->stalled[b] = (uint8_t)stimulus_below(s, 4);
    }
}

/* Warps are remembered: of each block, or with global greed mostly one in all. */
static void remember(struct stimulus *s, struct phase *p)
{
    const unsigned block = (unsigned)stimulus_below(s, SM_BLOCKS);
    const int only = p->greedy && !stimulus_once_in(s, 4);
    for (unsigned b = 0; b < SM_BLOCKS; b++) {
        if (b != block && only)
            p->held_valid[b] = 0;
        if (b == block || (!only && stimulus_once_in(s, 2))) {
            p->held_valid[b] = !stimulus_once_in(s, 4);
            p->held[b] = some_warp(s, p, b);
        }
    }
}

static void some_ahead(struct stimulus *s, const struct phase *p, uint64_t *ahead)
{
    unsigned pair = 0;
    for (unsigned i = 0; i < SM_BLOCKS; i++)
        for (unsigned j = i + 1; j < SM_BLOCKS; j++, pair++) {
            const int more = p->stalled[i] > p->stalled[j];
            const int even = p->stalled[i] == p->stalled[j];
            const int order = more || (even && p->started[i] <= p->started[j]);
            bit_set(ahead, pair, p->circles ? stimulus_once_in(s, 2) : order);
        }
}

void taws_act_stimulus(struct stimulus *s, void *input)
{
    struct taws_act_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    if (p->left-- == 0)
        new_phase(s, p);
    if (stimulus_once_in(s, p->held_once_in))
        remember(s, p);
    if (stimulus_once_in(s, p->stalls_once_in))
        p->stalled[stimulus_below(s, SM_BLOCKS)] = (uint8_t)stimulus_below(s, 4);

    uint64_t ready = some_warps(s, p->ready_density), high = stimulus_bits(s),
             low = stimulus_bits(s);
    const unsigned block = (unsigned)stimulus_below(s, SM_BLOCKS);
    if (stimulus_once_in(s, 4) && p->held_valid[block] && p->held[block] < NUM_WARPS)
        ready |= UINT64_C(1) << p->held[block];
    memset(in, 0, sizeof *in);
    in->greedy = p->greedy;
    in->ready_sp = p->classes & 1 ? ready & ~high & ~low : 0;
    in->ready_sfu = p->classes & 2 ? ready & ~high & low : 0;
    in->ready_gmem = p->classes & 4 ? ready & high & ~low : 0;
    in->ready_stcmem = p->classes & 8 ? ready & high & low : 0;
    if (stimulus_once_in(s, 64))
        in->ready_sfu |= ready;
    in->load = some_warps(s, p->load_density);
    in->allow = p->allow;
    in->allow_load = p->allow_load;
    in->allow_class = p->allow_class;
    for (unsigned w = 0; w < NUM_WARPS; w++)
        in->block[w] = p->block[w];
    some_ahead(s, p, in->ahead);
    for (unsigned b = 0; b < SM_BLOCKS; b++) {
        bit_set(in->held_valid, b, p->held_valid[b]);
        in->held[b] = p->held[b];
    }
}
