/* SPDX-License-Identifier: Apache-2.0 */
/* tb/capture/snapshot.c: see snapshot.h. The copy has a memory of its own, whose allocations stand at the same addresses. */
#include "tb/capture/snapshot.h"

#include <stdlib.h>
#include <string.h>

struct snapshot {
    struct gmem *copy;
};

struct snapshot *snapshot_new(void)
{
    struct snapshot *i = calloc(1, sizeof *i);
    if (i && !(i->copy = gmem_new())) {
        free(i);
        return NULL;
    }
    return i;
}

void snapshot_free(struct snapshot *i)
{
    if (i)
        gmem_free_all(i->copy);
    free(i);
}

int snapshot_allocate(struct snapshot *i, uint64_t base, uint64_t size)
{
    return gmem_place(i->copy, base, size);
}

int snapshot_release(struct snapshot *i, uint64_t base)
{
    return gmem_free(i->copy, base);
}

uint8_t *snapshot_bytes(const struct snapshot *i, uint64_t address, uint64_t size)
{
    return gmem_host(i->copy, address, size);
}

/* Makes the copy's allocations those of memory. Addresses only ever grow, so both are in order. */
static int follow_allocations(struct snapshot *i, const struct gmem *g,
                              const struct snapshot_watch *watch)
{
    const struct gmem_range *now, *had;
    size_t at = 0;
    while ((had = gmem_range(i->copy, at))) {
        now = gmem_range(g, at);
        if (now && now->base == had->base) {
            at++;
            continue;
        }
        if (watch)
            watch->released(watch->context, had->base);
        gmem_free(i->copy, had->base);
    }
    for (; (now = gmem_range(g, at)); at++) {
        if (watch)
            watch->allocated(watch->context, now->base, now->size);
        if (gmem_place(i->copy, now->base, now->size))
            return -1;
    }
    return 0;
}

static uint64_t piece_at(const struct gmem_range *r, uint64_t offset)
{
    return r->size - offset < SNAPSHOT_PIECE ? r->size - offset : SNAPSHOT_PIECE;
}

/* How many bytes from `offset` on are in pieces that differ, one behind the other. */
static uint64_t differs_for(const struct gmem_range *now, const struct gmem_range *had,
                            uint64_t offset)
{
    const uint64_t from = offset;
    for (; offset < now->size; offset += piece_at(now, offset))
        if (!memcmp(now->host + offset, had->host + offset, piece_at(now, offset)))
            break;
    return offset - from;
}

int snapshot_follow(struct snapshot *i, const struct gmem *g, const struct snapshot_watch *watch)
{
    const struct gmem_range *now, *had;
    if (follow_allocations(i, g, watch))
        return -1;
    for (size_t at = 0; (now = gmem_range(g, at)); at++) {
        had = gmem_range(i->copy, at);
        for (uint64_t offset = 0; offset < now->size;) {
            const uint64_t bytes = differs_for(now, had, offset);
            if (bytes && watch)
                watch->changed(watch->context, now->base + offset, now->host + offset, bytes);
            memcpy(had->host + offset, now->host + offset, bytes);
            offset += bytes ? bytes : piece_at(now, offset);
        }
    }
    return 0;
}

struct snapshot_difference snapshot_compare(const struct snapshot *i, const struct gmem *g)
{
    struct snapshot_difference d = {0};
    const struct gmem_range *now, *had;
    for (size_t at = 0; (now = gmem_range(g, at)); at++) {
        had = gmem_range(i->copy, at);
        if (!memcmp(now->host, had->host, now->size))
            continue;
        for (uint64_t offset = 0; offset < now->size; offset++) {
            if (now->host[offset] == had->host[offset])
                continue;
            if (!d.bytes++) {
                d.address = now->base + offset;
                d.base = now->base;
                d.size = now->size;
                d.copied = had->host[offset];
                d.there = now->host[offset];
            }
        }
    }
    return d;
}

void snapshot_restore(const struct snapshot *i, const struct gmem *g)
{
    const struct gmem_range *now;
    for (size_t at = 0; (now = gmem_range(g, at)); at++)
        for (uint64_t offset = 0; offset < now->size; offset += piece_at(now, offset)) {
            const uint8_t *copied = gmem_range(i->copy, at)->host + offset;
            if (memcmp(now->host + offset, copied, piece_at(now, offset)))
                memcpy(now->host + offset, copied, piece_at(now, offset));
        }
}
