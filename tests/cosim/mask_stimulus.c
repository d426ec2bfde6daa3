/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/mask_stimulus.c: random but plausible inputs of the vital and pollute bits.
 * The age order comes from wia's reference, which sees allocations; warps come and go one at a
 * time, or all at once; n and p stay for a while or change every cycle, together with allocations
 * and releases. Rarely the order is no order at all: the unit counts then too. */
#include <string.h>

#include "cmodel/mask/mask.h"
#include "cmodel/wia/wia.h"
#include "cosim/stimulus.h"

void mask_stimulus(struct stimulus *s, void *input);

#define ALL_WARPS (~UINT64_C(0) >> (64 - NUM_WARPS))

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t n, p, live, restless, alloc_once_in, move_once_in, nonsense;
    struct wia_state wia;
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");
_Static_assert(sizeof(((struct wia_state *)0)->order) == sizeof(((struct mask_in *)0)->order),
               "both units speak of the same order");

/* Mostly a number of warps, and rarely any that fits. */
static uint64_t some_number(struct stimulus *s)
{
    return stimulus_once_in(s, 16) ? stimulus_below(s, 1u << CLOG2(NUM_WARPS + 1))
                                   : stimulus_below(s, NUM_WARPS + 1);
}

static void new_phase(struct stimulus *s, struct phase *p)
{
    static const uint64_t rates[] = {1, 3, 10, 50};
    p->left = 1 + stimulus_below(s, 100);
    p->n = some_number(s);
    p->p = stimulus_once_in(s, 3) ? p->n : some_number(s);
    p->restless = (uint64_t)stimulus_once_in(s, 4);
    p->alloc_once_in = rates[stimulus_below(s, 4)];
    p->move_once_in = rates[stimulus_below(s, 4)];
    p->nonsense = (uint64_t)stimulus_once_in(s, 32);
    if (stimulus_once_in(s, 2))
        p->live = stimulus_once_in(s, 4)   ? 0
                  : stimulus_once_in(s, 3) ? ALL_WARPS
                                           : (stimulus_bits(s) | stimulus_bits(s)) & ALL_WARPS;
}

void mask_stimulus(struct stimulus *s, void *input)
{
    struct mask_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    if (s->cycle == 0)
        wia_reset(&p->wia);
    if (p->left-- == 0)
        new_phase(s, p);
    if (p->restless)
        p->n = some_number(s), p->p = some_number(s);
    if (stimulus_once_in(s, p->move_once_in))
        p->live ^= UINT64_C(1) << stimulus_below(s, NUM_WARPS);
    in->n = p->n;
    in->p = p->p;
    in->live = p->live;
    memcpy(in->order, p->wia.order, sizeof in->order);
    for (size_t b = 0; p->nonsense && b < NUM_WARPS * (NUM_WARPS - 1) / 2; b++)
        in->order[b / 64] ^= (uint64_t)stimulus_once_in(s, 2) << b % 64;

    struct wia_in wia = {.alloc = (uint64_t)stimulus_once_in(s, p->alloc_once_in),
                         .alloc_warp = stimulus_below(s, NUM_WARPS)};
    struct wia_out out = {0};
    wia_tick(&p->wia, &wia, &out);
    if (wia.alloc) /* the tenant arrives, alive from the next cycle on */
        p->live |= UINT64_C(1) << wia.alloc_warp;
}
