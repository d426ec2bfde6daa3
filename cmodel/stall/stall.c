/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/stall/stall.c: see stall.h. */
#include "cmodel/stall/stall.h"

#include <string.h>

/* At most NUM_WARPS are added in a cycle: no count wraps twice. */
_Static_assert(STALL_COUNT_BITS >= CLOG2(NUM_WARPS + 1), "a count has room for all warps");

#define COUNT_MASK (~UINT64_C(0) >> (64 - STALL_COUNT_BITS))

/* The warps whose next instruction issues to SP (0), SFU (1) or MEM (2). */
static uint64_t bound_for(const struct stall_in *in, unsigned pipeline)
{
    uint64_t warps = 0;
    for (unsigned w = 0; w < NUM_WARPS; w++) {
        const uint64_t pipe = in->pipe[w];
        const unsigned its = pipe == stall_pipe_sp ? 0 : pipe == stall_pipe_sfu ? 1 : 2;
        warps |= (uint64_t)(its == pipeline) << w;
    }
    return warps;
}

/* Moves those of `left` that the condition applies to into the class. */
static void take(struct stall_out *out, enum stall_class into, uint64_t *left, uint64_t applies)
{
    out->members[into] = *left & applies;
    *left &= ~applies;
}

/* The count that this cycle's warps are added to. */
static uint64_t before(const struct stall_state *s, const struct stall_in *in, unsigned i)
{
    return in->start ? 0 : s->count[i];
}

static uint64_t after(const struct stall_state *s, const struct stall_in *in,
                      const struct stall_out *out, unsigned i)
{
    return before(s, in, i) + (uint64_t)__builtin_popcountll(out->members[i]);
}

void stall_reset(struct stall_state *s)
{
    memset(s, 0, sizeof *s);
}

void stall_comb(const struct stall_state *s, const struct stall_in *in, struct stall_out *out)
{
    const uint64_t may_be_refused = in->overlap == stall_overlap_active ? in->clear : ~UINT64_C(0);
    uint64_t left = in->resident;
    take(out, STALL_issued, &left, in->issued);
    take(out, STALL_ibuf, &left, ~(in->buffered | in->jumping | in->at_barrier | in->done));
    take(out, STALL_barrier, &left, in->at_barrier);
    take(out, STALL_done, &left, in->done);
    take(out, STALL_control, &left, ~in->buffered);
    for (unsigned i = 0; i < 3; i++)
        take(out, STALL_struct_sp + i, &left,
             in->takes >> i & 1 ? 0 : bound_for(in, i) & may_be_refused);
    take(out, STALL_data_mem, &left, ~in->clear & in->blocked_by_load);
    take(out, STALL_data_exe, &left, ~in->clear);
    take(out, STALL_not_selected, &left, ~UINT64_C(0));
    out->wraps = 0;
    for (unsigned i = 0; i < NUM_STALL_CLASSES; i++)
        out->wraps |= (uint64_t)(after(s, in, out, i) > COUNT_MASK) << i;
}

void stall_tick(struct stall_state *s, const struct stall_in *in, const struct stall_out *out)
{
    for (unsigned i = 0; i < NUM_STALL_CLASSES; i++)
        s->count[i] = after(s, in, out, i) & COUNT_MASK;
}
