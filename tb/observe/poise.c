/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/poise.c: what the inference engine is to be shown (rtl/poise/README.md). */
#include "cmodel/poise/poise.h"

#include <math.h>
#include <string.h>

#include "tb/observe/observer.h"

/* How many of a kernel's warps a scheduler holds when the SM is full: warp j of a block is on
 * scheduler j modulo their number, so the first has the most. */
static uint64_t most_warps(const struct sm *sm)
{
    uint64_t warps = 0;
    for (uint64_t j = 0; j < sm->shape.warps; j += NUM_SCHEDULERS)
        warps += sm->shape.blocks;
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

const struct observer poise_observer = {.stem = "poise", .expect_sm = expect, .steer = steer};
