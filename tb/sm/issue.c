/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/issue.c: the issue stage of one scheduler: what its units see, and what the warps that they
 * grant do.
 *
 * Each scheduler has an SP pipeline of its own (it also takes branches, barriers and exits); SFU
 * and MEM serve the whole SM. When schedulers want the same one in a cycle, the
 * first evaluated gets it: that is the one behind the scheduler that used either last. (Turns by
 * parity of the cycle would always favour one of two, as intervals are even.) */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tb/sm/sm_state.h"

static const uint8_t issue_class[NUM_CLASSES] = {
    [CLASS_SP] = ISSUE_SP,         [CLASS_SFU] = ISSUE_SFU, [CLASS_GMEM] = ISSUE_GMEM,
    [CLASS_STCMEM] = ISSUE_STCMEM, [CLASS_CTRL] = ISSUE_SP,
};

/* Where schedulers alternate (thesis 6.2.1, 9.7.2): the first cycle from this one on in which it is the scheduler's turn. */
static uint64_t turn_from(const struct sm *sm, const struct scheduler *sc, uint64_t cycle)
{
    if (!sm->alternate || cycle == NEVER)
        return cycle;
    return cycle + (sc->index + NUM_SCHEDULERS - cycle % NUM_SCHEDULERS) % NUM_SCHEDULERS;
}

/* Which warps can issue in this cycle, by class. Returns those of any class. */
static uint64_t find_ready(const struct sm *sm, const struct scheduler *sc, uint64_t cycle,
                           uint64_t ready[NUM_ISSUE_CLASSES])
{
    const uint64_t warps = issuable(sc), *class = sc->view.next_class;
    if (!warps || turn_from(sm, sc, cycle) != cycle)
        return ready[ISSUE_SP] = ready[ISSUE_SFU] = ready[ISSUE_GMEM] = ready[ISSUE_STCMEM] = 0;
    const uint64_t memory = cycle >= sm->mem_free ? warps & ~sc->crowded : 0;
    ready[ISSUE_SP] = cycle >= sc->sp_free ? warps & class[ISSUE_SP] : 0;
    ready[ISSUE_SFU] = cycle >= sm->sfu_free ? warps & class[ISSUE_SFU] : 0;
    ready[ISSUE_GMEM] = memory & class[ISSUE_GMEM];
    ready[ISSUE_STCMEM] = memory & class[ISSUE_STCMEM];
    return ready[ISSUE_SP] | ready[ISSUE_SFU] | ready[ISSUE_GMEM] | ready[ISSUE_STCMEM];
}

uint64_t issue_takes(const struct sm *sm, const struct scheduler *sc, uint64_t cycle)
{
    const uint64_t memory = cycle >= sm->mem_free && sc->crowded != ALL_WARPS;
    return (uint64_t)(cycle >= sc->sp_free) << ISSUE_SP |
           (uint64_t)(cycle >= sm->sfu_free) << ISSUE_SFU | memory << ISSUE_GMEM |
           memory << ISSUE_STCMEM;
}

/* What becomes of a cycle in which nothing is granted. `ready`: whether any warp could issue. */
static enum sm_outcome idle_outcome(const struct scheduler *sc, int ready)
{
    const uint64_t waiting = sc->view.running & sc->view.buffered & ~sc->view.clear;
    if (issuable(sc))
        return ready ? OUTCOME_held : OUTCOME_pipeline;
    if (waiting & sc->view.blocked_by_load)
        return OUTCOME_memory;
    if (waiting)
        return OUTCOME_execution;
    if (sc->view.running)
        return OUTCOME_fetch;
    return sc->view.occupied ? OUTCOME_block : OUTCOME_empty;
}

void issue_count(struct sm *sm, struct scheduler *sc, uint64_t until)
{
    uint64_t ready[NUM_ISSUE_CLASSES];
    /* Who is ready is looked at, unless the units have turned it down and see nothing new. */
    const int any = sc->turned_down && find_ready(sm, sc, sc->counted, ready);
    sm->counters.outcomes[idle_outcome(sc, any)] += until - sc->counted;
    if (sc->moved)
        account_moved(sm, sc);
    sc->counted = until;
}

/* The earlier of `next` and the cycle from which a pipeline is free. One that is free already
 * counts as the next cycle, unless the arbiter has turned down all that could go there. */
static uint64_t earlier(uint64_t next, uint64_t free, uint64_t cycle, int turned_down)
{
    if (free <= cycle + 1)
        free = turned_down ? NEVER : cycle + 1;
    return free < next ? free : next;
}

uint64_t issue_next(const struct sm *sm, const struct scheduler *sc, uint64_t cycle,
                    int turned_down)
{
    uint64_t warps = issuable(sc), next = NEVER, ready[NUM_ISSUE_CLASSES];
    if (!warps)
        return NEVER;
    if (turned_down) {
        find_ready(sm, sc, cycle + 1, ready);
        turned_down = !memcmp(ready, sc->view.ready, sizeof ready);
    }
    if (warps & sc->view.next_class[ISSUE_SP])
        next = earlier(next, sc->sp_free, cycle, turned_down);
    if (warps & sc->view.next_class[ISSUE_SFU])
        next = earlier(next, sm->sfu_free, cycle, turned_down);
    if (warps & ~sc->crowded &
        (sc->view.next_class[ISSUE_GMEM] | sc->view.next_class[ISSUE_STCMEM]))
        next = earlier(next, sm->mem_free, cycle, turned_down);
    return turn_from(sm, sc, next);
}

/* Sets everything that depends on the warp's next instruction. */
static void look_ahead(const struct sm_kernel *k, struct scheduler *sc, unsigned slot)
{
    const struct exec_warp *w = &sc->warps[slot];
    const struct uop *uop = &w->kernel->uops[w->pc];
    uint64_t bit = UINT64_C(1) << slot;
    sc->next[slot] = uop;
    if (k->landmarks)
        sc->view.next_load[slot] = k->landmarks[w->pc].load;
    sc->view.split = with_slot(sc->view.split, slot, (w->active | w->exited) != UINT32_MAX);
    for (unsigned i = 0; i < NUM_ISSUE_CLASSES; i++)
        sc->view.next_class[i] &= ~bit;
    sc->view.next_class[issue_class[uop->klass]] |= bit;
    sc->view.load = with_slot(sc->view.load, slot, is_global_load(uop));
    scoreboard_check(sc, slot);
}

/* A pipeline that serves all schedulers is about to take an instruction, and nothing more before `until`; for those that have their
 * turn still to come, in this cycle, too. A scheduler of which nobody can issue need not be looked at. */
static void take_shared(struct sm *sm, unsigned pipeline, uint64_t until)
{
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        struct scheduler *const sc = &sm->schedulers[i];
        issue_move(sm, sc, 0);
        cpi_take(&sc->cpi, pipeline, issue_turn(sm, sc), until);
        issue_stir(sc, ALL_WARPS);
    }
}

/* Hands the executed instruction to its pipeline. `queue`, of memory: the one in the load/store unit in whose next place it was
 * executed. */
static void occupy(struct sm *sm, struct sm_kernel *k, struct scheduler *sc, unsigned slot,
                   const struct uop *uop, uint32_t pc, struct lsu_queue *queue, uint64_t cycle)
{
    const unsigned warp = sc->index * NUM_WARPS + slot;
    struct sm_counters *const counters = &k->counters;
    struct delay_line *results;
    switch (issue_class[uop->klass]) {
    case ISSUE_SP:
        sc->sp_free = cycle + sm->sp_interval;
        cpi_take(&sc->cpi, CPI_SP, cycle + 1, sc->sp_free);
        results = &sc->sp;
        break;
    case ISSUE_SFU:
        take_shared(sm, CPI_SFU, cycle + sm->sfu_interval);
        sm->sfu_free = cycle + sm->sfu_interval;
        sm->first_scheduler = (sc->index + 1) % NUM_SCHEDULERS;
        results = &sm->sfu;
        break;
    default: {
        struct lsu_entry *const entry = lsu_place(&sm->lsu, queue);
        const struct exec_access *a = &entry->access;
        counters->loads += (uint64_t)is_global_load(uop);
        take_shared(sm, CPI_MEM, cycle + sm->mem_interval);
        sm->mem_free = cycle + sm->mem_interval;
        sm->in_flight++;
        sm->first_scheduler = (sc->index + 1) % NUM_SCHEDULERS;
        entry->warp = (uint16_t)warp;
        entry->uop = pc;
        entry->issued = cycle;
        entry->pollute = (uint8_t)(sc->controls.pollute >> slot & 1);
        lsu_push(sm, queue, cycle);
        tell(&sm->listener, cycle, enqueue, .warp = warp, .kernel = (uint64_t)(k - sm->kernels),
             .place = (uint64_t)(entry - queue->entries));
        sm->blocks[sc->block[slot]].holds++;
        counters->global_loads += uop->op == U_LD && a->mask && a->space == SPACE_GLOBAL;
        scoreboard_issue(sc, slot, uop,
                         a->mask && (a->space == SPACE_GLOBAL || a->space == SPACE_LOCAL));
        return;
    }
    }
    if (!uop->num_writes)
        return;
    delay_push(results, cycle, warp, pc);
    sm->blocks[sc->block[slot]].holds++;
    scoreboard_issue(sc, slot, uop, 0);
}

/* Tells what a warp has issued; its PC has moved on. */
static void tell_issue(struct sm *sm, const struct scheduler *sc, unsigned slot, uint32_t pc,
                       uint32_t active, uint64_t cycle)
{
    const struct sm_kernel *k = kernel_of(sc, slot);
    const struct landmark *mark = &k->landmarks[pc];
    const struct uop *uop = &k->launch->kernel->uops[pc];
    const uint32_t next_pc = sc->warps[slot].pc, end = k->launch->kernel->num_uops;
    const struct landmark *next = &k->landmarks[next_pc < end ? next_pc : end];
    tell(&sm->listener, cycle, issue, .warp = sc->index * NUM_WARPS + slot, .pc = pc,
         .next_pc = next_pc, .issue_class = issue_class[uop->klass], .active = active,
         .load = mark->load, .loop_begin = mark->loop_begin, .loop_end = mark->loop_end,
         .loop_last = mark->loop_last, .loop = next->loop, .next_loop = next->next_loop);
}

/* Records what a warp has issued; its PC has moved on. */
__attribute__((cold)) static void record_issue(struct sm *sm, const struct scheduler *sc,
                                               unsigned slot, uint32_t pc,
                                               const struct exec_access *access)
{
    const struct uop *uop = &kernel_of(sc, slot)->launch->kernel->uops[pc];
    const int memory = is_memory(uop);
    const struct stream_issue i = {.uop = uop,
                                   .pc = pc,
                                   .warp = sc->warps[slot].warp_in_block,
                                   .lanes = sc->warps[slot].stepped,
                                   .access = memory ? access : NULL};
    void *const record = sm->blocks[sc->block[slot]].record;
    if (record)
        sm->stream->issue(record, &i);
}

/* A warp of this kernel issues. */
static void count_issue(struct sm *sm, struct sm_kernel *k, const struct uop *uop, uint32_t active,
                        uint64_t cycle)
{
    const unsigned class = issue_class[uop->klass];
    k->counters.warp_instructions++;
    k->counters.branches += uop->op == U_BRA || uop->op == U_BRX;
    k->counters.instructions[class]++;
    /* Most warps are whole, and counting is a call where the host's instruction is not taken for granted. */
    k->counters.threads[class] +=
        active == UINT32_MAX ? WARP_LANES : (uint64_t)__builtin_popcount(active);
    k->counters.tail_instructions += cycle >= k->tail;
    for (unsigned i = 0; i < NUM_KERNELS; i++) {
        struct sm_kernel *const other = &sm->kernels[i];
        if (other == k || !other->launch)
            continue;
        other->counters.beside++;
        other->counters.tail_beside += cycle >= other->tail;
    }
}

static enum sm_status issue(struct sm *sm, struct scheduler *sc, unsigned slot, uint64_t cycle)
{
    const struct uop *uop = sc->next[slot];
    struct exec_warp *w = &sc->warps[slot];
    const uint32_t pc = w->pc, active = w->active;
    struct sm_kernel *const k = kernel_of(sc, slot);
    /* An instruction of memory is executed in the place in its queue that it takes then. */
    const int memory = is_memory(uop);
    struct lsu_queue *const queue = memory ? lsu_queue(&sm->lsu, sm, k) : NULL;
    struct exec_access *const access =
        memory ? &lsu_place(&sm->lsu, queue)->access : &sm->no_access;
    count_issue(sm, k, uop, active, cycle);
    sc->moved |= UINT64_C(1) << slot;
    sm->last_issue = cycle;
    enum exec_status status = exec_step(w, access);
    if (status == EXEC_FAULT)
        return SM_FAULT;
    if (k->landmarks)
        tell_issue(sm, sc, slot, pc, active, cycle);
    if (__builtin_expect(sm->stream != NULL, 0))
        record_issue(sm, sc, slot, pc, access);
    occupy(sm, k, sc, slot, uop, pc, queue, cycle);
    if (status == EXEC_DONE) {
        block_warp_ends(sm, sc, slot, cycle);
        return SM_OK;
    }
    ibuffer_issue(sm, sc, slot, status == EXEC_BRANCH || w->pc != pc + 1, cycle);
    look_ahead(k, sc, slot);
    if (status == EXEC_BARRIER)
        block_warp_waits(sm, sc, slot, cycle);
    return SM_OK;
}

/* The cycle is counted, and those before it in which the scheduler has not been looked at: nothing has happened to a warp in between. */
static void count_turn(struct sm *sm, struct scheduler *sc, uint64_t issues, int ready,
                       uint64_t cycle)
{
    issue_count_idle(sm, sc, cycle);
    if (sc->moved)
        account_moved(sm, sc);
    for (uint64_t left = issues; left; left &= left - 1)
        cpi_issue(&sc->cpi, (unsigned)__builtin_ctzll(left));
    sm->counters.outcomes[issues ? OUTCOME_granted : idle_outcome(sc, ready)]++;
    sc->counted = cycle + 1;
}

/* A cycle in which nobody issues. The scheduler rests until something changes, a pipeline is free,
 * or a unit wakes. `ready`: whether any warp could issue, and was turned down; else the cycle is counted with those that
 * follow, if any do: where no warp is resident the kernel may be over. */
static void rest(struct sm *sm, struct scheduler *sc, uint64_t cycle, int ready)
{
    if (ready)
        count_turn(sm, sc, 0, ready, cycle);
    else
        issue_count_idle(sm, sc, cycle);
    sc->turned_down = ready;
    sc->changed = 0;
    sc->wake = issue_next(sm, sc, cycle, ready && rack_still(&sc->rack));
}

/* Shows the scheduler's units this cycle, and asks them if a warp is ready or begins or one of them
 * wakes. Returns 0, or 1: one is wrong. */
static int ask(struct sm *sm, struct scheduler *sc, uint64_t cycle, int *ready)
{
    *ready = find_ready(sm, sc, cycle, sc->view.ready) != 0;
    sc->view.alloc = sc->num_starts > 0;
    sc->view.alloc_warp = sc->num_starts ? sc->starts[sc->first_start] : 0;
    if (!*ready && !sc->view.alloc && cycle < sc->units_wake && !sc->always) {
        sc->controls.grant = NO_CHOICE;
        return 0;
    }
    sc->view.takes = issue_takes(sm, sc, cycle);
    sc->controls = sm->controls[sc->index];
    const int differs = rack_step(&sc->rack, cycle, &sc->controls);
    sc->units_wake = sc->rack.wake;
    sc->view.action = sc->controls.action;
    sm->mismatch = sc->rack.wrong;
    return differs;
}

/* Of several warps that can issue: one for each pipeline. */
static uint64_t one_each(const uint64_t ready[NUM_ISSUE_CLASSES], uint64_t warps)
{
    const uint64_t pipelines[NUM_PIPELINES] = {ready[ISSUE_SP], ready[ISSUE_SFU],
                                               ready[ISSUE_GMEM] | ready[ISSUE_STCMEM]};
    uint64_t each = 0;
    for (unsigned i = 0; i < NUM_PIPELINES; i++)
        each |= warps & pipelines[i] & -(warps & pipelines[i]); /* the lowest */
    return each;
}

/* Several warps are granted, or one that cannot issue. One that was granted late may have issued
 * meanwhile, or want another pipeline: then it does not. Sets the control to those that issue.
 * Returns 0, or -1: it is an error. */
__attribute__((noinline)) static int choose(struct sm *sm, struct scheduler *sc, uint64_t ready,
                                            uint64_t cycle)
{
    const uint64_t granted = sc->controls.grant, each = one_each(sc->view.ready, granted & ready);
    sc->controls.grant = each ? each : NO_CHOICE;
    if (each == granted || (!(granted & ~ALL_WARPS) && rack_late(&sc->rack)))
        return 0;
    snprintf(sm->fault.message, sizeof sm->fault.message,
             "cycle %" PRIu64 ", sm %u scheduler %u: warp %d"
             " is granted, which is not ready%s (ready: %#" PRIx64 ")",
             cycle, sm->index, sc->index, __builtin_ctzll(granted & ~each),
             each ? ", or not alone" : "", ready);
    return -1;
}

/* Those that were granted and may issue become the control. Returns 0, or -1: it is an error. */
static int check_grant(struct sm *sm, struct scheduler *sc, uint64_t cycle)
{
    const uint64_t *r = sc->view.ready, grant = sc->controls.grant,
                   ready = r[ISSUE_SP] | r[ISSUE_SFU] | r[ISSUE_GMEM] | r[ISSUE_STCMEM];
    if (grant == NO_CHOICE || !(grant & ~ready || grant & (grant - 1)))
        return 0;
    return choose(sm, sc, ready, cycle);
}

enum sm_status issue_step(struct sm *sm, struct scheduler *sc, uint64_t cycle)
{
    int ready;
    sc->turn = cycle + 1;
    if (ask(sm, sc, cycle, &ready))
        return SM_MISMATCH;
    if (check_grant(sm, sc, cycle))
        return SM_FAULT;
    uint64_t issues = sc->controls.grant == NO_CHOICE ? 0 : sc->controls.grant;
    if (!issues && !sc->view.alloc) {
        rest(sm, sc, cycle, ready);
        return SM_OK;
    }
    sc->changed = 1;
    count_turn(sm, sc, issues, ready, cycle);
    sc->turned_down = 0;
    if (sc->view.alloc) {
        const unsigned begins = (unsigned)sc->view.alloc_warp;
        block_start_warp(sm, sc, begins, cycle);
        look_ahead(kernel_of(sc, begins), sc, begins);
    }
    enum sm_status status = SM_OK;
    for (; issues && status == SM_OK; issues &= issues - 1)
        status = issue(sm, sc, (unsigned)__builtin_ctzll(issues), cycle);
    if (!sc->num_starts && !sc->always) { /* it need not be looked at before a pipeline is free */
        sc->changed = 0;
        sc->wake = issue_next(sm, sc, cycle, 0);
    }
    return status;
}
