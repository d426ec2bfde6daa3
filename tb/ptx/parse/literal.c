/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/literal.c: an integer fits as signed or as unsigned; 0f is for 32 bits, 0d and
 * decimals for .f64 (and .f32, where they are rounded, as PTX says). */
#include "tb/ptx/parse/literal.h"

#include <string.h>

#include "tb/ptx/type.h"

void literal_parse(struct lexer *x, struct operand *o, const char *what)
{
    *o = (struct operand){0};
    int negative = lexer_accept(x, '-');
    const struct token *t = &x->token;
    o->value = t->value;
    if (t->kind == TOKEN_INT) {
        o->kind = OPERAND_INT;
        o->negated = negative && o->value;
        if (negative && o->value > (uint64_t)1 << 63)
            ptx_fail(x->context, t->line, "-%llu is too small; expected 64 bits",
                     (unsigned long long)o->value);
        if (negative)
            o->value = -o->value;
    } else if (t->kind == TOKEN_F32) {
        o->kind = OPERAND_F32;
        o->value ^= (uint64_t)negative << 31;
    } else if (t->kind == TOKEN_F64) {
        o->kind = OPERAND_F64;
        o->value ^= (uint64_t)negative << 63;
    } else {
        lexer_fail(x, what);
    }
    lexer_advance(x);
}

static uint64_t integer_bits(struct ptx_context *c, uint32_t line, const struct operand *o,
                             enum ptx_type type)
{
    if (type == T_PRED)
        return o->value ? UINT32_MAX : 0; /* one bit for each lane */
    unsigned bits = 8 * type_bytes(type);
    if (bits == 64)
        return o->value;
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    if (o->negated && (int64_t)o->value < -((int64_t)1 << (bits - 1)))
        ptx_fail(c, line, "%lld does not fit in %s", (long long)o->value, type_name(type));
    if (!o->negated && o->value > mask)
        ptx_fail(c, line, "%llu does not fit in %s", (unsigned long long)o->value, type_name(type));
    return o->value & mask;
}

uint64_t literal_bits(struct ptx_context *c, uint32_t line, const struct operand *o,
                      enum ptx_type type)
{
    unsigned bytes = type_bytes(type);
    if (o->kind == OPERAND_INT && !type_is_float(type))
        return integer_bits(c, line, o, type);
    if (o->kind == OPERAND_F32 && bytes == 4)
        return o->value;
    if (o->kind == OPERAND_F64 && bytes == 8)
        return o->value;
    if (o->kind == OPERAND_F64 && type == T_F32) {
        double value;
        memcpy(&value, &o->value, sizeof value);
        float rounded = (float)value;
        uint32_t bits;
        memcpy(&bits, &rounded, sizeof bits);
        return bits;
    }
    ptx_fail(c, line, "a number of the wrong kind for %s; expected %s", type_name(type),
             type == T_F32   ? "0f and 8 hexadecimal digits"
             : type == T_F64 ? "0d and 16 hexadecimal digits"
                             : "an integer");
}
