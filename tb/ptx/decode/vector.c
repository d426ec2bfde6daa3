/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode/vector.c: {a, b, c, d}: elements of loads and stores, packing and unpacking. */
#include "tb/ptx/decode/decode.h"
#include "tb/ptx/type.h"

/* The elements of an operand: the operand itself where `count` is 1. */
static const struct operand *elements(struct decoder *d, const struct operand *o, uint32_t count)
{
    if (count == 1 && o->kind != OPERAND_VECTOR)
        return o;
    if (o->kind != OPERAND_VECTOR || o->count != count)
        operand_fail(d, o,
                     count == 4   ? "a vector of 4 elements"
                     : count == 2 ? "a vector of 2 elements"
                                  : "a single register");
    return o->elements;
}

/* All registers of a vector have one width, which becomes type2; constants and "_" take any. */
static void unify(struct decoder *d, const struct operand *o, enum ptx_type held, int *known)
{
    if (o->kind != OPERAND_REGISTER && o->kind != OPERAND_SPECIAL)
        return;
    if (*known && held != d->uop->type2)
        operand_fail(d, o, "registers of one width in a vector");
    d->uop->type2 = (uint8_t)held;
    *known = 1;
}

void vector_load(struct decoder *d, const struct operand *o)
{
    struct uop *u = d->uop;
    const struct operand *e = elements(d, o, u->vec);
    int known = 0;
    u->type2 = (uint8_t)type_bits(u->type);
    for (uint32_t i = 0; i < u->vec; i++) {
        enum ptx_type held;
        u->dst[i] = operand_wide_destination(d, &e[i], u->type, &held);
        unify(d, &e[i], held, &known);
    }
}

void vector_store(struct decoder *d, const struct operand *o)
{
    struct uop *u = d->uop;
    const struct operand *e = elements(d, o, u->vec);
    int known = 0;
    u->type2 = (uint8_t)type_bits(u->type);
    for (uint32_t i = 0; i < u->vec;
         i++) { /* the width that constants must take is known after the registers */
        enum ptx_type held;
        if (e[i].kind == OPERAND_REGISTER || e[i].kind == OPERAND_SPECIAL) {
            u->vsrc[i] = operand_wide_source(d, &e[i], u->type, &held);
            unify(d, &e[i], held, &known);
        }
    }
    for (uint32_t i = 0; i < u->vec; i++)
        if (u->vsrc[i] == UOP_NONE) {
            const int is_float = type_is_float(u->type);
            if (is_float && u->type2 != type_bits(u->type))
                operand_fail(d, &e[i], "a register, as the vector's other elements are wider");
            u->vsrc[i] = operand_source(d, &e[i], is_float ? u->type : u->type2);
        }
}

/* The type of one of `count` elements that fill `type`. */
static enum ptx_type element_type(struct decoder *d, const struct operand *o, enum ptx_type type,
                                  uint32_t count)
{
    static const enum ptx_type by_bytes[] = {[1] = T_B8, [2] = T_B16, [4] = T_B32};
    unsigned bytes = type_bytes(type);
    if (type != type_bits(type) || (count != 2 && count != 4) || bytes / count == 0)
        operand_fail(d, o, "an untyped mov of 2 or 4 elements");
    return by_bytes[bytes / count];
}

/* PTX 1.x had these as .u16; a mov of 16 bits reads the lower half. */
static int is_short(const struct operand *from, enum ptx_type type)
{
    return from->kind == OPERAND_SPECIAL && from->special <= SR_NCTAID_Z &&
           type_bits(type) == T_B16 && !type_is_float(type);
}

/* PTX ISA: all have 32 bits, but for three that have 64; %gridid had 16, then 32. */
static void decode_value(struct decoder *d, const struct operand *from)
{
    struct uop *u = d->uop;
    const unsigned bytes = type_bytes(u->type);
    const int is_grid = from->special == VALUE_GRIDID;
    const int is_wide = from->special == VALUE_CLOCK64 || from->special == VALUE_GLOBALTIMER;
    if (type_is_float(u->type) || (!is_grid && bytes != (is_wide ? 8 : 4)) || bytes < 2)
        operand_fail(d, from,
                     is_grid   ? "an integer type of 16, 32 or 64 bits"
                     : is_wide ? "an integer type of 64 bits"
                               : "an integer type of 32 bits");
    u->op = U_SPECIAL;
    u->mod = (uint8_t)from->special;
}

void vector_mov(struct decoder *d, const struct operand *to, const struct operand *from)
{
    struct uop *u = d->uop;
    if (to->kind == OPERAND_VECTOR) {
        u->op = U_UNPACK;
        u->vec = to->count;
        u->type2 = (uint8_t)element_type(d, to, u->type, to->count);
        for (uint32_t i = 0; i < u->vec; i++)
            u->dst[i] = operand_destination(d, &to->elements[i], u->type2);
        u->src[0] = operand_source(d, from, u->type);
    } else if (from->kind == OPERAND_VECTOR) {
        u->op = U_PACK;
        u->vec = from->count;
        u->type2 = (uint8_t)element_type(d, from, u->type, from->count);
        for (uint32_t i = 0; i < u->vec; i++)
            u->src[i] = operand_source(d, &from->elements[i], u->type2);
        u->dst[0] = operand_destination(d, to, u->type);
    } else if (from->kind == OPERAND_VALUE) {
        u->dst[0] = operand_destination(d, to, u->type);
        decode_value(d, from);
    } else if (is_short(from, u->type)) {
        u->op = U_CVT;
        u->type = T_U16;
        u->type2 = T_U32;
        u->mod = T_B16;
        u->mod2 = T_B32;
        u->dst[0] = operand_destination(d, to, u->type);
        u->src[0] = operand_source(d, from, T_U32);
    } else {
        u->dst[0] = operand_destination(d, to, u->type);
        u->src[0] = operand_source(d, from, u->type);
    }
}

/* mov.v4.u32 {%r1, %r2, %r3, %r4}, %tid. */
void vector_targets(struct decoder *d, const struct operand *o)
{
    const struct operand *e = elements(d, o, d->uop->vec);
    for (uint32_t i = 0; i < d->uop->vec; i++)
        d->uop->dst[i] = operand_destination(d, &e[i], d->uop->type);
}

void vector_sources(struct decoder *d, const struct operand *o)
{
    const struct operand *e = elements(d, o, d->uop->vec);
    for (uint32_t i = 0; i < d->uop->vec; i++)
        d->uop->src[i] =
            operand_source(d, &e[i], is_short(&e[i], d->uop->type) ? T_U32 : d->uop->type);
}
