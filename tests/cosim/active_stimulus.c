/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/active_stimulus.c: random but plausible inputs of the active and pending warps.
 * Active warps run into long waits, one at a time or several in a cycle, and those that wait wake;
 * phases differ in how fast either happens, so that nearly all wait or hardly any. The limit stays
 * for a while, or changes in every cycle; rarely it is beyond the last warp, or 0. */
#include "cmodel/active/active.h"
#include "cosim/stimulus.h"

void active_stimulus(struct stimulus *s, void *input);

#define ALL_WARPS (~UINT64_C(0) >> (64 - NUM_WARPS))

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t limit, restless, sleep_once_in, wake_once_in;
    uint64_t long_wait;
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

static uint64_t some_limit(struct stimulus *s)
{
    return stimulus_once_in(s, 16)  ? stimulus_below(s, 1u << CLOG2(NUM_WARPS + 1))
           : stimulus_once_in(s, 2) ? stimulus_below(s, NUM_WARPS + 1)
                                    : 1 + stimulus_below(s, NUM_WARPS / 2);
}

static void new_phase(struct stimulus *s, struct phase *p)
{
    static const uint64_t rates[] = {1, 2, 5, 20, 200};
    p->left = 1 + stimulus_below(s, 200);
    p->limit = some_limit(s);
    p->restless = (uint64_t)stimulus_once_in(s, 8);
    p->sleep_once_in = rates[stimulus_below(s, 5)];
    p->wake_once_in = rates[stimulus_below(s, 5)];
    if (stimulus_once_in(s, 3))
        p->long_wait = stimulus_once_in(s, 3)   ? 0
                       : stimulus_once_in(s, 2) ? ALL_WARPS
                                                : stimulus_bits(s) & ALL_WARPS;
}

void active_stimulus(struct stimulus *s, void *input)
{
    struct active_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    const struct active_state *state = s->state;
    if (p->left-- == 0)
        new_phase(s, p);
    if (p->restless)
        p->limit = some_limit(s);
    in->limit = p->limit;
    if (stimulus_once_in(s, p->wake_once_in))
        p->long_wait &= ~(UINT64_C(1) << stimulus_below(s, NUM_WARPS));
    if (stimulus_once_in(s, p->sleep_once_in)) /* mostly active ones: they have just issued */
        p->long_wait |= UINT64_C(1) << stimulus_below(s, NUM_WARPS) |
                        (state->active & stimulus_bits(s) & stimulus_bits(s));
    in->long_wait = p->long_wait;
}
