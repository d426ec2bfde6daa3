/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/footprint.h: the memory that the blocks of a launch read, as far as it is known before
 * the launch. What several blocks read alike is there once. */
#ifndef HEDDLE_TB_LOCALITY_FOOTPRINT_H
#define HEDDLE_TB_LOCALITY_FOOTPRINT_H

#include "tb/locality/locality.h"

/* Units of memory `first` to, not including, `behind`. */
struct span {
    uint64_t first, behind;
};

/* Ascending; they do not touch. */
struct spans {
    struct span *span;
    uint32_t count, room;
};

/* What loads read whose addresses depend on some of a block's coordinates alone. */
struct part {
    uint32_t axes;      /* these, bit i for coordinate i; x first */
    uint32_t count;     /* of its sets: the product of the grid's sizes along these axes */
    struct spans *sets; /* one for all blocks that do not differ in them */
};

#define MAX_PARTS_OF_GRID 8
struct footprint {
    uint32_t grid[3];
    uint32_t unit; /* bytes of one: a power of two */
    struct part parts[MAX_PARTS_OF_GRID];
    uint32_t num_parts;
};

/* Finds it from the loads that are known. A load that would take too long to follow, because its
 * addresses are no sums, gets a doubt. Returns 0, or -1 with *error filled: no memory, or more spans
 * than are kept. */
int footprint_find(struct footprint *, struct locality *, const struct locality_launch *,
                   uint32_t unit, struct ptx_error *error);
void footprint_free(struct footprint *);

/* The set of a part that a block is in. */
uint32_t part_set(const struct part *, const uint32_t grid[3], const uint32_t block[3]);

/* Adds units; not in order. Returns 0, or -1: no memory. */
int spans_add(struct spans *, uint64_t first, uint64_t behind);
void spans_sort(struct spans *); /* to be called once all have been added */

#endif
