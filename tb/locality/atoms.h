/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/atoms.h: how the files that make values make them. */
#ifndef HEDDLE_TB_LOCALITY_ATOMS_H
#define HEDDLE_TB_LOCALITY_ATOMS_H

#include "tb/locality/condition.h"

typedef __int128 wide;

/* The one value with these terms, of which none has the factor 0; ascending by id. */
const struct value *value_of_terms(struct values *, int64_t constant, const struct term *,
                                   uint32_t count);

/* The atom with this kind, number, a, b (or NULL) and condition (or NULL), alone; its range. A range
 * where a guess is among them need not be right. */
const struct value *value_of_atom(struct values *, const struct atom *, wide low, wide high);

static inline int64_t quotient_down(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

#endif
