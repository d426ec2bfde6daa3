/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/daws_table.c: the load classification table of an SM under Profiled DAWS (DAWS 5.1). When a
 * kernel begins it is written from what the profile says of the kernel's loops, one in each cycle.
 * It stands before `daws_predict`, which takes its footprints in the same cycle and tells it
 * which loop a warp's prediction is of. */
#include "cmodel/daws_table/daws_table.h"

#include <string.h>

#include "cmodel/daws_predict/daws_predict.h"
#include "tb/units/loop_number.h"
#include "tb/units/socket.h"

#define MOST_COUNT ((UINT64_C(1) << LOAD_BITS) - 1)

struct memory {
    const struct plug *predict;
    struct daws_table_in heard; /* in this cycle */
    uint64_t issued, warp[NUM_SCHEDULERS];
    uint64_t next; /* loop to be written; 0: none, a kernel has only begun */
};

static void open(struct plug *p, const struct config *c)
{
    struct memory *m = p->memory;
    (void)c;
    m->predict = plug_find(p, "daws_predict");
}

static void hear_issue(struct memory *m, const struct event *e)
{
    struct daws_table_in *in = &m->heard;
    const unsigned s = (unsigned)e->of.issue.warp / NUM_WARPS;
    m->issued |= UINT64_C(1) << s;
    m->warp[s] = e->of.issue.warp;
    in->active[s] = (uint64_t)__builtin_popcountll(e->of.issue.active);
    in->loop_begin[s] = known_loop(e->of.issue.loop_begin);
    in->loop_last[s] = loop_number(e->of.issue.loop_last);
    in->next_loop[s] = loop_number(e->of.issue.next_loop);
}

static void hear(struct plug *p, const struct event *e)
{
    struct memory *m = p->memory;
    if (e->kind == EVENT_issue) {
        hear_issue(m, e);
    } else {
        m->heard.start = 1;
        m->next = 0;
    }
}

/* The loop whose turn it is: those of the kernel that have a number, in order. */
static void write_next(struct memory *m, const struct loop_classes *classes,
                       struct daws_table_in *in)
{
    const uint64_t loop = m->next;
    if (!classes || loop > classes->count || loop >= UNKNOWN_LOOP)
        return;
    m->next++;
    if (loop == 0) /* the kernel begins in this cycle */
        return;
    const struct loop_class *is = &classes->loops[loop - 1];
    in->write = 1;
    in->write_loop = loop;
    in->write_diverged = is->diverged < MOST_COUNT ? is->diverged : MOST_COUNT;
    in->write_converged = is->converged < MOST_COUNT ? is->converged : MOST_COUNT;
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    struct memory *m = p->memory;
    const struct daws_predict_state *predict = plug_state(m->predict);
    struct daws_table_in *in = input;
    const uint64_t issued = m->issued;
    (void)controls;
    *in = m->heard;
    memset(&m->heard, 0, sizeof m->heard);
    m->issued = 0;
    write_next(m, view->sm->classes, in);
    for (unsigned s = 0; s < NUM_SCHEDULERS; s++)
        in->inner[s] = issued >> s & 1 ? predict->inner[m->warp[s]] : 0;
    return in->start || in->write || issued;
}

const struct socket daws_table_socket = {.stem = "daws_table",
                                         .scope = SCOPE_SM,
                                         .hears = HEARS(kernel_start) | HEARS(issue),
                                         .memory = sizeof(struct memory),
                                         .open = open,
                                         .hear = hear,
                                         .gather = gather};
