/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/paver_sm_stimulus.c: random but plausible inputs of PAVER's thread-block queues: kernel after kernel, of a few groups or
 * many, large or small, or none. Memory replies at once or late, in any order; contexts come free rarely or often. The stealer looks
 * around and gives at any moment, mostly to who may receive. Rarely promises are broken: a block is placed where none may be, memory
 * replies unasked, a group ends before it begins, a kernel starts while one runs, an SM is named that there is not. */
#include "cmodel/paver_sm/paver_sm.h"
#include "cosim/stimulus.h"

#include <string.h>

void paver_sm_stimulus(struct stimulus *, void *input);

#define TB_MASK   (~UINT64_C(0) >> (64 - PAVER_TB_BITS))
#define LIST_MASK (~UINT64_C(0) >> (64 - PAVER_LIST_BITS))

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t reply_once_in, free_once_in, place_once_in, give_once_in, most_blocks, wild, far;
    uint64_t position; /* in the list: where the next group begins */
    uint64_t free[(NUM_SMS + 63) / 64];
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

static void new_phase(struct stimulus *s, struct phase *p)
{
    static const uint64_t rates[] = {1, 1, 2, 5, 30};
    static const uint64_t sizes[] = {1, 2, 3, 8, 40};
    p->left = 50 + stimulus_below(s, 1000);
    p->reply_once_in = rates[stimulus_below(s, 4)];
    p->free_once_in = rates[stimulus_below(s, 5)];
    p->place_once_in = rates[stimulus_below(s, 5)];
    p->give_once_in = rates[stimulus_below(s, 5)];
    p->most_blocks = sizes[stimulus_below(s, 5)];
    p->wild = (uint64_t)stimulus_once_in(s, 12);
    p->far = (uint64_t)stimulus_once_in(s, 3);
}

/* One of the SMs of a set, or any, if it has none. */
static uint64_t one_of(struct stimulus *s, const uint64_t *set)
{
    const unsigned from = (unsigned)stimulus_below(s, NUM_SMS);
    for (unsigned i = 0; i < NUM_SMS; i++)
        if (bit_get(set, (from + i) % NUM_SMS))
            return (from + i) % NUM_SMS;
    return from;
}

/* Any SM. In wild phases any number that there is room for. */
static uint64_t any_sm(struct stimulus *s, const struct phase *p)
{
    return stimulus_below(s, p->wild ? UINT64_C(1) << CLOG2(NUM_SMS) : NUM_SMS);
}

static void start(struct stimulus *s, struct phase *p, struct paver_sm_in *in)
{
    in->start = 1;
    in->groups = stimulus_once_in(s, 8) ? 0
                 : stimulus_once_in(s, 8)
                     ? stimulus_bits(s) & TB_MASK
                     : 1 + stimulus_below(s, stimulus_once_in(s, 2) ? 3 : 3 * NUM_SMS);
    if (stimulus_once_in(s, 12)) /* a number of groups of one bit */
        in->groups = UINT64_C(1) << stimulus_below(s, PAVER_TB_BITS);
    in->groups &= TB_MASK;
    in->first_group = stimulus_bits(s) & LIST_MASK;
    p->position = stimulus_bits(s) & LIST_MASK;
}

static void reply(struct stimulus *s, struct phase *p, const struct paver_sm_state *state,
                  struct paver_sm_in *in)
{
    uint64_t size = 1 + stimulus_below(s, p->most_blocks);
    if (p->far && stimulus_once_in(s, 4))
        size = 1 + (stimulus_bits(s) & TB_MASK);
    in->reply_valid = 1;
    in->reply_sm = p->wild && stimulus_once_in(s, 4) ? any_sm(s, p) : one_of(s, state->asked);
    if (!p->wild && !bit_get(state->asked, (unsigned)in->reply_sm))
        in->reply_valid = 0;
    in->reply_next = p->position;
    in->reply_tail = (p->position + size - 1) & LIST_MASK;
    if (in->reply_valid && in->reply_sm < NUM_SMS && !bit_get(state->held, (unsigned)in->reply_sm))
        p->position = (in->reply_tail + 1) & LIST_MASK;
    if (p->wild && stimulus_once_in(s, 4))
        in->reply_next = stimulus_bits(s) & LIST_MASK;
}

/* Contexts stay free until a block comes. */
static void contexts(struct stimulus *s, struct phase *p)
{
    for (unsigned i = 0; i < NUM_SMS; i++)
        if (stimulus_once_in(s, p->free_once_in))
            bit_set(p->free, i, stimulus_below(s, 2) != 0);
}

void paver_sm_stimulus(struct stimulus *s, void *input)
{
    struct paver_sm_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    const struct paver_sm_state *state = s->state;
    const int idle =
        !state->left && !bits_any(state->held, NUM_SMS) && !bits_any(state->asked, NUM_SMS);
    uint64_t recipients[(NUM_SMS + 63) / 64] = {0};
    memset(in, 0, sizeof *in);
    if (p->left-- == 0)
        new_phase(s, p);
    contexts(s, p);
    memcpy(in->free, p->free, sizeof in->free);
    in->groups = stimulus_once_in(s, 4) ? 0 : stimulus_bits(s) & TB_MASK;
    in->first_group = stimulus_bits(s) & LIST_MASK;
    if (stimulus_once_in(s, idle ? 6 : 3000))
        start(s, p, in);
    in->stop = (uint64_t)stimulus_once_in(s, 2000);
    in->reply_tb = stimulus_bits(s) & TB_MASK;
    in->reply_sm = one_of(s, state->asked); /* that memory names an SM is no reply */
    if (stimulus_once_in(s, p->reply_once_in))
        reply(s, p, state, in);
    in->order_block = stimulus_bits(s) & ~UINT64_C(0) >> (64 - BLOCK_BITS);
    in->place_sm = stimulus_once_in(s, 4) ? any_sm(s, p) : one_of(s, state->allow);
    in->place_valid = stimulus_once_in(s, p->place_once_in) &&
                      (p->wild || !state->active || bit_get(state->allow, (unsigned)in->place_sm));
    for (unsigned i = 0; i < NUM_SMS; i++)
        bit_set(recipients, i, bit_get(p->free, i) && !bit_get(state->held, i));
    in->look = stimulus_once_in(s, 3) ? any_sm(s, p) : one_of(s, state->held);
    in->give = (uint64_t)stimulus_once_in(s, p->give_once_in);
    in->recipient = stimulus_once_in(s, 5) ? any_sm(s, p) : one_of(s, recipients);
    in->count = stimulus_once_in(s, 6) ? stimulus_bits(s) & TB_MASK : stimulus_below(s, 4);
}
