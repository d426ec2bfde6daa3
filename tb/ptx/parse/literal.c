/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/parse/literal.c: an integer is 64 bits wide until it is used: PTX ISA, "Integer Constants".
 * 0f is for 32 bits, 0d and decimals for .f64 (and .f32, where they are rounded, as PTX says). */
#include "tb/ptx/parse/literal.h"

#include <string.h>

#include "tb/ptx/type.h"

static uint64_t integer_bits(const struct operand *o, enum ptx_type type)
{
    if (type == T_PRED)
        return o->value ? UINT32_MAX : 0; /* one bit for each lane */
    const unsigned bits = 8 * type_bytes(type);
    return bits == 64 ? o->value : o->value & ((UINT64_C(1) << bits) - 1);
}

uint64_t literal_bits(struct ptx_context *c, uint32_t line, const struct operand *o,
                      enum ptx_type type)
{
    unsigned bytes = type_bytes(type);
    if (o->kind == OPERAND_INT && !type_is_float(type))
        return integer_bits(o, type);
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
