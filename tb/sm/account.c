/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/account.c: counts where warps' cycles go. A slot is looked at when something has
 * happened to its warp (scheduler.moved), not in every cycle. */
#include "tb/sm/account.h"

/* How many of these cycles a pipeline takes nothing in that is free from a cycle on. */
static inline uint64_t busy(uint64_t free, uint64_t from, uint64_t until)
{
    const uint64_t end = free < until ? free : until;
    return end > from ? end - from : 0;
}

void account_warps(const struct sm *sm, struct scheduler *sc, uint64_t from, uint64_t until,
                   uint64_t granted)
{
    for (; sc->moved; sc->moved &= sc->moved - 1) {
        const unsigned slot = (unsigned)__builtin_ctzll(sc->moved);
        cpi_enter(&sc->cpi, slot, account_state(sm, sc, slot));
    }
    for (; granted; granted &= granted - 1)
        cpi_issue(&sc->cpi, (unsigned)__builtin_ctzll(granted));
    const uint64_t refused[CPI_PIPELINES] = {busy(sc->sp_free, from, until),
                                             busy(sm->sfu_free, from, until),
                                             busy(sm->mem_free, from, until)};
    cpi_count(&sc->cpi, refused, until - from);
}
