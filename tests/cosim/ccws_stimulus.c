/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/ccws_stimulus.c: random but plausible inputs of the lost-locality scores. Phases
 * differ in how often the victim tags are hit and instructions issue, and so in how high scores
 * become; in how many warps live, sometimes one alone, and how often slots get new ones. Some are
 * so long and so hostile that all scores saturate; in others nothing happens, and the scores fall
 * back. In level ones many scores are a little above the base at once, because hits come when the
 * new score will be back there at the same time as the others. Kernels begin rarely, and for long
 * stretches never, so that the counts fill. Rarely a hit names no warp. */
#include <string.h>

#include "cmodel/ccws/ccws.h"
#include "cosim/stimulus.h"

void ccws_stimulus(struct stimulus *, void *input);

#define SLOTS (NUM_SCHEDULERS * NUM_WARPS)
/* Cycles that a division takes, with the one before it and the one after. */
#define DIVISION (CCWS_HIT_BITS + CLOG2(SLOTS + 1) + CLOG2(CCWS_THROTTLE * CCWS_BASE + 1) + 2)

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t hit_once_in, issue_once_in /* 0: all schedulers, always */, favourite,
        favourite_once_in;
    uint64_t fresh_once_in, change_once_in, start_once_in;
    uint64_t level, goal; /* are all scores to be at the base at one time, and at which? */
    uint64_t begins;      /* does a kernel begin with the phase? */
    uint64_t powers;      /* do warps begin or end when scores are powers of two? */
    uint64_t living[(SLOTS + 63) / 64];
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

static void populate(struct stimulus *s, struct phase *p, int hostile)
{
    const int all = hostile || stimulus_once_in(s, 2);
    const uint64_t dead_once_in = 1 + stimulus_below(s, 8);
    const int one = !hostile && stimulus_once_in(s, 8);
    for (unsigned w = 0; w < SLOTS; w++)
        bit_set(p->living, w, one ? w == p->favourite : all || !stimulus_once_in(s, dead_once_in));
}

static void new_phase(struct stimulus *s, struct phase *p)
{
    static const uint64_t hits[] = {1, 3, 20, 60, 200, 1000, 1000000, 1000000},
                          issues[] = {1, 1, 2, 10, 100, 1000000},
                          changes[] = {1, 4, 30, 200, 1000000, 1000000};
    const int hostile = stimulus_once_in(s, 12);
    p->left = 1 + (stimulus_once_in(s, 3) ? stimulus_below(s, 4000) : stimulus_below(s, 200));
    p->hit_once_in = hits[stimulus_below(s, 8)];
    p->issue_once_in = issues[stimulus_below(s, 6)];
    p->favourite = stimulus_below(s, SLOTS);
    p->favourite_once_in = stimulus_once_in(s, 3) ? 2 : 1000000;
    p->fresh_once_in = 4 * changes[stimulus_below(s, 6)];
    p->change_once_in = changes[stimulus_below(s, 6)];
    p->start_once_in = stimulus_once_in(s, 10) ? 300 : 1000000;
    if (hostile) {
        p->left = 100 * SLOTS;
        p->hit_once_in = 1;
        p->issue_once_in = 2 + stimulus_below(s, 20);
        p->favourite_once_in = p->fresh_once_in = p->change_once_in = 1000000;
        p->start_once_in = 1000000;
    }
    p->powers = stimulus_once_in(s, 2);
    p->level = !hostile && stimulus_once_in(s, 6);
    p->goal = s->clock;
    p->begins = 0;
    if (p->level) {
        p->left = 8 * DIVISION * SLOTS;
        /* Low counts let the score that a hit would get follow the goal. */
        p->begins = stimulus_once_in(s, 2);
        p->change_once_in = p->start_once_in = 1000000;
    }
    /* In a long run, instructions until their count is full. */
    if (s->cycle > 20000 && stimulus_once_in(s, 60)) {
        p->left = (UINT64_C(5) << CCWS_ISSUE_BITS) / 4 / NUM_SCHEDULERS;
        p->hit_once_in = 300;
        p->issue_once_in = 0;
        p->start_once_in = 1000000;
        p->level = 0;
    }
    if (hostile || p->begins || stimulus_once_in(s, 3))
        populate(s, p, hostile || p->begins);
}

/* A cycle of a level phase: instructions lower the score that a hit would get now, hits on warps
 * that are new raise it and get none; at the right one another warp has a hit. */
static void stay_level(struct stimulus *s, struct phase *p, struct ccws_in *in)
{
    const struct ccws_state *is = s->state;
    uint64_t number = 0;
    for (unsigned w = 0; w < SLOTS; w++)
        number += (uint64_t)bit_get(p->living, w);
    if (s->clock >= p->goal) {
        /* Enough for all to have a hit before it, at times far more. */
        const uint64_t most = UINT64_C(1) << CCWS_SCORE_BITS,
                       some = DIVISION * (1 + number) * (1 + 3 * stimulus_below(s, 2));
        p->goal = s->clock + DIVISION + stimulus_below(s, some < most / 2 ? some : most / 2);
    }
    const uint64_t score =
        (is->hits + 1) * number * (CCWS_THROTTLE * CCWS_BASE) / (is->instructions + 1);
    const int64_t late = (int64_t)(s->clock + DIVISION + score - CCWS_BASE - p->goal);
    const unsigned w = (unsigned)stimulus_below(s, SLOTS);
    memset(in->fresh, 0, sizeof in->fresh);
    in->hit_warp = w;
    in->hit = late < 8 && !bit_get(is->pending, w) && (late < 0 || (!is->asked && !is->scoring));
    /* Shortly before the goal a new warp makes the unit add up; soon another one would cut that short. */
    const int soon = p->goal - s->clock <= CCWS_BASE && !bit_get(is->pending, w);
    bit_set(in->fresh, w,
            (in->hit && late < 0) || (soon && stimulus_once_in(s, 1 + p->goal % (2 * SLOTS))));
    in->issued = late >= 4 ? NUM_SCHEDULERS : 0;
}

/* Is some score a power of two above the base? A pass that begins in that very cycle tells its bits
 * apart. */
static int at_a_power(const struct stimulus *s)
{
    const struct ccws_state *is = s->state;
    for (unsigned w = 0; w < SLOTS; w++) {
        const uint64_t left = (is->until[w] - s->clock) & ((UINT64_C(2) << CCWS_SCORE_BITS) - 1);
        if (bit_get(is->pending, w) && left && !(left & (left - 1)))
            return 1;
    }
    return 0;
}

void ccws_stimulus(struct stimulus *s, void *input)
{
    struct ccws_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    if (p->left-- == 0)
        new_phase(s, p);
    in->start = p->begins || stimulus_once_in(s, p->start_once_in);
    p->begins = 0;
    in->hit = (uint64_t)stimulus_once_in(s, p->hit_once_in);
    in->hit_warp = stimulus_once_in(s, p->favourite_once_in) ? p->favourite
                   : stimulus_once_in(s, 64) ? stimulus_below(s, UINT64_C(1) << CLOG2(SLOTS))
                                             : stimulus_below(s, SLOTS);
    in->issued = !p->issue_once_in ? NUM_SCHEDULERS
                 : stimulus_once_in(s, p->issue_once_in)
                     ? stimulus_below(s, UINT64_C(1) << CLOG2(NUM_SCHEDULERS + 1))
                     : 0;
    if (stimulus_once_in(s, p->change_once_in) || (p->powers && at_a_power(s))) {
        const unsigned w = (unsigned)stimulus_below(s, SLOTS);
        bit_set(p->living, w, !bit_get(p->living, w));
    }
    memset(in->fresh, 0, sizeof in->fresh);
    if (stimulus_once_in(s, p->fresh_once_in)) {
        const uint64_t more = stimulus_once_in(s, 8) ? stimulus_below(s, SLOTS) : 0;
        for (uint64_t n = 0; n <= more; n++) {
            const unsigned w = (unsigned)stimulus_below(s, SLOTS);
            bit_set(in->fresh, w, 1);
            bit_set(p->living, w, stimulus_once_in(s, 2));
        }
        if (stimulus_once_in(s, 4))
            bit_set(in->fresh, (unsigned)((const struct ccws_state *)s->state)->scoring_warp, 1);
    }
    if (p->level)
        stay_level(s, p, in);
    for (unsigned w = 0; w < SLOTS; w++)
        bit_set(in->living, w, bit_get(p->living, w));
}
