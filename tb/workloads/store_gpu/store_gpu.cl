/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/store_gpu/store_gpu.cl: the SHA-1 digest of every window of 52 bytes that begins at
 * a multiple of 4 bytes of a data stream, as storage systems compute to find blocks that they hold
 * already. 52 bytes and the padding are one block of SHA-1. One work-item a window: neighbours
 * share 48 of their bytes, so a work-group loads its part of the stream into local memory once, and
 * shares only its last 12 words with the next group. Each work-item's schedule of 16 words is in
 * local memory too: 8.5 KB a group, which limits the groups of an SM. No branch diverges; almost
 * every instruction is integer arithmetic or an access to local memory. */

#define BLOCK         128
#define WINDOW        13 /* words of a window */
#define SCHEDULE      16 /* words of a block of SHA-1 */
#define DIGEST        5
#define ONE_BIT_FIRST 0x80000000u

/* The stream's bytes as SHA-1 reads them: the first is the most significant. */
static uint big_endian(uint word)
{
    return (rotate(word, 8u) & 0x00ff00ffu) | (rotate(word, 24u) & 0xff00ff00u);
}

/* Word t of the 80; from the 16th on it replaces the one 16 before it. */
static uint expand(__local uint schedule[SCHEDULE][BLOCK], uint x, uint t)
{
    uint i = t % SCHEDULE;
    if (t >= SCHEDULE)
        schedule[i][x] = rotate(schedule[(t - 3) % SCHEDULE][x] ^ schedule[(t - 8) % SCHEDULE][x] ^
                                    schedule[(t - 14) % SCHEDULE][x] ^ schedule[i][x],
                                1u);
    return schedule[i][x];
}

#define ROUNDS(first, mixed)                                                                       \
    for (uint t = first; t < first + 20; t++) {                                                    \
        uint next = rotate(a, 5u) + (mixed) + e + expand(schedule, x, t);                          \
        e = d;                                                                                     \
        d = c;                                                                                     \
        c = rotate(b, 30u);                                                                        \
        b = a;                                                                                     \
        a = next;                                                                                  \
    }

/* `digest`: five words for each window. */
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
store_gpu(__global const uint *stream, __global uint *digest, uint windows)
{
    __local uint part[BLOCK + WINDOW - 1];
    __local uint schedule[SCHEDULE][BLOCK];
    uint x = get_local_id(0), first = get_group_id(0) * BLOCK, window = first + x;
    for (uint i = x; i < BLOCK + WINDOW - 1 && first + i < windows + WINDOW - 1; i += BLOCK)
        part[i] = big_endian(stream[first + i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (window >= windows)
        return;
    for (uint i = 0; i < WINDOW; i++)
        schedule[i][x] = part[x + i];
    schedule[WINDOW][x] = ONE_BIT_FIRST;
    schedule[WINDOW + 1][x] = 0;
    schedule[WINDOW + 2][x] = WINDOW * 32;
    uint a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476, e = 0xc3d2e1f0;
    ROUNDS(0, bitselect(d, c, b) + 0x5a827999)
    ROUNDS(20, (b ^ c ^ d) + 0x6ed9eba1)
    ROUNDS(40, bitselect(b, c, b ^ d) + 0x8f1bbcdc)
    ROUNDS(60, (b ^ c ^ d) + 0xca62c1d6)
    digest += (size_t)window * DIGEST;
    digest[0] = a + 0x67452301;
    digest[1] = b + 0xefcdab89;
    digest[2] = c + 0x98badcfe;
    digest[3] = d + 0x10325476;
    digest[4] = e + 0xc3d2e1f0;
}
