/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/daws_predict/daws_predict.c: see daws_predict.h. */
#include "cmodel/daws_predict/daws_predict.h"

#include <string.h>

#define SLOTS  (NUM_SCHEDULERS * NUM_WARPS)
#define CYCLES ((SLOTS + DAWS_LOOKS - 1) / DAWS_LOOKS) /* of a pass */

_Static_assert(SLOTS << FOOTPRINT_BITS <= 1 << 16, "a sum is compared with 16 bits");

void daws_predict_reset(struct daws_predict_state *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned i = 0; i < SLOTS; i++) {
        s->order[i] = i;
        bit_set(s->allow, i, 1);
    }
}

/* What the warp holds of the table is 0. */
static int is_empty(const struct daws_predict_state *s, unsigned slot)
{
    return !s->predicted[slot] && !s->outer[slot];
}

void daws_predict_comb(const struct daws_predict_state *s, const struct daws_predict_in *in,
                       struct daws_predict_out *out)
{
    memcpy(out->allow_load, s->allow, sizeof out->allow_load);
    out->settled = !s->busy;
    for (unsigned i = 0; i < SLOTS; i++)
        if (!bit_get(in->running, i) && !is_empty(s, i))
            out->settled = 0;
}

/* Is a warp in a loop that has a footprint? */
static int any_in_loop(const struct daws_predict_state *s)
{
    for (unsigned i = 0; i < SLOTS; i++)
        if (s->outer[i] && s->predicted[i])
            return 1;
    return 0;
}

/* The pass goes on for a cycle. Returns whether it has ended. */
static int look(struct daws_predict_state *s, uint64_t effective)
{
    const int in_loop = any_in_loop(s);
    const unsigned first = (unsigned)s->position * DAWS_LOOKS;
    for (unsigned place = first; place < first + DAWS_LOOKS && place < SLOTS; place++) {
        const unsigned slot = (unsigned)s->order[place];
        const uint64_t lines = s->outer[slot] || in_loop ? s->predicted[slot] : 0;
        s->sum += lines;
        s->alone |= lines > effective;
        bit_set(s->next, slot, s->sum <= effective);
    }
    if (++s->position < CYCLES)
        return 0;
    for (unsigned i = 0; i < SLOTS; i++)
        bit_set(s->allow, i, s->alone || bit_get(s->next, i));
    return 1;
}

static int inside(uint64_t loop, uint64_t first, uint64_t last)
{
    return first <= loop && loop <= last;
}

/* A warp of scheduler c issues. Returns whether what the next pass would count has changed. */
static int issue(struct daws_predict_state *s, const struct daws_predict_in *in, unsigned c,
                 unsigned slot)
{
    const uint64_t before = s->predicted[slot], outer = s->outer[slot], next = in->loop[c];
    const uint64_t begin = in->loop_begin[c], last = in->loop_last[c];
    const int nested = outer && inside(begin, outer, s->last[slot]);
    if (begin && (!nested || in->footprint[c])) {
        s->predicted[slot] = in->footprint[c];
        if (!inside(s->inner[slot], begin, last))
            s->inner[slot] = begin;
    }
    if (begin && !nested) {
        s->outer[slot] = begin;
        s->last[slot] = last;
    }
    const int was_in = s->outer[slot] != 0;
    if (!was_in || !inside(next, s->outer[slot], s->last[slot])) {
        s->inner[slot] = s->outer[slot] = s->last[slot] = 0;
        if (!next)
            s->predicted[slot] = in->next_loop[c] ? in->closest[c] : 0;
        else if (was_in)
            s->predicted[slot] = 0;
        /* else it has come to a loop that it will begin, and is predicted to be in it already */
    }
    return s->predicted[slot] != before || (before && !s->outer[slot] != !outer);
}

/* The slot becomes the youngest. */
static void to_the_end(struct daws_predict_state *s, unsigned slot)
{
    unsigned place = 0;
    while (s->order[place] != slot)
        place++;
    for (; place < SLOTS - 1; place++)
        s->order[place] = s->order[place + 1];
    s->order[SLOTS - 1] = slot;
}

void daws_predict_tick(struct daws_predict_state *s, const struct daws_predict_in *in,
                       const struct daws_predict_out *out)
{
    (void)out;
    if (in->start) {
        daws_predict_reset(s);
        return;
    }
    const int ended = s->busy && look(s, in->effective);
    int changed = 0, fresh = 0;
    for (unsigned c = 0; c < NUM_SCHEDULERS; c++) {
        const unsigned slot = c * NUM_WARPS + (unsigned)in->warp[c];
        if (bit_get(in->issue, c) && in->warp[c] < NUM_WARPS && bit_get(in->running, slot) &&
            !bit_get(in->fresh, slot))
            changed |= issue(s, in, c, slot);
    }
    for (unsigned i = 0; i < SLOTS; i++) {
        if (bit_get(in->running, i) && !bit_get(in->fresh, i))
            continue;
        changed |= s->predicted[i] != 0;
        s->predicted[i] = s->inner[i] = s->outer[i] = s->last[i] = 0;
    }
    for (unsigned c = 0; c < NUM_SCHEDULERS; c++) {
        unsigned w = 0;
        while (w < NUM_WARPS && !bit_get(in->fresh, c * NUM_WARPS + w))
            w++;
        if (w == NUM_WARPS)
            continue;
        to_the_end(s, c * NUM_WARPS + w);
        fresh = 1;
    }
    const int follows = s->again || changed;
    s->again = !fresh && s->busy && !ended && follows;
    if (fresh || !s->busy || ended)
        s->position = s->sum = s->alone = 0;
    s->busy = fresh || changed || (s->busy && !ended) || (ended && follows);
}
