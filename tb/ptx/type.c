/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/type.c: one table of the fundamental types. */
#include "tb/ptx/type.h"

#include <string.h>

static const struct {
    const char *name;
    unsigned bytes;
    enum ptx_type bits, double_type;
} types[NUM_TYPES] = {
    [T_B8] = {".b8", 1, T_B8, T_B16},          [T_B16] = {".b16", 2, T_B16, T_B32},
    [T_B32] = {".b32", 4, T_B32, T_B64},       [T_B64] = {".b64", 8, T_B64, T_B64},
    [T_U8] = {".u8", 1, T_B8, T_U16},          [T_U16] = {".u16", 2, T_B16, T_U32},
    [T_U32] = {".u32", 4, T_B32, T_U64},       [T_U64] = {".u64", 8, T_B64, T_U64},
    [T_S8] = {".s8", 1, T_B8, T_S16},          [T_S16] = {".s16", 2, T_B16, T_S32},
    [T_S32] = {".s32", 4, T_B32, T_S64},       [T_S64] = {".s64", 8, T_B64, T_S64},
    [T_F16] = {".f16", 2, T_B16, T_F32},       [T_F32] = {".f32", 4, T_B32, T_F64},
    [T_F64] = {".f64", 8, T_B64, T_F64},       [T_PRED] = {".pred", 0, T_PRED, T_PRED},
    [T_F16X2] = {".f16x2", 4, T_B32, T_F16X2},
};

int type_find(const char *name)
{
    for (int i = 0; i < NUM_TYPES; i++)
        if (!strcmp(types[i].name, name))
            return i;
    return -1;
}

const char *type_name(enum ptx_type type)
{
    return types[type].name;
}

unsigned type_bytes(enum ptx_type type)
{
    return types[type].bytes;
}

int type_is_float(enum ptx_type type)
{
    return type == T_F16 || type == T_F16X2 || type == T_F32 || type == T_F64;
}

int type_is_signed(enum ptx_type type)
{
    return type == T_S8 || type == T_S16 || type == T_S32 || type == T_S64;
}

enum ptx_type type_bits(enum ptx_type type)
{
    return types[type].bits;
}

enum ptx_type type_double(enum ptx_type type)
{
    return types[type].double_type;
}
