/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/cutcp/cutcp.cl: the electrostatic potential of point charges on a 3-D lattice,
 * smoothed to zero at a cutoff: the sum of q / r (1 - r^2 / c^2)^2 over all atoms with r < c
 * (Hardy, Stone, Schulten: Multilevel Summation of Electrostatic Potentials Using Graphics
 * Processing Units, Parallel Comput. 2009).
 *
 * Space is cut into bins of up to eight atoms, as large as a region of 8 x 8 x 8 lattice points. A
 * work-group owns a region; its 128 work-items own four points each, one above the other, and walk
 * all bins that can reach the region: four bins at a time come into local memory, a word a
 * work-item, and then everybody looks at every atom. Points beyond the cutoff make warps diverge,
 * and only there; all loads coalesce and local memory broadcasts. Arithmetic and the latency of the
 * reciprocal root bound it, barriers keep the four warps together. */
#define REGION    8 /* lattice points along a region's edge */
#define LAYERS    2 /* of work-items in a region */
#define POINTS    (REGION / LAYERS)
#define BIN_ATOMS 8
#define BIN_WORDS (4 * BIN_ATOMS)
#define BINS      4 /* in local memory at a time */

/* `bins`: x, y, z, charge of each atom; charge 0 ends a bin that is not full. Around the box's bins
 * lie `reach` layers of empty ones. `offsets`: from a region's bin to those that can reach it. */
__kernel __attribute__((reqd_work_group_size(REGION, REGION, LAYERS))) void
cutcp(__global const float *bins, __constant const int *offsets, __global float *potential,
      uint num_offsets, uint reach, uint points, float spacing, float cutoff)
{
    __local float words[BINS * BIN_WORDS];
    uint item = (get_local_id(2) * REGION + get_local_id(1)) * REGION + get_local_id(0);
    uint ix = get_global_id(0), iy = get_global_id(1);
    uint iz = get_group_id(2) * REGION + get_local_id(2);
    uint across = get_num_groups(0) + 2 * reach;
    int home = ((get_group_id(2) + reach) * across + get_group_id(1) + reach) * across +
               get_group_id(0) + reach;
    float x = ix * spacing, y = iy * spacing, z = iz * spacing, sum[POINTS];
    float square = cutoff * cutoff, inverse = 1.0f / square;
#pragma unroll
    for (uint i = 0; i < POINTS; i++)
        sum[i] = 0.0f;
    for (uint first = 0; first < num_offsets; first += BINS) {
        uint mine = first + item / BIN_WORDS;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (mine < num_offsets)
            words[item] = bins[(home + offsets[mine]) * BIN_WORDS + item % BIN_WORDS];
        barrier(CLK_LOCAL_MEM_FENCE);
        uint count = min((uint)BINS, num_offsets - first);
        for (uint bin = 0; bin < count; bin++)
            for (uint atom = 0; atom < BIN_ATOMS; atom++) {
                __local const float *a = words + bin * BIN_WORDS + 4 * atom;
                float charge = a[3], dx = a[0] - x, dy = a[1] - y, dz = a[2] - z;
                if (charge == 0.0f)
                    break;
                float flat = dx * dx + dy * dy;
#pragma unroll
                for (uint i = 0; i < POINTS; i++) {
                    float r2 = flat + dz * dz, s = 1.0f - r2 * inverse;
                    if (r2 < square)
                        sum[i] += charge * native_rsqrt(r2) * s * s;
                    dz -= LAYERS * spacing;
                }
            }
    }
#pragma unroll
    for (uint i = 0; i < POINTS; i++, iz += LAYERS)
        if (ix < points && iy < points && iz < points)
            potential[(iz * points + iy) * points + ix] = sum[i];
}
