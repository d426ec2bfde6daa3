/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/flow/calls.c: loops that go on in what they call. A routine all of whose calls lie in the same loop
 * belongs to that loop, and its own loops lie in it. One that is called from several belongs to none; a call of
 * itself does not count. */
#include "tb/ptx/flow/flow.h"

struct caller {
    struct ptx_context *context;
    struct ptx_kernel *kernel;
    uint32_t *around;  /* by routine: the loop, plus 1; 0: none, FLOW_NONE: no call was seen */
    uint32_t *several; /* by routine: calls do not agree */
};

/* A call that lies in this loop leads to that routine. Returns whether that is news. */
static int note(struct caller *c, uint32_t routine, uint32_t loop)
{
    uint32_t *around = &c->around[routine];
    if (*around == loop || c->several[routine])
        return 0;
    c->several[routine] = *around != FLOW_NONE;
    *around = c->several[routine] ? 0 : loop;
    return 1;
}

/* A call by a pointer may lead to all that take such parameters. */
static int note_pointer(struct caller *c, uint32_t own, uint32_t signature, uint32_t loop)
{
    int news = 0;
    ptx_spend(c->context, c->kernel->num_routines);
    for (uint32_t r = 0; r < c->kernel->num_routines; r++)
        if (r != own && c->kernel->routines[r].signature == signature)
            news |= note(c, r, loop);
    return news;
}

/* The calls of one body; `own`: the routine that it is, or num_routines: the kernel. */
static int note_calls(struct caller *c, uint32_t own, uint32_t first, uint32_t end)
{
    const struct ptx_kernel *k = c->kernel;
    const uint32_t outside = own == k->num_routines ? 0 : c->around[own];
    int news = 0;
    for (uint32_t i = first; i < end && outside != FLOW_NONE; i++) {
        const struct uop *u = &k->uops[i];
        const uint32_t loop = k->loop_of[i] ? k->loop_of[i] : outside;
        const uint32_t number = (uint32_t)u->offset;
        if (u->op == U_CALL && u->src[1] != UOP_NONE)
            news |= note_pointer(c, own, number, loop);
        else if (u->op == U_CALL && number != own)
            news |= note(c, number, loop);
    }
    return news;
}

static uint32_t end_of(const struct ptx_kernel *k, uint32_t routine)
{
    return routine + 1 < k->num_routines ? k->routines[routine + 1].entry : k->num_uops;
}

void flow_calls(struct ptx_context *context, struct ptx_kernel *k)
{
    struct caller c = {.context = context, .kernel = k};
    if (!k->num_routines)
        return;
    c.around = ptx_scratch(context, k->num_routines, sizeof *c.around);
    c.several = ptx_scratch(context, k->num_routines, sizeof *c.several);
    for (uint32_t r = 0; r < k->num_routines; r++)
        c.around[r] = FLOW_NONE;
    for (int news = 1; news;) {
        ptx_spend(context, k->num_uops);
        news = note_calls(&c, k->num_routines, 0, k->routines[0].entry);
        for (uint32_t r = 0; r < k->num_routines; r++)
            news |= note_calls(&c, r, k->routines[r].entry, end_of(k, r));
    }
    for (uint32_t r = 0; r < k->num_routines; r++) {
        const uint32_t first = k->routines[r].entry, end = end_of(k, r), around = c.around[r];
        if (!around || around == FLOW_NONE)
            continue;
        for (uint32_t i = first; i < end; i++)
            k->loop_of[i] = k->loop_of[i] ? k->loop_of[i] : around;
        for (uint32_t l = 0; l < k->num_loops; l++) {
            struct ptx_loop *loop = &k->loops[l];
            if (!loop->outer && loop->head >= first && loop->head < end)
                loop->outer = around;
        }
    }
    for (uint32_t l = 0; l < k->num_loops; l++) {
        uint32_t depth = 0;
        for (uint32_t loop = l + 1; loop; loop = k->loops[loop - 1].outer)
            depth++;
        ptx_spend(context, depth);
        k->loops[l].depth = depth;
    }
}
