/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/pmiq_stimulus.c: random but plausible inputs of the memory issue queue. Kernels issue in turns, one alone, or now and
 * then; their heads go to one memory, to two, or change; they fail and stay so for long; the load/store unit is busy or not. What it
 * says is what a real one might, but for wild phases, in which all is drawn anew: heads that fail before they have begun, pushes into
 * full queues, memories that there are not. */
#include <string.h>

#include "cmodel/pmiq/pmiq.h"
#include "cosim/stimulus.h"

void pmiq_stimulus(struct stimulus *, void *input);

#define WARPS   (UINT64_C(1) << CLOG2(NUM_SCHEDULERS * NUM_WARPS))
#define HANDLES (UINT64_C(1) << CLOG2(PMIQ_DEPTH + 2))
#define BOTH    PMIQ_KERNELS

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t wild, block, share[PMIQ_KERNELS];
    uint64_t issues;                            /* this kernel alone, or BOTH */
    uint64_t pushes, busy, ends, clears;        /* once in so many cycles */
    uint64_t fails[PMIQ_KERNELS], heals, moves; /* the same */
    uint64_t same, hits; /* heads that go to one memory; of hits, one in so many */
    uint64_t begun, stalled, hit, path[PMIQ_KERNELS]; /* levels */
    uint64_t handle;
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

static uint64_t often(struct stimulus *s)
{
    static const uint64_t once_in[] = {1, 2, 3, 8, 50};
    return once_in[stimulus_below(s, 5)];
}

/* Small ones and large ones, and now and then none. */
static uint64_t new_share(struct stimulus *s)
{
    return stimulus_once_in(s, 3) ? stimulus_below(s, 1 << 4) : 1 + stimulus_below(s, 2);
}

static void new_phase(struct stimulus *s, struct phase *p)
{
    p->left = 1 + stimulus_below(s, stimulus_once_in(s, 4) ? 1000 : 100);
    p->wild = (uint64_t)stimulus_once_in(s, 5);
    p->block = stimulus_below(s, 2);
    for (unsigned k = 0; k < PMIQ_KERNELS; k++)
        p->share[k] = new_share(s);
    p->issues = stimulus_once_in(s, 4) ? stimulus_below(s, PMIQ_KERNELS) : BOTH;
    p->pushes = often(s);
    p->busy = stimulus_once_in(s, 3) ? 1 + often(s) : 100;
    p->ends = often(s);
    p->clears = stimulus_once_in(s, 4) ? 20 : 2000;
    for (unsigned k = 0; k < PMIQ_KERNELS; k++)
        p->fails[k] = stimulus_once_in(s, 3) ? 1000 : often(s);
    p->heals = often(s);
    p->moves = often(s);
    p->same = stimulus_below(s, 3);
    p->hits = 1 + stimulus_below(s, 4);
}

/* What a kernel's head is, from now on. */
static void new_head(struct stimulus *s, struct phase *p, unsigned k)
{
    p->path[k] = p->same == 0 ? p->path[!k] : p->same == 1 ? k : stimulus_below(s, 3);
    p->hit &= ~(UINT64_C(1) << k);
    p->hit |= (uint64_t)(stimulus_once_in(s, p->hits)) << k;
}

/* Heads begin where their queue holds one, fail, may succeed again, and end. */
static void work(struct stimulus *s, struct phase *p)
{
    const struct pmiq_state *is = s->state;
    for (unsigned k = 0; k < PMIQ_KERNELS; k++) {
        const uint64_t bit = UINT64_C(1) << k;
        if (p->begun & bit) {
            if (p->stalled & bit) {
                if (stimulus_once_in(s, p->heals))
                    p->stalled &= ~bit;
            } else if (stimulus_once_in(s, p->ends)) {
                p->begun &= ~bit;
                new_head(s, p, k);
            } else if (stimulus_once_in(s, p->fails[k]))
                p->stalled |= bit;
            if (stimulus_once_in(s, p->moves))
                p->hit ^= bit;
        } else if (is->count[k] && stimulus_once_in(s, 2))
            p->begun |= bit;
    }
}

static void push(struct stimulus *s, const struct phase *p, struct pmiq_in *in)
{
    const struct pmiq_state *is = s->state;
    in->push_kernel = p->issues == BOTH ? stimulus_below(s, PMIQ_KERNELS) : p->issues;
    in->push_valid = (uint64_t)stimulus_once_in(s, p->pushes);
    if (!p->wild && is->count[in->push_kernel] == PMIQ_DEPTH)
        in->push_valid = 0;
    in->push_warp = stimulus_below(s, WARPS);
    in->push_handle = stimulus_below(s, HANDLES);
}

void pmiq_stimulus(struct stimulus *s, void *input)
{
    struct pmiq_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    if (p->left-- == 0)
        new_phase(s, p);
    memset(in, 0, sizeof *in);
    in->clear = (uint64_t)stimulus_once_in(s, p->clears);
    if (in->clear)
        p->begun = p->stalled = 0;
    work(s, p);
    push(s, p, in);
    in->block = p->block;
    memcpy(in->share, p->share, sizeof in->share);
    in->ready = !stimulus_once_in(s, p->busy);
    in->begun = p->begun;
    in->stalled = p->stalled;
    in->hit = p->hit;
    memcpy(in->path, p->path, sizeof in->path);
    if (!p->wild || stimulus_once_in(s, 2))
        return;
    in->block = stimulus_below(s, 2);
    in->begun = stimulus_below(s, 4);
    in->stalled = stimulus_below(s, 4);
    in->hit = stimulus_below(s, 4);
    for (unsigned k = 0; k < PMIQ_KERNELS; k++)
        in->path[k] = stimulus_below(s, 4);
    if (stimulus_once_in(s, 8))
        in->share[stimulus_below(s, PMIQ_KERNELS)] = stimulus_below(s, 1 << 4);
}
