/* SPDX-License-Identifier: Apache-2.0 */
/* tb/workloads/dwt/dwt.cl: one level of the 2-D 5/3 integer wavelet transform (Le Gall and
 * Tabatabai, reversible, as in JPEG 2000) by lifting (Sweldens: The Lifting Scheme, 1996). A
 * work-group makes a tile: it loads the tile and three columns and rows more into local memory,
 * lifts all rows, then all columns, with a barrier after each of the four steps, and stores each
 * quarter of the coefficients in its own corner. Neighbouring tiles, in the row and in the column,
 * share the rims; rows of the image that are not a multiple of a line long make them share more.
 * Local memory and barriers are the load; the last trips of all loops are ragged, and deep levels
 * have few groups. */

#define BLOCK  256
#define TILE   32
#define BEFORE 2                   /* of the window, before the tile */
#define WINDOW (BEFORE + TILE + 1) /* columns and rows; odd: no bank conflicts */
#define ODDS   (WINDOW / 2)        /* of a line */

/* An index beyond the edges is mirrored there, without repeating the outermost. Good for what lies
 * up to two beyond; count > 1. */
static int mirror(int i, int count)
{
    i = abs(i);
    return abs(i < count ? i : 2 * (count - 1) - i);
}

/* Lifts every line of the window in place: odd elements become details, even ones averages. line,
 * step: distances of neighbouring lines, and of neighbours in a line. */
static void lift(__local int *window, int line, int step)
{
    for (int k = get_local_id(0); k < WINDOW * ODDS; k += BLOCK) {
        __local int *odd = window + k % WINDOW * line + (2 * (k / WINDOW) + 1) * step;
        *odd -= (odd[-step] + odd[step]) >> 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = get_local_id(0); k < WINDOW * (ODDS - 1); k += BLOCK) {
        __local int *even = window + k % WINDOW * line + (2 * (k / WINDOW) + 2) * step;
        *even += (even[-step] + even[step] + 2) >> 2;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Transforms the upper left columns x rows of `from`. Averages of averages go to `low`, all else to
 * `details`. All three have `stride` columns. */
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
dwt(__global const int *from, __global int *low, __global int *details, int stride, int columns,
    int rows)
{
    __local int window[WINDOW * WINDOW];
    int left = TILE * (int)get_group_id(0), top = TILE * (int)get_group_id(1);
    for (int k = get_local_id(0); k < WINDOW * WINDOW; k += BLOCK) {
        int column = left + k % WINDOW - BEFORE, row = top + k / WINDOW - BEFORE;
        window[k] = column < columns + 2 && row < rows + 2
                        ? from[mirror(row, rows) * stride + mirror(column, columns)]
                        : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    lift(window, WINDOW, 1);
    lift(window, 1, WINDOW);
    for (int k = get_local_id(0); k < TILE * TILE; k += BLOCK) {
        int x = k % TILE, y = k / TILE, column = left + x, row = top + y;
        if (column >= columns || row >= rows)
            continue;
        int to_column = column / 2 + (column % 2 ? (columns + 1) / 2 : 0);
        int to_row = row / 2 + (row % 2 ? (rows + 1) / 2 : 0);
        __global int *to = column % 2 || row % 2 ? details : low;
        to[to_row * stride + to_column] = window[(BEFORE + y) * WINDOW + BEFORE + x];
    }
}
