/* SPDX-License-Identifier: Apache-2.0 */
/* tb/gpu/issued.c: see issued.h. */
#include "tb/gpu/issued.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PLACES (UINT64_C(1) << 26) /* half a gigabyte */

void issued_start(struct issued *s, uint64_t blocks)
{
    s->blocks = blocks;
    s->base = 0;
    if (s->places)
        memset(s->words, 0, s->places * sizeof *s->words);
}

void issued_free(struct issued *s)
{
    free(s->words);
}

static uint64_t *word_of(const struct issued *s, uint64_t word)
{
    return &s->words[word & (s->places - 1)];
}

/* Makes room for `places` words. Returns 0 or -1. */
static int grow(struct issued *s, uint64_t places)
{
    struct issued more = *s;
    for (more.places = s->places ? s->places : 16; more.places < places;)
        more.places *= 2;
    more.words = more.places > MOST_PLACES ? NULL : calloc(more.places, sizeof *more.words);
    if (!more.words)
        return -1;
    for (uint64_t w = s->base; w < s->base + s->places; w++)
        *word_of(&more, w) = *word_of(s, w);
    free(s->words);
    *s = more;
    return 0;
}

enum issued_status issued_note(struct issued *s, uint64_t block)
{
    const uint64_t word = block / 64, bit = UINT64_C(1) << block % 64;
    if (block >= s->blocks)
        return ISSUED_NO_BLOCK;
    if (word < s->base)
        return ISSUED_AGAIN;
    if (word - s->base >= s->places && grow(s, word - s->base + 1))
        return ISSUED_NO_MEMORY;
    if (*word_of(s, word) & bit)
        return ISSUED_AGAIN;
    *word_of(s, word) |= bit;
    for (; *word_of(s, s->base) == UINT64_MAX; s->base++)
        *word_of(s, s->base) = 0;
    return ISSUED_FIRST;
}

uint64_t issued_missing(const struct issued *s)
{
    const uint64_t word = s->places ? *word_of(s, s->base) : 0;
    return s->base * 64 + (uint64_t)__builtin_ctzll(~word);
}
