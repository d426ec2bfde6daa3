/* SPDX-License-Identifier: Apache-2.0 */
/* tests/cosim/dvfs_stimulus.c: random but plausible inputs of the frequency controller: machines that issue and miss at rates of a phase, told of in
 * each cycle or now and then, and software that writes tables when it is asked. In full phases periods have as many
 * instructions as can be counted, one after the other, in every slot, until the histogram goes round; in exact ones misses per instruction are
 * an edge or next to it; in wild ones everything changes all the time. Lengths are short, so that points come while a slot is searched or
 * the frequency settles, or have any bit. */
#include "cmodel/dvfs/dvfs.h"
#include "cosim/stimulus.h"

void dvfs_stimulus(struct stimulus *, void *input);

#define ONES(bits) (~UINT64_C(0) >> (64 - (bits)))
#define FRACTIONS  (1u << CLOG2(DVFS_EDGE_BITS + 1))

enum kind { STEADY, FULL, EXACT, WILD, KINDS };

/* What lasts longer than a cycle: stimulus.scratch. */
struct phase {
    uint64_t left; /* cycles until the next phase */
    uint64_t kind, scaling, control, settle, fraction;
    uint64_t issued, told;  /* at most as many in a cycle; once in so many */
    uint64_t stops, writes; /* once in so many cycles; 0: never */
    uint64_t span;          /* from one edge to the next */
    uint64_t edges;         /* that are still to be written */
};
_Static_assert(sizeof(struct phase) <= sizeof((struct stimulus *)0)->scratch,
               "the phase lives in the scratch words");

/* One bit of so many: numbers of several bits do not tell which of them is looked at. */
static uint64_t one_bit(struct stimulus *s, unsigned bits)
{
    return UINT64_C(1) << stimulus_below(s, bits);
}

static uint64_t any(struct stimulus *s, unsigned bits)
{
    return stimulus_bits(s) >> (64 - bits);
}

static uint64_t at_most(uint64_t n, unsigned bits)
{
    return n < ONES(bits) ? n : ONES(bits);
}

/* Cycles between points: few, some, or any number. */
static uint64_t length(struct stimulus *s)
{
    switch (stimulus_below(s, 6)) {
    case 0: return one_bit(s, DVFS_TIME_BITS);
    case 1: return any(s, DVFS_TIME_BITS);
    case 2: return stimulus_below(s, 4);
    default: return at_most(1 + stimulus_below(s, 150), DVFS_TIME_BITS);
    }
}

static uint64_t settle(struct stimulus *s)
{
    return stimulus_once_in(s, 8) ? one_bit(s, DVFS_SETTLE_BITS)
                                  : at_most(stimulus_below(s, 12), DVFS_SETTLE_BITS);
}

static void new_phase(struct stimulus *s, struct phase *p)
{
    static const uint64_t once_in[] = {1, 1, 3, 20, 60}, stops[] = {0, 0, 0, 900, 40};
    const int full = p->kind != FULL && stimulus_once_in(s, 2);
    p->kind = full ? FULL : stimulus_below(s, KINDS);
    p->left = p->kind == WILD   ? 100 + stimulus_below(s, 400)
              : p->kind == FULL ? 2000 + stimulus_below(s, 8000)
                                : 500 + stimulus_below(s, 3000);
    p->scaling = length(s);
    p->control = stimulus_once_in(s, 2)
                     ? at_most(p->scaling * (1 + stimulus_below(s, 6)) + stimulus_below(s, 2),
                               DVFS_TIME_BITS)
                     : length(s);
    p->settle = settle(s);
    p->fraction = stimulus_below(s, FRACTIONS);
    p->issued = stimulus_once_in(s, 3) ? any(s, DVFS_COUNT_BITS)
                                       : at_most(1 + stimulus_below(s, 60), DVFS_COUNT_BITS);
    p->told = once_in[stimulus_below(s, 5)];
    p->stops = stops[stimulus_below(s, 5)];
    p->writes = 1 + stimulus_below(s, 200);
    p->edges = stimulus_once_in(s, 6) ? 0 : DVFS_SLOTS - 1;
    p->span = 1 + (any(s, DVFS_EDGE_BITS) >> stimulus_below(s, DVFS_EDGE_BITS)) / DVFS_SLOTS;
    if (p->kind == FULL) { /* as many misses as instructions reach every edge */
        p->scaling = stimulus_below(s, 3);
        p->control = at_most(stimulus_once_in(s, 2) ? 500 : 9000, DVFS_TIME_BITS);
        p->settle = stimulus_below(s, 2);
        p->fraction = CLOG2(DVFS_SLOTS);
        p->span = 1;
        p->stops = stops[stimulus_below(s, 4)];
    }
}

/* Instructions and misses of a cycle such that their quotient is about an edge. */
static void tell_near_an_edge(struct stimulus *s, const struct dvfs_state *state,
                              const struct phase *p, struct dvfs_in *in)
{
    const uint64_t edge = state->edges[stimulus_below(s, DVFS_SLOTS - 1)];
    const uint64_t near = edge + stimulus_below(s, 3) - (edge > 0);
    if (stimulus_once_in(s, 8)) { /* too large for the quotient */
        in->issued = 1 + stimulus_below(s, 2);
        in->missed = any(s, DVFS_COUNT_BITS);
        return;
    }
    if (p->kind == EXACT && p->fraction < DVFS_COUNT_BITS && !stimulus_once_in(s, 3)) {
        const unsigned twice = p->fraction + 1 < DVFS_COUNT_BITS && near < ONES(DVFS_COUNT_BITS) / 2
                                   ? (unsigned)stimulus_below(s, 2)
                                   : 0;
        in->issued = UINT64_C(1) << p->fraction << twice;
        in->missed = at_most((near << twice) - (near && stimulus_once_in(s, 4)), DVFS_COUNT_BITS);
    } else {
        in->issued = stimulus_once_in(s, 4) ? ONES(DVFS_COUNT_BITS) - stimulus_below(s, 3)
                                            : 1 + stimulus_below(s, p->issued);
        in->missed = at_most((in->issued * (near & ONES(DVFS_EDGE_BITS)) >> p->fraction) +
                                 stimulus_below(s, 2),
                             DVFS_COUNT_BITS);
    }
}

/* A period of all that is counted, with misses in the middle of any slot. */
static void tell_all(struct stimulus *s, struct dvfs_in *in)
{
    const uint64_t slot = stimulus_below(s, DVFS_SLOTS);
    in->issued = ONES(DVFS_COUNT_BITS) - (stimulus_once_in(s, 4) ? stimulus_below(s, 9) : 0);
    in->missed = (in->issued * (2 * slot + 1) >> (CLOG2(DVFS_SLOTS) + 1)) & ONES(DVFS_COUNT_BITS);
}

/* What asks whether anything is told looks at each bit. */
static void tell_a_bit(struct stimulus *s, const struct phase *p, struct dvfs_in *in)
{
    if (stimulus_once_in(s, 2))
        in->missed = stimulus_below(s, p->issued);
    else if (stimulus_once_in(s, 2))
        in->missed = one_bit(s, DVFS_COUNT_BITS);
    else
        in->issued = one_bit(s, DVFS_COUNT_BITS);
}

static void tell(struct stimulus *s, const struct phase *p, struct dvfs_in *in)
{
    const struct dvfs_state *state = s->state;
    in->issued = in->missed = 0;
    if (p->kind == FULL) {
        if (state->state == DVFS_SEARCH && state->step == 0)
            tell_all(s, in);
        else if (state->state == DVFS_RUN && !state->instructions)
            in->issued = 1;
    } else if (p->kind == EXACT) {
        if (!state->instructions && stimulus_once_in(s, 4))
            tell_near_an_edge(s, state, p, in);
    } else if (p->kind == WILD) {
        if (stimulus_once_in(s, 2))
            in->issued =
                stimulus_once_in(s, 2) ? one_bit(s, DVFS_COUNT_BITS) : any(s, DVFS_COUNT_BITS);
        if (stimulus_once_in(s, 2))
            in->missed = any(s, DVFS_COUNT_BITS) >> stimulus_below(s, DVFS_COUNT_BITS);
    } else if (stimulus_once_in(s, p->told)) {
        if (stimulus_once_in(s, 2))
            tell_near_an_edge(s, state, p, in);
        else
            tell_a_bit(s, p, in);
    }
}

static void write_something(struct stimulus *s, const struct phase *p, struct dvfs_in *in)
{
    in->write = stimulus_below(s, 4);
    in->index = stimulus_below(s, UINT64_C(1) << CLOG2(DVFS_SLOTS));
    in->value = any(s, DVFS_EDGE_BITS);
    if (in->write == dvfs_write_entry && !stimulus_once_in(s, 4))
        in->value = stimulus_below(s, DVFS_LEVELS);
    if (in->write == dvfs_write_edge && p->kind != WILD)
        in->write = dvfs_write_entry;
}

/* Edges when a phase begins, then a table as often as the phase says, and more often where one is asked for. */
static void write(struct stimulus *s, struct phase *p, struct dvfs_in *in)
{
    const struct dvfs_state *state = s->state;
    in->write = dvfs_write_none;
    in->index = stimulus_below(s, UINT64_C(1) << CLOG2(DVFS_SLOTS));
    in->value = any(s, DVFS_EDGE_BITS);
    if (p->edges) {
        in->write = dvfs_write_edge;
        in->index = DVFS_SLOTS - 1 - p->edges--;
        in->value = at_most(p->span * (in->index + 1), DVFS_EDGE_BITS);
    } else if (stimulus_once_in(s, p->kind == WILD ? 3 : p->writes)) {
        write_something(s, p, in);
    } else if (state->irq && stimulus_once_in(s, 30)) {
        in->write = stimulus_once_in(s, 3) ? dvfs_write_commit : dvfs_write_entry;
    }
}

/* More often in states that are rare. */
static int stops(struct stimulus *s, const struct phase *p)
{
    const struct dvfs_state *state = s->state;
    const int rare = state->state >= DVFS_LOOKUP;
    return p->stops && stimulus_once_in(s, rare ? 1 + p->stops / 20 : p->stops);
}

void dvfs_stimulus(struct stimulus *s, void *input)
{
    struct dvfs_in *in = input;
    struct phase *p = (struct phase *)s->scratch;
    if (p->left-- == 0)
        new_phase(s, p);
    const int wild = p->kind == WILD && stimulus_once_in(s, 6);
    in->scaling = wild ? length(s) : p->scaling;
    in->control = wild ? length(s) : p->control;
    in->settle = wild ? settle(s) : p->settle;
    in->fraction = wild ? stimulus_below(s, FRACTIONS) : p->fraction;
    in->run = !stops(s, p);
    tell(s, p, in);
    write(s, p, in);
}
