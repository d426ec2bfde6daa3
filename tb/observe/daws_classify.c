/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/daws_classify.c: what the load classification is to be shown (rtl/daws_classify/README.md). */
#include "cmodel/daws_classify/daws_classify.h"

#include <string.h>

#include "cmodel/daws_predict/daws_predict.h"
#include "cmodel/vta/vta.h"
#include "tb/mem/tags.h"
#include "tb/observe/observer.h"
#include "tb/observe/seen_loop.h"

/* Of the access under way. */
struct memory {
    uint64_t loop;
    unsigned captured, lost; /* lines */
};

static void issued(const struct config *c, const struct sm_seen *seen, const struct event *e,
                   struct daws_classify_in *in)
{
    const unsigned scheduler = (unsigned)(e->of.issue.warp / NUM_WARPS);
    const struct daws_predict_state *predict = seen_state(seen, "daws_predict");
    bit_set(in->issue, scheduler, 1);
    in->warp[scheduler] = e->of.issue.warp - scheduler * NUM_WARPS;
    in->inner[scheduler] = predict->inner[e->of.issue.warp];
    in->active[scheduler] = 32;
    for (unsigned lane = 0; lane < 32 && !c->daws_classify_all_lanes; lane++)
        in->active[scheduler] -= !(e->of.issue.active >> lane & 1);
    in->loop_begin[scheduler] = seen_begin(e->of.issue.loop_begin);
    in->loop_last[scheduler] = seen_loop(e->of.issue.loop_last);
    in->loop_end[scheduler] = seen_loop(e->of.issue.loop_end);
    in->loop[scheduler] = seen_loop(e->of.issue.loop);
    in->next_loop[scheduler] = seen_loop(e->of.issue.next_loop);
}

static void accessed(const struct config *c, const struct event *e, struct daws_classify_in *in)
{
    if (e->of.access.load == 0)
        return;
    in->access = 1;
    in->access_warp = e->of.access.warp;
    in->access_load = e->of.access.load >> LOAD_BITS ? 0 : e->of.access.load;
    in->access_loop = seen_loop(e->of.access.loop);
    for (unsigned lane = 0; lane < 32; lane++)
        in->access_active += e->of.access.active >> lane & 1;
    in->access_lines = at_most(e->of.access.lines, 63);
    in->access_line = e->of.access.line / (uint64_t)c->l1d_line % (UINT64_C(1) << LINE_BITS);
}

static void expect(const struct config *c, const struct sm_seen *seen, void *input)
{
    struct daws_classify_in *in = input;
    const struct vta_out *vta = seen_out(seen, "vta");
    struct memory *m = seen->memory;
    memset(in, 0, sizeof *in);
    in->start = (uint64_t)seen->starts;
    for (unsigned i = 0; i < seen->num_events; i++) {
        const struct event *e = &seen->events[i];
        if (e->kind == EVENT_warp_start)
            bit_set(in->fresh, (unsigned)e->of.warp_start.warp, 1);
        if (e->kind == EVENT_issue)
            issued(c, seen, e, in);
        if (e->kind == EVENT_access)
            accessed(c, e, in);
        if (e->kind == EVENT_access) {
            m->loop = seen_loop(e->of.access.loop);
            m->captured = m->lost = 0;
        }
        if (e->kind == EVENT_l1d_hit && e->of.l1d_hit.owner == e->of.l1d_hit.warp)
            m->captured++;
        if (e->kind == EVENT_l1d_miss && vta->hit)
            m->lost++;
        if (e->kind != EVENT_l1d_hit && e->kind != EVENT_l1d_miss)
            continue;
        if (!seen->final)
            continue;
        in->feedback = 1;
        in->feedback_warp = e->kind == EVENT_l1d_hit ? e->of.l1d_hit.warp : e->of.l1d_miss.warp;
        in->feedback_loop = m->loop;
        in->feedback_local = m->captured + m->lost > 0;
    }
}

const struct observer daws_classify_observer = {
    .stem = "daws_classify", .memory = sizeof(struct memory), .expect_sm = expect};
