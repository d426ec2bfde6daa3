/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/context.c: what the outside may see of an SM: for waveforms and for the report of a stuck
 * machine. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tb/sm/sm_state.h"

/* The PTX of a warp's next instruction, or NULL. */
static const char *text_of(const struct scheduler *sc, unsigned slot)
{
    const struct ptx_kernel *k = kernel_of(sc, slot)->launch->kernel;
    const uint32_t pc = sc->warps[slot].pc;
    return pc < k->num_uops ? k->text[pc] : NULL;
}

/* Whether a warp in this state has a program counter. */
static int has_started(uint8_t state)
{
    return state != WARP_FREE && state != WARP_START;
}

void sm_context(const struct sm *sm, unsigned scheduler, uint64_t cycle, struct sm_context *out)
{
    const struct scheduler *sc = &sm->schedulers[scheduler];
    memset(out, 0, sizeof *out);
    for (unsigned i = 0; i < NUM_KERNELS; i++)
        out->kernels[i] = sm->kernels[i].launch ? sm->kernels[i].launch->kernel->name : NULL;
    for (unsigned i = 0; i < NUM_WARPS; i++) {
        out->warps[i].state = sc->state[i];
        if (sc->state[i] != WARP_FREE)
            out->warps[i].block = sm->blocks[sc->block[i]].linear_id;
        if (!has_started(sc->state[i]))
            continue;
        out->warps[i].pc = sc->warps[i].pc;
        out->warps[i].active = sc->warps[i].active;
        out->warps[i].text = text_of(sc, i);
    }
    out->running = sc->view.running;
    out->buffered = sc->view.buffered;
    out->awaited = sc->awaited;
    out->clear = sc->view.clear;
    out->stepped = sm->stepped == cycle + 1;
    out->grant = NO_CHOICE;
    if (!out->stepped)
        return;
    if (sc->controls.grant != NO_CHOICE) {
        out->granted = sc->controls.grant;
        out->grant = (uint64_t)__builtin_ctzll(out->granted);
    }
    for (unsigned i = 0; i < NUM_ISSUE_CLASSES; i++)
        out->ready |= sc->view.ready[i];
}

static void reason(const struct sm *sm, const struct scheduler *sc, unsigned slot, char *text,
                   size_t size)
{
    const struct block *b = &sm->blocks[sc->block[slot]];
    const struct exec_barrier *barrier = &b->exec.barriers[sc->warps[slot].barrier];
    uint64_t bit = UINT64_C(1) << slot;
    if (sc->state[slot] == WARP_START)
        snprintf(text, size, "its start");
    else if (sc->state[slot] == WARP_BARRIER)
        snprintf(text, size, "the barrier, where %u of %u warps have arrived", barrier->arrived,
                 barrier->expected ? barrier->expected : b->unfinished);
    else if (!(sc->view.buffered & bit))
        snprintf(text, size, "its instruction%s", sc->awaited & bit ? " from memory" : "");
    else if (!(sc->view.clear & bit))
        snprintf(text, size, "%s",
                 sc->view.blocked_by_load & bit ? "a load from memory" : "a result");
    else
        snprintf(text, size, "the %s pipeline or a grant", ptx_class_name(sc->next[slot]->klass));
}

int sm_standing(const struct sm *sm, unsigned slot, struct sm_standing *out)
{
    const struct scheduler *sc = &sm->schedulers[slot / NUM_WARPS];
    const unsigned own = slot % NUM_WARPS;
    const uint8_t state = sc->state[own];
    if (state == WARP_FREE || state == WARP_DONE)
        return 0;
    const struct block *b = &sm->blocks[sc->block[own]];
    const uint32_t pc = sc->warps[own].pc;
    *out = (struct sm_standing){.kernel = b->kernel->launch->kernel,
                                .sm = sm->index,
                                .scheduler = sc->index,
                                .slot = own,
                                .block = b->linear_id,
                                .warp = sc->warps[own].warp_in_block,
                                .state = fsm_state_name(&warp_fsm, state)};
    out->placed = has_started(state) && pc < out->kernel->num_uops;
    out->pc = out->placed ? pc : 0;
    reason(sm, sc, own, out->waits_for, sizeof out->waits_for);
    return 1;
}
