/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/sha1.c: SHA-1 as the standard writes it down: padding, the 80 words of a
 * block's schedule, 80 rounds. */
#include "tb/workloads/common/sha1.h"

#include <string.h>

#define BLOCK_BYTES  64
#define LENGTH_BYTES 8 /* of the message's length in bits, at the end of its last block */
#define ROUNDS       80

static uint32_t rotate_left(uint32_t word, unsigned bits)
{
    return word << bits | word >> (32 - bits);
}

static uint32_t mix(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
    switch (round / 20) {
    case 0: return ((b & c) | (~b & d)) + 0x5a827999;
    case 1: return (b ^ c ^ d) + 0x6ed9eba1;
    case 2: return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    default: return (b ^ c ^ d) + 0xca62c1d6;
    }
}

static void add_block(uint32_t digest[SHA1_WORDS], const uint8_t block[BLOCK_BYTES])
{
    uint32_t word[ROUNDS], v[SHA1_WORDS];
    for (unsigned t = 0; t < 16; t++)
        word[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
                  (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (unsigned t = 16; t < ROUNDS; t++)
        word[t] = rotate_left(word[t - 3] ^ word[t - 8] ^ word[t - 14] ^ word[t - 16], 1);
    memcpy(v, digest, sizeof v);
    for (unsigned t = 0; t < ROUNDS; t++) {
        uint32_t first = rotate_left(v[0], 5) + mix(t, v[1], v[2], v[3]) + v[4] + word[t];
        memmove(v + 1, v, 4 * sizeof *v);
        v[0] = first;
        v[2] = rotate_left(v[2], 30);
    }
    for (unsigned i = 0; i < SHA1_WORDS; i++)
        digest[i] += v[i];
}

void sha1(const uint8_t *message, size_t size, uint32_t digest[SHA1_WORDS])
{
    static const uint32_t start[SHA1_WORDS] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
                                               0xc3d2e1f0};
    size_t whole = size / BLOCK_BYTES * BLOCK_BYTES, rest = size - whole;
    uint8_t tail[2 * BLOCK_BYTES] = {0};
    size_t end = rest + 1 + LENGTH_BYTES <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES;
    memcpy(digest, start, sizeof start);
    for (size_t i = 0; i < whole; i += BLOCK_BYTES)
        add_block(digest, message + i);
    memcpy(tail, message + whole, rest);
    tail[rest] = 0x80;
    for (unsigned i = 0; i < LENGTH_BYTES; i++)
        tail[end - 1 - i] = (uint8_t)((uint64_t)size * 8 >> (8 * i));
    for (size_t i = 0; i < end; i += BLOCK_BYTES)
        add_block(digest, tail + i);
}
