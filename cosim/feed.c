/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/feed.c: see feed.h. */
#include "cosim/feed.h"

#include <stdio.h>
#include <stdlib.h>

void feed_inputs(const struct unit *u, struct recorded *recorded, stimulus_fn *stimulus,
                 struct stimulus *s, void *in)
{
    if (recorded) {
        recorded_next(recorded, in);
        return;
    }
    stimulus(s, in);
    unit_set_clock(u, in, s->clock);
}

int feed_departs(struct unit_inst *i, struct recorded *recorded, uint64_t cycle, const void *out)
{
    char reason[160];
    const char *name = recorded ? recorded_differs(recorded, out) : NULL;
    if (!name)
        return 0;
    snprintf(reason, sizeof reason, "'%s' is not what the waveform of the inputs shows", name);
    unit_accuse(i, cycle, reason);
    return 1;
}

uint64_t feed_number(const char *text, struct argp_state *state)
{
    char *end;
    const uint64_t n = strtoull(text, &end, 0);
    if (end == text || *end || *text == '-' || n == 0)
        argp_error(state, "'%s'; expected a whole number above 0", text);
    return n;
}
