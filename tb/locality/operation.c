/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/operation.c: what arithmetic makes of values. */
#include "tb/locality/operation.h"

#include "tb/ptx/type.h"

const struct value *source_held(struct stepper *s, unsigned i, enum ptx_type type)
{
    return held_value(s->analysis, s->registers, s->uop, s->uop->src[i], type);
}

/* A source as a number. */
const struct value *source_number(struct stepper *s, unsigned i, enum ptx_type type)
{
    return value_as(s->values, source_held(s, i, type), type);
}

const struct condition *source_flag(struct stepper *s, unsigned i)
{
    return held_flag(s->analysis, s->registers, s->uop, s->uop->src[i]);
}

static const struct value *scaled(struct stepper *s, const struct value *v, int64_t by)
{
    return value_sum(s->values, by, v, 0, v);
}

/* The half of a product that the instruction wants. */
static const struct value *multiply(struct stepper *s)
{
    const struct uop *u = s->uop;
    const enum ptx_type type = u->type;
    if (u->mod == HALF_LO)
        return value_product(s->values, source_held(s, 0, type), source_held(s, 1, type));
    const struct value *product =
        value_product(s->values, source_number(s, 0, type), source_number(s, 1, type));
    return u->mod == HALF_WIDE || type_bytes(type) == 8
               ? product
               : value_quotient_down(s->values, product, (int64_t)1 << 8 * type_bytes(type));
}

/* mul24: 24 bits of each factor; a number that has more is not followed. */
static const struct value *multiply24(struct stepper *s)
{
    const int is_signed = s->uop->type == T_S32;
    const struct value *x = source_number(s, 0, s->uop->type),
                       *y = source_number(s, 1, s->uop->type);
    const int64_t high = is_signed ? 1 << 23 : 1 << 24, low = is_signed ? -high : 0;
    if (x->doubt || y->doubt)
        return x->doubt ? x : y;
    if (s->uop->mod != HALF_LO || x->low < low || y->low < low || x->high >= high ||
        y->high >= high)
        return value_doubt(s->values, REASON_OPERATION);
    return value_product(s->values, x, y);
}

/* By a number that is the same in all lanes. */
static const struct value *shift(struct stepper *s)
{
    const struct uop *u = s->uop;
    const struct value *by = source_number(s, 1, T_U32);
    const int64_t width = 8 * type_bytes(u->type), signed_shift = type_is_signed(u->type);
    if (by->doubt)
        return by;
    if (by->count)
        return value_doubt(s->values, REASON_OPERATION);
    const int64_t most = u->op == U_SHR && signed_shift ? width - 1 : width,
                  amount = by->constant < most ? by->constant : most;
    if (u->op == U_SHL)
        return amount == width ? value_constant(s->values, 0)
               : amount == 63  ? value_doubt(s->values, REASON_LARGE)
                               : scaled(s, source_held(s, 0, u->type), (int64_t)1 << amount);
    const enum ptx_type type = signed_shift  ? u->type
                               : width == 64 ? T_U64
                               : width == 32 ? T_U32
                                             : T_U16;
    const struct value *v = source_number(s, 0, type);
    if (amount < 63)
        return value_quotient_down(s->values, v, (int64_t)1 << amount);
    return v->doubt || v->low >= 0 ? scaled(s, v, 0) : value_doubt(s->values, REASON_LARGE);
}

/* bfe of an unsigned number, with a position and a length that are the same in all lanes. */
static const struct value *extract(struct stepper *s)
{
    const enum ptx_type type = s->uop->type;
    const struct value *at = source_number(s, 1, T_U32), *length = source_number(s, 2, T_U32);
    const int64_t width = 8 * type_bytes(type);
    if (at->doubt || length->doubt)
        return at->doubt ? at : length;
    if (at->count || length->count || type_is_signed(type) || length->constant < 1 ||
        at->constant + length->constant > width || at->constant + length->constant > 62)
        return value_doubt(s->values, REASON_OPERATION);
    const struct value *shifted =
        value_quotient_down(s->values, source_number(s, 0, type), (int64_t)1 << at->constant);
    return value_remainder(s->values, shifted,
                           value_constant(s->values, (int64_t)1 << length->constant));
}

static const struct value *absolute(struct stepper *s)
{
    const struct value *v = source_number(s, 0, s->uop->type);
    return value_greater(s->values, v, scaled(s, v, -1));
}

/* mov.b64 %rd, {%r1, %r2}: the first element is the least significant. */
static const struct value *pack(struct stepper *s)
{
    const struct uop *u = s->uop;
    if (u->vec != 2 || u->type2 != T_B32)
        return value_doubt(s->values, REASON_OPERATION);
    return value_sum(s->values, 1, source_number(s, 0, T_U32), (int64_t)1 << 32,
                     source_number(s, 1, T_S32));
}

/* The value of what has one destination, of integers or bits; NULL: it is not followed. */
const struct value *operation_compute(struct stepper *s)
{
    const struct uop *u = s->uop;
    const enum ptx_type type = u->type;
    struct values *p = s->values;
    switch (u->op) {
    case U_MOV: return source_held(s, 0, type);
    case U_CVTA:
        return u->space == SPACE_GLOBAL || u->space == SPACE_CONST ? source_held(s, 0, type) : NULL;
    case U_CVT: return value_as(p, source_number(s, 0, u->type2), type);
    case U_ADD: return value_sum(p, 1, source_held(s, 0, type), 1, source_held(s, 1, type));
    case U_SUB: return value_sum(p, 1, source_held(s, 0, type), -1, source_held(s, 1, type));
    case U_MUL: return multiply(s);
    case U_MAD:
        return value_sum(p, 1, multiply(s), 1,
                         source_held(s, 2, u->mod == HALF_WIDE ? type_double(type) : type));
    case U_MUL24: return multiply24(s);
    case U_MAD24: return value_sum(p, 1, multiply24(s), 1, source_held(s, 2, type));
    case U_DIV: return value_quotient(p, source_number(s, 0, type), source_number(s, 1, type));
    case U_REM: return value_remainder(p, source_number(s, 0, type), source_number(s, 1, type));
    case U_NEG: return scaled(s, source_held(s, 0, type), -1);
    case U_ABS: return absolute(s);
    case U_MIN: return value_lesser(p, source_number(s, 0, type), source_number(s, 1, type));
    case U_MAX: return value_greater(p, source_number(s, 0, type), source_number(s, 1, type));
    case U_AND: return value_bits(p, A_AND, source_held(s, 0, type), source_held(s, 1, type));
    case U_OR: return value_bits(p, A_OR, source_held(s, 0, type), source_held(s, 1, type));
    case U_XOR: return value_bits(p, A_XOR, source_held(s, 0, type), source_held(s, 1, type));
    case U_NOT: return value_sum(p, -1, source_held(s, 0, type), -1, value_constant(p, 1));
    case U_SHL:
    case U_SHR: return shift(s);
    case U_BFE: return extract(s);
    case U_SELP:
        return value_choice(p, source_flag(s, 2), source_held(s, 0, type), source_held(s, 1, type));
    case U_PACK: return pack(s);
    default: return NULL;
    }
}

/* The same of predicates. */
const struct condition *operation_decide(struct stepper *s)
{
    struct values *p = s->values;
    const struct condition *a = source_flag(s, 0), *b = source_flag(s, 1);
    if (s->uop->flags & UF_SRC_NOT)
        a = condition_not(p, a);
    if (s->uop->flags & UF_SECOND_NOT)
        b = condition_not(p, b);
    switch (s->uop->op) {
    case U_MOV: return a;
    case U_NOT: return condition_not(p, a);
    case U_AND: return condition_both(p, a, b);
    case U_OR: return condition_either(p, a, b);
    case U_XOR:
        return condition_either(p, condition_both(p, a, condition_not(p, b)),
                                condition_both(p, condition_not(p, a), b));
    default: return NULL;
    }
}
