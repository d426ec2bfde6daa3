/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/stencil/stencil.cl: one Jacobi step of the heat equation on a 3-D lattice, seven
 * points: out = side (sum of the six neighbours) - centre in. The lattice's faces stay.
 *
 * A work-group owns 64 x 4 columns along z, two a work-item, 32 apart, and walks them from the
 * bottom to the top. What it needs of the planes below, here and above stays in registers; the
 * plane of now stands in local memory for the neighbours, and only at the tile's edges do loads go
 * out to them. Two barriers a plane keep all warps together; rows of the tile are reused between
 * warps, the edges' lines between blocks. */
#pragma OPENCL FP_CONTRACT OFF

#define WIDTH  32
#define HEIGHT 4
#define POINTS 2 /* of a work-item */
#define TILE   (POINTS * WIDTH)

#define EACH_POINT _Pragma("unroll") for (uint i = 0; i < POINTS; i++)

__kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1))) void
stencil(__global const float *in, __global float *out, uint columns, uint rows, uint planes,
        float centre, float side)
{
    __local float tile[HEIGHT][TILE];
    uint x = get_local_id(0), y = get_local_id(1), row = get_global_id(1);
    uint plane = columns * rows, left[POINTS], at[POINTS];
    float below[POINTS], here[POINTS], above[POINTS];
    bool exists[POINTS], inside[POINTS];
    EACH_POINT
    {
        left[i] = x + i * WIDTH; /* in the tile */
        uint column = get_group_id(0) * TILE + left[i];
        exists[i] = column < columns && row < rows;
        inside[i] = exists[i] && column > 0 && column + 1 < columns && row > 0 && row + 1 < rows;
        at[i] = row * columns + column;
        below[i] = exists[i] ? in[at[i]] : 0.0f;
        at[i] += plane;
        here[i] = exists[i] ? in[at[i]] : 0.0f;
    }
    for (uint z = 1; z + 1 < planes; z++) {
        EACH_POINT
        tile[y][left[i]] = here[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        EACH_POINT
        {
            above[i] = exists[i] ? in[at[i] + plane] : 0.0f;
            if (inside[i]) {
                float west = left[i] > 0 ? tile[y][left[i] - 1] : in[at[i] - 1];
                float east = left[i] + 1 < TILE ? tile[y][left[i] + 1] : in[at[i] + 1];
                float north = y > 0 ? tile[y - 1][left[i]] : in[at[i] - columns];
                float south = y + 1 < HEIGHT ? tile[y + 1][left[i]] : in[at[i] + columns];
                out[at[i]] =
                    side * (west + east + north + south + below[i] + above[i]) - centre * here[i];
            }
            below[i] = here[i];
            here[i] = above[i];
            at[i] += plane;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
