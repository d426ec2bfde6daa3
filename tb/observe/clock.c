/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/clock.c: see clock.h. */
#include "tb/observe/clock.h"

#include <inttypes.h>
#include <string.h>

static void step(struct clock_observed *o)
{
    struct shadow *s = &o->shadow;
    const struct clock_seen seen = {.cycle = o->next,
                                    .instructions = o->instructions,
                                    .l1d_misses = o->l1d_misses,
                                    .l2_misses = o->l2_misses,
                                    .state = s->state,
                                    .memory = s->memory};
    s->observer->expect_clock(o->config, &seen, s->in);
    shadow_comb(s, o->next++);
}

/* The machine's unit was asked: what it was shown must be what it should have been, and nothing may have moved in cycles that were
 * left out. */
static int asked(void *context, uint64_t cycle)
{
    struct clock_observed *o = context;
    for (; o->next < cycle; shadow_tick(&o->shadow))
        step(o);
    step(o);
    const int differs = shadow_inputs_differ(&o->shadow, &o->verdict, cycle);
    shadow_tick(&o->shadow);
    return differs || shadow_registers_differ(&o->shadow, &o->verdict, cycle);
}

int clock_observed_open(struct clock_observed *o, const struct config *c, const struct plan *plan,
                        struct regulator *r, const struct memory *m, const struct sm_observed *sms)
{
    *o = (struct clock_observed){.config = c,
                                 .regulator = r,
                                 .memory = m,
                                 .sms = sms,
                                 .verdict = {-1, -1, ""},
                                 .sixths = (uint64_t)c->sm_clock,
                                 .accumulator = CLOCK_SIXTHS};
    if (!plan->count)
        return 0;
    if (plan->count > 1) {
        wrong(&o->verdict, 0, "only one unit that sets the SMs' clock can be observed");
        return -1;
    }
    o->open = 1;
    if (shadow_open(&o->shadow, &plan->units[0], &r->rack.plugs[0], 1, &o->verdict))
        return -1;
    o->observer = (struct regulator_observer){o, asked};
    r->observer = &o->observer;
    return 0;
}

void clock_observed_close(struct clock_observed *o)
{
    if (o->open)
        shadow_close(&o->shadow);
}

/* The cycles of the fixed clock that pass until the SMs have had so many of theirs. */
static uint64_t fixed_cycles(struct clock_observed *o, uint64_t cycles)
{
    uint64_t passed = 0;
    while (cycles) {
        if (o->accumulator >= CLOCK_SIXTHS) {
            o->accumulator -= CLOCK_SIXTHS;
            cycles--;
        }
        o->accumulator += o->sixths;
        passed++;
    }
    for (; o->accumulator < CLOCK_SIXTHS; passed++) /* up to the beginning of the next */
        o->accumulator += o->sixths;
    return passed;
}

/* Takes note of what the unit is to be told in the next window. */
static void look(struct clock_observed *o)
{
    o->instructions = o->l1d_misses = 0;
    o->l2_misses = memory_l2_served(o->memory).misses;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        o->l1d_misses += o->sms[i].l1d.misses;
        for (unsigned j = 0; j < NUM_SCHEDULERS; j++)
            o->instructions += o->sms[i].schedulers[j].issues;
    }
}

/* What the unit says at the end of a window holds from then on, after the time for which the SMs' clock stands. */
static void take_clock(struct clock_observed *o)
{
    uint64_t sixths = o->sixths, stands = 0;
    o->shadow.observer->steer_clock(o->config, o->shadow.state, &sixths, &stands);
    if (sixths == o->sixths)
        return;
    o->sixths = sixths;
    o->accumulator = CLOCK_SIXTHS;
    o->fixed += stands;
}

int clock_observed_window(struct clock_observed *o, uint64_t until)
{
    const uint64_t fixed = clocks_fixed(memory_clocks(o->memory), until);
    if (!o->open || o->regulator->wrong)
        return 0;
    for (; o->next < fixed; shadow_tick(&o->shadow))
        step(o);
    if (shadow_registers_differ(&o->shadow, &o->verdict, until))
        return 1;
    if (until > o->cycle) { /* else it stands */
        o->fixed += fixed_cycles(o, until - o->cycle);
        o->cycle = until;
        if (fixed != o->fixed)
            return wrong(&o->verdict, until,
                         "the fixed clock is in cycle %" PRIu64 "; by the clock that the unit "
                         "has set for the SMs it should be in %" PRIu64,
                         fixed, o->fixed);
        take_clock(o);
    }
    look(o);
    return 0;
}
