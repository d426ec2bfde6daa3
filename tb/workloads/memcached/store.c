/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/memcached/store.c: an item's key and value are drawn from its number alone, so that
 * they need not be found to be known. Keys of 16 to 48 letters and digits, values of up to 63
 * words, most of them short. */
#include "tb/workloads/memcached/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workloads/common/fail.h"
#include "tb/workloads/common/random.h"
#include "tb/workloads/common/zipf.h"

#define LEAST_KEY  16
#define MOST_KEY   48
#define MOST_VALUE (RESPONSE_WORDS - 1)
#define HEADER     3 /* words of an item before its key */

struct item {
    uint32_t key_bytes, value_words;
    char key[MOST_KEY + 1];
    uint32_t value[MOST_VALUE];
};

/* The number stands at the key's end, so that no two are the same. */
static struct item item_of(uint32_t number, uint64_t seed)
{
    struct random random = {seed};
    struct item item = {0};
    random.state = random_bits(&random) + number;
    item.key_bytes = LEAST_KEY + (uint32_t)random_below(&random, MOST_KEY - LEAST_KEY + 1);
    for (uint32_t i = 0; i < item.key_bytes; i++)
        item.key[i] = (char)('a' + random_below(&random, 26));
    snprintf(item.key + item.key_bytes - 8, 9, "%08x", number);
    uint64_t most = (MOST_VALUE + 1) >> random_below(&random, 5);
    item.value_words = 1 + (uint32_t)random_below(&random, most - 1);
    for (uint32_t i = 0; i < item.value_words; i++)
        item.value[i] = (uint32_t)random_bits(&random);
    return item;
}

/* Jenkins' one-at-a-time hash, as in memcached.cl. */
static uint32_t hash(const char *key, uint32_t bytes)
{
    uint32_t h = 0;
    for (uint32_t i = 0; i < bytes; i++) {
        h += (uint8_t)key[i];
        h += h << 10;
        h ^= h >> 6;
    }
    h += h << 3;
    h ^= h >> 11;
    return h + (h << 15);
}

/* Puts the item at the head of its chain. */
static void insert(struct store *store, const struct item *item)
{
    uint32_t *place = store->word + store->words, key_words = (item->key_bytes + 3) / 4;
    uint32_t *head = &store->bucket[hash(item->key, item->key_bytes) & store->bucket_mask];
    const uint32_t header[HEADER] = {*head, item->key_bytes, item->value_words};
    memcpy(place, header, sizeof header);
    memcpy(place + HEADER, item->key, item->key_bytes);
    memcpy(place + HEADER + key_words, item->value, item->value_words * sizeof *place);
    *head = store->words;
    store->words += HEADER + key_words + item->value_words;
}

struct store store_make(uint32_t items, uint64_t seed)
{
    struct store store = {.items = items, .words = 1};
    struct random random = {seed};
    uint32_t *order = allocate(items, sizeof *order);
    while (store.bucket_mask < items / 2)
        store.bucket_mask = store.bucket_mask << 1 | 1;
    store.bucket = allocate(store.bucket_mask + (size_t)1, sizeof *store.bucket);
    store.word =
        allocate((size_t)items * (HEADER + MOST_KEY / 4 + MOST_VALUE) + 1, sizeof *store.word);
    random_permutation(&random, order, items);
    for (uint32_t i = 0; i < items; i++) {
        struct item item = item_of(order[i], seed);
        insert(&store, &item);
    }
    free(order);
    return store;
}

void store_free(struct store *store)
{
    free(store->bucket);
    free(store->word);
    *store = (struct store){0};
}

uint32_t store_request(const struct store *store, uint64_t seed, uint32_t requests,
                       uint8_t *packets, int32_t *expected)
{
    struct random random = {~seed};
    struct zipf popularity = zipf_make(store->items);
    uint32_t found = 0;
    memset(packets, 0, (size_t)requests * PACKET_BYTES);
    memset(expected, -1, (size_t)requests * RESPONSE_WORDS * sizeof *expected);
    for (uint32_t i = 0; i < requests; i++) {
        uint8_t *packet = packets + (size_t)i * PACKET_BYTES;
        int32_t *response = expected + (size_t)i * RESPONSE_WORDS;
        int hit = random_below(&random, 10) > 0;
        uint32_t rank = zipf_rank(&popularity, &random);
        struct item item = item_of(hit ? rank : store->items + rank, seed);
        packet[0] = (uint8_t)item.key_bytes;
        memcpy(packet + 1, item.key, item.key_bytes);
        response[0] = hit ? (int32_t)item.value_words : 0;
        if (hit)
            memcpy(response + 1, item.value, item.value_words * sizeof *response);
        found += (uint32_t)hit;
    }
    zipf_free(&popularity);
    return found;
}
