/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/daws_classify_stimulus.c: random but plausible inputs of the load classification. A
 * kernel has loops in nests of equal depth and loads in fixed loops; its events gather around one
 * loop and that loop's sampler. Kernels differ in how many loads the loop has, how often they are
 * diverged, how many lines they share, and how often the warp branches back; some have such
 * locality that counters saturate either way. In some all loads of the table are executed in turn, so
 * that all are counted. Now and then an input is anything. */
#include "cmodel/daws_classify/daws_classify.h"
#include "cosim/stimulus.h"

void daws_classify_stimulus(struct stimulus *, void *input);

#define SLOTS (NUM_SCHEDULERS * NUM_WARPS)
#define LOOPS ((1u << LOOP_BITS) - 1)
#define LOADS (1u << (LOAD_BITS - 1))

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left; /* cycles until the next kernel, or until other rates */
    uint64_t kernel, nest, focus, all_in_focus, in_turn;
    uint64_t lines, local_once_in, converged_once_in, back_once_in, leave_once_in, anything_once_in;
    uint64_t issue_once_in, access_once_in;
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

/* Loops stand in nests of p->nest, each inside the one before. */
static uint64_t last_of(const struct phase *p, uint64_t loop)
{
    const uint64_t last = loop ? ((loop - 1) / p->nest + 1) * p->nest : 0;
    return last > LOOPS ? LOOPS : last;
}

static uint64_t loop_of(const struct phase *p, uint64_t load)
{
    if (p->all_in_focus)
        return p->focus;
    return (load * 7 + p->kernel) % 5 < 3 ? p->focus : 1 + (load * 13 + p->kernel) % LOOPS;
}

static void new_phase(struct stimulus *s, struct phase *p)
{
    static const uint64_t rates[] = {1, 2, 8, 100}, rare[] = {4, 30, 300, 3000};
    if (!p->nest || stimulus_once_in(s, 2)) {
        p->kernel = stimulus_below(s, 1000);
        p->nest = stimulus_once_in(s, 4) ? LOOPS : 1 + stimulus_below(s, 4);
    }
    p->focus = 1 + stimulus_below(s, LOOPS);
    p->all_in_focus = (uint64_t)stimulus_once_in(s, 2);
    p->left = 20 + stimulus_below(s, 20 * LOADS);
    p->lines = stimulus_once_in(s, 3) ? 0 : 2 + stimulus_below(s, 2 * ILRD_SETS * ILRD_WAYS);
    p->local_once_in = rates[stimulus_below(s, 4)];
    p->converged_once_in = rates[stimulus_below(s, 4)];
    p->back_once_in = rare[stimulus_below(s, 4)];
    p->leave_once_in = rare[stimulus_below(s, 4)];
    p->anything_once_in = stimulus_once_in(s, 4) ? 3 : 200;
    p->issue_once_in = rates[stimulus_below(s, 3)];
    p->access_once_in = rates[stimulus_below(s, 3)];
    p->in_turn = (uint64_t)stimulus_once_in(s, 4);
    if (p->in_turn) { /* each of its own line */
        p->left = 40 + 6 * LOADS;
        p->all_in_focus = p->local_once_in = p->issue_once_in = p->access_once_in = 1;
        p->lines = 0;
        p->converged_once_in = stimulus_once_in(s, 2) ? 1 : 1000;
        p->leave_once_in = 3000;
        p->anything_once_in = 3000;
    }
}

static uint64_t some_loop(struct stimulus *s, const struct phase *p)
{
    return stimulus_once_in(s, 8) ? stimulus_below(s, LOOPS + 1) : p->focus;
}

static uint64_t some_slot(struct stimulus *s, uint64_t loop)
{
    const struct daws_classify_state *state = s->state;
    if (!loop || stimulus_once_in(s, 10))
        return stimulus_below(s, UINT64_C(1) << CLOG2(SLOTS));
    return state->sampler[loop - 1];
}

static uint64_t some_lanes(struct stimulus *s)
{
    return stimulus_once_in(s, 8)   ? stimulus_below(s, 64)
           : stimulus_once_in(s, 3) ? stimulus_below(s, 4)
                                    : 1 + stimulus_below(s, 32);
}

/* A warp goes on in its loop, enters one, branches back, or leaves. */
static void issue(struct stimulus *s, const struct phase *p, struct daws_classify_in *in,
                  unsigned n)
{
    const struct daws_classify_state *state = s->state;
    const uint64_t loop = some_loop(s, p);
    const int entered = loop && state->last[loop - 1] && !stimulus_once_in(s, 4) &&
                        state->sampler[loop - 1] / NUM_WARPS == n;
    bit_set(in->issue, n, stimulus_once_in(s, p->issue_once_in));
    in->warp[n] = entered ? state->sampler[loop - 1] % NUM_WARPS
                          : stimulus_below(s, UINT64_C(1) << CLOG2(NUM_WARPS));
    in->active[n] = some_lanes(s);
    in->loop_begin[n] = stimulus_once_in(s, 2) ? loop : 0;
    in->loop_last[n] = last_of(p, in->loop_begin[n]);
    in->loop_end[n] = stimulus_once_in(s, p->back_once_in) ? some_loop(s, p) : 0;
    in->loop[n] =
        loop + (stimulus_once_in(s, 2) ? stimulus_below(s, last_of(p, loop) - loop + 1) : 0);
    if (stimulus_once_in(s, p->leave_once_in))
        in->loop[n] = stimulus_once_in(s, 2) ? 0 : stimulus_below(s, LOOPS + 1);
    in->next_loop[n] = some_loop(s, p);
    in->inner[n] = stimulus_once_in(s, 2) ? 0 : stimulus_below(s, LOOPS + 1);
    if (stimulus_once_in(s, p->anything_once_in)) {
        in->loop_begin[n] = stimulus_below(s, LOOPS + 1);
        in->loop_last[n] = stimulus_below(s, LOOPS + 1);
        in->loop_end[n] = stimulus_below(s, LOOPS + 1);
        in->loop[n] = stimulus_below(s, LOOPS + 1);
        in->next_loop[n] = stimulus_below(s, LOOPS + 1);
    }
}

static void access(struct stimulus *s, const struct phase *p, struct daws_classify_in *in)
{
    const int anything = stimulus_once_in(s, p->anything_once_in);
    in->access = (uint64_t)stimulus_once_in(s, p->access_once_in);
    in->access_load =
        stimulus_once_in(s, 50) ? stimulus_below(s, 1u << LOAD_BITS) : 1 + stimulus_below(s, LOADS);
    in->access_loop = anything ? stimulus_below(s, LOOPS + 1) : loop_of(p, in->access_load);
    in->access_warp = some_slot(s, in->access_loop);
    in->access_active = some_lanes(s);
    in->access_lines = stimulus_once_in(s, p->converged_once_in) ? 1 + stimulus_below(s, 3)
                                                                 : 1 + stimulus_below(s, 63);
    if (p->in_turn) {
        in->access_load = s->cycle % LOADS + 1;
        in->access_active = 3 + stimulus_below(s, 30);
        in->access_lines = p->converged_once_in == 1 ? 2 : in->access_active;
    }
    in->access_line = stimulus_bits(s) >> (64 - LINE_BITS);
    if (p->lines) { /* few: numbers from 0 on, or with bits all over; some but for one bit another */
        in->access_line =
            stimulus_below(s, p->lines) * (p->kernel % 2 ? 1 : UINT64_C(0x249249249249)) &
            ~UINT64_C(0) >> (64 - LINE_BITS);
        if (stimulus_once_in(s, 8))
            in->access_line ^= UINT64_C(1) << stimulus_below(s, LINE_BITS);
    }
}

void daws_classify_stimulus(struct stimulus *s, void *input)
{
    struct daws_classify_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    in->start = 0;
    if (p->left-- == 0) {
        in->start = !p->nest || !stimulus_once_in(s, 4);
        new_phase(s, p);
        in->start |= p->in_turn;
    }
    const int any_fresh = stimulus_once_in(s, 4 * p->leave_once_in);
    for (unsigned w = 0; w < SLOTS; w++)
        bit_set(in->fresh, w, any_fresh && stimulus_once_in(s, SLOTS / 2));
    for (unsigned n = 0; n < NUM_SCHEDULERS; n++)
        issue(s, p, in, n);
    access(s, p, in);
    in->feedback = !stimulus_once_in(s, 4);
    in->feedback_loop = some_loop(s, p);
    in->feedback_warp = some_slot(s, in->feedback_loop);
    in->feedback_local = (uint64_t)stimulus_once_in(s, p->local_once_in);
}
