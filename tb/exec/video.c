/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/video.c: arithmetic on bytes and half-words of registers. PTX ISA, "Scalar Video
 * Instructions", "SIMD Video Instructions". Which parts of the operands take part is in uop.offset
 * (uop.h). Results are exact until .sat or the end: what PTX calls 33 or 34 bits is int64_t here. */
#include "tb/exec/op.h"

/* Part of a word: bits from `shift` on, `bits` many, with the type's sign. */
struct part {
    uint32_t shift, ones;
    uint32_t sign; /* the highest of the bits, or 0: unsigned */
};

static inline int64_t take(uint64_t word, struct part p)
{
    const uint32_t bits = (uint32_t)(word >> p.shift) & p.ones;
    return (int64_t)(bits ^ p.sign) - p.sign;
}

static inline struct part part_of(uint32_t which, uint8_t type)
{
    static const uint8_t shifts[] = {[PART_WORD] = 0, [PART_B0] = 0, [PART_B1] = 8, [PART_B2] = 16,
                                     [PART_B3] = 24,  [PART_H0] = 0, [PART_H1] = 16};
    const uint32_t ones = which == PART_WORD ? ~0u : which < PART_H0 ? 0xff : 0xffff;
    return (struct part){shifts[which], ones, type == T_S32 ? ones ^ ones >> 1 : 0};
}

/* The range of a result of that many ones, and type. */
struct range {
    int64_t low, high;
};

static inline struct range range_of(uint32_t ones, uint8_t type, int saturate)
{
    if (!saturate) {
        return (struct range){INT64_MIN, INT64_MAX};
    }
    return type == T_S32 ? (struct range){-(int64_t)(ones >> 1) - 1, ones >> 1}
                         : (struct range){0, ones};
}

static inline int64_t hold(int64_t x, struct range r)
{
    return x < r.low ? r.low : x > r.high ? r.high : x;
}

/* What a scalar instruction does to each lane. */
struct scalar {
    struct part a, b, c, d;
    struct range range;
    uint8_t second;
};

/* `type` is that of d and c. */
static inline struct scalar scalar_of(const struct uop *u, uint8_t type, uint8_t a, uint8_t b)
{
    const uint32_t which = (uint32_t)u->offset;
    const struct part d = part_of(which & 0xf, type);
    return (struct scalar){part_of(which >> 4 & 0xf, a),
                           part_of(which >> 8 & 0xf, b),
                           part_of(PART_WORD, type),
                           d,
                           range_of(d.ones, type, u->flags & UF_SAT),
                           u->mod2};
}

/* .sat; then the secondary operation with c, or d's part put into c, or the result alone. */
static inline uint32_t scalar_finish(const struct scalar *s, int64_t x, uint32_t word)
{
    const int64_t c = take(word, s->c);
    x = hold(x, s->range);
    switch (s->second) {
    case SECOND_ADD: return (uint32_t)(x + c);
    case SECOND_MIN: return (uint32_t)(x < c ? x : c);
    case SECOND_MAX: return (uint32_t)(x > c ? x : c);
    default: return ((uint32_t)x & s->d.ones) << s->d.shift | (word & ~(s->d.ones << s->d.shift));
    }
}

/* vshl: by 32 even a word of 33 bits leaves 64; but then it is beyond all ranges, and its low word
 * is 0, however large it was. */
static inline int64_t shifted_left(int64_t a, int64_t amount)
{
    const int64_t most = INT64_C(1) << 30;
    a = amount < 32 ? a : a > most ? most : a < -most ? -most : a;
    return (int64_t)((uint64_t)a << amount);
}

static inline int64_t shift_amount(const struct uop *u, int64_t b)
{
    return u->flags & UF_CLAMP ? (b < 32 ? b : 32) : b & 31;
}

#define DISTANCE(a, b) ((a) < (b) ? (b) - (a) : (a) - (b))
#define LEAST(a, b)    ((a) < (b) ? (a) : (b))
#define MOST(a, b)     ((a) > (b) ? (a) : (b))
/* Lists of X(op, expression). */
#define SCALAR_LIST(X)                                                                             \
    X(VADD, a + b)                                                                                 \
    X(VSUB, a - b)                                                                                 \
    X(VABSDIFF, DISTANCE(a, b))                                                                    \
    X(VMIN, LEAST(a, b))                                                                           \
    X(VMAX, MOST(a, b))                                                                            \
    X(VSHL, shifted_left(a, shift_amount(u, b)))                                                   \
    X(VSHR, a >> shift_amount(u, b))
#define COMPARE_LIST(X)                                                                            \
    X(CMP_EQ, a == b)                                                                              \
    X(CMP_NE, a != b)                                                                              \
    X(CMP_LT, a < b)                                                                               \
    X(CMP_LE, a <= b)                                                                              \
    X(CMP_GT, a > b)                                                                               \
    X(CMP_GE, a >= b)

#define SCALAR_BODY(name, how, e)                                                                  \
    static void name(OP_ARGUMENTS)                                                                 \
    {                                                                                              \
        const struct scalar s = how;                                                               \
        SOURCE(U32, a, 0);                                                                         \
        SOURCE(U32, b, 1);                                                                         \
        SOURCE(U32, c, u->src[2] == UOP_NONE ? 0 : 2);                                             \
        TARGET(U32);                                                                               \
        FOR_LANES                                                                                  \
        {                                                                                          \
            const int64_t a = take(a_lanes[i], s.a), b = take(b_lanes[i], s.b);                    \
            out[i] = scalar_finish(&s, e, c_lanes[i]);                                             \
        }                                                                                          \
        FINISH(U32)                                                                                \
    }
#define SCALAR(op, e) SCALAR_BODY(op, scalar_of(u, u->type, u->type2, u->type3), e)
/* vset: a comparison gives 0 or 1, unsigned, and so is c. */
#define SCALAR_SET(cmp, e) SCALAR_BODY(VSET_##cmp, scalar_of(u, T_U32, u->type, u->type2), e)
SCALAR_LIST(SCALAR)
COMPARE_LIST(SCALAR_SET)

/* vmad: a * b + c in full; then shifted to the right, then held to the range. A negated operand is
 * its complement and a 1 that is added; .po adds a 1 as well. */
static void VMAD(OP_ARGUMENTS)
{
    const uint32_t which = (uint32_t)u->offset;
    const int negate_product = which & VIDEO_NEGATE_PRODUCT, negate_c = which & VIDEO_NEGATE_C;
    const int is_signed = u->type2 == T_S32 || u->type3 == T_S32 || negate_product || negate_c;
    const uint8_t type = is_signed ? T_S32 : T_U32;
    const struct part part_a = part_of(which >> 4 & 0xf, u->type2);
    const struct part part_b = part_of(which >> 8 & 0xf, u->type3);
    const struct part part_c = part_of(PART_WORD, type);
    const int saturate = u->flags & UF_SAT;
    const struct range range = range_of(~0u, type, 1);
    SOURCE(U32, a, 0);
    SOURCE(U32, b, 1);
    SOURCE(U32, c, 2);
    TARGET(U32);
    FOR_LANES
    {
        const __int128 product = (__int128)take(a_lanes[i], part_a) * take(b_lanes[i], part_b);
        const int64_t c = take(negate_c ? ~c_lanes[i] : c_lanes[i], part_c);
        __int128 sum = (negate_product ? ~product : product) + c;
        sum += negate_product || negate_c || u->mod2 == SECOND_PLUS_ONE;
        sum >>= u->mod; /* .shr7, .shr15 */
        const __int128 held = sum < range.low ? range.low : sum > range.high ? range.high : sum;
        out[i] = (uint32_t)(saturate ? held : sum);
    }
    FINISH(U32)
}

/* SIMD: element n of each vector is one of the elements of b:a; the results go where the mask says,
 * the others are c's, or all are added to c. */
#define SIMD_BODY(name, count, range_type, type_a, type_b, e)                                      \
    static void name(OP_ARGUMENTS)                                                                 \
    {                                                                                              \
        enum { BITS = 32 / (count) };                                                              \
        const uint64_t which = (uint64_t)u->offset;                                                \
        const uint32_t ones = ~0u >> (32 - BITS);                                                  \
        const uint32_t sign_a = (type_a) == T_S32 ? ones ^ ones >> 1 : 0;                          \
        const uint32_t sign_b = (type_b) == T_S32 ? ones ^ ones >> 1 : 0;                          \
        const struct range range = range_of(ones, range_type, u->flags & UF_SAT);                  \
        const int accumulate = u->mod2 == SECOND_ADD;                                              \
        SOURCE(U32, a, 0);                                                                         \
        SOURCE(U32, b, 1);                                                                         \
        SOURCE(U32, c, 2);                                                                         \
        TARGET(U32);                                                                               \
        FOR_LANES                                                                                  \
        {                                                                                          \
            const uint64_t both = (uint64_t)b_lanes[i] << 32 | a_lanes[i];                         \
            uint32_t result = c_lanes[i];                                                          \
            for (uint32_t n = 0; n < (count); n++) {                                               \
                const uint32_t pick_a = which >> (VIDEO_PICKS_A + 4 * n) & 7;                      \
                const uint32_t pick_b = which >> (VIDEO_PICKS_B + 4 * n) & 7;                      \
                const int64_t a = take(both, (struct part){pick_a * BITS, ones, sign_a});          \
                const int64_t b = take(both, (struct part){pick_b * BITS, ones, sign_b});          \
                const uint32_t x = (uint32_t)hold(e, range), place = ones << n * BITS;             \
                const uint32_t merged = (x << n * BITS & place) | (result & ~place);               \
                result = !(which >> n & 1) ? result : accumulate ? result + x : merged;            \
            }                                                                                      \
            out[i] = result;                                                                       \
        }                                                                                          \
        FINISH(U32)                                                                                \
    }
#define SIMD_LIST(X, count)                                                                        \
    X(VADD, count, a + b)                                                                          \
    X(VSUB, count, a - b)                                                                          \
    X(VAVRG, count, (a + b + (a + b >= 0)) >> 1)                                                   \
    X(VABSDIFF, count, DISTANCE(a, b))                                                             \
    X(VMIN, count, LEAST(a, b))                                                                    \
    X(VMAX, count, MOST(a, b))
#define SIMD(op, count, e) SIMD_BODY(SIMD_##op##_##count, count, u->type, u->type2, u->type3, e)
#define SIMD_SET_2(cmp, e) SIMD_BODY(VSET2_##cmp, 2, T_U32, u->type, u->type2, e)
#define SIMD_SET_4(cmp, e) SIMD_BODY(VSET4_##cmp, 4, T_U32, u->type, u->type2, e)
SIMD_LIST(SIMD, 2)
SIMD_LIST(SIMD, 4)
COMPARE_LIST(SIMD_SET_2)
COMPARE_LIST(SIMD_SET_4)

#define SCALAR_FORM(op, e)      {U_##op, T_B32, ANY, ANY, CAN_SATURATE, op},
#define SIMD_FORM(op, count, e) {U_##op##count, T_B32, ANY, ANY, CAN_SATURATE, SIMD_##op##_##count},
#define SET_FORM(cmp, e)                                                                           \
    {U_VSET, T_B32, ANY, cmp, 0, VSET_##cmp}, {U_VSET2, T_B32, ANY, cmp, 0, VSET2_##cmp},          \
        {U_VSET4, T_B32, ANY, cmp, 0, VSET4_##cmp},
/* clang-format off */
static const struct exec_form video_forms[] = {
    SCALAR_LIST(SCALAR_FORM) {U_VMAD, T_B32, ANY, ANY, CAN_SATURATE, VMAD},
    SIMD_LIST(SIMD_FORM, 2) SIMD_LIST(SIMD_FORM, 4) COMPARE_LIST(SET_FORM)
};
/* clang-format on */
EXPORT_FORMS(exec_video, video_forms)
