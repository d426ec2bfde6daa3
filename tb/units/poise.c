/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/poise.c: Poise's inference engine of an SM (Poise VI). What it finds is the N and p of the
 * units `mask` of all schedulers, which are behind it in the policy. Under random-restart, or where poise.told has one, an epoch is
 * given the pair that it begins with. */
#include "cmodel/poise/poise.h"

#include <string.h>

#include "tb/units/poise_log.h"
#include "tb/units/poise_start.h"

struct memory {
    struct poise_in settings;
    struct poise_in heard; /* in this cycle, with the settings */
    int random;            /* the policy is random-restart: every epoch begins at a pair drawn */
    uint64_t seed, launches;
    uint64_t epoch;        /* the one that begins next, by its number in the launch */
    uint64_t ends;         /* of the one under way */
    struct told_pair next; /* what is given to the next */
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
    m->random = !strcmp(c->run_sched, "random-restart");
    m->seed = (uint64_t)c->poise_seed;
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

/* The pair of the epoch that begins next, if there is one. */
static struct told_pair pair_of(const struct memory *m, const struct sm_view *sm)
{
    const struct told_pairs *told = sm->told;
    if (m->random)
        return poise_start(m->seed, sm->number, m->launches - 1, m->epoch, sm->warps);
    if (!told || !told->count)
        return (struct told_pair){0, 0};
    return told->pairs[m->epoch < told->count ? m->epoch : told->count - 1];
}

/* An epoch has begun where the engine's `ends` is not what it was. It is never set to what it was, but perhaps by a kernel's start. */
static void give(struct memory *m, const struct poise_state *s, const struct sm_view *sm,
                 struct poise_in *in)
{
    if (in->start) {
        m->launches++;
        m->epoch = 0;
        m->ends = UINT64_MAX;
        m->next = pair_of(m, sm);
    } else if (m->launches && s->ends != m->ends) {
        m->epoch++;
        m->ends = s->ends;
        m->next = pair_of(m, sm);
    }
    in->given = m->next.n > 0;
    in->given_n = m->next.n;
    in->given_p = m->next.p;
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
    give(m, plug_state(p), view->sm, in);
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
