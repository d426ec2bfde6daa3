/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/dispatch_stimulus.c: random but plausible inputs of the thread-block dispatcher: grid
 * after grid, of sizes from none to far more than the machine holds, under limits odd and even.
 * Phases differ in how fast blocks end. Rarely the promises to the unit are broken: a policy, a
 * limit or an allowance that changes while a kernel runs, a start while it runs, an end of a block
 * on an SM that holds none. Some grids are so large that they are given up. */
#include "cmodel/dispatch/dispatch.h"
#include "cosim/stimulus.h"

void dispatch_stimulus(struct stimulus *s, void *input);

#define WORDS ((NUM_SMS + 63) / 64)

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t policy, limit, allow[4], end_once_in, crowd, lonely;
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");
_Static_assert(WORDS <= 4, "phase.allow");

static uint64_t all(unsigned word)
{
    return word + 1 < WORDS || NUM_SMS % 64 == 0 ? ~UINT64_C(0)
                                                 : ~UINT64_C(0) >> (64 - NUM_SMS % 64);
}

static void new_phase(struct stimulus *s, struct phase *p)
{
    static const uint64_t rates[] = {1, 2, 8, 64, 1000};
    const uint64_t most = (UINT64_C(1) << CLOG2(SM_BLOCKS + 1)) - 1;
    p->left = 1 + stimulus_below(s, 300);
    p->end_once_in = rates[stimulus_below(s, 5)];
    p->policy = stimulus_below(s, 2);
    p->limit = stimulus_once_in(s, 10)  ? stimulus_below(s, most + 1)
               : stimulus_once_in(s, 2) ? 1 + stimulus_below(s, SM_BLOCKS < 4 ? SM_BLOCKS : 4)
                                        : 1 + stimulus_below(s, SM_BLOCKS);
    const uint64_t kind = stimulus_below(s, 8);
    for (unsigned w = 0; w < WORDS; w++)
        p->allow[w] = all(w) & (kind == 0   ? stimulus_bits(s)
                                : kind == 1 ? stimulus_bits(s) & stimulus_bits(s)
                                            : ~UINT64_C(0));
    p->crowd = (uint64_t)stimulus_once_in(s, 3);
    p->lonely = !p->crowd && (kind == 2 || kind == 3);
    if (p->lonely) { /* all blocks on one SM */
        const uint64_t sm = stimulus_below(s, NUM_SMS);
        p->limit = SM_BLOCKS;
        p->end_once_in = 3;
        p->left += 10 * SM_BLOCKS; /* what runs has to end, and some kernels to fill the SM */
        for (unsigned w = 0; w < WORDS; w++)
            p->allow[w] = sm / 64 == w ? UINT64_C(1) << sm % 64 : 0;
    }
    if (p->crowd) { /* all SMs full for long: a context comes only from a block that ends */
        p->limit = stimulus_once_in(s, 4) ? most : SM_BLOCKS;
        p->end_once_in = 4 * NUM_SMS;
        p->left += NUM_SMS * SM_BLOCKS; /* a block a cycle */
        for (unsigned w = 0; w < WORDS; w++)
            p->allow[w] = all(w);
    }
}

/* Sizes of grids: mostly so small that they end, around what the GPU holds, and anything. */
static uint64_t grid(struct stimulus *s, const struct phase *p)
{
    const uint64_t every = ~UINT64_C(0) >> (64 - BLOCK_BITS);
    if (p->crowd)
        return 2 * NUM_SMS * SM_BLOCKS + stimulus_below(s, 16);
    if (p->lonely) /* more than the SM holds: some end meanwhile */
        return 1 + stimulus_below(s, 3 * SM_BLOCKS);
    switch (stimulus_below(s, 8)) {
    case 0: return stimulus_below(s, 4);
    case 1: return NUM_SMS - 1 + stimulus_below(s, 3);
    case 2: return stimulus_below(s, 2 * NUM_SMS * SM_BLOCKS);
    case 3: return stimulus_bits(s) & every;
    case 4:
    case 5: return UINT64_C(1) << stimulus_below(s, BLOCK_BITS);
    default: return stimulus_below(s, 3 * NUM_SMS);
    }
}

/* Number of the first block: mostly 0 or a little before a carry, else anything. */
static uint64_t first(struct stimulus *s)
{
    const uint64_t carry = UINT64_C(1) << stimulus_below(s, BLOCK_BITS);
    if (stimulus_once_in(s, 8))
        return stimulus_bits(s) & ~UINT64_C(0) >> (64 - BLOCK_BITS);
    return stimulus_once_in(s, 2) ? 0 : carry - 1 - (stimulus_below(s, 8) & (carry - 1));
}

void dispatch_stimulus(struct stimulus *s, void *input)
{
    struct dispatch_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    const struct dispatch_state *state = s->state;

    if (p->left-- == 0) {
        const struct phase before = *p;
        new_phase(s, p);
        if (state->state != DISPATCH_IDLE && !stimulus_once_in(s, 4)) {
            p->policy = before.policy; /* a running kernel mostly keeps its settings */
            p->limit = before.limit;
        }
    }
    in->policy = p->policy;
    in->limit = p->limit;
    in->start = (uint64_t)stimulus_once_in(s, state->state == DISPATCH_IDLE ? 4 : 50);
    in->blocks = grid(s, p) & ~UINT64_C(0) >> (64 - BLOCK_BITS);
    in->first = first(s);
    in->stop = (uint64_t)stimulus_once_in(s, p->lonely && state->left > 2 * SM_BLOCKS ? 8
                                             : state->left > 4 * NUM_SMS * SM_BLOCKS  ? 100
                                             : state->state == DISPATCH_IDLE          ? 20
                                                                                      : 5000);
    for (unsigned w = 0; w < WORDS; w++) {
        in->allow[w] = p->allow[w];
        in->ended[w] = stimulus_once_in(s, 200) ? stimulus_bits(s) & all(w) : 0;
    }
    for (unsigned i = 0; i < NUM_SMS; i++)
        if (state->resident[i] && stimulus_once_in(s, p->end_once_in))
            in->ended[i / 64] |= UINT64_C(1) << i % 64;
}
