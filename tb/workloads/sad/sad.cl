/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/sad/sad.cl: motion search of a video encoder: for every macroblock of 16x16 pixels
 * and every displacement within a window of the reference frame, the sums of absolute differences
 * of its 16 blocks of 4x4 pixels, and from these, in two more launches, those of all blocks that
 * are made of them (H.264's seven shapes). In the first launch a small work-group serves one 4x4
 * block: its pixels go to local memory, and neighbouring work-items read neighbouring, misaligned
 * windows of the reference, over and over: regular, many hits in L1D. Windows of neighbouring
 * groups overlap there; what they write, sixteen times as much as they read, does not. (PAVER sees
 * no sharing, as the known benchmark reads the reference as a texture.) The other launches stream.
 */

#define BLOCKS 41 /* of a macroblock, of all shapes */

/* The first block of each shape, named after its columns and rows; they follow row by row. */
enum { B4X4 = 0, B8X4 = 16, B4X8 = 24, B8X8 = 32, B16X8 = 36, B8X16 = 38, B16X16 = 40 };

/* One work-group a 4x4 block. columns, rows: of a frame. sums: macroblock by macroblock, block by
 * block, displacement by displacement. Beyond its edges the reference continues as it ends. */
__kernel void sad_4x4(__global const uchar *current, __global const uchar *reference,
                      __global ushort *sums, int columns, int rows, int range)
{
    __local int block[16];
    int lane = get_local_id(0), left = 4 * (int)get_group_id(0), top = 4 * (int)get_group_id(1);
    int span = 2 * range + 1, macroblock = top / 16 * (columns / 16) + left / 16;
    __global ushort *sum = sums + (macroblock * BLOCKS + top % 16 + left % 16 / 4) * span * span;
    for (int i = lane; i < 16; i += get_local_size(0))
        block[i] = current[(top + i / 4) * columns + left + i % 4];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int position = lane; position < span * span; position += get_local_size(0)) {
        int x = left + position % span - range, y = top + position / span - range, total = 0;
        for (int i = 0; i < 16; i++) {
            int column = clamp(x + i % 4, 0, columns - 1), row = clamp(y + i / 4, 0, rows - 1);
            total += abs(block[i] - reference[row * columns + column]);
        }
        sum[position] = total;
    }
}

/* 8x4, 4x8 and 8x8 from 4x4. One work-group a macroblock, 32 work-items a quarter. */
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void sad_8x8(__global ushort *sums,
                                                                       int positions)
{
    int quarter = get_local_id(0) / 32, x = quarter % 2, y = quarter / 2;
    __global ushort *sum = sums + get_group_id(0) * BLOCKS * positions;
    for (int i = get_local_id(0) % 32; i < positions; i += 32) {
        __global const ushort *from = sum + (B4X4 + 8 * y + 2 * x) * positions + i;
        int a = from[0], b = from[positions], c = from[4 * positions], d = from[5 * positions];
        sum[(B8X4 + 4 * y + x) * positions + i] = a + b;
        sum[(B8X4 + 4 * y + 2 + x) * positions + i] = c + d;
        sum[(B4X8 + 4 * y + 2 * x) * positions + i] = a + c;
        sum[(B4X8 + 4 * y + 2 * x + 1) * positions + i] = b + d;
        sum[(B8X8 + quarter) * positions + i] = a + b + c + d;
    }
}

/* 16x8, 8x16 and 16x16 from 8x8. One work-group, of one warp, a macroblock. */
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void sad_16x16(__global ushort *sums,
                                                                        int positions)
{
    __global ushort *sum = sums + get_group_id(0) * BLOCKS * positions;
    for (int i = get_local_id(0); i < positions; i += 32) {
        __global const ushort *from = sum + B8X8 * positions + i;
        int a = from[0], b = from[positions], c = from[2 * positions], d = from[3 * positions];
        sum[B16X8 * positions + i] = a + b;
        sum[(B16X8 + 1) * positions + i] = c + d;
        sum[B8X16 * positions + i] = a + c;
        sum[(B8X16 + 1) * positions + i] = b + d;
        sum[B16X16 * positions + i] = a + b + c + d;
    }
}
