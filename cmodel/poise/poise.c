/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/poise/poise.c: see poise.h. */
#include "cmodel/poise/poise.h"

#include <string.h>

#include "cmodel/poise/link.h"

#define MISSES_MASK ((UINT64_C(1) << POISE_MISS_BITS) - 1)
#define WAITED_MASK ((UINT64_C(1) << (POISE_MISS_BITS + POISE_SAMPLE_BITS)) - 1)
#define TIME_MASK   ((UINT64_C(1) << POISE_TIME_BITS) - 1)

_Static_assert(POISE_MISS_BITS + POISE_SAMPLE_BITS + 4 <= 32, "waited is divided with 4 bits more");
_Static_assert(POISE_SAMPLE_BITS + CLOG2(NUM_SCHEDULERS + 1) + 8 <= 32,
               "so is instructions with 8");
_Static_assert(POISE_SAMPLE_BITS <= 16 && POISE_SAMPLE_BITS <= POISE_TIME_BITS,
               "a sample is short");
_Static_assert(NUM_WARPS <= 64, "W has 7 bits");
_Static_assert(NUM_POISE_STATES == 7, "STATE state is three bits wide");

void poise_reset(struct poise_state *s)
{
    memset(s, 0, sizeof *s);
    s->state = POISE_IDLE;
    s->most = s->n = s->p = s->centre_n = s->centre_p = NUM_WARPS;
}

void poise_comb(const struct poise_state *s, const struct poise_in *in, struct poise_out *out)
{
    const int timed = s->state == POISE_WARM || s->state == POISE_SAMPLE || s->state == POISE_HOLD;
    out->settled = s->state == POISE_IDLE || (timed && in->clock != s->due);
}

static uint64_t at_least_1(uint64_t v)
{
    return v ? v : 1;
}

static uint64_t clamp(uint64_t v, uint64_t most)
{
    return v < 1 ? 1 : v > most ? most : v;
}

/* A window of `length` cycles begins with the next cycle, and ends with the epoch at the latest. */
static void window(struct poise_state *s, uint64_t now, uint64_t point, unsigned state,
                   uint64_t length)
{
    const uint64_t left = (s->ends - now) & TIME_MASK;
    s->state = state;
    s->point = point;
    s->due = at_least_1(length) < left ? (now + at_least_1(length)) & TIME_MASK : s->ends;
}

static void measure(struct poise_state *s, const struct poise_in *in, uint64_t point, uint64_t n,
                    uint64_t p)
{
    s->n = n;
    s->p = p;
    window(s, in->clock, point, POISE_WARM, in->warmup);
}

static void hold(struct poise_state *s, uint64_t n, uint64_t p)
{
    s->state = POISE_HOLD;
    s->due = s->ends;
    s->n = n;
    s->p = p;
}

/* A pair is known: it is measured, and searched around; without strides it stands. */
static void search(struct poise_state *s, const struct poise_in *in, uint64_t n, uint64_t p)
{
    s->centre_n = n;
    s->centre_p = p;
    s->axis = in->stride_n ? poise_axis_n : poise_axis_p;
    s->stride = in->stride_n ? in->stride_n : in->stride_p;
    s->left = poise_left_none;
    s->point = poise_point_centre;
    if (s->stride)
        measure(s, in, poise_point_centre, n, p);
    else
        hold(s, n, p);
}

static void begin_epoch(struct poise_state *s, const struct poise_in *in)
{
    s->ends = (in->clock + at_least_1(in->period)) & TIME_MASK;
    if (in->given) {
        const uint64_t n = clamp(in->given_n, s->most);
        search(s, in, n, clamp(in->given_p, n));
    } else {
        measure(s, in, poise_point_base, s->most, s->most);
    }
}

/* Begins the arithmetic of a state. */
static void compute(struct poise_state *s, unsigned state)
{
    s->state = state;
    s->due = s->ends;
    s->step = s->tick = 0;
}

/* ---- counters ---- */

/* The sum over the cycles of a sample of `waiting` after each is what it was at the beginning, times
 * the cycles, plus each change times the cycles from then on. */
static void count_misses(struct poise_state *s, const struct poise_in *in)
{
    const int64_t before = (int64_t)s->waiting,
                  after = before + (int64_t)in->miss - (int64_t)in->fill;
    const uint64_t ahead = (s->due - in->clock + 1) & TIME_MASK;
    s->waiting = after < 0 ? 0 : after > (int64_t)MISSES_MASK ? MISSES_MASK : (uint64_t)after;
    if (s->state == POISE_SAMPLE)
        s->waited = (s->waited + ((uint64_t)((int64_t)s->waiting - before)) * ahead) & WAITED_MASK;
}

static void begin_sample(struct poise_state *s, const struct poise_in *in)
{
    const int search = s->point != poise_point_base && s->point != poise_point_lone;
    s->accesses = s->hits = s->owns = s->instructions = s->globals = s->waited = 0;
    s->high = 0;
    s->low = s->waiting;
    window(s, in->clock, s->point, POISE_SAMPLE, search ? in->search : in->feature);
}

static void count(struct poise_state *s, const struct poise_in *in)
{
    s->accesses += in->access;
    s->hits += in->access & in->hit;
    s->owns += in->access & in->hit & in->own;
    s->instructions += in->issued;
    s->globals += in->loads;
}

/* ---- features and prediction ---- */

static uint64_t at_most(uint64_t v, uint64_t most)
{
    return v < most ? v : most;
}

/* What was counted, into features. */
static void derive(struct poise_state *s, const struct poise_in *in)
{
    const int lone = s->point == poise_point_lone;
    const uint64_t dividends[] = {s->low, ((s->waited + s->low) & WAITED_MASK) << 4, s->hits << 16,
                                  s->owns << 16, s->instructions << 8};
    const uint64_t quotient = s->accesses ? s->low : 0;
    if (s->tick == 0) {
        s->high = 0;
        s->low = dividends[s->step];
    } else if (s->tick < LINK_LAST_TICK) {
        if (s->step == 0)
            link_multiply(s, (int64_t)at_least_1(in->feature));
        else
            link_divide(s, s->step == 4 ? s->globals : s->accesses);
    } else {
        switch (s->step) {
        case 1: *(lone ? &s->latency_lone : &s->latency_base) = at_most(quotient, 0xffff); break;
        case 2: *(lone ? &s->hit_lone : &s->hit_base) = quotient; break;
        case 3: *(lone ? &s->own_lone : &s->own_base) = quotient; break;
        case 4: s->gap = at_most(s->low, 0xffff); break;
        default: break;
        }
        s->tick = 0;
        if (s->step++ < (lone ? 3 : 4))
            return;
        s->step = 0;
        if (lone) {
            s->axis = poise_axis_n;
            compute(s, POISE_PREDICT);
        } else if (s->gap > in->cutoff << 8) {
            hold(s, s->most, s->most);
        } else {
            measure(s, in, poise_point_lone, 1, 1);
        }
        return;
    }
    s->tick++;
}

/* The link functions have given N; then p, and the search begins. */
static void found(struct poise_state *s, const struct poise_in *in)
{
    const uint64_t exponent = s->sum >> 16 & 31;
    const uint64_t rounded = exponent < 10   ? 0
                             : exponent > 18 ? NUM_WARPS
                                             : (s->low + (1 << 17)) >> 18;
    if (s->axis == poise_axis_n) {
        s->centre_n = clamp(rounded, s->most);
        s->axis = poise_axis_p;
        return;
    }
    search(s, in, s->centre_n, clamp(rounded, s->centre_n));
}

static void predict(struct poise_state *s, const struct poise_in *in)
{
    link_tick(s, in);
    if (s->step == 0 && s->tick == 0)
        found(s, in);
}

/* ---- local search ---- */

/* Measures a neighbour of the centre, if there is one that is not known. */
static void visit(struct poise_state *s, const struct poise_in *in, uint64_t point)
{
    const int less = point == poise_point_less;
    const uint64_t n = s->centre_n, p = s->centre_p, stride = s->stride;
    s->point = point;
    s->instructions = 0;
    if (s->left == (less ? poise_left_less : poise_left_more))
        return;
    if (s->axis == poise_axis_n) {
        if (less ? n >= p + stride : n + stride <= s->most)
            measure(s, in, point, less ? n - stride : n + stride, p);
    } else if (less ? p > stride : p + stride <= n) {
        measure(s, in, point, n, less ? p - stride : p + stride);
    }
}

/* Both neighbours are known. */
static void end_round(struct poise_state *s, const struct poise_in *in)
{
    uint64_t *const centre = s->axis == poise_axis_n ? &s->centre_n : &s->centre_p;
    s->point = poise_point_round;
    if (s->side == poise_side_less) {
        *centre -= s->stride;
        s->left = poise_left_more;
    } else if (s->side == poise_side_more) {
        *centre += s->stride;
        s->left = poise_left_less;
    } else {
        s->stride >>= 1;
        s->left = poise_left_none;
        if (!s->stride && s->axis == poise_axis_n) {
            s->axis = poise_axis_p;
            s->stride = in->stride_p;
        }
        if (!s->stride)
            hold(s, s->centre_n, s->centre_p);
    }
}

static void decide(struct poise_state *s, const struct poise_in *in)
{
    const uint64_t score = s->instructions;
    if (s->point == poise_point_centre || s->point == poise_point_round) {
        if (s->point == poise_point_centre)
            s->top = score;
        s->side = poise_side_none;
        visit(s, in, poise_point_less);
        return;
    }
    const int less = s->point == poise_point_less;
    if (score > s->top) {
        s->top = score;
        s->side = less ? poise_side_less : poise_side_more;
    }
    if (less)
        visit(s, in, poise_point_more);
    else
        end_round(s, in);
}

void poise_tick(struct poise_state *s, const struct poise_in *in, const struct poise_out *out)
{
    (void)out;
    if (in->start) {
        s->most = clamp(in->warps, NUM_WARPS);
        s->waiting = 0;
        begin_epoch(s, in);
        return;
    }
    const int timed_out = in->clock == s->due;
    if (s->state == POISE_SAMPLE)
        count(s, in);
    count_misses(s, in);
    if (s->state != POISE_IDLE && timed_out && s->due == s->ends) {
        begin_epoch(s, in);
        return;
    }
    switch (s->state) {
    case POISE_WARM:
        if (timed_out)
            begin_sample(s, in);
        break;
    case POISE_SAMPLE:
        if (timed_out && (s->point == poise_point_base || s->point == poise_point_lone))
            compute(s, POISE_DERIVE);
        else if (timed_out) {
            s->state = POISE_DECIDE;
            s->due = s->ends;
        }
        break;
    case POISE_DERIVE: derive(s, in); break;
    case POISE_PREDICT: predict(s, in); break;
    case POISE_DECIDE: decide(s, in); break;
    default: break;
    }
}
