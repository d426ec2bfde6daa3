/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/taws.c: what the unit that ranks thread blocks is to be shown, and what its registers steer (rtl/taws/README.md). */
#include "cmodel/taws/taws.h"

#include <string.h>

#include "tb/observe/observer.h"
#include "tb/sm/sm_state.h"

static void expect(const struct config *c, const struct sm_seen *seen, void *input)
{
    struct taws_in *in = input;
    memset(in, 0, sizeof *in);
    in->greedy = c->taws_greedy != 0;
    for (unsigned i = 0; i < seen->num_events; i++) {
        const struct event *e = &seen->events[i];
        if (e->kind == EVENT_block_start) {
            in->start = 1;
            in->start_block = e->of.block_start.context;
        } else if (e->kind == EVENT_warp_start) {
            bit_set(in->fresh, (unsigned)e->of.warp_start.warp, 1);
        } else if (e->kind == EVENT_issue) {
            const unsigned scheduler = (unsigned)e->of.issue.warp / NUM_WARPS;
            bit_set(in->issued, scheduler, 1);
            in->issued_warp[scheduler] = e->of.issue.warp - scheduler * NUM_WARPS;
        }
    }
    for (unsigned warp = 0; warp < NUM_SLOTS; warp++) {
        const struct scheduler *sc = &seen->sm->schedulers[warp / NUM_WARPS];
        const unsigned state = sc->state[warp % NUM_WARPS];
        bit_set(in->stalled, warp, state == WARP_BARRIER || state == WARP_DONE);
        in->block[warp] = sc->block[warp % NUM_WARPS];
    }
}

/* Bit by bit, as the contract has them. */
static void steer(const void *output, const void *registers, struct controls *c)
{
    const struct taws_state *s = registers;
    const unsigned width = CLOG2(NUM_WARPS + 1);
    (void)output;
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
        memset(c[k].ahead, 0, sizeof c[k].ahead);
        for (unsigned pair = 0; pair < SM_BLOCKS * (SM_BLOCKS - 1) / 2; pair++)
            if (bit_get(s->ahead, pair))
                c[k].ahead[pair / 64] |= UINT64_C(1) << pair % 64;
        for (unsigned context = 0; context < SM_BLOCKS; context++) {
            const unsigned entry = k * SM_BLOCKS + context;
            for (unsigned bit = 0; bit < width; bit++)
                bit_set(c[k].held, context * width + bit,
                        !bit_get(s->held_valid, entry) || (s->held[entry] >> bit & 1));
        }
    }
}

const struct observer taws_observer = {.stem = "taws", .expect_sm = expect, .steer = steer};
