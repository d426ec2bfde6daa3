/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/mask.c: what the vital and pollute bits are to be shown (rtl/mask/README.md). */
#include "cmodel/mask/mask.h"

#include <string.h>

#include "tb/observe/observer.h"

/* Pair (i, j), i < j, row after row: is i older? A row is put together first: there are hundreds of pairs. */
static void put_order(uint64_t *order, const uint64_t *born)
{
    for (unsigned i = 0, pair = 0; i < NUM_WARPS; pair += NUM_WARPS - 1 - i++) {
        uint64_t row = 0;
        for (unsigned j = i + 1; j < NUM_WARPS; j++)
            row |= (uint64_t)(born[i] < born[j]) << (j - i - 1);
        order[pair / 64] |= row << pair % 64;
        if (pair % 64 + NUM_WARPS - 1 - i > 64)
            order[pair / 64 + 1] |= row >> (64 - pair % 64);
    }
}

static void expect(const struct config *c, const struct registers *r, const struct controls *so_far,
                   void *input)
{
    struct mask_in *in = input;
    memset(in, 0, sizeof *in);
    in->n = so_far->vital < NO_CHOICE ? so_far->vital
            : c->mask_n > 0           ? (uint64_t)c->mask_n
                                      : NUM_WARPS;
    in->p = so_far->polluters < NO_CHOICE ? so_far->polluters
            : c->mask_p > 0               ? (uint64_t)c->mask_p
                                          : in->n;
    in->live = r->running;
    put_order(in->order, r->born);
}

static void steer(const void *output, const void *state, struct controls *c)
{
    const struct mask_out *out = output;
    (void)state;
    c->allow &= out->vital;
    c->pollute &= out->pollute;
}

const struct observer mask_observer = {.stem = "mask", .expect = expect, .steer = steer};
