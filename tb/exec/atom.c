/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/atom.c: atomics, lane after lane in ascending order. PTX ISA, "atom". */
#include "tb/exec/half.h"
#include "tb/exec/mem.h"

/* X(operation, type, new value): of `old` and the operands b and c. */
#define ATOM_BOTH(X, op, e)     X(op, B32, e) X(op, B64, e)
#define ATOM_INTEGERS(X, op, e) X(op, U32, e) X(op, S32, e) X(op, U64, e) X(op, S64, e)
#define ATOM_LIST(X)                                                                               \
    ATOM_BOTH(X, ATOM_ADD, old + b)                                                                \
    ATOM_BOTH(X, ATOM_AND, old &b)                                                                 \
    ATOM_BOTH(X, ATOM_OR, old | b)                                                                 \
    ATOM_BOTH(X, ATOM_XOR, old ^ b)                                                                \
    ATOM_BOTH(X, ATOM_EXCH, b)                                                                     \
    ATOM_INTEGERS(X, ATOM_MIN, old < b ? old : b)                                                  \
    ATOM_INTEGERS(X, ATOM_MAX, old > b ? old : b)                                                  \
    X(ATOM_INC, U32, old >= b ? 0 : old + 1)                                                       \
    X(ATOM_DEC, U32, old == 0 || old > b ? b : old - 1)                                            \
    X(ATOM_ADD, F32, add_F32(old, b, access->space == SPACE_GLOBAL ? FLT_MIN : 0))                 \
    X(ATOM_ADD, F64, canonical_F64(old + b))                                                       \
    X(ATOM_ADD, F16, sum_of_halves(old, b))                                                        \
    X(ATOM_ADD, F16X2, sum_of_halves(old, b) | sum_of_halves(old >> 16, b >> 16) << 16)
#define ATOM_CAS_LIST(X)                                                                           \
    X(ATOM_CAS, B16, old == b ? c : old)                                                           \
    ATOM_BOTH(X, ATOM_CAS, old == b ? c : old)

typedef slot_B32 slot_F16X2;
typedef uint32_t element_F16X2, bits_F16X2, value_F16X2;

/* PTX ISA: on global memory subnormals are flushed, on shared memory they are not. */
static inline float add_F32(float a, float b, float least)
{
    return canonical_F32(flush_F32(flush_F32(a, least) + flush_F32(b, least), least));
}

/* .noftz: subnormals stay, wherever they are. */
static inline uint32_t sum_of_halves(uint32_t a, uint32_t b)
{
    return half_of(double_from_half((uint16_t)a) + double_from_half((uint16_t)b));
}

#define KEPT(T, name, n)                                                                           \
    const slot_##T *const name##_lanes = exec_later_operand(w, u->src[n], n - 1)
#define ATOMIC_BODY(T, operands, e)                                                                \
    uint32_t left = mem_begin(w, u, mask, sizeof(element_##T), sizeof(slot_##T), access);          \
    struct mem_group group;                                                                        \
    while (mem_next(w, access, &left, &group)) {                                                   \
        FOR_ACTIVE(group.lanes, i)                                                                 \
        {                                                                                          \
            element_##T old, new;                                                                  \
            operands memcpy(&old, mem_at(&group, i), sizeof old);                                  \
            new = (element_##T)(e);                                                                \
            memcpy(mem_at(&group, i), &new, sizeof new);                                           \
            if (u->dst[0] != UOP_NONE) {                                                           \
                ((slot_##T *)exec_target(w, u->dst[0]))[i] = (bits_##T)old;                        \
            }                                                                                      \
        }                                                                                          \
    }
#define ATOMIC(op, T, e)                                                                           \
    static void op##_##T(OP_ARGUMENTS)                                                             \
    {                                                                                              \
        KEPT(T, b, 1);                                                                             \
        ATOMIC_BODY(T, VALUE(T, b);, e)                                                            \
    }
#define ATOMIC_CAS(op, T, e)                                                                       \
    static void op##_##T(OP_ARGUMENTS)                                                             \
    {                                                                                              \
        KEPT(T, b, 1);                                                                             \
        KEPT(T, c, 2);                                                                             \
        ATOMIC_BODY(T, VALUE(T, b); VALUE(T, c);, e)                                               \
    }
ATOM_LIST(ATOMIC)
ATOM_CAS_LIST(ATOMIC_CAS)

#define ATOMIC_FORM(op, T, e) {U_ATOM, T_##T, ANY, op, 0, op##_##T},
/* clang-format off */
static const struct exec_form atom_forms[] = {ATOM_LIST(ATOMIC_FORM) ATOM_CAS_LIST(ATOMIC_FORM)};
/* clang-format on */
EXPORT_FORMS(exec_atom, atom_forms)
