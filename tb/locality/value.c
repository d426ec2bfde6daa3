/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/value.c: sums of atoms, each once. */
#include "tb/locality/atoms.h"

#include <string.h>

#include "tb/locality/condition.h"

#define BUCKETS 4096u

void values_open(struct values *p, struct ptx_context *c)
{
    *p = (struct values){.context = c};
    p->atoms = ptx_scratch(c, BUCKETS, sizeof(struct atom *));
    p->values = ptx_scratch(c, BUCKETS, sizeof(const struct value *));
    p->conditions = ptx_scratch(c, BUCKETS, sizeof(const struct condition *));
    struct condition *always = ptx_scratch(c, 1, sizeof *always);
    struct condition *never = ptx_scratch(c, 1, sizeof *never);
    always->kind = CONDITION_ALWAYS;
    never->kind = CONDITION_NEVER;
    p->always = always;
    p->never = never;
}

static uint64_t stir(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * 0x9e3779b97f4a7c15ull ^ hash >> 29;
}

const struct value *value_in_doubt(struct values *p, const struct doubt *doubt)
{
    struct value *v = ptx_scratch(p->context, 1, sizeof *v);
    v->doubt = doubt;
    v->needs = NEEDS_DOUBT;
    return v;
}

const struct value *value_doubt(struct values *p, enum reason reason)
{
    struct doubt *d = ptx_scratch(p->context, 1, sizeof *d);
    *d = (struct doubt){.reason = reason, .line = p->line};
    return value_in_doubt(p, d);
}

/* Fills the range and needs of a sum. Returns 0, or -1: it may leave the 64 bits. */
static int measure(struct value *v)
{
    wide low = v->constant, high = v->constant;
    v->needs = 0;
    for (uint32_t i = 0; i < v->count; i++) {
        const struct atom *atom = v->terms[i].atom;
        const wide x = (wide)v->terms[i].factor * atom->low,
                   y = (wide)v->terms[i].factor * atom->high;
        low += x < y ? x : y;
        high += x < y ? y : x;
        v->needs |= atom->needs;
        v->depth = atom->depth > v->depth ? atom->depth : v->depth;
    }
    if (v->needs & NEEDS_GUESS)
        return 0;
    v->low = (int64_t)low;
    v->high = (int64_t)high;
    return low < INT64_MIN || high > INT64_MAX ? -1 : 0;
}

const struct value *value_of_terms(struct values *p, int64_t constant, const struct term *terms,
                                   uint32_t count)
{
    uint64_t hash = stir(count, (uint64_t)constant);
    for (uint32_t i = 0; i < count; i++)
        hash = stir(stir(hash, terms[i].atom->id), (uint64_t)terms[i].factor);
    const struct value **bucket = &p->values[hash >> 20 & (BUCKETS - 1)];
    for (const struct value *v = *bucket; v; v = v->chain)
        if (v->constant == constant && v->count == count &&
            memcmp(v->terms, terms, count * sizeof *terms) == 0)
            return v;
    struct value *v = ptx_scratch(p->context, 1, sizeof *v + count * sizeof *terms);
    v->constant = constant;
    v->count = count;
    memcpy(v->terms, terms, count * sizeof *terms);
    if (measure(v))
        return value_doubt(p, REASON_LARGE);
    v->chain = *bucket;
    return *bucket = v;
}

const struct value *value_constant(struct values *p, int64_t constant)
{
    const struct term none = {0};
    return value_of_terms(p, constant, &none, 0);
}

static const struct value *alone(struct values *p, struct atom *atom)
{
    return value_of_terms(p, 0, &(struct term){.atom = atom, .factor = 1}, 1);
}

/* The one atom that is made of these. */
static const struct value *atom(struct values *p, const struct atom *wanted)
{
    uint64_t hash = stir(wanted->kind, wanted->number);
    hash = stir(stir(hash, (uintptr_t)wanted->a), (uintptr_t)wanted->b);
    hash = stir(hash, (uintptr_t)wanted->condition);
    struct atom **bucket = &p->atoms[hash >> 20 & (BUCKETS - 1)];
    const int unique = wanted->kind == A_TRIP || wanted->kind == A_GUESS;
    for (struct atom *a = *bucket; a && !unique; a = a->chain)
        if (a->kind == wanted->kind && a->number == wanted->number && a->a == wanted->a &&
            a->b == wanted->b && a->condition == wanted->condition)
            return alone(p, a);
    struct atom *a = ptx_scratch(p->context, 1, sizeof *a);
    *a = *wanted;
    a->id = p->num_atoms++;
    a->chain = *bucket;
    *bucket = a;
    return alone(p, a);
}

const struct value *value_axis(struct values *p, enum axis axis, uint32_t last)
{
    return last == 0 ? value_constant(p, 0)
                     : atom(p, &(struct atom){.kind = A_AXIS,
                                              .number = axis,
                                              .high = last,
                                              .needs = (uint64_t)1 << axis});
}

const struct value *value_trip(struct values *p, uint32_t loop, int64_t last)
{
    return atom(p, &(struct atom){.kind = A_TRIP,
                                  .number = loop,
                                  .high = last < 0 ? 0 : last,
                                  .needs = NEEDS_TRIP(loop)});
}

const struct value *value_guess(struct values *p, uint32_t number)
{
    return atom(p, &(struct atom){.kind = A_GUESS, .number = number, .needs = NEEDS_GUESS});
}

/* Appends factor * of to the terms, unless that is nothing. Returns 0, or -1: too large. */
static int append(struct term *terms, uint32_t *count, wide factor, struct atom *of)
{
    if (factor < INT64_MIN || factor > INT64_MAX)
        return -1;
    if (factor)
        terms[(*count)++] = (struct term){.atom = of, .factor = (int64_t)factor};
    return 0;
}

const struct value *value_sum(struct values *p, int64_t a, const struct value *x, int64_t b,
                              const struct value *y)
{
    if (x->doubt || y->doubt)
        return x->doubt ? x : y;
    ptx_spend(p->context, 1 + x->count + y->count);
    const wide constant = (wide)a * x->constant + (wide)b * y->constant;
    struct term *terms = ptx_scratch(p->context, (size_t)x->count + y->count, sizeof *terms);
    uint32_t count = 0, i = 0, j = 0;
    int large = constant < INT64_MIN || constant > INT64_MAX;
    while (!large && (i < x->count || j < y->count)) {
        const struct term *left = i < x->count ? &x->terms[i] : NULL,
                          *right = j < y->count ? &y->terms[j] : NULL;
        if (left && right && left->atom == right->atom) {
            large =
                append(terms, &count, (wide)a * left->factor + (wide)b * right->factor, left->atom);
            i++;
            j++;
        } else if (left && (!right || left->atom->id < right->atom->id)) {
            large = append(terms, &count, (wide)a * left->factor, left->atom);
            i++;
        } else {
            large = append(terms, &count, (wide)b * right->factor, right->atom);
            j++;
        }
    }
    return large ? value_doubt(p, REASON_LARGE)
                 : value_of_terms(p, (int64_t)constant, terms, count);
}

const struct value *value_of_atom(struct values *p, const struct atom *wanted, wide low, wide high)
{
    struct atom a = *wanted;
    a.needs = a.a->needs | (a.b ? a.b->needs : 0) | (a.condition ? a.condition->needs : 0);
    if (a.needs & NEEDS_GUESS)
        low = high = 0;
    a.depth = 1 + a.a->depth;
    if (a.b && a.b->depth >= a.depth)
        a.depth = 1 + a.b->depth;
    if (a.condition && a.condition->depth >= a.depth)
        a.depth = 1 + a.condition->depth;
    if (low < INT64_MIN || high > INT64_MAX || a.depth > MAX_DEPTH)
        return value_doubt(p, REASON_LARGE);
    a.low = (int64_t)low;
    a.high = (int64_t)high;
    return atom(p, &a);
}
