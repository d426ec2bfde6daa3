/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/ccws.c: what the lost-locality scores are to be shown (rtl/ccws/README.md). */
#include "cmodel/ccws/ccws.h"

#include <string.h>

#include "cmodel/vta/vta.h"
#include "tb/observe/observer.h"

static void expect(const struct config *c, const struct sm_seen *seen, void *input)
{
    const struct vta_out *vta = seen_out(seen, "vta");
    struct ccws_in *in = input;
    (void)c;
    memset(in, 0, sizeof *in);
    in->start = (uint64_t)seen->starts;
    in->hit = vta->hit;
    for (unsigned i = 0; i < seen->num_events; i++) {
        const struct event *e = &seen->events[i];
        in->issued += e->kind == EVENT_issue;
        if (e->kind == EVENT_warp_start)
            bit_set(in->fresh, (unsigned)e->of.warp_start.warp, 1);
        if (e->kind == EVENT_l1d_miss && vta->hit)
            in->hit_warp = e->of.l1d_miss.warp;
    }
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        for (unsigned slot = 0; slot < NUM_WARPS; slot++) {
            const unsigned state = seen->sm->schedulers[i].state[slot];
            bit_set(in->living, i * NUM_WARPS + slot, state == WARP_RUN || state == WARP_BARRIER);
        }
}

static void steer(const void *output, const void *state, struct controls *c)
{
    const struct ccws_out *out = output;
    (void)state;
    observed_loads(c, out->allow_load);
}

const struct observer ccws_observer = {.stem = "ccws", .expect_sm = expect, .steer = steer};
