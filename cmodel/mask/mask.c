/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/mask/mask.c: see mask.h. A warp's rank is the number of live warps that are older. */
#include "cmodel/mask/mask.h"

_Static_assert(NUM_WARPS >= 2 && NUM_WARPS <= 64, "a warp mask is one word");

void mask_reset(struct mask_state *s)
{
    (void)s;
}

void mask_tick(struct mask_state *s, const struct mask_in *in, const struct mask_out *out)
{
    (void)s, (void)in, (void)out;
}

void mask_comb(const struct mask_state *s, const struct mask_in *in, struct mask_out *out)
{
    unsigned rank[NUM_WARPS] = {0}, pair = 0;
    (void)s;
    for (unsigned i = 0; i < NUM_WARPS; i++)
        for (unsigned j = i + 1; j < NUM_WARPS; j++, pair++) {
            if (bit_get(in->order, pair))
                rank[j] += in->live >> i & 1;
            else
                rank[i] += in->live >> j & 1;
        }
    out->vital = out->pollute = 0;
    for (unsigned w = 0; w < NUM_WARPS; w++) {
        uint64_t vital = (in->live >> w & 1) && rank[w] < in->n;
        out->vital |= vital << w;
        out->pollute |= (uint64_t)(vital && rank[w] < in->p) << w;
    }
}
