/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/loop.c: what registers hold in any trip of a loop, and how many trips there are.
 *
 * One trip is executed with a guess in each register that the loop changes. A register that then
 * holds its guess and something that no trip changes goes up by that in each trip: an index, and a
 * pointer that is bumped. The condition of the exit, with these sums in it, tells the last trip. One
 * trip is executed once more with all that, and must confirm it. */
#include "tb/locality/analysis.h"

#define NEVER_TAKEN ((int64_t)1 << 40) /* a trip behind all others */

struct loop {
    struct analysis *analysis;
    uint32_t number;
    uint8_t *changed;                   /* by register */
    struct registers before;            /* when the loop begins */
    struct registers guess;             /* when any trip begins: guesses */
    uint32_t first_guess, behind_guess; /* ids of their atoms */
    const struct value *trip;           /* number of the trip; a guess, too */
    struct registers in_trip;           /* when that trip begins */
    const struct value **ends; /* by way out: the first trip in which it is taken, if no other is */
    uint32_t num_ends;
};

static void find_changed(struct loop *l)
{
    struct analysis *a = l->analysis;
    l->changed = ptx_scratch(a->context, a->kernel->num_regs, 1);
    for (uint32_t b = 0; b < a->flow.num_blocks; b++) {
        if (!in_loop(a, b, l->number))
            continue;
        for (uint32_t i = a->flow.start[b]; i < a->flow.start[b + 1]; i++)
            for (unsigned w = 0; w < a->kernel->uops[i].num_writes; w++)
                l->changed[a->kernel->uops[i].writes[w]] = 1;
    }
}

/* All that the loop changes is unknown. */
static void doubt_all(struct loop *l, struct registers *r)
{
    struct analysis *a = l->analysis;
    const struct value *v = value_doubt(&a->values, REASON_STEP);
    for (uint32_t i = 0; i < a->kernel->num_regs; i++) {
        r->values[i] = l->changed[i] ? v : r->values[i];
        r->flags[i] = l->changed[i] ? condition_unknown(&a->values, v->doubt) : r->flags[i];
    }
}

static void guess_all(struct loop *l)
{
    struct analysis *a = l->analysis;
    l->guess = registers_copy(a, &l->before);
    doubt_all(l, &l->guess);
    l->first_guess = a->values.num_atoms;
    for (uint32_t i = 0; i < a->kernel->num_regs; i++)
        if (l->changed[i])
            l->guess.values[i] = value_guess(&a->values, i);
    l->behind_guess = a->values.num_atoms;
    l->trip = value_guess(&a->values, a->kernel->num_regs);
}

static int is_guessed(const struct loop *l, const struct value *v)
{
    return value_mentions(&l->analysis->values, v, l->first_guess, l->behind_guess);
}

/* What a register holds that goes up by the same in each trip. NULL: it does not. */
static const struct value *stepped(struct loop *l, uint32_t i, const struct value *back)
{
    struct values *p = &l->analysis->values;
    const struct value *step = value_sum(p, 1, back, -1, l->guess.values[i]);
    if (step->doubt || is_guessed(l, step))
        return step->doubt ? step : NULL;
    return value_sum(p, 1, l->before.values[i], 1, value_product(p, step, l->trip));
}

/* What the trip before has left in it, where that follows from registers that are `known`. */
static const struct value *left_behind(struct loop *l, uint32_t i, const struct value *back,
                                       const struct replacement *known, uint32_t count)
{
    struct values *p = &l->analysis->values;
    const struct value *first = l->before.values[i], *none = value_constant(p, 0);
    const struct value *v = value_replace(p, back, known, count);
    if (v->doubt || is_guessed(l, v))
        return NULL;
    const struct replacement before = {l->trip->terms[0].atom,
                                       value_sum(p, 1, l->trip, -1, value_constant(p, 1))};
    const struct replacement start = {l->trip->terms[0].atom, none};
    const struct value *left = value_replace(p, v, &before, 1);
    return value_replace(p, left, &start, 1) == first
               ? left
               : value_choice(p, condition_compare(p, CMP_EQ, l->trip, none), first, left);
}

/* Looks at the registers of which nothing is known yet: at those that are stepped, or at others by
 * the first `count` of `known`. Returns how many are known then. */
static uint32_t resolve_more(struct loop *l, const struct registers *back,
                             struct replacement *known, uint32_t count)
{
    const uint32_t from = count;
    for (uint32_t i = 0; i < l->analysis->kernel->num_regs; i++) {
        if (!l->changed[i] || !l->in_trip.values[i]->doubt)
            continue;
        const struct value *v =
            from ? left_behind(l, i, back->values[i], known, from) : stepped(l, i, back->values[i]);
        l->in_trip.values[i] = v ? v : l->in_trip.values[i];
        if (v && !v->doubt)
            known[count++] = (struct replacement){l->guess.values[i]->terms[0].atom, v};
    }
    return count;
}

/* Finds what registers hold in trip number l->trip; `back`: behind one, by the guesses. */
static uint32_t resolve(struct loop *l, const struct registers *back, struct replacement *known)
{
    struct analysis *a = l->analysis;
    for (uint32_t i = 0; i < a->kernel->num_regs; i++)
        if (l->changed[i] && back->flags[i] == l->guess.flags[i])
            l->in_trip.flags[i] = l->before.flags[i];
    uint32_t before = 0, count = resolve_more(l, back, known, 0);
    while (count != before) {
        before = count;
        count = resolve_more(l, back, known, count);
    }
    return count;
}

/* The first trip in which a sum is negative, or zero; `never` where no trip is, unless it went round
 * all numbers. */
static const struct value *first_trip(struct values *p, const struct condition *c,
                                      const struct value *trip, int64_t never)
{
    const struct atom *atom = trip->terms[0].atom;
    const struct value *sum = c->value;
    int64_t factor = 0;
    for (uint32_t i = 0; i < sum->count; i++)
        factor += sum->terms[i].atom == atom ? sum->terms[i].factor : 0;
    const struct value *rest = value_sum(p, 1, sum, -factor, trip);
    const int negative = c->kind == CONDITION_NEGATIVE;
    if (rest->doubt || factor == 0 || (negative && factor > 0) ||
        value_mentions(p, rest, atom->id, atom->id + 1))
        return value_doubt(p, REASON_TRIPS);
    if (negative) /* the first above rest / -factor */
        return value_greater(
            p, value_constant(p, 0),
            value_sum(p, 1, value_quotient_down(p, rest, -factor), 1, value_constant(p, 1)));
    const int64_t by = factor < 0 ? -factor : factor;
    const struct value *number = value_sum(p, factor < 0 ? 1 : -1, rest, 0, rest);
    const struct value *quotient = value_quotient_down(p, number, by);
    return value_sum(p, by, quotient, -1, number) == value_constant(p, 0)
               ? value_choice(p, condition_compare(p, CMP_LT, quotient, value_constant(p, 0)),
                              value_constant(p, never), quotient)
               : value_doubt(p, REASON_TRIPS);
}

/* The number of the first trip in which the condition holds, or in doubt. */
static const struct value *count_trips(struct values *p, const struct condition *exit,
                                       const struct value *trip, int64_t never)
{
    if (exit->doubt)
        return value_in_doubt(p, exit->doubt);
    switch (exit->kind) {
    case CONDITION_ALWAYS: return value_constant(p, 0);
    case CONDITION_NEVER: return never ? value_constant(p, never) : value_doubt(p, REASON_TRIPS);
    case CONDITION_NEGATIVE:
    case CONDITION_ZERO: return first_trip(p, exit, trip, never);
    case CONDITION_EITHER: {
        const struct value *x = count_trips(p, exit->a, trip, NEVER_TAKEN),
                           *y = count_trips(p, exit->b, trip, NEVER_TAKEN);
        return value_lesser(p, x, y);
    }
    default: return value_doubt(p, REASON_TRIPS);
    }
}

/* Threads for which the only way out is never taken are taken not to come to the loop. */
static int64_t never(const struct loop *l)
{
    return l->num_ends > 1 ? NEVER_TAKEN : 0;
}

/* No thread has a trip with a greater number. */
static int64_t most_trips(const struct loop *l)
{
    int64_t most = INT64_MAX;
    for (uint32_t i = 0; i < l->num_ends; i++)
        most = l->ends[i]->high < most ? l->ends[i]->high : most;
    return most;
}

/* By what the guesses lead to: for each way out the first trip in which its condition holds. Returns
 * NULL, or why they are not known. */
static const struct doubt *find_ends(struct loop *l)
{
    struct analysis *a = l->analysis;
    struct values *p = &a->values;
    struct trip t = {.loop = l->number};
    a->guessing++;
    walk(a, &t, &l->guess);
    a->guessing--;
    if (t.doubt || t.num_ways == 0)
        return t.doubt ? t.doubt : value_doubt(p, REASON_TRIPS)->doubt;
    l->num_ends = t.num_ways;
    if (l->number > MAX_COUNTED)
        return value_doubt(p, REASON_LOOPS)->doubt;
    struct replacement *known = ptx_scratch(a->context, a->kernel->num_regs, sizeof *known);
    const uint32_t count = resolve(l, &t.back, known);
    l->ends = ptx_scratch(a->context, t.num_ways, sizeof *l->ends);
    for (uint32_t i = 0; i < t.num_ways; i++) {
        const struct condition *when = condition_replace(p, t.ways[i].when, known, count);
        l->ends[i] = count_trips(p, when, l->trip, never(l));
        if (l->ends[i]->doubt)
            return l->ends[i]->doubt;
    }
    return most_trips(l) < NEVER_TAKEN ? NULL : value_doubt(p, REASON_TRIPS)->doubt;
}

/* The last trip in which what is behind the first `passed` ways out is executed. */
static const struct value *last_trip(struct loop *l, uint32_t passed)
{
    struct values *p = &l->analysis->values;
    const struct value *last = NULL;
    for (uint32_t i = 0; i < l->num_ends; i++) {
        const struct value *v =
            value_sum(p, 1, l->ends[i], i < passed ? -1 : 0, value_constant(p, 1));
        last = last ? value_lesser(p, last, v) : v;
    }
    return last;
}

/* The trips in which each part of the body is executed. */
static const struct counted *find_stages(struct loop *l, const struct condition *when,
                                         const struct doubt *doubt)
{
    struct analysis *a = l->analysis;
    struct counted *stages = ptx_scratch(a->context, l->num_ends + 1, sizeof *stages);
    for (uint32_t i = 0; i <= l->num_ends; i++)
        stages[i] =
            (struct counted){.loop = l->number - 1,
                             .last = doubt ? value_in_doubt(&a->values, doubt) : last_trip(l, i),
                             .when = when,
                             .outer = a->around};
    return stages;
}

/* What the loop has changed, with another number of the trip. */
static void put_trip(struct loop *l, struct registers *r, const struct value *trip,
                     const struct value *number)
{
    struct values *p = &l->analysis->values;
    const struct replacement by = {trip->terms[0].atom, number};
    for (uint32_t i = 0; i < l->analysis->kernel->num_regs; i++)
        if (l->changed[i]) {
            r->values[i] = value_replace(p, r->values[i], &by, 1);
            r->flags[i] = condition_replace(p, r->flags[i], &by, 1);
        }
}

/* Whether each trip leaves what is known of the next one. What does not is in doubt from now on. */
static int check_registers(struct loop *l, const struct registers *back, const struct value *trip)
{
    struct values *p = &l->analysis->values;
    const struct replacement next = {trip->terms[0].atom,
                                     value_sum(p, 1, trip, 1, value_constant(p, 1))};
    int right = 1;
    for (uint32_t i = 0; i < l->analysis->kernel->num_regs; i++) {
        const struct value **held = &l->in_trip.values[i];
        if (l->changed[i] && !(*held)->doubt &&
            value_replace(p, *held, &next, 1) != back->values[i]) {
            *held = value_doubt(p, REASON_STEP);
            right = 0;
        }
    }
    return right;
}

/* Whether the ways out are taken in the trips that were found. One that none of the trips takes must
 * be one that would be taken later. */
static int check_ways(struct loop *l, const struct trip *t, const struct value *trip)
{
    struct values *p = &l->analysis->values;
    if (t->num_ways != l->num_ends)
        return 0;
    for (uint32_t i = 0; i < l->num_ends; i++) {
        const struct condition *when = t->ways[i].when;
        if (when == p->never ? l->ends[i]->low <= most_trips(l)
                             : count_trips(p, when, trip, never(l)) != l->ends[i])
            return 0;
    }
    return 1;
}

/* Which way is taken: that with the least trip; of equal ones the first. Trip `last` is the last. */
static void choose_ways(struct loop *l, struct trip *t, const struct value *trip,
                        const struct value *last)
{
    struct values *p = &l->analysis->values;
    for (uint32_t i = 0; i < l->num_ends; i++) {
        struct way *way = &t->ways[i];
        way->when = p->always;
        for (uint32_t j = 0; j < l->num_ends; j++)
            if (j != i)
                way->when = condition_both(
                    p, way->when,
                    condition_compare(p, j < i ? CMP_LT : CMP_LE, l->ends[i], l->ends[j]));
        put_trip(l, &way->registers, trip, last);
    }
}

/* Nothing is known of the trips. */
static void doubt_ways(struct loop *l, struct trip *t, uint32_t first, const struct doubt *doubt)
{
    struct analysis *a = l->analysis;
    for (uint32_t i = first; i < a->found->num_loads; i++)
        if (!a->found->loads[i].doubt)
            a->found->loads[i].doubt = doubt;
    for (uint32_t i = 0; i < t->num_ways; i++) {
        t->ways[i].when =
            t->num_ways == 1 ? a->values.always : condition_unknown(&a->values, doubt);
        doubt_all(l, &t->ways[i].registers);
    }
}

uint32_t walk_loop(struct analysis *a, uint32_t loop, const struct registers *r,
                   const struct condition *when, struct way **ways)
{
    struct values *p = &a->values;
    struct loop l = {.analysis = a, .number = loop, .before = *r};
    struct trip t = {.loop = loop};
    const uint32_t first = a->found->num_loads,
                   line = a->kernel->uops[a->kernel->loops[loop - 1].head].line;
    p->line = line;
    find_changed(&l);
    guess_all(&l);
    l.in_trip = registers_copy(a, r);
    doubt_all(&l, &l.in_trip);
    const struct doubt *doubt = find_ends(&l);
    t.stages = find_stages(&l, when, doubt);
    const struct value *last = t.stages[0].last;
    const struct value *trip = doubt ? l.trip : value_trip(p, loop - 1, most_trips(&l));
    put_trip(&l, &l.in_trip, l.trip, trip);
    do {
        a->found->num_loads = first;
        walk(a, &t, &l.in_trip);
        p->line = line;
    } while (!doubt && !t.doubt && !check_registers(&l, &t.back, trip));
    if (doubt || t.doubt || !check_ways(&l, &t, trip))
        doubt_ways(&l, &t, first, doubt ? doubt : value_doubt(p, REASON_TRIPS)->doubt);
    else
        choose_ways(&l, &t, trip, last);
    *ways = t.ways;
    return t.num_ways;
}
