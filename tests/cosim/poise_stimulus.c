/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/poise_stimulus.c: random but plausible inputs of the inference engine. Settings hold for a phase of some epochs, so
 * that predictions and searches end; how often instructions, accesses, hits and misses come changes while it lasts, so that
 * pairs have different scores. In some phases epochs are too short for what is under way, in some they are as long as the bits
 * allow, in some everything changes all the time; in some what a sample counts is aimed at: at numbers of one bit, at one more or less than
 * another sample has had, at the limits of what is derived from them. Between them are short phases of short epochs, to some or all of
 * which pairs of any size are given. */
#include "cmodel/poise/poise.h"
#include "cosim/stimulus.h"

#include <string.h>

void poise_stimulus(struct stimulus *, void *input);

#define WARP_VALUES  (UINT64_C(1) << CLOG2(NUM_WARPS + 1))
#define ISSUE_VALUES (UINT64_C(1) << CLOG2(NUM_SCHEDULERS + 1))
#define MISS_VALUES  (UINT64_C(1) << POISE_MISS_BITS)

#define SAMPLE_VALUES (UINT64_C(1) << POISE_SAMPLE_BITS)
#define TIME_VALUES   (UINT64_C(1) << POISE_TIME_BITS)

/* What a sample shall have counted at its end; what waits, all the time. */
struct aim {
    uint64_t waiting, accesses, hits, owns, instructions, globals;
};

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left, mood_left;   /* cycles until the next phase, and until rates change */
    uint64_t wild, quiet, full; /* full: all that can be counted is, in every cycle */
    uint64_t gives;             /* of 8 changes of the pair: how many give one */
    uint64_t issue, load, access, hit, own, miss, fill; /* of 256 cycles */
    uint64_t aims, aimed,
        restless; /* the next sample has its aim; restless: weights change under way */
    struct aim aim;
    struct poise_in settings;
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

static const int64_t table_2[16] = {517687,   -261,    7209138, -5977480, -8906397, 1976725,
                                    4668,     1667111, 3786126, 483576,   -6386444, 10320107,
                                    -6533500, -900944, 79856,   -2189887};

static void new_weights(struct stimulus *s, struct poise_in *in)
{
    const int any = stimulus_once_in(s, 4), plain = stimulus_once_in(s, 3);
    for (unsigned i = 0; i < 16; i++) {
        int64_t w = table_2[i] * (1 << 20) / 1000000;
        if (any)
            w = (int64_t)stimulus_bits(s) >> (39 + stimulus_below(s, 8));
        else if (plain) /* near the intercept: pairs in the middle, with a search on both sides */
            w = i % 8 == 7 ? (i == 7 ? 2600000 : 1700000) + (int64_t)stimulus_below(s, 800000)
                           : w / 64;
        in->weight[i] = (uint64_t)w & ((1 << 25) - 1);
    }
}

/* The intercept alone, near -8 or 8, where the sum is cut off. */
static void edge_weights(struct stimulus *s, struct poise_in *in)
{
    const uint64_t edge = UINT64_C(1) << 23, reach = UINT64_C(1) << stimulus_below(s, 20);
    for (unsigned i = 0; i < 16; i++)
        in->weight[i] = 0;
    for (unsigned i = 7; i < 16; i += 8)
        in->weight[i] =
            ((stimulus_once_in(s, 2) ? edge : -edge) + stimulus_below(s, 2 * reach) - reach) &
            ((1 << 25) - 1);
}

static uint64_t at_most(uint64_t value, uint64_t most)
{
    return value < most ? value : most;
}

static uint64_t up_to(struct stimulus *s, uint64_t most, unsigned bits)
{
    return at_most(stimulus_below(s, most), (UINT64_C(1) << bits) - 1);
}

/* A length of one bit: what asks whether a number is 0 looks at each of its bits, and numbers of several do
 * not tell whether at all. */
static uint64_t one_bit(struct stimulus *s, unsigned bits)
{
    return UINT64_C(1) << stimulus_below(s, bits);
}

static void of_one_bit(struct stimulus *s, struct poise_in *in)
{
    const unsigned most = POISE_SAMPLE_BITS < 7 ? POISE_SAMPLE_BITS : 7;
    in->warmup = one_bit(s, most);
    in->feature = one_bit(s, most);
    in->search = one_bit(s, most);
    if (stimulus_once_in(s, 2))
        in->period = one_bit(s, POISE_TIME_BITS);
}

static void new_pair(struct stimulus *s, struct phase *p)
{
    p->settings.given = stimulus_below(s, 8) < p->gives;
    p->settings.given_n = stimulus_below(s, WARP_VALUES);
    p->settings.given_p = stimulus_below(s, stimulus_once_in(s, 2) ? WARP_VALUES : 2);
}

/* Many short epochs, with pairs given. */
static void give(struct stimulus *s, struct phase *p)
{
    struct poise_in *in = &p->settings;
    p->gives = 4 + stimulus_below(s, 5);
    p->left = 800;
    p->wild = 0;
    in->period = up_to(s, stimulus_once_in(s, 2) ? 500 : 50, POISE_TIME_BITS);
    in->warmup = up_to(s, 6, POISE_SAMPLE_BITS);
    in->feature = in->search = up_to(s, 12, POISE_SAMPLE_BITS);
    if (stimulus_once_in(s, 3)) /* what is given stands */
        in->stride_n = in->stride_p = 0;
    new_pair(s, p);
}

/* One less, the same, or one more. */
static uint64_t about(struct stimulus *s, uint64_t value)
{
    const uint64_t v = value + stimulus_below(s, 3);
    return v ? v - 1 : 0;
}

/* Epochs in which both samples and the prediction end, and some of the search. In half of them the waiting of a sample is just above a
 * power of two. */
static void aim_phase(struct stimulus *s, struct phase *p)
{
    struct poise_in *in = &p->settings;
    p->aims = 1;
    p->wild = p->quiet = 0;
    p->restless = (uint64_t)stimulus_once_in(s, 6);
    in->warmup = 1 + stimulus_below(s, stimulus_once_in(s, 4) ? MISS_VALUES : 8);
    in->feature = one_bit(s, POISE_SAMPLE_BITS);
    p->aim.waiting =
        stimulus_once_in(s, 2) ? MISS_VALUES - 1 : 1 + stimulus_below(s, MISS_VALUES - 1);
    if (stimulus_once_in(s, 2)) {
        const uint64_t sum = one_bit(s, POISE_MISS_BITS + POISE_SAMPLE_BITS);
        in->feature = at_most(sum / p->aim.waiting + stimulus_below(s, 4), SAMPLE_VALUES - 1);
    }
    in->search = 1 + stimulus_below(s, 40);
    in->period =
        2 * (in->warmup + in->feature) + 1500 + stimulus_below(s, 6) * (in->warmup + in->search);
    if (stimulus_once_in(s, 4)) { /* a search without a prediction, of long samples */
        in->search = one_bit(s, POISE_SAMPLE_BITS) - (uint64_t)stimulus_once_in(s, 2);
        in->period = (2 + stimulus_below(s, 6)) * (in->warmup + in->search);
        p->gives = 8;
        new_pair(s, p);
    }
    in->period = at_most(in->period, TIME_VALUES - 1);
    in->cutoff = stimulus_once_in(s, 3) ? 1 + stimulus_below(s, 8) : 255;
    if (stimulus_once_in(s, 4))
        edge_weights(s, in);
    p->left = in->period * (1 + stimulus_below(s, 3));
}

static void new_phase(struct stimulus *s, struct phase *p)
{
    static const uint64_t periods[] = {40, 400, 1300, 1700, 4000, 4000, 4000, 6000};
    struct poise_in *in = &p->settings;
    const unsigned kind = (unsigned)stimulus_below(s, 8);
    const uint64_t period = periods[kind];
    p->wild = (uint64_t)stimulus_once_in(s, 12);
    p->quiet = (uint64_t)stimulus_once_in(s, 5);
    in->period = up_to(s, period, POISE_TIME_BITS) / 4 + up_to(s, period, POISE_TIME_BITS) / 4 +
                 up_to(s, period, POISE_TIME_BITS - 1) / 2 + period / 2;
    in->period &= TIME_VALUES - 1;
    in->warmup = up_to(s, stimulus_once_in(s, 3) ? 60 : 6, POISE_SAMPLE_BITS);
    in->feature = up_to(s, stimulus_once_in(s, 3) ? 300 : 30, POISE_SAMPLE_BITS);
    in->search = up_to(s, stimulus_once_in(s, 3) ? 60 : 12, POISE_SAMPLE_BITS);
    in->cutoff = stimulus_once_in(s, 3) ? stimulus_below(s, 256) : 255;
    in->stride_n = stimulus_below(s, stimulus_once_in(s, 6) ? WARP_VALUES : 5) % WARP_VALUES;
    in->stride_p = stimulus_below(s, stimulus_once_in(s, 6) ? WARP_VALUES : 5) % WARP_VALUES;
    if (stimulus_once_in(s, 8)) /* a prediction stands */
        in->stride_n = in->stride_p = 0;
    if (stimulus_once_in(s, 8))
        of_one_bit(s, in);
    p->left = period * (1 + stimulus_below(s, 3));
    new_weights(s, in);
    p->full = p->gives = p->aims = p->restless = 0;
    if (stimulus_once_in(s, 3)) {
        aim_phase(s, p);
    } else if (stimulus_once_in(s, 5)) { /* as long as the bits allow */
        const int searches = !stimulus_once_in(s, 4);
        uint64_t *const counted = searches ? &in->search : &in->feature;
        in->period = searches ? TIME_VALUES - 1 : stimulus_bits(s) >> (64 - POISE_TIME_BITS);
        in->feature = in->search = 3;
        *counted = SAMPLE_VALUES - 1 -
                   stimulus_below(s, searches ? SAMPLE_VALUES * 3 / 4 : SAMPLE_VALUES / 8);
        if (!searches && stimulus_once_in(s, 3)) /* of accesses as many, where it is full */
            *counted = one_bit(s, POISE_SAMPLE_BITS);
        in->warmup =
            !searches && stimulus_once_in(s, 2) ? stimulus_bits(s) >> (64 - POISE_SAMPLE_BITS) : 1;
        in->cutoff = 255;
        in->stride_n = 1;
        p->full = (uint64_t)!stimulus_once_in(s, 4);
        if (p->full && stimulus_once_in(s, 2))
            in->cutoff = 1; /* as many instructions as loads, or one more: just not too many */
        p->left = *counted + in->warmup + 3000;
        p->wild = p->quiet = 0;
    } else if (stimulus_once_in(s, 3)) {
        give(s, p);
    }
}

static void new_mood(struct stimulus *s, struct phase *p)
{
    static const uint64_t rates[] = {0, 3, 40, 128, 240, 256, 256};
    uint64_t *const all[] = {&p->issue, &p->load, &p->access, &p->hit, &p->own, &p->miss, &p->fill};
    p->mood_left = 1 + stimulus_below(s, p->left > 10000 ? 40000 : 60);
    for (unsigned i = 0; i < 7; i++)
        *all[i] = rates[stimulus_below(s, 7)];
    if (stimulus_once_in(s, 12)) { /* long waits for few lines */
        p->mood_left += stimulus_below(s, 600);
        p->access = 3;
        p->miss = 256;
        p->fill = 0;
    }
}

/* What the next sample shall count: of features in the second one about what the first one has had, of the search about what the
 * best has had. */
static void new_aim(struct stimulus *s, struct phase *p)
{
    const struct poise_state *state = s->state;
    const struct poise_in *in = &p->settings;
    const uint64_t length = state->point <= poise_point_lone ? in->feature : in->search,
                   most = length * (ISSUE_VALUES - 1);
    struct aim *a = &p->aim;
    if (state->point == poise_point_lone && !stimulus_once_in(s, 4)) {
        a->hits = at_most(about(s, a->hits), a->accesses);
        a->owns = at_most(about(s, a->owns), a->hits);
        return;
    }
    if (state->point == poise_point_base && !stimulus_once_in(s, 3))
        a->waiting = one_bit(s, POISE_MISS_BITS);
    a->accesses = stimulus_once_in(s, 3)   ? 1
                  : stimulus_once_in(s, 2) ? one_bit(s, POISE_SAMPLE_BITS)
                                           : stimulus_below(s, length + 1);
    a->accesses = at_most(a->accesses, length);
    a->hits = stimulus_once_in(s, 4) ? a->accesses : stimulus_below(s, a->accesses + 1);
    a->owns = stimulus_once_in(s, 4) ? a->hits : stimulus_below(s, a->hits + 1);
    a->globals = stimulus_once_in(s, 3) ? 1 : stimulus_below(s, at_most(length, 40) + 1);
    a->instructions = stimulus_once_in(s, 3)   ? one_bit(s, POISE_SAMPLE_BITS + 2)
                      : stimulus_once_in(s, 2) ? about(s, a->globals * in->cutoff)
                                               : stimulus_below(s, most + 1);
    if (state->point > poise_point_centre && !stimulus_once_in(s, 3))
        a->instructions = about(s, state->top);
}

/* What brings the counts of this cycle nearer to what they shall be. */
static void toward(struct stimulus *s, const struct aim *a, struct poise_in *in)
{
    const struct poise_state *state = s->state;
    const int samples = state->state == POISE_SAMPLE,
              changes = samples && stimulus_once_in(s, 3000);
    in->access = samples && state->accesses < a->accesses;
    in->hit = state->hits < a->hits;
    in->own = state->owns < a->owns;
    in->issued = samples && state->instructions < a->instructions
                     ? at_most(a->instructions - state->instructions, ISSUE_VALUES - 1)
                     : 0;
    in->loads = samples && state->globals < a->globals
                    ? at_most(a->globals - state->globals, in->issued)
                    : 0;
    in->miss = changes || state->waiting < a->waiting;
    in->fill = state->waiting > a->waiting ? state->waiting - a->waiting : 0;
}

static uint64_t happens(struct stimulus *s, uint64_t rate)
{
    return stimulus_below(s, 256) < rate;
}

void poise_stimulus(struct stimulus *s, void *input)
{
    struct poise_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    int begins = 0;
    if (p->left-- == 0) {
        new_phase(s, p);
        begins = !stimulus_once_in(s, 4);
    }
    if (p->mood_left-- == 0)
        new_mood(s, p);
    if (stimulus_once_in(s, 30))
        new_pair(s, p);
    *in = p->settings;
    if (p->wild && stimulus_once_in(s, 20)) {
        in->warmup = stimulus_below(s, 9) & (SAMPLE_VALUES - 1);
        in->feature = in->search = in->warmup;
        in->stride_n = in->stride_p = stimulus_below(s, WARP_VALUES);
    }
    if (p->restless && stimulus_once_in(s, 40))
        new_weights(s, &p->settings);
    in->start = (uint64_t)(begins || stimulus_once_in(s, p->wild ? 300 : p->gives ? 60 : 40000));
    in->warps = stimulus_once_in(s, 2) ? NUM_WARPS : stimulus_below(s, WARP_VALUES);
    if (p->quiet && stimulus_once_in(s, 2))
        return; /* settings and timers alone */
    if (p->aims) {
        const struct poise_state *state = s->state;
        if (state->state == POISE_WARM && !p->aimed)
            new_aim(s, p);
        p->aimed = state->state == POISE_WARM;
        toward(s, &p->aim, in);
        return;
    }
    in->issued = happens(s, p->issue) ? stimulus_below(s, ISSUE_VALUES) : 0;
    in->loads = in->issued && happens(s, p->load) ? stimulus_below(s, in->issued + 1) : 0;
    in->access = happens(s, p->access);
    in->hit = happens(s, p->hit);
    in->own = happens(s, p->own);
    in->miss = happens(s, p->miss);
    if (p->full) {
        in->issued = in->loads = ISSUE_VALUES - 1;
        in->access = in->hit = in->own = 1;
    }
    if (happens(s, p->fill / 2))
        in->fill = stimulus_once_in(s, 30) ? stimulus_below(s, MISS_VALUES)
                                           : stimulus_below(s, MISS_VALUES < 8 ? MISS_VALUES : 8);
}
