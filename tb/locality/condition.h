/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/condition.h: when something is so: comparisons of values with zero, and what is made
 * of them by and, or, not. Equal conditions are the same pointer. */
#ifndef HEDDLE_TB_LOCALITY_CONDITION_H
#define HEDDLE_TB_LOCALITY_CONDITION_H

#include "tb/locality/value.h"

enum condition_kind {
    CONDITION_ALWAYS,
    CONDITION_NEVER,
    CONDITION_NEGATIVE, /* value < 0 */
    CONDITION_ZERO,     /* value == 0 */
    CONDITION_NOT_ZERO,
    CONDITION_BOTH,
    CONDITION_EITHER,
    CONDITION_UNKNOWN, /* an unknown bit, the same wherever this condition stands */
    CONDITION_UNKNOWN_NOT
};

struct condition {
    enum condition_kind kind;
    const struct value *value;
    const struct condition *a, *b;
    const struct doubt *doubt; /* the first one in it, or NULL */
    uint64_t needs;
    uint32_t depth; /* of the values in it */
    uint32_t parts; /* conditions that it is joined of */
    const struct condition *chain;
    const struct condition *negation; /* NULL: nobody has asked for it */
};

/* `x` and `y` as numbers (value_as). Comparisons of floats, and with values in doubt, are unknown. */
const struct condition *condition_compare(struct values *, enum uop_cmp, const struct value *x,
                                          const struct value *y);
/* An unknown bit for the reason that the doubt gives; each call makes another. */
const struct condition *condition_unknown(struct values *, const struct doubt *);
const struct condition *condition_not(struct values *, const struct condition *);
const struct condition *condition_both(struct values *, const struct condition *,
                                       const struct condition *);
const struct condition *condition_either(struct values *, const struct condition *,
                                         const struct condition *);
/* What `c` says where `given` holds: without those of the conditions joined by both in it that are
 * among those of `given`. */
const struct condition *condition_where(struct values *, const struct condition *c,
                                        const struct condition *given);
const struct condition *condition_replace(struct values *, const struct condition *,
                                          const struct replacement *, uint32_t count);

/* Whether it holds there; it must not be in doubt. */
int condition_at(const struct condition *, const struct place *);
/* 1 or 0 where it holds, or does not, whatever is not `known` of the place; -1: that depends. */
int condition_decided(const struct condition *, const struct place *, uint64_t known);

#endif
