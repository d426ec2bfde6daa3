/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/throttle.c: which warps of a scheduler are vital and which may pollute L1 (unit mask; Poise
 * VI-C). Vital gates the arbiter in the same cycle; pollute travels with each load.
 *
 * A warp counts while it is in state RUN: one that waits at a barrier, or has ended while its block
 * goes on, would hold its place against the younger warps that it waits for. */
#include <string.h>

#include "tb/sm/sm_state.h"

void throttle_init(struct scheduler *sc, const struct config *c)
{
    const uint64_t n = c->mask_n ? (uint64_t)c->mask_n : NUM_WARPS;
    sc->mask_in = (struct mask_in){.n = n, .p = c->mask_p ? (uint64_t)c->mask_p : n};
    sc->mask_out = (struct mask_out){.vital = ALL_WARPS, .pollute = ALL_WARPS};
    if (!sc->units[SM_mask])
        return;
    throttle_order(sc);
    sc->mask_out.vital = sc->mask_out.pollute = 0; /* so for no live warp */
}

void throttle_order(struct scheduler *sc)
{
    const struct wia_state *wia = unit_state(sc->units[SM_wia]);
    _Static_assert(sizeof wia->order == sizeof sc->mask_in.order, "the same order");
    memcpy(sc->mask_in.order, wia->order, sizeof wia->order);
    sc->mask_stale = 1;
}

int throttle_step(struct scheduler *sc, uint64_t cycle)
{
    /* No register: the same inputs have the same outputs. */
    if (!throttle_stale(sc))
        return 0;
    sc->mask_in.live = sc->running;
    sc->mask_stale = 0;
    return unit_step(sc->units[SM_mask], cycle, &sc->mask_in, &sc->mask_out);
}
