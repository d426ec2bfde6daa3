/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/kmeans_columns/kmeans_columns.cl: points column by column: a load is one line, and
 * what a warp touches in a trip of the inner loop it needs again only for the next centre. Kernel
 * invert, which comes first, reads rows, each lane lines of its own. */
uint place_of(uint point, uint f, uint points, uint features)
{
    return f * points + point;
}

/* Row by row to column by column, one work-item a point. */
__kernel void invert(__global const float *rows, __global float *columns, uint points,
                     uint features)
{
    uint point = get_global_id(0);
    if (point < points)
        for (uint f = 0; f < features; f++)
            columns[place_of(point, f, points, features)] = rows[point * features + f];
}
