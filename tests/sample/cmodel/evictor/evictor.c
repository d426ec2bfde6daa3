/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/evictor/evictor.c: see evictor.h. */
#include "cmodel/evictor/evictor.h"

#include <string.h>

#define SLOTS      (NUM_SCHEDULERS * NUM_WARPS)
#define MOST_COUNT 255

static void hold_nothing(struct evictor_state *s)
{
    s->held_valid = s->held = s->most = 0;
}

void evictor_reset(struct evictor_state *s)
{
    hold_nothing(s);
    memset(s->used, 0, sizeof s->used);
}

void evictor_comb(const struct evictor_state *s, const struct evictor_in *in,
                  struct evictor_out *out)
{
    int other_runs = 0;
    memset(out, 0, sizeof *out);
    for (unsigned w = 0; w < SLOTS; w++) {
        bit_set(out->allow_load, w, 1);
        other_runs |= w != s->held && bit_get(in->running, w);
    }
    if (s->held_valid && other_runs)
        bit_set(out->allow_load, (unsigned)s->held, 0);
}

/* A line of `owner` has left L1D. */
static void count(struct evictor_state *s, unsigned owner, uint64_t threshold)
{
    const uint64_t before = bit_get(s->used, owner) ? s->count[owner] : 0,
                   now = before + (before < MOST_COUNT);
    s->count[owner] = now;
    bit_set(s->used, owner, 1);
    if (s->held_valid && s->held == owner) {
        s->most = now;
    } else if (now >= threshold && (!s->held_valid || now > s->most)) {
        s->held_valid = 1;
        s->held = owner;
        s->most = now;
    }
}

void evictor_tick(struct evictor_state *s, const struct evictor_in *in,
                  const struct evictor_out *out)
{
    (void)out;
    if (in->start) {
        evictor_reset(s);
        return;
    }
    if (s->held_valid && bit_get(in->fresh, (unsigned)s->held))
        hold_nothing(s);
    for (unsigned w = 0; w < SLOTS; w++)
        if (bit_get(in->fresh, w))
            bit_set(s->used, w, 0);
    if (in->evict && in->owner < SLOTS && !bit_get(in->fresh, (unsigned)in->owner))
        count(s, (unsigned)in->owner, in->threshold);
}
