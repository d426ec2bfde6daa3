/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/block.c: thread blocks on an SM: placing, starting their warps, barriers, end.
 *
 * Warp j of a block goes to scheduler j modulo their number, into its lowest free slot. Each
 * scheduler starts one warp per cycle, in the order in which slots were reserved. When a barrier
 * opens is in barrier.c; a block's slots are freed together, when all its warps have ended and
 * nothing of it is in flight. Both act from the next cycle on. */
#include <string.h>

#include "tb/sm/sm_state.h"

static void move(struct sm *sm, struct scheduler *sc, unsigned slot, unsigned to)
{
    issue_touch(sm, sc, UINT64_C(1) << slot);
    fsm_move(&warp_fsm, sm->edges, &sc->state[slot], to, "a warp");
    sc->view.running = with_slot(sc->view.running, slot, to == WARP_RUN);
    sc->view.at_barrier = with_slot(sc->view.at_barrier, slot, to == WARP_BARRIER);
    sc->view.done = with_slot(sc->view.done, slot, to == WARP_DONE);
    sc->view.occupied = with_slot(sc->view.occupied, slot, to != WARP_FREE);
}

/* Registers, their places in the scoreboard, and local memory for the warp that comes into a slot. */
static void give_memory(const struct sm_kernel *k, struct scheduler *sc, unsigned slot)
{
    const struct ptx_kernel *kernel = k->launch->kernel;
    const uint64_t number = (uint64_t)sc->index * k->shape.slots + slot,
                   local = exec_local_bytes(kernel);
    sc->warps[slot].regs = region_piece(&k->registers, number, exec_warp_bytes(kernel));
    sc->pending[slot] = k->pending + (size_t)(sc->index * NUM_WARPS + slot) * kernel->num_regs;
    sc->warps[slot].local = local ? region_piece(&k->local, number, local) : NULL;
}

/* Blocks have come or gone: whose memory instructions have no room is said of slots. */
static void crowd(struct sm *sm)
{
    for (unsigned s = 0; s < NUM_SCHEDULERS && sm->lsu.apart; s++)
        queues_crowd(sm, &sm->schedulers[s]);
}

void block_place(struct sm *sm, const struct placement *p, uint64_t cycle)
{
    unsigned number = (unsigned)__builtin_ctzll(~sm->view.blocks);
    struct block *b = &sm->blocks[number];
    struct sm_kernel *k = &sm->kernels[p->kernel];
    const uint32_t shared = k->launch->shared_bytes;
    sm->view.blocks |= UINT64_C(1) << number;
    k->resident++;
    tell(&sm->listener, cycle, block_start, .block = p->linear_id, .context = number,
         .kernel = p->kernel);
    b->kernel = k;
    memset(b->warps, 0, sizeof b->warps);
    memcpy(b->exec.ctaid, p->ctaid, sizeof b->exec.ctaid);
    b->exec.launch = k->launch;
    b->exec.sm = &sm->exec;
    b->exec.later = &sm->later;
    b->exec.tolerated = &k->tolerated;
    memset(b->exec.barriers, 0, sizeof b->exec.barriers);
    b->exec.shared = region_piece(&k->shared, number, shared);
    if (shared)
        memset(b->exec.shared, 0, shared);
    b->linear_id = p->linear_id;
    b->since = p->cycle;
    b->record = p->record;
    b->unfinished = k->shape.warps;
    b->holds = 0;
    for (uint32_t j = 0; j < k->shape.warps; j++) {
        struct scheduler *sc = &sm->schedulers[j % NUM_SCHEDULERS];
        unsigned slot = (unsigned)__builtin_ctzll(~sc->view.occupied);
        move(sm, sc, slot, WARP_START);
        b->warps[sc->index] |= UINT64_C(1) << slot;
        sc->view.kernel_1 |= (uint64_t)p->kernel << slot;
        sc->block[slot] = (uint8_t)number;
        sc->kernel[slot] = k;
        sc->warps[slot].warp_in_block = j;
        give_memory(k, sc, slot);
        sc->starts[(sc->first_start + sc->num_starts++) % NUM_WARPS] = (uint8_t)slot;
    }
    crowd(sm);
}

/* A warp's number in the SM. */
static uint64_t number_of(const struct scheduler *sc, unsigned slot)
{
    return sc->index * NUM_WARPS + slot;
}

void block_start_warp(struct sm *sm, struct scheduler *sc, unsigned slot, uint64_t cycle)
{
    struct exec_warp *w = &sc->warps[slot];
    exec_warp_start(w, &sm->blocks[sc->block[slot]].exec, w->warp_in_block, &sm->fault);
    sc->first_start = (sc->first_start + 1) % NUM_WARPS;
    sc->num_starts--;
    move(sm, sc, slot, WARP_RUN);
    ibuffer_start(sc, slot);
    l1_disown(sm->l1d, (unsigned)number_of(sc, slot));
    tell(&sm->listener, cycle, warp_start, .warp = number_of(sc, slot),
         .block = sm->blocks[sc->block[slot]].linear_id,
         .kernel = (uint64_t)(kernel_of(sc, slot) - sm->kernels));
}

void block_warp_waits(struct sm *sm, struct scheduler *sc, unsigned slot, uint64_t cycle)
{
    tell(&sm->listener, cycle, barrier_wait, .warp = number_of(sc, slot));
    move(sm, sc, slot, WARP_BARRIER);
    sm->touched |= UINT64_C(1) << sc->block[slot];
}

void block_warp_ends(struct sm *sm, struct scheduler *sc, unsigned slot, uint64_t cycle)
{
    tell(&sm->listener, cycle, warp_end, .warp = number_of(sc, slot));
    move(sm, sc, slot, WARP_DONE);
    ibuffer_stop(sc, slot);
    sm->blocks[sc->block[slot]].unfinished--;
    sm->touched |= UINT64_C(1) << sc->block[slot];
}

/* All its warps are done. */
static void free_slots(struct sm *sm, const struct block *b)
{
    for (unsigned s = 0; s < NUM_SCHEDULERS; s++) {
        for (uint64_t rest = b->warps[s]; rest; rest &= rest - 1)
            move(sm, &sm->schedulers[s], (unsigned)__builtin_ctzll(rest), WARP_FREE);
        sm->schedulers[s].view.kernel_1 &= ~b->warps[s];
    }
}

/* What the block's warps did with their cycles. */
static void count_end(struct sm *sm, const struct block *b)
{
    issue_touch_all(sm, 0);
    for (unsigned s = 0; s < NUM_SCHEDULERS; s++) {
        struct scheduler *sc = &sm->schedulers[s];
        for (uint64_t rest = b->warps[s]; rest; rest &= rest - 1)
            cpi_end(&sc->cpi, (unsigned)__builtin_ctzll(rest), sc->counted,
                    &b->kernel->counters.cpi);
    }
}

/* Warps whose barrier has opened go on. */
static void pass_barriers(struct sm *sm, struct block *b, uint64_t cycle)
{
    for (unsigned s = 0; s < NUM_SCHEDULERS; s++) {
        struct scheduler *sc = &sm->schedulers[s];
        for (uint64_t rest = b->warps[s] & sc->view.at_barrier; rest; rest &= rest - 1) {
            unsigned slot = (unsigned)__builtin_ctzll(rest);
            if (!exec_barrier_passed(&sc->warps[slot]))
                continue;
            move(sm, sc, slot, WARP_RUN);
            tell(&sm->listener, cycle, barrier_leave, .warp = number_of(sc, slot));
        }
    }
}

/* Whether one of a block's warps has ended or, else, waits at a barrier. */
static uint64_t has(const struct sm *sm, const struct block *b, int done)
{
    uint64_t any = 0;
    for (unsigned s = 0; s < NUM_SCHEDULERS; s++) {
        const struct scheduler_view *v = &sm->schedulers[s].view;
        any |= b->warps[s] & (done ? v->done : v->at_barrier);
    }
    return any != 0;
}

static void keep(uint64_t *contexts, unsigned number, uint64_t bit)
{
    *contexts = (*contexts & ~(UINT64_C(1) << number)) | bit << number;
}

void block_settle(struct sm *sm, uint64_t cycle)
{
    for (; sm->touched; sm->touched &= sm->touched - 1) {
        unsigned number = (unsigned)__builtin_ctzll(sm->touched);
        struct block *b = &sm->blocks[number];
        exec_barrier_settle(&b->exec, b->unfinished);
        pass_barriers(sm, b, cycle);
        if (!b->unfinished && !b->holds) {
            count_end(sm, b);
            free_slots(sm, b);
            sm->view.blocks &= ~(UINT64_C(1) << number);
            crowd(sm);
            tell(&sm->listener, cycle, block_end, .block = b->linear_id, .context = number,
                 .kernel = (uint64_t)(b->kernel - sm->kernels));
            if (b->record)
                sm->stream->end(b->record);
            b->kernel->resident--;
            b->kernel->ended = cycle + 1;
            b->kernel->counters.blocks++;
            b->kernel->counters.warp_cycles += b->kernel->shape.warps * (cycle + 1 - b->since);
        }
        keep(&sm->view.with_waiting, number, has(sm, b, 0));
        keep(&sm->view.with_done, number, has(sm, b, 1));
    }
}
