/* SPDX-License-Identifier: Apache-2.0 */
/* tb/mem/gmem.c: global memory as a sorted array of allocations. Addresses only ever grow, so a new
 * allocation is always appended, the array stays sorted, and an address that was freed is never
 * given out again: a stale pointer is caught. */
#include "tb/mem/gmem.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ADDRESS 0x10000ull
#define ALIGNMENT     256ull
/* What lies above is not global memory; below it there is always room to round up. */
#define END_ADDRESS ((1ull << 56) - GMEM_PADDING - ALIGNMENT)

struct gmem {
    struct gmem_range *ranges; /* by ascending base */
    size_t count, capacity;
    uint64_t next; /* base of the next allocation */
    uint64_t epoch;
};

struct gmem *gmem_new(void)
{
    struct gmem *g = calloc(1, sizeof *g);
    if (g) {
        g->next = FIRST_ADDRESS;
        g->epoch = 1;
    }
    return g;
}

static void range_free(const struct gmem_range *range)
{
    if (range->owned) {
        free(range->host);
    }
}

void gmem_free_all(struct gmem *g)
{
    if (!g) {
        return;
    }
    for (size_t i = 0; i < g->count; i++) {
        range_free(&g->ranges[i]);
    }
    free(g->ranges);
    free(g);
}

static int reserve(struct gmem *g)
{
    if (g->count < g->capacity) {
        return 0;
    }
    size_t capacity = g->capacity ? 2 * g->capacity : 16;
    struct gmem_range *ranges = realloc(g->ranges, capacity * sizeof *ranges);
    if (!ranges) {
        return -1;
    }
    g->ranges = ranges;
    g->capacity = capacity;
    return 0;
}

uint64_t gmem_alloc(struct gmem *g, uint64_t size, void *host_ptr)
{
    if (size == 0 || g->next >= END_ADDRESS || size > END_ADDRESS - g->next || size > SIZE_MAX ||
        reserve(g) != 0) {
        return 0;
    }
    uint8_t *host = host_ptr ? host_ptr : calloc(1, (size_t)size);
    if (!host) {
        return 0;
    }
    uint64_t base = g->next;
    g->ranges[g->count++] = (struct gmem_range){base, size, host, host_ptr == NULL};
    g->next = (base + size + GMEM_PADDING + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    g->epoch++;
    return base;
}

int gmem_place(struct gmem *g, uint64_t base, uint64_t size)
{
    if (base < g->next || base % ALIGNMENT || base >= END_ADDRESS) {
        return -1;
    }
    const uint64_t next = g->next;
    g->next = base;
    if (gmem_alloc(g, size, NULL) == base) {
        return 0;
    }
    g->next = next;
    return -1;
}

const struct gmem_range *gmem_range(const struct gmem *g, size_t index)
{
    return index < g->count ? &g->ranges[index] : NULL;
}

/* How many allocations begin at or below `address`. */
static size_t begun(const struct gmem *g, uint64_t address)
{
    size_t low = 0, high = g->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (g->ranges[middle].base <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

int gmem_free(struct gmem *g, uint64_t base)
{
    size_t after = begun(g, base);
    if (after == 0 || g->ranges[after - 1].base != base) {
        return -1;
    }
    range_free(&g->ranges[after - 1]);
    memmove(&g->ranges[after - 1], &g->ranges[after], (g->count - after) * sizeof *g->ranges);
    g->count--;
    g->epoch++;
    return 0;
}

const struct gmem_range *gmem_find(const struct gmem *g, uint64_t address)
{
    size_t after = begun(g, address);
    if (after == 0) {
        return NULL;
    }
    const struct gmem_range *range = &g->ranges[after - 1];
    return address - range->base < range->size ? range : NULL;
}

const struct gmem_range *gmem_nearest(const struct gmem *g, uint64_t address)
{
    size_t after = begun(g, address);
    if (after == 0) {
        return g->count ? &g->ranges[0] : NULL;
    }
    const struct gmem_range *below = &g->ranges[after - 1];
    if (after == g->count || address - below->base < below->size) {
        return below;
    }
    const struct gmem_range *above = below + 1;
    return address - (below->base + below->size) <= above->base - address ? below : above;
}

const struct gmem_range *gmem_overrun(const struct gmem *g, uint64_t address, uint64_t size)
{
    const size_t after = begun(g, address);
    if (after == 0) {
        return NULL;
    }
    const struct gmem_range *range = &g->ranges[after - 1];
    const uint64_t distance = address - range->base, end = range->size + GMEM_PADDING;
    return size <= end && distance <= end - size ? range : NULL;
}

uint64_t gmem_epoch(const struct gmem *g)
{
    return g->epoch;
}

void *gmem_host(const struct gmem *g, uint64_t address, uint64_t size)
{
    const struct gmem_range *range = gmem_find(g, address);
    if (!range || size > range->size - (address - range->base)) {
        return NULL;
    }
    return range->host + (address - range->base);
}
