/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/memcached/memcached.cl: GET requests of a key-value store like memcached, one
 * work-item a request (Hetherington, Rogers, Hsu, O'Connor, Aamodt: Characterizing and Evaluating a
 * Key-Value Store Application on Heterogeneous CPU-GPU Systems, ISPASS 2012): hash the key of the
 * packet, walk the bucket's chain of items, compare keys, copy the value into the response.
 *
 * All four steps are loops of as many trips as a key, a chain or a value is long, so lanes leave
 * them one by one. In each a lane walks along its own lines, byte by byte or word by word: a warp
 * has some 32 lines in use, and finds them again in the next trip if L1D kept them. Popular items
 * are shared between warps.
 *
 * The store is an array of words; offset 0 is no item. An item is: offset of the next one in the
 * chain, length of the key in bytes, of the value in words, then the key, from a whole word on, and
 * the value. A packet is a byte with the key's length, then the key. */

#define PACKET_BYTES 64
#define RESPONSE_WORDS 64

/* Words of an item. */
#define NEXT 0
#define KEY_BYTES 1
#define VALUE_WORDS 2
#define KEY 3

#define NOT_FOUND 0 /* first word of a response; else the length of the value in words */

/* Jenkins' one-at-a-time hash (Algorithm Alley, Dr. Dobb's Journal, September 1997). */
uint hash(__global const uchar *key, uint bytes)
{
    uint h = 0;
    for (uint i = 0; i < bytes; i++) {
        h += key[i];
        h += h << 10;
        h ^= h >> 6;
    }
    h += h << 3;
    h ^= h >> 11;
    return h + (h << 15);
}

int has_key(__global const uint *item, __global const uchar *key, uint bytes)
{
    __global const uchar *own = (__global const uchar *)&item[KEY];
    if (item[KEY_BYTES] != bytes)
        return 0;
    uint i = 0;
    while (i < bytes && own[i] == key[i])
        i++;
    return i == bytes;
}

__kernel void get(__global const uchar *packets, __global const uint *bucket,
                  __global const uint *store, __global uint *responses, uint requests,
                  uint bucket_mask)
{
    uint request = get_global_id(0);
    if (request >= requests)
        return;
    __global const uchar *key = packets + request * PACKET_BYTES + 1;
    __global uint *response = responses + request * RESPONSE_WORDS;
    uint bytes = key[-1];
    uint item = bucket[hash(key, bytes) & bucket_mask];
    while (item != 0 && !has_key(&store[item], key, bytes))
        item = store[item + NEXT];
    if (item == 0) {
        response[0] = NOT_FOUND;
        return;
    }
    uint words = store[item + VALUE_WORDS];
    __global const uint *value = &store[item + KEY + (bytes + 3) / 4];
    response[0] = words;
    for (uint i = 0; i < words; i++)
        response[1 + i] = value[i];
}
