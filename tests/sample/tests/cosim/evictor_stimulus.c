/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/evictor_stimulus.c: random but plausible inputs of the evictor. Phases differ in how
 * often lines leave L1D, whether one warp loses most of them, and how many warps run; some are so
 * long and one-sided that a count saturates. Rarely the owner is no warp. */
#include "cmodel/evictor/evictor.h"
#include "cosim/stimulus.h"

void evictor_stimulus(struct stimulus *, void *input);

#define SLOTS (NUM_SCHEDULERS * NUM_WARPS)

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t evict_once_in, victim, victim_once_in, fresh_once_in, running_once_in, threshold;
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

static void new_phase(struct stimulus *s, struct phase *p)
{
    static const uint64_t rates[] = {1, 1, 2, 8}, running[] = {1, 2, SLOTS, 1000};
    const int saturates = stimulus_once_in(s, 8);
    p->left = 1 + stimulus_below(s, 100) + (saturates ? 600 : 0);
    p->evict_once_in = saturates ? 1 : rates[stimulus_below(s, 4)];
    p->victim = stimulus_below(s, SLOTS);
    p->victim_once_in = saturates ? 1 : rates[stimulus_below(s, 4)];
    p->fresh_once_in = saturates ? 5000 : 20 * rates[stimulus_below(s, 4)];
    p->running_once_in = running[stimulus_below(s, 4)];
    p->threshold = stimulus_once_in(s, 8) ? stimulus_below(s, 256) : stimulus_below(s, 12);
}

void evictor_stimulus(struct stimulus *s, void *input)
{
    struct evictor_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    if (p->left-- == 0)
        new_phase(s, p);
    in->start = (uint64_t)stimulus_once_in(s, 1500);
    in->evict = (uint64_t)stimulus_once_in(s, p->evict_once_in);
    in->owner = stimulus_once_in(s, p->victim_once_in) ? p->victim
                : stimulus_once_in(s, 16) ? stimulus_below(s, UINT64_C(1) << CLOG2(SLOTS))
                                          : stimulus_below(s, SLOTS);
    in->threshold = p->threshold;
    const int all_fresh = stimulus_once_in(s, 2000),
              any_fresh = stimulus_once_in(s, p->fresh_once_in);
    for (unsigned w = 0; w < SLOTS; w++) {
        bit_set(in->fresh, w, all_fresh || (any_fresh && stimulus_once_in(s, SLOTS / 2)));
        bit_set(in->running, w, stimulus_once_in(s, p->running_once_in));
    }
}
