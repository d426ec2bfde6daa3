/* SPDX-License-Identifier: Apache-2.0 */
/* cosim/promises.h: does a unit keep what its contract promises the bench with QUIET, IDLE_STABLE
 * and WAKES (cmodel/contract.h)? Asked in random runs, where every cycle is stepped. */
#ifndef HEDDLE_COSIM_PROMISES_H
#define HEDDLE_COSIM_PROMISES_H

#include "cosim/contract.h"

/* Holds a cycle against the promises: the reference's registers before its edge, its inputs and
 * outputs, the MEMORY of which a word has changed at the edge (NULL: none), and its state after it.
 * Lockstep has found the RTL equal. `scratch` has room for an in, an out and a state.
 * Returns 0, or 1 with the broken promise in `reason`. */
int promise_broken(const struct unit *, const void *before, const void *in, const void *out,
                   const char *written, const void *after, void *scratch, char *reason,
                   size_t size);

#endif
