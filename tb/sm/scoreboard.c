/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/scoreboard.c: registers with a result on its way. An instruction may issue when none that
 * it reads or writes is pending; so a register has one writer at a time and one bit is enough. A
 * second bit says that the result comes from global or local memory: such a wait is long. A byte for each
 * register holds both: a look-up is one load, without a shift. */
#include "tb/sm/sm_state.h"

void scoreboard_issue(const struct scheduler *sc, unsigned slot, const struct uop *uop,
                      int from_memory)
{
    uint8_t *const pending = sc->pending[slot];
    for (unsigned i = 0; i < uop->num_writes; i++)
        pending[uop->writes[i]] = from_memory ? PENDING | PENDING_LOAD : PENDING;
}

/* PENDING and PENDING_LOAD of what the warp's next instruction reads and writes. */
static unsigned waits_for(const struct scheduler *sc, unsigned slot)
{
    const uint8_t *const pending = sc->pending[slot];
    const struct uop *uop = sc->next[slot];
    unsigned any = 0;
    for (unsigned i = 0; i < uop->num_reads; i++)
        any |= pending[uop->reads[i]];
    for (unsigned i = 0; i < uop->num_writes; i++)
        any |= pending[uop->writes[i]];
    return any;
}

static void set(struct scheduler *sc, unsigned slot, unsigned waits)
{
    sc->view.clear = with_slot(sc->view.clear, slot, !(waits & PENDING));
    sc->view.blocked_by_load =
        with_slot(sc->view.blocked_by_load, slot, (waits & PENDING_LOAD) != 0);
}

void scoreboard_check(struct scheduler *sc, unsigned slot)
{
    set(sc, slot, waits_for(sc, slot));
}

void scoreboard_release(struct sm *sm, struct scheduler *sc, unsigned slot, const struct uop *uop)
{
    const uint64_t bit = UINT64_C(1) << slot;
    uint8_t *const pending = sc->pending[slot];
    for (unsigned i = 0; i < uop->num_writes; i++)
        pending[uop->writes[i]] = 0;
    if (sc->view.clear & bit)
        return;
    const unsigned waits = waits_for(sc, slot);
    if ((waits & PENDING) && !(waits & PENDING_LOAD) == !(sc->view.blocked_by_load & bit))
        return; /* for another one of the same kind */
    issue_move(sm, sc, bit);
    set(sc, slot, waits);
    issue_stir(sc, bit);
}
