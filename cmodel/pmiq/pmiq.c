/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/pmiq/pmiq.c: see pmiq.h. */
#include "cmodel/pmiq/pmiq.h"

#include <string.h>

_Static_assert(NUM_SCHEDULERS *NUM_WARPS >= 2, "a warp has a number");
_Static_assert(PMIQ_DEPTH >= 1, "an instruction waits in its queue for a cycle at least");

void pmiq_reset(struct pmiq_state *s)
{
    memset(s, 0, sizeof *s);
}

/* What counts in this cycle: the queues are emptied before it. */
static unsigned queued(const struct pmiq_state *s, const struct pmiq_in *in, unsigned k)
{
    return in->clear ? 0 : (unsigned)s->count[k];
}

static unsigned owner(const struct pmiq_state *s, const struct pmiq_in *in)
{
    return in->clear ? 0 : (unsigned)s->prio;
}

static int has_begun(const struct pmiq_in *in, unsigned k)
{
    return in->begun >> k & 1;
}

static int waits(const struct pmiq_state *s, const struct pmiq_in *in, unsigned k)
{
    return has_begun(in, k) || queued(s, in, k);
}

/* Has its head failed? */
static int fails(const struct pmiq_in *in, unsigned k)
{
    return has_begun(in, k) && in->stalled >> k & 1;
}

/* Does its head need what the other's does? */
static int same_resource(const struct pmiq_in *in, unsigned k)
{
    const int there =
        in->block == pmiq_block_cause && in->path[k] == pmiq_path_l1d && in->hit >> k & 1;
    return in->path[k] == in->path[!k] && !there;
}

static int stalls(const struct pmiq_state *s, const struct pmiq_in *in, unsigned k)
{
    return fails(in, k) || (waits(s, in, k) && fails(in, !k) && same_resource(in, k));
}

static int can_go(const struct pmiq_state *s, const struct pmiq_in *in, unsigned k)
{
    return in->ready && waits(s, in, k) && !stalls(s, in, k);
}

/* The kernel with the smaller share; where they are equal it comes to owe nothing. */
static unsigned lesser(const struct pmiq_in *in)
{
    return in->share[1] < in->share[0];
}

static uint64_t owed(const struct pmiq_state *s, const struct pmiq_in *in)
{
    return in->clear ? 0 : s->owed;
}

static int both_can_go(const struct pmiq_state *s, const struct pmiq_in *in)
{
    return can_go(s, in, 0) && can_go(s, in, 1);
}

static int pays(const struct pmiq_state *s, const struct pmiq_in *in)
{
    return both_can_go(s, in) && in->share[0] != in->share[1] &&
           owed(s, in) >= in->share[lesser(in)];
}

void pmiq_comb(const struct pmiq_state *s, const struct pmiq_in *in, struct pmiq_out *out)
{
    const unsigned holds = owner(s, in), first = pays(s, in) ? !lesser(in) : holds,
                   k = can_go(s, in, first) ? first : !first;
    memset(out, 0, sizeof *out);
    out->pays = (uint64_t)pays(s, in);
    for (unsigned i = 0; i < PMIQ_KERNELS; i++)
        out->full |= (uint64_t)(queued(s, in, i) == PMIQ_DEPTH) << i;
    out->turns = in->ready && (waits(s, in, 0) || waits(s, in, 1)) &&
                 (stalls(s, in, holds) || !stalls(s, in, !holds)) && !(out->pays && holds == first);
    if (!can_go(s, in, k))
        return;
    out->grant = UINT64_C(1) << k;
    if (has_begun(in, k))
        return;
    out->take = 1;
    out->warp = s->warps[k * PMIQ_DEPTH];
    out->handle = s->handles[k * PMIQ_DEPTH];
}

/* The head leaves, those behind move up. */
static void pop(uint64_t *queue)
{
    memmove(queue, queue + 1, (PMIQ_DEPTH - 1) * sizeof *queue);
}

void pmiq_tick(struct pmiq_state *s, const struct pmiq_in *in, const struct pmiq_out *out)
{
    const unsigned less = lesser(in);
    uint64_t owes = owed(s, in);
    if (out->pays)
        owes -= in->share[less];
    else if (both_can_go(s, in) && out->grant >> less & 1)
        owes += in->share[!less] - in->share[less];
    s->owed = owes;
    s->prio = owner(s, in) ^ out->turns;
    for (unsigned k = 0; k < PMIQ_KERNELS; k++) {
        const int leaves = out->take && out->grant >> k & 1;
        const int joins = in->push_valid && in->push_kernel == k && !(out->full >> k & 1);
        uint64_t *const warps = &s->warps[k * PMIQ_DEPTH], *const handles =
                                                               &s->handles[k * PMIQ_DEPTH];
        unsigned count = queued(s, in, k);
        if (leaves) {
            pop(warps);
            pop(handles);
            count--;
        }
        if (joins) {
            warps[count] = in->push_warp;
            handles[count] = in->push_handle;
            count++;
        }
        s->count[k] = count;
    }
}
