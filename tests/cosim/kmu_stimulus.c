/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/kmu_stimulus.c: random but plausible inputs of the kernel management unit: kernel
 * after kernel on both sides, of sizes from none to far more than the machine holds. Phases differ
 * in the quotas, in which kernel may use which SM, in what a block takes of an SM, in how fast
 * blocks end, and in whether both kernels start or one alone. Rarely nothing fits together: a quota
 * that changes while kernels run, a start while one runs, an end of a block on an SM that holds
 * none, room where there is none. Some kernels are so large that they are given up. */
#include "cmodel/kmu/kmu.h"
#include "cosim/stimulus.h"

void kmu_stimulus(struct stimulus *s, void *input);

#define SLOTS (KMU_KERNELS * NUM_SMS)
#define WORDS ((SLOTS + 63) / 64)
#define BOTH  KMU_KERNELS

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left;               /* cycles until the next phase */
    uint64_t quota[KMU_KERNELS]; /* per SM */
    uint64_t takes[KMU_KERNELS]; /* what a block of the kernel takes of an SM */
    uint64_t holds;              /* what an SM has of it */
    uint64_t may_use[4];         /* all SMs of kernel 0, then of kernel 1 */
    uint64_t end_once_in;
    uint64_t starts;        /* this kernel alone starts, or BOTH do */
    uint64_t crowd, lonely; /* all SMs full for long; all blocks on one SM */
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");
_Static_assert(WORDS <= 4, "phase.may_use");

static uint64_t some(struct stimulus *s, unsigned word)
{
    const uint64_t real = ~UINT64_C(0) >> (word + 1 < WORDS ? 0 : (64 - SLOTS % 64) % 64);
    return stimulus_bits(s) & real;
}

/* Which kernel may use which SM: each all, each some of its own (as between cores), or anything. */
static void partition(struct stimulus *s, struct phase *p)
{
    const uint64_t kind = stimulus_below(s, 8), border = stimulus_below(s, NUM_SMS + 1);
    for (unsigned w = 0; w < WORDS; w++)
        p->may_use[w] = some(s, w) & (kind == 0 ? stimulus_bits(s) : ~UINT64_C(0));
    for (unsigned sm = 0; sm < NUM_SMS && kind > 1; sm++) {
        bit_set(p->may_use, sm, kind > 3 || sm < border);
        bit_set(p->may_use, NUM_SMS + sm, kind > 3 || sm >= border);
    }
}

static void new_phase(struct stimulus *s, struct phase *p)
{
    static const uint64_t rates[] = {1, 2, 8, 64, 1000};
    const uint64_t most = (UINT64_C(1) << CLOG2(SM_BLOCKS + 1)) - 1;
    p->left = 1 + stimulus_below(s, 300);
    p->end_once_in = rates[stimulus_below(s, 5)];
    p->starts = stimulus_once_in(s, 3) ? stimulus_below(s, KMU_KERNELS) : BOTH;
    partition(s, p);
    for (unsigned k = 0; k < KMU_KERNELS; k++) {
        p->quota[k] = stimulus_once_in(s, 10) ? stimulus_below(s, most + 1)
                      : stimulus_once_in(s, 2)
                          ? 1 + stimulus_below(s, SM_BLOCKS < 4 ? SM_BLOCKS : 4)
                          : 1 + stimulus_below(s, SM_BLOCKS);
        p->takes[k] = 1 + stimulus_below(s, 3);
    }
    p->holds = stimulus_once_in(s, 2) ? 6 * SM_BLOCKS : 1 + stimulus_below(s, 3 * SM_BLOCKS);
    p->crowd = (uint64_t)stimulus_once_in(s, 4);
    p->lonely = !p->crowd && stimulus_once_in(s, 3);
    if (!p->crowd && !p->lonely)
        return;
    for (unsigned k = 0; k < KMU_KERNELS; k++)
        p->quota[k] = SM_BLOCKS + stimulus_below(s, most - SM_BLOCKS + 1);
    p->holds = 6 * SM_BLOCKS;
    const uint64_t only = stimulus_below(s, NUM_SMS);
    for (unsigned at = 0; at < SLOTS; at++)
        bit_set(p->may_use, at, p->crowd || at % NUM_SMS == only);
    if (p->crowd) { /* a context comes only from a block that ends */
        p->starts = stimulus_below(s, KMU_KERNELS);
        p->end_once_in = 4 * NUM_SMS;
        p->left += NUM_SMS * SM_BLOCKS; /* a block a cycle */
    } else {
        p->end_once_in = 3;
        p->left += 20 * SM_BLOCKS; /* what runs has to end, and some kernels to fill the SM */
    }
}

/* Sizes of kernels: mostly so small that they end, around what the GPU holds, and anything. */
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

/* What software says of kernel k. */
static void command(struct stimulus *s, const struct phase *p, struct kmu_in *in, unsigned k)
{
    const struct kmu_state *state = s->state;
    const int idle = (k ? state->state_1 : state->state_0) == KMU_IDLE;
    const int alone = p->starts == !k; /* the other one is */
    const uint64_t left = state->left[k];
    const uint64_t start = (uint64_t)stimulus_once_in(s, idle ? 4 : 50);
    const uint64_t stop = (uint64_t)stimulus_once_in(s, p->crowd && alone                   ? 8
                                                        : p->lonely && left > 2 * SM_BLOCKS ? 8
                                                        : left > 4 * NUM_SMS * SM_BLOCKS    ? 100
                                                        : idle                              ? 20
                                                                                            : 5000);
    in->start |= (start && !(idle && alone)) << k;
    in->stop |= stop << k;
    in->blocks[k] = grid(s, p) & ~UINT64_C(0) >> (64 - BLOCK_BITS);
    in->first[k] = first(s);
    in->quota[k] = p->quota[k];
}

/* Blocks end, and what those that stay take of each SM leaves room or does not. */
static void sms(struct stimulus *s, const struct phase *p, struct kmu_in *in)
{
    const struct kmu_state *state = s->state;
    for (unsigned w = 0; w < WORDS; w++) {
        in->may_use[w] = p->may_use[w];
        in->ended[w] = stimulus_once_in(s, 200) ? some(s, w) : 0;
    }
    for (unsigned sm = 0; sm < NUM_SMS; sm++) {
        uint64_t taken = 0;
        for (unsigned k = 0; k < KMU_KERNELS; k++) {
            const unsigned at = k * NUM_SMS + sm;
            const uint64_t resident = state->resident[at];
            if (resident && stimulus_once_in(s, p->end_once_in))
                bit_set(in->ended, at, 1);
            taken += p->takes[k] * (resident - (resident && bit_get(in->ended, at)));
        }
        for (unsigned k = 0; k < KMU_KERNELS; k++)
            bit_set(in->room, k * NUM_SMS + sm, taken + p->takes[k] <= p->holds);
    }
    if (stimulus_once_in(s, 50))
        for (unsigned w = 0; w < WORDS; w++)
            in->room[w] = some(s, w);
}

void kmu_stimulus(struct stimulus *s, void *input)
{
    struct kmu_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    *in = (struct kmu_in){0};
    if (p->left-- == 0)
        new_phase(s, p);
    for (unsigned k = 0; k < KMU_KERNELS; k++)
        command(s, p, in, k);
    sms(s, p, in);
}
