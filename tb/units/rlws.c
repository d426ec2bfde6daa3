/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/rlws.c: the learner of RLWS in an SM (RLWS IV). Its variables are what the unit rlws_state shows in the same cycle; what it prefers
 * steers the units rlws_act or rlws_ms of the schedulers, whose actions it sees. */
#include "cmodel/rlws/rlws.h"

#include <string.h>

#include "cmodel/rlws_state/rlws_state.h"
#include "tb/units/rlws_design.h"
#include "tb/units/socket.h"

#define FRACTION (RLWS_WEIGHT_BITS - 12)

struct memory {
    struct rlws_in settings;
    const struct plug *state; /* rlws_state */
    uint64_t waiting;         /* its register of that name, as the last cycle has left it */
    uint64_t seed;
    struct rlws_in heard; /* in this cycle, with the settings */
};

/* A rate in millionths, as 16 bits behind the point. */
static uint64_t rate(int64_t millionths)
{
    return (uint64_t)((millionths * 65536 + 500000) / 1000000);
}

/* A quotient as a weight: two's complement, FRACTION bits behind the point, the nearest that fits. */
static uint64_t weight(int64_t dividend, int64_t divisor)
{
    const int64_t most = (INT64_C(1) << (RLWS_WEIGHT_BITS - 1)) - 1, least = -most - 1;
    const int64_t twice = dividend * (INT64_C(1) << (FRACTION + 1)) / divisor;
    const int64_t rounded = (twice + (twice < 0 ? -1 : 1)) / 2;
    const int64_t held = rounded > most ? most : rounded < least ? least : rounded;
    return (uint64_t)held & ~UINT64_C(0) >> (64 - RLWS_WEIGHT_BITS);
}

static void open(struct plug *p, const struct config *c)
{
    struct memory *m = p->memory;
    const struct rlws_design d = rlws_design_of(c);
    const int64_t variables = rlws_variables(&d);
    struct rlws_in *in = &m->settings;
    m->state = plug_find(p, "rlws_state");
    m->seed = (uint64_t)d.seed;
    in->keep = (uint64_t)d.keep;
    /* The best that can come, r_max / (1 - gamma), over the variables (RLWS II-B). */
    in->optimism = weight(1000 * (d.reward > d.penalty ? d.reward : d.penalty),
                          (1000000 - d.gamma) * (variables ? variables : 1));
    for (unsigned i = 0; i < RLWS_SLOTS; i++)
        in->used |= (uint64_t)(d.attribute[i] < RLWS_NUM_ATTRIBUTES) << i;
    in->interval = (uint64_t)d.interval - 1;
    /* A full interval brings what a cycle does that is one. */
    in->reward = weight(d.reward, 1000 * d.interval);
    in->penalty = weight(d.penalty, 1000 * d.interval);
    in->alpha = rate(d.alpha);
    in->epsilon = rate(d.epsilon);
    in->gamma = rate(d.gamma);
    in->decay = (uint64_t)d.decay;
    m->heard = m->settings;
}

static void hear(struct plug *p, const struct event *e)
{
    struct rlws_in *in = &((struct memory *)p->memory)->heard;
    if (e->kind == EVENT_kernel_start)
        in->start = 1;
    else
        bit_set(in->issued, (unsigned)(e->of.issue.warp / NUM_WARPS), 1);
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    struct memory *m = p->memory;
    const struct rlws_state_state *s = plug_state(m->state);
    const struct rlws_state_out *shown = m->state->out;
    struct rlws_in *in = input;
    (void)controls;
    *in = m->heard;
    m->heard = m->settings;
    in->seed = (m->seed + view->sm->number) & UINT32_MAX;
    in->waiting = m->waiting; /* the register's output in this cycle; that unit has had its edge */
    m->waiting = s->waiting;
    memcpy(in->value, shown->value, sizeof in->value);
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
        const struct scheduler_view *v = view->sm->schedulers[k];
        const int acts = v->occupied != 0 && v->action != NO_CHOICE;
        bit_set(in->acts, k, acts);
        in->action[k] = acts ? v->action : 0;
    }
    return in->start || bits_any(in->issued, NUM_SCHEDULERS);
}

static void apply(const struct plug *p, void *controls)
{
    const struct rlws_state *s = plug_state(p);
    struct controls *c = controls;
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
        c[k].beats = bits_get(s->beats, k * RLWS_PAIRS, RLWS_PAIRS);
        if (bit_get(s->explore, k))
            c[k].draw = s->lfsr[k] & UINT8_MAX;
        c[k].rested = s->known[k] == rlws_known_pair && s->last_action[k] == 0;
    }
}

const struct socket rlws_socket = {.stem = "rlws",
                                   .scope = SCOPE_SM,
                                   .hears = HEARS(kernel_start) | HEARS(issue),
                                   .memory = sizeof(struct memory),
                                   .open = open,
                                   .hear = hear,
                                   .gather = gather,
                                   .apply = apply};
