/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/units.c: see units.h. */
#include "tb/observe/units.h"

#include <stdlib.h>
#include <string.h>

int units_observe(struct units_observer *o, const struct config *c, const struct plan *plan,
                  const struct sm *sm, const struct gpu_observed *gpu, struct verdict *verdict)
{
    *o = (struct units_observer){.config = c, .sm = sm, .verdict = verdict, .gpu = gpu};
    o->shadows = calloc(plan->count + 1u, sizeof *o->shadows);
    if (!o->shadows)
        return -1;
    while (o->count < plan->count) {
        const unsigned i = o->count++;
        if (shadow_open(&o->shadows[i], &plan->units[i], &sm->rack.plugs[i], NUM_SCHEDULERS,
                        verdict))
            return -1;
    }
    return 0;
}

void units_observer_free(struct units_observer *o)
{
    for (unsigned i = 0; i < o->count; i++)
        shadow_close(&o->shadows[i]);
    free(o->shadows);
}

const void *seen_out(const struct sm_seen *seen, const char *stem)
{
    const struct shadow *s = shadow_find(seen->shadows, seen->num_before, stem);
    return s ? s->out : NULL;
}

const void *seen_state(const struct sm_seen *seen, const char *stem)
{
    const struct shadow *s = shadow_find(seen->shadows, seen->num_shadows, stem);
    return s ? s->state : NULL;
}

void units_start(struct units_observer *o, uint64_t cycle)
{
    if (o->next < cycle)
        for (unsigned i = 0; i < o->count; i++)
            shadow_rest(&o->shadows[i], cycle - o->next);
    o->next = cycle;
    o->starts = 1;
    o->at = 0;
}

/* Do units of the GPU steer, too? */
static int is_steered(const struct units_observer *o)
{
    return o->gpu && o->gpu->steers;
}

/* Shows all shadows the next cycle, and has them steer. Returns whether anything has moved. */
static int ask(struct units_observer *o, const struct event *events, unsigned num_events, int final,
               struct controls controls[NUM_SCHEDULERS])
{
    struct sm_seen seen = {.sm = o->sm,
                           .cycle = o->next,
                           .starts = o->starts,
                           .events = events,
                           .num_events = num_events,
                           .final = final,
                           .shadows = o->shadows,
                           .num_shadows = o->count,
                           .places = o->places,
                           .action = o->action};
    int moved = o->starts;
    memset(controls, 0xff, NUM_SCHEDULERS * sizeof *controls);
    for (unsigned i = 0; i < NUM_SCHEDULERS && is_steered(o); i++) {
        const struct gpu_controls *from = &gpu_steered(o->gpu, &o->at, o->next)->controls;
        controls[i].vital = from->vital[o->sm->index];
        controls[i].polluters = from->polluters[o->sm->index];
    }
    for (unsigned i = 0; i < o->count; i++) {
        struct shadow *s = &o->shadows[i];
        seen.memory = s->memory;
        s->observer->expect_sm(o->config, &seen, s->in);
        shadow_comb(s, o->next);
        seen.num_before++;
    }
    for (unsigned i = 0; i < o->count; i++) {
        moved |= shadow_tick(&o->shadows[i]);
        shadow_steer(&o->shadows[i], controls);
    }
    o->starts = 0;
    o->next++;
    return moved;
}

static int steered_wrong(struct units_observer *o, const struct controls *should, uint64_t cycle)
{
    int differ = 0;
    for (unsigned i = 0; i < NUM_SCHEDULERS && !differ; i++) {
        o->verdict->scheduler = (int)i;
        differ = controls_differ(&should[i], &o->sm->controls[i], o->verdict, cycle);
    }
    o->verdict->scheduler = -1;
    return differ;
}

static int registers_differ(const struct units_observer *o, uint64_t cycle)
{
    for (unsigned i = 0; i < o->count; i++)
        if (shadow_registers_differ(&o->shadows[i], o->verdict, cycle))
            return 1;
    return 0;
}

/* The first cycle from the next one on in which the GPU's units steer otherwise; at most `cycle`. */
static uint64_t next_steering(const struct units_observer *o, uint64_t cycle)
{
    const struct gpu_observed *g = o->gpu;
    const uint64_t next =
        is_steered(o) && o->at + 1 < g->num_steered ? g->steered[o->at + 1].cycle : cycle;
    return next < o->next ? o->next : next < cycle ? next : cycle;
}

int units_rested(struct units_observer *o, uint64_t cycle)
{
    struct controls controls[NUM_SCHEDULERS];
    if (!(o->count || is_steered(o)) || o->next >= cycle)
        return 0;
    while (o->next < cycle) {
        /* Where nothing has moved nothing will. */
        const int moved = ask(o, NULL, 0, 0, controls);
        if (steered_wrong(o, controls, o->next - 1))
            return 1;
        if (!moved && o->next < cycle)
            o->next = next_steering(o, cycle);
    }
    return registers_differ(o, cycle - 1);
}

int units_stepped(struct units_observer *o, uint64_t cycle, const struct events_observer *events,
                  int final)
{
    struct controls controls[NUM_SCHEDULERS];
    if (!o->count && !is_steered(o))
        return 0;
    o->next = cycle;
    ask(o, events->happened, events->num_happened, final, controls);
    for (unsigned i = 0; i < o->count; i++)
        if (shadow_inputs_differ(&o->shadows[i], o->verdict, cycle))
            return 1;
    return registers_differ(o, cycle) || steered_wrong(o, controls, cycle);
}
