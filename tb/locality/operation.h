/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/operation.h: what arithmetic makes of values. */
#ifndef HEDDLE_TB_LOCALITY_OPERATION_H
#define HEDDLE_TB_LOCALITY_OPERATION_H

#include "tb/locality/analysis.h"

/* The instruction that is executed. */
struct stepper {
    struct analysis *analysis;
    struct values *values;
    struct registers *registers;
    const struct uop *uop;
    const struct condition *guard;
};

/* Source `i` as it is held; as a number of the type; as a predicate. */
const struct value *source_held(struct stepper *, unsigned i, enum ptx_type);
const struct value *source_number(struct stepper *, unsigned i, enum ptx_type);
const struct condition *source_flag(struct stepper *, unsigned i);

/* What an instruction with one destination computes; NULL: it is not followed. The second is for
 * predicates. */
const struct value *operation_compute(struct stepper *);
const struct condition *operation_decide(struct stepper *);

#endif
