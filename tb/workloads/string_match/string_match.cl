/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/string_match/string_match.cl: the map kernels of string matching in MapReduce form:
 * where a few key words occur in a text. One work-item reads one line byte by byte, hashes each
 * word as it goes and looks the hash up among the keys'; only where they are equal it compares the
 * words. A warp's 32 lines are neighbours, but far enough apart for a cache line each, good for 128
 * trips if L1D keeps it; lines differ in length and words end at different trips, so the work-items
 * of a warp part ways at each. Work-groups share nothing but the keys. A pair: offset and size of a
 * word, the key's number, the line. */

#define KEYS 4

/* There is one order: by the place in the text, which is how they are emitted. */
int compare(uint4 a, uint4 b, __global const uchar *data, uint order)
{
    return compare_numbers(a.x, b.x);
}

/* The key that a word with this hash is, or KEYS. key: where the keys start in the data, where the
 * last one ends, their hashes. */
static uint find_key(__global const uchar *data, __global const uint *key, uint word, uint size,
                     uint hash)
{
    uint k = 0;
    while (k < KEYS && (key[KEYS + 1 + k] != hash ||
                        compare_strings(data, word, size, key[k], key[k + 1] - key[k]) != 0))
        k++;
    return k;
}

/* Counts the keys in a line and, unless `pairs` is NULL, puts them there. Words are what spaces
 * separate. The hash is 16 bits of Fowler, Noll and Vo's: few enough for some false alarms. */
static uint match_line(__global const uchar *data, __global const uint *start, uint line,
                       uint lines, __global uint4 *pairs)
{
    uint matches = 0, word = start[line], end = start[line + 1], hash = 2166136261u;
    for (uint i = word; i <= end; i++) {
        uchar c = i < end ? data[i] : ' ';
        if (c != ' ') {
            hash = (hash ^ c) * 16777619u;
            continue;
        }
        if (i > word) {
            uint key = find_key(data, start + lines, word, i - word, (hash >> 16 ^ hash) & 0xffff);
            if (key < KEYS && pairs != 0)
                pairs[matches] = (uint4)(word, i - word, key, line);
            matches += key < KEYS;
        }
        word = i + 1;
        hash = 2166136261u;
    }
    return matches;
}

__kernel void count_matches(__global const uchar *data, __global const uint *start,
                            __global uint *counts, uint lines)
{
    uint line = get_global_id(0);
    if (line < lines)
        counts[line] = match_line(data, start, line, lines, 0);
}

__kernel void emit_matches(__global const uchar *data, __global const uint *start,
                           __global const uint *position, __global uint4 *pairs, uint lines)
{
    uint line = get_global_id(0);
    if (line < lines)
        match_line(data, start, line, lines, pairs + position[line]);
}
