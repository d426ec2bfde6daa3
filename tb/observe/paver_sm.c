/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/paver_sm.c: what PAVER's thread-block queues are to be shown (rtl/paver_sm/README.md). What memory is asked for is kept
 * here by SM, with the cycle of its reply. */
#include "cmodel/paver_sm/paver_sm.h"

#include <string.h>

#include "cmodel/dispatch/dispatch.h"
#include "cmodel/paver_steal/paver_steal.h"
#include "tb/observe/observer.h"

struct memory {
    uint64_t reply[NUM_SMS]; /* cycle of the reply that is due; 0: none is */
    uint64_t group[NUM_SMS], at[NUM_SMS];
};

/* The request of the cycle before this one. */
static void ask(const struct config *c, struct memory *m, const struct paver_sm_out *out,
                uint64_t cycle)
{
    if (!out->fetch_valid)
        return;
    m->reply[out->fetch_sm] =
        cycle - 1 + (uint64_t)c->paver_sm_delay + (uint64_t)c->paver_sm_latency;
    m->group[out->fetch_sm] = out->fetch_group;
    m->at[out->fetch_sm] = out->fetch_at;
}

static void reply(const struct gpu_seen *seen, struct memory *m, struct paver_sm_in *in)
{
    const struct block_groups *g = seen->groups;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        if (!m->reply[i] || m->reply[i] != seen->cycle)
            continue;
        in->reply_valid = 1;
        in->reply_sm = i;
        if (!m->group[i]) {
            in->reply_tb = g->blocks[m->at[i]];
        } else {
            const uint32_t *bounds = &g->first[m->at[i]];
            in->reply_next = bounds[0];
            in->reply_tail = bounds[1] - 1;
        }
        m->reply[i] = 0;
    }
}

static void expect(const struct config *c, const struct gpu_seen *seen, void *input)
{
    const struct dispatch_out *dispatch = gpu_seen_out(seen, "dispatch");
    const struct paver_steal_state *steal = gpu_seen_state(seen, "paver_steal");
    struct memory *m = seen->memory;
    struct paver_sm_in *in = input;
    memset(in, 0, sizeof *in);
    in->start = (uint64_t)seen->starts;
    in->groups = seen->groups ? seen->groups->count : 0;
    for (unsigned i = 0; i < NUM_SMS; i++)
        bit_set(in->free, i, seen->kernels[0].held[i] < seen->kernels[0].room);
    in->place_valid = dispatch->place_valid;
    in->place_sm = dispatch->place_sm;
    in->order_block = dispatch->place_block;
    ask(c, m, seen->out, seen->cycle);
    reply(seen, m, in);
    if (steal) {
        in->look = steal->look;
        in->give = steal->give;
        in->recipient = steal->recipient;
        in->count = steal->count;
    }
}

static void steer(const struct gpu_seen *seen, const void *output, struct gpu_controls *c)
{
    const struct dispatch_out *dispatch = gpu_seen_out(seen, "dispatch");
    const struct paver_sm_out *out = output;
    if (!dispatch->place_valid)
        return;
    c->place_sm = dispatch->place_sm;
    c->place_block = out->place_block;
}

const struct observer paver_sm_observer = {
    .stem = "paver_sm", .memory = sizeof(struct memory), .expect_gpu = expect, .steer_gpu = steer};
