/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/arithmetic.c: products, quotients, bits, choices: sums again where that can be shown,
 * else an atom. */
#include "tb/locality/atoms.h"
#include "tb/ptx/type.h"

static wide least(const wide of[4])
{
    wide low = of[0];
    for (int i = 1; i < 4; i++)
        low = of[i] < low ? of[i] : low;
    return low;
}

const struct value *value_product(struct values *p, const struct value *x, const struct value *y)
{
    if (x->doubt || y->doubt)
        return x->doubt ? x : y;
    if (x->count == 0 || y->count == 0) {
        const struct value *none = value_constant(p, 0);
        return x->count ? value_sum(p, y->constant, x, 0, none)
                        : value_sum(p, x->constant, y, 0, none);
    }
    const wide ends[4] = {(wide)x->low * y->low, (wide)x->low * y->high, (wide)x->high * y->low,
                          (wide)x->high * y->high},
               negated[4] = {-ends[0], -ends[1], -ends[2], -ends[3]};
    const struct atom product = {.kind = A_PRODUCT, .a = x, .b = y};
    return value_of_atom(p, &product, least(ends), -least(negated));
}

/* The part of x whose factors are multiples of `divisor`; the constant such that what remains is
 * at least 0 if that is possible with less than the divisor. */
static const struct value *multiples(struct values *p, const struct value *x, int64_t divisor)
{
    struct term *terms = ptx_scratch(p->context, x->count, sizeof *terms);
    uint32_t count = 0;
    for (uint32_t i = 0; i < x->count; i++)
        if (x->terms[i].factor % divisor == 0)
            terms[count++] = x->terms[i];
    return value_of_terms(p, quotient_down(x->constant, divisor) * divisor, terms, count);
}

/* x / divisor rounded down, or x - divisor * that. */
static const struct value *divide(struct values *p, enum atom_kind kind, const struct value *x,
                                  int64_t divisor)
{
    const struct value *whole = multiples(p, x, divisor);
    const struct value *rest = value_sum(p, 1, x, -1, whole);
    if (whole->doubt || rest->doubt)
        return whole->doubt ? whole : rest;
    const struct value *by = value_constant(p, divisor), *part;
    const int known = !(rest->needs & NEEDS_GUESS);
    const struct atom wanted = {.kind = kind, .a = rest, .b = by};
    if (kind == A_REMAINDER)
        return known && rest->low >= 0 && rest->high < divisor
                   ? rest
                   : value_of_atom(p, &wanted, 0, (wide)divisor - 1);
    if (known && quotient_down(rest->low, divisor) == quotient_down(rest->high, divisor))
        part = value_constant(p, quotient_down(rest->low, divisor));
    else
        part = value_of_atom(p, &wanted, quotient_down(rest->low, divisor),
                             quotient_down(rest->high, divisor));
    /* every factor of the whole is a multiple: no rounding */
    struct term *terms = ptx_scratch(p->context, whole->count, sizeof *terms);
    for (uint32_t i = 0; i < whole->count; i++)
        terms[i] =
            (struct term){.atom = whole->terms[i].atom, .factor = whole->terms[i].factor / divisor};
    whole = value_of_terms(p, whole->constant / divisor, terms, whole->count);
    return value_sum(p, 1, whole, 1, part);
}

const struct value *value_quotient_down(struct values *p, const struct value *x, int64_t divisor)
{
    return x->doubt ? x : divide(p, A_QUOTIENT, x, divisor);
}

const struct value *value_remainder_down(struct values *p, const struct value *x, int64_t divisor)
{
    return x->doubt ? x : divide(p, A_REMAINDER, x, divisor);
}

/* Of x, which is not negative, and a positive divisor. */
static const struct value *divide_by(struct values *p, enum atom_kind kind, const struct value *x,
                                     const struct value *y)
{
    if (y->count == 0)
        return divide(p, kind, x, y->constant);
    const struct atom wanted = {.kind = kind, .a = x, .b = y};
    return kind == A_QUOTIENT ? value_of_atom(p, &wanted, x->low / y->high, x->high / y->low)
                              : value_of_atom(p, &wanted, 0, (wide)y->high - 1);
}

/* Towards zero: where x is negative, the negative of what it would be for -x. */
static const struct value *divide_towards_zero(struct values *p, enum atom_kind kind,
                                               const struct value *x, const struct value *y)
{
    const struct value *none = value_constant(p, 0);
    if (x->doubt || y->doubt)
        return x->doubt ? x : y;
    if ((x->needs | y->needs) & NEEDS_GUESS || y->low < 1)
        return value_doubt(p, REASON_OPERATION);
    if (x->low >= 0)
        return divide_by(p, kind, x, y);
    if (y->count)
        return value_doubt(p, REASON_OPERATION);
    const struct value *negative = divide_by(p, kind, value_sum(p, -1, x, 0, none), y);
    return value_choice(p, condition_compare(p, CMP_LT, x, none),
                        value_sum(p, -1, negative, 0, none), divide_by(p, kind, x, y));
}

const struct value *value_quotient(struct values *p, const struct value *x, const struct value *y)
{
    return divide_towards_zero(p, A_QUOTIENT, x, y);
}

const struct value *value_remainder(struct values *p, const struct value *x, const struct value *y)
{
    return divide_towards_zero(p, A_REMAINDER, x, y);
}

/* The least power of two above both magnitudes: what bits of them cannot reach. */
static wide above(const struct value *x, const struct value *y)
{
    const wide ends[4] = {x->low, x->high, y->low, y->high};
    wide power = 1;
    for (int i = 0; i < 4; i++)
        while (power <= (ends[i] < 0 ? -1 - ends[i] : ends[i]))
            power *= 2;
    return power;
}

/* Whether all numbers that x may be are multiples of `power` of two. */
static int is_multiple(const struct value *x, int64_t power)
{
    for (uint32_t i = 0; i < x->count; i++)
        if (x->terms[i].factor % power)
            return 0;
    return x->constant % power == 0;
}

/* x | y where their bits do not meet: compilers write sums in this way. */
static int disjoint(const struct value *x, const struct value *y)
{
    if ((x->needs | y->needs) & NEEDS_GUESS || y->low < 0)
        return 0;
    int64_t power = 1;
    while (power <= y->high && power <= INT64_MAX / 2)
        power *= 2;
    return power > y->high && is_multiple(x, power);
}

/* x & mask, where the mask is a run of ones from bit 0, or all but such a run. A guess is taken to
 * lose nothing to the mask that extends 32 bits to 64, as by value_as. */
static const struct value *mask(struct values *p, const struct value *x, int64_t ones)
{
    if (ones == UINT32_MAX && x->needs & NEEDS_GUESS)
        return x;
    if (ones >= 0 && ones < INT64_MAX && (ones & (ones + 1)) == 0)
        return value_remainder_down(p, x, ones + 1);
    if (ones < 0 && ones > INT64_MIN && (-ones & (-ones - 1)) == 0)
        return value_sum(p, 1, x, -1, value_remainder_down(p, x, -ones));
    return NULL;
}

const struct value *value_bits(struct values *p, enum atom_kind kind, const struct value *x,
                               const struct value *y)
{
    if (x->doubt || y->doubt)
        return x->doubt ? x : y;
    if (x->count == 0 && y->count == 0) {
        const int64_t a = x->constant, b = y->constant;
        return value_constant(p, kind == A_AND ? a & b : kind == A_OR ? a | b : a ^ b);
    }
    if (x->count == 0) {
        const struct value *swapped = x;
        x = y;
        y = swapped;
    }
    const struct value *known = NULL;
    if (kind == A_AND && y->count == 0)
        known = mask(p, x, y->constant);
    else if (kind == A_XOR && y->count == 0 && y->constant == -1)
        known = value_sum(p, -1, x, 1, y);
    else if (kind != A_AND && (disjoint(x, y) || disjoint(y, x)))
        known = value_sum(p, 1, x, 1, y);
    if (known)
        return known;
    const wide power = above(x, y);
    const int both = x->low >= 0 && y->low >= 0, either = x->low >= 0 || y->low >= 0;
    const struct atom wanted = {.kind = kind, .a = x, .b = y};
    return value_of_atom(p, &wanted, both || (kind == A_AND && either) ? 0 : -power, power - 1);
}

const struct value *value_choice(struct values *p, const struct condition *c, const struct value *x,
                                 const struct value *y)
{
    if (c == p->always || c == p->never || x == y)
        return c == p->never ? y : x;
    if (x->doubt || y->doubt)
        return x->doubt ? x : y;
    if (c->doubt)
        return value_in_doubt(p, c->doubt);
    const struct atom wanted = {.kind = A_CHOICE, .a = x, .b = y, .condition = c};
    return value_of_atom(p, &wanted, x->low < y->low ? x->low : y->low,
                         x->high > y->high ? x->high : y->high);
}

const struct value *value_lesser(struct values *p, const struct value *x, const struct value *y)
{
    return value_choice(p, condition_compare(p, CMP_LT, x, y), x, y);
}

const struct value *value_greater(struct values *p, const struct value *x, const struct value *y)
{
    return value_choice(p, condition_compare(p, CMP_LT, x, y), y, x);
}

const struct value *value_as(struct values *p, const struct value *x, enum ptx_type type)
{
    const unsigned bits = 8 * type_bytes(type);
    const wide size = (wide)1 << bits, low = type_is_signed(type) ? -size / 2 : 0;
    if (x->doubt || x->needs & NEEDS_GUESS || (x->low >= low && x->high < low + size))
        return x;
    if (bits == 64)
        return value_doubt(p, REASON_LARGE);
    const int64_t first = quotient_down(x->low - (int64_t)low, (int64_t)size);
    if (first == quotient_down(x->high - (int64_t)low, (int64_t)size))
        return value_sum(p, 1, x, -1, value_constant(p, first * (int64_t)size));
    const struct atom wanted = {.kind = A_WRAP, .number = type, .a = x};
    return value_of_atom(p, &wanted, low, low + size - 1);
}
