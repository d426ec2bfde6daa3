/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/gmem.h: global memory, functionally: device addresses to host bytes, with every access
 * checked. */
#ifndef HEDDLE_TB_MEM_GMEM_H
#define HEDDLE_TB_MEM_GMEM_H

#include <stddef.h>
#include <stdint.h>

#define GMEM_PADDING 256ull /* bytes behind an allocation that are never mapped */

/* One allocation: device addresses [base, base + size) live at `host`. */
struct gmem_range {
    uint64_t base, size;
    uint8_t *host;
    int owned; /* host bytes are freed with the range */
};

struct gmem;

struct gmem *gmem_new(void); /* NULL: no memory */
void gmem_free_all(struct gmem *);

/* Allocates `size` bytes (size > 0) at a deterministic device address, a multiple of 256, with at
 * least GMEM_PADDING unmapped bytes after it, so that a small overrun is caught. host_ptr != NULL: those
 * bytes are the memory (and must outlive it); else zeroed memory is made. Address 0 is never
 * mapped. Returns the device address, or 0: no memory. */
uint64_t gmem_alloc(struct gmem *, uint64_t size, void *host_ptr);

/* Allocates zeroed memory at an address of the caller's: one that gmem_alloc has given out in another run, above all that
 * this memory has given out. Returns 0, or -1: no memory, or no such address. */
int gmem_place(struct gmem *, uint64_t base, uint64_t size);

/* Frees the allocation that begins at `base`. Returns 0, or -1: no such allocation. */
int gmem_free(struct gmem *, uint64_t base);

/* The allocations, by ascending address; NULL: `index` is past the last. As gmem_find. */
const struct gmem_range *gmem_range(const struct gmem *, size_t index);

/* The allocation that holds `address`, or NULL. The pointer stays valid until the next alloc or
 * free. */
const struct gmem_range *gmem_find(const struct gmem *, uint64_t address);

/* The allocation that holds `address`, else the one nearest to it (for messages), or NULL: there is
 * none. */
const struct gmem_range *gmem_nearest(const struct gmem *, uint64_t address);

/* The allocation that ends at or before `address`, in whose padding it and the `size` bytes from it on lie; or which holds
 * `address` and ends behind it, with the other bytes in its padding. NULL: none. */
const struct gmem_range *gmem_overrun(const struct gmem *, uint64_t address, uint64_t size);

/* Increases with every alloc and free: a cached gmem_range is stale when it has changed. */
uint64_t gmem_epoch(const struct gmem *);

/* Host address of [address, address + size), or NULL where any byte is unmapped. */
void *gmem_host(const struct gmem *, uint64_t address, uint64_t size);

#endif
