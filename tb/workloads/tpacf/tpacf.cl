/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/tpacf/tpacf.cl: histograms of the angles between points on the sky, from which
 * astronomers get the two-point angular correlation function. Set 0 was observed, the others are
 * random. One work-group counts the pairs within one set, or of set 0 with another: it takes the
 * second set tile by tile into local memory, and each work-item pairs its points with the tile's.
 * A binary search finds the bin (divergent: 4 or 5 trips) and an atomic in local memory counts it,
 * in one of 128 copies of the histogram, so that lanes of a warp do not meet. Within a set each
 * pair counts once, so half of the lanes' work is masked. All groups of the second kind read set 0;
 * each random set is read by two groups far apart. The copies limit the groups of an SM to three.
 */
#pragma OPENCL FP_CONTRACT OFF

#define MOST_BLOCK 256 /* work-items of a group, and points of a tile */
#define BINS       20
#define LOG_COPIES 7
#define COPIES     (1 << LOG_COPIES)

/* The first bin whose edge a cosine is not below; the last bin has no edge. */
static uint bin_of(float cosine, __constant const float *edge)
{
    uint low = 0, high = BINS - 1;
    while (low < high) {
        uint middle = (low + high) / 2;
        if (cosine >= edge[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* x, y, z: the sets' points, set after set; edge: the bins' least cosines, falling. */
__kernel void tpacf(__global const float *x, __global const float *y, __global const float *z,
                    __constant const float *edge, __global uint *histogram, uint sets, uint points)
{
    __local float tile[3][MOST_BLOCK];
    __local uint count[BINS][COPIES];
    uint lane = get_local_id(0), block = get_local_size(0), group = get_group_id(0);
    uint within = group < sets;
    uint first = within ? group * points : 0, second = (within ? group : group - sets + 1) * points;
    for (uint i = lane; i < BINS * COPIES; i += block)
        count[i / COPIES][i % COPIES] = 0;
    for (uint start = 0; start < points; start += block) {
        uint size = min(block, points - start);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < size) {
            tile[0][lane] = x[second + start + lane];
            tile[1][lane] = y[second + start + lane];
            tile[2][lane] = z[second + start + lane];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = lane; i < points; i += block) {
            float px = x[first + i], py = y[first + i], pz = z[first + i];
            for (uint j = 0; j < size; j++)
                if (!within || start + j > i) {
                    float cosine = px * tile[0][j] + py * tile[1][j] + pz * tile[2][j];
                    atomic_inc(&count[bin_of(cosine, edge)][lane % COPIES]);
                }
        }
    }
    for (uint log = LOG_COPIES; log-- > 0;) {
        uint width = 1 << log;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = lane; i < BINS << log; i += block)
            count[i >> log][i % width] += count[i >> log][i % width + width];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = lane; bin < BINS; bin += block)
        histogram[group * BINS + bin] = count[bin][0];
}
