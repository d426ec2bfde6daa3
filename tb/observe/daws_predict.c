/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/daws_predict.c: what the prediction table is to be shown (rtl/daws_predict/README.md). */
#include "cmodel/daws_predict/daws_predict.h"

#include <string.h>

#include "cmodel/daws_classify/daws_classify.h"
#include "cmodel/daws_table/daws_table.h"
#include "tb/observe/observer.h"
#include "tb/observe/seen_loop.h"

static void expect(const struct config *c, const struct sm_seen *seen, void *input)
{
    const struct daws_classify_out *detected = seen_out(seen, "daws_classify");
    const struct daws_table_out *profiled = seen_out(seen, "daws_table");
    struct daws_predict_in *in = input;
    memset(in, 0, sizeof *in);
    in->start = (uint64_t)seen->starts;
    in->effective =
        (uint64_t)c->l1d_sets * (uint64_t)c->l1d_ways * (uint64_t)c->daws_predict_effective / 100;
    for (unsigned i = 0; i < seen->num_events; i++) {
        const struct event *e = &seen->events[i];
        if (e->kind == EVENT_warp_start)
            bit_set(in->fresh, (unsigned)e->of.warp_start.warp, 1);
        if (e->kind != EVENT_issue)
            continue;
        const unsigned scheduler = (unsigned)(e->of.issue.warp / NUM_WARPS);
        bit_set(in->issue, scheduler, 1);
        in->warp[scheduler] = e->of.issue.warp - scheduler * NUM_WARPS;
        in->loop_begin[scheduler] = seen_begin(e->of.issue.loop_begin);
        in->loop_last[scheduler] = seen_loop(e->of.issue.loop_last);
        in->loop[scheduler] = seen_loop(e->of.issue.loop);
        in->next_loop[scheduler] = seen_loop(e->of.issue.next_loop);
        in->footprint[scheduler] =
            detected ? detected->footprint[scheduler] : profiled->footprint[scheduler];
        in->closest[scheduler] =
            detected ? detected->closest[scheduler] : profiled->closest[scheduler];
    }
    for (unsigned i = 0; i < NUM_SLOTS; i++)
        bit_set(in->running, i,
                seen->sm->schedulers[i / NUM_WARPS].state[i % NUM_WARPS] == WARP_RUN);
}

static void steer(const void *output, const void *state, struct controls *c)
{
    const struct daws_predict_out *out = output;
    (void)state;
    observed_loads(c, out->allow_load);
}

const struct observer daws_predict_observer = {
    .stem = "daws_predict", .expect_sm = expect, .steer = steer};
