/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/rlws_act.c: what the unit that takes RLWS's actions is to be shown (rtl/rlws_act/README.md). */
#include "cmodel/rlws_act/rlws_act.h"

#include "tb/observe/observer.h"

#define ALL_PAIRS 0x3ff

static void expect(const struct config *c, const struct registers *r, const struct controls *so_far,
                   void *input)
{
    struct rlws_act_in *in = input;
    (void)c;
    in->ready_sp = r->ready[0];
    in->ready_sfu = r->ready[1];
    in->ready_gmem = r->ready[2];
    in->ready_stcmem = r->ready[3];
    in->load = r->load;
    in->allow = so_far->allow & ALL_WARPS;
    in->allow_load = so_far->allow_load & ALL_WARPS;
    in->allow_class = so_far->allow_class & 15;
    in->beats = so_far->beats == NO_CHOICE ? ALL_PAIRS : so_far->beats;
    in->drawn = in->draw = 0;
    if (so_far->draw != NO_CHOICE) {
        in->drawn = 1;
        in->draw = so_far->draw;
    }
    in->rested = so_far->rested == NO_CHOICE ? 0 : so_far->rested;
}

static void steer(const void *output, const void *state, struct controls *c)
{
    const struct rlws_act_out *out = output;
    (void)state;
    c->action = out->action;
    c->allow_class &= out->only;
}

const struct observer rlws_act_observer = {.stem = "rlws_act", .expect = expect, .steer = steer};
