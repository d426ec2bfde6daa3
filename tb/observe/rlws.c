/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/rlws.c: what the learner of RLWS is to be shown (rtl/rlws/README.md). */
#include "cmodel/rlws/rlws.h"

#include <math.h>
#include <string.h>

#include "cmodel/rlws_state/rlws_state.h"
#include "tb/observe/observer.h"
#include "tb/sm/sm_state.h"

/* Two's complement with RLWS_WEIGHT_BITS - 12 bits behind the point. */
static uint64_t fixed(double value)
{
    const double most = ldexp(1, RLWS_WEIGHT_BITS - 1) - 1;
    const double is = fmax(fmin(round(ldexp(value, RLWS_WEIGHT_BITS - 12)), most), -most - 1);
    return (uint64_t)(int64_t)is & (UINT64_MAX >> (64 - RLWS_WEIGHT_BITS));
}

static uint64_t fraction(int64_t millionths)
{
    return (uint64_t)llround((double)millionths * 65536 / 1e6);
}

/* The settings of the policy's design: rlws_ms.* under rlws-ms, else rlws.*. */
static void settings(const struct config *c, const struct sm *sm, struct rlws_in *in)
{
    const int meta = !strcmp(c->run_sched, "rlws-ms");
    const int64_t *attribute = meta ? &c->rlws_ms_attribute1 : &c->rlws_attribute1;
    const double reward = (double)(meta ? c->rlws_ms_reward : c->rlws_reward) / 1000,
                 penalty = (double)(meta ? c->rlws_ms_penalty : c->rlws_penalty) / 1000;
    const int64_t interval = meta ? c->rlws_ms_interval : c->rlws_interval;
    const int64_t gamma = meta ? c->rlws_ms_gamma : c->rlws_gamma;
    double variables = 0;
    for (unsigned i = 0; i < 8; i++)
        if (attribute[i] != 34) {
            in->used |= UINT64_C(1) << i;
            variables++;
        }
    in->optimism =
        fixed(fmax(reward, penalty) * 1e6 / (double)(1000000 - gamma) / fmax(variables, 1));
    in->interval = (uint64_t)interval - 1;
    in->reward = fixed(reward / (double)interval);
    in->penalty = fixed(penalty / (double)interval);
    in->alpha = fraction(meta ? c->rlws_ms_alpha : c->rlws_alpha);
    in->epsilon = fraction(meta ? c->rlws_ms_epsilon : c->rlws_epsilon);
    in->gamma = fraction(gamma);
    in->decay = (uint64_t)(meta ? c->rlws_ms_decay : c->rlws_decay);
    in->keep = (uint64_t)(meta ? c->rlws_ms_keep : c->rlws_keep);
    in->seed = (uint32_t)((meta ? c->rlws_ms_seed : c->rlws_seed) + sm->index);
}

static void expect(const struct config *c, const struct sm_seen *seen, void *input)
{
    const struct rlws_state_out *state = seen_out(seen, "rlws_state");
    const struct rlws_state_state *registers = seen_state(seen, "rlws_state");
    struct rlws_in *in = input;
    memset(in, 0, sizeof *in);
    settings(c, seen->sm, in);
    in->start = (uint64_t)seen->starts;
    in->waiting = registers->waiting;
    memcpy(in->value, state->value, sizeof in->value);
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
        int warps = 0;
        for (unsigned slot = 0; slot < NUM_WARPS; slot++)
            warps += seen->sm->schedulers[k].state[slot] != WARP_FREE;
        if (!warps || seen->action[k] == NO_CHOICE)
            continue;
        bit_set(in->acts, k, 1);
        in->action[k] = seen->action[k];
    }
    for (unsigned i = 0; i < seen->num_events; i++)
        if (seen->events[i].kind == EVENT_issue)
            bit_set(in->issued, (unsigned)(seen->events[i].of.issue.warp / NUM_WARPS), 1);
}

static void steer(const void *output, const void *state, struct controls *c)
{
    const struct rlws_state *s = state;
    (void)output;
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
        c[k].beats = 0;
        for (unsigned pair = 0; pair < RLWS_PAIRS; pair++)
            c[k].beats |= (uint64_t)bit_get(s->beats, k * RLWS_PAIRS + pair) << pair;
        if (bit_get(s->explore, k))
            c[k].draw = s->lfsr[k] % 256;
        c[k].rested = s->known[k] == 2 && !s->last_action[k];
    }
}

const struct observer rlws_observer = {.stem = "rlws", .expect_sm = expect, .steer = steer};
