/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/icmt_stimulus.c: random but plausible inputs of the issue arbiter of two kernels.
 * Warps come and go and change kernels by that; phases differ in how many are ready, to which classes
 * they issue, how many may issue in a cycle, and how the kernels share the slots. Greedy warps are
 * ready again more often than chance would have it. Rarely the promises to the unit are broken (two
 * classes for a warp, another kernel for a living one, an id past the last warp), because its
 * behaviour is defined there too. */
#include "cmodel/icmt/icmt.h"
#include "cosim/stimulus.h"
#include "tests/cosim/densities.h"

void icmt_stimulus(struct stimulus *s, void *input);

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t issue, allow, allow_load, allow_class, kernel_1;
    uint64_t ready_density, kernel_density, alloc_once_in, main_class, main_share;
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

static void new_phase(struct stimulus *s, struct phase *p)
{
    p->left = 1 + stimulus_below(s, 200);
    p->issue = stimulus_once_in(s, 20) ? 0 : 1 + stimulus_below(s, 3);
    p->allow = stimulus_once_in(s, 3) ? warps(s, stimulus_below(s, NUM_DENSITIES)) : ALL_WARPS;
    p->allow_load = stimulus_once_in(s, 3) ? warps(s, stimulus_below(s, NUM_DENSITIES)) : ALL_WARPS;
    p->allow_class = stimulus_once_in(s, 3) ? stimulus_below(s, 16) : 15;
    p->ready_density = stimulus_below(s, NUM_DENSITIES);
    p->kernel_density = stimulus_below(s, NUM_DENSITIES);
    if (stimulus_once_in(s, 3))
        p->kernel_1 = warps(s, p->kernel_density);
    static const uint64_t rates[] = {1, 3, 10, 50, 1000000};
    p->alloc_once_in = rates[stimulus_below(s, 5)];
    p->main_class = stimulus_below(s, 4);
    p->main_share = stimulus_below(s, NUM_DENSITIES);
}

void icmt_stimulus(struct stimulus *s, void *input)
{
    struct icmt_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    const struct icmt_state *state = s->state;

    if (p->left-- == 0)
        new_phase(s, p);
    in->issue = p->issue;
    in->allow = p->allow;
    in->allow_load = p->allow_load;
    in->allow_class = p->allow_class;

    uint64_t ready = warps(s, p->ready_density);
    for (unsigned k = 0; k < ICMT_KERNELS; k++)
        if (stimulus_once_in(s, 3)) /* greed needs the kernel's last warp to be ready again */
            ready |= UINT64_C(1) << state->last[k];
    uint64_t by_class[4] = {0};
    const uint64_t high = stimulus_bits(s), low = stimulus_bits(s), main = warps(s, p->main_share);
    by_class[0] = ready & ~high & ~low & ~main;
    by_class[1] = ready & ~high & low & ~main;
    by_class[2] = ready & high & ~low & ~main;
    by_class[3] = ready & high & low & ~main;
    by_class[p->main_class] |= ready & main;
    in->ready_sp = by_class[0];
    in->ready_sfu = by_class[1];
    in->ready_gmem = by_class[2];
    in->ready_stcmem = by_class[3];
    if (stimulus_once_in(s, 64))
        in->ready_sfu |= ready;
    in->load = stimulus_bits(s) & ALL_WARPS;

    /* A slot has its kernel before its warp is allocated, which is not ready until then. */
    in->alloc = (uint64_t)stimulus_once_in(s, p->alloc_once_in);
    in->alloc_warp = stimulus_once_in(s, 8)    ? state->last[stimulus_below(s, ICMT_KERNELS)]
                     : stimulus_once_in(s, 64) ? stimulus_below(s, 1u << CLOG2(NUM_WARPS))
                                               : stimulus_below(s, NUM_WARPS);
    if (in->alloc && in->alloc_warp < NUM_WARPS) {
        const uint64_t bit = UINT64_C(1) << in->alloc_warp;
        p->kernel_1 = (p->kernel_1 & ~bit) | (warps(s, p->kernel_density) & bit);
    }
    in->kernel_1 = p->kernel_1;
}
