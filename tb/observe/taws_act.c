/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/taws_act.c: what the unit that chooses the thread block is to be shown (rtl/taws_act/README.md). */
#include "cmodel/taws_act/taws_act.h"

#include <string.h>

#include "tb/observe/observer.h"

static void expect(const struct config *c, const struct registers *r, const struct controls *so_far,
                   void *input)
{
    struct taws_act_in *in = input;
    const unsigned width = CLOG2(NUM_WARPS + 1);
    memset(in, 0, sizeof *in);
    in->greedy = c->taws_greedy != 0;
    in->ready_sp = r->ready[0];
    in->ready_sfu = r->ready[1];
    in->ready_gmem = r->ready[2];
    in->ready_stcmem = r->ready[3];
    in->load = r->load;
    in->allow = so_far->allow & ALL_WARPS;
    in->allow_load = so_far->allow_load & ALL_WARPS;
    in->allow_class = so_far->allow_class & 15;
    for (unsigned slot = 0; slot < NUM_WARPS; slot++)
        in->block[slot] = r->context[slot];
    for (unsigned pair = 0; pair < SM_BLOCKS * (SM_BLOCKS - 1) / 2; pair++)
        bit_set(in->ahead, pair, bit_get(so_far->ahead, pair));
    for (unsigned context = 0; context < SM_BLOCKS; context++) {
        uint64_t warp = 0;
        for (unsigned bit = 0; bit < width; bit++)
            warp |= (uint64_t)bit_get(so_far->held, context * width + bit) << bit;
        if (warp < NUM_WARPS) {
            bit_set(in->held_valid, context, 1);
            in->held[context] = warp;
        }
    }
}

static void steer(const void *output, const void *state, struct controls *c)
{
    (void)state;
    c->allow = ((const struct taws_act_out *)output)->may;
}

const struct observer taws_act_observer = {.stem = "taws_act", .expect = expect, .steer = steer};
