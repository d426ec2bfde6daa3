/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/mask.c: what the vital and pollute bits are to be shown (rtl/mask/README.md). */
#include "cmodel/mask/mask.h"

#include <string.h>

#include "tb/observe/observer.h"

static void expect(const struct config *c, const struct registers *r, const struct controls *so_far,
                   void *input)
{
    struct mask_in *in = input;
    unsigned pair = 0;
    memset(in, 0, sizeof *in);
    in->n = so_far->vital < NO_CHOICE ? so_far->vital
            : c->mask_n > 0           ? (uint64_t)c->mask_n
                                      : NUM_WARPS;
    in->p = so_far->polluters < NO_CHOICE ? so_far->polluters
            : c->mask_p > 0               ? (uint64_t)c->mask_p
                                          : in->n;
    in->live = r->running;
    for (unsigned i = 0; i < NUM_WARPS; i++)
        for (unsigned j = i + 1; j < NUM_WARPS; j++)
            bit_set(in->order, pair++, r->born[i] < r->born[j]);
}

static void steer(const void *output, const void *state, struct controls *c)
{
    const struct mask_out *out = output;
    (void)state;
    c->allow &= out->vital;
    c->pollute &= out->pollute;
}

const struct observer mask_observer = {.stem = "mask", .expect = expect, .steer = steer};
