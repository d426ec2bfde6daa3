/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/icmt.c: what the issue arbiter of two kernels is to be shown (rtl/icmt/README.md). */
#include "cmodel/icmt/icmt.h"

#include <string.h>

#include "tb/observe/observer.h"

static void expect(const struct config *c, const struct registers *r, const struct controls *so_far,
                   void *input)
{
    struct icmt_in *in = input;
    memset(in, 0, sizeof *in);
    in->issue = (uint64_t)c->icmt_issue;
    in->ready_sp = r->ready[0];
    in->ready_sfu = r->ready[1];
    in->ready_gmem = r->ready[2];
    in->ready_stcmem = r->ready[3];
    in->load = r->load;
    in->allow_class = so_far->allow_class & 15;
    for (unsigned w = 0; w < NUM_WARPS; w++) {
        const uint64_t bit = UINT64_C(1) << w;
        in->allow |= so_far->allow & bit;
        in->allow_load |= so_far->allow_load & bit;
        if (r->scheduler->state[w] != WARP_FREE &&
            r->sm->blocks[r->context[w]].exec.launch == r->sm->kernels[1].launch)
            in->kernel_1 |= bit;
    }
    if (r->begins < NUM_WARPS) {
        in->alloc = 1;
        in->alloc_warp = r->begins;
    }
}

static void steer(const void *output, const void *state, struct controls *c)
{
    const struct icmt_out *out = output;
    (void)state;
    for (unsigned class = 0; class < 3; class ++) {
        if (!(out->grant_valid & 1u << class))
            continue;
        const uint64_t bit = UINT64_C(1) << out->grant[class];
        c->grant = c->grant == NO_CHOICE ? bit : c->grant | bit;
    }
}

static void steer_set(const void *input, struct controls *c)
{
    c->fetches = ((const struct icmt_in *)input)->issue;
}

const struct observer icmt_observer = {
    .stem = "icmt", .expect = expect, .steer = steer, .steer_set = steer_set};
