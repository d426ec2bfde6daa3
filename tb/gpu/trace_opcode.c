/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/trace_opcode.c: looks opcodes up in trace_opcode.def. */
#include "tb/gpu/trace_opcode.h"

#include <stddef.h>

#include "tb/ptx/type.h"

enum column { INTEGER, SINGLE, DOUBLE, NUM_COLUMNS };

struct row {
    const char *typed[NUM_COLUMNS];
    int by_type2;
    const char *convert[2][2]; /* from float, to float */
    const char *space[SPACE_GENERIC];
};

static const struct row rows[NUM_UOPS] = {
#define ALWAYS(op, opcode) [U_##op] = {.typed = {opcode, opcode, opcode}},
#define TYPED(op, which, integer, single, dbl)                                                     \
    [U_##op] = {.typed = {integer, single, dbl}, .by_type2 = TYPE_IS_##which},
#define CONVERT(op, i2i, i2f, f2i, f2f) [U_##op] = {.convert = {{i2i, i2f}, {f2i, f2f}}},
#define MEMORY(op, none, global, shared, local, constant)                                          \
    [U_##op] = {.space = {[SPACE_NONE] = none,                                                     \
                          [SPACE_GLOBAL] = global,                                                 \
                          [SPACE_SHARED] = shared,                                                 \
                          [SPACE_LOCAL] = local,                                                   \
                          [SPACE_CONST] = constant,                                                \
                          [SPACE_PARAM] = constant}},
#define TYPE_IS_type  0
#define TYPE_IS_type2 1
#include "tb/gpu/trace_opcode.def"
};

static enum column column_of(enum ptx_type type)
{
    return !type_is_float(type) ? INTEGER : type == T_F64 ? DOUBLE : SINGLE;
}

static int moves_special(const struct ptx_kernel *k, const struct uop *u)
{
    return u->op == U_MOV && u->src[0] < ptx_special_offset(k, NUM_SPECIALS);
}

const char *trace_opcode(const struct ptx_kernel *k, const struct uop *u, enum ptx_space space)
{
    const struct row *row = &rows[u->op];
    if (moves_special(k, u))
        return "S2R";
    if (u->op == U_ATOM && space == SPACE_GLOBAL && !u->num_writes)
        return "RED.E";
    if (row->space[SPACE_GLOBAL])
        return row->space[space];
    if (row->convert[0][0])
        return row->convert[type_is_float(u->type2)][type_is_float(u->type)];
    return row->typed[column_of(row->by_type2 ? u->type2 : u->type)];
}
