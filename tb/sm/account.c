/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/account.c: counts where warps' cycles go. A slot is looked at when something has
 * happened to its warp (scheduler.moved), not in every cycle. */
#include "tb/sm/account.h"

void account_moved(const struct sm *sm, struct scheduler *sc)
{
    for (uint64_t left = sc->moved; left; left &= left - 1) {
        const unsigned slot = (unsigned)__builtin_ctzll(left);
        cpi_enter(&sc->cpi, slot, account_state(sm, sc, slot), sc->counted);
    }
    sc->moved = 0;
}
