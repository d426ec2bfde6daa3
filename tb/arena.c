/* SPDX-License-Identifier: Apache-2.0 */
/* tb/arena.c: a list of chunks; the newest one is handed out from its start to its end. */
#include "tb/arena.h"

#include <sanitizer/asan_interface.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES 65536

/* The bytes handed out follow the header, whose size keeps them aligned. */
struct arena_chunk {
    _Alignas(ARENA_ALIGN) struct arena_chunk *next;
};

void *arena_alloc(struct arena *a, size_t size, size_t align)
{
    size_t start = (a->used + align - 1) & ~(align - 1);
    if (!a->chunks || start > a->room || size > a->room - start) {
        if (size > SIZE_MAX / 2)
            return NULL;
        size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
        size_t bytes =
            sizeof(struct arena_chunk) + (room + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
        struct arena_chunk *chunk = aligned_alloc(ARENA_ALIGN, bytes);
        if (!chunk)
            return NULL;
        memset(chunk + 1, 0, room);
        ASAN_POISON_MEMORY_REGION(chunk + 1, room);
        chunk->next = a->chunks;
        a->chunks = chunk;
        a->room = room;
        start = 0;
    }
    /* Behind each piece at least a byte stays poisoned: the sanitizer sees any access beyond
     * its end. */
    unsigned char *piece = (unsigned char *)(a->chunks + 1) + start;
    ASAN_UNPOISON_MEMORY_REGION(piece, size);
    a->used = start + size + 1;
    return piece;
}

void *arena_grow(struct arena *a, const void *array, size_t count, size_t size)
{
    if (count & (count - 1))
        return (void *)array;
    void *larger = arena_alloc(a, (count ? 2 * count : 1) * size, _Alignof(max_align_t));
    if (larger && count)
        memcpy(larger, array, count * size);
    return larger;
}

void arena_free(struct arena *a)
{
    for (struct arena_chunk *chunk = a->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    *a = (struct arena){0};
}
