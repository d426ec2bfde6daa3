/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/sm.c: an SM's life, and what is asked of it. See sm.h. */
#include "tb/sm/sm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/mem/lines.h"
#include "tb/sm/sm_state.h"

static int scheduler_init(struct sm *sm, unsigned index, const struct config *c)
{
    struct scheduler *sc = &sm->schedulers[index];
    sc->index = index;
    sc->view.contexts = sc->block;
    sc->warps = lines_alloc(NUM_WARPS, sizeof *sc->warps);
    if (!sc->warps || delay_init(&sc->sp, c->sp_latency) ||
        delay_init_wide(&sc->fetch, c->sm_fetch_latency, NUM_PIPELINES) ||
        delay_init_wide(&sc->branch, c->sm_branch_latency, NUM_PIPELINES))
        return -1;
    return 0;
}

uint64_t sm_window(const struct config *c)
{
    return (uint64_t)(c->xbar_latency < c->l1d_hit_latency ? c->xbar_latency : c->l1d_hit_latency);
}

struct sm *sm_new(const struct config *c, unsigned index, struct memory *memory,
                  const struct plan *plans, uint32_t gpu_hears, enum unit_backend backend)
{
    struct sm *sm = lines_alloc(1, sizeof *sm);
    if (!sm)
        return NULL;
    sm->index = index;
    sm->view.number = index;
    sm->exec = (struct exec_sm){.clock = &sm->last_issue,
                                .clocks = memory_clocks(memory),
                                .number = index,
                                .count = NUM_SMS,
                                .mhz = (uint32_t)c->gpu_clock_mhz};
    sm->memory = memory;
    sm->reply_next = memory_next(memory, index);
    sm->gpu_hears = gpu_hears;
    sm->cpi_active = !strcmp(c->cpi_overlap, "active");
    sm->tolerated = sm_tolerates(c);
    sm->alternate = c->sched_alternate != 0;
    sm->buffer_entries = (uint32_t)c->sm_ibuffer_entries;
    sm->line_bytes = (uint32_t)c->l1d_line;
    sm->const_line_bytes = (uint32_t)c->l1c_line;
    sm->code_line_bytes = (uint32_t)c->l1i_line;
    sm->shared_banks = (uint32_t)c->mem_shared_banks;
    sm->sp_interval = (uint64_t)c->sp_interval;
    sm->sfu_interval = (uint64_t)c->sfu_interval;
    sm->mem_interval = (uint64_t)c->mem_interval;
    int failed = 0;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        failed |= scheduler_init(sm, i, c);
    failed |= units_open(sm, c, plans, backend);
    failed |= delay_init(&sm->sfu, c->sfu_latency) | lsu_init(sm, c);
    sm->l1d = l1d_new(c, memory, index, &sm->listener);
    sm->l1c = l1c_new(c, memory, index);
    sm->l1i = c->l1i_sets ? l1i_new(c, memory, index) : NULL;
    sm->placements = calloc(MAX_BLOCKS, sizeof *sm->placements);
    /* At most one in each cycle of a window, and what comes in the cycle before the first. */
    sm->most_steerings = (uint32_t)sm_window(c) + 1;
    sm->steerings = calloc(sm->most_steerings, sizeof *sm->steerings);
    /* In a cycle at most one access enters the load/store unit. */
    failed |= exec_later_init(&sm->later, (uint32_t)sm_window(c) + 1);
    if (failed || !sm->l1d || !sm->l1c || (c->l1i_sets && !sm->l1i) || !sm->placements ||
        !sm->steerings) {
        sm_free(sm);
        return NULL;
    }
    return sm;
}

void sm_free(struct sm *sm)
{
    if (!sm)
        return;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        struct scheduler *sc = &sm->schedulers[i];
        rack_close(&sc->rack);
        for (unsigned slot = 0; sc->warps && slot < NUM_WARPS; slot++)
            exec_warp_free(&sc->warps[slot]);
        lines_free(sc->warps);
        free(sc->sp.entries);
        free(sc->fetch.entries);
        free(sc->branch.entries);
    }
    rack_close(&sm->rack);
    event_list_free(&sm->events);
    free(sm->sfu.entries);
    lsu_free(&sm->lsu);
    l1_free(sm->l1d);
    l1_free(sm->l1c);
    l1_free(sm->l1i);
    exec_later_free(&sm->later);
    free(sm->placements);
    free(sm->steerings);
    for (unsigned i = 0; i < NUM_KERNELS; i++) {
        struct sm_kernel *k = &sm->kernels[i];
        lines_free(k->registers.bytes);
        lines_free(k->local.bytes);
        lines_free(k->shared.bytes);
        lines_free(k->pending_memory.bytes);
    }
    lines_free(sm);
}

static void scheduler_reset(struct scheduler *sc)
{
    sc->view = (struct scheduler_view){.contexts = sc->block};
    memset(sc->state, WARP_FREE, sizeof sc->state);
    sc->first_start = sc->num_starts = 0;
    delay_clear(&sc->fetch);
    delay_clear(&sc->branch);
    sc->crowded = 0;
    sc->wants_fetch = sc->started = 0;
    sc->awaited = sc->came = 0;
    sc->last_fetched = 0;
    delay_clear(&sc->sp);
    cpi_reset(&sc->cpi);
    sc->moved = 0;
}

void sm_end(struct sm *sm, uint64_t cycle)
{
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        issue_count_idle(sm, &sm->schedulers[i], cycle);
        sm->schedulers[i].turn = cycle;
    }
    lsu_account(sm, cycle);
    l1_account(sm->l1d, cycle);
    l1_account(sm->l1c, cycle);
    if (sm->l1i)
        l1_account(sm->l1i, cycle);
    rack_log_end(&sm->rack, cycle);
    rack_count(&sm->rack, &sm->counters.found);
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        rack_count(&sm->schedulers[i].rack, &sm->counters.found);
    sm->later.count = 0;
    sm->num_placements = 0;
    units_end(sm);
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        scheduler_reset(&sm->schedulers[i]);
    delay_clear(&sm->sfu);
    lsu_reset(&sm->lsu);
    sm->view.blocks = sm->view.with_waiting = sm->view.with_done = sm->touched = 0;
    sm->first_scheduler = 0;
    sm->in_flight = 0;
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        sm_leave(sm, i);
    sm_classify(sm, NULL);
    sm->events.count = 0;
    tell(&sm->listener, cycle, kernel_end);
}

unsigned sm_resident(const struct sm *sm)
{
    return (unsigned)__builtin_popcountll(sm->view.blocks) + sm->num_placements;
}

unsigned sm_resident_of(const struct sm *sm, unsigned kernel)
{
    unsigned placed = 0;
    for (uint32_t i = 0; i < sm->num_placements; i++)
        placed += sm->placements[(sm->first_placement + i) % MAX_BLOCKS].kernel == kernel;
    return sm->kernels[kernel].resident + placed;
}

void sm_complete(struct sm *sm, unsigned warp, uint32_t number_of_uop, uint64_t cycle)
{
    struct scheduler *const sc = &sm->schedulers[warp / NUM_WARPS];
    const unsigned slot = warp % NUM_WARPS, number = sc->block[slot];
    const struct uop *uop = &sc->warps[slot].kernel->uops[number_of_uop];
    scoreboard_release(sm, sc, slot, uop);
    if (is_memory(uop)) {
        sm->in_flight--;
        tell(&sm->listener, cycle, complete, .warp = warp, .pc = number_of_uop);
    }
    if (--sm->blocks[number].holds == 0)
        sm->touched |= UINT64_C(1) << number;
}

void sm_place(struct sm *sm, unsigned kernel, const uint32_t ctaid[3], uint64_t linear_id,
              uint64_t cycle)
{
    struct placement *p =
        &sm->placements[(sm->first_placement + sm->num_placements++) % MAX_BLOCKS];
    p->cycle = cycle;
    sm->coming = cycle < sm->coming ? cycle : sm->coming;
    p->linear_id = linear_id;
    p->kernel = kernel;
    memcpy(p->ctaid, ctaid, sizeof p->ctaid);
    p->record = sm->stream ? sm->stream->place(sm->stream->context, kernel, ctaid) : NULL;
}

int sm_perform(struct sm *sm)
{
    if (sm->later.count)
        exec_later_perform(&sm->later);
    return sm->fault.raised ? -1 : 0;
}

struct sm_replies sm_replies(const struct sm *sm)
{
    return sm->replies;
}

uint64_t sm_in_flight(const struct sm *sm)
{
    return sm->in_flight;
}

uint64_t sm_last_issue(const struct sm *sm)
{
    return sm->last_issue;
}

const struct l1_counters *sm_l1d_counters(const struct sm *sm)
{
    return l1_counters(sm->l1d);
}

const struct space_counters *sm_l1d_spaces(const struct sm *sm)
{
    return l1_spaces(sm->l1d);
}

const struct l1_counters *sm_l1c_counters(const struct sm *sm)
{
    return l1_counters(sm->l1c);
}

const struct l1_counters *sm_l1i_counters(const struct sm *sm)
{
    static const struct l1_counters none;
    return sm->l1i ? l1_counters(sm->l1i) : &none;
}

uint64_t sm_ended(const struct sm *sm, unsigned kernel)
{
    return sm->kernels[kernel].ended;
}

uint64_t sm_stepped(const struct sm *sm)
{
    return sm->stepped;
}

const uint64_t *sm_warp_edges(const struct sm *sm)
{
    return sm->edges;
}

struct exec_tolerated sm_tolerates(const struct config *c)
{
    return (struct exec_tolerated){.overrun = !strcmp(c->mem_overrun, "warn"),
                                   .any = !strcmp(c->gpu_outside, "zero")};
}

const struct exec_tolerated *sm_tolerated(const struct sm *sm, unsigned kernel)
{
    return &sm->kernels[kernel].tolerated;
}

const char *sm_fault(const struct sm *sm)
{
    return sm->fault.message;
}

struct unit_inst *sm_mismatch(const struct sm *sm)
{
    return sm->mismatch;
}
