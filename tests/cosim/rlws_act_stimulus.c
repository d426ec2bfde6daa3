/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/rlws_act_stimulus.c: random but plausible inputs of the unit that takes the actions of
 * RLWS: rlws_inputs.h, and after half of the cycles nothing was issued. */
#include "cmodel/rlws_act/rlws_act.h"
#include "tests/cosim/rlws_inputs.h"

void rlws_act_stimulus(struct stimulus *s, void *input);

void rlws_act_stimulus(struct stimulus *s, void *input)
{
    struct rlws_act_in *in = input;
    struct rlws_inputs some;
    rlws_some_inputs(s, (struct rlws_phase *)s->scratch, &some);
    *in = (struct rlws_act_in){.ready_sp = some.ready[0],
                               .ready_sfu = some.ready[1],
                               .ready_gmem = some.ready[2],
                               .ready_stcmem = some.ready[3],
                               .load = some.load,
                               .allow = some.allow,
                               .allow_load = some.allow_load,
                               .allow_class = some.allow_class,
                               .beats = some.beats,
                               .drawn = some.drawn,
                               .draw = some.draw,
                               .rested = (uint64_t)stimulus_once_in(s, 2)};
}
