/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/wia_stimulus.c: random but plausible inputs of the warp issue arbiter.
 * Warps come and go, wait and wake; phases differ in how many are ready, so that both crowds and
 * lone warps occur. Rarely the promises to the unit are broken (two classes for a warp, a reserved
 * policy, an id past the last warp), because its behaviour is defined there too. */
#include "cmodel/wia/wia.h"
#include "cosim/stimulus.h"
#include "tests/cosim/densities.h"

void wia_stimulus(struct stimulus *s, void *input);

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t policy, allow, allow_load, allow_class;
    uint64_t ready_density, wait_density, alloc_once_in;
    uint64_t long_wait;
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

static void new_phase(struct stimulus *s, struct phase *p)
{
    p->left = 1 + stimulus_below(s, 200);
    p->policy = stimulus_once_in(s, 20) ? stimulus_below(s, 8) : stimulus_below(s, 6);
    p->allow = stimulus_once_in(s, 3) ? warps(s, stimulus_below(s, NUM_DENSITIES)) : ALL_WARPS;
    p->allow_load = stimulus_once_in(s, 3) ? warps(s, stimulus_below(s, NUM_DENSITIES)) : ALL_WARPS;
    p->allow_class = stimulus_once_in(s, 3) ? stimulus_below(s, 16) : 15;
    p->ready_density = stimulus_below(s, NUM_DENSITIES);
    p->wait_density = stimulus_below(s, NUM_DENSITIES);
    static const uint64_t rates[] = {1, 3, 10, 50, 1000000};
    p->alloc_once_in = rates[stimulus_below(s, 5)];
}

void wia_stimulus(struct stimulus *s, void *input)
{
    struct wia_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    const struct wia_state *state = s->state;

    if (p->left-- == 0)
        new_phase(s, p);
    in->policy = p->policy;
    in->allow = p->allow;
    in->allow_load = p->allow_load;
    in->allow_class = p->allow_class;

    /* Long waits begin and end one warp at a time, so that a fetch group falls asleep and wakes up
     * gradually. */
    if (stimulus_once_in(s, 4))
        p->long_wait ^= UINT64_C(1) << stimulus_below(s, NUM_WARPS);
    if (stimulus_once_in(s, 40))
        p->long_wait = warps(s, p->wait_density);
    if (stimulus_once_in(s, 20)) { /* of eight warps one is nearly always awake: all at once */
        const uint64_t group =
            ~UINT64_C(0) >> (64 - TL_GROUP) << TL_GROUP * stimulus_below(s, NUM_WARPS / TL_GROUP);
        p->long_wait = stimulus_once_in(s, 2) ? p->long_wait | group : p->long_wait & ~group;
    }
    in->long_wait = p->long_wait;

    uint64_t ready = warps(s, p->ready_density);
    if (!stimulus_once_in(
            s, 16)) /* a warp that waits long is not ready, unless the promise is broken */
        ready &= ~in->long_wait;
    if (stimulus_once_in(s, 4)) /* greed needs the last warp to be ready again */
        ready |= UINT64_C(1) << state->last;
    uint64_t high = stimulus_bits(s), low = stimulus_bits(s);
    in->ready_sp = ready & ~high & ~low;
    in->ready_sfu = ready & ~high & low;
    in->ready_gmem = ready & high & ~low;
    in->ready_stcmem = ready & high & low;
    if (stimulus_once_in(s, 64))
        in->ready_sfu |= ready;
    in->load = stimulus_bits(s) & ALL_WARPS;

    in->alloc = (uint64_t)stimulus_once_in(s, p->alloc_once_in);
    in->alloc_warp = stimulus_once_in(s, 8)    ? state->last
                     : stimulus_once_in(s, 64) ? stimulus_below(s, 1u << CLOG2(NUM_WARPS))
                                               : stimulus_below(s, NUM_WARPS);
}
