/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/pmiq.c: what the memory issue queue is to be shown, and what its outputs and registers steer (rtl/pmiq/README.md): by the
 * queues of the load/store unit, by the blocks that warps belong to, and by the tags of L1D. */
#include "cmodel/pmiq/pmiq.h"

#include <string.h>

#include "tb/mem/l1_state.h"
#include "tb/observe/observer.h"
#include "tb/sm/sm_state.h"

/* A memory instruction issues. The place of the last of a queue stays where it is when the first leaves. */
static void pushed(const struct sm *sm, unsigned warp, struct pmiq_in *in)
{
    const struct scheduler *sc = &sm->schedulers[warp / NUM_WARPS];
    const unsigned kernel =
        (unsigned)(sm->blocks[sc->block[warp % NUM_WARPS]].kernel - sm->kernels);
    const struct lsu_queue *q = &sm->lsu.queues[kernel];
    in->push_valid = 1;
    in->push_kernel = kernel;
    in->push_warp = warp;
    in->push_handle = (q->first + q->count + sm->lsu.places) % (sm->lsu.places + 1);
}

static unsigned path_of(const struct exec_access *a)
{
    if (a->mask)
        switch (a->space) {
        case SPACE_CONST:
        case SPACE_PARAM: return 1;
        case SPACE_SHARED: return 2;
        default: return 0;
        }
    return 2; /* an access without lanes comes back as from shared memory */
}

/* Is the line in L1D, and has it come? */
static int in_l1d(const struct l1 *l1, uint64_t line)
{
    const struct tags *t = &l1->tags;
    for (uint64_t i = 0; i < t->num_sets * t->num_ways; i++)
        if (t->lines[i] == line && t->order[i] < RESERVED)
            return 1;
    return 0;
}

/* The line that the head loads next. Before it has begun that is its first active lane's; where local memory lies is not restated. */
static uint64_t next_line(const struct sm *sm, const struct lsu_queue *q)
{
    const struct lsu_entry *e = &q->entries[q->first];
    const struct exec_access *a = &e->access;
    if (q->open || a->space == SPACE_LOCAL)
        return q->lines.line[q->next_line];
    const uint64_t space =
        sm->blocks[sm->schedulers[e->warp / NUM_WARPS].block[e->warp % NUM_WARPS]]
            .kernel->shape.space;
    return a->address[__builtin_ctz(a->mask)] / sm->line_bytes * sm->line_bytes | space << 56;
}

static void head(const struct sm_seen *seen, unsigned kernel, struct pmiq_in *in)
{
    const struct sm *sm = seen->sm;
    const struct lsu_queue *q = &sm->lsu.queues[kernel];
    if (q->count == 0)
        return;
    const struct exec_access *a = &q->entries[q->first].access;
    const int fails =
        q->stalled && !q->retry &&
        (q->cause == L1_FAIL_queue_full ? !memory_room(sm->memory, sm->index, seen->cycle) : 1);
    in->path[kernel] = path_of(a);
    if (q->open)
        in->begun += 1u << kernel;
    if (fails)
        in->stalled += 1u << kernel;
    if (in->path[kernel] == 0 && !a->is_store && !a->is_atomic && in_l1d(sm->l1d, next_line(sm, q)))
        in->hit += 1u << kernel;
}

static void expect(const struct config *c, const struct sm_seen *seen, void *input)
{
    struct pmiq_in *in = input;
    memset(in, 0, sizeof *in);
    in->clear = seen->starts != 0;
    in->block = c->pmiq_block == 2;
    in->share[0] = (uint64_t)c->pmiq_share_0;
    in->share[1] = (uint64_t)c->pmiq_share_1;
    in->ready = seen->cycle + 1 >= seen->sm->lsu.free;
    for (unsigned i = 0; i < seen->num_events; i++) {
        const struct event *e = &seen->events[i];
        if (e->kind == EVENT_issue && e->of.issue.issue_class >= ISSUE_GMEM)
            pushed(seen->sm, (unsigned)e->of.issue.warp, in);
    }
    for (unsigned kernel = 0; kernel < 2; kernel++)
        head(seen, kernel, in);
}

static void steer(const void *output, const void *registers, struct controls *c)
{
    const struct pmiq_out *out = output;
    const struct pmiq_state *s = registers;
    for (unsigned k = 0; k < NUM_SCHEDULERS; k++) {
        c[k].serve = out->grant == 2 ? 1 : out->grant == 1 ? 0 : 2;
        c[k].begin = out->take ? out->handle : NO_CHOICE;
        c[k].allow_memory -= s->count[0] < PMIQ_DEPTH ? 0 : 1;
        c[k].allow_memory -= s->count[1] < PMIQ_DEPTH ? 0 : 2;
    }
}

const struct observer pmiq_observer = {.stem = "pmiq", .expect_sm = expect, .steer = steer};
