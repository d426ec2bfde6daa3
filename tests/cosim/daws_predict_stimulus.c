/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/daws_predict_stimulus.c: random but plausible inputs of the footprint prediction. Most warps walk through loops as
 * programs do: they begin one, go round, begin one inside, leave; in wild phases the fields of an issue have nothing to do with
 * each other. Phases differ in how often warps issue, begin, wait at barriers, how large footprints are and how much fits; some
 * are quiet, so that passes end, some are full of large footprints or have none in loops, in some all slots get new warps. */
#include "cmodel/daws_predict/daws_predict.h"
#include "cosim/stimulus.h"

#include <string.h>

void daws_predict_stimulus(struct stimulus *, void *input);

#define SLOTS      (NUM_SCHEDULERS * NUM_WARPS)
#define LOOPS      (1u << LOOP_BITS) /* numbers, with 0 */
#define FOOTPRINTS (1u << FOOTPRINT_BITS)

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t issue_once_in, begin_once_in, leave_once_in, fresh_once_in, stop_once_in, go_once_in;
    uint64_t wild, births, least, most; /* footprints: from, how many more */
    uint64_t hollow; /* loops have none: those of warps outside count for nothing */
    uint64_t effective;
    uint64_t waits[(SLOTS + 63) / 64];
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

static void new_phase(struct stimulus *s, struct phase *p)
{
    static const uint64_t rates[] = {1, 1, 2, 8, 60}, rare[] = {4, 30, 200, 2000},
                          most[] = {2, 8, FOOTPRINTS / 4, FOOTPRINTS};
    p->left = 1 + stimulus_below(s, 150);
    p->issue_once_in = rates[stimulus_below(s, 5)];
    p->begin_once_in = rates[stimulus_below(s, 4)];
    p->leave_once_in = rare[stimulus_below(s, 4)];
    p->fresh_once_in = rare[1 + stimulus_below(s, 3)];
    p->stop_once_in = rare[stimulus_below(s, 4)];
    p->go_once_in = rates[stimulus_below(s, 5)];
    p->wild = (uint64_t)stimulus_once_in(s, 6);
    p->most = most[stimulus_below(s, 4)];
    p->least = 0;
    if (stimulus_once_in(s, 5)) { /* all become large: the sum has its highest bits */
        p->left = 12 * SLOTS;
        p->issue_once_in = p->begin_once_in = 1;
        p->wild = 0;
        p->leave_once_in = p->fresh_once_in = p->stop_once_in = 3000;
        p->go_once_in = 1;
        p->most = 1 + FOOTPRINTS / 16;
        p->least = FOOTPRINTS - p->most;
    }
    p->hollow = (uint64_t)stimulus_once_in(s, 6);
    if (p->hollow) { /* until all warps are in such a loop or outside */
        p->left = 12 * SLOTS;
        p->wild = 0;
    }
    p->births = (uint64_t)stimulus_once_in(s, 8);
    if (p->births) /* until the order has nothing of what it was */
        p->left = 6 * NUM_WARPS;
    const uint64_t size = stimulus_below(s, 8);
    p->effective = size == 0   ? stimulus_below(s, 65536)
                   : size == 1 ? stimulus_below(s, 4)
                   : size == 2
                       ? stimulus_below(s, FOOTPRINTS)
                       : stimulus_below(s, (p->least + p->most) * (1 + stimulus_below(s, SLOTS)));
}

/* Often a power of two: a bit that is lost then leaves nothing. */
static uint64_t some_lines(struct stimulus *s, const struct phase *p)
{
    if (p->least == 0 && stimulus_once_in(s, 4))
        return UINT64_C(1) << stimulus_below(s, FOOTPRINT_BITS);
    return p->least + stimulus_below(s, p->most);
}

/* What a warp of scheduler c issues: in a program, where its nest is known from its row. */
static void in_program(struct stimulus *s, const struct phase *p, struct daws_predict_in *in,
                       unsigned c, const struct daws_predict_state *state)
{
    const unsigned slot = c * NUM_WARPS + (unsigned)in->warp[c] % NUM_WARPS;
    uint64_t first = state->outer[slot], last = state->last[slot];
    in->loop_begin[c] = in->loop_last[c] = 0;
    if (stimulus_once_in(s, p->begin_once_in)) {
        uint64_t begin = 1 + stimulus_below(s, LOOPS - 1),
                 end = begin + stimulus_below(s, stimulus_once_in(s, 3) ? LOOPS - begin : 2);
        if (first && !stimulus_once_in(s, 16)) { /* one of the nest, often the loop it is in */
            begin = stimulus_once_in(s, 2) ? state->inner[slot]
                                           : first + stimulus_below(s, last - first + 1);
            end = begin == first ? last : begin + stimulus_below(s, last - begin + 1);
        } else {
            first = begin;
            last = end < LOOPS ? end : LOOPS - 1;
            end = last;
        }
        in->loop_begin[c] = begin;
        in->loop_last[c] = end;
    }
    const int leaves = stimulus_once_in(s, p->leave_once_in);
    in->loop[c] = !first && stimulus_once_in(s, 6) ? 1 + stimulus_below(s, LOOPS - 1)
                  : !first                         ? 0
                  : !leaves                        ? first + stimulus_below(s, last - first + 1)
                  : stimulus_once_in(s, 2)         ? 0
                                                   : stimulus_below(s, LOOPS);
    in->next_loop[c] = stimulus_once_in(s, 6) ? 0 : stimulus_below(s, LOOPS);
    in->footprint[c] = p->hollow || stimulus_once_in(s, 8) ? 0 : some_lines(s, p);
    in->closest[c] = stimulus_once_in(s, 4) ? state->predicted[slot] : some_lines(s, p);
}

static void wildly(struct stimulus *s, struct daws_predict_in *in, unsigned c)
{
    in->loop_begin[c] = stimulus_below(s, LOOPS);
    in->loop_last[c] = stimulus_below(s, LOOPS);
    in->loop[c] = stimulus_below(s, LOOPS);
    in->next_loop[c] = stimulus_below(s, LOOPS);
    in->footprint[c] = stimulus_below(s, FOOTPRINTS);
    in->closest[c] = stimulus_below(s, FOOTPRINTS);
}

void daws_predict_stimulus(struct stimulus *s, void *input)
{
    struct daws_predict_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    if (p->left-- == 0)
        new_phase(s, p);
    memset(in, 0, sizeof *in);
    in->start = (uint64_t)stimulus_once_in(s, 3000);
    in->effective = p->effective;
    for (unsigned c = 0; p->births && c < NUM_SCHEDULERS; c++)
        bit_set(in->fresh, c * NUM_WARPS + (unsigned)stimulus_below(s, NUM_WARPS),
                stimulus_once_in(s, 2));
    if (stimulus_once_in(s, 4) && stimulus_once_in(s, p->fresh_once_in))
        for (unsigned i = 0; i < SLOTS; i++)
            bit_set(in->fresh, i, stimulus_once_in(s, NUM_WARPS));
    if (stimulus_once_in(s, p->stop_once_in))
        bit_set(p->waits, (unsigned)stimulus_below(s, SLOTS), 1);
    if (stimulus_once_in(s, p->go_once_in))
        bit_set(p->waits, (unsigned)stimulus_below(s, SLOTS), 0);
    for (unsigned i = 0; i < SLOTS; i++)
        bit_set(in->running, i, !bit_get(p->waits, i));
    for (unsigned c = 0; c < NUM_SCHEDULERS; c++) {
        bit_set(in->issue, c, stimulus_once_in(s, p->issue_once_in));
        in->warp[c] = stimulus_once_in(s, 16) ? stimulus_below(s, UINT64_C(1) << CLOG2(NUM_WARPS))
                                              : stimulus_below(s, NUM_WARPS);
        if (p->wild)
            wildly(s, in, c);
        else
            in_program(s, p, in, c, s->state);
    }
}
