/* SPDX-License-Identifier: Apache-2.0 */
/* tb/exec/op.h: how operations are written. An operation is one expression over the values of
 * one lane; the macros here make a function of it that runs it over 32 lanes in a loop the compiler
 * vectorises: never a branch on a type, and one branch on the mask. Results of inactive lanes are
 * computed like the others, into a buffer, and thrown away; only operations that are costly for
 * each lane (SPARSE) visit the active lanes one by one.
 *
 * The files that include this header are compiled once for any machine and once, through v3.c,
 * for machines with AVX2 and FMA; exec_bind chooses. Both give the same results, bit for bit. */
#ifndef HEDDLE_TB_EXEC_OP_H
#define HEDDLE_TB_EXEC_OP_H

#include <stddef.h>
#include <string.h>

#include "tb/exec/exec.h"

/* Lanes of a register. Registers have no type: what one instruction writes as float another reads
 * as integer. */
typedef uint32_t lane32 __attribute__((may_alias));
typedef uint64_t lane64 __attribute__((may_alias));
typedef float lane_float __attribute__((may_alias));
typedef double lane_double __attribute__((may_alias));

/* For each type: what a lane of the register is (slot), what of it counts (element), what
 * expressions compute with (value), and how a result is cut before it is stored (bits). Untyped
 * values are unsigned. */
#define EXEC_TYPE(T, slot, element, value, bits)                                                   \
    typedef slot slot_##T;                                                                         \
    typedef element element_##T;                                                                   \
    typedef value value_##T;                                                                       \
    typedef bits bits_##T;
EXEC_TYPE(B8, lane32, uint8_t, uint32_t, uint8_t)
EXEC_TYPE(U8, lane32, uint8_t, uint32_t, uint8_t)
EXEC_TYPE(S8, lane32, int8_t, int32_t, uint8_t)
EXEC_TYPE(B16, lane32, uint16_t, uint32_t, uint16_t)
EXEC_TYPE(U16, lane32, uint16_t, uint32_t, uint16_t)
EXEC_TYPE(S16, lane32, int16_t, int32_t, uint16_t)
EXEC_TYPE(B32, lane32, uint32_t, uint32_t, uint32_t)
EXEC_TYPE(U32, lane32, uint32_t, uint32_t, uint32_t)
EXEC_TYPE(S32, lane32, int32_t, int32_t, uint32_t)
EXEC_TYPE(B64, lane64, uint64_t, uint64_t, uint64_t)
EXEC_TYPE(U64, lane64, uint64_t, uint64_t, uint64_t)
EXEC_TYPE(S64, lane64, int64_t, int64_t, uint64_t)
EXEC_TYPE(F32, lane_float, float, float, float)
EXEC_TYPE(F64, lane_double, double, double, double)
#undef EXEC_TYPE

/* Bit i at index i, in both widths, so that masks are tested and made by vector instructions. */
extern const uint32_t exec_lane_bit32[WARP_LANES];
extern const uint64_t exec_lane_bit64[WARP_LANES];

#define OP_ARGUMENTS                                                                               \
    struct exec_warp *w, const struct uop *u, uint32_t mask,                                       \
        struct exec_access *access __attribute__((unused))

static inline const void *exec_source(const struct exec_warp *w, uint32_t operand)
{
    return w->base[operand >> 31] + (operand & ~UOP_CONST);
}

static inline void *exec_target(const struct exec_warp *w, uint32_t operand)
{
    return w->regs + operand;
}

static inline uint32_t exec_predicate(const struct exec_warp *w, uint32_t operand)
{
    return *(const lane32 *)exec_source(w, operand);
}

/* Source n, which is a predicate, negated where the flag (enum uop_flag) says so. */
static inline uint32_t exec_negatable(const struct exec_warp *w, const struct uop *u, uint32_t n,
                                      uint16_t flag)
{
    return exec_predicate(w, u->src[n]) ^ (u->flags & flag ? ~0u : 0);
}

static inline void exec_set_predicate(struct exec_warp *w, uint32_t operand, uint32_t mask,
                                      uint32_t value)
{
    lane32 *d = exec_target(w, operand);
    *d = (*d & ~mask) | (value & mask);
}

/* What turns an address of the space into a generic one when added. */
static inline uint64_t generic_base(uint8_t space)
{
    return space == SPACE_SHARED  ? GENERIC_SHARED_BASE
           : space == SPACE_LOCAL ? GENERIC_LOCAL_BASE
           : space == SPACE_PARAM ? GENERIC_PARAM_BASE
                                  : 0;
}

#define FOR_LANES _Pragma("GCC ivdep") for (int i = 0; i < WARP_LANES; i++)
/* `rest` is a copy of the mask that the loop uses up, lowest lane first. */
#define FOR_ACTIVE(rest, i)                                                                        \
    for (int i; (rest) != 0 && ((i = __builtin_ctz(rest)), 1); (rest) &= (rest)-1)

/* d[i] = s[i] in the lanes of the mask. `slot` is a constant where this is inlined. */
static inline __attribute__((always_inline)) void exec_blend(void *d, const void *s, uint32_t mask,
                                                             size_t slot)
{
    if (slot == sizeof(uint32_t)) {
        lane32 *to = d;
        const lane32 *from = s;
        FOR_LANES to[i] = exec_lane_bit32[i] & mask ? from[i] : to[i];
    } else {
        lane64 *to = d;
        const lane64 *from = s;
        FOR_LANES to[i] = exec_lane_bit64[i] & mask ? from[i] : to[i];
    }
}

/* The parts of an operation's body: sources, target, values of one lane, and the end. */
#define SOURCE(T, name, n) const slot_##T *const name##_lanes = exec_source(w, u->src[n])
#define TARGET(T)                                                                                  \
    slot_##T buffer[WARP_LANES];                                                                   \
    slot_##T *const d = exec_target(w, u->dst[0]);                                                 \
    slot_##T *const out = mask == ~0u ? d : buffer
#define VALUE(T, name) const value_##T name = (element_##T)name##_lanes[i]
#define FINISH(T)                                                                                  \
    if (mask != ~0u) {                                                                             \
        exec_blend(d, buffer, mask, sizeof *d);                                                    \
    }

/* Functions `name`: D is the type of the result, A B C E the types of the operands a b c e. */
#define DEFINE_UNARY(name, D, A, expression)                                                       \
    static void name(OP_ARGUMENTS)                                                                 \
    {                                                                                              \
        SOURCE(A, a, 0);                                                                           \
        TARGET(D);                                                                                 \
        FOR_LANES                                                                                  \
        {                                                                                          \
            VALUE(A, a);                                                                           \
            out[i] = (bits_##D)(expression);                                                       \
        }                                                                                          \
        FINISH(D)                                                                                  \
    }
#define DEFINE_BINARY(name, D, A, B, expression)                                                   \
    static void name(OP_ARGUMENTS)                                                                 \
    {                                                                                              \
        SOURCE(A, a, 0);                                                                           \
        SOURCE(B, b, 1);                                                                           \
        TARGET(D);                                                                                 \
        FOR_LANES                                                                                  \
        {                                                                                          \
            VALUE(A, a);                                                                           \
            VALUE(B, b);                                                                           \
            out[i] = (bits_##D)(expression);                                                       \
        }                                                                                          \
        FINISH(D)                                                                                  \
    }
#define DEFINE_TERNARY(name, D, A, B, C, expression)                                               \
    static void name(OP_ARGUMENTS)                                                                 \
    {                                                                                              \
        SOURCE(A, a, 0);                                                                           \
        SOURCE(B, b, 1);                                                                           \
        SOURCE(C, c, 2);                                                                           \
        TARGET(D);                                                                                 \
        FOR_LANES                                                                                  \
        {                                                                                          \
            VALUE(A, a);                                                                           \
            VALUE(B, b);                                                                           \
            VALUE(C, c);                                                                           \
            out[i] = (bits_##D)(expression);                                                       \
        }                                                                                          \
        FINISH(D)                                                                                  \
    }

/* The same for the active lanes only. */
#define DEFINE_BINARY_SPARSE(name, D, A, B, expression)                                            \
    static void name(OP_ARGUMENTS)                                                                 \
    {                                                                                              \
        SOURCE(A, a, 0);                                                                           \
        SOURCE(B, b, 1);                                                                           \
        slot_##D *const d = exec_target(w, u->dst[0]);                                             \
        FOR_ACTIVE(mask, i)                                                                        \
        {                                                                                          \
            VALUE(A, a);                                                                           \
            VALUE(B, b);                                                                           \
            d[i] = (bits_##D)(expression);                                                         \
        }                                                                                          \
    }

/* What a form does beyond the plain operation, or can do if the uop says so. */
enum exec_ability {
    CAN_SATURATE = 1,
    CAN_FLUSH = 2,  /* .ftz */
    CAN_ROUND = 4,  /* other than to nearest even */
    CAN_RESIZE = 8, /* cvt between registers wider than the types */
    CAN_ALL = 15,
    CAN_APPROXIMATE = 16 /* where PTX says what an approximation does not give */
};

#define ANY 0xff /* this field of the uop does not matter */

/* One executable form: the uops that `run` executes. A form of a .b type serves all types of that
 * width for which there is no other. */
struct exec_form {
    uint8_t op, type, type2, mod, abilities;
    uop_fn *run;
};

struct exec_forms {
    const struct exec_form *form;
    size_t count;
};

#ifndef EXEC_ISA
#define EXEC_ISA(name) name
#endif

/* At the end of a file: makes its table known under the name of the machine that it is compiled
 * for. */
#define EXPORT_FORMS(name, array)                                                                  \
    extern const struct exec_forms EXEC_ISA(name);                                                 \
    const struct exec_forms EXEC_ISA(name) = {array, sizeof array / sizeof *array};

#endif
