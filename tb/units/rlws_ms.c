/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/rlws_ms.c: takes the meta-action of RLWS_MS in a scheduler: by which rule wia chooses a warp in this cycle (RLWS table IX). The learner
 * rlws of the SM says what is preferred. */
#include "cmodel/rlws_ms/rlws_ms.h"

#include "cmodel/rlws/rlws.h"
#include "tb/units/socket.h"

/* Running warps of these contexts: what they have in common with a warp of theirs that does not run is the block. */
static uint64_t siblings(const struct scheduler_view *s, uint64_t contexts)
{
    uint64_t slots = 0;
    for (uint64_t rest = contexts ? s->running : 0; rest; rest &= rest - 1) {
        const unsigned slot = (unsigned)__builtin_ctzll(rest);
        slots |= (contexts >> s->contexts[slot] & 1) << slot;
    }
    return slots;
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    const struct scheduler_view *s = view->scheduler;
    const struct controls *c = controls;
    struct rlws_ms_in *in = input;
    (void)p;
    in->ready_sp = s->ready[ISSUE_SP];
    in->ready_sfu = s->ready[ISSUE_SFU];
    in->ready_gmem = s->ready[ISSUE_GMEM];
    in->ready_stcmem = s->ready[ISSUE_STCMEM];
    in->load = s->load;
    in->allow = c->allow & ALL_WARPS;
    in->allow_load = c->allow_load & ALL_WARPS;
    in->allow_class = c->allow_class & ((1u << NUM_ISSUE_CLASSES) - 1);
    in->beats = c->beats & ((1u << RLWS_PAIRS) - 1); /* nothing chosen: the first by number */
    in->drawn = c->draw != NO_CHOICE;
    in->draw = in->drawn ? c->draw : 0;
    in->sibling_waits = siblings(s, view->sm->with_waiting);
    in->sibling_done = siblings(s, view->sm->with_done);
    return 0;
}

static void apply(const struct plug *p, void *controls)
{
    const struct rlws_ms_out *out = p->out;
    struct controls *c = controls;
    c->allow &= out->may;
    c->policy = out->policy;
    c->action = out->action;
}

const struct socket rlws_ms_socket = {
    .stem = "rlws_ms", .scope = SCOPE_SCHEDULER, .acts = 1, .gather = gather, .apply = apply};
