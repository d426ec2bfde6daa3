/* SPDX-License-Identifier: Apache-2.0 */
/* tb/ptx/type.h: the fundamental types: names, widths, kinds. */
#ifndef HEDDLE_TB_PTX_TYPE_H
#define HEDDLE_TB_PTX_TYPE_H

#include "tb/ptx/uop.h"

#define NUM_TYPES      (T_PRED + 1)
#define TYPE_BIT(type) (1u << (type))

/* Sets of types. */
#define TYPES_B (TYPE_BIT(T_B16) | TYPE_BIT(T_B32) | TYPE_BIT(T_B64))
#define TYPES_U (TYPE_BIT(T_U16) | TYPE_BIT(T_U32) | TYPE_BIT(T_U64))
#define TYPES_S (TYPE_BIT(T_S16) | TYPE_BIT(T_S32) | TYPE_BIT(T_S64))
#define TYPES_8 (TYPE_BIT(T_B8) | TYPE_BIT(T_U8) | TYPE_BIT(T_S8))
#define TYPES_I (TYPES_U | TYPES_S)
#define TYPES_H (TYPE_BIT(T_F16) | TYPE_BIT(T_F16X2))
#define TYPES_F (TYPE_BIT(T_F32) | TYPE_BIT(T_F64))

/* ".f32" to T_F32; -1: not a type. */
int type_find(const char *name);
const char *type_name(enum ptx_type); /* ".f32" */
unsigned type_bytes(enum ptx_type);   /* 1, 2, 4, 8; a predicate: 0 */
int type_is_float(enum ptx_type);
int type_is_signed(enum ptx_type);
enum ptx_type type_bits(enum ptx_type);   /* the untyped one of the same width; .pred stays */
enum ptx_type type_double(enum ptx_type); /* twice as wide, for 16 and 32-bit integers */

#endif
