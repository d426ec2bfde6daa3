/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/poise.c: Poise's inference engine of an SM (Poise VI). What it finds is the N and p of the
 * units `mask` of all schedulers, which are behind it in the policy. */
#include "cmodel/poise/poise.h"

#include <string.h>

#include "tb/units/poise_log.h"

struct memory {
    struct poise_in settings;
    struct poise_in heard; /* in this cycle, with the settings */
};

/* What so many bits hold of it. */
static uint64_t held(int64_t value, unsigned bits)
{
    const int64_t most = (INT64_C(1) << bits) - 1;
    return (uint64_t)(value < most ? value : most);
}

/* A weight in millionths, as 25 bits with 20 behind the point. */
static uint64_t weight(int64_t millionths)
{
    const int64_t twice = millionths * (INT64_C(1) << 21) / 1000000;
    const int64_t rounded = (twice + (twice < 0 ? -1 : 1)) / 2;
    return (uint64_t)rounded & ((1 << 25) - 1);
}

static void open(struct plug *p, const struct config *c)
{
    struct memory *m = p->memory;
    const int64_t weights[] = {c->poise_alpha1, c->poise_alpha2, c->poise_alpha3, c->poise_alpha4,
                               c->poise_alpha5, c->poise_alpha6, c->poise_alpha7, c->poise_alpha8,
                               c->poise_beta1,  c->poise_beta2,  c->poise_beta3,  c->poise_beta4,
                               c->poise_beta5,  c->poise_beta6,  c->poise_beta7,  c->poise_beta8};
    struct poise_in *in = &m->settings;
    in->period = held(c->poise_period, POISE_TIME_BITS);
    in->warmup = held(c->poise_warmup, POISE_SAMPLE_BITS);
    in->feature = held(c->poise_feature, POISE_SAMPLE_BITS);
    in->search = held(c->poise_search, POISE_SAMPLE_BITS);
    in->cutoff = (uint64_t)c->poise_cutoff;
    in->stride_n = (uint64_t)c->poise_stride_n;
    in->stride_p = (uint64_t)c->poise_stride_p;
    for (unsigned i = 0; i < 16; i++)
        in->weight[i] = weight(weights[i]);
    m->heard = m->settings;
}

static void hear(struct plug *p, const struct event *e)
{
    struct poise_in *in = &((struct memory *)p->memory)->heard;
    switch (e->kind) {
    case EVENT_kernel_start: in->start = 1; break;
    case EVENT_issue:
        in->issued++;
        in->loads += e->of.issue.load != 0;
        break;
    case EVENT_l1d_hit:
        in->access = in->hit = 1;
        in->own = e->of.l1d_hit.owner == e->of.l1d_hit.warp;
        break;
    case EVENT_l1d_miss: in->access = in->miss = 1; break;
    default: in->fill += e->of.l1d_return.loads;
    }
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    static const uint64_t most_fill = (1 << POISE_MISS_BITS) - 1;
    struct memory *m = p->memory;
    struct poise_in *in = input;
    (void)controls;
    *in = m->heard;
    m->heard = m->settings;
    in->fill = in->fill < most_fill ? in->fill : most_fill;
    in->warps = view->sm->warps;
    return in->start || in->issued || in->access || in->fill;
}

static void apply(const struct plug *p, void *controls)
{
    const struct poise_state *state = plug_state(p);
    struct controls *c = controls;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        c[i].vital = state->n;
        c[i].polluters = state->p;
    }
}

const struct socket poise_socket = {.stem = "poise",
                                    .scope = SCOPE_SM,
                                    .hears = HEARS(kernel_start) | HEARS(issue) | HEARS(l1d_hit) |
                                             HEARS(l1d_miss) | HEARS(l1d_return),
                                    .memory = sizeof(struct memory),
                                    .open = open,
                                    .hear = hear,
                                    .gather = gather,
                                    .count = poise_log_count,
                                    .log = &poise_log,
                                    .apply = apply};
