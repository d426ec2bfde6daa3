/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/daws_table_stimulus.c: random but plausible inputs of the load classification table. A
 * kernel begins, its loops are written one after the other, and then schedulers ask for them, about
 * nests of equal depth. Kernels differ in how large their counts are: few loads, many, or so many that
 * footprints end at 255. Now and then a loop is written again, or an input is anything. */
#include "cmodel/daws_table/daws_table.h"
#include "cosim/stimulus.h"

void daws_table_stimulus(struct stimulus *, void *input);

#define LOOPS ((1u << LOOP_BITS) - 1)

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left;    /* cycles until the next kernel */
    uint64_t written; /* loops of it so far */
    uint64_t nest, most, again_once_in, anything_once_in;
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

static void new_phase(struct stimulus *s, struct phase *p)
{
    static const uint64_t rates[] = {1, 5, 100};
    p->left = LOOPS + stimulus_below(s, 300);
    p->written = 0;
    p->nest = 1 + stimulus_below(s, stimulus_once_in(s, 4) ? LOOPS : 4);
    p->most = stimulus_once_in(s, 2) ? (1u << LOAD_BITS) - 1 : 1 + stimulus_below(s, 3);
    p->again_once_in = rates[stimulus_below(s, 3)];
    p->anything_once_in = stimulus_once_in(s, 4) ? 3 : 100;
}

/* Loops stand in nests of p->nest, each inside the one before. */
static uint64_t last_of(const struct phase *p, uint64_t loop)
{
    const uint64_t last = loop ? ((loop - 1) / p->nest + 1) * p->nest : 0;
    return last > LOOPS ? LOOPS : last;
}

static uint64_t some_count(struct stimulus *s, const struct phase *p)
{
    return stimulus_once_in(s, 3) ? 0 : stimulus_below(s, p->most + 1);
}

void daws_table_stimulus(struct stimulus *s, void *input)
{
    struct daws_table_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    in->start = p->left == 0;
    if (p->left-- == 0)
        new_phase(s, p);
    in->write = in->start ? (uint64_t)stimulus_once_in(s, 2)
                          : p->written < LOOPS || stimulus_once_in(s, p->again_once_in);
    in->write_loop = !in->start && p->written < LOOPS && !stimulus_once_in(s, 20)
                         ? ++p->written
                         : stimulus_below(s, LOOPS + 1);
    in->write_diverged = some_count(s, p);
    in->write_converged = some_count(s, p);
    for (unsigned n = 0; n < NUM_SCHEDULERS; n++) {
        const int anything = stimulus_once_in(s, p->anything_once_in);
        in->active[n] = stimulus_once_in(s, 8)   ? stimulus_below(s, 64)
                        : stimulus_once_in(s, 3) ? stimulus_below(s, 4)
                                                 : 1 + stimulus_below(s, 32);
        in->loop_begin[n] = stimulus_below(s, LOOPS + 1);
        in->loop_last[n] = anything ? stimulus_below(s, LOOPS + 1) : last_of(p, in->loop_begin[n]);
        in->next_loop[n] = stimulus_below(s, LOOPS + 1);
        in->inner[n] = stimulus_once_in(s, 2) ? in->loop_begin[n] : stimulus_below(s, LOOPS + 1);
        if (stimulus_once_in(s, 8) && in->loop_begin[n])
            in->inner[n] = in->loop_last[n];
    }
}
