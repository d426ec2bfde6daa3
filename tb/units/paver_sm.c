/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/paver_sm.c: PAVER's thread-block queues in the GPU. It is asked after the dispatcher, which sees its register `allow` as it is when
 * the cycle begins, and says which block the dispatcher's SM receives. The global queue of a launch begins at position 0. */
#include "cmodel/paver_sm/paver_sm.h"

#include <string.h>

#include "cmodel/dispatch/dispatch.h"
#include "cmodel/paver_steal/paver_steal.h"
#include "tb/units/socket.h"

/* Of the launch. */
struct memory {
    const struct plug *dispatch, *steal; /* steal is NULL: nobody steals */
    struct found found;
};

static void open(struct plug *p, const struct config *c)
{
    struct memory *m = p->memory;
    (void)c;
    m->dispatch = plug_find(p, "dispatch");
    m->steal = plug_find(p, "paver_steal");
}

static void start(struct memory *m, const struct kernel_view *view)
{
    memset(&m->found, 0, sizeof m->found);
    m->found.groups = view->groups ? view->groups->count : 0;
    m->found.ungrouped = !view->groups;
}

static void show_thief(const struct plug *steal, struct paver_sm_in *in)
{
    const struct paver_steal_state *s = plug_state(steal);
    in->look = s->look;
    in->give = s->give;
    in->recipient = s->recipient;
    in->count = s->count;
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    struct memory *m = p->memory;
    const struct gpu_view *gpu = view->gpu;
    const struct kernel_view *kernel = &gpu->kernels[0];
    const struct dispatch_out *dispatch = m->dispatch->out;
    const struct paver_sm_out *before = p->out; /* it is asked in the cycle after a fetch */
    struct paver_sm_in *in = input;
    (void)controls;
    m->found.list_reads += before->fetch_valid;
    if (kernel->start)
        start(m, kernel);
    memset(in, 0, sizeof *in);
    in->start = kernel->start;
    in->groups = kernel->groups ? kernel->groups->count : 0;
    in->stop = kernel->stop;
    memcpy(in->free, kernel->free, sizeof in->free);
    in->place_valid = dispatch->place_valid;
    in->place_sm = dispatch->place_sm;
    in->order_block = dispatch->place_block;
    in->reply_valid = gpu->reply.valid;
    in->reply_sm = gpu->reply.sm;
    in->reply_next = gpu->reply.next;
    in->reply_tail = gpu->reply.tail;
    in->reply_tb = gpu->reply.block;
    if (m->steal)
        show_thief(m->steal, in);
    return in->start || in->stop || in->reply_valid;
}

static void count(const struct plug *p, struct found *found)
{
    const struct memory *m = p->memory;
    found->groups += m->found.groups;
    found->ungrouped += m->found.ungrouped;
    found->list_reads += m->found.list_reads;
}

static void apply(const struct plug *p, void *controls)
{
    const struct paver_sm_in *in = p->in;
    const struct paver_sm_out *out = p->out;
    struct gpu_controls *c = controls;
    if (in->place_valid) {
        c->place_sm = in->place_sm;
        c->place_block = out->place_block;
    }
    if (out->fetch_valid) {
        c->fetch_sm = out->fetch_sm;
        c->fetch_group = out->fetch_group;
        c->fetch_at = out->fetch_at;
    }
}

const struct socket paver_sm_socket = {.stem = "paver_sm",
                                       .scope = SCOPE_GPU,
                                       .memory = sizeof(struct memory),
                                       .open = open,
                                       .gather = gather,
                                       .count = count,
                                       .apply = apply};
