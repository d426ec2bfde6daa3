/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/icmt.c: the issue arbiter of two kernels in a scheduler. It decides: what it grants issues.
 * The front end is as wide as the arbiter (thesis 8.5.1): as many instructions are fetched. */
#include "cmodel/icmt/icmt.h"

#include "tb/units/socket.h"

_Static_assert(ICMT_KERNELS == NUM_KERNELS, "as many kernels as the machine runs");
_Static_assert(ICMT_CLASSES == NUM_PIPELINES, "one grant for each pipeline");

static void open(struct plug *p, const struct config *c)
{
    *(uint64_t *)p->memory = (uint64_t)c->icmt_issue;
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    const struct scheduler_view *s = view->scheduler;
    const struct controls *c = controls;
    struct icmt_in *in = input;
    in->issue = *(const uint64_t *)p->memory;
    in->kernel_1 = s->kernel_1;
    in->ready_sp = s->ready[ISSUE_SP];
    in->ready_sfu = s->ready[ISSUE_SFU];
    in->ready_gmem = s->ready[ISSUE_GMEM];
    in->ready_stcmem = s->ready[ISSUE_STCMEM];
    in->load = s->load;
    in->allow = c->allow & ALL_WARPS;
    in->allow_load = c->allow_load & ALL_WARPS;
    in->allow_class = c->allow_class & ((1u << NUM_ISSUE_CLASSES) - 1);
    in->alloc = s->alloc;
    in->alloc_warp = s->alloc_warp;
    return 0;
}

static void apply(const struct plug *p, void *controls)
{
    const struct icmt_out *out = p->out;
    struct controls *c = controls;
    uint64_t warps = 0;
    for (unsigned i = 0; i < ICMT_CLASSES; i++)
        warps |= (out->grant_valid >> i & 1) << out->grant[i];
    if (warps)
        c->grant = warps;
    c->fetches = *(const uint64_t *)p->memory;
}

const struct socket icmt_socket = {.stem = "icmt",
                                   .scope = SCOPE_SCHEDULER,
                                   .several = 1,
                                   .memory = sizeof(uint64_t),
                                   .open = open,
                                   .gather = gather,
                                   .apply = apply};
