/* SPDX-License-Identifier: Apache-2.0 */
/* tb/units/taws_act.c: the thread block that a scheduler issues from (thesis 7.3.1). What taws of the SM knows says which; behind it stands wia, which
 * chooses among the warps that are left. */
#include "cmodel/taws_act/taws_act.h"

#include <string.h>

#include "tb/units/socket.h"

struct memory {
    uint64_t greedy;
};

static void open(struct plug *p, const struct config *c)
{
    ((struct memory *)p->memory)->greedy = (uint64_t)c->taws_greedy;
}

static int gather(struct plug *p, const struct view *view, const void *controls, void *input)
{
    const struct scheduler_view *s = view->scheduler;
    const struct controls *c = controls;
    struct taws_act_in *in = input;
    memset(in, 0, sizeof *in);
    in->greedy = ((struct memory *)p->memory)->greedy;
    in->ready_sp = s->ready[ISSUE_SP];
    in->ready_sfu = s->ready[ISSUE_SFU];
    in->ready_gmem = s->ready[ISSUE_GMEM];
    in->ready_stcmem = s->ready[ISSUE_STCMEM];
    in->load = s->load;
    in->allow = c->allow & ALL_WARPS;
    in->allow_load = c->allow_load & ALL_WARPS;
    in->allow_class = c->allow_class & ((1u << NUM_ISSUE_CLASSES) - 1);
    for (unsigned slot = 0; slot < NUM_WARPS; slot++)
        in->block[slot] = s->contexts[slot];
    memcpy(in->ahead, c->ahead, sizeof in->ahead);
    in->ahead[BLOCK_PAIR_WORDS - 1] &= ~UINT64_C(0) >> (64 * BLOCK_PAIR_WORDS - BLOCK_PAIRS);
    for (unsigned b = 0; b < SM_BLOCKS; b++) {
        const uint64_t held = bits_get(c->held, b * HELD_BITS, HELD_BITS);
        const int valid = held < NUM_WARPS;
        bit_set(in->held_valid, b, valid);
        in->held[b] = valid ? held : 0;
    }
    return 0;
}

static void apply(const struct plug *p, void *controls)
{
    const struct taws_act_out *out = p->out;
    ((struct controls *)controls)->allow &= out->may;
}

const struct socket taws_act_socket = {.stem = "taws_act",
                                       .scope = SCOPE_SCHEDULER,
                                       .several = 1,
                                       .memory = sizeof(struct memory),
                                       .open = open,
                                       .gather = gather,
                                       .apply = apply};
