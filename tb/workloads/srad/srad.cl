/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/srad/srad.cl: speckle reducing anisotropic diffusion of an image (Yu, Acton: Speckle
 * Reducing Anisotropic Diffusion, IEEE Trans. Image Processing 2002). An iteration: the sums of all
 * pixels and of their squares say how strong the speckle is; from that and from its differences to
 * its neighbours each pixel gets a coefficient, near 1 where the image is flat and near 0 at edges;
 * then pixels flow into each other, as much as the coefficients let them.
 *
 * The sums are taken in groups of 256, again and again until one is left, with a barrier each time
 * that half of the lanes drop out, and with strides that spread a warp over 32 lines from the
 * second time on. The other two kernels work in 16x16 tiles of local memory and look across their
 * edges in global memory, lanes at edges on their own; five divisions a pixel keep the SFU busy. The
 * differences go through memory from one to the other: mostly streams, with lines shared between
 * neighbouring groups only.
 *
 * Nothing is contracted, so that the host can repeat all of it bit by bit. */
#pragma OPENCL FP_CONTRACT OFF

#define GROUP 256
#define TILE 16

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
prepare(__global const float *image, __global float *sum, __global float *square, uint pixels)
{
    uint i = get_global_id(0);
    if (i < pixels) {
        float pixel = image[i];
        sum[i] = pixel;
        square[i] = pixel * pixel;
    }
}

/* Adds up groups of the `count` elements that are `stride` apart, each into its first one. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
reduce(__global float *sum, __global float *square, uint count, uint stride)
{
    __local float sums[GROUP];
    __local float squares[GROUP];
    uint i = get_global_id(0), x = get_local_id(0);
    sums[x] = i < count ? sum[i * stride] : 0.0f;
    squares[x] = i < count ? square[i * stride] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint width = GROUP / 2; width > 0; width /= 2) {
        if (x < width) {
            sums[x] += sums[x + width];
            squares[x] += squares[x + width];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x == 0) {
        sum[i * stride] = sums[0];
        square[i * stride] = squares[0];
    }
}

/* The differences to the neighbours, 0 where there is none, and the coefficient. speckle: the
 * variance of all pixels by their squared mean. */
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
gradient(__global const float *image, __global float *north, __global float *south,
         __global float *west, __global float *east, __global float *coefficient, uint columns,
         uint rows, float speckle)
{
    __local float tile[TILE][TILE];
    uint x = get_local_id(0), y = get_local_id(1);
    uint column = get_global_id(0), row = get_global_id(1), i = row * columns + column;
    int inside = column < columns && row < rows;
    if (inside)
        tile[y][x] = image[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!inside)
        return;
    float here = tile[y][x], n = 0.0f, s = 0.0f, w = 0.0f, e = 0.0f;
    if (row > 0)
        n = (y > 0 ? tile[y - 1][x] : image[i - columns]) - here;
    if (row + 1 < rows)
        s = (y + 1 < TILE ? tile[y + 1][x] : image[i + columns]) - here;
    if (column > 0)
        w = (x > 0 ? tile[y][x - 1] : image[i - 1]) - here;
    if (column + 1 < columns)
        e = (x + 1 < TILE ? tile[y][x + 1] : image[i + 1]) - here;
    float slope = (n * n + s * s + w * w + e * e) / (here * here);
    float laplacian = (n + s + w + e) / here;
    float scale = 1.0f + 0.25f * laplacian;
    float variation = (0.5f * slope - 0.0625f * (laplacian * laplacian)) / (scale * scale);
    float excess = (variation - speckle) / (speckle * (1.0f + speckle));
    north[i] = n;
    south[i] = s;
    west[i] = w;
    east[i] = e;
    coefficient[i] = clamp(1.0f / (1.0f + excess), 0.0f, 1.0f);
}

/* Lets the pixels flow: towards south and east the neighbour's coefficient counts, towards north
 * and west the pixel's own. */
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
diffuse(__global float *image, __global const float *north, __global const float *south,
        __global const float *west, __global const float *east, __global const float *coefficient,
        uint columns, uint rows, float rate)
{
    __local float tile[TILE][TILE];
    uint x = get_local_id(0), y = get_local_id(1);
    uint column = get_global_id(0), row = get_global_id(1), i = row * columns + column;
    int inside = column < columns && row < rows;
    if (inside)
        tile[y][x] = coefficient[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!inside)
        return;
    float own = tile[y][x], to_south = own, to_east = own;
    if (row + 1 < rows)
        to_south = y + 1 < TILE ? tile[y + 1][x] : coefficient[i + columns];
    if (column + 1 < columns)
        to_east = x + 1 < TILE ? tile[y][x + 1] : coefficient[i + 1];
    float flow = own * north[i] + to_south * south[i] + own * west[i] + to_east * east[i];
    image[i] += 0.25f * rate * flow;
}
