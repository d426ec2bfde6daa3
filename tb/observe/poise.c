/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/poise.c: what the inference engine is to be shown (rtl/poise/README.md). */
#include "cmodel/poise/poise.h"

#include <math.h>
#include <string.h>

#include "tb/observe/observer.h"
#include "tb/sm/sm_state.h"

struct memory {
    uint64_t launches, start; /* kernels that have begun, and the cycle in which the last one has */
};

/* How many of a kernel's warps a scheduler holds when the SM is full: warp j of a block is on
 * scheduler j modulo their number, so the first has the most. */
static uint64_t most_warps(const struct sm *sm)
{
    uint64_t warps = 0;
    for (uint64_t j = 0; j < sm->kernels[0].shape.warps; j += NUM_SCHEDULERS)
        warps += sm->kernels[0].shape.blocks;
    return warps > NUM_WARPS ? NUM_WARPS : warps;
}

static uint64_t fixed(int64_t millionths)
{
    return (uint64_t)llround((double)millionths * 1048576.0 / 1e6) & 0x1ffffff;
}

/* A length in cycles, as many as there are bits for. */
static uint64_t cycles(int64_t length, unsigned bits)
{
    return length >> bits ? (UINT64_C(1) << bits) - 1 : (uint64_t)length;
}

static void settings(const struct config *c, struct poise_in *in)
{
    const int64_t *const alpha = &c->poise_alpha1, *const beta = &c->poise_beta1;
    _Static_assert(offsetof(struct config, poise_alpha8) ==
                           offsetof(struct config, poise_alpha1) + 7 * sizeof(int64_t) &&
                       offsetof(struct config, poise_beta8) ==
                           offsetof(struct config, poise_beta1) + 7 * sizeof(int64_t),
                   "weights stand one after the other");
    for (unsigned i = 0; i < 8; i++) {
        in->weight[i] = fixed(alpha[i]);
        in->weight[8 + i] = fixed(beta[i]);
    }
    in->period = cycles(c->poise_period, POISE_TIME_BITS);
    in->warmup = cycles(c->poise_warmup, POISE_SAMPLE_BITS);
    in->feature = cycles(c->poise_feature, POISE_SAMPLE_BITS);
    in->search = cycles(c->poise_search, POISE_SAMPLE_BITS);
    in->cutoff = (uint64_t)c->poise_cutoff;
    in->stride_n = (uint64_t)c->poise_stride_n;
    in->stride_p = (uint64_t)c->poise_stride_p;
}

/* One more number in the hash that draws a start (rtl/poise/README.md, "Pairs that are given"). */
static uint64_t hashed(uint64_t before, uint64_t number)
{
    uint64_t z = (before ^ number) + 0x9e3779b97f4a7c15;
    z ^= z >> 30;
    z *= 0xbf58476d1ce4e5b9;
    z ^= z >> 27;
    z *= 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Pair number h modulo all that there are, by N and then by p. */
static void draw(uint64_t h, struct poise_in *in)
{
    const uint64_t w = in->warps, pair = h % (w * (w + 1) / 2);
    for (in->given_n = w; in->given_n * (in->given_n - 1) / 2 > pair;)
        in->given_n--;
    in->given_p = pair - in->given_n * (in->given_n - 1) / 2 + 1;
    in->given = 1;
}

/* The epoch that would begin in this cycle: 0 as the kernel does, then one after each period. */
static void give(const struct config *c, const struct sm_seen *seen, struct poise_in *in)
{
    struct memory *m = seen->memory;
    const struct told_pairs *told = seen->sm->told;
    if (seen->starts) {
        m->start = seen->cycle;
        m->launches++;
    }
    if (!m->launches)
        return;
    const uint64_t epoch = (seen->cycle + in->period - 1 - m->start) / in->period;
    if (!strcmp(c->run_sched, "random-restart")) {
        const uint64_t sm = hashed(hashed(0, (uint64_t)c->poise_seed), seen->sm->index);
        draw(hashed(hashed(sm, m->launches - 1), epoch), in);
    } else if (told && told->count) {
        const struct told_pair *pair = &told->pairs[told->count - 1];
        if (epoch < told->count)
            pair = &told->pairs[epoch];
        in->given = pair->n != 0;
        in->given_n = pair->n;
        in->given_p = pair->p;
    }
}

static void expect(const struct config *c, const struct sm_seen *seen, void *input)
{
    struct poise_in *in = input;
    memset(in, 0, sizeof *in);
    settings(c, in);
    in->start = (uint64_t)seen->starts;
    in->warps = most_warps(seen->sm);
    for (unsigned i = 0; i < seen->num_events; i++) {
        const struct event *e = &seen->events[i];
        in->issued += e->kind == EVENT_issue;
        in->loads += e->kind == EVENT_issue && e->of.issue.load;
        in->access |= e->kind == EVENT_l1d_hit || e->kind == EVENT_l1d_miss;
        in->hit |= e->kind == EVENT_l1d_hit;
        in->own |= e->kind == EVENT_l1d_hit && e->of.l1d_hit.owner == e->of.l1d_hit.warp;
        in->miss |= e->kind == EVENT_l1d_miss;
        if (e->kind == EVENT_l1d_return)
            in->fill += e->of.l1d_return.loads;
    }
    if (in->fill >> POISE_MISS_BITS)
        in->fill = (1 << POISE_MISS_BITS) - 1;
    give(c, seen, in);
}

static void steer(const void *output, const void *state, struct controls *c)
{
    const struct poise_state *s = state;
    (void)output;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        c[i].vital = s->n;
        c[i].polluters = s->p;
    }
}

const struct observer poise_observer = {
    .stem = "poise", .memory = sizeof(struct memory), .expect_sm = expect, .steer = steer};
