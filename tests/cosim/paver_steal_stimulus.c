/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/paver_steal_stimulus.c: random but plausible inputs of PAVER's task stealer. What waits on each SM is drawn for a phase
 * and changes little by little; the stealer is shown that of the SM that it looks at, and now and then something else. There are ties,
 * SMs without a block, all alike, nothing anywhere, one SM alone, and numbers as large as they can be. */
#include "cmodel/paver_steal/paver_steal.h"
#include "cosim/stimulus.h"

#include <string.h>

void paver_steal_stimulus(struct stimulus *, void *input);

#define TB_MASK (~UINT64_C(0) >> (64 - PAVER_TB_BITS))

/* What lasts longer than a cycle: stimulus.scratch. What waits on an SM follows from `seed` and its number. */
struct phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t steal, busy_once_in, crowd, most, alike, alone, empty_once_in, seed, recipients[4];
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");
_Static_assert(NUM_SMS <= 256, "phase.recipients");

static void new_phase(struct stimulus *s, struct phase *p)
{
    static const uint64_t most[] = {0, 1, 2, 3, 10, 100};
    static const uint64_t rates[] = {1, 1, 2, 40, 100000};
    p->left = 20 + stimulus_below(s, 1000);
    p->steal = !stimulus_once_in(s, 8);
    p->busy_once_in = rates[stimulus_below(s, 5)];
    p->most = stimulus_once_in(s, 4) ? TB_MASK : most[stimulus_below(s, 6)];
    p->alike = (uint64_t)stimulus_once_in(s, 6);
    p->empty_once_in = 1 + stimulus_below(s, 4);
    p->alone = (uint64_t)stimulus_once_in(s, 6);
    p->crowd = stimulus_below(s, 3);
    p->seed = stimulus_bits(s);
}

/* What waits on the SM that is looked at. */
static uint64_t waiting(const struct stimulus *s, const struct phase *p)
{
    const struct paver_steal_state *state = s->state;
    struct stimulus of = stimulus_start((p->seed ^ (p->alike ? 0 : state->look * 7919)) | 1);
    if (p->alone && state->look != p->seed % NUM_SMS)
        return 0;
    if (p->empty_once_in > 1 && stimulus_once_in(&of, p->empty_once_in))
        return 0;
    if (p->most == TB_MASK && stimulus_once_in(&of, 4))
        return UINT64_C(1) << stimulus_below(&of, PAVER_TB_BITS);
    return stimulus_below(&of, p->most + 1) & TB_MASK;
}

void paver_steal_stimulus(struct stimulus *s, void *input)
{
    struct paver_steal_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    const struct paver_steal_state *state = s->state;
    memset(in, 0, sizeof *in);
    if (p->left-- == 0)
        new_phase(s, p);
    if (state->give || stimulus_once_in(s, 60))
        p->seed = stimulus_bits(s);
    if (stimulus_once_in(s, 10)) {
        memset(p->recipients, 0, sizeof p->recipients);
        for (unsigned i = 0; i < NUM_SMS; i++)
            bit_set(p->recipients, i, p->crowd && stimulus_once_in(s, p->crowd == 1 ? 3 : NUM_SMS));
    }
    memcpy(in->recipients, p->recipients, sizeof in->recipients);
    in->steal = p->steal;
    in->busy = (uint64_t)stimulus_once_in(s, p->busy_once_in);
    in->waiting = stimulus_once_in(s, 30) ? stimulus_bits(s) & TB_MASK : waiting(s, p);
}
