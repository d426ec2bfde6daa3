/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/rlws/rlws.c: see rlws.h. */
#include "cmodel/rlws/rlws.h"

#include <string.h>

#define BITS    RLWS_WEIGHT_BITS
#define HIGHEST ((INT64_C(1) << (BITS - 1)) - 1)
#define LOWEST  (-HIGHEST - 1)

_Static_assert(BITS >= 13 && BITS <= 32,
               "11 bits and a sign before the point; products fit 64 bits");

/* Two's complement in so many bits, and back. */
static int64_t number(uint64_t bits, unsigned width)
{
    return (int64_t)(bits << (64 - width)) >> (64 - width);
}

static uint64_t bits_of(int64_t number, unsigned width)
{
    return (uint64_t)number & ~UINT64_C(0) >> (64 - width);
}

static uint64_t saturated(int64_t sum)
{
    return bits_of(sum < LOWEST ? LOWEST : sum > HIGHEST ? HIGHEST : sum, BITS);
}

/* number * 2^-shift, halves upwards. Rounded down instead, what is lost in every cycle would add up. */
static int64_t rounded(int64_t number, uint64_t shift)
{
    return (number >> shift) + (shift ? number >> (shift - 1) & 1 : 0);
}

static void forget(struct rlws_state *s)
{
    memset(s->known, 0, sizeof s->known);
    memset(s->explore, 0, sizeof s->explore);
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++)
        bits_set(s->beats, k * RLWS_PAIRS, RLWS_PAIRS, (1u << RLWS_PAIRS) - 1);
}

/* Each scheduler's register begins elsewhere; 0 would stay 0. */
static void sow(struct rlws_state *s, uint64_t seed)
{
    for (uint32_t k = 0; k < NUM_SCHEDULERS; k++) {
        const uint32_t begin = (uint32_t)seed ^ k * UINT32_C(0x9e3779b9);
        s->lfsr[k] = begin ? begin : 1;
    }
}

void rlws_reset(struct rlws_state *s)
{
    memset(s, 0, sizeof *s);
    forget(s);
    sow(s, 0);
}

static int acts(const struct rlws_in *in, unsigned k)
{
    return bit_get(in->acts, k) && in->action[k] < RLWS_ACTIONS;
}

/* Of an action in a state of eight values. */
static int64_t q_of(const uint64_t *theta, uint64_t used, const uint64_t *value, uint64_t action)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < RLWS_VARIABLES; i++)
        if (used >> i & 1)
            sum += number(theta[i * RLWS_ACTIONS + action], BITS) >> value[i];
    return number(saturated(sum), BITS);
}

void rlws_comb(const struct rlws_state *s, const struct rlws_in *in, struct rlws_out *out)
{
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
        const unsigned own = k * RLWS_VARIABLES;
        out->change[k] = 0;
        if (in->start || s->phase || !acts(in, k) || s->known[k] != rlws_known_pair)
            continue;
        const int64_t q = q_of(s->theta, in->used, &s->now[own], in->action[k]),
                      last = q_of(s->theta, in->used, &s->last[own], s->last_action[k]),
                      difference =
                          number(s->gained[k], BITS) + rounded((int64_t)in->gamma * q, 16) - last;
        out->change[k] = bits_of(rounded((int64_t)s->rate * difference, 16), BITS + 2);
    }
}

/* The weights of the action before move. */
static void learn(struct rlws_state *s, const struct rlws_in *in, unsigned k, int64_t change)
{
    for (unsigned i = 0; i < RLWS_VARIABLES; i++) {
        uint64_t *weight = &s->theta[i * RLWS_ACTIONS + s->last_action[k]];
        if (in->used >> i & 1)
            *weight =
                saturated(number(*weight, BITS) + rounded(change, s->last[k * RLWS_VARIABLES + i]));
    }
}

/* An interval begins: the action of this cycle takes the place of the one before, whose weights move. */
static void decide(struct rlws_state *s, const struct rlws_in *in, unsigned k, int64_t change)
{
    if (s->known[k] == rlws_known_pair)
        learn(s, in, k, change);
    if (s->known[k] == rlws_known_none)
        return;
    s->known[k] = rlws_known_pair;
    s->last_action[k] = in->action[k];
    s->gained[k] = 0;
    memcpy(&s->last[k * RLWS_VARIABLES], &s->now[k * RLWS_VARIABLES],
           RLWS_VARIABLES * sizeof *s->now);
}

/* What the cycle has brought is the last action's. */
static void gain(struct rlws_state *s, const struct rlws_in *in, unsigned k)
{
    const uint64_t brought = bit_get(in->issued, k) ? in->reward : in->penalty;
    if (s->known[k] == rlws_known_pair)
        s->gained[k] = saturated(number(s->gained[k], BITS) + number(brought, BITS));
}

/* x^32 + x^22 + x^2 + x + 1: the sequence has all values but 0. */
static uint64_t shifted(uint64_t lfsr)
{
    for (int i = 0; i < RLWS_DRAWS; i++)
        lfsr = (lfsr << 1 | ((lfsr >> 31 ^ lfsr >> 21 ^ lfsr >> 1 ^ lfsr) & 1)) & UINT32_MAX;
    return lfsr;
}

/* An interval ends: the state of the next action, which action is preferred in it, and whether one is drawn. */
static void look(struct rlws_state *s, const struct rlws_in *in, const uint64_t *theta, unsigned k)
{
    const uint64_t *value = &in->value[k * RLWS_VARIABLES];
    int64_t q[RLWS_ACTIONS];
    unsigned pair = k * RLWS_PAIRS;
    memcpy(&s->now[k * RLWS_VARIABLES], value, RLWS_VARIABLES * sizeof *value);
    for (unsigned a = 0; a < RLWS_ACTIONS; a++)
        q[a] = q_of(theta, in->used, value, a);
    for (unsigned i = 0; i < RLWS_ACTIONS; i++)
        for (unsigned j = i + 1; j < RLWS_ACTIONS; j++)
            bit_set(s->beats, pair++, q[i] >= q[j]);
    s->lfsr[k] = shifted(s->lfsr[k]);
    bit_set(s->explore, k, s->lfsr[k] >> 16 < s->explores);
    if (s->known[k] == rlws_known_none)
        s->known[k] = rlws_known_now;
}

static void decay(struct rlws_state *s, const struct rlws_in *in)
{
    const int over = in->decay && s->elapsed >= in->decay - 1;
    if (!in->waiting) {
        s->rate = in->alpha;
        s->explores = in->epsilon;
    } else if (over) {
        s->rate -= s->rate >> 3;
        s->explores -= s->explores >> 3;
    }
    s->elapsed = in->waiting && in->decay && !over ? s->elapsed + 1 : 0;
}

void rlws_tick(struct rlws_state *s, const struct rlws_in *in, const struct rlws_out *out)
{
    uint64_t before[sizeof s->theta / sizeof *s->theta];
    int any = 0;
    if (in->start) {
        for (unsigned i = 0; i < RLWS_VARIABLES * RLWS_ACTIONS; i++)
            s->theta[i] = in->keep ? s->theta[i] : in->optimism;
        s->rate = in->alpha;
        s->explores = in->epsilon;
        s->elapsed = s->phase = 0;
        forget(s);
        sow(s, in->seed);
        return;
    }
    memcpy(before, s->theta, sizeof before);
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
        if (!acts(in, k))
            continue;
        any = 1;
        if (s->phase == 0)
            decide(s, in, k, number(out->change[k], BITS + 2));
        gain(s, in, k);
        if (s->phase >= in->interval)
            look(s, in, before, k);
    }
    if (any) {
        decay(s, in);
        s->phase = s->phase >= in->interval ? 0 : s->phase + 1;
    }
}
