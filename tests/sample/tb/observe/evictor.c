/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/evictor.c: what the evictor is to be shown. */
#include "cmodel/evictor/evictor.h"

#include <string.h>

#include "tb/mem/tags.h"
#include "tb/observe/observer.h"

static void expect(const struct config *c, const struct sm_seen *seen, void *input)
{
    struct evictor_in *in = input;
    memset(in, 0, sizeof *in);
    in->threshold = (uint64_t)c->evictor_threshold;
    in->start = (uint64_t)seen->starts;
    for (const struct event *e = seen->events; e < seen->events + seen->num_events; e++) {
        if (e->kind == EVENT_warp_start)
            bit_set(in->fresh, (unsigned)e->of.warp_start.warp, 1);
        if (e->kind == EVENT_l1d_evict && e->of.l1d_evict.owner != NOBODY) {
            in->evict = 1;
            in->owner = e->of.l1d_evict.owner;
        }
    }
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++)
        for (unsigned slot = 0; slot < NUM_WARPS; slot++)
            bit_set(in->running, i * NUM_WARPS + slot,
                    seen->sm->schedulers[i].state[slot] == WARP_RUN);
}

static void steer(const void *output, const void *state, struct controls *c)
{
    const struct evictor_out *out = output;
    (void)state;
    observed_loads(c, out->allow_load);
}

const struct observer evictor_observer = {.stem = "evictor", .expect_sm = expect, .steer = steer};
