/* SPDX-License-Identifier: Apache-2.0 */
/* tb/sm/exec_setp.c: comparisons. A predicate is a mask of lanes, so 32 comparisons make one word.
 * PTX ISA, "Comparison and Selection Instructions": ordered comparisons with a NaN are false (also
 * ne), unordered ones true. */
#include "tb/sm/exec_float.h"

/* Writes the predicates: the comparison and its complement, each combined with a third one if there
 * is one. */
static void set(struct exec_warp *w, const struct uop *u, uint32_t mask, uint32_t yes)
{
    uint32_t no = ~yes;
    if (u->mod2 != BOOL_NONE) {
        uint32_t other = exec_predicate(w, u->src[2]) ^ (u->flags & UF_SRC_NOT ? ~0u : 0);
        yes = u->mod2 == BOOL_AND ? yes & other : u->mod2 == BOOL_OR ? yes | other : yes ^ other;
        no = u->mod2 == BOOL_AND ? no & other : u->mod2 == BOOL_OR ? no | other : no ^ other;
    }
    exec_set_predicate(w, u->dst[0], mask, yes);
    if (u->dst[1] != UOP_NONE) {
        exec_set_predicate(w, u->dst[1], mask, no);
    }
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

#define SETP(T, comparison, width, e)                                                              \
    static void SETP_##comparison##_##T(OP_ARGUMENTS)                                              \
    {                                                                                              \
        SOURCE(T, a, 0);                                                                           \
        SOURCE(T, b, 1);                                                                           \
        uint##width##_t yes = 0;                                                                   \
        FOR_LANES                                                                                  \
        {                                                                                          \
            VALUE(T, a);                                                                           \
            VALUE(T, b);                                                                           \
            yes |= (e) ? exec_lane_bit##width[i] : 0;                                              \
        }                                                                                          \
        set(w, u, mask, (uint32_t)yes);                                                            \
    }
#define SETP_FLUSHED(T, comparison, width, e)                                                      \
    static void SETP_##comparison##_##T##_FLUSHED(OP_ARGUMENTS)                                    \
    {                                                                                              \
        SOURCE(T, a, 0);                                                                           \
        SOURCE(T, b, 1);                                                                           \
        uint##width##_t yes = 0;                                                                   \
        FOR_LANES                                                                                  \
        {                                                                                          \
            const value_##T a = flush_##T(a_lanes[i], FLT_MIN);                                    \
            const value_##T b = flush_##T(b_lanes[i], FLT_MIN);                                    \
            yes |= (e) ? exec_lane_bit##width[i] : 0;                                              \
        }                                                                                          \
        set(w, u, mask, (uint32_t)yes);                                                            \
    }
INTEGER_SETP_LIST(SETP)
FLOAT_SETP_LIST(SETP)
FLUSHED_SETP_LIST(SETP_FLUSHED)

#define SETP_FORM(T, comparison, width, e)                                                         \
    {U_SETP, T_##T, ANY, comparison, 0, SETP_##comparison##_##T},
#define FLUSHED_FORM(T, comparison, width, e)                                                      \
    {U_SETP, T_##T, ANY, comparison, CAN_FLUSH, SETP_##comparison##_##T##_FLUSHED},
/* clang-format off */
static const struct exec_form setp_forms[] = {
    INTEGER_SETP_LIST(SETP_FORM) FLOAT_SETP_LIST(SETP_FORM) FLUSHED_SETP_LIST(FLUSHED_FORM)
};
/* clang-format on */
EXPORT_FORMS(exec_setp, setp_forms)
