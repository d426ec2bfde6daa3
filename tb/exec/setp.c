/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/setp.c: comparisons, tests and what selects by them. A predicate is a mask of lanes,
 * so 32 comparisons make one word. PTX ISA, "Comparison and Selection Instructions": ordered
 * comparisons with a NaN are false (also ne), unordered ones true. */
#include "tb/exec/half.h"

/* The third operand, which the comparison is combined with where there is one. */
static inline uint32_t combined(const struct exec_warp *w, const struct uop *u, uint32_t yes)
{
    if (u->mod2 == BOOL_NONE) {
        return yes;
    }
    const uint32_t other = exec_negatable(w, u, 2, UF_SRC_NOT);
    return u->mod2 == BOOL_AND ? yes & other : u->mod2 == BOOL_OR ? yes | other : yes ^ other;
}

/* setp: the comparison and its complement. */
static void write_predicates(struct exec_warp *w, const struct uop *u, uint32_t mask, uint32_t yes)
{
    const uint32_t p = combined(w, u, yes), q = combined(w, u, ~yes);
    exec_set_predicate(w, u->dst[0], mask, p);
    if (u->dst[1] != UOP_NONE) {
        exec_set_predicate(w, u->dst[1], mask, q);
    }
}

/* What set gives where a comparison holds: all ones, or 1.0; of .f16x2 in each half. */
static inline uint32_t truth(uint8_t type)
{
    return type == T_F32                    ? 0x3f800000
           : type == T_F16                  ? 0x3c00
           : type == T_F16X2                ? 0x3c003c00
           : type == T_U16 || type == T_S16 ? 0xffff
                                            : ~0u;
}

/* set: that, or zero. */
static void write_values(struct exec_warp *w, const struct uop *u, uint32_t mask, uint32_t yes)
{
    const uint32_t result = combined(w, u, yes), one = truth(u->type);
    uint32_t lanes[WARP_LANES];
    FOR_LANES lanes[i] = exec_lane_bit32[i] & result ? one : 0;
    exec_blend(exec_target(w, u->dst[0]), lanes, mask, sizeof(uint32_t));
}

/* Lists of X(type, comparison, width of a lane, expression). */
#define EQUALITIES(X, T, width) X(T, CMP_EQ, width, a == b) X(T, CMP_NE, width, a != b)
#define ORDERINGS(X, T, width)                                                                     \
    X(T, CMP_LT, width, a < b)                                                                     \
    X(T, CMP_LE, width, a <= b)                                                                    \
    X(T, CMP_GT, width, a > b)                                                                     \
    X(T, CMP_GE, width, a >= b)
#define INTEGER_SETP_LIST(X)                                                                       \
    EQUALITIES(X, B16, 32)                                                                         \
    EQUALITIES(X, B32, 32)                                                                         \
    EQUALITIES(X, B64, 64)                                                                         \
    ORDERINGS(X, U16, 32)                                                                          \
    ORDERINGS(X, S16, 32)                                                                          \
    ORDERINGS(X, U32, 32)                                                                          \
    ORDERINGS(X, S32, 32)                                                                          \
    ORDERINGS(X, U64, 64)                                                                          \
    ORDERINGS(X, S64, 64)
#define FLOAT_COMPARISONS(X, T, width)                                                             \
    ORDERINGS(X, T, width)                                                                         \
    X(T, CMP_EQ, width, a == b)                                                                    \
    X(T, CMP_NE, width, (a < b) | (a > b))                                                         \
    X(T, CMP_EQU, width, !((a < b) | (a > b)))                                                     \
    X(T, CMP_NEU, width, a != b)                                                                   \
    X(T, CMP_LTU, width, !(a >= b))                                                                \
    X(T, CMP_LEU, width, !(a > b))                                                                 \
    X(T, CMP_GTU, width, !(a <= b))                                                                \
    X(T, CMP_GEU, width, !(a < b))                                                                 \
    X(T, CMP_NUM, width, (a == a) & (b == b))                                                      \
    X(T, CMP_NAN, width, (a != a) | (b != b))
#define FLOAT_SETP_LIST(X)   FLOAT_COMPARISONS(X, F32, 32) FLOAT_COMPARISONS(X, F64, 64)
#define FLUSHED_SETP_LIST(X) FLOAT_COMPARISONS(X, F32, 32)

/* A function that compares 32 lanes and hands the word to `write`; `load` gives a lane's value. */
#define COMPARISON(name, write, load, T, width, e)                                                 \
    static void name(OP_ARGUMENTS)                                                                 \
    {                                                                                              \
        SOURCE(T, a, 0);                                                                           \
        SOURCE(T, b, 1);                                                                           \
        uint##width##_t yes = 0;                                                                   \
        FOR_LANES                                                                                  \
        {                                                                                          \
            load(T, a);                                                                            \
            load(T, b);                                                                            \
            yes |= (e) ? exec_lane_bit##width[i] : 0;                                              \
        }                                                                                          \
        write(w, u, mask, (uint32_t)yes);                                                          \
    }
#define FLUSHED(T, name) const value_##T name = flush_##T(name##_lanes[i], FLT_MIN)
#define SETP(T, comparison, width, e)                                                              \
    COMPARISON(SETP_##comparison##_##T, write_predicates, VALUE, T, width, e)                      \
    COMPARISON(SET_##comparison##_##T, write_values, VALUE, T, width, e)
#define SETP_FLUSHED(T, comparison, width, e)                                                      \
    COMPARISON(SETP_##comparison##_##T##_FLUSHED, write_predicates, FLUSHED, T, width, e)          \
    COMPARISON(SET_##comparison##_##T##_FLUSHED, write_values, FLUSHED, T, width, e)
INTEGER_SETP_LIST(SETP)
FLOAT_SETP_LIST(SETP)
FLUSHED_SETP_LIST(SETP_FLUSHED)

/* .f16: compared as doubles. */
#define FROM_HALF(T, name) const double name = half_operand(name##_lanes[i], half_least(u))
#define HALF_SETP_LIST(X)  FLOAT_COMPARISONS(X, F16, 32)
#define SETP_HALF(T, comparison, width, e)                                                         \
    COMPARISON(SETP_##comparison##_##T, write_predicates, FROM_HALF, T, width, e)                  \
    COMPARISON(SET_##comparison##_##T, write_values, FROM_HALF, T, width, e)
HALF_SETP_LIST(SETP_HALF)

/* .f16x2: setp gives p from the low halves and q from the high ones, set each half its own. */
static void write_two_predicates(struct exec_warp *w, const struct uop *u, uint32_t mask,
                                 const uint32_t yes[2])
{
    const uint32_t p = combined(w, u, yes[0]), q = combined(w, u, yes[1]);
    exec_set_predicate(w, u->dst[0], mask, p);
    if (u->dst[1] != UOP_NONE) {
        exec_set_predicate(w, u->dst[1], mask, q);
    }
}

static void write_two_values(struct exec_warp *w, const struct uop *u, uint32_t mask,
                             const uint32_t yes[2])
{
    const uint32_t low = combined(w, u, yes[0]), high = combined(w, u, yes[1]);
    const uint32_t one = truth(u->type);
    uint32_t lanes[WARP_LANES];
    FOR_LANES lanes[i] = (exec_lane_bit32[i] & low ? one & 0xffff : 0) |
                         (exec_lane_bit32[i] & high ? one & ~0xffffu : 0);
    exec_blend(exec_target(w, u->dst[0]), lanes, mask, sizeof(uint32_t));
}

#define HALVES_SETP_LIST(X) FLOAT_COMPARISONS(X, F16X2, 32)
#define COMPARISON_OF_TWO(name, write, e)                                                          \
    static void name(OP_ARGUMENTS)                                                                 \
    {                                                                                              \
        const double least = half_least(u);                                                        \
        SOURCE(B32, a, 0);                                                                         \
        SOURCE(B32, b, 1);                                                                         \
        uint32_t yes[2] = {0};                                                                     \
        FOR_LANES                                                                                  \
        {                                                                                          \
            for (int n = 0; n < 2; n++) {                                                          \
                const double a = half_operand(a_lanes[i] >> 16 * n, least);                        \
                const double b = half_operand(b_lanes[i] >> 16 * n, least);                        \
                yes[n] |= (e) ? exec_lane_bit32[i] : 0;                                            \
            }                                                                                      \
        }                                                                                          \
        write(w, u, mask, yes);                                                                    \
    }
#define SETP_HALVES(T, comparison, width, e)                                                       \
    COMPARISON_OF_TWO(SETP_##comparison##_##T, write_two_predicates, e)                            \
    COMPARISON_OF_TWO(SET_##comparison##_##T, write_two_values, e)
HALVES_SETP_LIST(SETP_HALVES)

/* testp: zeros are normal numbers. */
#define TEST_LIST(X)                                                                               \
    X(TEST_FINITE, isfinite(a))                                                                    \
    X(TEST_INFINITE, isinf(a))                                                                     \
    X(TEST_NUMBER, !isnan(a))                                                                      \
    X(TEST_NOTANUMBER, isnan(a))                                                                   \
    X(TEST_NORMAL, isnormal(a) || a == 0)                                                          \
    X(TEST_SUBNORMAL, fpclassify(a) == FP_SUBNORMAL)
#define TESTP(T, test, e)                                                                          \
    static void TESTP_##test##_##T(OP_ARGUMENTS)                                                   \
    {                                                                                              \
        SOURCE(T, a, 0);                                                                           \
        uint32_t yes = 0;                                                                          \
        FOR_LANES                                                                                  \
        {                                                                                          \
            VALUE(T, a);                                                                           \
            yes |= (e) ? exec_lane_bit32[i] : 0;                                                   \
        }                                                                                          \
        exec_set_predicate(w, u->dst[0], mask, yes);                                               \
    }
#define TESTP_BOTH(test, e) TESTP(F32, test, e) TESTP(F64, test, e)
TEST_LIST(TESTP_BOTH)

/* slct: X(type of the selected, type of the selector, its sign). */
#define SLCT_LIST(X)                                                                               \
    X(B16, S32, c)                                                                                 \
    X(B32, S32, c)                                                                                 \
    X(B64, S32, c)                                                                                 \
    X(B16, F32, flush_F32(c, u->flags &UF_FTZ ? FLT_MIN : 0))                                      \
    X(B32, F32, flush_F32(c, u->flags &UF_FTZ ? FLT_MIN : 0))                                      \
    X(B64, F32, flush_F32(c, u->flags &UF_FTZ ? FLT_MIN : 0))
#define SLCT(T, C, sign) DEFINE_TERNARY(SLCT_##T##_##C, T, T, T, C, (sign) >= 0 ? a : b)
SLCT_LIST(SLCT)

#define SETP_FORM(T, comparison, width, e)                                                         \
    {U_SETP, T_##T, ANY, comparison, 0, SETP_##comparison##_##T},                                  \
        {U_SET, T_##T, ANY, comparison, 0, SET_##comparison##_##T},
#define FLUSHED_FORM(T, comparison, width, e)                                                      \
    {U_SETP, T_##T, ANY, comparison, CAN_FLUSH, SETP_##comparison##_##T##_FLUSHED},                \
        {U_SET, T_##T, ANY, comparison, CAN_FLUSH, SET_##comparison##_##T##_FLUSHED},
#define HALF_SETP_FORM(T, comparison, width, e)                                                    \
    {U_SETP, T_##T, ANY, comparison, CAN_FLUSH, SETP_##comparison##_##T},                          \
        {U_SET, T_##T, ANY, comparison, CAN_FLUSH, SET_##comparison##_##T},
#define TEST_FORM(test, e)                                                                         \
    {U_TESTP, T_F32, ANY, test, 0, TESTP_##test##_F32},                                            \
        {U_TESTP, T_F64, ANY, test, 0, TESTP_##test##_F64},
#define SLCT_FORM(T, C, sign) {U_SLCT, T_##T, T_##C, ANY, CAN_FLUSH, SLCT_##T##_##C},
/* clang-format off */
static const struct exec_form setp_forms[] = {
    INTEGER_SETP_LIST(SETP_FORM) FLOAT_SETP_LIST(SETP_FORM) FLUSHED_SETP_LIST(FLUSHED_FORM)
    HALF_SETP_LIST(HALF_SETP_FORM) HALVES_SETP_LIST(HALF_SETP_FORM)
    TEST_LIST(TEST_FORM) SLCT_LIST(SLCT_FORM)
};
/* clang-format on */
EXPORT_FORMS(exec_setp, setp_forms)
