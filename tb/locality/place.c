/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/place.c: what values and conditions are at a place, and with other values in the place
 * of atoms. */
#include "tb/locality/atoms.h"
#include "tb/ptx/type.h"

static int64_t wrap(int64_t number, enum ptx_type type)
{
    const unsigned unused = 64 - 8 * type_bytes(type);
    const uint64_t bits = (uint64_t)number << unused;
    return type_is_signed(type) ? (int64_t)bits >> unused : (int64_t)(bits >> unused);
}

static int64_t compute(const struct atom *a, const struct place *at)
{
    if (a->kind == A_CHOICE)
        return value_at(condition_at(a->condition, at) ? a->a : a->b, at);
    const int64_t x = value_at(a->a, at), y = a->b ? value_at(a->b, at) : 0;
    switch (a->kind) {
    case A_PRODUCT: return x * y;
    case A_QUOTIENT: return quotient_down(x, y);
    case A_REMAINDER: return x - y * quotient_down(x, y);
    case A_AND: return x & y;
    case A_OR: return x | y;
    case A_XOR: return x ^ y;
    default: return wrap(x, a->number);
    }
}

static int64_t atom_at(struct atom *a, const struct place *at)
{
    if (a->kind == A_AXIS)
        return at->axis[a->number];
    if (a->kind == A_TRIP)
        return at->trip[a->number];
    if (a->stamp != at->stamp) {
        a->result = compute(a, at);
        a->stamp = at->stamp;
    }
    return a->result;
}

int64_t value_at(const struct value *v, const struct place *at)
{
    int64_t sum = v->constant;
    for (uint32_t i = 0; i < v->count; i++)
        sum += v->terms[i].factor * atom_at(v->terms[i].atom, at);
    return sum;
}

void value_range(const struct value *v, const struct place *at, uint64_t known, int64_t *low,
                 int64_t *high)
{
    *low = *high = v->constant;
    for (uint32_t i = 0; i < v->count; i++) {
        struct atom *a = v->terms[i].atom;
        const int64_t factor = v->terms[i].factor;
        const int is_known = (a->needs & ~known) == 0;
        const int64_t x = is_known ? atom_at(a, at) : a->low, y = is_known ? x : a->high;
        *low += factor * (factor < 0 ? y : x);
        *high += factor * (factor < 0 ? x : y);
    }
}

int condition_at(const struct condition *c, const struct place *at)
{
    switch (c->kind) {
    case CONDITION_ALWAYS: return 1;
    case CONDITION_NEGATIVE: return value_at(c->value, at) < 0;
    case CONDITION_ZERO: return value_at(c->value, at) == 0;
    case CONDITION_NOT_ZERO: return value_at(c->value, at) != 0;
    case CONDITION_BOTH: return condition_at(c->a, at) && condition_at(c->b, at);
    case CONDITION_EITHER: return condition_at(c->a, at) || condition_at(c->b, at);
    default: return 0;
    }
}

int condition_decided(const struct condition *c, const struct place *at, uint64_t known)
{
    int64_t low, high;
    if (c->kind == CONDITION_ALWAYS || c->kind == CONDITION_NEVER)
        return c->kind == CONDITION_ALWAYS;
    if (c->kind == CONDITION_BOTH || c->kind == CONDITION_EITHER) {
        const int enough = c->kind == CONDITION_EITHER;
        const int a = condition_decided(c->a, at, known);
        if (a == enough)
            return a;
        const int b = condition_decided(c->b, at, known);
        return b == enough || a == b ? b : -1;
    }
    if (c->doubt)
        return -1;
    value_range(c->value, at, known, &low, &high);
    if (c->kind == CONDITION_NEGATIVE)
        return high < 0 ? 1 : low >= 0 ? 0 : -1;
    const int zero = low == 0 && high == 0 ? 1 : low > 0 || high < 0 ? 0 : -1;
    return c->kind == CONDITION_ZERO || zero < 0 ? zero : !zero;
}

static int condition_mentions(struct values *p, const struct condition *c, uint32_t first,
                              uint32_t behind)
{
    if (!c)
        return 0;
    ptx_spend(p->context, 1);
    return (c->value && value_mentions(p, c->value, first, behind)) ||
           condition_mentions(p, c->a, first, behind) || condition_mentions(p, c->b, first, behind);
}

int value_mentions(struct values *p, const struct value *v, uint32_t first, uint32_t behind)
{
    ptx_spend(p->context, 1 + v->count);
    for (uint32_t i = 0; i < v->count; i++) {
        const struct atom *a = v->terms[i].atom;
        if (a->id < first) /* made before, and so is all that is in it */
            continue;
        if (a->kind == A_TRIP || a->kind == A_GUESS
                ? a->id < behind
                : (a->a && value_mentions(p, a->a, first, behind)) ||
                      (a->b && value_mentions(p, a->b, first, behind)) ||
                      condition_mentions(p, a->condition, first, behind))
            return 1;
    }
    return 0;
}

/* A positive number: what is divided by it is divided down, also where it is negative. */
static int is_divisor(const struct value *v)
{
    return !v->doubt && v->count == 0 && v->constant > 0;
}

static const struct value *replace_atom(struct values *p, const struct atom *a,
                                        const struct replacement *by, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (by[i].atom == a)
            return by[i].value;
    if (a->kind <= A_GUESS)
        return NULL;
    const struct value *x = value_replace(p, a->a, by, count),
                       *y = a->b ? value_replace(p, a->b, by, count) : NULL;
    const struct condition *c = a->condition ? condition_replace(p, a->condition, by, count) : NULL;
    if (x == a->a && y == a->b && c == a->condition)
        return NULL;
    switch (a->kind) {
    case A_PRODUCT: return value_product(p, x, y);
    case A_QUOTIENT:
        return is_divisor(y) ? value_quotient_down(p, x, y->constant) : value_quotient(p, x, y);
    case A_REMAINDER:
        return is_divisor(y) ? value_remainder_down(p, x, y->constant) : value_remainder(p, x, y);
    case A_CHOICE: return value_choice(p, c, x, y);
    case A_WRAP: return value_as(p, x, a->number);
    default: return value_bits(p, a->kind, x, y);
    }
}

const struct value *value_replace(struct values *p, const struct value *v,
                                  const struct replacement *by, uint32_t count)
{
    if (v->doubt)
        return v;
    ptx_spend(p->context, 1 + v->count);
    const struct value *sum = v;
    for (uint32_t i = 0; i < v->count; i++) {
        const struct term *t = &v->terms[i];
        const struct value *other = replace_atom(p, t->atom, by, count);
        if (!other)
            continue;
        const struct value *single =
            value_of_terms(p, 0, &(struct term){.atom = t->atom, .factor = 1}, 1);
        sum = value_sum(p, 1, sum, t->factor, value_sum(p, 1, other, -1, single));
    }
    return sum;
}

const struct condition *condition_replace(struct values *p, const struct condition *c,
                                          const struct replacement *by, uint32_t count)
{
    switch (c->kind) {
    case CONDITION_BOTH:
        return condition_both(p, condition_replace(p, c->a, by, count),
                              condition_replace(p, c->b, by, count));
    case CONDITION_EITHER:
        return condition_either(p, condition_replace(p, c->a, by, count),
                                condition_replace(p, c->b, by, count));
    case CONDITION_NEGATIVE:
    case CONDITION_ZERO:
    case CONDITION_NOT_ZERO:
        return condition_compare(p,
                                 c->kind == CONDITION_NEGATIVE ? CMP_LT
                                 : c->kind == CONDITION_ZERO   ? CMP_EQ
                                                               : CMP_NE,
                                 value_replace(p, c->value, by, count), value_constant(p, 0));
    default: return c;
    }
}
