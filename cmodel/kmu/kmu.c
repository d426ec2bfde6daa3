/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/kmu/kmu.c: see kmu.h. */
#include "cmodel/kmu/kmu.h"

#include <string.h>

_Static_assert(NUM_SMS >= 2, "one SM needs no choice");
_Static_assert(SM_BLOCKS >= 2, "two kernels share an SM");
_Static_assert(BLOCK_BITS >= 2 && BLOCK_BITS <= 64, "a block's number is one word");
_Static_assert(NUM_KMU_STATES == 3, "STATE state_0 and state_1 are two bits wide");

void kmu_reset(struct kmu_state *s)
{
    memset(s, 0, sizeof *s);
    s->state_0 = s->state_1 = KMU_IDLE;
}

static uint64_t state_of(const struct kmu_state *s, unsigned k)
{
    return k ? s->state_1 : s->state_0;
}

/* Where bits and counts of a kernel on an SM stand. */
static unsigned at(unsigned k, unsigned sm)
{
    return k * NUM_SMS + sm;
}

/* Has it blocks to hand out? */
static int wants(const struct kmu_state *s, const struct kmu_in *in, unsigned k)
{
    return state_of(s, k) == KMU_SEARCH && !(in->stop >> k & 1);
}

/* Its blocks on an SM, without the one that ends this cycle. */
static unsigned staying(const struct kmu_state *s, const struct kmu_in *in, unsigned k, unsigned sm)
{
    const unsigned resident = (unsigned)s->resident[at(k, sm)];
    return resident - (resident && bit_get(in->ended, at(k, sm)));
}

/* How many blocks it may hold on an SM: its quota, unless the other's is lent. */
static unsigned bound(const struct kmu_state *s, const struct kmu_in *in, unsigned k)
{
    return wants(s, in, !k) && in->quota[k] < SM_BLOCKS ? (unsigned)in->quota[k] : SM_BLOCKS;
}

static int can_go(const struct kmu_state *s, const struct kmu_in *in, unsigned k, unsigned sm)
{
    return wants(s, in, k) && bit_get(in->may_use, at(k, sm)) && bit_get(in->room, at(k, sm)) &&
           staying(s, in, k, sm) < bound(s, in, k);
}

/* The next SM that it can go to, or NUM_SMS: none. */
static unsigned choose(const struct kmu_state *s, const struct kmu_in *in, unsigned k)
{
    for (unsigned step = 1; step <= NUM_SMS; step++) {
        const unsigned sm = ((unsigned)s->last[k] + step) % NUM_SMS;
        if (can_go(s, in, k, sm))
            return sm;
    }
    return NUM_SMS;
}

void kmu_comb(const struct kmu_state *s, const struct kmu_in *in, struct kmu_out *out)
{
    const unsigned sm[KMU_KERNELS] = {choose(s, in, 0), choose(s, in, 1)};
    const int can[KMU_KERNELS] = {sm[0] < NUM_SMS, sm[1] < NUM_SMS};
    out->place_valid = can[0] || can[1];
    out->place_kernel = can[0] && can[1] ? s->turn : (uint64_t)can[1];
    out->place_sm = out->place_valid ? sm[out->place_kernel] : 0;
    out->place_block = s->next[out->place_kernel];
    out->done = 0;
    for (unsigned k = 0; k < KMU_KERNELS; k++) {
        int over = state_of(s, k) == KMU_DRAIN;
        for (unsigned i = 0; i < NUM_SMS; i++)
            over &= !staying(s, in, k, i);
        out->done |= (uint64_t)over << k;
    }
}

static void place(struct kmu_state *s, unsigned k, const struct kmu_out *out, uint64_t *state)
{
    s->resident[at(k, (unsigned)out->place_sm)]++;
    s->last[k] = out->place_sm;
    s->next[k] = (out->place_block + 1) & ~UINT64_C(0) >> (64 - BLOCK_BITS);
    s->turn = !k;
    if (!--s->left[k])
        *state = KMU_DRAIN;
}

void kmu_tick(struct kmu_state *s, const struct kmu_in *in, const struct kmu_out *out)
{
    const struct kmu_state before = *s;
    for (unsigned k = 0; k < KMU_KERNELS; k++) {
        uint64_t *state = k ? &s->state_1 : &s->state_0;
        for (unsigned i = 0; i < NUM_SMS; i++)
            s->resident[at(k, i)] = staying(&before, in, k, i);
        if (out->place_valid && out->place_kernel == k)
            place(s, k, out, state);
        else if (out->done >> k & 1)
            *state = KMU_IDLE;
        else if (in->stop >> k & 1 && *state != KMU_IDLE) {
            *state = KMU_DRAIN;
            s->left[k] = 0;
        } else if (*state == KMU_IDLE && in->start >> k & 1 && in->blocks[k]) {
            *state = KMU_SEARCH;
            s->next[k] = in->first[k];
            s->left[k] = in->blocks[k];
            s->last[k] = NUM_SMS - 1;
        }
    }
}
