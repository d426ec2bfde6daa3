/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/page_view_rank/page_view_rank.cl: the pages of a web server's log by the number of
 * their visitors, in MapReduce form, in three rounds: records of page views, sorted to drop the
 * repeated ones of the same visitor; what is left, grouped by page and counted; the pages, sorted
 * by their counts. One work-item reads one record, byte by byte, a line of memory or two for each
 * lane; the sorts compare strings that lie anywhere in the log, of which popular pages' are
 * compared to their ends: work-items of a warp leave the loop at different trips. A pair: offset
 * and size of the page, then of the visitor's address, or the number of visitors and 0. */

enum { BY_VIEW, BY_VISITOR, BY_PAGE, BY_COUNT };

/* BY_PAGE: by page. BY_VISITOR: by page, then visitor. BY_VIEW: then by the place in the log, so
 * that no two are equal. BY_COUNT: by the number of visitors, downwards, then by page. */
int compare(uint4 a, uint4 b, __global const uchar *data, uint order)
{
    if (order == BY_COUNT && a.z != b.z)
        return compare_numbers(b.z, a.z);
    int difference = compare_strings(data, a.x, a.y, b.x, b.y);
    if (difference != 0 || order == BY_PAGE || order == BY_COUNT)
        return difference;
    difference = compare_strings(data, a.z, a.w, b.z, b.w);
    return difference != 0 || order == BY_VISITOR ? difference : compare_numbers(a.x, b.x);
}

/* The first blank at or behind `from`. */
uint find_blank(__global const uchar *data, uint from)
{
    while (data[from] != ' ')
        from++;
    return from;
}

/* The page and the visitor of a record "page address cookie". Pictures are no pages: their names do
 * not end with an l. Returns whether it is a page view. */
bool parse(__global const uchar *data, uint record, uint4 *pair)
{
    uint end = find_blank(data, record);
    uint address = end + 1, address_end = find_blank(data, address);
    *pair = (uint4)(record, end - record, address, address_end - address);
    return data[end - 1] == 'l';
}

__kernel void count_views(__global const uchar *data, __global const uint *start,
                          __global uint *counts, uint records)
{
    uint record = get_global_id(0);
    uint4 pair;
    if (record < records)
        counts[record] = parse(data, start[record], &pair);
}

__kernel void emit_views(__global const uchar *data, __global const uint *start,
                         __global const uint *position, __global uint4 *pairs, uint records)
{
    uint record = get_global_id(0);
    uint4 pair;
    if (record < records && parse(data, start[record], &pair))
        pairs[position[record]] = pair;
}

/* The first view of each visitor. */
__kernel void keep_first(__global const uint4 *pairs, __global const uint *start,
                         __global uint4 *kept, uint groups)
{
    uint group = get_global_id(0);
    if (group < groups)
        kept[group] = pairs[start[group]];
}

/* Each page with the number of its visitors. */
__kernel void count_visitors(__global const uint4 *pairs, __global const uint *start,
                             __global uint4 *pages, uint groups)
{
    uint group = get_global_id(0);
    if (group >= groups)
        return;
    uint4 first = pairs[start[group]];
    pages[group] = (uint4)(first.x, first.y, start[group + 1] - start[group], 0);
}
