/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/dispatch/dispatch.c: see dispatch.h. */
#include "cmodel/dispatch/dispatch.h"

#include <string.h>

_Static_assert(NUM_SMS >= 2, "one SM needs no dispatcher");
_Static_assert(SM_BLOCKS >= 2, "a pair needs two contexts");
_Static_assert(BLOCK_BITS >= 2 && BLOCK_BITS <= 64, "a block's number is one word");
_Static_assert(NUM_DISPATCH_STATES == 4, "STATE state is two bits wide");

void dispatch_reset(struct dispatch_state *s)
{
    memset(s, 0, sizeof *s);
    s->state = DISPATCH_IDLE;
}

/* Blocks on an SM, without the one that ends this cycle: its context can be given away at once. */
static unsigned staying(const struct dispatch_state *s, const struct dispatch_in *in, unsigned sm)
{
    return (unsigned)s->resident[sm] - (s->resident[sm] && bit_get(in->ended, sm));
}

/* Do the next two blocks go together? Not the last one alone, nor where an SM never holds two. */
static int is_pair(const struct dispatch_state *s, const struct dispatch_in *in)
{
    return s->state == DISPATCH_SEARCH && in->policy == dispatch_policy_bcs && s->left >= 2 &&
           in->limit >= 2;
}

static int has_room(const struct dispatch_state *s, const struct dispatch_in *in, unsigned sm)
{
    return bit_get(in->allow, sm) && staying(s, in, sm) + is_pair(s, in) < in->limit;
}

/* The SM that receives a block this cycle, or NUM_SMS: none. */
static unsigned choose(const struct dispatch_state *s, const struct dispatch_in *in)
{
    if (in->stop)
        return NUM_SMS;
    if (s->state == DISPATCH_SECOND && has_room(s, in, (unsigned)s->last))
        return (unsigned)s->last;
    if (s->state == DISPATCH_SEARCH)
        for (unsigned step = 1; step <= NUM_SMS; step++) {
            const unsigned sm = ((unsigned)s->last + step) % NUM_SMS;
            if (has_room(s, in, sm))
                return sm;
        }
    return NUM_SMS;
}

void dispatch_comb(const struct dispatch_state *s, const struct dispatch_in *in,
                   struct dispatch_out *out)
{
    const unsigned sm = choose(s, in);
    out->place_valid = sm < NUM_SMS;
    out->place_sm = sm < NUM_SMS ? sm : 0;
    out->place_block = s->next;
    out->done = s->state == DISPATCH_DRAIN;
    for (unsigned i = 0; i < NUM_SMS; i++)
        out->done &= !staying(s, in, i);
}

static void place(struct dispatch_state *s, const struct dispatch_in *in,
                  const struct dispatch_out *out)
{
    const int first = is_pair(s, in);
    s->resident[out->place_sm]++;
    s->last = out->place_sm;
    s->next = (out->place_block + 1) & ~UINT64_C(0) >> (64 - BLOCK_BITS);
    s->left--;
    s->state = first ? DISPATCH_SECOND : s->left ? DISPATCH_SEARCH : DISPATCH_DRAIN;
}

void dispatch_tick(struct dispatch_state *s, const struct dispatch_in *in,
                   const struct dispatch_out *out)
{
    struct dispatch_state before = *s;
    for (unsigned i = 0; i < NUM_SMS; i++)
        s->resident[i] = staying(&before, in, i);
    if (out->place_valid)
        place(s, in, out);
    else if (out->done)
        s->state = DISPATCH_IDLE;
    else if (in->stop && s->state != DISPATCH_IDLE) {
        s->state = DISPATCH_DRAIN;
        s->left = 0;
    } else if (s->state == DISPATCH_IDLE && in->start && in->blocks) {
        s->state = DISPATCH_SEARCH;
        s->next = in->first;
        s->left = in->blocks;
        s->last = NUM_SMS - 1;
    }
}
