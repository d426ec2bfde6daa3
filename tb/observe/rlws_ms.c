/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/rlws_ms.c: what the unit that takes RLWS_MS's meta-actions is to be shown (rtl/rlws_ms/README.md). */
#include "cmodel/rlws_ms/rlws_ms.h"

#include "tb/observe/observer.h"

#define ALL_PAIRS 0x3ff

static void expect(const struct config *c, const struct registers *r, const struct controls *so_far,
                   void *input)
{
    struct rlws_ms_in *in = input;
    (void)c;
    in->ready_sp = r->ready[0];
    in->ready_sfu = r->ready[1];
    in->ready_gmem = r->ready[2];
    in->ready_stcmem = r->ready[3];
    in->load = r->load;
    in->allow = so_far->allow & ALL_WARPS;
    in->allow_load = so_far->allow_load & ALL_WARPS;
    in->allow_class = so_far->allow_class & 15;
    in->sibling_waits = r->sibling_waits;
    in->sibling_done = r->sibling_done;
    in->beats = so_far->beats == NO_CHOICE ? ALL_PAIRS : so_far->beats;
    in->drawn = in->draw = 0;
    if (so_far->draw != NO_CHOICE) {
        in->drawn = 1;
        in->draw = so_far->draw;
    }
}

static void steer(const void *output, const void *state, struct controls *c)
{
    const struct rlws_ms_out *out = output;
    (void)state;
    c->action = out->action;
    c->policy = out->policy;
    c->allow = out->may;
}

const struct observer rlws_ms_observer = {.stem = "rlws_ms", .expect = expect, .steer = steer};
