/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/value.h: what a register of a thread holds, as far as that is known before the kernel
 * runs: a constant and a sum of factors times atoms. Atoms are the coordinates of the block and of
 * the thread, the trips of loops, and functions of values that are not sums (a quotient, a choice).
 * Values are numbers; a register holds one modulo 2 to its width, and value_as says which number
 * that is under a type. Equal values are the same pointer.
 * Source: PAVER 3.3 has ROW * N + i; what compilers make of such an index needs the rest. */
#ifndef HEDDLE_TB_LOCALITY_VALUE_H
#define HEDDLE_TB_LOCALITY_VALUE_H

#include "tb/ptx/context.h"

enum axis { AXIS_BLOCK_X, AXIS_BLOCK_Y, AXIS_BLOCK_Z, AXIS_X, AXIS_Y, AXIS_Z, NUM_AXES };
#define MAX_COUNTED 48   /* loops of a kernel that are followed */
#define MAX_DEPTH   256  /* values in values */
#define MAX_PARTS   1024 /* of a condition */

/* What a value or a condition depends on, a bit each. */
#define NEEDS_BLOCK      ((uint64_t)7)
#define NEEDS_THREAD     ((uint64_t)7 << AXIS_X)
#define NEEDS_TRIP(loop) ((uint64_t)1 << (NUM_AXES + (loop)))
#define NEEDS_DOUBT      ((uint64_t)1 << 62) /* on what is not known */
#define NEEDS_GUESS      ((uint64_t)1 << 63) /* on what a register holds when a trip begins */

/* Why something is not known; the line is that of the instruction at fault. */
enum reason {
#define REASON(name, words) REASON_##name,
#include "tb/locality/reason.def"
#undef REASON
    NUM_REASONS
};
struct doubt {
    enum reason reason;
    uint32_t line;
};

enum atom_kind {
    A_AXIS,      /* number: enum axis */
    A_TRIP,      /* number: of the loop; from 0 */
    A_GUESS,     /* number: of the register */
    A_PRODUCT,   /* a * b */
    A_QUOTIENT,  /* a / b, rounded down; b is positive */
    A_REMAINDER, /* a - b * (a / b): 0 to b - 1 */
    A_AND,
    A_OR,
    A_XOR,
    A_WRAP,  /* a modulo 2 to the width of the type `number`, as that type has it */
    A_CHOICE /* a where the condition holds, else b */
};

struct value;
struct condition;

struct atom {
    enum atom_kind kind;
    uint32_t number, id; /* id: in the order in which they were made */
    const struct value *a, *b;
    const struct condition *condition;
    int64_t low, high; /* its range, all blocks, threads and trips together */
    uint64_t needs;
    uint32_t depth; /* atoms in atoms: those of what it is made of, and 1 */
    uint64_t stamp; /* value_at: where `result` is what it is at that place */
    int64_t result;
    struct atom *chain;
};

struct term {
    struct atom *atom;
    int64_t factor; /* not 0 */
};

struct value {
    const struct doubt *doubt; /* NULL, or why it is not known; the rest counts only if it is */
    int64_t constant, low, high;
    uint64_t needs;
    uint32_t depth; /* the most of its atoms */
    uint32_t count;
    const struct value *chain;
    struct term terms[]; /* ascending by id */
};

/* All values of one analysis. Memory and errors are the context's. */
struct values {
    struct ptx_context *context;
    uint32_t line; /* of the instruction that is looked at: of doubts that arise */
    uint32_t num_atoms;
    struct atom **atoms; /* by hash */
    const struct value **values;
    const struct condition **conditions;
    const struct condition *always, *never;
};

void values_open(struct values *, struct ptx_context *);

const struct value *value_constant(struct values *, int64_t);
const struct value *value_doubt(struct values *, enum reason);
const struct value *value_in_doubt(struct values *, const struct doubt *);
/* `last`: of the axis, which begins at 0 */
const struct value *value_axis(struct values *, enum axis, uint32_t last);
/* The trip of a loop that begins its last trip at most as number `last`. Each call makes another. */
const struct value *value_trip(struct values *, uint32_t loop, int64_t last);
/* Something of which only is known that it is the same wherever this value stands; neither wraps
 * nor decides anything. Each call makes another. */
const struct value *value_guess(struct values *, uint32_t number);

/* a * x + b * y */
const struct value *value_sum(struct values *, int64_t a, const struct value *x, int64_t b,
                              const struct value *y);
const struct value *value_product(struct values *, const struct value *, const struct value *);
/* Rounded towards zero, as PTX has it, or down; of a divisor that may be below 1 nothing is known. */
const struct value *value_quotient(struct values *, const struct value *, const struct value *);
const struct value *value_remainder(struct values *, const struct value *, const struct value *);
const struct value *value_quotient_down(struct values *, const struct value *, int64_t);
const struct value *value_remainder_down(struct values *, const struct value *, int64_t);
const struct value *value_bits(struct values *, enum atom_kind, const struct value *,
                               const struct value *);
const struct value *value_choice(struct values *, const struct condition *, const struct value *,
                                 const struct value *);
const struct value *value_lesser(struct values *, const struct value *, const struct value *);
const struct value *value_greater(struct values *, const struct value *, const struct value *);
/* The number that a register has under an integer type if `value` is what is stored in it. */
const struct value *value_as(struct values *, const struct value *, enum ptx_type);

/* The same with another value in the place of an atom. */
struct replacement {
    const struct atom *atom;
    const struct value *value;
};
const struct value *value_replace(struct values *, const struct value *, const struct replacement *,
                                  uint32_t count);

/* Whether a trip or guess with one of these ids is in it, however deep. */
int value_mentions(struct values *, const struct value *, uint32_t first, uint32_t behind);

/* One thread in one trip of each loop. `stamp` is another one at each place. */
struct place {
    int64_t axis[NUM_AXES], trip[MAX_COUNTED];
    uint64_t stamp;
};
/* The value there; it must not be in doubt. */
int64_t value_at(const struct value *, const struct place *);
/* Its least and its greatest value where only `known` (NEEDS_...) of the place is known. */
void value_range(const struct value *, const struct place *, uint64_t known, int64_t *low,
                 int64_t *high);

#endif
