/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/inverted_index/inverted_index.cl: the map kernels and the orders of an inverted
 * index in MapReduce form: which links occur in which documents. One work-item reads one document
 * byte by byte: a warp's 32 documents are 32 lines at a time, each good for 128 trips if L1D keeps
 * it, which it cannot do for many warps at once; there is next to nothing for warps to share.
 * Documents differ in length and in what is found when, so the work-items of a warp part ways. A
 * pair: offset and size of a link, the document, 0. */

enum { BY_POSTING, BY_LINK };

/* By link, byte by byte; postings of the same link by their place in the text. */
int compare(uint4 a, uint4 b, __global const uchar *data, uint order)
{
    int difference = compare_strings(data, a.x, a.y, b.x, b.y);
    return difference != 0 || order == BY_LINK ? difference : compare_numbers(a.x, b.x);
}

#define OPENING_SIZE 9
__constant uchar opening[OPENING_SIZE] = {'<', 'a', ' ', 'h', 'r', 'e', 'f', '=', '"'};

/* Counts the links of a document and, unless `pairs` is NULL, puts them there. A link begins behind
 * <a href=" and ends before the next ", if there is one. */
uint find_links(__global const uchar *data, __global const uint *start, uint document,
                __global uint4 *pairs)
{
    uint links = 0, matched = 0, link = 0, end = start[document + 1];
    for (uint i = start[document]; i < end; i++) {
        uchar c = data[i];
        if (matched < OPENING_SIZE) {
            matched = c == opening[matched] ? matched + 1 : c == opening[0];
            link = i + 1;
        } else if (c == '"') {
            if (pairs != 0)
                pairs[links] = (uint4)(link, i - link, document, 0);
            links++;
            matched = 0;
        }
    }
    return links;
}

__kernel void count_links(__global const uchar *data, __global const uint *start,
                          __global uint *counts, uint documents)
{
    uint document = get_global_id(0);
    if (document < documents)
        counts[document] = find_links(data, start, document, 0);
}

__kernel void emit_links(__global const uchar *data, __global const uint *start,
                         __global const uint *position, __global uint4 *pairs, uint documents)
{
    uint document = get_global_id(0);
    if (document < documents)
        find_links(data, start, document, pairs + position[document]);
}
