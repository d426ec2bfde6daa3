/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/prim.h: a maximum spanning tree of some of the blocks, as the order in which Prim's
 * algorithm takes them. */
#ifndef HEDDLE_TB_LOCALITY_PRIM_H
#define HEDDLE_TB_LOCALITY_PRIM_H

#include "tb/locality/sharing.h"

/* Orders `count` blocks: the first one stays first; each next one is of all that remain the one with the
 * heaviest edge to any before it, of equal ones the lowest by number; without any edge the lowest.
 * Returns 0, or -1: no memory. */
int prim_order(const struct sharing *, uint32_t *blocks, uint32_t count);

#endif
