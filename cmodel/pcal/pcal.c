/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/pcal/pcal.c: see pcal.h. */
#include "cmodel/pcal/pcal.h"

#include <string.h>

#define TIME_MASK ((UINT64_C(1) << PCAL_SAMPLE_BITS) - 1)

_Static_assert(NUM_SMS >= 2, "p is varied over SMs");
_Static_assert(NUM_PCAL_STATES == 8, "STATE state is three bits wide");
_Static_assert(PCAL_WARM == 2 && PCAL_WAIT == 4, "WAKES goes by numbers");

void pcal_reset(struct pcal_state *s)
{
    memset(s, 0, sizeof *s);
    s->state = PCAL_IDLE;
    s->most = s->n = s->centre = s->best = NUM_WARPS;
    for (unsigned i = 0; i < NUM_SMS; i++)
        s->p[i] = NUM_WARPS;
}

static int is_timed(const struct pcal_state *s)
{
    return s->state == PCAL_WARM || s->state == PCAL_SAMPLE || s->state == PCAL_WAIT;
}

void pcal_comb(const struct pcal_state *s, const struct pcal_in *in, struct pcal_out *out)
{
    out->vital = s->n;
    memcpy(out->polluters, s->p, sizeof out->polluters);
    out->count = s->state == PCAL_SAMPLE;
    out->settled =
        s->state == PCAL_IDLE || s->state == PCAL_HOLD || (is_timed(s) && in->clock != s->due);
}

/* A state that lasts `length` cycles begins with the next one. */
static void last(struct pcal_state *s, const struct pcal_in *in, unsigned state, uint64_t length)
{
    s->state = state;
    s->due = (in->clock + (length ? length : 1)) & TIME_MASK;
}

/* ---- which SM has which p ---- */

/* Deals from SM 0 on: `first` and what follows it, or the best to all. */
static void begin_deal(struct pcal_state *s, uint64_t point, uint64_t first)
{
    s->state = PCAL_DEAL;
    s->point = point;
    s->first = s->value = first;
    s->sm = s->whole = 0;
}

static void deal(struct pcal_state *s, const struct pcal_in *in)
{
    s->p[s->sm] = s->value;
    if (s->point == pcal_point_spread) {
        if (s->value == s->n)
            s->whole = s->sm + 1;
        s->value = s->value == s->n ? 1 : s->value + 1;
    }
    if (s->sm < NUM_SMS - 1)
        s->sm++;
    else if (s->point == pcal_point_centre && !in->stride)
        s->state = PCAL_HOLD;
    else
        last(s, in, PCAL_WARM, in->warmup);
}

/* ---- sums ---- */

static void begin_sum(struct pcal_state *s, uint64_t lead)
{
    s->state = PCAL_READ;
    s->sm = s->lead = lead;
    s->sum = s->idle = 0;
}

/* A p goes on with the same SM of the next turn, if that is whole. */
static void read(struct pcal_state *s, const struct pcal_in *in)
{
    const int spread = s->point == pcal_point_spread;
    const uint64_t next = s->sm + (spread ? s->n : 1), end = spread ? s->whole : NUM_SMS;
    s->sum += in->issued[s->sm];
    s->idle += !in->issued[s->sm];
    if (next < end)
        s->sm = next;
    else
        s->state = PCAL_DECIDE;
}

/* ---- the search ---- */

/* A p counts only if all its SMs had work. */
static void decide_p(struct pcal_state *s)
{
    if (!s->idle && s->sum > s->top) {
        s->top = s->sum;
        s->best = s->value;
    }
    if (s->value == s->n) {
        begin_deal(s, pcal_point_centre, s->best);
    } else if (s->lead == NUM_SMS - 1) {
        begin_deal(s, pcal_point_spread, s->value + 1);
    } else {
        s->value++;
        begin_sum(s, s->lead + 1);
    }
}

static void hold(struct pcal_state *s)
{
    s->state = PCAL_HOLD;
    s->n = s->best;
}

/* Measures the neighbour of an N. Returns 0: there is none. */
static int visit(struct pcal_state *s, const struct pcal_in *in, uint64_t point, uint64_t n)
{
    const int up = point == pcal_point_more || point == pcal_point_up;
    if (up ? n + in->stride > s->most : n < s->p[0] + in->stride)
        return 0;
    s->point = point;
    s->sum = 0;
    s->n = up ? n + in->stride : n - in->stride;
    last(s, in, PCAL_WARM, in->warmup);
    return 1;
}

/* The same of the centre; one that there is not has issued nothing. */
static void visit_or_skip(struct pcal_state *s, const struct pcal_in *in, uint64_t point)
{
    if (!visit(s, in, point, s->centre)) {
        s->point = point;
        s->sum = 0;
    }
}

/* Samples in which more or fewer SMs had no work are not compared. */
static void decide_n(struct pcal_state *s, const struct pcal_in *in)
{
    const int better = s->idle == s->top_idle && s->sum > s->top;
    if (better || s->point == pcal_point_centre) {
        s->top = s->sum;
        s->top_idle = s->idle;
        s->best = s->n;
    }
    switch (s->point) {
    case pcal_point_centre: visit_or_skip(s, in, pcal_point_more); break;
    case pcal_point_more: visit_or_skip(s, in, pcal_point_less); break;
    case pcal_point_less:
        if (s->best == s->centre ||
            !visit(s, in, s->best > s->centre ? pcal_point_up : pcal_point_down, s->best))
            hold(s);
        break;
    default:
        if (!better || !visit(s, in, s->point, s->best))
            hold(s);
    }
}

static void begin(struct pcal_state *s, const struct pcal_in *in)
{
    s->most = in->warps < 1 ? 1 : in->warps > NUM_WARPS ? NUM_WARPS : in->warps;
    s->n = s->centre = s->best = in->start_n < 1 || in->start_n > s->most ? s->most : in->start_n;
    for (unsigned i = 0; i < NUM_SMS; i++)
        s->p[i] = s->n;
    s->top = 0;
    begin_deal(s, pcal_point_spread, 1);
}

void pcal_tick(struct pcal_state *s, const struct pcal_in *in, const struct pcal_out *out)
{
    (void)out;
    if (in->start) {
        begin(s, in);
        return;
    }
    if (is_timed(s) && in->clock != s->due)
        return;
    switch (s->state) {
    case PCAL_DEAL: deal(s, in); break;
    case PCAL_WARM: last(s, in, PCAL_SAMPLE, in->sample); break;
    case PCAL_SAMPLE: last(s, in, PCAL_WAIT, in->late); break;
    case PCAL_WAIT:
        s->value = s->first;
        begin_sum(s, 0);
        break;
    case PCAL_READ: read(s, in); break;
    case PCAL_DECIDE:
        if (s->point == pcal_point_spread)
            decide_p(s);
        else
            decide_n(s, in);
        break;
    default: break;
    }
}
