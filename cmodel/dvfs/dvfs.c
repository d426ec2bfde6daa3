/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/dvfs/dvfs.c: see dvfs.h. */
#include "cmodel/dvfs/dvfs.h"

#include <string.h>

#define ONES(bits)    (~UINT64_C(0) >> (64 - (bits)))
#define MOST_FRACTION ((1u << CLOG2(DVFS_EDGE_BITS + 1)) - 1)

_Static_assert(NUM_DVFS_STATES == 7, "STATE state is three bits wide");
_Static_assert(DVFS_IDLE == 0 && DVFS_SETTLE == 5, "WAKES goes by numbers");
_Static_assert(DVFS_SLOTS >= 2 && DVFS_LEVELS >= 2, "one slot or one level needs no choice");
_Static_assert(DVFS_EDGE_BITS <= DVFS_COUNT_BITS, "all ones of the quotient reach every edge");
_Static_assert(CLOG2(DVFS_LEVELS) <= DVFS_EDGE_BITS, "a level is written as an edge is");
_Static_assert(DVFS_COUNT_BITS <= DVFS_SHARE_BITS, "a period is added to histogram as it is");
_Static_assert(DVFS_SLOTS <= DVFS_COUNT_BITS + MOST_FRACTION + 1, "step counts edges, too");
_Static_assert(DVFS_COUNT_BITS + MOST_FRACTION + DVFS_SLOTS + (UINT64_C(1) << DVFS_SETTLE_BITS) <=
                   UINT64_C(1) << DVFS_TIME_BITS,
               "a point is late by less than half of what the clock counts");

void dvfs_reset(struct dvfs_state *s)
{
    memset(s, 0, sizeof *s);
    s->state = DVFS_IDLE;
    s->level = DVFS_LEVELS - 1;
    for (unsigned i = 0; i < 2 * DVFS_SLOTS; i++)
        s->table[i] = DVFS_LEVELS - 1;
    for (unsigned i = 0; i < DVFS_SLOTS - 1; i++)
        s->edges[i] = ONES(DVFS_EDGE_BITS);
}

static int waits(const struct dvfs_state *s)
{
    return s->state == DVFS_RUN || s->state == DVFS_CONTROL;
}

/* Has the cycle come for which it waits, or settles? */
static int reached(const struct dvfs_state *s, const struct dvfs_in *in)
{
    const uint64_t cycle = s->state == DVFS_SETTLE ? s->ends : s->due;
    return !((in->clock - cycle) >> DVFS_TIME_BITS & 1);
}

static uint64_t entry(const struct dvfs_state *s)
{
    return s->table[s->used * DVFS_SLOTS + s->slot];
}

void dvfs_comb(const struct dvfs_state *s, const struct dvfs_in *in, struct dvfs_out *out)
{
    out->counted = s->state == DVFS_LOOKUP && in->run;
    out->change = out->counted && !s->by_control && entry(s) != s->level;
    out->settling = s->state == DVFS_SETTLE;
    if (s->state == DVFS_IDLE)
        out->busy = in->run;
    else if (s->state == DVFS_SETTLE)
        out->busy = in->issued || in->missed || reached(s, in);
    else
        out->busy = in->issued || in->missed || !waits(s) || !in->run || reached(s, in);
    out->busy |= in->write != dvfs_write_none;
}

/* ---- periods ---- */

static uint64_t added(uint64_t count, uint64_t told)
{
    return told > ONES(DVFS_COUNT_BITS) - count ? ONES(DVFS_COUNT_BITS) : count + told;
}

/* A period begins with the next cycle; `left` cycles to the next control point. */
static void begin_period(struct dvfs_state *s, const struct dvfs_in *in, uint64_t left)
{
    const uint64_t scaling = in->scaling ? in->scaling : 1;
    s->due = (in->clock + (left > scaling ? scaling : left)) & ONES(DVFS_TIME_BITS + 1);
    s->left = left > scaling ? left - scaling : 0;
    s->instructions = s->misses = 0;
}

static void begin_control(struct dvfs_state *s, const struct dvfs_in *in)
{
    begin_period(s, in, in->control ? in->control : 1);
}

/* After LOOKUP and SETTLE. */
static void wait(struct dvfs_state *s)
{
    s->state = s->irq ? DVFS_CONTROL : DVFS_RUN;
}

static void end_period(struct dvfs_state *s, const struct dvfs_in *in)
{
    const int control = !s->left;
    if (s->instructions) {
        s->state = DVFS_DIVIDE;
        s->by_control = (uint64_t)control;
        s->divisor = s->instructions;
        s->quotient = s->misses;
        s->remainder = s->step = 0;
    } else {
        s->irq |= (uint64_t)control;
        wait(s);
    }
    if (control)
        begin_control(s, in);
    else
        begin_period(s, in, s->left);
}

/* ---- the slot of a period ---- */

/* A bit of the quotient: first those of the misses, then as many behind the point. */
static void divide(struct dvfs_state *s, const struct dvfs_in *in)
{
    const int whole = s->step < DVFS_COUNT_BITS;
    const uint64_t top = s->quotient >> (DVFS_COUNT_BITS - 1);
    const uint64_t rest = s->remainder << 1 | (whole ? top : 0);
    const int fits = rest >= s->divisor;
    s->remainder = fits ? rest - s->divisor : rest;
    s->quotient = !whole && top ? ONES(DVFS_COUNT_BITS)
                                : (s->quotient << 1 & ONES(DVFS_COUNT_BITS)) | (uint64_t)fits;
    s->step++;
    if (s->step >= DVFS_COUNT_BITS + in->fraction) {
        s->state = DVFS_SEARCH;
        s->step = s->slot = 0;
    }
}

static void search(struct dvfs_state *s)
{
    s->slot += s->quotient >= s->edges[s->step];
    s->step++;
    if (s->step == DVFS_SLOTS - 1)
        s->state = DVFS_LOOKUP;
}

static void look_up(struct dvfs_state *s, const struct dvfs_in *in, const struct dvfs_out *out)
{
    s->histogram[s->slot] = (s->histogram[s->slot] + s->divisor) & ONES(DVFS_SHARE_BITS);
    s->irq |= s->by_control;
    if (out->change) {
        s->level = entry(s);
        s->state = DVFS_SETTLE;
        s->ends = (in->clock + (in->settle ? in->settle : 1)) & ONES(DVFS_TIME_BITS + 1);
    } else {
        wait(s);
    }
}

/* ---- software ---- */

static void take_write(struct dvfs_state *s, const struct dvfs_in *in)
{
    if (in->write == dvfs_write_edge && in->index < DVFS_SLOTS - 1)
        s->edges[in->index] = in->value;
    if (in->write == dvfs_write_entry && in->index < DVFS_SLOTS)
        s->table[!s->used * DVFS_SLOTS + in->index] =
            in->value < DVFS_LEVELS ? in->value : DVFS_LEVELS - 1;
    if (in->write == dvfs_write_commit)
        s->used = !s->used;
}

static void stop(struct dvfs_state *s)
{
    s->state = DVFS_IDLE;
    s->irq = 0;
}

void dvfs_tick(struct dvfs_state *s, const struct dvfs_in *in, const struct dvfs_out *out)
{
    if (s->state != DVFS_IDLE) {
        s->instructions = added(s->instructions, in->issued);
        s->misses = added(s->misses, in->missed);
    }
    if (in->write == dvfs_write_commit)
        s->irq = 0;
    if (!in->run && (s->state != DVFS_SETTLE || reached(s, in)))
        stop(s);
    else if (s->state == DVFS_IDLE) {
        s->state = DVFS_RUN;
        begin_control(s, in);
    } else if (s->state == DVFS_DIVIDE)
        divide(s, in);
    else if (s->state == DVFS_SEARCH)
        search(s);
    else if (s->state == DVFS_LOOKUP)
        look_up(s, in, out);
    else if (!reached(s, in)) {
        if (s->state == DVFS_CONTROL)
            wait(s);
    } else if (s->state == DVFS_SETTLE)
        wait(s);
    else
        end_period(s, in);
    take_write(s, in);
}
