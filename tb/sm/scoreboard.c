/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/scoreboard.c: registers with a result on its way. An instruction may issue when none that
 * it reads or writes is pending; so a register has one writer at a time and one bit is enough. A
 * second bit says that the result comes from global or local memory: such a wait is long. */
#include "tb/sm/sm_state.h"

/* Its words of the tables. */
static size_t row(const struct sm_kernel *k, unsigned warp)
{
    return (size_t)warp * k->pending_words;
}

void scoreboard_issue(struct sm *sm, unsigned warp, const struct uop *uop, int from_memory)
{
    const struct sm_kernel *k = kernel_of_warp(sm, warp);
    uint64_t *pending = k->pending + row(k, warp), *pending_load = k->pending_load + row(k, warp);
    for (unsigned i = 0; i < uop->num_writes; i++) {
        unsigned r = uop->writes[i];
        pending[r / 64] |= UINT64_C(1) << r % 64;
        pending_load[r / 64] |= (uint64_t)(from_memory != 0) << r % 64;
    }
}

void scoreboard_release(struct sm *sm, unsigned warp, const struct uop *uop)
{
    const struct sm_kernel *k = kernel_of_warp(sm, warp);
    uint64_t *pending = k->pending + row(k, warp), *pending_load = k->pending_load + row(k, warp);
    for (unsigned i = 0; i < uop->num_writes; i++) {
        unsigned r = uop->writes[i];
        pending[r / 64] &= ~(UINT64_C(1) << r % 64);
        pending_load[r / 64] &= ~(UINT64_C(1) << r % 64);
    }
    struct scheduler *sc = &sm->schedulers[warp / NUM_WARPS];
    const uint64_t bit = UINT64_C(1) << warp % NUM_WARPS;
    if (!(sc->view.clear & bit)) {
        issue_touch(sm, sc, bit);
        scoreboard_check(sm, warp);
    }
}

void scoreboard_check(struct sm *sm, unsigned warp)
{
    struct scheduler *sc = &sm->schedulers[warp / NUM_WARPS];
    const struct sm_kernel *k = kernel_of_warp(sm, warp);
    const uint64_t *pending = k->pending + row(k, warp),
                   *pending_load = k->pending_load + row(k, warp);
    const struct uop *uop = sc->next[warp % NUM_WARPS];
    uint64_t blocked = 0, by_load = 0;
    for (unsigned i = 0; i < uop->num_reads; i++) {
        unsigned r = uop->reads[i];
        blocked |= pending[r / 64] >> r % 64;
        by_load |= pending_load[r / 64] >> r % 64;
    }
    for (unsigned i = 0; i < uop->num_writes; i++) {
        unsigned r = uop->writes[i];
        blocked |= pending[r / 64] >> r % 64;
        by_load |= pending_load[r / 64] >> r % 64;
    }
    uint64_t bit = UINT64_C(1) << warp % NUM_WARPS;
    sc->view.clear = blocked & 1 ? sc->view.clear & ~bit : sc->view.clear | bit;
    sc->view.blocked_by_load =
        by_load & 1 ? sc->view.blocked_by_load | bit : sc->view.blocked_by_load & ~bit;
}
