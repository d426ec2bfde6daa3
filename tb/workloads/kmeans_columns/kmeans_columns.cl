/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/kmeans_columns/kmeans_columns.cl: the assignment step of k-means clustering, as in
 * kmeans.cl, on points that stand column by column: a load is one line, and what a warp touches in a
 * trip of the inner loop it needs again only for the next centre. Kernel invert, which comes first,
 * reads rows, each lane lines of its own. */
#pragma OPENCL FP_CONTRACT OFF

/* Row by row to column by column, one work-item a point. */
__kernel void invert(__global const float *rows, __global float *columns, uint points,
                     uint features)
{
    uint point = get_global_id(0);
    if (point < points)
        for (uint f = 0; f < features; f++)
            columns[f * points + point] = rows[point * features + f];
}

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
                float difference = feature[f * points + point] - centre[c * features + f];
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
