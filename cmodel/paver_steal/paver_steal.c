/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/paver_steal/paver_steal.c: see paver_steal.h. */
#include "cmodel/paver_steal/paver_steal.h"

#include <string.h>

_Static_assert(NUM_SMS >= 2, "one SM steals from nobody");
_Static_assert(PAVER_TB_BITS >= 2 && PAVER_TB_BITS <= 64, "a number of blocks is one word");
_Static_assert(NUM_PAVER_STEAL_STATES == 4, "STATE state is two bits wide");

#define TB_MASK (~UINT64_C(0) >> (64 - PAVER_TB_BITS))

void paver_steal_reset(struct paver_steal_state *s)
{
    memset(s, 0, sizeof *s);
    s->state = PAVER_STEAL_IDLE;
}

/* Is there somebody to steal for, and somebody to steal from? Not while the last theft is still to show. */
static int begins(const struct paver_steal_state *s, const struct paver_steal_in *in)
{
    return s->state == PAVER_STEAL_IDLE && !s->give && in->steal && in->busy &&
           bits_any(in->recipients, NUM_SMS);
}

void paver_steal_comb(const struct paver_steal_state *s, const struct paver_steal_in *in,
                      struct paver_steal_out *out)
{
    out->settled = s->state == PAVER_STEAL_IDLE && !s->give && !begins(s, in);
}

/* The next one, in turn, after the SM that stole last. */
static void begin(struct paver_steal_state *s, const struct paver_steal_in *in)
{
    do
        s->recipient = (s->recipient + 1) % NUM_SMS;
    while (!bit_get(in->recipients, (unsigned)s->recipient));
    s->state = PAVER_STEAL_SCAN;
    s->look = s->max = s->average = 0;
}

static void scan(struct paver_steal_state *s, const struct paver_steal_in *in)
{
    if (in->waiting > s->max) {
        s->max = in->waiting;
        s->donor = s->look;
    }
    s->average = (s->average + in->waiting) & TB_MASK;
    if (s->look < NUM_SMS - 1) {
        s->look++;
        return;
    }
    s->state = s->max ? PAVER_STEAL_DIVIDE : PAVER_STEAL_IDLE;
    s->remainder = s->step = 0;
}

/* One bit of average / NUM_SMS, the highest first: the dividend leaves the register where the quotient comes in. */
static void divide(struct paver_steal_state *s)
{
    const uint64_t part = s->remainder * 2 + (s->average >> (PAVER_TB_BITS - 1)),
                   bit = part >= NUM_SMS;
    s->average = (s->average << 1 | bit) & TB_MASK;
    s->remainder = bit ? part - NUM_SMS : part;
    if (s->step < PAVER_TB_BITS - 1)
        s->step++;
    else
        s->state = PAVER_STEAL_DECIDE;
}

void paver_steal_tick(struct paver_steal_state *s, const struct paver_steal_in *in,
                      const struct paver_steal_out *out)
{
    (void)out;
    switch (s->state) {
    case PAVER_STEAL_IDLE:
        if (begins(s, in))
            begin(s, in);
        s->give = 0;
        return;
    case PAVER_STEAL_SCAN: scan(s, in); return;
    case PAVER_STEAL_DIVIDE: divide(s); return;
    default:
        s->state = PAVER_STEAL_IDLE;
        s->give = 1;
        s->look = s->donor;
        s->count = (s->max - s->average) & TB_MASK;
    }
}
