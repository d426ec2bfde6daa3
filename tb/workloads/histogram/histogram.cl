/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/histogram/histogram.cl: a histogram whose counters stop at 255, of an image whose
 * values crowd around a few, in three launches.
 *
 * Counting is cut into windows of bins that fit into local memory: a row of work-groups for each
 * window, every one with bins of its own, fed by atomics. Each row reads the whole image, and lanes
 * whose pixel falls into another window idle; in the windows at the edge nearly all do.
 * Neighbouring pixels are often equal, so the lanes of a warp meet in one bin. A bin that is full
 * needs no atomic, only a look: saturation bounds the contention. Little arithmetic, loads that
 * stream, and barriers between clearing, counting and merging. */
#define BLOCK  256
#define WINDOW 2048
#define MOST   255 /* where counters stop */

#define EACH_PIXEL for (uint i = get_global_id(0); i < pixels; i += get_global_size(0))

/* Smallest and largest pixel into range[0] and range[1]. */
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
find_range(__global const uint *image, __global uint *range, uint pixels)
{
    __local uint lowest[BLOCK], highest[BLOCK];
    uint item = get_local_id(0), low = UINT_MAX, high = 0;
    EACH_PIXEL
    {
        low = min(low, image[i]);
        high = max(high, image[i]);
    }
    lowest[item] = low;
    highest[item] = high;
    for (uint half_size = BLOCK / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_size) {
            lowest[item] = min(lowest[item], lowest[item + half_size]);
            highest[item] = max(highest[item], highest[item + half_size]);
        }
    }
    if (item == 0) {
        atomic_min(range, lowest[0]);
        atomic_max(range + 1, highest[0]);
    }
}

/* Work-group (g, w) counts its pixels of window w, the w-th from the smallest value on. */
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
count_pixels(__global const uint *image, __global const uint *range, __global uint *counts,
             uint pixels, uint bins)
{
    __local uint window[WINDOW];
    uint first = range[0] + get_group_id(1) * WINDOW;
    for (uint i = get_local_id(0); i < WINDOW; i += BLOCK)
        window[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    EACH_PIXEL
    {
        uint bin = image[i] - first;
        if (bin < WINDOW && window[bin] < MOST)
            atomic_inc(window + bin);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < WINDOW && first + i < bins; i += BLOCK)
        if (window[i] > 0 && counts[first + i] < MOST)
            atomic_add(counts + first + i, window[i]);
}

/* The counters, cut off, as bytes. */
__kernel void saturate(__global const uint *counts, __global uchar *histogram, uint bins)
{
    uint bin = get_global_id(0);
    if (bin < bins)
        histogram[bin] = min(counts[bin], (uint)MOST);
}
