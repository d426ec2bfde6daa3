/* SPDX-License-Identifier: Apache-2.0 */
/* tb/locality/reading.h: what one load reads in one block. */
#ifndef HEDDLE_TB_LOCALITY_READING_H
#define HEDDLE_TB_LOCALITY_READING_H

#include "tb/locality/analysis.h"
#include "tb/locality/footprint.h"

#define MAX_DIMENSIONS (3 + MAX_COUNTED)
#define MAX_CONDITIONS MAX_PARTS
#define MAX_LOAD_STEPS (1u << 28) /* of one load in all blocks */

struct dimension {
    uint64_t bit;             /* NEEDS_... */
    int64_t *at;              /* its coordinate in the place */
    int64_t low, high;        /* what conditions leave of it in this block */
    const struct value *last; /* of a loop: number of the last trip; NULL: a coordinate */
    uint32_t size;            /* of a coordinate */
    int64_t stride;           /* what the address gains by 1 of it */
    int counts;               /* it is gone through one by one */
};

struct reader {
    uint32_t unit;
    struct spans *into;
    const struct locality_load *load;
    struct place place;
    struct dimension dimensions[MAX_DIMENSIONS];
    uint32_t num_dimensions;
    const struct condition *conditions[MAX_CONDITIONS];
    uint32_t num_conditions;
    const struct condition *open[MAX_CONDITIONS]; /* those that depend on the thread or the trip */
    uint32_t num_open;
    uint64_t steps; /* of the load */
    int failed;     /* no memory */
};

/* Prepares for a load; `block`: its size. */
void reader_open(struct reader *, const struct locality_load *, const uint32_t block[3]);

/* Adds what it reads in the block at r->place to r->into. */
void reader_read(struct reader *);

#endif
