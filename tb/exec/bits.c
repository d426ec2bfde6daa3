/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/bits.c: moves, logic, shifts, bit fields, predicates. PTX ISA, "Logic and Shift
 * Instructions", "Data Movement and Conversion Instructions", and from the integer section the ones
 * that count and pick bits. */
#include "tb/exec/op.h"

/* Positions and lengths of bit fields count up to 255. bfe takes `length` bits of a from `position`
 * on, those beyond the top being zeros or signs, and extends them; bfi puts the low `length` bits
 * of a into b at `position`. Without branches, so that lanes run together. */
#define BIT_FIELDS(width)                                                                          \
    static inline uint##width##_t low_ones_##width(uint32_t n)                                     \
    {                                                                                              \
        return n >= width ? ~(uint##width##_t)0 : ((uint##width##_t)1 << n % width) - 1;           \
    }                                                                                              \
    static inline uint##width##_t field_U##width(uint##width##_t a, uint32_t position,             \
                                                 uint32_t length)                                  \
    {                                                                                              \
        position &= 0xff;                                                                          \
        return position >= width ? 0 : a >> position % width & low_ones_##width(length & 0xff);    \
    }                                                                                              \
    static inline int##width##_t field_S##width(int##width##_t a, uint32_t position,               \
                                                uint32_t length)                                   \
    {                                                                                              \
        position &= 0xff;                                                                          \
        length &= 0xff;                                                                            \
        const uint32_t above = length >= width ? 0 : width - length;                               \
        const uint##width##_t shifted =                                                            \
            (uint##width##_t)(a >> (position >= width ? width - 1 : position));                    \
        return length == 0 ? 0 : (int##width##_t)(shifted << above % width) >> above % width;      \
    }                                                                                              \
    static inline uint##width##_t insert_##width(uint##width##_t a, uint##width##_t b,             \
                                                 uint32_t position, uint32_t length)               \
    {                                                                                              \
        position &= 0xff;                                                                          \
        const uint##width##_t place =                                                              \
            position >= width ? 0 : low_ones_##width(length & 0xff) << position % width;           \
        return (b & ~place) | (a << position % width & place);                                     \
    }
BIT_FIELDS(32)
BIT_FIELDS(64)

/* bfind: position of the highest one, or its distance from the top (.shiftamt). Signed: of the
 * highest bit that differs from the sign. */
static inline uint32_t find(uint64_t a, uint32_t top, uint32_t flags)
{
    if (a == 0) {
        return ~0u;
    }
    uint32_t position = 63 - (uint32_t)__builtin_clzll(a);
    return flags & UF_SHIFTAMT ? top - position : position;
}

static inline uint64_t reverse(uint64_t a)
{
    a = (a >> 1 & 0x5555555555555555) | (a & 0x5555555555555555) << 1;
    a = (a >> 2 & 0x3333333333333333) | (a & 0x3333333333333333) << 2;
    a = (a >> 4 & 0x0f0f0f0f0f0f0f0f) | (a & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(a);
}

/* prmt: each nibble of the selector picks a byte of b:a, or (bit 3) that byte's sign eight times.
 */
static inline uint32_t permute(uint32_t a, uint32_t b, uint32_t selector)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t result = 0;
    for (int n = 0; n < 4; n++) {
        uint32_t pick = selector >> 4 * n & 0xf;
        uint32_t byte = bytes >> 8 * (pick & 7) & 0xff;
        result |= (pick < 8 ? byte : byte < 0x80 ? 0 : 0xff) << 8 * n;
    }
    return result;
}

/* The modes of prmt are selectors, by the two lowest bits of c: bytes forward from c, backward from
 * c, one byte or half-word four times or twice, and the outer ones clamped to c on the left or
 * right. */
static inline uint32_t selector(uint32_t c, uint8_t mode)
{
    static const uint16_t selectors[][4] = {
        [PERMUTE_F4E] = {0x3210, 0x4321, 0x5432, 0x6543},
        [PERMUTE_B4E] = {0x5670, 0x6701, 0x7012, 0x0123},
        [PERMUTE_RC8] = {0x0000, 0x1111, 0x2222, 0x3333},
        [PERMUTE_ECL] = {0x3210, 0x3211, 0x3222, 0x3333},
        [PERMUTE_ECR] = {0x0000, 0x1110, 0x2210, 0x3210},
        [PERMUTE_RC16] = {0x1010, 0x3232, 0x1010, 0x3232},
    };
    return mode == PERMUTE_INDEX ? c : selectors[mode][c & 3];
}

/* bmsk: ones from bit a on, b of them. Past the word, or with .clamp from a position or of a length
 * of 32 and more, they end with it. */
static inline uint32_t mask_of(uint32_t a, uint32_t b, uint32_t flags)
{
    const int clamps = flags & UF_CLAMP;
    const uint64_t length = clamps ? (b < 32 ? b : 32) : b & 31;
    const uint64_t position = clamps ? (a < 32 ? a : 32) : a & 31;
    return (uint32_t)(((UINT64_C(1) << length) - 1) << position);
}

/* szext: how many low bits of a count. */
static inline uint32_t width_of(uint32_t b, uint32_t flags)
{
    return flags & UF_CLAMP ? (b < 32 ? b : 32) : b & 31;
}

static inline uint32_t extended_U32(uint32_t a, uint32_t width)
{
    return (uint32_t)(a & ((UINT64_C(1) << width) - 1));
}

static inline uint32_t extended_S32(uint32_t a, uint32_t width)
{
    return (uint32_t)((int64_t)((uint64_t)a << 32 << (32 - width)) >> (63 - width) >> 1);
}

/* fns: the n-th bit of a that is set, counted from bit b on, upwards or downwards; n = 0: bit b
 * itself, if it is set. */
static inline uint32_t nth_set(uint32_t a, uint32_t b, int32_t n)
{
    const int down = n < 0;
    if (b > 31) {
        return ~0u;
    }
    uint32_t rest = down ? a << (31 - b) : a >> b << b;
    if (n == 0) {
        return a >> b & 1 ? b : ~0u;
    }
    for (uint32_t more = down ? -(uint32_t)n : (uint32_t)n; rest; more--) {
        const uint32_t at = (uint32_t)(down ? __builtin_clz(rest) : __builtin_ctz(rest));
        if (more == 1) {
            return down ? b - at : at;
        }
        rest &= ~(down ? 1u << 31 >> at : 1u << at);
    }
    return ~0u;
}

/* lop3: the table has a bit for each combination of three bits. */
static inline uint32_t look_up(uint32_t a, uint32_t b, uint32_t c, uint8_t table)
{
    uint32_t result = 0;
    for (int i = 0; i < 8; i++) {
        const uint32_t here = (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
        result |= table >> i & 1 ? here : 0;
    }
    return result;
}

/* shf: the window of 32 bits that a shift of b:a by c leaves. */
static inline uint32_t funnel(uint32_t a, uint32_t b, uint32_t c, uint32_t flags)
{
    uint64_t both = (uint64_t)b << 32 | a;
    uint32_t amount = flags & UF_CLAMP ? (c < 32 ? c : 32) : c & 31;
    return (uint32_t)(flags & UF_SHF_RIGHT ? both >> amount : both << amount >> 32);
}

/* cvta: what turns an address of the space into a generic one when added. */
static inline uint64_t window(const struct uop *u)
{
    const uint64_t base = generic_base(u->space);
    return u->flags & UF_CVTA_TO ? 0 - base : base;
}

/* Lists of X(op, type, types of result and operands, expression). */
#define BITS_UNARY_LIST(X)                                                                         \
    X(MOV, B8, B8, B8, a)                                                                          \
    X(MOV, B16, B16, B16, a)                                                                       \
    X(MOV, B32, B32, B32, a)                                                                       \
    X(MOV, B64, B64, B64, a)                                                                       \
    X(NOT, B16, B16, B16, ~a)                                                                      \
    X(NOT, B32, B32, B32, ~a)                                                                      \
    X(NOT, B64, B64, B64, ~a)                                                                      \
    X(CNOT, B16, B16, B16, a == 0)                                                                 \
    X(CNOT, B32, B32, B32, a == 0)                                                                 \
    X(CNOT, B64, B64, B64, a == 0)                                                                 \
    X(CVTA, B64, B64, B64, a + window(u))                                                          \
    X(CLZ, B32, U32, B32, a ? __builtin_clz(a) : 32)                                               \
    X(CLZ, B64, U32, B64, a ? __builtin_clzll(a) : 64)                                             \
    X(POPC, B32, U32, B32, __builtin_popcount(a))                                                  \
    X(POPC, B64, U32, B64, __builtin_popcountll(a))                                                \
    X(BREV, B32, B32, B32, reverse(a) >> 32)                                                       \
    X(BREV, B64, B64, B64, reverse(a))                                                             \
    X(BFIND, U32, U32, U32, find(a, 31, u->flags))                                                 \
    X(BFIND, S32, U32, S32, find((uint32_t)(a < 0 ? ~a : a), 31, u->flags))                        \
    X(BFIND, U64, U32, U64, find(a, 63, u->flags))                                                 \
    X(BFIND, S64, U32, S64, find((uint64_t)(a < 0 ? ~a : a), 63, u->flags))

#define LOGIC(X, op, e)                                                                            \
    X(op, B16, B16, B16, B16, e) X(op, B32, B32, B32, B32, e) X(op, B64, B64, B64, B64, e)
#define BITS_BINARY_LIST(X)                                                                        \
    LOGIC(X, AND, a &b)                                                                            \
    LOGIC(X, OR, a | b)                                                                            \
    LOGIC(X, XOR, a ^ b)                                                                           \
    X(SHL, B16, B16, B16, U32, b > 15 ? 0 : a << (b & 15))                                         \
    X(SHL, B32, B32, B32, U32, b > 31 ? 0 : a << (b & 31))                                         \
    X(SHL, B64, B64, B64, U32, b > 63 ? 0 : a << (b & 63))                                         \
    X(SHR, S16, S16, S16, U32, a >> (b > 15 ? 15 : b))                                             \
    X(SHR, S32, S32, S32, U32, a >> (b > 31 ? 31 : b))                                             \
    X(SHR, S64, S64, S64, U32, a >> (b > 63 ? 63 : b))                                             \
    X(SHR, B16, B16, B16, U32, b > 15 ? 0 : a >> (b & 15))                                         \
    X(SHR, B32, B32, B32, U32, b > 31 ? 0 : a >> (b & 31))                                         \
    X(SHR, B64, B64, B64, U32, b > 63 ? 0 : a >> (b & 63))                                         \
    X(BMSK, B32, B32, B32, B32, mask_of(a, b, u->flags))                                           \
    X(SZEXT, U32, U32, U32, U32, extended_U32(a, width_of(b, u->flags)))                           \
    X(SZEXT, S32, U32, U32, U32, extended_S32(a, width_of(b, u->flags)))                           \
    X(COPYSIGN, F32, B32, B32, B32, (a & 1u << 31) | (b & ~(1u << 31)))                            \
    X(COPYSIGN, F64, B64, B64, B64, (a & 1ull << 63) | (b & ~(1ull << 63)))

#define BITS_TERNARY_LIST(X)                                                                       \
    X(BFE, U32, U32, U32, U32, U32, field_U32(a, b, c))                                            \
    X(BFE, S32, S32, S32, U32, U32, field_S32(a, b, c))                                            \
    X(BFE, U64, U64, U64, U32, U32, field_U64(a, b, c))                                            \
    X(BFE, S64, S64, S64, U32, U32, field_S64(a, b, c))                                            \
    X(PRMT, B32, B32, B32, B32, B32, permute(a, b, selector(c, u->mod)))                           \
    X(FNS, B32, B32, B32, B32, S32, nth_set(a, b, c))                                              \
    X(SHF, B32, B32, B32, B32, B32, funnel(a, b, c, u->flags))

#define INSERT_LIST(X) X(B32, 32) X(B64, 64)
#define SELECT_LIST(X) X(B16, 32) X(B32, 32) X(B64, 64)

#define BITS_UNARY(op, T, D, A, e)         DEFINE_UNARY(op##_##T, D, A, e)
#define BITS_BINARY(op, T, D, A, B, e)     DEFINE_BINARY(op##_##T, D, A, B, e)
#define BITS_TERNARY(op, T, D, A, B, C, e) DEFINE_TERNARY(op##_##T, D, A, B, C, e)
BITS_UNARY_LIST(BITS_UNARY)
BITS_BINARY_LIST(BITS_BINARY)
BITS_TERNARY_LIST(BITS_TERNARY)

#define INSERT(T, width)                                                                           \
    static void BFI_##T(OP_ARGUMENTS)                                                              \
    {                                                                                              \
        SOURCE(T, a, 0);                                                                           \
        SOURCE(T, b, 1);                                                                           \
        SOURCE(U32, c, 2);                                                                         \
        SOURCE(U32, e, 3);                                                                         \
        TARGET(T);                                                                                 \
        FOR_LANES                                                                                  \
        {                                                                                          \
            out[i] = insert_##width(a_lanes[i], b_lanes[i], c_lanes[i], e_lanes[i]);               \
        }                                                                                          \
        FINISH(T)                                                                                  \
    }
INSERT_LIST(INSERT)

#define SELECT(T, width)                                                                           \
    static void SELP_##T(OP_ARGUMENTS)                                                             \
    {                                                                                              \
        SOURCE(T, a, 0);                                                                           \
        SOURCE(T, b, 1);                                                                           \
        const uint##width##_t chosen = exec_predicate(w, u->src[2]);                               \
        TARGET(T);                                                                                 \
        FOR_LANES                                                                                  \
        {                                                                                          \
            out[i] = exec_lane_bit##width[i] & chosen ? a_lanes[i] : b_lanes[i];                   \
        }                                                                                          \
        FINISH(T)                                                                                  \
    }
SELECT_LIST(SELECT)

/* Predicates: a and b are words with a bit for each lane. */
#define PREDICATE_LIST(X)                                                                          \
    X(MOV, 0, a)                                                                                   \
    X(NOT, 0, ~a)                                                                                  \
    X(AND, 1, a &b)                                                                                \
    X(OR, 1, a | b)                                                                                \
    X(XOR, 1, a ^ b)
#define PREDICATE(op, last, e)                                                                     \
    static void op##_PRED(OP_ARGUMENTS)                                                            \
    {                                                                                              \
        const uint32_t a = exec_negatable(w, u, 0, UF_SRC_NOT);                                    \
        const uint32_t b = exec_negatable(w, u, last, UF_SECOND_NOT);                              \
        (void)b;                                                                                   \
        exec_set_predicate(w, u->dst[0], mask, e);                                                 \
    }
PREDICATE_LIST(PREDICATE)

/* With .and or .or: whether the result is not zero, and the predicate. */
static void LOP3_B32(OP_ARGUMENTS)
{
    SOURCE(B32, a, 0);
    SOURCE(B32, b, 1);
    SOURCE(B32, c, 2);
    TARGET(B32);
    FOR_LANES
    {
        out[i] = look_up(a_lanes[i], b_lanes[i], c_lanes[i], u->mod);
    }
    if (u->mod2 != BOOL_NONE) {
        const uint32_t q = exec_negatable(w, u, 3, UF_SRC_NOT);
        uint32_t some = 0;
        FOR_LANES
        {
            some |= out[i] ? exec_lane_bit32[i] : 0;
        }
        exec_set_predicate(w, u->dst[1], mask, u->mod2 == BOOL_AND ? some & q : some | q);
    }
    FINISH(B32)
}

/* Elements are at most 32 bits wide; the first one is the least significant. 16 bits lie in slots
 * of 32. */
static uint32_t element_bits(const struct uop *u)
{
    return u->type2 == T_B8 ? 8 : u->type2 == T_B16 ? 16 : 32;
}

#define PACK(T)                                                                                    \
    static void PACK_##T(OP_ARGUMENTS)                                                             \
    {                                                                                              \
        const uint32_t width = element_bits(u);                                                    \
        bits_##T packed[WARP_LANES] = {0};                                                         \
        for (uint32_t e = 0; e < u->vec; e++) {                                                    \
            SOURCE(U32, a, e);                                                                     \
            FOR_LANES packed[i] |= (bits_##T)a_lanes[i] << e * width;                              \
        }                                                                                          \
        exec_blend(exec_target(w, u->dst[0]), packed, mask, sizeof packed[0]);                     \
    }
PACK(B32)
PACK(B64)

/* The source is copied first: it may be one of the targets. */
#define UNPACK(T)                                                                                  \
    static void UNPACK_##T(OP_ARGUMENTS)                                                           \
    {                                                                                              \
        const uint32_t width = element_bits(u);                                                    \
        bits_##T packed[WARP_LANES];                                                               \
        memcpy(packed, exec_source(w, u->src[0]), sizeof packed);                                  \
        for (uint32_t e = 0; e < u->vec; e++) {                                                    \
            uint32_t element[WARP_LANES];                                                          \
            FOR_LANES element[i] = (uint32_t)(packed[i] >> e * width) & ~0u >> (32 - width);       \
            exec_blend(exec_target(w, u->dst[e]), element, mask, sizeof element[0]);               \
        }                                                                                          \
    }
UNPACK(B32)
UNPACK(B64)

/* All sources are read before the first target is written: they may be the same. */
#define MOVES(T)                                                                                   \
    static void MOVES_##T(OP_ARGUMENTS)                                                            \
    {                                                                                              \
        slot_##T copies[4][WARP_LANES];                                                            \
        for (uint32_t e = 0; e < u->vec; e++) {                                                    \
            memcpy(copies[e], exec_source(w, u->src[e]), sizeof copies[e]);                        \
        }                                                                                          \
        for (uint32_t e = 0; e < u->vec; e++) {                                                    \
            exec_blend(exec_target(w, u->dst[e]), copies[e], mask, sizeof copies[e][0]);           \
        }                                                                                          \
    }
MOVES(B32)
MOVES(B64)

/* Of a special register, which has 32 bits, the lower half. */
static void MOVES_B16(OP_ARGUMENTS)
{
    lane32 copies[4][WARP_LANES];
    for (uint32_t e = 0; e < u->vec; e++) {
        const lane32 *from = exec_source(w, u->src[e]);
        FOR_LANES copies[e][i] = from[i] & 0xffff;
    }
    for (uint32_t e = 0; e < u->vec; e++) {
        exec_blend(exec_target(w, u->dst[e]), copies[e], mask, sizeof copies[e][0]);
    }
}

#define BITS_FORM(op, T, ...)   {U_##op, T_##T, ANY, ANY, 0, op##_##T},
#define INSERT_FORM(T, ...)     BITS_FORM(BFI, T)
#define SELECT_FORM(T, ...)     BITS_FORM(SELP, T)
#define PREDICATE_FORM(op, ...) BITS_FORM(op, PRED)
/* clang-format off */
static const struct exec_form bits_forms[] = {
    BITS_UNARY_LIST(BITS_FORM) BITS_BINARY_LIST(BITS_FORM) BITS_TERNARY_LIST(BITS_FORM)
    INSERT_LIST(INSERT_FORM) SELECT_LIST(SELECT_FORM)
    PREDICATE_LIST(PREDICATE_FORM)
    {U_PACK, T_B16, ANY, ANY, 0, PACK_B32}, {U_UNPACK, T_B16, ANY, ANY, 0, UNPACK_B32},
    BITS_FORM(LOP3, B32)
    BITS_FORM(MOVES, B16) BITS_FORM(MOVES, B32) BITS_FORM(MOVES, B64)
    BITS_FORM(PACK, B32) BITS_FORM(PACK, B64) BITS_FORM(UNPACK, B32) BITS_FORM(UNPACK, B64)
};
/* clang-format on */
EXPORT_FORMS(exec_bits, bits_forms)
