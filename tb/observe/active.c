/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/active.c: what the active and pending warps are to be shown (rtl/active/README.md). */
#include "cmodel/active/active.h"

#include <string.h>

#include "tb/observe/observer.h"

static void expect(const struct config *c, const struct registers *r, const struct controls *so_far,
                   void *input)
{
    struct active_in *in = input;
    memset(in, 0, sizeof *in);
    in->limit = c->active_limit > NUM_WARPS ? NUM_WARPS : (uint64_t)c->active_limit;
    for (unsigned w = 0; w < NUM_WARPS; w++) {
        const uint64_t bit = UINT64_C(1) << w;
        if (!(r->running & bit) || (r->blocked_by_load & bit) || !(so_far->allow & bit))
            in->long_wait |= bit;
    }
}

static void steer(const void *output, const void *state, struct controls *c)
{
    const struct active_out *out = output;
    (void)state;
    c->allow &= out->allow;
}

const struct observer active_observer = {.stem = "active", .expect = expect, .steer = steer};
