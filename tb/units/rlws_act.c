/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/rlws_act.c: takes the action of RLWS in a scheduler: to which pipeline it issues, if to any (RLWS table I). The learner rlws of the SM
 * says what is preferred; behind it stands wia, which chooses among the warps of that pipeline. */
#include "cmodel/rlws_act/rlws_act.h"

#include "cmodel/rlws/rlws.h"
#include "tb/units/socket.h"

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    const struct scheduler_view *s = view->scheduler;
    const struct controls *c = controls;
    struct rlws_act_in *in = input;
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
    in->rested = c->rested == 1;
    return 0;
}

static void apply(const struct plug *p, void *controls)
{
    const struct rlws_act_out *out = p->out;
    struct controls *c = controls;
    c->allow_class &= out->only;
    c->action = out->action;
}

const struct socket rlws_act_socket = {
    .stem = "rlws_act", .scope = SCOPE_SCHEDULER, .acts = 1, .gather = gather, .apply = apply};
