/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/coalescer.h: from the addresses of a warp's lanes to the lines they touch. */
#ifndef HEDDLE_TB_MEM_COALESCER_H
#define HEDDLE_TB_MEM_COALESCER_H

#include <stdint.h>

#define COALESCE_LANES 32
#define COALESCE_MAX_LINES                                                                         \
    160 /* 32 lanes that each touch 16 bytes of local memory, over five words when unaligned */
#define COALESCE_SECTOR 32 /* bytes of a sector, the least that moves over the bus */

/* Distinct lines in the order in which lanes touch them first. */
struct line_list {
    uint32_t count;
    uint64_t line[COALESCE_MAX_LINES];   /* address of the first byte */
    uint8_t sectors[COALESCE_MAX_LINES]; /* bit i: bytes 32i to 32i+31 of the line are touched */
};

/* Global memory: each lane of `mask` accesses `bytes` (1 to 16) at its address. `line_bytes` is a
 * power of two, 32 to 256. */
void coalesce_global(struct line_list *, const uint64_t address[COALESCE_LANES], uint32_t mask,
                     unsigned bytes, unsigned line_bytes);

/* Local memory: each lane accesses `bytes` at an offset in memory of its own. Word i of all 32
 * lanes lies side by side (at base + 128 i), so that a warp which accesses one variable touches 128
 * neighbouring bytes. */
void coalesce_local(struct line_list *, uint64_t base, const uint64_t offset[COALESCE_LANES],
                    uint32_t mask, unsigned bytes, unsigned line_bytes);

/* Passes that an on-chip memory of `banks` banks (a power of two, at most 64), four bytes wide,
 * needs for these accesses: the most words wanted from one bank. Lanes that want the same word
 * share it; if they `modify` it, each takes its turn. Addresses are multiples of `bytes`. */
unsigned coalesce_banks(const uint64_t address[COALESCE_LANES], uint32_t mask, unsigned bytes,
                        unsigned banks, int modify);

#endif
