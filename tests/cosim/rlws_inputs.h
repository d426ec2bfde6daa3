/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/rlws_inputs.h: random but plausible inputs that both units see which take actions of
 * RLWS. Phases differ in how many warps are ready, to which classes, and in what is withheld, so that
 * often a single warp decides what is possible. Actions are mostly in an order; rarely their pairs
 * contradict each other, or a warp is ready for two classes. */
#ifndef HEDDLE_TESTS_COSIM_RLWS_INPUTS_H
#define HEDDLE_TESTS_COSIM_RLWS_INPUTS_H

#include "cosim/stimulus.h"
#include "hw.h"

#define ALL_WARPS (~UINT64_C(0) >> (64 - NUM_WARPS))

struct rlws_inputs {
    uint64_t ready[4]; /* by class */
    uint64_t load, allow, allow_load, allow_class, beats, drawn, draw;
};

/* What lasts longer than a cycle: stimulus.scratch. */
struct rlws_phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t ready_density, load_density, classes, allow, allow_load, allow_class;
    uint64_t drawn_once_in, learns_once_in, beats;
};
_Static_assert(sizeof(struct rlws_phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

/* None, one, few, half or all of the warps. */
static inline uint64_t some_warps(struct stimulus *s, uint64_t density)
{
    const uint64_t bits = stimulus_bits(s);
    switch (density) {
    case 0: return 0;
    case 1: return UINT64_C(1) << stimulus_below(s, NUM_WARPS);
    case 2: return bits & stimulus_bits(s) & stimulus_bits(s) & ALL_WARPS;
    case 3: return bits & ALL_WARPS;
    default: return ALL_WARPS;
    }
}

static inline uint64_t some_density(struct stimulus *s)
{
    return stimulus_below(s, 5);
}

/* The order of actions of which each is worth something: of equal ones the lower is preferred. */
static inline uint64_t some_beats(struct stimulus *s)
{
    const uint64_t values = stimulus_once_in(s, 4) ? 2 : 1000;
    uint64_t q[5], beats = 0;
    unsigned pair = 0;
    if (stimulus_once_in(s, 16))
        return stimulus_bits(s) & 1023;
    for (int a = 0; a < 5; a++)
        q[a] = stimulus_below(s, values);
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 5; j++)
            beats |= (uint64_t)(q[i] >= q[j]) << pair++;
    return beats;
}

static inline void rlws_new_phase(struct stimulus *s, struct rlws_phase *p)
{
    static const uint64_t rates[] = {1, 2, 25, 1000000};
    p->left = stimulus_below(s, 200);
    p->ready_density = some_density(s);
    p->load_density = some_density(s);
    p->classes = stimulus_once_in(s, 2) ? 15 : stimulus_below(s, 16);
    p->allow = stimulus_once_in(s, 3) ? some_warps(s, some_density(s)) : ALL_WARPS;
    p->allow_load = stimulus_once_in(s, 2) ? some_warps(s, some_density(s)) : ALL_WARPS;
    p->allow_class = stimulus_once_in(s, 3) ? stimulus_below(s, 16) : 15;
    p->drawn_once_in = rates[stimulus_below(s, 4)];
    p->learns_once_in = rates[stimulus_below(s, 3)];
}

static inline void rlws_some_inputs(struct stimulus *s, struct rlws_phase *p,
                                    struct rlws_inputs *in)
{
    if (p->left-- == 0)
        rlws_new_phase(s, p);
    if (stimulus_once_in(s, p->learns_once_in))
        p->beats = some_beats(s);
    const uint64_t ready = some_warps(s, p->ready_density), high = stimulus_bits(s),
                   low = stimulus_bits(s);
    for (unsigned c = 0; c < 4; c++)
        in->ready[c] =
            p->classes >> c & 1 ? ready & (c & 2 ? high : ~high) & (c & 1 ? low : ~low) : 0;
    if (stimulus_once_in(s, 64))
        in->ready[stimulus_below(s, 4)] = ready;
    in->load = some_warps(s, p->load_density);
    in->allow = p->allow;
    in->allow_load = p->allow_load;
    in->allow_class = p->allow_class;
    in->beats = p->beats;
    in->drawn = (uint64_t)stimulus_once_in(s, p->drawn_once_in);
    in->draw = stimulus_bits(s) & UINT8_MAX;
}

#endif
