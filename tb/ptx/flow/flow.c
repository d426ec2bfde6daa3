/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/flow/flow.c: a branch reconverges at the immediate post-dominator of its block (Fung et
 * al., MICRO 2007). */
#include "tb/ptx/flow/flow.h"

int flow_ends(const struct uop *u)
{
    return u->guard == UOP_NONE && (u->op == U_BRA || u->op == U_BRX || u->op == U_RET ||
                                    u->op == U_RETURN || u->op == U_TRAP);
}

/* A block from which no way leads to the kernel's end (an endless loop) has no post-dominator: its
 * lanes never meet. */
static void set_reconvergence(const struct flow *f, const struct dominance *d, struct ptx_kernel *k)
{
    for (uint32_t i = 0; i < k->num_uops; i++) {
        struct uop *u = &k->uops[i];
        if (u->op != U_BRA && u->op != U_BRX)
            continue;
        uint32_t block = d->idom[f->block_of[i]];
        u->reconverge = block == FLOW_NONE ? k->num_uops : f->start[block];
    }
}

void flow_analyse(struct ptx_context *c, struct ptx_kernel *k)
{
    struct flow f;
    flow_build(c, k, &f);
    struct dominance post = dominance_find(c, &f.backward, &f.forward, f.num_blocks);
    struct dominance plain = dominance_find(c, &f.forward, &f.backward, f.num_blocks + 1);
    set_reconvergence(&f, &post, k);
    flow_loops(c, &f, &plain, k);
    flow_calls(c, k);
    flow_constants(c, k);
    k->regs_per_thread = flow_pressure(c, k) + (k->num_routines != 0); /* the stack pointer */
}
