/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/rlws_ms_stimulus.c: random but plausible inputs of the unit that takes the meta-actions
 * of RLWS_MS: rlws_inputs.h, and in each cycle other warps with siblings, from none to all. */
#include "cmodel/rlws_ms/rlws_ms.h"
#include "tests/cosim/rlws_inputs.h"

void rlws_ms_stimulus(struct stimulus *s, void *input);

void rlws_ms_stimulus(struct stimulus *s, void *input)
{
    struct rlws_ms_in *in = input;
    struct rlws_inputs some;
    rlws_some_inputs(s, (struct rlws_phase *)s->scratch, &some);
    *in = (struct rlws_ms_in){.ready_sp = some.ready[0],
                              .ready_sfu = some.ready[1],
                              .ready_gmem = some.ready[2],
                              .ready_stcmem = some.ready[3],
                              .load = some.load,
                              .allow = some.allow,
                              .allow_load = some.allow_load,
                              .allow_class = some.allow_class,
                              .sibling_waits = some_warps(s, some_density(s)),
                              .sibling_done = some_warps(s, some_density(s)),
                              .beats = some.beats,
                              .drawn = some.drawn,
                              .draw = some.draw};
}
