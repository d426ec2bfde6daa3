/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/common/clustering.cl: the assignment step of k-means clustering: each point's nearest
 * centre by Euclidean distance, one work-item a point, all centres and all features in two nested
 * loops. Lloyd: Least Squares Quantization in PCM, IEEE Trans. Information Theory 1982.
 *
 * Where the features of a point stand is for the workload to say.
 *
 * No branch diverges but the tail's. Products are not contracted, so that the host can repeat the
 * distances bit by bit. */
#pragma OPENCL FP_CONTRACT OFF

/* The place of a feature of a point. */
uint place_of(uint point, uint f, uint points, uint features);

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
                float difference = feature[place_of(point, f, points, features)] - centre[c * features + f];
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
