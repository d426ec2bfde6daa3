/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/active.c: the active and pending warps in a scheduler: only the active ones may issue.
 *
 * A warp that another unit withholds counts as one in a long wait: else it would stay active without
 * ever issuing, and could keep out those that may. */
#include "cmodel/active/active.h"

#include "tb/units/socket.h"

struct memory {
    uint64_t limit;
};

static void open(struct plug *plug, const struct config *c)
{
    struct memory *m = plug->memory;
    m->limit = c->active_limit < NUM_WARPS ? (uint64_t)c->active_limit : NUM_WARPS;
}

static int gather(struct plug *plug, const struct view *view, const void *controls, void *input)
{
    const struct memory *m = plug->memory;
    const struct scheduler_view *s = view->scheduler;
    const struct controls *c = controls;
    struct active_in *in = input;
    in->limit = m->limit;
    in->long_wait = (~s->running | s->blocked_by_load | ~c->allow) & ALL_WARPS;
    return 0;
}

static void apply(const struct plug *plug, void *controls)
{
    const struct active_out *out = plug->out;
    ((struct controls *)controls)->allow &= out->allow;
}

const struct socket active_socket = {.stem = "active",
                                     .scope = SCOPE_SCHEDULER,
                                     .memory = sizeof(struct memory),
                                     .open = open,
                                     .gather = gather,
                                     .apply = apply};
