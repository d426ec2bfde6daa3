/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/rlws_act/rlws_act.c: see rlws_act.h. */
#include "cmodel/rlws_act/rlws_act.h"

#include "cmodel/rlws_pick.h"

_Static_assert(NUM_WARPS >= 2 && NUM_WARPS <= 64, "a warp mask is one word");

void rlws_act_reset(struct rlws_act_state *s)
{
    (void)s;
}

void rlws_act_tick(struct rlws_act_state *s, const struct rlws_act_in *in,
                   const struct rlws_act_out *out)
{
    (void)s, (void)in, (void)out;
}

void rlws_act_comb(const struct rlws_act_state *s, const struct rlws_act_in *in,
                   struct rlws_act_out *out)
{
    const uint64_t ready[] = {in->ready_sp, in->ready_sfu,
                              in->ready_gmem & (~in->load | in->allow_load), in->ready_stcmem};
    uint64_t classes = 0, possible;
    (void)s;
    for (unsigned c = 0; c < 4; c++)
        if (ready[c] & in->allow)
            classes |= in->allow_class & UINT64_C(1) << c;
    /* Action c + 1 issues to class c. */
    possible = classes << 1;
    if (!in->rested || !possible)
        possible |= 1;
    out->action = rlws_pick(in->beats, possible, in->drawn, in->draw);
    out->only = UINT64_C(1) << out->action >> 1;
}
