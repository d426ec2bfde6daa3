/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/cvt.c: conversions. PTX ISA, "cvt". From float to integer the result saturates always;
 * NaN gives 0, or the sign bit alone where a type of 64 bits takes part. The common pairs (no .sat,
 * no .ftz, usual rounding, registers as wide as the types) have a function each; all others go in
 * two steps, through 32 values of the widest type of their kind, which is exact: int64_t (the bits
 * of a .u64 too) or double. */
#include "tb/exec/float.h"

enum limit { LEAST, MOST, SIGN };

static inline int64_t integer_limit(uint8_t type, enum limit which)
{
    static const int64_t limit[][3] = {
        [T_U8] = {0, UINT8_MAX, 1ll << 7},           [T_U16] = {0, UINT16_MAX, 1ll << 15},
        [T_U32] = {0, UINT32_MAX, 1ll << 31},        [T_U64] = {0, INT64_MAX, INT64_MIN},
        [T_S8] = {INT8_MIN, INT8_MAX, INT8_MIN},     [T_S16] = {INT16_MIN, INT16_MAX, INT16_MIN},
        [T_S32] = {INT32_MIN, INT32_MAX, INT32_MIN}, [T_S64] = {INT64_MIN, INT64_MAX, INT64_MIN},
    };
    return limit[type][which];
}

/* x towards zero, as the nearest integer that the type has. `from` is the type that x had. */
static inline int64_t integer_from(double x, uint8_t type, uint8_t from)
{
    if (x != x) {
        return from == T_F64 || type == T_U64 || type == T_S64 ? integer_limit(type, SIGN) : 0;
    }
    if (type == T_U64) {
        return x <= 0 ? 0 : x >= 0x1p64 ? -1 : (int64_t)(uint64_t)x;
    }
    if (type == T_S64) {
        return x < -0x1p63 ? INT64_MIN : x >= 0x1p63 ? INT64_MAX : (int64_t)x;
    }
    double low = (double)integer_limit(type, LEAST), high = (double)integer_limit(type, MOST);
    return (int64_t)(x < low ? low : x > high ? high : x);
}

/* Rounds as the floating-point environment says, which is `round`. */
static uint16_t half_from_double(double x, uint8_t round)
{
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    if (x != x) {
        return 0x7fff;
    }
    if (x == 0) {
        return sign;
    }
    int exponent = isinf(x) || ilogb(x) > 16 ? 16 : ilogb(x) < -14 ? -14 : ilogb(x);
    if (exponent < 16) {
        int significand = (int)fabs(nearbyint(ldexp(x, 10 - exponent)));
        if (significand < 1024) {
            return sign | (uint16_t)significand;
        }
        exponent += significand == 2048;
        if (exponent < 16) {
            return sign | (uint16_t)((exponent + 15) << 10 | (significand & 0x3ff));
        }
    }
    int to_finite = !isinf(x) && (round == RND_RZ || round == (sign ? RND_RP : RND_RM));
    return sign | (to_finite ? 0x7bff : 0x7c00);
}

/* Step one: 32 sources, from a register that may be wider than their type. */
#define READ_INTEGER(T)                                                                            \
    case T_##T:                                                                                    \
        if (u->mod2 == T_B64) {                                                                    \
            FOR_LANES values[i] = (int64_t)(element_##T)((const lane64 *)source)[i];               \
        } else {                                                                                   \
            FOR_LANES values[i] = (int64_t)(element_##T)((const lane32 *)source)[i];               \
        }                                                                                          \
        break;
static void read_integers(const struct exec_warp *w, const struct uop *u, int64_t *values)
{
    const void *source = exec_source(w, u->src[0]);
    switch (u->type2) {
        READ_INTEGER(U8)
        READ_INTEGER(S8)
        READ_INTEGER(U16)
        READ_INTEGER(S16)
        READ_INTEGER(U32)
        READ_INTEGER(S32)
        READ_INTEGER(U64)
        READ_INTEGER(S64)
    }
}

static void read_floats(const struct exec_warp *w, const struct uop *u, double *values)
{
    const void *source = exec_source(w, u->src[0]);
    if (u->type2 == T_F64) {
        memcpy(values, source, WARP_LANES * sizeof *values);
        return;
    }
    uint32_t lanes[WARP_LANES];
    if (u->mod2 == T_B64) {
        FOR_LANES lanes[i] = (uint32_t)((const lane64 *)source)[i];
    } else {
        memcpy(lanes, source, sizeof lanes);
    }
    if (u->type2 == T_F32) {
        const float least = mode_of_F32(u).least;
        FOR_LANES values[i] = flush_F32(((const lane_float *)lanes)[i], least);
    } else {
        FOR_LANES values[i] = double_from_half((uint16_t)lanes[i]);
    }
}

/* Step two: 32 results, extended to the register. */
static void write_integers(struct exec_warp *w, const struct uop *u, uint32_t mask,
                           const int64_t *values)
{
    void *target = exec_target(w, u->dst[0]);
    if (u->mod == T_B64) {
        exec_blend(target, values, mask, sizeof(uint64_t));
        return;
    }
    uint32_t lanes[WARP_LANES], keep = u->mod == T_B8 ? 0xff : u->mod == T_B16 ? 0xffff : ~0u;
    FOR_LANES lanes[i] = (uint32_t)values[i] & keep;
    exec_blend(target, lanes, mask, sizeof(uint32_t));
}

/* The bits of a float of 32 or 16 bits, extended by zeros. */
static void write_narrow(struct exec_warp *w, const struct uop *u, uint32_t mask,
                         const void *values)
{
    const lane32 *const lanes = values;
    void *target = exec_target(w, u->dst[0]);
    if (u->mod == T_B64) {
        uint64_t wide[WARP_LANES];
        FOR_LANES wide[i] = lanes[i];
        exec_blend(target, wide, mask, sizeof(uint64_t));
    } else {
        exec_blend(target, lanes, mask, sizeof(uint32_t));
    }
}

/* Narrows with the instruction's rounding. `values` are exact. */
static void write_floats(struct exec_warp *w, const struct uop *u, uint32_t mask,
                         const double *values)
{
    const struct mode_F32 single = mode_of_F32(u);
    const struct mode_F64 wide = mode_of_F64(u);
    if (u->type == T_F64) {
        double lanes[WARP_LANES];
        FOR_LANES lanes[i] = finish_F64(values[i], wide);
        exec_blend(exec_target(w, u->dst[0]), lanes, mask, sizeof(uint64_t));
    } else if (u->type == T_F32) {
        float lanes[WARP_LANES];
        rounding_begin(u->round);
        FOR_LANES lanes[i] = finish_F32((float)values[i], single);
        rounding_end(lanes);
        write_narrow(w, u, mask, lanes);
    } else {
        uint32_t lanes[WARP_LANES];
        rounding_begin(u->round);
        for (int i = 0; i < WARP_LANES; i++) {
            const uint32_t half = half_from_double(finish_F64(values[i], wide), u->round);
            lanes[i] = u->flags & UF_FINITE && (half & 0x7fff) == 0x7c00 ? half - 1 : half;
        }
        rounding_end(lanes);
        write_narrow(w, u, mask, lanes);
    }
}

static void round_to_integers(double *values, uint8_t round)
{
    if (round == RND_RNI) {
        FOR_LANES values[i] = rint(values[i]);
    } else if (round == RND_RZI) {
        FOR_LANES values[i] = trunc(values[i]);
    } else if (round == RND_RMI) {
        FOR_LANES values[i] = floor(values[i]);
    } else if (round == RND_RPI) {
        FOR_LANES values[i] = ceil(values[i]);
    }
}

/* Keeps what a register of the type would: its low bits, extended again. */
static int64_t cut(int64_t x, uint8_t type)
{
    switch (type) {
    case T_U8: return (uint8_t)x;
    case T_S8: return (int8_t)x;
    case T_U16: return (uint16_t)x;
    case T_S16: return (int16_t)x;
    case T_U32: return (uint32_t)x;
    case T_S32: return (int32_t)x;
    default: return x;
    }
}

static void integer_to_integer(OP_ARGUMENTS)
{
    int64_t values[WARP_LANES];
    read_integers(w, u, values);
    const int64_t low = integer_limit(u->type, LEAST), high = integer_limit(u->type, MOST);
    for (int i = 0; i < WARP_LANES; i++) {
        int64_t x = values[i];
        int huge = x < 0 && u->type2 == T_U64; /* 2^63 or more */
        if (u->flags & UF_SAT && !(huge && u->type == T_U64)) {
            x = huge || x > high ? high : x < low ? low : x;
        }
        values[i] = cut(x, u->type);
    }
    write_integers(w, u, mask, values);
}

static void float_to_integer(OP_ARGUMENTS)
{
    double values[WARP_LANES];
    int64_t integers[WARP_LANES];
    read_floats(w, u, values);
    round_to_integers(values, u->round);
    for (int i = 0; i < WARP_LANES; i++) {
        integers[i] = integer_from(values[i], u->type, u->type2);
    }
    write_integers(w, u, mask, integers);
}

/* The widest integers do not fit a double: float is made from them directly, in one rounding. */
static void integer_to_float(OP_ARGUMENTS)
{
    int64_t integers[WARP_LANES];
    double values[WARP_LANES];
    read_integers(w, u, integers);
    const int is_unsigned = u->type2 == T_U64, single = u->type == T_F32;
    rounding_begin(u->round);
    for (int i = 0; i < WARP_LANES; i++) {
        const uint64_t bits = (uint64_t)integers[i];
        values[i] = single ? (is_unsigned ? (float)bits : (float)integers[i])
                           : (is_unsigned ? (double)bits : (double)integers[i]);
    }
    rounding_end(values);
    write_floats(w, u, mask, values);
}

static void float_to_float(OP_ARGUMENTS)
{
    double values[WARP_LANES];
    read_floats(w, u, values);
    round_to_integers(values, u->round);
    write_floats(w, u, mask, values);
}

/* Lists of X(type, type of the source, expression), and their combinations. */
#define FROM_INTEGERS(X, D, e)                                                                     \
    X(D, U8, e)                                                                                    \
    X(D, S8, e) X(D, U16, e) X(D, S16, e) X(D, U32, e) X(D, S32, e) X(D, U64, e) X(D, S64, e)
#define TO_INTEGERS(X, A, e)                                                                       \
    X(U8, A, e)                                                                                    \
    X(S8, A, e) X(U16, A, e) X(S16, A, e) X(U32, A, e) X(S32, A, e) X(U64, A, e) X(S64, A, e)
#define CVT_INTEGER_LIST(X)                                                                        \
    FROM_INTEGERS(X, U8, a)                                                                        \
    FROM_INTEGERS(X, S8, a)                                                                        \
    FROM_INTEGERS(X, U16, a)                                                                       \
    FROM_INTEGERS(X, S16, a)                                                                       \
    FROM_INTEGERS(X, U32, a)                                                                       \
    FROM_INTEGERS(X, S32, a)                                                                       \
    FROM_INTEGERS(X, U64, a)                                                                       \
    FROM_INTEGERS(X, S64, a)
#define CVT_FLOAT_LIST(X)                                                                          \
    FROM_INTEGERS(X, F32, a)                                                                       \
    FROM_INTEGERS(X, F64, a)                                                                       \
    X(F32, F64, canonical_F32((float)a))                                                           \
    X(F64, F32, canonical_F64(a))
#define CVT_TRUNCATE_LIST(X) TO_INTEGERS(X, F32, a) TO_INTEGERS(X, F64, a)

#define CVT(D, A, e)          DEFINE_UNARY(CVT_##D##_##A, D, A, e)
#define CVT_TRUNCATE(D, A, e) DEFINE_UNARY(CVT_##D##_##A, D, A, integer_from(a, T_##D, T_##A))
CVT_INTEGER_LIST(CVT)
CVT_FLOAT_LIST(CVT)
CVT_TRUNCATE_LIST(CVT_TRUNCATE)

/* cvt.pack: what its parts are. */
struct packed_part {
    int32_t least, most;
    uint32_t bits;
};

static struct packed_part packed_part_of(const struct uop *u)
{
    static const uint8_t narrow[] = {
        [NARROW_U4] = 4, [NARROW_S4] = 4, [NARROW_U2] = 2, [NARROW_S2] = 2};
    const int is_signed =
        u->mod ? u->mod == NARROW_S4 || u->mod == NARROW_S2 : u->type == T_S8 || u->type == T_S16;
    const uint32_t bits = u->mod ? narrow[u->mod] : u->type == T_U8 || u->type == T_S8 ? 8 : 16;
    const int32_t all = (int32_t)(1u << bits) - 1;
    return (struct packed_part){is_signed ? -1 - all / 2 : 0, is_signed ? all / 2 : all, bits};
}

static inline uint32_t packed(int32_t x, struct packed_part p)
{
    const int32_t above = x > p.least ? x : p.least;
    return (uint32_t)(above < p.most ? above : p.most) & ((1u << p.bits) - 1);
}

/* a and b, held to a part's range, above which c moves up. */
static void pack_saturated(OP_ARGUMENTS)
{
    const struct packed_part part = packed_part_of(u);
    const uint32_t move = 2 * part.bits;
    SOURCE(S32, a, 0);
    SOURCE(S32, b, 1);
    const lane32 *const c_lanes = u->src[2] == UOP_NONE ? NULL : exec_source(w, u->src[2]);
    TARGET(B32);
    FOR_LANES
    {
        VALUE(S32, a);
        VALUE(S32, b);
        const uint32_t c = c_lanes ? (uint32_t)((uint64_t)c_lanes[i] << move) : 0;
        out[i] = c | packed(a, part) << part.bits | packed(b, part);
    }
    FINISH(B32)
}

#define CVT_FORM(D, A, e)    {U_CVT, T_##D, T_##A, ANY, 0, CVT_##D##_##A},
#define GENERAL_CVT(D, A, f) {U_CVT, T_##D, T_##A, ANY, CAN_ALL, f},
#define GENERAL_FLOATS(D)                                                                          \
    GENERAL_CVT(D, F16, float_to_float)                                                            \
    GENERAL_CVT(D, F32, float_to_float) GENERAL_CVT(D, F64, float_to_float)
/* clang-format off */
static const struct exec_form cvt_forms[] = {
    CVT_INTEGER_LIST(CVT_FORM) CVT_FLOAT_LIST(CVT_FORM) CVT_TRUNCATE_LIST(CVT_FORM)
    FROM_INTEGERS(GENERAL_CVT, U8, integer_to_integer)
    FROM_INTEGERS(GENERAL_CVT, S8, integer_to_integer)
    FROM_INTEGERS(GENERAL_CVT, U16, integer_to_integer)
    FROM_INTEGERS(GENERAL_CVT, S16, integer_to_integer)
    FROM_INTEGERS(GENERAL_CVT, U32, integer_to_integer)
    FROM_INTEGERS(GENERAL_CVT, S32, integer_to_integer)
    FROM_INTEGERS(GENERAL_CVT, U64, integer_to_integer)
    FROM_INTEGERS(GENERAL_CVT, S64, integer_to_integer)
    FROM_INTEGERS(GENERAL_CVT, F16, integer_to_float)
    FROM_INTEGERS(GENERAL_CVT, F32, integer_to_float)
    FROM_INTEGERS(GENERAL_CVT, F64, integer_to_float)
    TO_INTEGERS(GENERAL_CVT, F16, float_to_integer)
    TO_INTEGERS(GENERAL_CVT, F32, float_to_integer)
    TO_INTEGERS(GENERAL_CVT, F64, float_to_integer)
    GENERAL_FLOATS(F16) GENERAL_FLOATS(F32) GENERAL_FLOATS(F64)
    {U_PACK_SAT, T_B8, ANY, ANY, CAN_SATURATE, pack_saturated},
    {U_PACK_SAT, T_B16, ANY, ANY, CAN_SATURATE, pack_saturated},
    {U_PACK_SAT, T_B32, ANY, ANY, CAN_SATURATE, pack_saturated},
};
/* clang-format on */
EXPORT_FORMS(exec_cvt, cvt_forms)
