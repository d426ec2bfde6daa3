/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/units.c: the SM as the place of units (tb/units): its racks, what they hear, and when they
 * are asked. A scheduler asks its own rack itself (issue.c). */
#include <stdio.h>
#include <string.h>

#include "tb/sm/sm_state.h"

/* An event has happened: has all hear it that are to. */
static void hear(void *context, const struct event *e)
{
    struct sm *sm = context;
    if (sm->rack.hears >> e->kind & 1)
        rack_hear(&sm->rack, e);
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        if (sm->schedulers[i].rack.hears >> e->kind & 1) {
            issue_touch(sm, &sm->schedulers[i], 0);
            rack_hear(&sm->schedulers[i].rack, e);
            sm->schedulers[i].units_wake = 0;
        }
    if (sm->gpu_hears >> e->kind & 1)
        event_keep(&sm->events, e);
    for (const struct listener *l = sm->guests; l; l = l->next)
        if (l->hears >> e->kind & 1)
            l->hear(l->context, e);
}

void sm_listen(struct sm *sm, struct listener *guest)
{
    guest->sm = sm->index;
    guest->next = sm->guests;
    sm->guests = guest;
    sm->listener.hears |= guest->hears;
}

int units_open(struct sm *sm, const struct config *c, const struct plan *plans,
               enum unit_backend backend)
{
    char place[64];
    int failed = 0;
    snprintf(place, sizeof place, "sm %u", sm->index);
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        sm->view.schedulers[i] = &sm->schedulers[i].view;
    memset(sm->own, 0xff, sizeof sm->own);
    memset(sm->controls, 0xff, sizeof sm->controls);
    units_end(sm);
    failed |= rack_open(&sm->rack, &plans[SCOPE_SM], SCOPE_SM, c, backend,
                        &(struct view){.sm = &sm->view}, place);
    sm->listener = (struct listener){
        .hears = sm->gpu_hears | sm->rack.hears, .sm = sm->index, .hear = hear, .context = sm};
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        struct scheduler *sc = &sm->schedulers[i];
        sc->controls = sm->controls[i];
        snprintf(place, sizeof place, "sm %u scheduler %u", sm->index, i);
        failed |= rack_open(&sc->rack, &plans[SCOPE_SCHEDULER], SCOPE_SCHEDULER, c, backend,
                            &(struct view){.scheduler = &sc->view, .sm = &sm->view}, place);
        sm->listener.hears |= sc->rack.hears;
        sc->always = sc->rack.always;
    }
    return failed;
}

int sm_wants_operands(const struct sm *sm)
{
    for (unsigned i = 0; i < sm->rack.count; i++)
        if (sm->rack.plugs[i].socket->operands)
            return 1;
    return 0;
}

int sm_wants_landmarks(const struct sm *sm)
{
    return (sm->listener.hears & (HEARS(issue) | HEARS(access))) != 0;
}

void sm_tail(struct sm *sm, unsigned kernel, uint64_t cycle)
{
    sm->kernels[kernel].tail = cycle;
}

void sm_last_block(struct sm *sm, uint64_t cycle)
{
    if (!(sm->listener.hears & HEARS(last_block)))
        return;
    sm->last_block = cycle;
    sm->telling = cycle < sm->telling ? cycle : sm->telling;
    sm->wake = cycle < sm->wake ? cycle : sm->wake;
}

int sm_wants_memory(const struct sm *sm)
{
    return (sm->listener.hears & HEARS(gpu_memory)) != 0;
}

void sm_tell_memory(struct sm *sm, const struct gpu_memory *now, uint64_t cycle)
{
    if (!memcmp(&sm->gpu_memory, now, sizeof *now))
        return;
    sm->gpu_memory = *now;
    sm->told_memory = cycle;
    sm->telling = cycle < sm->telling ? cycle : sm->telling;
    sm->wake = cycle < sm->wake ? cycle : sm->wake;
}

/* Tells whose right to issue loads changes. */
static void tell_withheld(struct sm *sm, unsigned scheduler, uint64_t before, uint64_t after,
                          uint64_t cycle)
{
    sm->counters.withheld += (uint64_t)__builtin_popcountll(before & ~after & ALL_WARPS);
    if (!(sm->listener.hears & (HEARS(withhold) | HEARS(admit))))
        return;
    for (uint64_t left = (before ^ after) & ALL_WARPS; left; left &= left - 1) {
        const uint64_t slot = (uint64_t)__builtin_ctzll(left), warp = scheduler * NUM_WARPS + slot;
        if (before >> slot & 1)
            tell(&sm->listener, cycle, withhold, .warp = warp);
        else
            tell(&sm->listener, cycle, admit, .warp = warp);
    }
}

/* What steers a scheduler: what the SM's units say, and where they choose nothing the GPU's. */
static void merge(struct sm *sm, unsigned scheduler, uint64_t cycle)
{
    struct controls *is = &sm->controls[scheduler], c = sm->own[scheduler];
    c.vital = c.vital == NO_CHOICE ? sm->steered.vital : c.vital;
    c.polluters = c.polluters == NO_CHOICE ? sm->steered.polluters : c.polluters;
    if (!memcmp(&c, is, sizeof c))
        return;
    issue_touch(sm, &sm->schedulers[scheduler], 0);
    tell_withheld(sm, scheduler, is->allow_load, c.allow_load, cycle);
    *is = c;
    if (sm->lsu.apart)
        queues_crowd(sm, &sm->schedulers[scheduler]);
}

enum sm_status units_step(struct sm *sm, uint64_t cycle)
{
    struct controls controls[NUM_SCHEDULERS];
    memset(controls, 0xff, sizeof controls);
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        sm->schedulers[i].view.takes = issue_takes(sm, &sm->schedulers[i], cycle + 1);
    if (sm->lsu.apart)
        queues_see(sm, cycle);
    if (rack_step(&sm->rack, cycle, controls)) {
        sm->mismatch = sm->rack.wrong;
        return SM_MISMATCH;
    }
    if (sm->rack.logs)
        rack_note(&sm->rack, cycle);
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        if (memcmp(&controls[i], &sm->own[i], sizeof controls[i])) {
            sm->own[i] = controls[i];
            merge(sm, i, cycle);
        }
    return SM_OK;
}

void sm_steer(struct sm *sm, uint64_t vital, uint64_t polluters, int counts, uint64_t cycle)
{
    sm->steerings[(sm->first_steering + sm->num_steerings++) % sm->most_steerings] =
        (struct steering){cycle, vital, polluters, counts};
    sm->coming = cycle < sm->coming ? cycle : sm->coming;
}

/* Instructions of all kernels. */
static uint64_t issued(const struct sm *sm)
{
    uint64_t sum = sm->counters.warp_instructions;
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        if (sm->kernels[i].launch)
            sum += sm->kernels[i].counters.warp_instructions;
    return sum;
}

void units_steered(struct sm *sm, uint64_t cycle)
{
    while (sm->num_steerings && sm->steerings[sm->first_steering].cycle <= cycle) {
        const int counted = sm->steered.counts;
        sm->steered = sm->steerings[sm->first_steering];
        sm->first_steering = (sm->first_steering + 1) % sm->most_steerings;
        sm->num_steerings--;
        if (sm->steered.counts != counted)
            sm->counted = issued(sm) - (counted ? sm->counted : 0);
    }
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        merge(sm, i, cycle);
}

void units_end(struct sm *sm)
{
    sm->num_steerings = 0;
    sm->counted = 0;
    sm->steered = (struct steering){0, NO_CHOICE, NO_CHOICE, 0};
}

uint64_t sm_counted(const struct sm *sm)
{
    return sm->steered.counts ? issued(sm) - sm->counted : sm->counted;
}

uint64_t sm_warps(const struct sm *sm)
{
    return sm->view.warps;
}

struct rack *sm_audit(struct sm *sm, uint64_t cycle)
{
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        struct scheduler *sc = &sm->schedulers[i];
        uint64_t cycles[NUM_CPI_CLASSES];
        cpi_totals(&sc->cpi, sc->counted, cycles);
        const struct warp_cycles counted = {
#define CPI_CLASS(name, meaning) .name = cycles[CPI_##name],
#include "tb/sm/cpi.def"
#undef CPI_CLASS
        };
        if (rack_audit(&sc->rack, cycle, &counted))
            return &sc->rack;
    }
    return NULL;
}

void sm_watch(struct sm *sm)
{
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        sm->schedulers[i].always = 1;
}

struct rack *sm_rack(struct sm *sm, unsigned rack)
{
    return rack < NUM_SCHEDULERS ? &sm->schedulers[rack].rack : &sm->rack;
}

struct event_list *sm_events(struct sm *sm)
{
    return &sm->events;
}
