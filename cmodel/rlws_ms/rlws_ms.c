/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/rlws_ms/rlws_ms.c: see rlws_ms.h. */
#include "cmodel/rlws_ms/rlws_ms.h"

#include "cmodel/rlws_pick.h"

_Static_assert(NUM_WARPS >= 2 && NUM_WARPS <= 64, "a warp mask is one word");

#define ALL_WARPS (~UINT64_C(0) >> (64 - NUM_WARPS))

void rlws_ms_reset(struct rlws_ms_state *s)
{
    (void)s;
}

void rlws_ms_tick(struct rlws_ms_state *s, const struct rlws_ms_in *in,
                  const struct rlws_ms_out *out)
{
    (void)s, (void)in, (void)out;
}

void rlws_ms_comb(const struct rlws_ms_state *s, const struct rlws_ms_in *in,
                  struct rlws_ms_out *out)
{
    const uint64_t ready[] = {in->ready_sp, in->ready_sfu,
                              in->ready_gmem & (~in->load | in->allow_load), in->ready_stcmem};
    uint64_t can = 0, possible = 1 << rlws_ms_action_gto | 1 << rlws_ms_action_youngest |
                                 1 << rlws_ms_action_lrr;
    (void)s;
    for (unsigned c = 0; c < 4; c++)
        if (in->allow_class >> c & 1)
            can |= ready[c] & in->allow;
    if (!can || can & in->sibling_waits)
        possible |= 1 << rlws_ms_action_youngest_barrier;
    if (!can || can & in->sibling_done)
        possible |= 1 << rlws_ms_action_youngest_finish;

    out->action = rlws_pick(in->beats, possible, in->drawn, in->draw);
    out->policy = rlws_ms_policy_youngest;
    out->may = ALL_WARPS;
    switch (out->action) {
    case rlws_ms_action_gto: out->policy = rlws_ms_policy_gto; break;
    case rlws_ms_action_lrr: out->policy = rlws_ms_policy_lrr; break;
    case rlws_ms_action_youngest_barrier: out->may = in->sibling_waits; break;
    case rlws_ms_action_youngest_finish: out->may = in->sibling_done; break;
    default: break;
    }
}
