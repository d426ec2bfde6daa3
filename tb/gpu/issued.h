/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/issued.h: which blocks of a grid have been issued: what the machine knows by itself, to
 * check the dispatcher with in every run. One bit for each block; of the blocks before the first
 * one that is missing, none. */
#ifndef HEDDLE_TB_GPU_ISSUED_H
#define HEDDLE_TB_GPU_ISSUED_H

#include <stdint.h>

struct issued {
    uint64_t blocks; /* of the grid */
    uint64_t base;   /* all blocks of the words before this one have been issued */
    uint64_t *words; /* a ring of `places`, a power of two; word w of the grid at w modulo places */
    uint64_t places;
};

/* Forgets all; a grid of so many blocks follows. */
void issued_start(struct issued *, uint64_t blocks);
void issued_free(struct issued *);

enum issued_status {
    ISSUED_FIRST,     /* as it should be */
    ISSUED_AGAIN,     /* it had been issued before */
    ISSUED_NO_BLOCK,  /* the grid has no such block */
    ISSUED_NO_MEMORY, /* too far from the first missing one to be followed */
};
enum issued_status issued_note(struct issued *, uint64_t block);

/* The first block that has not been issued; the number of blocks: all have. */
uint64_t issued_missing(const struct issued *);

#endif
