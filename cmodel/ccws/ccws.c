/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/ccws/ccws.c: see ccws.h. */
#include "cmodel/ccws/ccws.h"

#include <string.h>

#define SLOTS         (NUM_SCHEDULERS * NUM_WARPS)
#define LOOKS         (CCWS_LOOKS ? CCWS_LOOKS : SLOTS)
#define TIME_BITS     (CCWS_SCORE_BITS + 1)
#define QUOTIENT_BITS (CCWS_HIT_BITS + CLOG2(SLOTS + 1) + CLOG2(CCWS_THROTTLE * CCWS_BASE + 1))
#define MOST(bits)    (~UINT64_C(0) >> (64 - (bits)))

_Static_assert(SLOTS >= 2 && SLOTS <= 256, "one SM");
_Static_assert(SLOTS *CCWS_BASE <= (1 << CCWS_SCORE_BITS) - 1,
               "the cutoff has the bits of a score");
_Static_assert(2 * SLOTS <= 1 << CCWS_SCORE_BITS,
               "a pass ends before the time of its scores is over");
_Static_assert(QUOTIENT_BITS > CCWS_SCORE_BITS && QUOTIENT_BITS < 64,
               "a quotient can be too large");

static unsigned number_of(const uint64_t *set)
{
    unsigned n = 0;
    for (unsigned w = 0; w < SLOTS; w++)
        n += (unsigned)bit_get(set, w);
    return n;
}

static void allow_all(struct ccws_state *s)
{
    for (unsigned w = 0; w < SLOTS; w++)
        bit_set(s->allow, w, 1);
}

/* From `from` to `to`, cut to the bits of a time: its top bit says that `to` is behind. */
static uint64_t ahead(uint64_t to, uint64_t from)
{
    return (to - from) & MOST(TIME_BITS);
}

static int is_ahead(uint64_t to, uint64_t from)
{
    return ahead(to, from) != 0 && !(ahead(to, from) >> CCWS_SCORE_BITS);
}

void ccws_reset(struct ccws_state *s)
{
    memset(s, 0, sizeof *s);
    allow_all(s);
}

static int wants_pass(const struct ccws_state *s, const struct ccws_in *in)
{
    return s->stale || memcmp(s->counted, in->living, sizeof s->counted) != 0 ||
           (s->wake_valid && s->wake == in->clock);
}

void ccws_comb(const struct ccws_state *s, const struct ccws_in *in, struct ccws_out *out)
{
    memcpy(out->allow_load, s->allow, sizeof s->allow);
    out->busy = s->summing || s->asked || s->scoring || wants_pass(s, in);
}

static void count(struct ccws_state *s, int hit, uint64_t issued)
{
    s->hits += (uint64_t)hit;
    s->instructions += issued;
    if (s->hits > MOST(CCWS_HIT_BITS) || s->instructions > MOST(CCWS_ISSUE_BITS)) {
        s->hits /= 2;
        s->instructions /= 2;
    }
}

static void take(struct ccws_state *s, const struct ccws_in *in)
{
    s->asked = 0;
    s->scoring = 1;
    s->scoring_warp = s->asked_warp;
    s->steps = QUOTIENT_BITS;
    s->quotient = s->hits * number_of(in->living) * (CCWS_THROTTLE * CCWS_BASE);
    s->divisor = s->instructions;
    s->remainder = 0;
}

static void divide(struct ccws_state *s)
{
    uint64_t part = s->remainder << 1 | s->quotient >> (QUOTIENT_BITS - 1);
    const int fits = part >= s->divisor;
    part -= fits ? s->divisor : 0;
    s->remainder = part & MOST(CCWS_ISSUE_BITS);
    s->quotient = (s->quotient << 1 | (uint64_t)fits) & MOST(QUOTIENT_BITS);
    s->steps--;
}

static void store(struct ccws_state *s, uint64_t clock)
{
    const uint64_t most = MOST(CCWS_SCORE_BITS), score = s->quotient > most ? most : s->quotient;
    const unsigned warp = (unsigned)s->scoring_warp;
    bit_set(s->pending, warp, score > CCWS_BASE);
    if (score > CCWS_BASE)
        s->until[warp] = (clock + score - CCWS_BASE) & MOST(TIME_BITS);
    s->scoring = 0;
    s->stale = 1;
}

static void begin(struct ccws_state *s, const struct ccws_in *in)
{
    int any = 0;
    for (unsigned w = 0; w < SLOTS; w++)
        if (bit_get(s->pending, w)) {
            const int stays = bit_get(in->living, w) && !bit_get(in->fresh, w) &&
                              is_ahead(s->until[w], in->clock);
            bit_set(s->pending, w, stays);
            any |= stays;
        }
    s->stale = s->wake_valid = 0;
    memcpy(s->counted, in->living, sizeof s->counted);
    s->since = in->clock & MOST(TIME_BITS);
    memset(s->visited, 0, sizeof s->visited);
    s->over = s->raised = 0;
    s->room = (uint64_t)number_of(in->living) * CCWS_BASE;
    s->summing = (uint64_t)any;
    if (!any)
        allow_all(s);
}

/* The score at the beginning of the pass. */
static int64_t score_of(const struct ccws_state *s, unsigned warp)
{
    const uint64_t above = bit_get(s->pending, warp) ? ahead(s->until[warp], s->since) : 0;
    return (int64_t)above + CCWS_BASE;
}

/* Who comes next, or SLOTS. */
static unsigned highest(const struct ccws_state *s)
{
    unsigned best = SLOTS;
    for (unsigned w = 0; w < SLOTS; w++)
        if (bit_get(s->counted, w) && !bit_get(s->visited, w) &&
            (best == SLOTS || score_of(s, w) > score_of(s, best)))
            best = w;
    return best;
}

static void visit(struct ccws_state *s, unsigned warp)
{
    const int first = !bits_any(s->visited, SLOTS);
    const int64_t score = score_of(s, warp),
                  room = (int64_t)(s->room << (64 - TIME_BITS)) >> (64 - TIME_BITS);
    if (bit_get(s->pending, warp)) {
        s->raised++;
        s->soonest = s->until[warp];
    }
    if (!s->over && (first || score <= room)) {
        s->room = (uint64_t)(room - score) & MOST(TIME_BITS);
    } else if (!s->over) {
        for (unsigned w = 0; w < SLOTS; w++)
            bit_set(s->allow, w, !bit_get(s->counted, w) || bit_get(s->visited, w));
        s->excess = (uint64_t)(score - room) >> CLOG2(s->raised) & MOST(CCWS_SCORE_BITS);
        s->over = 1;
    }
    bit_set(s->visited, warp, 1);
}

static int visited_all(const struct ccws_state *s)
{
    for (unsigned w = 0; w < SLOTS; w++)
        if (bit_get(s->counted, w) && !bit_get(s->visited, w) &&
            (!s->over || bit_get(s->pending, w)))
            return 0;
    return 1;
}

static void end(struct ccws_state *s, uint64_t clock)
{
    uint64_t next = s->soonest;
    const uint64_t fits = (s->since + s->excess) & MOST(TIME_BITS);
    if (s->over && is_ahead(next, clock) &&
        (!is_ahead(fits, clock) || ahead(fits, clock) < ahead(next, clock)))
        next = fits;
    s->summing = 0;
    if (!s->over)
        allow_all(s);
    if (is_ahead(next, clock)) {
        s->wake_valid = 1;
        s->wake = (clock + ahead(next, clock)) & MOST(32);
    } else {
        s->stale = 1;
    }
}

static void forget(struct ccws_state *s, const struct ccws_in *in, int began)
{
    int any = 0;
    for (unsigned w = 0; w < SLOTS; w++)
        if (bit_get(in->fresh, w)) {
            bit_set(s->pending, w, 0);
            any = 1;
        }
    if (any && !began) {
        s->summing = 0;
        s->stale = 1;
    }
}

static int is_fresh(const struct ccws_in *in, uint64_t warp)
{
    return bit_get(in->fresh, (unsigned)warp);
}

void ccws_tick(struct ccws_state *s, const struct ccws_in *in, const struct ccws_out *out)
{
    (void)out;
    if (in->start) {
        ccws_reset(s);
        return;
    }
    const int hit = in->hit && in->hit_warp < SLOTS;
    const int changed = wants_pass(s, in);
    int began = 0, stored = 0;

    if (s->asked && is_fresh(in, s->asked_warp))
        s->asked = 0;
    if (s->scoring && is_fresh(in, s->scoring_warp)) {
        s->scoring = 0;
    } else if (s->scoring && s->steps) {
        divide(s);
    } else if (s->scoring && !s->summing) {
        store(s, in->clock);
        stored = 1;
    } else if (!s->scoring && s->asked) {
        take(s, in);
    }
    count(s, hit, in->issued);
    if (hit && !is_fresh(in, in->hit_warp)) {
        s->asked = 1;
        s->asked_warp = in->hit_warp;
    }

    if (s->summing) {
        if (visited_all(s))
            end(s, in->clock);
        else
            for (unsigned l = 0; l < LOOKS && highest(s) < SLOTS; l++)
                visit(s, highest(s));
    } else if (changed && !stored) {
        begin(s, in);
        began = 1;
    }
    forget(s, in, began);
}
