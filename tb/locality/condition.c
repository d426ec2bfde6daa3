/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/condition.c: see condition.h. */
#include "tb/locality/condition.h"

#define BUCKETS 4096u

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The one condition with these parts. */
static const struct condition *intern(struct values *p, const struct condition *wanted)
{
    uint64_t hash = wanted->kind;
    hash = (hash ^ (uintptr_t)wanted->value) * 0x9e3779b97f4a7c15ull;
    hash = (hash ^ (uintptr_t)wanted->a ^ hash >> 29) * 0x9e3779b97f4a7c15ull;
    hash = (hash ^ (uintptr_t)wanted->b ^ hash >> 29) * 0x9e3779b97f4a7c15ull;
    const struct condition **bucket = &p->conditions[hash >> 20 & (BUCKETS - 1)];
    for (const struct condition *c = *bucket; c; c = c->chain)
        if (c->kind == wanted->kind && c->value == wanted->value && c->a == wanted->a &&
            c->b == wanted->b && c->doubt == wanted->doubt)
            return c;
    ptx_spend(p->context, 1);
    struct condition *c = ptx_scratch(p->context, 1, sizeof *c);
    *c = *wanted;
    c->needs = (c->doubt ? NEEDS_DOUBT : 0) | (c->value ? c->value->needs : 0) |
               (c->a ? c->a->needs : 0) | (c->b ? c->b->needs : 0);
    c->depth = wanted->a ? greater(wanted->a->depth, wanted->b->depth)
                         : (wanted->value ? wanted->value->depth : 0);
    c->parts = wanted->a ? wanted->a->parts + wanted->b->parts : 1;
    c->chain = *bucket;
    c->negation = NULL;
    return *bucket = c;
}

const struct condition *condition_unknown(struct values *p, const struct doubt *doubt)
{
    struct doubt *own = ptx_scratch(p->context, 1, sizeof *own); /* unlike any other */
    *own = *doubt;
    return intern(p, &(struct condition){.kind = CONDITION_UNKNOWN, .doubt = own});
}

static const struct condition *negative(struct values *p, const struct value *v)
{
    if (v->doubt)
        return condition_unknown(p, v->doubt);
    if (!(v->needs & NEEDS_GUESS) && (v->high < 0 || v->low >= 0))
        return v->high < 0 ? p->always : p->never;
    return intern(p, &(struct condition){.kind = CONDITION_NEGATIVE, .value = v});
}

static const struct condition *zero(struct values *p, const struct value *v, int wanted)
{
    if (v->doubt)
        return condition_unknown(p, v->doubt);
    if (v->count == 0)
        return (v->constant == 0) == wanted ? p->always : p->never;
    if (!(v->needs & NEEDS_GUESS) && (v->high < 0 || v->low > 0))
        return wanted ? p->never : p->always;
    if (v->terms[0].factor < 0)
        v = value_sum(p, -1, v, 0, v);
    if (v->doubt)
        return condition_unknown(p, v->doubt);
    return intern(
        p, &(struct condition){.kind = wanted ? CONDITION_ZERO : CONDITION_NOT_ZERO, .value = v});
}

const struct condition *condition_compare(struct values *p, enum uop_cmp cmp, const struct value *x,
                                          const struct value *y)
{
    const struct value *one = value_constant(p, 1), *distance = value_sum(p, 1, x, -1, y);
    switch (cmp) {
    case CMP_EQ: return zero(p, distance, 1);
    case CMP_NE: return zero(p, distance, 0);
    case CMP_LT: return negative(p, distance);
    case CMP_LE: return negative(p, value_sum(p, 1, distance, -1, one));
    case CMP_GT: return negative(p, value_sum(p, -1, distance, 0, one));
    case CMP_GE: return negative(p, value_sum(p, -1, distance, -1, one));
    default: return condition_unknown(p, value_doubt(p, REASON_FLOAT)->doubt);
    }
}

static const struct condition *negated(struct values *p, const struct condition *c)
{
    struct condition other = *c;
    switch (c->kind) {
    case CONDITION_ALWAYS: return p->never;
    case CONDITION_NEVER: return p->always;
    case CONDITION_NEGATIVE: /* v >= 0 is -1 - v < 0 */
        return negative(p, value_sum(p, -1, c->value, 1, value_constant(p, -1)));
    case CONDITION_BOTH: return condition_either(p, condition_not(p, c->a), condition_not(p, c->b));
    case CONDITION_EITHER: return condition_both(p, condition_not(p, c->a), condition_not(p, c->b));
    case CONDITION_ZERO: other.kind = CONDITION_NOT_ZERO; break;
    case CONDITION_NOT_ZERO: other.kind = CONDITION_ZERO; break;
    case CONDITION_UNKNOWN: other.kind = CONDITION_UNKNOWN_NOT; break;
    default: other.kind = CONDITION_UNKNOWN; break;
    }
    return intern(p, &other);
}

/* Each is worked out once: what is joined of others asks for theirs, and these for those of their parts. */
const struct condition *condition_not(struct values *p, const struct condition *c)
{
    ptx_spend(p->context, 1);
    if (!c->negation)
        ((struct condition *)c)->negation = negated(p, c);
    return c->negation;
}

static const struct condition *join(struct values *p, enum condition_kind kind,
                                    const struct condition *a, const struct condition *b)
{
    if (a->parts + b->parts > MAX_PARTS)
        return condition_unknown(p, value_doubt(p, REASON_LARGE)->doubt);
    return intern(p, &(struct condition){
                         .kind = kind, .a = a, .b = b, .doubt = a->doubt ? a->doubt : b->doubt});
}

/* Whether `c` is one of those that `all` joins from the left. */
static int contains(const struct condition *all, const struct condition *c)
{
    while (all->kind == CONDITION_BOTH && all != c && all->b != c)
        all = all->a;
    return all == c || (all->kind == CONDITION_BOTH && all->b == c);
}

const struct condition *condition_both(struct values *p, const struct condition *a,
                                       const struct condition *b)
{
    if (a == p->always || b == p->never)
        return b;
    if (b == p->always || a == p->never || contains(a, b))
        return a;
    if (b->kind == CONDITION_BOTH) /* a chain to the left */
        return condition_both(p, condition_both(p, a, b->a), b->b);
    return contains(a, condition_not(p, b)) ? p->never : join(p, CONDITION_BOTH, a, b);
}

const struct condition *condition_either(struct values *p, const struct condition *a,
                                         const struct condition *b)
{
    if (a == p->always || b == p->never || a == b)
        return a;
    if (b == p->always || a == p->never || a == condition_not(p, b))
        return a == p->never || b == p->always ? b : p->always;
    /* what is so whether or not something else is: the two sides of a branch meet */
    if (a->kind == CONDITION_BOTH && b->kind == CONDITION_BOTH && a->a == b->a &&
        a->b == condition_not(p, b->b))
        return a->a;
    return join(p, CONDITION_EITHER, a, b);
}

const struct condition *condition_where(struct values *p, const struct condition *c,
                                        const struct condition *given)
{
    if (c->kind != CONDITION_BOTH)
        return contains(given, c) ? p->always : c;
    const struct condition *left = condition_where(p, c->a, given);
    return contains(given, c->b) ? left : condition_both(p, left, c->b);
}
