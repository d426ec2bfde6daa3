/* SPDX-License-Identifier: Apache-2.0 */
/* tb/observe/verdict.h: what an observer says when something is wrong. */
#ifndef HEDDLE_TB_OBSERVE_VERDICT_H
#define HEDDLE_TB_OBSERVE_VERDICT_H

#include <stdint.h>

#include "cosim/contract.h"

struct verdict {
    int sm, scheduler; /* where it looks; -1: the GPU, or the SM as a whole */
    char text[320];    /* empty: nothing is wrong */
};

/* "cycle 17, sm 3 scheduler 1: " and what is wrong. Returns 1. */
__attribute__((format(printf, 3, 4))) int wrong(struct verdict *, uint64_t cycle,
                                                const char *format, ...);

/* Compares two structs of a unit's fields of one kind, but for the input that CLOCK names. Returns
 * 0, or 1: then the verdict names the first field that differs. */
int fields_differ(struct verdict *, uint64_t cycle, const struct unit *, enum field_kind,
                  const void *expected, const void *found);

#endif
