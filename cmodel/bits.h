/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel/bits.h: bits in words of 64: bit i is bit i % 64 of word i / 64. C and C++. */
#ifndef HEDDLE_CMODEL_BITS_H
#define HEDDLE_CMODEL_BITS_H

#include <stdint.h>

/* `width` bits, 1 to 64, from bit `at` on. Setting leaves all others as they are. */
static inline uint64_t bits_get(const uint64_t *words, unsigned at, unsigned width)
{
    const unsigned shift = at % 64;
    uint64_t value = words[at / 64] >> shift;
    if (shift + width > 64)
        value |= words[at / 64 + 1] << (64 - shift);
    return value & ~UINT64_C(0) >> (64 - width);
}

static inline void bits_set(uint64_t *words, unsigned at, unsigned width, uint64_t value)
{
    const unsigned shift = at % 64;
    const uint64_t mask = ~UINT64_C(0) >> (64 - width);
    uint64_t *word = &words[at / 64];
    *word = (*word & ~(mask << shift)) | (value & mask) << shift;
    if (shift + width > 64) {
        const unsigned low = 64 - shift;
        word[1] = (word[1] & ~(mask >> low)) | (value & mask) >> low;
    }
}

static inline int bit_get(const uint64_t *words, unsigned at)
{
    return (int)(words[at / 64] >> at % 64 & 1);
}

static inline void bit_set(uint64_t *words, unsigned at, int bit)
{
    bits_set(words, at, 1, (uint64_t)bit);
}

/* Is any of the first `count` bits set? */
static inline int bits_any(const uint64_t *words, unsigned count)
{
    for (unsigned at = 0; at < count; at += 64)
        if (bits_get(words, at, count - at < 64 ? count - at : 64))
            return 1;
    return 0;
}

/* A field of `bits` bits that are packed, and one that has `per_word` of them in each of its words,
 * lowest first: each from the other. Of packed words all are written, with zeros above `bits`. */
static inline void bits_pack(uint64_t *packed, const uint64_t *words, unsigned per_word,
                             unsigned bits)
{
    for (unsigned w = 0; w < (bits + 63) / 64; w++)
        packed[w] = 0;
    for (unsigned at = 0; at < bits; at += per_word)
        bits_set(packed, at, bits - at < per_word ? bits - at : per_word, *words++);
}

static inline void bits_unpack(uint64_t *words, const uint64_t *packed, unsigned per_word,
                               unsigned bits)
{
    for (unsigned at = 0; at < bits; at += per_word)
        *words++ = bits_get(packed, at, bits - at < per_word ? bits - at : per_word);
}

#endif
