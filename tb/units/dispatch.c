/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/dispatch.c: the thread-block dispatcher in the GPU. It hears of blocks that end a window
 * later, and one block of each SM in a cycle. Where the blocks are PAVER's it says to which SM one goes,
 * and paver_sm which. */
#include "cmodel/dispatch/dispatch.h"

#include <string.h>

#include "cmodel/paver_sm/paver_sm.h"
#include "tb/units/socket.h"

struct memory {
    const struct plug
        *queues; /* paver_sm, whose SMs wait for their next block; NULL: there is none */
    uint64_t ended[NUM_SMS]; /* blocks whose end it is to be told in the next cycles */
};

static void open(struct plug *p, const struct config *c)
{
    struct memory *m = p->memory;
    (void)c;
    m->queues = plug_find(p, "paver_sm");
}

static void hear(struct plug *p, const struct event *e)
{
    struct memory *m = p->memory;
    m->ended[e->sm]++;
}

/* Shows the end of one block of each SM. Returns whether there was any. */
static int tell_ends(struct memory *m, struct dispatch_in *in)
{
    int any = 0;
    for (unsigned i = 0; i < NUM_SMS; i++)
        if (m->ended[i]) {
            m->ended[i]--;
            bit_set(in->ended, i, 1);
            any = 1;
        }
    return any;
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    struct memory *m = p->memory;
    struct dispatch_in *in = input;
    const struct kernel_view *kernel = &view->gpu->kernels[0];
    (void)controls;
    memset(in, 0, sizeof *in);
    in->policy = p->policy;
    in->start = kernel->start;
    in->first = kernel->first;
    in->blocks = kernel->blocks;
    in->stop = kernel->stop;
    in->limit = kernel->limit;
    if (m->queues)
        memcpy(in->allow, ((const struct paver_sm_state *)plug_state(m->queues))->allow,
               sizeof in->allow);
    else
        for (unsigned i = 0; i < NUM_SMS; i++)
            bit_set(in->allow, i, 1);
    return tell_ends(m, in) || in->start || in->stop;
}

static void apply(const struct plug *p, void *controls)
{
    const struct dispatch_out *out = p->out;
    const struct memory *m = p->memory;
    struct gpu_controls *c = controls;
    if (out->place_valid && !m->queues) {
        c->place_sm = out->place_sm;
        c->place_block = out->place_block;
    }
    if (out->done)
        c->done = 1; /* of the first */
}

const struct socket dispatch_socket = {.stem = "dispatch",
                                       .scope = SCOPE_GPU,
                                       .hears = HEARS(block_end),
                                       .memory = sizeof(struct memory),
                                       .open = open,
                                       .hear = hear,
                                       .gather = gather,
                                       .apply = apply};
