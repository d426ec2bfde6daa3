/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/dispatch.c: what the thread-block dispatcher is to be shown (rtl/dispatch/README.md). Of each SM it hears of one block
 * that has ended per cycle. Where PAVER's queues are they say who may receive a block, and which. */
#include "cmodel/dispatch/dispatch.h"

#include <string.h>

#include "cmodel/paver_sm/paver_sm.h"
#include "tb/observe/observer.h"

static void expect(const struct config *c, const struct gpu_seen *seen, void *input)
{
    const struct paver_sm_state *queues = gpu_seen_state(seen, "paver_sm");
    struct dispatch_in *in = input;
    memset(in, 0, sizeof *in);
    in->policy = !strcmp(c->run_dispatch, "bcs");
    in->start = (uint64_t)seen->starts;
    in->blocks = seen->kernels[0].blocks;
    in->limit = seen->kernels[0].room;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        const int waits = queues && !bit_get(queues->allow, i);
        bit_set(in->allow, i, !waits);
        if (seen->kernels[0].untold[i]) {
            seen->kernels[0].untold[i]--;
            bit_set(in->ended, i, 1);
        }
    }
}

static void steer(const struct gpu_seen *seen, const void *output, struct gpu_controls *c)
{
    const struct dispatch_out *out = output;
    if (!out->place_valid || gpu_seen_state(seen, "paver_sm"))
        return;
    c->place_sm = out->place_sm;
    c->place_block = out->place_block;
}

const struct observer dispatch_observer = {
    .stem = "dispatch", .expect_gpu = expect, .steer_gpu = steer};
