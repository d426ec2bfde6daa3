/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/rlws_stimulus.c: random but plausible inputs of the learner of RLWS. Settings hold for a phase, of several kernels or
 * of a part of one. In most phases an action is what the learner prefers and is rewarded by rules that change; in others anything happens.
 * Rewards, rates and first weights are the paper's, or small, or as large as they can be, so that sums reach both limits. */
#include "cmodel/rlws/rlws.h"
#include "cosim/stimulus.h"

void rlws_stimulus(struct stimulus *, void *input);

#define BITS     RLWS_WEIGHT_BITS
#define ONE      (UINT64_C(1) << (BITS - 12))
#define HIGHEST  ((UINT64_C(1) << (BITS - 1)) - 1)
#define ALL_ONES (~UINT64_C(0) >> (64 - BITS))
#define DECAYS   (UINT64_C(1) << 14)
#define APART    UINT64_C(0x9e3779b9) /* the seeds of two neighbours differ by it */

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t wild; /* actions are drawn, and rewards have no reason */
    uint64_t used, reward, penalty, alpha, epsilon, gamma, decay, interval, optimism, keep;
    uint64_t waiting, moves, busy,
        right;        /* moves, busy: once in so many; right: the action that pays */
    uint64_t kernels; /* once in so many cycles one begins */
    uint64_t calm;    /* none does, and blocks go on waiting */
    uint64_t value[RLWS_VARIABLES * NUM_SCHEDULERS];
};
_Static_assert(NUM_SCHEDULERS <= 4 && sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

/* A weight: small, of any size, or at a limit. */
static uint64_t weight(struct stimulus *s)
{
    switch (stimulus_below(s, 4)) {
    case 0: return (stimulus_below(s, 8 * ONE) - 4 * ONE) & ALL_ONES;
    case 1: return stimulus_once_in(s, 2) ? HIGHEST : HIGHEST + 1;
    default: return stimulus_bits(s) & ALL_ONES;
    }
}

static uint64_t rate(struct stimulus *s, uint64_t usual)
{
    switch (stimulus_below(s, 6)) {
    case 0: return stimulus_bits(s) & UINT16_MAX;
    case 1: return stimulus_once_in(s, 2) ? 0 : UINT16_MAX;
    default: return usual;
    }
}

/* Of any size, or one from which a scheduler's register would begin with zero, or with a single one. */
static uint64_t seed(struct stimulus *s)
{
    const uint64_t drawn = stimulus_bits(s), k = stimulus_below(s, NUM_SCHEDULERS);
    switch (stimulus_below(s, 8)) {
    case 0: return (APART * k) & UINT32_MAX;
    case 1: return ((APART * k) ^ UINT64_C(1) << drawn % 32) & UINT32_MAX;
    default: return drawn & UINT32_MAX;
    }
}

static void new_phase(struct stimulus *s, struct phase *p)
{
    const int plain = !stimulus_once_in(s, 3);
    static const uint64_t often[] = {1, 1, 2, 20, 300}, kernels[] = {20, 500, 4000, 100000};
    p->left = stimulus_below(s, stimulus_once_in(s, 8) ? 40000 : 3000);
    p->wild = (uint64_t)stimulus_once_in(s, 3);
    p->used = stimulus_once_in(s, 3) ? stimulus_bits(s) & UINT8_MAX : UINT8_MAX;
    p->reward = plain ? ONE : weight(s);
    p->penalty = plain ? 0 : weight(s);
    p->alpha = rate(s, 5898);
    p->epsilon = rate(s, 2621);
    p->gamma = rate(s, 62259);
    p->decay = stimulus_once_in(s, 4) ? 0 : stimulus_below(s, stimulus_once_in(s, 2) ? 50 : DECAYS);
    p->interval = stimulus_once_in(s, 2) ? 0 : stimulus_below(s, 16);
    p->optimism = plain ? 5 * ONE / 2 : weight(s);
    p->keep = (uint64_t)stimulus_once_in(s, 3);
    p->waiting = (uint64_t)!stimulus_once_in(s, 4);
    p->moves = often[stimulus_below(s, 5)];
    p->busy = often[stimulus_below(s, 3)];
    p->right = stimulus_below(s, RLWS_ACTIONS);
    p->kernels = kernels[stimulus_below(s, 4)];
    p->calm = (uint64_t)stimulus_once_in(s, 8);
    if (p->calm) { /* long enough for all bits of the time until the rates decay */
        const int walks = stimulus_once_in(s, 3);
        p->left = walks ? DECAYS - 2 : 3 * DECAYS;
        p->decay = walks                    ? 1
                   : stimulus_once_in(s, 2) ? DECAYS / 2 + stimulus_below(s, 1000)
                                            : DECAYS - 1 - stimulus_below(s, 1000);
        p->waiting = p->busy = 1;
    }
}

/* What a scheduler does that could take any action. */
static uint64_t preferred(struct stimulus *s, const struct rlws_state *state, unsigned k)
{
    if (bit_get(state->explore, k))
        return (state->lfsr[k] & UINT8_MAX) * RLWS_ACTIONS >> 8;
    unsigned pair = k * RLWS_PAIRS, lost = 0;
    for (unsigned i = 0; i < RLWS_ACTIONS; i++)
        for (unsigned j = i + 1; j < RLWS_ACTIONS; j++)
            lost |= 1u << (bit_get(state->beats, pair++) ? j : i);
    for (unsigned a = 0; a < RLWS_ACTIONS; a++)
        if (!(lost >> a & 1))
            return a;
    return stimulus_below(s, RLWS_ACTIONS);
}

void rlws_stimulus(struct stimulus *s, void *input)
{
    struct rlws_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    const struct rlws_state *state = s->state;
    if (p->left-- == 0)
        new_phase(s, p);
    /* A calm phase that begins with 1 walks from bit to bit, each as many cycles as it says: the rates decay once, in the last of them.
     * In the others decay is too large for it. */
    if (p->calm && DECAYS - 1 - p->left == 2 * p->decay)
        p->decay *= 2;
    in->start = (uint64_t)(!p->calm && stimulus_once_in(s, p->kernels));
    in->keep = p->keep;
    in->optimism = in->start ? p->optimism : weight(s);
    in->seed = seed(s);
    in->waiting = !p->calm && stimulus_once_in(s, 2000) ? !p->waiting : p->waiting;
    in->used = p->used;
    in->reward = p->reward;
    in->penalty = p->penalty;
    in->alpha = p->alpha;
    in->epsilon = p->epsilon;
    in->gamma = p->gamma;
    in->decay = p->decay;
    in->interval = stimulus_once_in(s, 1000) ? stimulus_below(s, 16) : p->interval;
    for (unsigned i = 0; i < RLWS_VARIABLES * NUM_SCHEDULERS; i++) {
        if (stimulus_once_in(s, p->moves))
            p->value[i] = stimulus_bits(s) & 7;
        in->value[i] = p->value[i];
    }
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
        in->action[k] = p->wild ? stimulus_bits(s) & 7 : preferred(s, state, k);
        bit_set(in->acts, k, stimulus_once_in(s, p->busy));
        bit_set(in->issued, k,
                p->wild ? stimulus_once_in(s, 2)
                        : in->action[k] == p->right && !stimulus_once_in(s, 20));
    }
}
