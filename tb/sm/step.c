/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/step.c: a cycle of an SM, the order of its stages in it, and the next one in which there is anything to do. See sm.h.
 *
 * Most steps of a kernel that waits for memory are those of a line, which comes or is asked for: there the schedulers' stages are
 * passed by, all at once. */
#include <string.h>

#include "tb/sm/sm_state.h"

/* The next cycle in which a unit of a scheduler is to be asked, whatever it sees; one that sees every
 * cycle is to be shown what has changed. */
static uint64_t schedulers_units_next(const struct sm *sm, uint64_t cycle)
{
    uint64_t next = NEVER;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        const struct scheduler *sc = &sm->schedulers[i];
        const uint64_t wake = sc->changed && sc->always ? cycle + 1 : sc->units_wake;
        next = wake < next ? wake : next;
    }
    return next;
}

static void write_back(struct sm *sm, struct delay_line *results, uint64_t cycle)
{
    struct delay_entry e;
    while (delay_pop(results, cycle, &e))
        sm_complete(sm, e.what, e.detail, cycle);
}

/* The next cycle in which the schedulers' stages have something to do. */
static uint64_t stages_next(const struct sm *sm, uint64_t cycle)
{
    uint64_t next = sm->sfu.next;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        const struct scheduler *sc = &sm->schedulers[i];
        if (sc->wants_fetch || sc->num_starts)
            return cycle + 1;
        uint64_t issue = sc->changed ? issue_next(sm, sc, cycle, 0) : sc->wake;
        next = issue < next ? issue : next;
        next = sc->sp.next < next ? sc->sp.next : next;
        next = sc->fetch.next < next ? sc->fetch.next : next;
        next = sc->branch.next < next ? sc->branch.next : next;
    }
    return next;
}

/* Whether something has changed for a scheduler since it was last looked at, or a warp wants to fetch. */
static int stirred(const struct sm *sm)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        any |= (uint64_t)sm->schedulers[i].changed | sm->schedulers[i].wants_fetch;
    return any != 0;
}

/* Blocks come, and the GPU's units steer. */
__attribute__((noinline)) static void come(struct sm *sm, uint64_t cycle)
{
    if (sm->num_steerings)
        units_steered(sm, cycle);
    while (sm->num_placements && sm->placements[sm->first_placement].cycle <= cycle) {
        block_place(sm, &sm->placements[sm->first_placement], cycle);
        sm->first_placement = (sm->first_placement + 1) % MAX_BLOCKS;
        sm->num_placements--;
    }
    sm->coming = sm->num_placements ? sm->placements[sm->first_placement].cycle : NEVER;
    if (sm->num_steerings && sm->steerings[sm->first_steering].cycle < sm->coming)
        sm->coming = sm->steerings[sm->first_steering].cycle;
}

/* What the SM is to tell of the whole GPU. */
__attribute__((noinline)) static void tell_gpu(struct sm *sm, uint64_t cycle)
{
    if (sm->last_block <= cycle) {
        sm->last_block = NEVER;
        tell(&sm->listener, cycle, last_block);
    }
    if (sm->told_memory <= cycle) {
        sm->told_memory = NEVER;
        tell(&sm->listener, cycle, gpu_memory, .latency = sm->gpu_memory.latency,
             .l2_missed = sm->gpu_memory.l2_missed, .in_flight = sm->gpu_memory.in_flight);
    }
    sm->telling = sm->last_block < sm->told_memory ? sm->last_block : sm->told_memory;
}

/* A scheduler that need not be looked at. Whom it granted in its last turn has issued, and nobody else can. */
static inline void pass_by(struct scheduler *sc, uint64_t cycle)
{
    sc->turn = cycle + 1;
    if (sc->controls.grant == NO_CHOICE)
        return;
    sc->controls.grant = NO_CHOICE;
    memset(sc->view.ready, 0, sizeof sc->view.ready);
}

/* The stages of the schedulers: results that are written, instructions that come into the buffers, issue, fetch. */
static enum sm_status step_stages(struct sm *sm, uint64_t cycle)
{
    const struct sm_observer *const look = sm->observer;
    if (sm->sfu.next <= cycle)
        write_back(sm, &sm->sfu, cycle);
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        struct scheduler *sc = &sm->schedulers[i];
        if (sc->sp.next <= cycle)
            write_back(sm, &sc->sp, cycle);
        if (sc->fetch.next <= cycle || sc->branch.next <= cycle)
            ibuffer_arrive(sm, sc, cycle);
    }
    const unsigned first = sm->first_scheduler;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        struct scheduler *sc = &sm->schedulers[(first + i) % NUM_SCHEDULERS];
        enum sm_status status = SM_OK;
        if (look && look->turn(look->context, sc->index, cycle))
            return SM_WRONG;
        if (!sc->changed && cycle < sc->wake && cycle < sc->units_wake)
            pass_by(sc, cycle);
        else
            status = issue_step(sm, sc, cycle);
        if (status == SM_OK && look && look->turned(look->context, sc->index, cycle))
            status = SM_WRONG;
        if (status != SM_OK)
            return status;
    }
    /* Before the load/store unit, which would take each free place of a full miss queue. */
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        if (sm->schedulers[i].wants_fetch | sm->schedulers[i].started)
            ibuffer_fetch(sm, &sm->schedulers[i], cycle);
    return SM_OK;
}

/* The same where they have nothing to do. */
static void pass_stages(struct sm *sm, uint64_t cycle)
{
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        pass_by(&sm->schedulers[i], cycle);
}

enum sm_status sm_step(struct sm *sm, uint64_t cycle)
{
    const struct sm_observer *const look = sm->observer;
    enum sm_status status = SM_OK;
    sm->stepped = cycle + 1;
    if (look && look->cycle(look->context, cycle))
        return SM_WRONG;
    if (sm->telling <= cycle)
        tell_gpu(sm, cycle);
    if (sm->coming <= cycle)
        come(sm, cycle);
    if (lsu_due(sm) <= cycle)
        lsu_arrive(sm, cycle);
    const int pass = !look && cycle < sm->stages_next && cycle < sm->units_next && !stirred(sm);
    if (pass)
        pass_stages(sm, cycle);
    else if ((status = step_stages(sm, cycle)) != SM_OK)
        return status;
    if (sm->lsu.count && cycle >= sm->lsu.free)
        lsu_step(sm, cycle);
    if (sm->touched)
        block_settle(sm, cycle);
    if (sm->rack.count)
        status = units_step(sm, cycle);
    if (!pass || stirred(sm)) {
        sm->stages_next = stages_next(sm, cycle);
        sm->units_next = schedulers_units_next(sm, cycle);
    }
    const uint64_t lsu = lsu_next(sm, cycle);
    sm->own_wake = sm->stages_next < lsu ? sm->stages_next : lsu;
    sm->wake = sm->units_next < sm->own_wake ? sm->units_next : sm->own_wake;
    sm->wake = sm->rack.wake < sm->wake ? sm->rack.wake : sm->wake;
    sm->wake = sm->telling < sm->wake ? sm->telling : sm->wake;
    if (status == SM_OK && look && look->stepped(look->context, cycle))
        return SM_WRONG;
    return status;
}

/* The earlier of `next` and what comes from outside: a reply, a block, what the GPU's units steer. */
static inline uint64_t earlier_from_outside(const struct sm *sm, uint64_t next)
{
    next = *sm->reply_next < next ? *sm->reply_next : next;
    return sm->coming < next ? sm->coming : next;
}

uint64_t sm_next(const struct sm *sm)
{
    const uint64_t next = earlier_from_outside(sm, sm->wake);
    return next > sm->stepped ? next : sm->stepped;
}

uint64_t sm_next_own(const struct sm *sm)
{
    return earlier_from_outside(sm, sm->own_wake);
}

enum sm_status sm_run(struct sm *sm, uint64_t until)
{
    for (uint64_t cycle; (cycle = sm_next(sm)) < until;) {
        enum sm_status status = sm_step(sm, cycle);
        if (status != SM_OK)
            return status;
    }
    return SM_OK;
}
