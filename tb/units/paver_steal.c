/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/paver_steal.c: PAVER's task stealer in the GPU. It is asked after the queues, which see its registers as they are when the cycle
 * begins, and whose outputs it sees in the same cycle. */
#include "cmodel/paver_steal/paver_steal.h"

#include <string.h>

#include "cmodel/paver_sm/paver_sm.h"
#include "tb/units/socket.h"

struct memory {
    uint64_t steal; /* the setting */
    const struct plug *queues;
    struct found found; /* of the launch */
};

static void open(struct plug *p, const struct config *c)
{
    struct memory *m = p->memory;
    m->steal = (uint64_t)c->paver_steal_steal;
    m->queues = plug_find(p, "paver_sm");
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    struct memory *m = p->memory;
    const struct paver_sm_out *queues = m->queues->out;
    const struct paver_steal_state *state = plug_state(p);
    struct paver_steal_in *in = input;
    (void)controls;
    if (view->gpu->kernels[0].start)
        memset(&m->found, 0, sizeof m->found);
    if (state->give && queues->given) {
        m->found.thefts++;
        m->found.stolen += queues->given;
    }
    memset(in, 0, sizeof *in);
    in->steal = m->steal;
    memcpy(in->recipients, queues->recipients, sizeof in->recipients);
    in->busy = queues->busy;
    in->waiting = queues->waiting;
    return 0;
}

static void count(const struct plug *p, struct found *found)
{
    const struct memory *m = p->memory;
    found->thefts += m->found.thefts;
    found->stolen += m->found.stolen;
}

const struct socket paver_steal_socket = {.stem = "paver_steal",
                                          .scope = SCOPE_GPU,
                                          .memory = sizeof(struct memory),
                                          .open = open,
                                          .gather = gather,
                                          .count = count};
