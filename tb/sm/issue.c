/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/issue.c: the issue stage of one scheduler: what the arbiter sees, and what its grant does.
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
    [CLASS_SP] = CLASS_SP,         [CLASS_SFU] = CLASS_SFU, [CLASS_GMEM] = CLASS_GMEM,
    [CLASS_STCMEM] = CLASS_STCMEM, [CLASS_CTRL] = CLASS_SP,
};

static uint64_t issuable(const struct scheduler *sc)
{
    return sc->running & sc->buffered & sc->clear;
}

/* Fills the arbiter's inputs for this cycle, and returns whether it must be asked. */
static int inputs(const struct sm *sm, const struct scheduler *sc, uint64_t cycle,
                  struct wia_in *in)
{
    uint64_t warps = issuable(sc);
    uint64_t memory = cycle >= sm->mem_free && !lsu_full(&sm->lsu) ? warps : 0;
    in->policy = sm->policy;
    in->ready_sp = cycle >= sc->sp_free ? warps & sc->next_class[CLASS_SP] : 0;
    in->ready_sfu = cycle >= sm->sfu_free ? warps & sc->next_class[CLASS_SFU] : 0;
    in->ready_gmem = memory & sc->next_class[CLASS_GMEM];
    in->ready_stcmem = memory & sc->next_class[CLASS_STCMEM];
    in->load = sc->load;
    in->allow = sc->mask_out.vital;
    /* Under tl a group must not keep the turn for warps that may not issue. */
    in->long_wait = (~sc->running | sc->blocked_by_load | ~in->allow) & ALL_WARPS;
    in->allow_load = ALL_WARPS;
    in->allow_class = (1u << NUM_ISSUE_CLASSES) - 1;
    in->alloc = sc->num_starts > 0;
    in->alloc_warp = sc->num_starts ? sc->starts[sc->first_start] : 0;
    return in->alloc || (in->ready_sp | in->ready_sfu | in->ready_gmem | in->ready_stcmem);
}

/* The slots whose next instruction its pipeline would take in this cycle. */
static uint64_t accepted(const struct sm *sm, const struct scheduler *sc, uint64_t cycle)
{
    uint64_t slots = cycle >= sc->sp_free ? sc->next_class[CLASS_SP] : 0;
    if (cycle >= sm->sfu_free)
        slots |= sc->next_class[CLASS_SFU];
    if (cycle >= sm->mem_free && !lsu_full(&sm->lsu))
        slots |= sc->next_class[CLASS_GMEM] | sc->next_class[CLASS_STCMEM];
    return slots;
}

/* The thesis puts structural hazards before data hazards, but speaks of "active" warps: so a warp
 * that waits for a register and whose pipeline is busy as well counts as the first that applies
 * (cpi.overlap = first), or always as waiting for the register (active). */
static void count_warps(struct sm *sm, struct scheduler *sc, uint64_t cycle, uint64_t granted,
                        uint64_t cycles)
{
    struct cpi_masks m;
    const uint64_t wants = sc->running & sc->buffered & ~granted;
    const uint64_t takes = accepted(sm, sc, cycle);
    const uint64_t refused = wants & ~takes & (sm->cpi_active ? sc->clear : ALL_WARPS);
    const uint64_t blocked = wants & ~refused & ~sc->clear;
    m.slots[CPI_issued] = granted;
    m.slots[CPI_barrier] = sc->at_barrier;
    m.slots[CPI_done] = sc->done;
    m.slots[CPI_control] = sc->running & ~sc->buffered & sc->jumping;
    m.slots[CPI_ibuf] =
        sc->occupied & ~sc->at_barrier & ~sc->done & ~(sc->running & (sc->buffered | sc->jumping));
    m.slots[CPI_struct_sp] = refused & sc->next_class[CLASS_SP];
    m.slots[CPI_struct_sfu] = refused & sc->next_class[CLASS_SFU];
    m.slots[CPI_struct_mem] = refused & (sc->next_class[CLASS_GMEM] | sc->next_class[CLASS_STCMEM]);
    m.slots[CPI_data_mem] = blocked & sc->blocked_by_load;
    m.slots[CPI_data_exe] = blocked & ~sc->blocked_by_load;
    m.slots[CPI_not_selected] = wants & ~refused & ~blocked;
    cpi_count(&sc->cpi, &m, cycles);
}

/* What becomes of a cycle in which nothing is granted. */
static enum sm_outcome idle_outcome(const struct sm *sm, const struct scheduler *sc, uint64_t cycle)
{
    struct wia_in in;
    uint64_t waiting = sc->running & sc->buffered & ~sc->clear;
    if (issuable(sc)) {
        inputs(sm, sc, cycle, &in);
        return in.ready_sp | in.ready_sfu | in.ready_gmem | in.ready_stcmem ? OUTCOME_held
                                                                            : OUTCOME_pipeline;
    }
    if (waiting & sc->blocked_by_load)
        return OUTCOME_memory;
    if (waiting)
        return OUTCOME_execution;
    if (sc->running)
        return OUTCOME_fetch;
    return sc->occupied ? OUTCOME_block : OUTCOME_empty;
}

/* The first cycle after `cycle`, up to `end`, in which a pipeline of the scheduler is free again.
 */
static uint64_t next_free(const struct sm *sm, const struct scheduler *sc, uint64_t cycle,
                          uint64_t end)
{
    const uint64_t times[] = {sc->sp_free, sm->sfu_free, sm->mem_free};
    for (unsigned i = 0; i < sizeof times / sizeof times[0]; i++)
        if (times[i] > cycle && times[i] < end)
            end = times[i];
    return end;
}

/* Nothing changes in these cycles but that pipelines are free again. */
void issue_count_idle(struct sm *sm, struct scheduler *sc, uint64_t until)
{
    if (sc->counted >= until)
        return;
    sm->counters.outcomes[idle_outcome(sm, sc, sc->counted)] += until - sc->counted;
    for (uint64_t next; sc->occupied && sc->counted < until; sc->counted = next) {
        next = next_free(sm, sc, sc->counted, until);
        count_warps(sm, sc, sc->counted, 0, next - sc->counted);
    }
    sc->counted = until;
}

static int same_inputs(const struct sm *sm, const struct scheduler *sc, uint64_t cycle)
{
    struct wia_in in;
    inputs(sm, sc, cycle, &in);
    return !throttle_stale(sc) && !memcmp(&in, &sc->in, sizeof in);
}

/* The earlier of `next` and the cycle from which a pipeline is free. One that is free already
 * counts as the next cycle, unless the arbiter has turned down all that could go there. */
static uint64_t earlier(uint64_t next, uint64_t free, uint64_t cycle, int turned_down)
{
    if (free <= cycle + 1)
        free = turned_down ? NEVER : cycle + 1;
    return free < next ? free : next;
}

uint64_t issue_next(const struct sm *sm, const struct scheduler *sc, uint64_t cycle)
{
    uint64_t warps = issuable(sc), next = NEVER;
    if (!warps)
        return NEVER;
    int turned_down = sc->held && same_inputs(sm, sc, cycle + 1);
    if (warps & sc->next_class[CLASS_SP])
        next = earlier(next, sc->sp_free, cycle, turned_down);
    if (warps & sc->next_class[CLASS_SFU])
        next = earlier(next, sm->sfu_free, cycle, turned_down);
    if (warps & (sc->next_class[CLASS_GMEM] | sc->next_class[CLASS_STCMEM]) && !lsu_full(&sm->lsu))
        next = earlier(next, sm->mem_free, cycle, turned_down);
    return next;
}

/* Sets everything that depends on the warp's next instruction. */
static void look_ahead(struct sm *sm, struct scheduler *sc, unsigned slot)
{
    const struct uop *uop = &sm->launch->kernel->uops[sc->warps[slot].pc];
    uint64_t bit = UINT64_C(1) << slot;
    sc->next[slot] = uop;
    for (unsigned i = 0; i < NUM_ISSUE_CLASSES; i++)
        sc->next_class[i] &= ~bit;
    sc->next_class[issue_class[uop->klass]] |= bit;
    int load = uop->klass == CLASS_GMEM && (uop->op == U_LD || uop->op == U_ATOM);
    sc->load = load ? sc->load | bit : sc->load & ~bit;
    scoreboard_check(sm, sc->index * NUM_WARPS + slot);
}

/* Hands the executed instruction to its pipeline. `entry` is the place in the load/store unit that
 * it was executed in. */
static void occupy(struct sm *sm, struct scheduler *sc, unsigned slot, const struct uop *uop,
                   uint32_t pc, struct lsu_entry *entry, uint64_t cycle)
{
    unsigned warp = sc->index * NUM_WARPS + slot;
    struct delay_line *results;
    switch (issue_class[uop->klass]) {
    case CLASS_SP:
        sc->sp_free = cycle + sm->sp_interval;
        results = &sc->sp;
        break;
    case CLASS_SFU:
        issue_touch_all(sm);
        sm->sfu_free = cycle + sm->sfu_interval;
        sm->first_scheduler = (sc->index + 1) % NUM_SCHEDULERS;
        results = &sm->sfu;
        break;
    default: {
        const struct exec_access *a = &entry->access;
        issue_touch_all(sm);
        sm->mem_free = cycle + sm->mem_interval;
        sm->first_scheduler = (sc->index + 1) % NUM_SCHEDULERS;
        entry->warp = warp;
        entry->uop = pc;
        entry->pollute = (int)(sc->mask_out.pollute >> slot & 1);
        sm->lsu.count++;
        sm->blocks[sc->block[slot]].holds++;
        scoreboard_issue(sm, warp, uop,
                         a->mask && (a->space == SPACE_GLOBAL || a->space == SPACE_LOCAL));
        return;
    }
    }
    if (!uop->num_writes)
        return;
    delay_push(results, cycle, warp, pc);
    sm->blocks[sc->block[slot]].holds++;
    scoreboard_issue(sm, warp, uop, 0);
}

static enum sm_status issue(struct sm *sm, struct scheduler *sc, unsigned slot, uint64_t cycle)
{
    const struct uop *uop = sc->next[slot];
    struct exec_warp *w = &sc->warps[slot];
    struct lsu_entry *entry = lsu_place(&sm->lsu);
    uint32_t pc = w->pc;
    sm->counters.warp_instructions++;
    sm->counters.thread_instructions += (uint64_t)__builtin_popcount(w->active);
    sm->last_issue = cycle;
    entry->access.mask = 0;
    enum exec_status status = exec_step(w, &entry->access);
    if (status == EXEC_FAULT)
        return SM_FAULT;
    occupy(sm, sc, slot, uop, pc, entry, cycle);
    if (status == EXEC_DONE) {
        block_warp_ends(sm, sc, slot);
        return SM_OK;
    }
    ibuffer_issue(sm, sc, slot, status == EXEC_BRANCH || w->pc != pc + 1, cycle);
    look_ahead(sm, sc, slot);
    if (status == EXEC_BARRIER)
        block_warp_waits(sm, sc, slot);
    return SM_OK;
}

/* A cycle in which nobody issues. The scheduler rests until something changes, or a pipeline is
 * free.
 */
static void rest(struct sm *sm, struct scheduler *sc, uint64_t cycle)
{
    sm->counters.outcomes[idle_outcome(sm, sc, cycle)]++;
    count_warps(sm, sc, cycle, 0, 1);
    sc->changed = sc->num_starts > 0;
    sc->wake = issue_next(sm, sc, cycle);
}

static enum sm_status evaluate(struct sm *sm, struct scheduler *sc, uint64_t cycle)
{
    struct wia_in *in = &sc->in, before = sc->in;
    if (throttle_step(sc, cycle)) {
        sm->mismatch = sc->units[SM_mask];
        return SM_MISMATCH;
    }
    /* IDLE_STABLE: a cycle without grant and allocation moves no register of the arbiter. So it
     * need not be asked when no warp is ready, nor again about inputs for which it granted nobody.
     */
    int ask = inputs(sm, sc, cycle, in);
    if (!ask || (sc->held && !memcmp(in, &before, sizeof before))) {
        sc->held = ask;
        sc->out.grant_valid = sc->out.grant = 0;
        rest(sm, sc, cycle);
        return SM_OK;
    }
    if (unit_step(sc->units[SM_wia], cycle, in, &sc->out)) {
        sm->mismatch = sc->units[SM_wia];
        return SM_MISMATCH;
    }
    sc->held = !sc->out.grant_valid && !in->alloc;
    if (sc->held) {
        rest(sm, sc, cycle);
        return SM_OK;
    }
    sc->changed = 1;
    count_warps(sm, sc, cycle, sc->out.grant_valid ? UINT64_C(1) << sc->out.grant : 0, 1);
    sm->counters.outcomes[sc->out.grant_valid ? OUTCOME_granted : idle_outcome(sm, sc, cycle)]++;
    if (in->alloc) {
        if (sc->units[SM_mask])
            throttle_order(sc);
        block_start_warp(sm, sc, (unsigned)in->alloc_warp);
        look_ahead(sm, sc, (unsigned)in->alloc_warp);
    }
    if (!sc->out.grant_valid)
        return SM_OK;
    uint64_t ready = in->ready_sp | in->ready_sfu | in->ready_gmem | in->ready_stcmem;
    if (sc->out.grant >= NUM_WARPS || !(ready >> sc->out.grant & 1)) {
        snprintf(sm->fault.message, sizeof sm->fault.message,
                 "cycle %" PRIu64 ", sm %u scheduler %u: wia granted warp %" PRIu64
                 ", which is not ready (ready: %#" PRIx64 ")",
                 cycle, sm->index, sc->index, (uint64_t)sc->out.grant, ready);
        return SM_FAULT;
    }
    return issue(sm, sc, (unsigned)sc->out.grant, cycle);
}

enum sm_status issue_step(struct sm *sm, struct scheduler *sc, uint64_t cycle)
{
    if (!sc->changed && cycle < sc->wake) {
        sc->turn = cycle + 1;
        return SM_OK;
    }
    issue_count_idle(sm, sc, cycle);
    sc->counted = sc->turn = cycle + 1;
    return evaluate(sm, sc, cycle);
}
