/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/kmeans/kmeans.cl: the assignment step of k-means clustering: each point's nearest
 * centre by Euclidean distance, one work-item a point, all centres and all features in two nested
 * loops. Lloyd: Least Squares Quantization in PCM, IEEE Trans. Information Theory 1982.
 *
 * Points stand row by row: neighbouring lanes are `features` floats apart, a warp's load touches a
 * line or more for each lane, the inner loop walks along those lines, and the outer loop comes back
 * to them for the next centre. A few warps' lines fill L1D, so it is for the scheduler to keep them
 * there. kmeans_columns turns the features around.
 *
 * No branch diverges but the tail's. Products are not contracted, so that the host can repeat the
 * distances bit by bit. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void assign(__global const float *feature, __constant float *centre,
                     __global int *membership, uint points, uint features, uint centres)
{
    uint point = get_global_id(0);
    if (point < points) {
        float least = INFINITY;
        int nearest = -1;
        for (uint c = 0; c < centres; c++) {
            float distance = 0.0f;
            for (uint f = 0; f < features; f++) {
                float difference = feature[point * features + f] - centre[c * features + f];
                distance += difference * difference;
            }
            if (distance < least) {
                least = distance;
                nearest = (int)c;
            }
        }
        membership[point] = nearest;
    }
}
