/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/pcal.c: what PCAL's search is to be shown (rtl/pcal/README.md). */
#include "cmodel/pcal/pcal.h"

#include <string.h>

#include "tb/observe/observer.h"
#include "tb/sm/sm_state.h"

/* Warp j of a block is on scheduler j modulo their number, so the first holds the most. */
static uint64_t most_warps(const struct sm *sm)
{
    const uint64_t of_a_block = (sm->kernels[0].shape.warps + NUM_SCHEDULERS - 1) / NUM_SCHEDULERS,
                   warps = of_a_block * sm->kernels[0].shape.blocks;
    return warps < NUM_WARPS ? warps : NUM_WARPS;
}

/* As many cycles as there are bits for. */
static uint64_t cycles(int64_t length)
{
    return length >> PCAL_SAMPLE_BITS ? (UINT64_C(1) << PCAL_SAMPLE_BITS) - 1 : (uint64_t)length;
}

/* What an SM does is known when the window is over in which it did; the SMs hear pcal.delay cycles late. */
static void expect(const struct config *c, const struct gpu_seen *seen, void *input)
{
    const struct pcal_state *s = seen->state;
    const int64_t window =
        c->l1d_hit_latency < c->xbar_latency ? c->l1d_hit_latency : c->xbar_latency;
    struct pcal_in *in = input;
    memset(in, 0, sizeof *in);
    in->start = (uint64_t)seen->starts;
    in->warps = most_warps(seen->sm);
    in->start_n = (uint64_t)c->pcal_n;
    in->warmup = cycles(c->pcal_warmup);
    in->sample = cycles(c->pcal_sample);
    in->late = cycles(window + c->pcal_delay);
    in->stride = (uint64_t)c->pcal_stride;
    for (unsigned i = 0; i < NUM_SMS && s->state == PCAL_READ; i++)
        in->issued[i] = seen->counted[i];
}

static void steer(const struct gpu_seen *seen, const void *output, struct gpu_controls *c)
{
    const struct pcal_out *out = output;
    (void)seen;
    memcpy(c->polluters, out->polluters, sizeof c->polluters);
    for (unsigned i = 0; i < NUM_SMS; i++)
        c->vital[i] = out->vital;
    c->count = out->count;
}

const struct observer pcal_observer = {
    .stem = "pcal", .expect_gpu = expect, .steer_gpu = steer, .steers_sms = 1};
