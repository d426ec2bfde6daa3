/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/bank.h: in which L2 bank an address lies, and where.
 *
 * Memory is cut into chunks of l2.interleave bytes, and these into groups of as many chunks as there
 * are banks. A group has one chunk in each bank. Linear: in order. Hashed: rotated by a hash of the
 * group's number, so that a stride of a power of two, or of a multiple of the banks, does not always
 * meet the same banks. The hash is the remainder of the number, as a polynomial over GF(2), by an
 * irreducible one (Rau: Pseudo-randomly interleaved memory, ISCA 1991): in hardware one XOR of some
 * address bits for each bit of the result. */
#ifndef HEDDLE_TB_MEM_BANK_H
#define HEDDLE_TB_MEM_BANK_H

#include <stdint.h>
#include <string.h>

#include "tb/config.h"

struct bank_map {
    uint64_t interleave;
    uint32_t num_banks;
    int hashed;
    uint8_t hash[8][256]; /* of each byte of a group's number: their XOR is the number's */
};

struct bank_place {
    uint64_t address; /* in the bank, whose chunks lie side by side there */
    uint32_t bank;
};

/* The remainder of a polynomial, of bits, by the irreducible one whose degree is the number of bits
 * of a bank's number. */
static inline uint8_t bank_remainder(uint64_t bits, uint32_t num_banks)
{
    static const uint32_t irreducible[] = {1, 3, 7, 11, 19, 37, 67, 131, 285};
    const uint32_t degree = num_banks > 1 ? 32 - (uint32_t)__builtin_clz(num_banks - 1) : 0;
    uint32_t rest = 0;
    for (unsigned i = 64; i-- > 0;) {
        rest = rest << 1 | (uint32_t)(bits >> i & 1);
        if (rest >> degree)
            rest ^= irreducible[degree];
    }
    return (uint8_t)rest;
}

static inline void bank_map_init(struct bank_map *m, const struct config *c)
{
    m->interleave = (uint64_t)c->l2_interleave;
    m->num_banks = (uint32_t)c->l2_banks;
    m->hashed = !strcmp(c->l2_bank_index, "hashed");
    for (unsigned byte = 0; byte < 8; byte++)
        for (unsigned value = 0; value < 256; value++)
            m->hash[byte][value] = bank_remainder((uint64_t)value << 8 * byte, m->num_banks);
}

static inline struct bank_place bank_place(const struct bank_map *m, uint64_t address)
{
    const uint64_t chunk = address / m->interleave, group = chunk / m->num_banks;
    uint32_t turn = (uint32_t)(chunk % m->num_banks), hash = 0;
    for (uint64_t left = m->hashed ? group : 0, byte = 0; left; left >>= 8)
        hash ^= m->hash[byte++][left & 0xff];
    return (struct bank_place){group * m->interleave + address % m->interleave,
                               (turn + hash) % m->num_banks};
}

#endif
