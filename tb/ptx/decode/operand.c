/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/decode/operand.c: operands to offsets. A register must be as wide as the instruction says:
 * its kind (float or integer) is not checked, because fetching the bits does not depend
 * on it. */
#include <string.h>

#include "tb/ptx/decode/decode.h"
#include "tb/ptx/opcode.h"
#include "tb/ptx/parse/literal.h"
#include "tb/ptx/type.h"

/* Lanes of .b8 and .b16 are as wide as those of .b32. */
static uint32_t lane_bytes(enum ptx_type type)
{
    return type_bytes(type) == 8 ? 8 : 4;
}

void operand_reads(struct decoder *d, const struct symbol *y)
{
    struct uop *u = d->uop;
    for (uint32_t i = 0; i < u->num_reads; i++)
        if (u->reads[i] == y->number)
            return;
    u->reads[u->num_reads++] = (uint16_t)y->number;
}

void operand_writes(struct decoder *d, const struct symbol *y)
{
    struct uop *u = d->uop;
    for (uint32_t i = 0; i < u->num_writes; i++)
        if (u->writes[i] == y->number)
            ptx_fail(d->context, d->insn->line,
                     "'%.60s' has operand '%.60s' of type %s; expected different destinations",
                     d->insn->opcode, y->name, type_name(y->type));
    u->writes[u->num_writes++] = (uint16_t)y->number;
}

/* What an operand is called in messages. */
static const char *describe(const struct operand *o)
{
    switch (o->kind) {
    case OPERAND_INT: return "an integer";
    case OPERAND_F32:
    case OPERAND_F64: return "a floating-point number";
    case OPERAND_VECTOR: return "a vector {...}";
    case OPERAND_PAIR: return "a pair p|q";
    case OPERAND_ADDRESS: return "an address [...]";
    case OPERAND_LIST: return "a list (...)";
    case OPERAND_FUNCTION: return "a function";
    default: return NULL;
    }
}

_Noreturn void operand_fail(struct decoder *d, const struct operand *o, const char *expected)
{
    const struct insn *n = d->insn;
    const char *kind = describe(o);
    if (kind)
        ptx_fail(d->context, n->line, "'%.60s' has %s; expected %s", n->opcode, kind, expected);
    if (o->kind == OPERAND_UNSUPPORTED) {
        const char *colon, *reason = opcode_why_no_special(o->name, &colon);
        ptx_fail(d->context, n->line, "special register '%.100s' is not supported%s%s", o->name,
                 colon, reason);
    }
    if (o->kind == OPERAND_NAME && *o->name == '%')
        ptx_fail(d->context, n->line, "register '%.100s' is not declared", o->name);
    if (o->kind == OPERAND_NAME)
        ptx_fail(d->context, n->line, "'%.100s' is not declared; '%.60s' expected %s", o->name,
                 n->opcode, expected);
    ptx_fail(d->context, n->line, "'%.60s' has operand '%s%.60s%.10s'%s%s; expected %s", n->opcode,
             o->negated ? "!"
             : o->minus ? "-"
                        : "",
             o->name, o->selector ? o->selector : "",
             o->kind == OPERAND_REGISTER ? " of type " : "",
             o->kind == OPERAND_REGISTER ? type_name(o->symbol->type) : "", expected);
}

static _Noreturn void fail_width(struct decoder *d, const struct operand *o, enum ptx_type type,
                                 int wider)
{
    char expected[80] = "a register as wide as ";
    if (wider && !type_is_float(type))
        strcpy(expected, "a register at least as wide as ");
    if (type == T_PRED)
        strcpy(expected, "a register of type ");
    strcat(expected, type_name(type));
    if (wider && type_is_float(type))
        strcat(expected, ", or an untyped wider one");
    operand_fail(d, o, expected);
}

/* PTX ISA, "Operand Size Exceeding Instruction-Type Size": a wider register must be untyped where
 * the type is a float. */
static int fits(enum ptx_type held, enum ptx_type type, int wider)
{
    if (held == T_PRED || type == T_PRED || !wider ||
        (type_is_float(type) && held != type_bits(held)))
        return type_bytes(held) == type_bytes(type);
    return type_bytes(held) >= type_bytes(type);
}

/* Parts of registers and signs belong to video instructions alone. */
static void check_whole(struct decoder *d, const struct operand *o)
{
    if (o->selector || o->minus)
        operand_fail(d, o, o->minus ? "no '-' here" : "the whole register");
}

/* Source: `held` NULL means exactly as wide as type. */
static uint32_t source(struct decoder *d, const struct operand *o, enum ptx_type type,
                       enum ptx_type *held)
{
    check_whole(d, o);
    if (o->negated)
        operand_fail(d, o, "no '!' here");
    if (held)
        *held = type_bits(type);
    switch (o->kind) {
    case OPERAND_REGISTER:
        if (!fits(o->symbol->type, type, held != NULL))
            fail_width(d, o, type, held != NULL);
        if (held)
            *held = type_bits(o->symbol->type);
        operand_reads(d, o->symbol);
        return o->symbol->offset;
    case OPERAND_SPECIAL:
        if (!fits(T_U32, type, held != NULL))
            operand_fail(d, o, "a type of 32 bits: special registers are .u32");
        if (held)
            *held = T_B32;
        return o->special * 4 * WARP_LANES;
    case OPERAND_LANEMASK:
        if (!fits(T_B32, type, held != NULL))
            operand_fail(d, o, "a type of 32 bits: special registers are .u32");
        if (held)
            *held = T_B32;
        return constants_add(d->context, &d->constants, o->special, 4, CONSTANT_LANEMASK,
                             d->insn->line);
    case OPERAND_INT:
    case OPERAND_F32:
    case OPERAND_F64:
        if (TYPES_H & TYPE_BIT(type))
            operand_fail(d, o, "a register: there are no constants of .f16");
        return constants_add(d->context, &d->constants,
                             literal_bits(d->context, d->insn->line, o, type), lane_bytes(type),
                             CONSTANT_NO_VAR, d->insn->line);
    case OPERAND_SYMBOL: return address_of(d, o, type);
    case OPERAND_VALUE: operand_fail(d, o, "a mov of integers, which alone reads it");
    case OPERAND_FUNCTION: return address_of_function(d, o, type);
    default: operand_fail(d, o, "a register or a constant");
    }
}

uint32_t operand_source(struct decoder *d, const struct operand *o, enum ptx_type type)
{
    return source(d, o, type, NULL);
}

uint32_t operand_wide_source(struct decoder *d, const struct operand *o, enum ptx_type type,
                             enum ptx_type *held)
{
    return source(d, o, type, held);
}

static uint32_t destination(struct decoder *d, const struct operand *o, enum ptx_type type,
                            enum ptx_type *held)
{
    if (held)
        *held = type_bits(type);
    check_whole(d, o);
    if (o->kind == OPERAND_SINK)
        return d->sink;
    if (o->kind != OPERAND_REGISTER || o->negated)
        operand_fail(d, o, "a register to write");
    if (!fits(o->symbol->type, type, held != NULL))
        fail_width(d, o, type, held != NULL);
    if (held)
        *held = type_bits(o->symbol->type);
    operand_writes(d, o->symbol);
    return o->symbol->offset;
}

uint32_t operand_destination(struct decoder *d, const struct operand *o, enum ptx_type type)
{
    return destination(d, o, type, NULL);
}

uint32_t operand_wide_destination(struct decoder *d, const struct operand *o, enum ptx_type type,
                                  enum ptx_type *held)
{
    return destination(d, o, type, held);
}

void operand_guard(struct decoder *d)
{
    const struct insn *n = d->insn;
    if (!n->guard)
        return;
    d->uop->guard = n->guard->offset;
    d->uop->flags |= n->guard_not ? UF_GUARD_NOT : 0;
    operand_reads(d, n->guard);
}
