/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/lanes.c: instructions in which lanes see each other: shuffles, votes, matches,
 * reductions. PTX ISA, "shfl", "vote", "match", "redux", "activemask", "bar.warp.sync".
 *
 * With .sync the lanes that the mask names meet at the instruction. Lanes that have returned are
 * not waited for. Others that are not here are on another path of the warp, which is executed only
 * after this one has come to its end: waiting for them would last for ever, so they are a fault.
 * Without .sync those take part that are here. */
#include "tb/exec/fault.h"
#include "tb/exec/op.h"

/* The lanes of `mask` that meet; 0 after a fault. `operand` names them, each lane for itself. */
static uint32_t meeting(struct exec_warp *w, uint32_t mask, uint32_t operand)
{
    if (operand == UOP_NONE) {
        return mask;
    }
    const lane32 *members = exec_source(w, operand);
    const int first = __builtin_ctz(mask);
    const uint32_t named = members[first];
    uint32_t rest = mask;
    FOR_ACTIVE(rest, i)
    {
        if (members[i] != named) {
            exec_fault(w, i, "the lane mask is 0x%x; lane %d has 0x%x", members[i], first, named);
            return 0;
        }
    }
    const uint32_t missing = named & ~mask & ~w->exited;
    if (missing) {
        exec_fault(w, first, "lanes 0x%x of the mask 0x%x are elsewhere and cannot be waited for",
                   missing, named);
        return 0;
    }
    if (mask & ~named) {
        exec_fault(w, __builtin_ctz(mask & ~named), "the lane mask 0x%x is without this lane",
                   named);
        return 0;
    }
    return mask;
}

static void SYNCWARP(OP_ARGUMENTS)
{
    meeting(w, mask, u->src[0]);
}

/* The lane whose value `lane` gets; *in_range as PTX defines the predicate. c holds the clamp and,
 * from bit 8 on, the mask that divides the warp into segments. */
static int source_lane(uint8_t mode, int lane, uint32_t b, uint32_t c, int *in_range)
{
    const int offset = b & 31, segment = c >> 8 & 31;
    const int low = lane & segment, high = low | (c & 31 & ~segment);
    const int from = mode == SHUFFLE_UP     ? lane - offset
                     : mode == SHUFFLE_DOWN ? lane + offset
                     : mode == SHUFFLE_BFLY ? lane ^ offset
                                            : low | (offset & ~segment);
    *in_range = mode == SHUFFLE_UP ? from >= high : from <= high;
    return *in_range ? from : lane;
}

/* A lane that gets the value of one that is not here gets what is in its register. */
static void SHFL(OP_ARGUMENTS)
{
    SOURCE(B32, b, 1);
    SOURCE(B32, c, 2);
    lane32 values[WARP_LANES], *d = exec_target(w, u->dst[0]);
    lane32 offsets[WARP_LANES], bounds[WARP_LANES];
    uint32_t valid = 0;
    mask = meeting(w, mask, u->src[3]);
    memcpy(values, exec_source(w, u->src[0]), sizeof values);
    memcpy(offsets, b_lanes, sizeof offsets);
    memcpy(bounds, c_lanes, sizeof bounds);
    uint32_t rest = mask;
    FOR_ACTIVE(rest, i)
    {
        int in_range;
        d[i] = values[source_lane(u->mod, i, offsets[i], bounds[i], &in_range)];
        valid |= in_range ? 1u << i : 0;
    }
    if (u->dst[1] != UOP_NONE) {
        exec_set_predicate(w, u->dst[1], mask, valid);
    }
}

static uint32_t votes(struct exec_warp *w, const struct uop *u, uint32_t mask)
{
    return exec_negatable(w, u, 0, UF_SRC_NOT) & mask;
}

static void VOTE(OP_ARGUMENTS)
{
    mask = meeting(w, mask, u->src[1]);
    const uint32_t yes = votes(w, u, mask);
    const int all = yes == mask, any = yes != 0;
    const int result = u->mod == VOTE_ALL ? all : u->mod == VOTE_ANY ? any : all || !any;
    exec_set_predicate(w, u->dst[0], mask, result ? ~0u : 0);
}

static void give_all(struct exec_warp *w, uint32_t operand, uint32_t mask, uint32_t value)
{
    lane32 *d = exec_target(w, operand);
    FOR_ACTIVE(mask, i)
    {
        d[i] = value;
    }
}

static void BALLOT(OP_ARGUMENTS)
{
    mask = meeting(w, mask, u->src[1]);
    give_all(w, u->dst[0], mask, votes(w, u, mask));
}

static void ACTIVEMASK(OP_ARGUMENTS)
{
    give_all(w, u->dst[0], mask, mask);
}

/* match.any: the lanes with the same value. match.all: all of them if they have one, else none. */
#define MATCH(T)                                                                                   \
    static void MATCH_##T(OP_ARGUMENTS)                                                            \
    {                                                                                              \
        bits_##T values[WARP_LANES];                                                               \
        lane32 *d = exec_target(w, u->dst[0]);                                                     \
        memcpy(values, exec_source(w, u->src[0]), sizeof values);                                  \
        mask = meeting(w, mask, u->src[1]);                                                        \
        uint32_t rest = mask, all = 0;                                                             \
        FOR_ACTIVE(rest, i)                                                                        \
        {                                                                                          \
            uint32_t same = 0, others = mask;                                                      \
            FOR_ACTIVE(others, k)                                                                  \
            {                                                                                      \
                same |= values[k] == values[i] ? 1u << k : 0;                                      \
            }                                                                                      \
            all = same == mask ? ~0u : 0;                                                          \
            d[i] = u->mod == MATCH_ANY ? same : same & all;                                        \
        }                                                                                          \
        if (u->dst[1] != UOP_NONE) {                                                               \
            exec_set_predicate(w, u->dst[1], mask, all);                                           \
        }                                                                                          \
    }
MATCH(B32)
MATCH(B64)

/* X(operation, type, first value, expression). */
#define REDUX_LIST(X)                                                                              \
    X(ATOM_ADD, B32, 0, sum + a)                                                                   \
    X(ATOM_AND, B32, ~0u, sum &a)                                                                  \
    X(ATOM_OR, B32, 0, sum | a)                                                                    \
    X(ATOM_XOR, B32, 0, sum ^ a)                                                                   \
    X(ATOM_MIN, U32, UINT32_MAX, a < sum ? a : sum)                                                \
    X(ATOM_MIN, S32, INT32_MAX, a < sum ? a : sum)                                                 \
    X(ATOM_MAX, U32, 0, a > sum ? a : sum)                                                         \
    X(ATOM_MAX, S32, INT32_MIN, a > sum ? a : sum)
#define REDUX(op, T, first, e)                                                                     \
    static void REDUX_##op##_##T(OP_ARGUMENTS)                                                     \
    {                                                                                              \
        SOURCE(T, a, 0);                                                                           \
        value_##T sum = first;                                                                     \
        mask = meeting(w, mask, u->src[1]);                                                        \
        uint32_t rest = mask;                                                                      \
        FOR_ACTIVE(rest, i)                                                                        \
        {                                                                                          \
            VALUE(T, a);                                                                           \
            sum = (e);                                                                             \
        }                                                                                          \
        give_all(w, u->dst[0], mask, (uint32_t)sum);                                               \
    }
REDUX_LIST(REDUX)

#define REDUX_FORM(op, T, first, e) {U_REDUX, T_##T, ANY, op, 0, REDUX_##op##_##T},
/* clang-format off */
static const struct exec_form lanes_forms[] = {
    {U_SHFL, T_B32, ANY, ANY, 0, SHFL}, {U_VOTE, T_PRED, ANY, ANY, 0, VOTE},
    {U_VOTE, T_B32, ANY, ANY, 0, BALLOT}, {U_ACTIVEMASK, T_B32, ANY, ANY, 0, ACTIVEMASK},
    {U_SYNCWARP, T_B32, ANY, ANY, 0, SYNCWARP}, {U_MATCH, T_B32, ANY, ANY, 0, MATCH_B32},
    {U_MATCH, T_B64, ANY, ANY, 0, MATCH_B64}, REDUX_LIST(REDUX_FORM)
};
/* clang-format on */
EXPORT_FORMS(exec_lanes, lanes_forms)
