/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/stall.c: what the unit that counts where the warps' cycles go is to be shown (rtl/stall/README.md). */
#include "cmodel/stall/stall.h"

#include <string.h>

#include "tb/observe/observer.h"
#include "tb/sm/sm_state.h"

/* Is a branch of the warp on its way, by the pipeline that finds out where it goes? */
static int jumps(const struct delay_line *branch, unsigned slot)
{
    for (uint32_t at = branch->first; at != branch->end; at++)
        if (branch->entries[at & branch->mask].what == slot)
            return 1;
    return 0;
}

/* What a running warp's next instruction, which is in its buffer, waits for. */
static void expect_next(const struct registers *r, unsigned slot, struct stall_in *in)
{
    const struct scheduler *sc = r->scheduler;
    const struct sm_kernel *k = kernel_of(sc, slot);
    const unsigned warp = sc->index * NUM_WARPS + slot;
    const struct uop *u = &k->launch->kernel->uops[sc->warps[slot].pc];
    switch (u->klass) {
    case CLASS_SFU: in->pipe[slot] = 1; break;
    case CLASS_GMEM: in->pipe[slot] = 2; break;
    case CLASS_STCMEM: in->pipe[slot] = 3; break;
    default: break;
    }
    if (!touches(k, warp, u, PENDING))
        in->clear |= UINT64_C(1) << slot;
    else if (touches(k, warp, u, PENDING_LOAD))
        in->blocked_by_load |= UINT64_C(1) << slot;
}

static void expect(const struct config *c, const struct registers *r, const struct controls *so_far,
                   void *input)
{
    const struct sm *sm = r->sm;
    const struct scheduler *sc = r->scheduler;
    struct stall_in *in = input;
    memset(in, 0, sizeof *in);
    in->start = r->starts != 0;
    in->overlap = !strcmp(c->cpi_overlap, "active");
    for (unsigned slot = 0; slot < NUM_WARPS; slot++) {
        const uint64_t bit = UINT64_C(1) << slot;
        const unsigned state = sc->state[slot];
        in->resident |= state != WARP_FREE ? bit : 0;
        in->at_barrier |= state == WARP_BARRIER ? bit : 0;
        in->done |= state == WARP_DONE ? bit : 0;
        in->buffered |= sc->in_buffer[slot] > 0 ? bit : 0;
        in->jumping |= jumps(&sc->branch, slot) ? bit : 0;
        for (unsigned i = 0; i < 4; i++)
            in->issued |= so_far->grant < NO_CHOICE && so_far->grant & bit ? r->ready[i] & bit : 0;
        if (state == WARP_RUN && sc->in_buffer[slot] > 0)
            expect_next(r, slot, in);
    }
    in->takes = (uint64_t)(r->cycle >= sc->sp_free);
    if (r->cycle >= sm->sfu_free)
        in->takes |= 2;
    if (r->cycle >= sm->mem_free && sm->lsu.count < sm->lsu.places)
        in->takes |= 4;
}

const struct observer stall_observer = {.stem = "stall", .expect = expect};
