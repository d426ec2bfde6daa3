/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/pmiq.c: memory instructions of each kernel wait in a queue of its own, and one kernel at a time is served (thesis 8.5.2). The
 * load/store unit serves from the next cycle on; whether a queue has room follows its registers. */
#include "cmodel/pmiq/pmiq.h"

#include <string.h>

#include "tb/units/socket.h"

_Static_assert(PMIQ_KERNELS == NUM_KERNELS, "as many kernels as the machine runs");
static const uint8_t paths[] = {[PATH_L1D] = pmiq_path_l1d,
                                [PATH_CONSTANT] = pmiq_path_constant,
                                [PATH_SHARED] = pmiq_path_shared};

struct memory {
    uint64_t block, share[PMIQ_KERNELS];
    struct pmiq_in heard; /* in this cycle */
};

static int used(const struct config *c)
{
    return c->pmiq_block != 0;
}

static const char *objects(const struct plan *plans)
{
    if (plan_delay(plans, SCOPE_SM, "pmiq"))
        return "hands instructions over in the next cycle: it cannot do so later";
    if (plan_has(plans, SCOPE_SCHEDULER, "stall", 0) || plan_has(plans, SCOPE_SM, "rlws_state", 0))
        return "lets the pipeline take instructions of one kernel and not of the other, which "
               "stall and rlws_state do not know";
    return NULL;
}

static void open(struct plug *p, const struct config *c)
{
    struct memory *m = p->memory;
    m->block = c->pmiq_block == 2 ? pmiq_block_cause : pmiq_block_path;
    m->share[0] = (uint64_t)c->pmiq_share_0;
    m->share[1] = (uint64_t)c->pmiq_share_1;
}

static void hear(struct plug *p, const struct event *e)
{
    struct pmiq_in *in = &((struct memory *)p->memory)->heard;
    if (e->kind == EVENT_kernel_start) {
        in->clear = 1;
        return;
    }
    in->push_valid = 1;
    in->push_kernel = e->of.enqueue.kernel;
    in->push_warp = e->of.enqueue.warp;
    in->push_handle = e->of.enqueue.place;
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    struct memory *m = p->memory;
    struct pmiq_in *in = input;
    (void)controls;
    *in = m->heard;
    memset(&m->heard, 0, sizeof m->heard);
    in->block = m->block;
    memcpy(in->share, m->share, sizeof in->share);
    in->ready = view->sm->takes_access;
    for (unsigned k = 0; k < PMIQ_KERNELS; k++) {
        const struct head_view *head = &view->sm->heads[k];
        in->begun |= head->begun << k;
        in->stalled |= head->stalled << k;
        in->path[k] = paths[head->path];
        in->hit |= head->hit << k;
    }
    return in->clear || in->push_valid;
}

static void apply(const struct plug *p, void *controls)
{
    const struct pmiq_out *out = p->out;
    const struct pmiq_state *s = plug_state(p);
    struct controls *c = controls;
    for (unsigned i = 0; i < NUM_SCHEDULERS; i++) {
        c[i].serve = out->grant ? out->grant >> 1 : NUM_KERNELS;
        if (out->take)
            c[i].begin = out->handle;
        for (unsigned k = 0; k < PMIQ_KERNELS; k++)
            if (s->count[k] == PMIQ_DEPTH)
                c[i].allow_memory &= ~(UINT64_C(1) << k);
    }
}

const struct socket pmiq_socket = {.stem = "pmiq",
                                   .scope = SCOPE_SM,
                                   .several = 1,
                                   .queue = PMIQ_DEPTH,
                                   .hears = HEARS(kernel_start) | HEARS(enqueue),
                                   .memory = sizeof(struct memory),
                                   .used = used,
                                   .objects = objects,
                                   .open = open,
                                   .hear = hear,
                                   .gather = gather,
                                   .apply = apply};
