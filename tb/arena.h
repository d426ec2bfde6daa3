/* SPDX-License-Identifier: Apache-2.0 */
/* tb/arena.h: memory that is freed all at once, so that an error anywhere in a parser leaks
 * nothing. */
#ifndef HEDDLE_TB_ARENA_H
#define HEDDLE_TB_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks; /* newest first */
    size_t used, room;          /* of the newest chunk */
};

#define ARENA_ALIGN 64 /* the largest alignment that can be asked for */

/* `size` zeroed bytes at a multiple of `align` (a power of two up to ARENA_ALIGN), or NULL: no
 * memory. An empty request gives a valid pointer too. A zeroed struct arena is an empty one. */
void *arena_alloc(struct arena *, size_t size, size_t align);

/* An array of `count` elements of `size` bytes with room for one more: it is moved to twice the room at each power of two. NULL: no
 * memory. */
void *arena_grow(struct arena *, const void *array, size_t count, size_t size);

void arena_free(struct arena *);

#endif
