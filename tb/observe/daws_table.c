/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/daws_table.c: what the load classification table is to be shown (rtl/daws_table/README.md). */
#include "cmodel/daws_table/daws_table.h"

#include <string.h>

#include "cmodel/daws_predict/daws_predict.h"
#include "tb/observe/observer.h"
#include "tb/observe/seen_loop.h"
#include "tb/sm/sm_state.h"

struct memory {
    uint64_t since; /* cycles since a kernel began, and one more; 0: none has */
};

static void issued(const struct sm_seen *seen, const struct event *e, struct daws_table_in *in)
{
    const unsigned scheduler = (unsigned)(e->of.issue.warp / NUM_WARPS);
    const struct daws_predict_state *predict = seen_state(seen, "daws_predict");
    in->inner[scheduler] = predict->inner[e->of.issue.warp];
    in->active[scheduler] = 32;
    for (unsigned lane = 0; lane < 32; lane++)
        in->active[scheduler] -= !(e->of.issue.active >> lane & 1);
    in->loop_begin[scheduler] = seen_begin(e->of.issue.loop_begin);
    in->loop_last[scheduler] = seen_loop(e->of.issue.loop_last);
    in->next_loop[scheduler] = seen_loop(e->of.issue.next_loop);
}

/* Loop L is written L cycles after the kernel has begun. */
static void written(const struct sm_seen *seen, struct daws_table_in *in)
{
    struct memory *m = seen->memory;
    const struct loop_classes *classes = seen->sm->classes;
    if (seen->starts)
        m->since = 1;
    else if (m->since)
        m->since++;
    const uint64_t loop = m->since ? m->since - 1 : 0;
    if (loop == 0 || !classes || loop > at_most(classes->count, LOOPS_BEYOND - 1)) {
        m->since = loop ? 0 : m->since; /* all have been */
        return;
    }
    in->write = 1;
    in->write_loop = loop;
    in->write_diverged = at_most(classes->loops[loop - 1].diverged, (1 << LOAD_BITS) - 1);
    in->write_converged = at_most(classes->loops[loop - 1].converged, (1 << LOAD_BITS) - 1);
}

static void expect(const struct config *c, const struct sm_seen *seen, void *input)
{
    struct daws_table_in *in = input;
    (void)c;
    memset(in, 0, sizeof *in);
    in->start = (uint64_t)seen->starts;
    written(seen, in);
    for (unsigned i = 0; i < seen->num_events; i++)
        if (seen->events[i].kind == EVENT_issue)
            issued(seen, &seen->events[i], in);
}

const struct observer daws_table_observer = {
    .stem = "daws_table", .memory = sizeof(struct memory), .expect_sm = expect};
