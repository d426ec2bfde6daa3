/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/wia.c: the warp issue arbiter in a scheduler. It decides: what it grants issues. */
#include "cmodel/wia/wia.h"

#include "tb/units/socket.h"

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    const struct scheduler_view *s = view->scheduler;
    const struct controls *c = controls;
    struct wia_in *in = input;
    in->policy = c->policy == NO_CHOICE ? p->policy : c->policy;
    in->ready_sp = s->ready[ISSUE_SP];
    in->ready_sfu = s->ready[ISSUE_SFU];
    in->ready_gmem = s->ready[ISSUE_GMEM];
    in->ready_stcmem = s->ready[ISSUE_STCMEM];
    in->load = s->load;
    /* Under tl a group must not keep the turn for warps that may not issue. */
    in->long_wait = (~s->running | s->blocked_by_load | ~c->allow) & ALL_WARPS;
    in->allow = c->allow & ALL_WARPS;
    in->allow_load = c->allow_load & ALL_WARPS;
    in->allow_class = c->allow_class & ((1u << NUM_ISSUE_CLASSES) - 1);
    in->alloc = s->alloc;
    in->alloc_warp = s->alloc_warp;
    return 0;
}

static void apply(const struct plug *p, void *controls)
{
    const struct wia_out *out = p->out;
    if (out->grant_valid)
        ((struct controls *)controls)->grant = UINT64_C(1) << out->grant;
}

const struct socket wia_socket = {
    .stem = "wia", .scope = SCOPE_SCHEDULER, .several = 1, .gather = gather, .apply = apply};
