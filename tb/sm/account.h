/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/account.h: in which class of cpi.def a warp's cycles count. Not compiled twice: the one who counts needs it within his loop. */
#ifndef HEDDLE_TB_SM_ACCOUNT_H
#define HEDDLE_TB_SM_ACCOUNT_H

#include "tb/sm/sm_state.h"

/* The class in which a slot is while its pipeline takes instructions, and that pipeline. The thesis puts
 * structural hazards before data hazards, but speaks of "active" warps: so a warp that waits for a
 * register and whose pipeline is busy as well counts as the first that applies (cpi.overlap = first),
 * or always as waiting for the register (active). */
static inline unsigned account_state(const struct sm *sm, const struct scheduler *sc, unsigned slot)
{
    const struct scheduler_view *v = &sc->view;
    const uint64_t bit = UINT64_C(1) << slot;
    if (v->running & v->buffered & bit) {
        const int memory = ((v->next_class[ISSUE_GMEM] | v->next_class[ISSUE_STCMEM]) & bit) != 0,
                  clear = (v->clear & bit) != 0, refusable = clear || !sm->cpi_active;
        const unsigned number = memory                           ? CPI_MEM
                                : v->next_class[ISSUE_SFU] & bit ? CPI_SFU
                                                                 : CPI_SP,
                       pipeline = refusable ? number : 0;
        if (refusable && memory && sc->crowded & bit) /* refused, whatever the pipeline does */
            return cpi_state(CPI_struct_mem, pipeline);
        if (clear)
            return cpi_state(CPI_not_selected, pipeline);
        return cpi_state(v->blocked_by_load & bit ? CPI_data_mem : CPI_data_exe, pipeline);
    }
    if (!(v->occupied & bit))
        return CPI_NO_WARP;
    if ((v->at_barrier | v->done) & bit)
        return cpi_state(v->done & bit ? CPI_done : CPI_barrier, 0);
    return cpi_state(v->running & v->jumping & bit ? CPI_control : CPI_ibuf, 0);
}

#endif
