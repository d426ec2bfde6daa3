/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/icmt/icmt.c: see icmt.h. One bit per pair of warps keeps the age, as in the RTL, because
 * STATE is compared. */
#include "cmodel/icmt/icmt.h"

#include <string.h>

_Static_assert(NUM_WARPS >= 2 && NUM_WARPS <= 64, "a warp mask is one word");

/* What is found out before anybody is granted. */
struct field {
    uint64_t ready[ICMT_CLASSES];
    unsigned can;  /* classes that can issue, a bit each */
    unsigned lead; /* the leader's class, if any can */
};

/* Where the bit of pair (i, j), i < j, stands. */
static unsigned pair(unsigned i, unsigned j)
{
    return i * (2 * NUM_WARPS - 1 - i) / 2 + (j - i - 1);
}

static int older(const struct icmt_state *s, unsigned i, unsigned j)
{
    return i < j ? bit_get(s->order, pair(i, j)) : !bit_get(s->order, pair(j, i));
}

static unsigned oldest(const struct icmt_state *s, uint64_t candidates)
{
    unsigned best = (unsigned)__builtin_ctzll(candidates);
    for (uint64_t rest = candidates & (candidates - 1); rest; rest &= rest - 1) {
        unsigned warp = (unsigned)__builtin_ctzll(rest);
        if (older(s, warp, best))
            best = warp;
    }
    return best;
}

/* Two-level GTO among warps, of which there is one. */
static unsigned choose(const struct icmt_state *s, const struct icmt_in *in, uint64_t candidates)
{
    const uint64_t first = s->turn ? in->kernel_1 : ~in->kernel_1;
    const unsigned kernel = (unsigned)(candidates & first ? s->turn : !s->turn);
    const unsigned greedy = (unsigned)s->last[kernel];
    if (candidates & first)
        candidates &= first;
    return s->last_valid >> kernel & 1 && candidates >> greedy & 1 ? greedy : oldest(s, candidates);
}

static struct field look(const struct icmt_state *s, const struct icmt_in *in)
{
    struct field f = {0};
    if (in->allow_class & 1)
        f.ready[ICMT_SP] = in->ready_sp & in->allow;
    if (in->allow_class & 2)
        f.ready[ICMT_SFU] = in->ready_sfu & in->allow;
    if (in->allow_class & 4)
        f.ready[ICMT_MEM] = in->ready_gmem & (~in->load | in->allow_load) & in->allow;
    if (in->allow_class & 8)
        f.ready[ICMT_MEM] |= in->ready_stcmem & in->allow;
    for (unsigned c = 0; c < ICMT_CLASSES; c++)
        f.can |= (unsigned)(f.ready[c] != 0) << c;
    if (!f.can)
        return f;
    const unsigned leader = choose(s, in, f.ready[ICMT_SP] | f.ready[ICMT_SFU] | f.ready[ICMT_MEM]);
    while (!(f.ready[f.lead] >> leader & 1))
        f.lead++;
    return f;
}

/* The classes that issue, a bit each. */
static unsigned served(const struct icmt_state *s, const struct icmt_in *in, const struct field *f)
{
    const unsigned lead = 1u << f->lead;
    switch (f->can ? in->issue : 0) {
    case 0: return 0;
    case 1: return lead;
    case 3: return f->can;
    default: break;
    }
    unsigned class = (unsigned)s->first;
    for (unsigned i = 0; i < ICMT_CLASSES; i++, class = (class + 1) % ICMT_CLASSES)
        if ((f->can & ~lead) >> class & 1)
            return lead | 1u << class;
    return lead;
}

void icmt_reset(struct icmt_state *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned i = 0; i < NUM_WARPS; i++)
        for (unsigned j = i + 1; j < NUM_WARPS; j++)
            bit_set(s->order, pair(i, j), 1);
}

void icmt_comb(const struct icmt_state *s, const struct icmt_in *in, struct icmt_out *out)
{
    const struct field f = look(s, in);
    out->grant_valid = served(s, in, &f);
    for (unsigned c = 0; c < ICMT_CLASSES; c++)
        out->grant[c] = out->grant_valid >> c & 1 ? choose(s, in, f.ready[c]) : 0;
}

/* Who is greedy after the grants. */
static void hold(struct icmt_state *s, const struct icmt_in *in, const struct icmt_out *out,
                 unsigned lead)
{
    for (unsigned kernel = 0; kernel < ICMT_KERNELS; kernel++) {
        unsigned granted = 0; /* classes in which it has a grant */
        int again = 0;
        for (unsigned c = 0; c < ICMT_CLASSES; c++) {
            if (!(out->grant_valid >> c & 1) || (in->kernel_1 >> out->grant[c] & 1) != kernel)
                continue;
            granted |= 1u << c;
            again |= s->last_valid >> kernel & 1 && out->grant[c] == s->last[kernel];
        }
        if (!granted || again)
            continue;
        s->last[kernel] = out->grant[granted >> lead & 1 ? lead : (unsigned)__builtin_ctz(granted)];
        s->last_valid |= UINT64_C(1) << kernel;
    }
}

static void make_youngest(struct icmt_state *s, unsigned warp)
{
    for (unsigned i = 0; i < warp; i++)
        bit_set(s->order, pair(i, warp), 1);
    for (unsigned j = warp + 1; j < NUM_WARPS; j++)
        bit_set(s->order, pair(warp, j), 0);
}

void icmt_tick(struct icmt_state *s, const struct icmt_in *in, const struct icmt_out *out)
{
    const struct field f = look(s, in);
    const unsigned passed = f.can & ~(unsigned)out->grant_valid;
    hold(s, in, out, f.lead);
    if (out->grant_valid)
        s->turn = !s->turn;
    if (in->issue == 2 && passed)
        s->first = (uint64_t)__builtin_ctz(passed);
    if (!in->alloc)
        return;
    for (unsigned kernel = 0; kernel < ICMT_KERNELS; kernel++)
        if (s->last[kernel] == in->alloc_warp) /* a new tenant is nobody's greedy warp */
            s->last_valid &= ~(UINT64_C(1) << kernel);
    if (in->alloc_warp < NUM_WARPS)
        make_youngest(s, (unsigned)in->alloc_warp);
}
