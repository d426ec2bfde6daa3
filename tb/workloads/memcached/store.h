/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/memcached/store.h: a key-value store as it lies in the device's memory, requests to
 * it, and the right responses. The layout stands in memcached.cl. */
#ifndef HEDDLE_TB_WORKLOADS_MEMCACHED_STORE_H
#define HEDDLE_TB_WORKLOADS_MEMCACHED_STORE_H

#include <stddef.h>
#include <stdint.h>

#define PACKET_BYTES   64
#define RESPONSE_WORDS 64

struct store {
    uint32_t items;
    uint32_t bucket_mask; /* number of buckets, a power of two, less one */
    uint32_t words;       /* of the store, the unused first one included */
    uint32_t *bucket;     /* offset of the first item of each chain */
    uint32_t *word;
};

/* A store of items with random keys and values, allocated in a random order; one or two items a
 * bucket on average. No memory ends the program. */
struct store store_make(uint32_t items, uint64_t seed);
void store_free(struct store *store);

/* Fills `requests` packets with keys by Zipf's law, one in ten of a key that is not in the store,
 * and writes what responses to them must be; words that no response has are all ones. The values
 * come from the items' numbers, not from a search in the store. Returns how many requests find an
 * item. */
uint32_t store_request(const struct store *store, uint64_t seed, uint32_t requests,
                       uint8_t *packets, int32_t *expected);

#endif
