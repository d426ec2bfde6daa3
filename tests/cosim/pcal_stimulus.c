/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/pcal_stimulus.c: random but plausible inputs of PCAL's search. Settings hold for a phase, in which kernels follow each
 * other when a search has ended, and now and then before. What SMs issue depends on N and p, so that climbs go up, go down, end
 * at once or in the middle; there are ties, SMs without work, and counts as large as they can be. They stay while they are read, but for
 * phases in which everything changes all the time. */
#include "cmodel/pcal/pcal.h"
#include "cosim/stimulus.h"

#include <string.h>

void pcal_stimulus(struct stimulus *, void *input);

#define WARP_VALUES (UINT64_C(1) << CLOG2(NUM_WARPS + 1))
#define TIMES       (UINT64_C(1) << PCAL_SAMPLE_BITS)
#define MOST_COUNT  ((TIMES << CLOG2(NUM_SCHEDULERS + 1)) - 1)

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t wild, full;
    uint64_t slope_n, slope_p, peak_n, peak_p; /* of what an SM issues */
    uint64_t noise, idle; /* idle: once in so many an SM has no work; 0: never */
    uint64_t warps, start_n, warmup, sample, late, stride;
    uint64_t fresh; /* counts are to be drawn again */
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

/* One bit of so many. What asks whether a number is 0 looks at each of its bits, and numbers of several
 * do not tell whether at all. */
static uint64_t one_bit(struct stimulus *s, unsigned bits)
{
    return UINT64_C(1) << stimulus_below(s, bits);
}

static uint64_t length(struct stimulus *s, int far)
{
    if (far)
        return stimulus_once_in(s, 2) ? one_bit(s, PCAL_SAMPLE_BITS) : stimulus_below(s, TIMES);
    if (stimulus_once_in(s, 4))
        return one_bit(s, PCAL_SAMPLE_BITS < 6 ? PCAL_SAMPLE_BITS : 6);
    return stimulus_below(s, TIMES < 6 ? TIMES : 6);
}

static uint64_t warps(struct stimulus *s)
{
    return stimulus_once_in(s, 4) ? stimulus_below(s, WARP_VALUES)
                                  : 1 + stimulus_below(s, NUM_WARPS);
}

static void new_phase(struct stimulus *s, struct phase *p)
{
    static const uint64_t slopes[] = {0, 0, 1, 5, 100}, noises[] = {1, 2, 4, 40},
                          idles[] = {0, 0, 0, 1, 2, 8, 200};
    const uint64_t far = stimulus_below(s, 24); /* which length, if any */
    p->left = 200 + stimulus_below(s, 6000);
    p->wild = (uint64_t)stimulus_once_in(s, 10);
    p->full = (uint64_t)stimulus_once_in(s, 12);
    p->slope_n = slopes[stimulus_below(s, 5)];
    p->slope_p = slopes[stimulus_below(s, 5)];
    p->noise = noises[stimulus_below(s, 4)];
    p->idle = idles[stimulus_below(s, 7)];
    p->warps = stimulus_once_in(s, 2) ? NUM_WARPS : warps(s);
    p->start_n = stimulus_once_in(s, 5) ? 0 : warps(s);
    p->peak_n = stimulus_below(s, NUM_WARPS + 2);
    p->peak_p = stimulus_below(s, NUM_WARPS + 2);
    p->stride = stimulus_once_in(s, 3) ? stimulus_below(s, WARP_VALUES)
                                       : stimulus_below(s, WARP_VALUES < 4 ? WARP_VALUES : 4);
    p->warmup = length(s, far == 0);
    p->sample = length(s, far == 1);
    p->late = length(s, far == 2);
    p->left += 4 * (p->warmup + p->sample + p->late);
    p->fresh = 1;
}

/* Less, the farther from the peak. */
static uint64_t height(uint64_t at, uint64_t peak, uint64_t slope)
{
    return slope * (NUM_WARPS + 1 - (at > peak ? at - peak : peak - at));
}

static void new_counts(struct stimulus *s, const struct phase *p, struct pcal_in *in)
{
    const struct pcal_state *state = s->state;
    for (unsigned i = 0; i < NUM_SMS; i++) {
        uint64_t v = height(state->n, p->peak_n, p->slope_n) +
                     height(state->p[i], p->peak_p, p->slope_p) + stimulus_below(s, p->noise) +
                     (p->noise > 1 ? stimulus_below(s, 2) : 1);
        if (p->full)
            v = MOST_COUNT - (stimulus_once_in(s, 3) ? stimulus_below(s, 4) : 0);
        if (p->full && stimulus_once_in(s, 4))
            v = stimulus_once_in(s, 2) ? stimulus_below(s, MOST_COUNT + 1)
                                       : one_bit(s, PCAL_SAMPLE_BITS + CLOG2(NUM_SCHEDULERS + 1));
        if (p->idle && stimulus_once_in(s, p->idle))
            v = 0;
        in->issued[i] = v < MOST_COUNT ? v : MOST_COUNT;
    }
}

void pcal_stimulus(struct stimulus *s, void *input)
{
    struct pcal_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    const struct pcal_state *state = s->state;
    const int reads = state->state == PCAL_READ || state->state == PCAL_DECIDE;
    int begins = 0;
    if (p->left-- == 0) {
        new_phase(s, p);
        begins = !stimulus_once_in(s, 4);
    }
    if (state->state == PCAL_SAMPLE)
        p->fresh = 1;
    if (p->wild ? stimulus_once_in(s, 3) : p->fresh && !reads) {
        new_counts(s, p, in);
        p->fresh = state->state == PCAL_SAMPLE;
    }
    in->warmup = p->warmup;
    in->sample = p->sample;
    in->late = p->late;
    in->stride = p->stride;
    in->warps = p->warps;
    in->start_n = p->start_n;
    if (p->wild && stimulus_once_in(s, 20)) {
        in->warmup = in->sample = in->late = stimulus_below(s, 4);
        in->stride = stimulus_below(s, WARP_VALUES);
    }
    in->start = (uint64_t)(begins || stimulus_once_in(s, state->state == PCAL_IDLE   ? 10
                                                         : state->state == PCAL_HOLD ? 30
                                                                                     : 4000));
    if (!in->start && !stimulus_once_in(s, 4)) { /* looked at with a start alone */
        in->warps = stimulus_below(s, WARP_VALUES);
        in->start_n = stimulus_below(s, WARP_VALUES);
    }
    if (in->start && stimulus_once_in(s, 3)) {
        in->start_n = p->start_n = stimulus_once_in(s, 6) ? 0 : warps(s);
        p->peak_n = stimulus_below(s, NUM_WARPS + 2);
        p->peak_p = stimulus_below(s, NUM_WARPS + 2);
    }
}
