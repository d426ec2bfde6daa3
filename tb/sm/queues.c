/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/queues.c: where memory instructions of each kernel wait apart, in an SM whose units keep a queue of them (struct socket, queue).
 * Such a unit says which kernels' instructions have room, whose head the load/store unit serves in a cycle, and which instruction begins.
 * The machine keeps what hardware would have beside it, in the same order, and checks what it is told: an instruction that begins out of
 * order, or one for which there is no room, is a fault. */
#include <inttypes.h>
#include <stdio.h>

#include "tb/sm/sm_state.h"

/* Does the head's next access fail again? Seen at the end of a cycle, so that it does not depend on which cycles are left out: what
 * arrives in a cycle, or leaves the miss queue, is seen in that one. */
static int still_fails(struct sm *sm, const struct lsu_queue *q, uint64_t cycle)
{
    if (!q->stalled || q->retry)
        return 0;
    return q->cause != L1_FAIL_queue_full || !memory_room(sm->memory, sm->index, cycle);
}

static struct head_view head_of(struct sm *sm, struct lsu_queue *q, uint64_t cycle)
{
    const struct exec_access *a = &q->entries[q->first].access;
    struct head_view head = {0};
    if (!q->count)
        return head;
    head.begun = q->open != 0;
    head.path = lsu_path(a);
    head.stalled = (uint64_t)still_fails(sm, q, cycle);
    if (head.path == PATH_L1D && !a->is_store && !a->is_atomic) {
        lsu_find_lines(sm, q);
        head.hit = (uint64_t)l1_has(sm->l1d, q->lines.line[q->next_line]);
    }
    return head;
}

void queues_see(struct sm *sm, uint64_t cycle)
{
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        sm->view.heads[i] = head_of(sm, &sm->lsu.queues[i], cycle);
    sm->view.takes_access = sm->lsu.free <= cycle + 1;
}

void queues_crowd(struct sm *sm, struct scheduler *sc)
{
    const uint64_t all = (UINT64_C(1) << NUM_KERNELS) - 1,
                   room = sm->controls[sc->index].allow_memory & all;
    issue_touch(sm, sc, ALL_WARPS);
    sc->crowded = room ? 0 : ALL_WARPS;
    if (!room || room == all)
        return;
    for (uint64_t rest = sm->view.blocks; rest; rest &= rest - 1) {
        const struct block *b = &sm->blocks[__builtin_ctzll(rest)];
        if (!(room >> (b->kernel - sm->kernels) & 1))
            sc->crowded |= b->warps[sc->index];
    }
}

/* A unit is wrong: the kernels end. */
static void fault(struct sm *sm, const char *what, uint64_t cycle, const struct lsu_queue *q)
{
    snprintf(sm->fault.message, sizeof sm->fault.message,
             "cycle %" PRIu64 ", sm %u: memory instruction of kernel %d: %s", cycle, sm->index,
             (int)(q - sm->lsu.queues), what);
    sm->fault.raised = 1;
}

void queues_overflow(struct sm *sm, const struct lsu_queue *q, uint64_t cycle)
{
    fault(sm, "it has issued, and there is no room", cycle, q);
}

struct lsu_queue *queues_served(struct sm *sm, uint64_t cycle)
{
    const uint64_t number = sm->controls[0].serve, begin = sm->controls[0].begin;
    if (number >= NUM_KERNELS)
        return NULL;
    struct lsu_queue *q = &sm->lsu.queues[number];
    if (q->count && begin == (q->open ? NO_CHOICE : q->first))
        return q;
    fault(sm, "it is to begin or to go on, and is not the next", cycle, q);
    return NULL;
}

uint64_t queues_next(const struct sm *sm, uint64_t cycle)
{
    if (sm->controls[0].serve < NUM_KERNELS)
        return cycle + 1;
    /* The cycle before it is free: a unit chooses then. */
    return sm->lsu.free > cycle + 1 ? sm->lsu.free - 1 : NEVER;
}
