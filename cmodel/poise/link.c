/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/poise/link.c: see link.h. */
#include "cmodel/poise/link.h"

#define ONE       (UINT64_C(1) << 16) /* of a feature */
#define SCALE     24                  /* warps of a scheduler that the weights are made for */
#define LOG2_E    INT64_C(1512775)    /* 20 bits behind the point */
#define LN2_12    INT64_C(8721810)    /* 12 ln 2, so */
#define MOST_SUM  (INT64_C(8) << 20)  /* e to that is beyond all */
#define TEN_TO_4  10000
#define HIGH_MASK ((UINT64_C(1) << 25) - 1)
#define SUM_MASK  ((UINT64_C(1) << 37) - 1)

/* A number of `bits` bits in two's complement. */
static int64_t as_signed(uint64_t v, unsigned bits)
{
    return (int64_t)(v << (64 - bits)) >> (64 - bits);
}

void link_multiply(struct poise_state *s, int64_t factor)
{
    const int64_t sum = as_signed(s->high, 25) + (s->low & 1 ? factor : 0);
    s->low = s->low >> 1 | ((uint64_t)sum & 1) << 31;
    s->high = (uint64_t)(sum >> 1) & HIGH_MASK;
}

void link_divide(struct poise_state *s, uint64_t divisor)
{
    const uint64_t rest = (s->high << 1 | s->low >> 31) & HIGH_MASK;
    const int fits = rest >= divisor;
    s->high = fits ? rest - divisor : rest;
    s->low = (s->low << 1 & UINT32_MAX) | (uint64_t)fits;
}

static uint64_t product(const struct poise_state *s)
{
    return (uint64_t)(as_signed(s->high, 25) * (INT64_C(1) << 32)) | s->low;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* The steps of a link function. */
enum {
    H_BASE,
    H_LONE,
    OWN_BASE,
    OWN_LONE,
    SQUARE,
    X5,
    SQUARE_AGAIN,
    REACH, /* I_n times the square */
    X6,
    LATENCY,
    TENTHS, /* the square of the latency's change, by 10^4 */
    X7,
    POWER, /* of two, instead of e */
    CURVE,
    SCALED, /* by W */
    PAIR
};

/* How far the power of two is above the least that is told apart, 2^-2. */
static uint64_t shift_of(uint64_t exponent)
{
    return exponent < 10 ? 0 : exponent > 18 ? 8 : exponent - 10;
}

static uint64_t first_factor(const struct poise_state *s)
{
    const uint64_t p = product(s), fraction = s->sum & 0xffff;
    int64_t sum = as_signed(s->sum, 37);
    switch (s->step) {
    case H_BASE: return s->hit_base;
    case H_LONE: return s->hit_lone;
    case OWN_BASE: return s->own_base;
    case OWN_LONE: return s->own_lone;
    case SQUARE:
    case SQUARE_AGAIN: return distance(s->own_lone, s->own_base);
    case X5:
    case REACH: return p >> 16;
    case X6: return p >> 8 & UINT32_MAX;
    case LATENCY: return distance(s->latency_lone, s->latency_base);
    case TENTHS: return s->low;
    case X7: return s->low << 8 & UINT32_MAX;
    case POWER:
        sum = sum < -MOST_SUM ? -MOST_SUM : sum >= MOST_SUM ? MOST_SUM - 1 : sum;
        return (uint64_t)(sum + LN2_12);
    case CURVE: return fraction;
    case SCALED: return ONE + fraction - (11 * (s->low >> 16) >> 5);
    default: return s->low; /* PAIR */
    }
}

/* The weight of a step's feature. */
static int64_t weight(const struct poise_state *s, const struct poise_in *in)
{
    static const unsigned number[16] = {
        [H_BASE] = 0, [H_LONE] = 1, [OWN_BASE] = 2, [OWN_LONE] = 3, [X5] = 4, [X6] = 5, [X7] = 6};
    return as_signed(in->weight[8 * s->axis + number[s->step]], 25);
}

static int64_t second_factor(const struct poise_state *s, const struct poise_in *in)
{
    switch (s->step) {
    case SQUARE:
    case SQUARE_AGAIN: return (int64_t)distance(s->own_lone, s->own_base);
    case REACH: return (int64_t)s->gap;
    case LATENCY: return (int64_t)distance(s->latency_lone, s->latency_base);
    case POWER: return LOG2_E;
    case CURVE: return (int64_t)(ONE - (s->sum & 0xffff));
    case SCALED: return (int64_t)(s->most << shift_of(s->sum >> 16 & 31));
    default: return weight(s, in);
    }
}

void link_tick(struct poise_state *s, const struct poise_in *in)
{
    const int adds = s->step <= OWN_LONE || s->step == X5 || s->step == X6 || s->step == X7;
    if (s->tick == 0) {
        s->low = first_factor(s);
        s->high = 0;
        if (s->step == H_BASE)
            s->sum = (uint64_t)as_signed(in->weight[8 * s->axis + 7], 25) & SUM_MASK;
    } else if (s->tick < LINK_LAST_TICK) {
        if (s->step == TENTHS)
            link_divide(s, TEN_TO_4);
        else if (s->step == PAIR)
            link_divide(s, SCALE);
        else
            link_multiply(s, second_factor(s, in));
    } else {
        if (adds)
            s->sum = (s->sum + (uint64_t)((int64_t)product(s) >> 16)) & SUM_MASK;
        else if (s->step == POWER)
            s->sum = product(s) >> 24 & 0x1fffff;
        s->step = (s->step + 1) & 15;
        s->tick = 0;
        return;
    }
    s->tick++;
}
